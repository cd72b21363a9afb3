package gpu_test

import (
	"encoding/binary"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// started is a kernel of PTX text that begins on a new device, as l says, with the address of so many bytes as its
// only parameter. The caller closes the device.
func started(t *testing.T, c gpu.Config, name, text string, l gpu.Launch, bytes uint64) (d *gpu.Device, g *gpu.Grid, out uint64) {
	t.Helper()
	c.Memory, c.ThreadsPerSM = mem.Config{DeviceBytes: 1 << 28}, 2048
	d, err := gpu.New(c)
	if err != nil {
		t.Fatal(err)
	}
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
	if out, err = d.Memory().Alloc(bytes, 0); err != nil {
		t.Fatal(err)
	}
	l.Params = binary.LittleEndian.AppendUint64(nil, out)
	if g, err = d.Start(l); err != nil {
		t.Fatal(err)
	}
	return d, g, out
}

// results runs a kernel of PTX text on a device of 132 SMs, as l says, and gives the n words that it
// stores at its only parameter.
func results(t *testing.T, c gpu.Config, name, text string, l gpu.Launch, n int) []uint32 {
	t.Helper()
	c.SMs = 132
	d, g, out := started(t, c, name, text, l, uint64(4*n))
	defer d.Close()
	for done := false; !done; {
		var err error
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
