package rt_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// recorded reads what an H200 said; the lines without comments.
func recorded(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile("../../tests/vectors/h200/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if len(lines) < 10 {
		t.Fatalf("%s has %d lines", name, len(lines))
	}
	return lines
}

var toolkits = map[int]string{11: "11.8", 12: "12.4", 13: "13.0"}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestErrorTextsAreThoseOfTheCard(t *testing.T) {
	for major, toolkit := range toolkits {
		known := map[int]bool{}
		for _, line := range recorded(t, "errors."+toolkit+".txt") {
			f := strings.SplitN(line, " ", 3)
			code := rt.Error(atoi(t, f[0]))
			known[int(code)] = true
			if n, s := rt.Name(code, major), rt.Text(code, major); n != f[1] || s != f[2] {
				t.Errorf("CUDA %s, %d: %q, %q, want %q, %q", toolkit, code, n, s, f[1], f[2])
			}
		}
		for code := range 1001 {
			if n := rt.Name(rt.Error(code), major); !known[code] && n != rt.Unrecognized {
				t.Errorf("CUDA %s, %d: %q, unknown to the card's runtime", toolkit, code, n)
			}
		}
	}
}

func TestAttributesAreThoseOfTheCard(t *testing.T) {
	p := start(t)
	for _, line := range recorded(t, "attributes.txt") {
		f := strings.Fields(line)
		got, err := p.thread.DeviceGetAttribute(atoi(t, f[0]), 0)
		switch id := f[0]; {
		case id == "33" || id == "34" || id == "50": // the place on the bus is its own
		case f[1] == "cudaErrorInvalidValue":
			p.want("attribute "+id, err, 1)
		case err != nil || int(got) != atoi(t, f[1]):
			t.Errorf("attribute %s is %d, %v, want %s", id, got, err, f[1])
		}
	}
}

func TestPropertiesAreThoseOfTheCard(t *testing.T) {
	p := start(t)
	props, err := p.thread.GetDeviceProperties(0)
	p.must(err)
	for v, toolkit := range map[layout.Version]string{layout.V11: "11.8", layout.V12: "12.4", layout.V13: "13.0"} {
		b := make([]byte, props.Size(v))
		props.Put(b, v)
		for _, line := range recorded(t, "properties."+toolkit+".txt") {
			f := strings.Fields(line)
			if len(f) < 3 || strings.HasPrefix(f[0], "pci") || f[0] == "name" || f[0] == "uuid" {
				continue
			}
			at := atoi(t, f[1])
			for i, want := range f[2:] {
				value, err := strconv.ParseInt(want, 0, 64)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				if got := littleEndian(b[at+4*i:], 4); got != uint64(uint32(value)) {
					t.Errorf("CUDA %s: %s is %d at %d, want %s", toolkit, f[0], got, at+4*i, want)
				}
			}
		}
	}
}

func littleEndian(b []byte, n int) (v uint64) {
	for i := range n {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

func TestLimitsAreThoseOfTheCard(t *testing.T) {
	p := start(t)
	for _, line := range recorded(t, "limits.13.0.txt") {
		f := strings.Fields(line)
		switch {
		case f[0] == "limit":
			v, err := p.thread.DeviceGetLimit(atoi(t, f[1]))
			if f[2] == "cudaErrorUnsupportedLimit" {
				p.want(line, err, 215)
			} else if err != nil || int(v) != atoi(t, f[2]) {
				t.Errorf("%s: got %d, %v", line, v, err)
			}
		case strings.HasPrefix(line, "memory total"):
			if _, total, err := p.thread.MemGetInfo(); err != nil || strconv.FormatUint(total, 10) != f[2] {
				t.Errorf("%s: got %d, %v", line, total, err)
			}
		case f[0] == "device" && f[1] == "flags":
			if v, err := p.thread.GetDeviceFlags(); err != nil || int(v) != atoi(t, f[2]) {
				t.Errorf("%s: got %d, %v", line, v, err)
			}
		}
	}
}

func TestPitchesAreThoseOfTheCard(t *testing.T) {
	p := start(t)
	for _, line := range recorded(t, "pitches.txt") {
		f := strings.Fields(line)
		addr, pitch, err := p.thread.MallocPitch(uint64(atoi(t, f[0])), uint64(atoi(t, f[1])), 1)
		if err != nil || int(pitch) != atoi(t, f[2]) {
			t.Errorf("%s: got %d, %v", line, pitch, err)
		}
		p.must(p.thread.Free(addr))
	}
}

// recordedKernels makes fake kernels of those that were asked about.
func recordedKernels(t *testing.T, toolkit string) map[string][]string {
	kernels := map[string][]string{}
	for _, line := range recorded(t, "functions."+toolkit+".txt") {
		f := strings.Fields(line)
		kernels[f[0]] = f[1:]
	}
	return kernels
}

func TestFunctionsAndOccupancyAreThoseOfTheCard(t *testing.T) {
	for major, toolkit := range toolkits {
		kernels := recordedKernels(t, toolkit)
		p := start(t, func(c *rt.Config) { c.Major = major })
		p.program.variables = nil // the recorder has none
		for name, f := range kernels {
			name := "card " + name
			k := &isa.Kernel{Name: name, Registers: atoi(t, f[0]), StaticShared: uint32(atoi(t, f[1])), LocalBytes: uint32(atoi(t, f[2]))}
			if name == "card bounded" {
				k.MaxThreads = 256
			}
			p.program.kernels = append(p.program.kernels, k)
			p.runtime.RegisterFunction(1, p.stub(name), name)
			a, err := p.thread.FuncGetAttributes(p.stub(name))
			p.must(err)
			got := fmt.Sprintln(a.NumRegs, a.SharedSizeBytes, a.LocalSizeBytes, a.ConstSizeBytes, a.MaxThreadsPerBlock,
				a.MaxDynamicSharedSizeBytes, a.PtxVersion, a.BinaryVersion, a.PreferredShmemCarveout)
			if want := strings.Join(f, " ") + "\n"; got != want {
				t.Errorf("CUDA %s, %s: got %swant %s", toolkit, name, got, want)
			}
		}
		for name, f := range kernels { // as the recorder asked
			p.must(p.thread.FuncSetAttribute(p.stub("card "+name), 8, 227<<10-atoi(t, f[1])))
		}
		for _, line := range recorded(t, "occupancy."+toolkit+".txt") {
			f := strings.Fields(line)
			n, err := p.thread.OccupancyMaxActiveBlocks(p.stub("card "+f[0]), atoi(t, f[3]), uint64(atoi(t, f[4])), 0)
			if err != nil || n != atoi(t, f[5]) {
				t.Errorf("CUDA %s, %s: got %d, %v", toolkit, line, n, err)
			}
		}
	}
}
