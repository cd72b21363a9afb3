package rt

import (
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
	"github.com/lockstep-sim/lockstep/stream"
)

// Streams of cudaGraphLaunch in a kernel (cuda_device_runtime_api.h).
const (
	graphTail    = 0x0100_0000_0000_0000
	graphFire    = 0x0200_0000_0000_0000
	graphSibling = 0x0300_0000_0000_0000
)

// How many graphs a graph can have asked for (CUDA programming guide, device graph launch; measured).
const (
	mostFired = 120
	mostTails = 255
)

// fromKernels is the part of an executable that kernels launch, and whose kernels launch others. It implements exec.Graph.
type fromKernels struct {
	runtime *Runtime
	exec    *executable
	handle  uint64
	body    atomic.Pointer[[]stream.Step] // of the graph as it was last sent to the device

	mu    sync.Mutex // guards what follows
	busy  bool       // launched and not complete
	fired []*fromKernels
	count int // of those, since the graph began
	tails []*fromKernels
}

// asksOrIsAsked reports that kernels may launch the executable, or that some of its kernels may launch others.
func (x *executable) asksOrIsAsked() bool {
	asks := x.flags&instantiateDeviceLaunch != 0
	x.graph.Walk(func(n *graph.Node) {
		if k, ok := n.Work.(*kernelTask); ok {
			asks = asks || k.kernel.LaunchesGraphs
		}
	})
	return asks
}

// Handle implements exec.Graph.
func (f *fromKernels) Handle() uint64 {
	if f.exec.flags&instantiateDeviceLaunch == 0 {
		return 0
	}
	return f.handle
}

// Launch implements exec.Graph. A graph that is launched is not launched again before it is complete, but by itself as its tail.
func (f *fromKernels) Launch(handle, at uint64) (code int) {
	x, ok := f.runtime.graphs.execs.get(handle)
	if !ok || x.flags&instantiateDeviceLaunch == 0 || x.kernels.body.Load() == nil {
		return int(ErrInvalidValue)
	}
	other := &x.kernels
	if at != graphTail && at != graphFire && at != graphSibling || !(at == graphTail && other == f) && !other.take() {
		return int(ErrInvalidValue)
	}
	if !f.ask(other, at == graphTail) {
		other.rest()
		return int(ErrInvalidValue)
	}
	return int(Success)
}

// ask notes a graph that is to run, if there is room.
func (f *fromKernels) ask(other *fromKernels, tail bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case tail && len(f.tails) < mostTails:
		f.tails = append(f.tails, other)
	case !tail && f.count < mostFired:
		f.fired = append(f.fired, other)
		f.count++
	default:
		return false
	}
	return true
}

// take makes the graph busy; it is not if it was.
func (f *fromKernels) take() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.busy
	f.busy = true
	return !was
}

// rest ends a run of the graph.
func (f *fromKernels) rest() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy, f.count = false, 0
}

// node is the command of a kernel of the graph: its grid, then the graphs that were launched at once meanwhile. Siblings are
// among them: nothing tells that they are no part of the graph but tails, which may come later.
func (f *fromKernels) node(k *kernelTask) stream.Command {
	grid := k.step()
	grid.Command = k.commandIn(f)
	begun := false
	return stream.Repeat(func() ([]stream.Step, error) {
		if !begun {
			begun = true
			return []stream.Step{grid}, nil
		}
		f.mu.Lock()
		fired := f.fired
		f.fired = nil
		f.mu.Unlock()
		var steps []stream.Step
		for _, other := range fired {
			steps = append(steps, other.exec.context.step(other.environment()))
		}
		begun = len(steps) > 0
		return steps, nil
	})
}

// environment is the command of a launch of the graph: its nodes, then its tails one after another, those of a tail before the
// others.
func (f *fromKernels) environment() stream.Command {
	var now *fromKernels
	var later []*fromKernels
	return stream.Repeat(func() ([]stream.Step, error) {
		if now == nil {
			now = f
			now.take()
		} else {
			later = append(now.ended(), later...)
			if now = nil; len(later) == 0 {
				return nil, nil
			}
			now, later = later[0], later[1:]
		}
		return *now.body.Load(), nil
	})
}

// ended takes the tails that the graph has launched; it is busy on if it is one of them.
func (f *fromKernels) ended() []*fromKernels {
	f.mu.Lock()
	defer f.mu.Unlock()
	tails := f.tails
	f.tails, f.count, f.busy = nil, 0, false
	for _, other := range tails {
		f.busy = f.busy || other == f
	}
	return tails
}
