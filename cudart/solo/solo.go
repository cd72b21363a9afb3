// Package solo runs kernels of a PTX text on a simulated device without a host
// program: what `lockstep ptx run` and the tests of single kernels need.
//
//	text --Load--> Program --Alloc, Write--> buffers --Run--> results
package solo

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// Program is a module loaded on a device of its own.
type Program struct {
	device *gpu.Device
	module *link.Module
}

// Launch says how to run a kernel.
type Launch struct {
	Kernel      string
	Grid, Block [3]uint32
	Cluster     [3]uint32 // CTAs; zero for what the kernel requires
	Shared      uint32    // bytes of dynamic shared memory
	Textures    isa.Textures
}

// Counts is what a run executed.
type Counts struct {
	WarpInstructions, ThreadInstructions uint64
}

// advance is the number of warp instructions between two looks at a grid.
const advance = 1 << 20

// Load parses and links a PTX text and places its variables. name stands for
// the text in messages; the error lists every problem found.
func Load(c gpu.Config, name, text string) (*Program, error) {
	unit, err := link.Parse(name, text)
	if err != nil {
		return nil, err
	}
	module, err := link.Link(exec.IsBuiltin, unit)
	if err != nil {
		return nil, err
	}
	device, err := gpu.New(c)
	if err != nil {
		return nil, err
	}
	p := &Program{device: device, module: module}
	if err := p.place(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// place gives the module's variables memory and their initial values.
func (p *Program) place() error {
	for _, v := range p.module.Variables() {
		addr, err := p.Alloc(v.Size)
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.Name, err)
		}
		v.Addr = addr
	}
	for _, v := range p.module.Variables() {
		image, err := p.module.Image(v)
		if err == nil && len(image) > 0 {
			err = p.Write(v.Addr, image)
		}
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.Name, err)
		}
	}
	return nil
}

// Close gives the device's memory back.
func (p *Program) Close() error { return p.device.Close() }

// Kernels lists the module's kernels.
func (p *Program) Kernels() []string { return p.module.Kernels() }

// Kernel makes a kernel ready; its parameters are in Kernel.Params.
func (p *Program) Kernel(name string) (*isa.Kernel, error) { return p.module.Kernel(name) }

// Alloc returns the address of n zeroed bytes of device memory.
func (p *Program) Alloc(n uint64) (uint64, error) {
	n = max(n, 1)
	addr, err := p.device.Memory().Alloc(n, 0)
	if err == nil {
		err = p.device.Memory().Set(addr, 0, 1, n)
	}
	return addr, err
}

// Write copies b to device memory.
func (p *Program) Write(addr uint64, b []byte) error { return p.device.Memory().Write(addr, b) }

// Read copies device memory into b.
func (p *Program) Read(addr uint64, b []byte) error { return p.device.Memory().Read(addr, b) }

// Check verifies the laws of conservation of the timing model's counters, between
// runs.
func (p *Program) Check() error { return p.device.Check() }

// Run executes a kernel to its end. params is laid out as Kernel.Params says. A
// mistake of the kernel is a *exec.Fault.
func (p *Program) Run(l Launch, params []byte) (Counts, error) {
	k, err := p.Kernel(l.Kernel)
	if err != nil {
		return Counts{}, err
	}
	if threads := uint64(l.Block[0]) * uint64(l.Block[1]) * uint64(l.Block[2]); threads == 0 || threads > 1024 {
		return Counts{}, fmt.Errorf("kernel %s: a block has 1 to 1024 threads, not %d", l.Kernel, threads)
	}
	if l.Cluster == [3]uint32{} {
		l.Cluster = k.Cluster.Dim
	}
	for i, n := range l.Cluster {
		if n > 0 && l.Grid[i]%n != 0 {
			return Counts{}, fmt.Errorf("kernel %s: clusters of %v blocks in a grid of %v", l.Kernel, l.Cluster, l.Grid)
		}
	}
	g, err := p.device.Start(gpu.Launch{Kernel: k, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, DynamicShared: l.Shared, Params: params, Textures: l.Textures})
	if err != nil {
		return Counts{}, err
	}
	for done := false; !done && err == nil; {
		done, err = g.Advance(advance)
	}
	return Counts{g.Instructions(), g.ThreadInstructions()}, err
}
