package gpu_test

import (
	"encoding/binary"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// results runs a kernel of PTX text on a device of 132 SMs, as l says, and gives the n words that it
// stores at its only parameter.
func results(t *testing.T, c gpu.Config, name, text string, l gpu.Launch, n int) []uint32 {
	t.Helper()
	c.Memory, c.SMs, c.ThreadsPerSM = mem.Config{DeviceBytes: 1 << 28}, 132, 2048
	d, err := gpu.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	u, err := link.Parse(name+".ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := link.Link(exec.IsBuiltin, u)
	if err != nil {
		t.Fatal(err)
	}
	if l.Kernel, err = m.Kernel(name); err != nil {
		t.Fatal(err)
	}
	out, err := d.Memory().Alloc(uint64(4*n), 0)
	if err != nil {
		t.Fatal(err)
	}
	l.Params = binary.LittleEndian.AppendUint64(nil, out)
	g, err := d.Start(l)
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = g.Advance(1 << 16); err != nil {
			t.Fatal(err)
		}
	}
	b, words := make([]byte, 4*n), make([]uint32, n)
	if err := d.Memory().Read(out, b); err != nil {
		t.Fatal(err)
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}
