package exec

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Queries answers what kernels ask of the runtime.
type Queries interface {
	ErrorText(code int) (name, text string)
	Attribute(id int) (value int32, ok bool)
	Limit(id int) (value uint64, ok bool)
	Blocks(k *isa.Kernel, threads int, shared uint64) int // resident on a multiprocessor
	Version() int                                         // of the runtime
	Devices() (count, own int)
}

// Graph is an executable graph whose kernels may launch others.
type Graph interface {
	// Handle is what its kernels know it by, 0 where they cannot.
	Handle() uint64
	// Launch asks for another with a handle, in a stream that says when, and returns a code of the device runtime.
	Launch(handle, stream uint64) (code int)
}

// Work is what a thread of a grid has put on a stream of the device: a launch, or
// a copy or set.
type Work struct {
	Launch *Launch
	Do     func() error // nil for a launch
	tail   bool         // not before the grid and its other work are complete
	cta    int          // that put it there
}

// launcher is what a grid keeps of the work that its threads make.
type launcher struct {
	works  []Work
	errors map[thread]int    // last error of threads that have one
	blocks map[uint64]*block // parameter buffers that are not launched yet
}

// thread names a thread of a grid.
type thread struct{ cta, index int }

// block is a parameter buffer with the launch that it is for.
type block struct {
	launch Launch
	bytes  uint64
}

// Works takes the work that the grid's threads made, in the order in which it has
// to be done: what was put on the tail stream comes last. Nothing runs at once,
// since CUDA lets no parent rely on that.
func (g *Grid) Works() []Work {
	works := g.launcher.works
	g.launcher.works = nil
	var list []Work
	for _, tail := range []bool{false, true} {
		for _, w := range works {
			if w.tail == tail {
				list = append(list, w)
			}
		}
	}
	return list
}

// finish does the work that a CTA has made so far, and what that makes in turn, to
// its end: the threads of the CTA wait for it (cudaDeviceSynchronize in a kernel).
// It takes no simulated time.
func (g *Grid) finish(cta int) error {
	var own, rest []Work
	for _, w := range g.launcher.works {
		if w.cta == cta {
			own = append(own, w)
		} else {
			rest = append(rest, w)
		}
	}
	g.launcher.works = rest
	return g.engine.perform(own, g)
}

// perform does works one after another, and adds what they executed to a grid.
func (e *Engine) perform(works []Work, to *Grid) error {
	for _, w := range works {
		if w.Do != nil {
			if err := w.Do(); err != nil {
				return err
			}
			continue
		}
		child := e.NewGrid(*w.Launch)
		for done := false; !done; {
			var err error
			if done, err = child.Advance(1 << 20); err != nil {
				return err
			}
		}
		to.warpInstructions += child.warpInstructions
		to.threadInstructions += child.threadInstructions
		if err := e.perform(child.Works(), to); err != nil {
			return err
		}
	}
	return nil
}

// The streams that device code names by number.
const (
	tailStream = 3 // cudaStreamTailLaunch
	fireStream = 4 // cudaStreamFireAndForget
)

// The error codes of the device runtime.
const (
	deviceSuccess       = 0
	deviceInvalidValue  = 1
	deviceNoMemory      = 2
	deviceConfiguration = 9
	deviceFunction      = 98
	deviceUnsupported   = 801
)

// threadOf names the thread of a lane.
func (w *warp) threadOf(l int) thread { return thread{w.cta.index, w.Index*isa.WarpSize + l} }

// failed notes an error for the thread of a lane, and returns it.
func (w *warp) failed(l, code int) uint64 {
	g := &w.cta.grid.launcher
	if code != deviceSuccess {
		if g.errors == nil {
			g.errors = map[thread]int{}
		}
		g.errors[w.threadOf(l)] = code
	}
	return uint64(code)
}

// getParameterBuffer is cudaGetParameterBufferV2(function, grid, block, shared): a
// place for the arguments of a launch, 0 if it cannot be launched.
func (w *warp) getParameterBuffer(l int, args []uint64) uint64 {
	launch := Launch{Grid: dim3(args[1], args[2]), Block: dim3(args[3], args[4]), DynamicShared: uint32(args[5])}
	addr, code := w.parameterBuffer(args[0], launch)
	w.failed(l, code)
	return addr
}

func dim3(xy, z uint64) [3]uint32 { return [3]uint32{uint32(xy), uint32(xy >> 32), uint32(z)} }

func (w *warp) parameterBuffer(function uint64, launch Launch) (addr uint64, code int) {
	e, g := w.cta.grid.engine, w.cta.grid
	k := g.launch.Kernel.Kernel(function)
	if k == nil {
		return 0, deviceFunction
	}
	if code := launchable(k, &launch); code != deviceSuccess {
		return 0, code
	}
	launch.Kernel, launch.Textures = k, g.launch.Textures
	b := &block{launch: launch, bytes: uint64(max(k.ParamBytes, 1))}
	addr, err := e.memory.Alloc(b.bytes, 0)
	if err != nil {
		return 0, deviceNoMemory
	}
	if g.launcher.blocks == nil {
		g.launcher.blocks = map[uint64]*block{}
	}
	g.launcher.blocks[addr] = b
	return addr, deviceSuccess
}

// mostThreads and mostShared bound a block (CUDA C++ Programming Guide, technical
// specifications): threads, and bytes that need no permission.
const (
	mostThreads = 1024
	mostShared  = 48 << 10
)

func launchable(k *isa.Kernel, l *Launch) int {
	threads := uint64(l.Block[0]) * uint64(l.Block[1]) * uint64(l.Block[2])
	ctas := uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
	switch {
	case threads == 0 || ctas == 0 || threads > mostThreads || l.Grid[1] > 65535 || l.Grid[2] > 65535 || l.Block[2] > 64:
		return deviceConfiguration
	case k.MaxThreads > 0 && threads > uint64(k.MaxThreads):
		return deviceInvalidValue
	case uint64(k.StaticShared)+uint64(l.DynamicShared) > mostShared:
		return deviceInvalidValue
	}
	return deviceSuccess
}

// launchDevice is cudaLaunchDeviceV2(buffer, stream).
func (w *warp) launchDevice(l int, args []uint64) uint64 {
	g := w.cta.grid
	b := g.launcher.blocks[args[0]]
	if b == nil {
		return w.failed(l, deviceInvalidValue)
	}
	delete(g.launcher.blocks, args[0])
	b.launch.Params = make([]byte, b.launch.Kernel.ParamBytes)
	err := g.engine.memory.Read(args[0], b.launch.Params)
	if free := g.engine.memory.Free(args[0]); err != nil || free != nil {
		return w.failed(l, deviceInvalidValue)
	}
	return w.put(args[1], Work{Launch: &b.launch})
}

// launchDeviceOld is cudaLaunchDevice(function, buffer, grid, block, shared,
// stream) of the first device runtime, whose buffer is the program's own.
func (w *warp) launchDeviceOld(l int, args []uint64) uint64 {
	launch := Launch{Grid: dim3(args[2], args[3]), Block: dim3(args[4], args[5]), DynamicShared: uint32(args[6])}
	k := w.cta.grid.launch.Kernel.Kernel(args[0])
	if k == nil {
		return w.failed(l, deviceFunction)
	}
	if code := launchable(k, &launch); code != deviceSuccess {
		return w.failed(l, code)
	}
	launch.Kernel, launch.Textures = k, w.cta.grid.launch.Textures
	launch.Params = make([]byte, k.ParamBytes)
	if w.cta.grid.engine.memory.Read(args[1], launch.Params) != nil {
		return w.failed(l, deviceInvalidValue)
	}
	w.freeHeap(l, args[1:2])
	return w.put(args[7], Work{Launch: &launch})
}

// getParameterBufferOld is cudaGetParameterBuffer(alignment, size).
func (w *warp) getParameterBufferOld(l int, args []uint64) uint64 {
	return w.cta.grid.engine.heap.alloc(max(args[1], 1))
}

// put adds work to a stream. All streams of a grid are served in the order in
// which its threads made the work, which keeps each stream's own order and that of
// its events.
func (w *warp) put(stream uint64, work Work) uint64 {
	work.tail, work.cta = stream == tailStream, w.cta.index
	g := &w.cta.grid.launcher
	g.works = append(g.works, work)
	return deviceSuccess
}

// deviceSynchronize is cudaDeviceSynchronize() of a thread.
func (w *warp) deviceSynchronize(l int, args []uint64) uint64 {
	err := w.cta.grid.finish(w.cta.index)
	if f, ok := err.(*Fault); ok {
		report, _, _ := strings.Cut(f.report, "\n")
		w.Raise(isa.Trap{Kind: f.Kind, Lane: l, Note: "a grid that this thread waited for has failed: " + report})
	} else if err != nil {
		return w.failed(l, deviceInvalidValue)
	}
	return deviceSuccess
}
