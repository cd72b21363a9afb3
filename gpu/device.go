package gpu

import (
	"errors"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Config says what a device is.
type Config struct {
	Memory       mem.Config
	SMs          int    // multiprocessors
	ThreadsPerSM int    // resident threads of a multiprocessor
	Heap         uint64 // bytes of the heap behind malloc in kernels
	Stack        uint32 // bytes of call stack of a thread
	Workers      int    // host threads that execute CTAs; 0 for one a core
	Limit        exec.Limit
	ISA          simd.Level // of the machine code that executes kernels; Go for handlers alone
	// Stdout receives what kernels print, Stderr what failed asserts say. Both
	// are called while grids advance, from one goroutine at a time.
	Stdout, Stderr func(p []byte)
	Queries        exec.Queries // what kernels may ask; nil for nothing

	// Timing makes grids take simulated time; nil executes them only. Elapsed,
	// if set, is told how much has passed, Report what a grid did that has ended;
	// both are called while grids advance.
	Timing    *chip.Config
	MaxCycles uint64 // that a grid may take; 0 for no limit
	Elapsed   func(time.Duration)
	Report    func(*chip.Report)

	// Progress, if set, is called now and then with a grid that is under way and the
	// present cycle.
	Progress func(*chip.Grid, kit.Cycle)
	Warn     func(text string) // of grids that may wait for ever

	Observers []any  // of execution, see exec.Engine.Observe
	Trace     *Trace // of the timing model, nil for none
}

// Device is a simulated GPU.
type Device struct {
	memory *mem.Space
	engine *exec.Engine
	timed  *timed // nil without timing
}

// New makes a device. It reserves nothing before the first allocation.
func New(c Config) (*Device, error) {
	space, err := mem.New(c.Memory)
	if err != nil {
		return nil, err
	}
	d := &Device{memory: space, engine: exec.New(exec.Config{
		Memory: space, SMs: c.SMs, ThreadsPerSM: c.ThreadsPerSM, Workers: c.Workers,
		Heap: c.Heap, Stack: c.Stack, Limit: c.Limit, ISA: c.ISA, Stdout: c.Stdout, Stderr: c.Stderr, Queries: c.Queries,
	})}
	for _, o := range c.Observers {
		d.engine.Observe(o)
	}
	if c.Timing != nil {
		if d.timed, err = newTimed(&c, space); err != nil {
			return nil, errors.Join(err, space.Close())
		}
	}
	return d, nil
}

// Memory is the device's memory.
func (d *Device) Memory() *mem.Space { return d.memory }

// SetStack sets the call stack of a thread in bytes.
func (d *Device) SetStack(bytes uint32) { d.engine.SetStack(bytes) }

// SetHeap sets the size of the device heap; used reports that a kernel has used
// the heap already, so that its size stays.
func (d *Device) SetHeap(bytes uint64) (used bool) { return d.engine.SetHeap(bytes) }

// Launch says what a grid runs; the caller has checked it against the
// device's limits.
type Launch struct {
	Kernel        *isa.Kernel
	Grid, Block   [3]uint32 // CTAs, threads
	Cluster       [3]uint32 // CTAs of a cluster, of which the grid is a multiple; zero for none
	DynamicShared uint32    // bytes
	Params        []byte    // laid out as Kernel.Params says
	Cooperative   bool      // all CTAs are resident and may wait for one another
	Textures      isa.Textures
	Carveout      int        // part of the shared memory of an SM that it prefers, in percent; L1 gets the rest
	Stream        uint64     // number of the stream, for statistics
	Number        int        // of the launch, for statistics; 0 for one more than the last
	Functional    bool       // takes no simulated time
	SMs           []uint32   // that it may use; nil for all
	Graph         exec.Graph // that the kernel is a node of; nil for none
	nested        bool       // threads have launched it
}

// Grid is a launch under way. One goroutine at a time may use it.
type Grid struct {
	*exec.Grid
	device    *Device
	workspace uint64
	run       *run // on the chip; nil without timing

	functional bool        // takes no simulated time, nor do those of its threads
	executed   bool        // its own CTAs have
	works      []exec.Work // of its threads, not begun yet
	child      *Grid       // that executes now

	below counts // what grids of its threads have executed
}

// counts are instructions of warps and of threads.
type counts struct{ warps, threads uint64 }

// workspaceBytes is the size of the memory that a cooperative grid synchronises
// through; cooperative groups use the second word.
const workspaceBytes = 256

// Start makes a grid ready to advance.
func (d *Device) Start(l Launch) (*Grid, error) {
	g := &Grid{device: d, functional: l.Functional}
	x := exec.Launch{Kernel: l.Kernel, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, DynamicShared: l.DynamicShared, Params: l.Params, Textures: l.Textures, SMs: l.SMs, Graph: l.Graph}
	if l.Cooperative {
		var err error
		if g.workspace, err = d.memory.Alloc(workspaceBytes, workspaceBytes); err != nil {
			return nil, err
		}
		if err := d.memory.Set(g.workspace, 0, 1, workspaceBytes); err != nil {
			return nil, err
		}
		x.Workspace = g.workspace
		x.Resident = int(l.Grid[0]) * int(l.Grid[1]) * int(l.Grid[2])
	}
	if d.timed == nil || l.Functional {
		g.Grid = d.engine.NewGrid(x)
		return g, nil
	}
	s := d.engine.NewStepping(x)
	g.Grid = s.Grid()
	var err error
	g.run, err = d.timed.start(s, &l)
	return g, err
}

// standardArithmetic rounds to nearest, keeps subnormals and masks exceptions; the
// bits of arithmeticFlags only tell what has happened.
const (
	standardArithmetic uint32 = 0x1f80
	arithmeticFlags    uint32 = 0x3f
)

// Advance executes about budget warp instructions; with timing, of all grids
// that are on the device. done reports that the grid
// has ended; err, a *exec.Fault, that the program made a mistake.
func (g *Grid) Advance(budget int) (done bool, err error) {
	if mode := arithmetic(); mode&^arithmeticFlags != standardArithmetic { // on a thread of the program, which rounds otherwise
		setArithmetic(standardArithmetic)
		defer setArithmetic(mode)
	}
	switch {
	case g.executed:
		done, err = g.descend(budget)
	case g.run != nil:
		done, err = g.run.advance(budget)
	default:
		done, err = g.Grid.Advance(budget)
	}
	if done && err == nil && !g.executed {
		g.executed, g.works = true, g.Works()
		done = len(g.works) == 0
	}
	if done && g.workspace != 0 {
		free := g.device.memory.Free(g.workspace)
		g.workspace = 0
		if err == nil {
			err = free
		}
	}
	return done, err
}

// descend advances the grids that the threads have launched, one after another.
func (g *Grid) descend(budget int) (done bool, err error) {
	if g.child == nil {
		if len(g.works) == 0 {
			return true, nil
		}
		next := g.works[0]
		g.works = g.works[1:]
		if next.Do != nil {
			return false, next.Do()
		}
		l := next.Launch
		g.child, err = g.device.Start(Launch{
			Kernel: l.Kernel, Grid: l.Grid, Block: l.Block, DynamicShared: l.DynamicShared, Params: l.Params, Textures: l.Textures,
			Functional: g.functional, nested: true,
		})
		if err != nil {
			return false, err
		}
	}
	done, err = g.child.Advance(budget)
	if done && err == nil {
		g.below.warps += g.child.Instructions()
		g.below.threads += g.child.ThreadInstructions()
		g.child = nil
		done = len(g.works) == 0
	}
	return done, err
}

// Instructions is the number of warp instructions executed so far, those of grids
// that threads launched included.
func (g *Grid) Instructions() uint64 { return g.Grid.Instructions() + g.below.warps }

// ThreadInstructions is the same of instructions of threads.
func (g *Grid) ThreadInstructions() uint64 { return g.Grid.ThreadInstructions() + g.below.threads }

// Check verifies the laws of conservation of the timing model's parts. No grid
// may be under way.
func (d *Device) Check() error {
	if d.timed == nil {
		return nil
	}
	if err := d.timed.chip.Drain(); err != nil {
		return err
	}
	return d.timed.chip.Check()
}

// Close gives the device's memory back to the host.
func (d *Device) Close() error { return d.memory.Close() }
