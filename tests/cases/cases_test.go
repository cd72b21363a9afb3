// Package cases runs PTX texts that once failed in some GPU simulator. Each
// file in testdata states a claim, a launch and the words that the kernel k
// must leave in the buffer that its first parameter points to:
//
//	// launch: GRID BLOCK
//	// param: u32 7          further parameters, in order
//	// words N : v v v       words of the buffer before the launch
//	// words N = v v v       words of the buffer after it
package cases

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// bufferWords is the size of the buffer in 32-bit words.
const bufferWords = 1024

// testCase is what the comments of a file say.
type testCase struct {
	grid, block uint32
	params      []string
	before      map[int]uint32
	after       map[int]uint32
}

func TestKernelsLeaveWhatTheirTextPromises(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ptx"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			run(t, file, string(text))
		})
	}
}

func run(t *testing.T, file, text string) {
	c := read(t, text)
	p, err := solo.Load(gpu.Config{
		Memory: mem.Config{DeviceBytes: 1 << 30}, SMs: 4, ThreadsPerSM: 2048, Heap: 8 << 20, Stack: 1024,
		Limit: exec.Limit{Instructions: 10e6},
	}, file, text)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	buffer := alloc(t, p)
	for i, v := range c.before {
		write(t, p, buffer+4*uint64(i), word(v))
	}
	params := make([]byte, k.ParamBytes)
	binary.LittleEndian.PutUint64(params, buffer)
	for i, text := range c.params {
		setParam(t, p, params[k.Params[i+1].Offset:], text)
	}
	if _, err := p.Run(solo.Launch{Kernel: "k", Grid: [3]uint32{c.grid, 1, 1}, Block: [3]uint32{c.block, 1, 1}}, params); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4*bufferWords)
	if err := p.Read(buffer, got); err != nil {
		t.Fatal(err)
	}
	for i, want := range c.after {
		if v := binary.LittleEndian.Uint32(got[4*i:]); v != want {
			t.Errorf("word %d is %#x, want %#x", i, v, want)
		}
	}
}

func alloc(t *testing.T, p *solo.Program) uint64 {
	t.Helper()
	addr, err := p.Alloc(4 * bufferWords)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func write(t *testing.T, p *solo.Program, addr uint64, b []byte) {
	t.Helper()
	if err := p.Write(addr, b); err != nil {
		t.Fatal(err)
	}
}

func word(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }

// setParam stores a parameter that a comment describes.
func setParam(t *testing.T, p *solo.Program, at []byte, text string) {
	t.Helper()
	fields := strings.Fields(text)
	switch fields[0] {
	case "u8":
		at[0] = byte(number(t, fields[1]))
	case "u16":
		binary.LittleEndian.PutUint16(at, uint16(number(t, fields[1])))
	case "u32":
		binary.LittleEndian.PutUint32(at, number(t, fields[1]))
	case "f64":
		v, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint64(at, math.Float64bits(v))
	case "bytes":
		for _, f := range fields[2:] {
			i, v, _ := strings.Cut(f, ":")
			at[number(t, i)] = byte(number(t, v))
		}
	case "buffer":
		addr := alloc(t, p)
		write(t, p, addr, word(number(t, fields[1])))
		binary.LittleEndian.PutUint64(at, addr)
	default:
		t.Fatalf("parameter kind %q", fields[0])
	}
}

func number(t *testing.T, s string) uint32 {
	t.Helper()
	v, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(v)
}

// read parses the comments at the head of a case.
func read(t *testing.T, text string) testCase {
	t.Helper()
	c := testCase{before: map[int]uint32{}, after: map[int]uint32{}}
	for line := range strings.Lines(text) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
		if !ok {
			continue
		}
		if launch, ok := strings.CutPrefix(line, "launch: "); ok {
			f := strings.Fields(launch)
			c.grid, c.block = number(t, f[0]), number(t, f[1])
		}
		if p, ok := strings.CutPrefix(line, "param: "); ok {
			c.params = append(c.params, p)
		}
		if f := strings.Fields(line); len(f) > 3 && strings.HasPrefix(f[0], "word") && (f[2] == "=" || f[2] == ":") {
			into := c.after
			if f[2] == ":" {
				into = c.before
			}
			for i, v := range f[3:] {
				into[int(number(t, f[1]))+i] = number(t, v)
			}
		}
	}
	if c.block == 0 || len(c.after) == 0 {
		t.Fatal("the case states no launch or no result")
	}
	return c
}
