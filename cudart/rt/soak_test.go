package rt_test

import (
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

var soak = flag.Duration("soak", 500*time.Millisecond, "how long random calls are made")

// model is what a host thread knows of its objects: which code each call has to
// give.
type model struct {
	t       *testing.T
	random  *rand.Rand
	thread  *rt.Thread
	faulted rt.Error // that has stopped the device, or 0

	memory, host, pooled map[uint64]uint64 // sizes by address
	streams, events      []uint64
	calls                int
	stubs                map[string]uint64
}

// want checks a code.
func (m *model) want(call string, err error, code rt.Error) {
	m.calls++
	if m.faulted != 0 && code != 101 && code != 21 { // these are found first
		code = m.faulted
	}
	if got := rt.CodeOf(err); got != code {
		m.t.Errorf("%s: got %d (%v), want %d", call, got, err, code)
	}
	m.thread.Done(call, err)
}

func (m *model) any(set map[uint64]uint64) (addr, size uint64, ok bool) {
	for addr, size = range set {
		return addr, size, true
	}
	return 0, 0, false
}

func (m *model) stream() rt.StreamHandle {
	if n := len(m.streams); n > 0 && m.random.IntN(3) > 0 {
		return rt.StreamHandle(m.streams[m.random.IntN(n)])
	}
	return rt.PerThreadStream
}

// actions are the calls that are made, each with what it has to give.
var actions = []func(m *model){
	func(m *model) {
		size := uint64(m.random.IntN(1<<16) + 1)
		addr, err := m.thread.Malloc(size)
		if m.want("malloc", err, 0); err == nil {
			m.memory[addr] = size
		}
	},
	func(m *model) {
		if addr, _, ok := m.any(m.memory); ok {
			err := m.thread.Free(addr)
			if m.want("free", err, 0); err == nil {
				delete(m.memory, addr)
			}
		}
	},
	func(m *model) {
		if addr, size, ok := m.any(m.memory); ok {
			m.want("free inside", m.thread.Free(addr+1), 1)
			m.want("set past the end", m.thread.Memset(addr, 1, size+1, rt.Order{Stream: m.stream(), Async: true}), 1)
			m.want("set", m.thread.Memset(addr, 1, size, rt.Order{Stream: m.stream(), Async: true}), 0)
		}
	},
	func(m *model) {
		size := uint64(m.random.IntN(1<<14) + 1)
		addr, err := m.thread.HostAlloc(size, uint32(m.random.IntN(8)))
		if m.want("host alloc", err, 0); err == nil {
			m.host[addr] = size
		}
		_, err = m.thread.HostAlloc(1, 8)
		m.want("host flags", err, 1)
	},
	func(m *model) {
		if addr, _, ok := m.any(m.host); ok {
			m.want("free of host memory", m.thread.Free(addr), 1)
			err := m.thread.FreeHost(addr)
			if m.want("free host", err, 0); err == nil {
				delete(m.host, addr)
			}
		}
	},
	func(m *model) {
		a, n, ok := m.any(m.memory)
		b, k, also := m.any(m.host)
		if ok && also {
			o := rt.Order{Stream: m.stream(), Async: m.random.IntN(2) == 0}
			m.want("copy", m.thread.Memcpy(a, b, min(n, k), 1+m.random.IntN(4), o), 0)
			m.want("copy of unknown kind", m.thread.Memcpy(a, b, 1, 7, o), 21)
			m.want("copy of too much", m.thread.Memcpy(a, b, max(n, k)+1, 4, o), 1)
		}
	},
	func(m *model) {
		h, err := m.thread.StreamCreate(uint32(m.random.IntN(2)), m.random.IntN(9)-7)
		if m.want("stream create", err, 0); err == nil {
			m.streams = append(m.streams, uint64(h))
		}
	},
	func(m *model) {
		if n := len(m.streams); n > 2 {
			h := rt.StreamHandle(m.streams[n-1])
			err := m.thread.StreamDestroy(h)
			if m.want("stream destroy", err, 0); err == nil || m.faulted != 0 { // it is gone even so
				m.streams = m.streams[:n-1]
			}
			if m.faulted == 0 {
				m.want("stream destroyed", m.thread.StreamSynchronize(h), 400)
			}
		}
	},
	func(m *model) { m.want("stream synchronize", m.thread.StreamSynchronize(m.stream()), 0) },
	func(m *model) {
		h, err := m.thread.EventCreate(uint32(m.random.IntN(4)))
		if m.want("event create", err, 0); err == nil {
			m.events = append(m.events, h)
		}
	},
	func(m *model) {
		if n := len(m.events); n > 0 {
			e := m.events[m.random.IntN(n)]
			m.want("event record", m.thread.EventRecord(e, m.stream(), 0), 0)
			m.want("stream wait", m.thread.StreamWaitEvent(m.stream(), e, 0), 0)
			m.want("event synchronize", m.thread.EventSynchronize(e), 0)
			m.want("event query", m.thread.EventQuery(e), 0)
		}
	},
	func(m *model) {
		if n := len(m.events); n > 4 {
			e := m.events[n-1]
			err := m.thread.EventDestroy(e)
			if m.want("event destroy", err, 0); err == nil || m.faulted != 0 {
				m.events = m.events[:n-1]
			}
		}
	},
	func(m *model) {
		size := uint64(m.random.IntN(1<<15) + 1)
		addr, err := m.thread.MallocAsync(size, m.stream())
		if m.want("malloc async", err, 0); err == nil {
			m.pooled[addr] = size
		}
	},
	func(m *model) {
		if addr, _, ok := m.any(m.pooled); ok {
			m.want("free async inside", m.thread.FreeAsync(addr+8, m.stream()), 1)
			err := m.thread.FreeAsync(addr, m.stream())
			if m.want("free async", err, 0); err == nil {
				delete(m.pooled, addr)
			}
		}
	},
	func(m *model) {
		l := rt.Launch{Function: m.stub("empty"), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Stream: m.stream()}
		m.want("launch", m.thread.LaunchKernel(l), 0)
		l.Block[0] = 1025
		m.want("launch of too many threads", m.thread.LaunchKernel(l), 1)
		l.Function = 12345
		m.want("launch of nothing", m.thread.LaunchKernel(l), 400)
	},
	func(m *model) { m.want("device", m.thread.SetDevice(99), 101) },
}

func (m *model) stub(name string) uint64 { return m.stubs[name] }

// TestRandomCallsOfManyThreadsGiveTheCodesOfTheModel makes calls from eight host
// threads, stops the device by a fault, makes calls again, resets it, and so on.
// At the end nothing is left allocated.
func TestRandomCallsOfManyThreadsGiveTheCodesOfTheModel(t *testing.T) {
	const threads, turn = 8, 400
	p := start(t, func(c *rt.Config) { c.Major = 13 })
	p.program.gate.Store(true)
	total := 0
	for round, end := 0, time.Now().Add(*soak); time.Now().Before(end) && !t.Failed(); round++ {
		var all sync.WaitGroup
		models := make([]*model, threads)
		for i := range models {
			models[i] = &model{
				t: t, thread: p.runtime.NewThread(), random: rand.New(rand.NewPCG(uint64(round), uint64(i))),
				memory: map[uint64]uint64{}, host: map[uint64]uint64{}, pooled: map[uint64]uint64{},
				stubs: map[string]uint64{"empty": p.stub("empty"), "fault": p.stub("fault")},
			}
		}
		calls := func(n int) {
			for _, m := range models {
				all.Go(func() {
					for range n {
						actions[m.random.IntN(len(actions))](m)
					}
				})
			}
			all.Wait()
		}
		calls(turn)
		p.must(p.thread.DeviceSynchronize())
		p.must(p.thread.LaunchKernel(rt.Launch{Function: p.stub("fault"), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}}))
		fault := rt.CodeOf(p.thread.DeviceSynchronize())
		if fault == 0 {
			t.Fatal("the fault did not stop the device")
		}
		for _, m := range models {
			m.faulted = fault
		}
		calls(turn / 8)
		for _, m := range models {
			total += m.calls
			m.thread.Close()
		}
		p.must(p.thread.DeviceReset())
		if free, all, err := p.thread.MemGetInfo(); err != nil || all-free > 2<<20 { // the driver's block
			t.Fatalf("round %d: %d bytes are left, %v", round, all-free, err)
		}
	}
	t.Log(total, "calls")
}
