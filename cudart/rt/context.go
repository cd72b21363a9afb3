package rt

import (
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// Context is what a program has made of a device since the last reset.
type Context struct {
	device *Device
	gpu    GPU
	memory *mem.Space
	engine *stream.Engine
	output output
	closed atomic.Bool

	mu      sync.Mutex
	modules map[*Image]*Module
	limits  [limitCount]uint64
	peers   map[int]bool
	configs configs
	hints   map[*stream.Stream]hints
	cache   int32 // preference of cudaDeviceSetCacheConfig

	pools     pools
	execution uint64 // handle of the device's execution context, 0 until one asks
	opened    opened

	textures textures
	graphs   graphUse // under the lock of captures
}

// newContext makes a context of a device; the memory of a narrow one lies below 4 GiB.
func newContext(d *Device, narrow bool) (*Context, error) {
	r := d.runtime
	c := &Context{
		device: d, modules: map[*Image]*Module{}, limits: defaultLimits, peers: map[int]bool{},
		output: output{write: r.config.Stdout, limit: int(defaultLimits[limitPrintf])},
	}
	l := &d.model.Launch
	c.limits[limitStack], c.limits[limitHeap], c.limits[limitPending] = uint64(l.Stack), l.Heap, uint64(l.Pending)
	if d.hasSyncDepth() {
		c.limits[limitSyncDepth] = syncDepth
	}
	bounds := mem.Page
	if r.config.ExactBounds {
		bounds = mem.Allocation
	}
	config := gpu.Config{
		Memory: mem.Config{DeviceBytes: d.model.TotalMemory, Bounds: bounds, DriverBlock: true, Ordinal: d.ordinal, UVA: &r.uva, Low: narrow},
		SMs:    int(d.model.SM.Count), ThreadsPerSM: int(d.model.SM.Threads), Workers: r.config.Workers, ISA: r.config.ISA,
		Limit: r.config.Limit,
		Heap:  c.limits[limitHeap], Stack: uint32(c.limits[limitStack]),
		Stdout: c.output.add, Stderr: r.config.Stderr, Queries: queries{c},
		Timing: r.timing.model, MaxCycles: r.config.MaxCycles, Elapsed: r.timing.passed, Report: r.ended,
	}
	r.attach(&config)
	g, err := r.config.NewGPU(config)
	if err != nil {
		return nil, err
	}
	c.gpu, c.memory, c.engine = g, g.Memory(), r.system.NewEngine()
	c.engine.SetGrids(l.Grids)
	if r.timing.model != nil {
		c.engine.SetTimed()
	}
	return c, nil
}

// check returns the error that stopped the device, if one did.
func (c *Context) check() error { return c.engine.Err() }

// flush gives the program's output what kernels have printed.
func (c *Context) flush() { c.output.flush() }

// waited is the end of a call that has waited for work: what kernels printed
// appears, and pools give back what they need not hold.
func (c *Context) waited() {
	c.flush()
	c.pools.settle()
}

// close finishes the work of the context and takes it apart.
func (c *Context) close() error {
	c.closed.Store(true)
	_ = c.engine.Synchronize() // a fault ends with the context
	c.flush()
	r := c.device.runtime
	r.streams.drop(func(s *Stream) bool { return s.context == c })
	r.events.drop(func(e *Event) bool {
		if e.context == c {
			e.close()
		}
		return e.context == c
	})
	r.modules.drop(func(m *LoadedModule) bool {
		if m.context == c {
			m.leaveContext()
		}
		return m.context == c
	})
	r.arrays.drop(func(a *Array) bool { return a.context == c })
	r.mipmaps.drop(func(m *Mipmap) bool { return m.context == c })
	r.pools.drop(func(p *Pool) bool {
		if p.context == c {
			p.identity.close()
		}
		return p.context == c
	})
	r.executions.drop(func(x *ExecutionContext) bool { return x.context == c })
	c.releaseHost()
	for _, m := range c.modules {
		m.leave()
	}
	return c.gpu.Close()
}

// output holds back what kernels print until the program synchronises, as the
// device's buffer does. It never loses text: beyond its limit it is written at
// once.
type output struct {
	mu    sync.Mutex
	text  []byte
	limit int
	used  bool // something was printed
	write func(p []byte)
}

// resize sets the limit; used reports that the buffer is in use and stays.
func (o *output) resize(limit int) (used bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.used {
		o.limit = limit
	}
	return o.used
}

func (o *output) add(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.used = true
	o.text = append(o.text, p...)
	if len(o.text) > o.limit {
		o.empty()
	}
}

func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.empty()
}

func (o *output) empty() {
	if len(o.text) > 0 {
		o.write(o.text)
		o.text = o.text[:0]
	}
}
