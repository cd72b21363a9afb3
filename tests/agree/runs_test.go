package agree

import (
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

var runs = flag.String("runs", "", "table of kernels below -corpus to run: NAME THREADS INPUT OUTPUT, bytes in hex or - for none")

// A line of the table names the kernel NAME in NAME.ptx. It gets the address of
// the input, if there is one, and of the output, which is zero; a table made of
// ZLUDA's run tests has this form.
func TestRunsGiveWhatTheirAuthorsExpect(t *testing.T) {
	if *corpus == "" || *runs == "" {
		t.Skip("no -corpus and -runs")
	}
	table, err := os.ReadFile(*runs)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for line := range strings.Lines(string(table)) {
		var name, input, output string
		var threads uint32
		if _, err := fmt.Sscan(line, &name, &threads, &input, &output); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got, err := runOne(filepath.Join(*corpus, name+".ptx"), name, threads, input, len(output)/2)
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, lines(err.Error()))
		case got != output:
			t.Errorf("%s: %s -> %s, want %s", name, input, got, output)
		default:
			right++
		}
	}
	fmt.Printf("%d runs are as expected\n", right)
}

func runOne(path, name string, threads uint32, input string, size int) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	p, err := solo.Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 28}, SMs: 1, ThreadsPerSM: 2048, Heap: 8 << 20, Stack: 1024}, path, string(text))
	if err != nil {
		return "", err
	}
	defer p.Close()
	out, err := p.Alloc(uint64(size))
	if err != nil {
		return "", err
	}
	in := out
	if input != "-" {
		b, err := hex.DecodeString(input)
		if err != nil {
			return "", err
		}
		if in, err = p.Alloc(uint64(len(b))); err == nil {
			err = p.Write(in, b)
		}
		if err != nil {
			return "", err
		}
	}
	k, err := p.Kernel(name)
	if err != nil {
		return "", err
	}
	params := make([]byte, k.ParamBytes)
	for i, addr := range []uint64{in, out} {
		if i < len(k.Params) && k.Params[i].Size == 8 {
			binary.LittleEndian.PutUint64(params[k.Params[i].Offset:], addr)
		}
	}
	one := [3]uint32{1, 1, 1}
	if _, err := p.Run(solo.Launch{Kernel: name, Grid: one, Block: [3]uint32{threads, 1, 1}, Shared: 1024}, params); err != nil {
		return "", err
	}
	b := make([]byte, size)
	err = p.Read(out, b)
	return hex.EncodeToString(b), err
}
