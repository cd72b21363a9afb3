package simd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// The assembler takes an instruction's longer encoding silently if its operands ask
// for it, which only processors with AVX-512 understand.
func TestBodiesOfAVX2HaveNoInstructionOfAVX512(t *testing.T) {
	objdump, err := exec.LookPath("objdump")
	if err != nil {
		t.Skip("no objdump")
	}
	low, high := ^uintptr(0), uintptr(0)
	for code := range int(count) {
		full, part := bodyAVX2(code)
		low, high = min(low, full, part), max(high, full, part)
	}
	out, err := exec.Command(objdump, "-d", fmt.Sprintf("--start-address=%#x", low), fmt.Sprintf("--stop-address=%#x", high), os.Args[0]).Output()
	if err != nil {
		t.Fatal(err)
	}
	vectors := 0
	for line := range bytes.Lines(out) {
		cell := bytes.Split(line, []byte("\t"))
		if len(cell) < 3 {
			continue // a rest of bytes
		}
		if bytes.Contains(cell[2], []byte("%ymm")) {
			vectors++
		}
		if bytes.HasPrefix(cell[1], []byte("62 ")) {
			t.Errorf("%s", line)
		}
	}
	if vectors < 10000 {
		t.Fatalf("%d instructions on vectors between %#x and %#x", vectors, low, high)
	}
}
