package rt_test

import (
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// stream makes a stream.
func (p *process) stream() rt.StreamHandle {
	p.tb.Helper()
	s, err := p.thread.StreamCreate(0, 0)
	p.must(err)
	return s
}

// event makes an event.
func (p *process) event() uint64 {
	p.tb.Helper()
	e, err := p.thread.EventCreate(0)
	p.must(err)
	return e
}

// endCapture ends a capture and makes an executable of its graph.
func (p *process) endCapture(s rt.StreamHandle) (graph, exec uint64) {
	p.tb.Helper()
	g, err := p.thread.StreamEndCapture(s)
	p.must(err)
	i, err := p.thread.GraphInstantiate(g, 0)
	p.must(err)
	return g, i.Exec
}

func TestACapturedStreamDoesNothingUntilItsGraphIsLaunched(t *testing.T) {
	p := start(t)
	s := p.stream()
	p.must(p.thread.StreamBeginCapture(s, 0))
	p.must(p.launch(p.thread, "print", s))
	calls := 0
	p.must(p.thread.LaunchHostFunc(s, rt.HostCall{Function: 1, Run: func() { calls++ }}))
	_, exec := p.endCapture(s)
	p.must(p.thread.DeviceSynchronize())
	if out := p.read(&p.out); out != "" || calls != 0 {
		t.Errorf("capture executed: %q, %d calls", out, calls)
	}
	for range 3 {
		p.must(p.thread.GraphLaunch(exec, s))
	}
	p.must(p.thread.StreamSynchronize(s))
	if out := p.read(&p.out); out != "hello\nhello\nhello\n" || calls != 3 {
		t.Errorf("three launches: %q, %d calls", out, calls)
	}
}

func TestForksOfACaptureMustBeJoined(t *testing.T) {
	for _, join := range []bool{true, false} {
		p := start(t)
		s, fork, e := p.stream(), p.stream(), p.event()
		p.must(p.thread.StreamBeginCapture(s, 0))
		p.must(p.thread.EventRecord(e, s, 0))
		p.must(p.thread.StreamWaitEvent(fork, e, 0))
		p.must(p.launch(p.thread, "print", fork))
		if join {
			p.must(p.thread.EventRecord(e, fork, 0))
			p.must(p.thread.StreamWaitEvent(s, e, 0))
		}
		p.must(p.thread.StreamDestroy(fork))
		_, err := p.thread.StreamEndCapture(s)
		if join {
			p.must(err)
		} else {
			p.want("not joined", err, rt.ErrCaptureUnjoined)
		}
	}
}

func TestUnsafeCallsEndTheCapturesThatTheyConcern(t *testing.T) {
	const global, local, relaxed = 0, 1, 2
	for _, c := range []struct {
		capture, thread int32
		elsewhere       bool
		refused         bool
	}{
		{global, global, false, true},
		{global, global, true, true},
		{global, local, true, false},
		{global, relaxed, false, false},
		{local, global, false, true},
		{local, global, true, false},
		{local, local, false, true},
		{relaxed, global, false, false},
	} {
		p := start(t)
		s := p.stream()
		p.must(p.thread.StreamBeginCapture(s, c.capture))
		caller := p.thread
		if c.elsewhere {
			caller = p.runtime.NewThread()
		}
		_, err := caller.ExchangeCaptureMode(c.thread)
		p.must(err)
		_, err = caller.Malloc(64)
		_, ended := p.thread.StreamEndCapture(s)
		if c.refused {
			p.want("allocation", err, rt.ErrCaptureUnsupported)
			p.want("end", ended, rt.ErrCaptureInvalidated)
		} else {
			p.must(err)
			p.must(ended)
		}
	}
}

func TestAnUpdateReplacesWorkAndNotShape(t *testing.T) {
	p := start(t)
	record := func(s rt.StreamHandle, names ...string) uint64 {
		p.must(p.thread.StreamBeginCapture(s, 0))
		for _, n := range names {
			p.must(p.launch(p.thread, n, s))
		}
		g, err := p.thread.StreamEndCapture(s)
		p.must(err)
		return g
	}
	s := p.stream()
	i, err := p.thread.GraphInstantiate(record(s, "print", "print"), 0)
	p.must(err)
	_, err = p.thread.GraphExecUpdate(i.Exec, record(s, "print", "print"))
	p.must(err)
	u, err := p.thread.GraphExecUpdate(i.Exec, record(s, "print"))
	p.want("fewer nodes", err, rt.ErrGraphExecUpdate)
	if u.Result != 2 {
		t.Errorf("result %d", u.Result)
	}
}

func TestMemoryOfAGraphIsItsOwnUntilItIsGone(t *testing.T) {
	p := start(t)
	g, err := p.thread.GraphCreate(0)
	p.must(err)
	want := rt.MemAlloc{Pool: rt.PoolProperties{Allocation: 1, Location: rt.DeviceLocation(0)}, Bytes: 100}
	node, addr, err := p.thread.GraphAddMemAllocNode(g, nil, want)
	p.must(err)
	free, err := p.thread.GraphAddMemFreeNode(g, []rt.Dependency{{Node: node}}, addr)
	p.must(err)
	_, again, err := p.thread.GraphAddMemAllocNode(g, []rt.Dependency{{Node: free}}, want)
	p.must(err)
	if again != addr {
		t.Errorf("memory that was freed before is at %#x, not again at %#x", again, addr)
	}
	i, err := p.thread.GraphInstantiate(g, 0)
	p.must(err)
	p.must(p.thread.GraphDestroy(g))
	p.must(p.thread.GraphLaunch(i.Exec, rt.LegacyStream))
	p.want("memory was not freed", p.thread.GraphLaunch(i.Exec, rt.LegacyStream), rt.ErrInvalidValue)
	p.must(p.thread.Free(addr))
	p.want("freed twice", p.thread.Free(addr), rt.ErrInvalidValue)
	p.must(p.thread.GraphLaunch(i.Exec, rt.LegacyStream))
	p.must(p.thread.GraphExecDestroy(i.Exec))
	p.must(p.thread.Free(addr))
	p.want("gone", p.thread.Free(addr), rt.ErrInvalidValue)
}

func TestUserObjectsLiveWhileTheyAreReferredTo(t *testing.T) {
	p := start(t)
	gone := make(chan int, 1)
	o, err := p.thread.UserObjectCreate(rt.HostCall{Function: 1, Run: func() { gone <- 1 }}, 1, 1)
	p.must(err)
	g, err := p.thread.GraphCreate(0)
	p.must(err)
	p.must(p.thread.GraphRetainUserObject(g, o, 1, 1)) // moved
	i, err := p.thread.GraphInstantiate(g, 0)
	p.must(err)
	p.must(p.thread.GraphDestroy(g))
	select {
	case <-gone:
		t.Error("destroyed while an executable refers to it")
	default:
	}
	p.must(p.thread.GraphExecDestroy(i.Exec))
	<-gone
	p.want("released", p.thread.UserObjectRelease(o, 1), rt.ErrInvalidValue)
}

func TestCaptureInfoTellsWhatComesBefore(t *testing.T) {
	p := start(t)
	s := p.stream()
	p.must(p.thread.StreamBeginCapture(s, 0))
	p.must(p.launch(p.thread, "print", s))
	i, err := p.thread.StreamGetCaptureInfo(s)
	p.must(err)
	nodes, err := p.thread.GraphGetNodes(i.Graph)
	p.must(err)
	if i.Status != rt.Capturing || !slices.Equal(i.Dependencies, nodes) {
		t.Errorf("status %d, dependencies %x of %x", i.Status, i.Dependencies, nodes)
	}
	_, err = p.thread.StreamEndCapture(s)
	p.must(err)
}

func TestOperationsOnMemoryWaitAndWriteInOrder(t *testing.T) {
	const wait32, write32, equal = 1, 2, 1
	p := start(t)
	at := p.malloc(8)
	p.must(p.thread.Memset(at, 0, 8, rt.Order{}))
	g, err := p.thread.GraphCreate(0)
	p.must(err)
	_, err = p.thread.GraphAddMemOpsNode(g, nil, []rt.MemOp{
		{Operation: wait32, Addr: at, Value: 7, Flags: equal}, {Operation: write32, Addr: at + 4, Value: 9},
	}, 0)
	p.must(err)
	i, err := p.thread.GraphInstantiate(g, 0)
	p.must(err)
	s, err := p.thread.StreamCreate(1, 0)
	p.must(err)
	p.must(p.thread.GraphLaunch(i.Exec, s))
	p.want("waits", p.thread.StreamQuery(s), rt.ErrNotReady)
	p.must(p.thread.StreamWriteValue(rt.LegacyStream, at, 7, 4, 0))
	p.must(p.thread.StreamSynchronize(s))
	_, err = p.thread.GraphAddMemOpsNode(g, nil, []rt.MemOp{{Operation: 17, Addr: at}}, 0)
	p.want("unknown operation", err, rt.ErrInvalidValue)
	_, err = p.thread.GraphAddMemOpsNode(g, nil, nil, 0)
	p.want("no operation", err, rt.Success)
}
