package exec

import (
	"runtime"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Config says how an engine runs.
type Config struct {
	Memory *mem.Space
	SMs    int // multiprocessors of the model; residency and %nsmid follow
	// ThreadsPerSM bounds the CTAs that are resident at once.
	ThreadsPerSM int
	Workers      int    // host threads; 0 for one a core
	Heap         uint64 // bytes of the device heap (malloc in kernels)
	Stack        uint32 // bytes of call stack of a thread
	Limit        Limit  // of every grid
	ISA          simd.Level
	Stdout       func(p []byte)
	Stderr       func(p []byte)
	Queries      Queries // nil where kernels do not ask
}

// Engine executes grids on one device.
type Engine struct {
	memory  *mem.Space
	sms     uint32
	threads int // of an SM
	workers int
	stack   uint32
	limit   Limit
	isa     simd.Level
	pool    pool
	heap    heap
	out     func(p []byte)
	err     func(p []byte)
	grids   uint64
	queries Queries
	texts   map[string]uint64 // strings that kernels asked for, by address
	handles uint64            // streams and events that kernels made

	gridObservers []GridObserver
	instObservers []InstObserver
}

// New makes an engine.
func New(c Config) *Engine {
	for _, sink := range []*func([]byte){&c.Stdout, &c.Stderr} {
		if *sink == nil {
			*sink = func([]byte) {}
		}
	}
	e := &Engine{
		memory: c.Memory, sms: uint32(max(c.SMs, 1)), threads: max(c.ThreadsPerSM, 1024),
		workers: c.Workers, stack: c.Stack, limit: c.Limit, isa: c.ISA, out: c.Stdout, err: c.Stderr,
	}
	if e.workers == 0 {
		e.workers = runtime.GOMAXPROCS(0)
	}
	if e.queries = c.Queries; e.queries == nil {
		e.queries = silent{}
	}
	e.heap = heap{memory: c.Memory, size: c.Heap}
	return e
}

// SetStack sets the call stack of a thread in bytes.
func (e *Engine) SetStack(bytes uint32) { e.stack = bytes }

// SetHeap sets the size of the device heap in bytes. It has no effect once a
// kernel has used the heap; used reports that.
func (e *Engine) SetHeap(bytes uint64) (used bool) { return e.heap.resize(bytes) }

// place is the SM of a CTA of a launch: those that it may use, in turn.
func (e *Engine) place(l *Launch, cta int) uint32 {
	if l.SMs != nil {
		return l.SMs[cta%len(l.SMs)]
	}
	return uint32(cta) % e.sms
}

// resident is the number of CTAs of a launch that run at once.
func (e *Engine) resident(l *Launch) int {
	if l.Resident > 0 {
		return l.Resident
	}
	threads := int(l.Block[0]) * int(l.Block[1]) * int(l.Block[2])
	sms := int(e.sms)
	if l.SMs != nil {
		sms = len(l.SMs)
	}
	most := sms * max(e.threads/threads, 1)
	if local := uint64(l.Kernel.LocalBytes) * uint64(threads); local > 0 {
		most = min(most, max(int(localAtOnce/local), 1))
	}
	return most
}

// localAtOnce bounds, in bytes, the local memory of the CTAs that run at once:
// the host has less memory than a card has for this.
const localAtOnce = 1 << 30

// silent knows nothing.
type silent struct{}

func (silent) ErrorText(int) (name, text string)   { return "", "" }
func (silent) Attribute(int) (int32, bool)         { return 0, false }
func (silent) Limit(int) (uint64, bool)            { return 0, false }
func (silent) Blocks(*isa.Kernel, int, uint64) int { return 1 }
func (silent) Version() int                        { return 0 }
func (silent) Devices() (count, own int)           { return 1, 0 }
