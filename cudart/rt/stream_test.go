package rt_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func TestDestroyedStreamsFinishTheirWork(t *testing.T) { // C24
	p := start(t)
	word := p.malloc(8)
	p.must(p.thread.Memset(word, 0, 8, rt.Order{}))
	s, err := p.thread.StreamCreate(0, 0)
	p.must(err)
	p.must(p.launch(p.thread, "increment", s, word))
	p.must(p.launch(p.thread, "increment", s, word))
	p.must(p.thread.StreamDestroy(s))
	p.must(p.thread.DeviceSynchronize())
	host, b := p.bytes(8)
	p.must(p.thread.Memcpy(host, word, 8, 2, rt.Order{}))
	if b[0] != 2 {
		t.Errorf("%d of 2 kernels ran", b[0])
	}
	p.want("launch on a destroyed stream", p.launch(p.thread, "empty", s), 400)
	p.want("destroy again", p.thread.StreamDestroy(s), 400)
	p.want("destroy the default stream", p.thread.StreamDestroy(0), 400)
}

func TestWaitsUseTheLatestRecord(t *testing.T) { // C25
	p := start(t)
	word := p.malloc(8)
	p.must(p.thread.Memset(word, 0, 8, rt.Order{}))
	a, err := p.thread.StreamCreate(0, 0)
	p.must(err)
	b, err := p.thread.StreamCreate(1, 0)
	p.must(err)
	never, err := p.thread.EventCreate(0)
	p.must(err)
	e, err := p.thread.EventCreate(2)
	p.must(err)
	p.must(p.thread.StreamWaitEvent(b, never, 0))
	p.must(p.thread.EventQuery(never))
	p.must(p.thread.EventSynchronize(never))
	p.must(p.launch(p.thread, "append", a, word, 1))
	p.must(p.thread.EventRecord(e, a, 0))
	p.must(p.launch(p.thread, "append", a, word, 2))
	p.must(p.thread.EventRecord(e, a, 0))
	p.must(p.thread.StreamWaitEvent(b, e, 0))
	p.must(p.launch(p.thread, "append", b, word, 3))
	p.must(p.thread.DeviceSynchronize())
	host, bytes := p.bytes(8)
	p.must(p.thread.Memcpy(host, word, 8, 2, rt.Order{}))
	if bytes[0] != 123 {
		t.Errorf("got %d, want 123", bytes[0])
	}
}

func TestElapsedTimeNeedsTimedAndRecordedEvents(t *testing.T) {
	p := start(t)
	from, err := p.thread.EventCreate(0)
	p.must(err)
	to, err := p.thread.EventCreate(0)
	p.must(err)
	untimed, err := p.thread.EventCreate(2)
	p.must(err)
	_, err = p.thread.EventElapsedTime(from, to)
	p.want("never recorded", err, 400)
	p.must(p.thread.EventRecord(from, 0, 0))
	p.must(p.launch(p.thread, "spin", 0))
	p.must(p.thread.EventRecord(to, 0, 0))
	p.must(p.thread.EventRecord(untimed, 0, 0))
	p.want("query", p.thread.EventQuery(to), 600)
	p.want("stream query", p.thread.StreamQuery(0), 600)
	p.must(p.thread.EventSynchronize(from))
	_, err = p.thread.EventElapsedTime(from, to)
	p.want("not complete", err, 600)
	p.program.gate.Store(true)
	p.must(p.thread.EventSynchronize(to))
	ms, err := p.thread.EventElapsedTime(from, to)
	if err != nil || ms <= 0 {
		t.Errorf("elapsed %v ms, %v", ms, err)
	}
	_, err = p.thread.EventElapsedTime(from, untimed)
	p.want("untimed", err, 400)
	p.must(p.thread.EventDestroy(from))
	p.want("destroyed", p.thread.EventRecord(from, 0, 0), 400)
}

func TestLegacyStreamAndNonBlockingStreamsAreIndependent(t *testing.T) {
	p := start(t)
	s, err := p.thread.StreamCreate(1, 0)
	p.must(err)
	p.must(p.launch(p.thread, "spin", s))
	p.must(p.launch(p.thread, "empty", rt.LegacyStream))
	p.must(p.thread.StreamSynchronize(rt.LegacyStream))
	p.want("still spinning", p.thread.StreamQuery(s), 600)
	p.program.gate.Store(true)
	p.must(p.thread.StreamSynchronize(s))
	p.must(p.thread.StreamQuery(s))
}

func TestPerThreadStreamsAreBlockingStreamsOfTheirOwn(t *testing.T) {
	p := start(t)
	other := p.runtime.NewThread()
	id := func(th *rt.Thread, h rt.StreamHandle) uint64 {
		n, err := th.StreamGetID(h)
		p.must(err)
		return n
	}
	ids := map[uint64]bool{
		id(p.thread, rt.LegacyStream): true, id(p.thread, rt.PerThreadStream): true, id(other, rt.PerThreadStream): true,
	}
	if len(ids) != 3 || id(other, rt.LegacyStream) != id(p.thread, rt.LegacyStream) {
		t.Errorf("streams %v", ids)
	}
	p.must(p.launch(p.thread, "spin", rt.PerThreadStream))
	p.must(p.launch(other, "empty", rt.LegacyStream))
	p.want("legacy behind a per-thread stream", other.StreamQuery(rt.LegacyStream), 600)
	p.program.gate.Store(true)
	p.must(other.StreamSynchronize(rt.LegacyStream))
}

func TestHostFunctionsAndCallbacksRunInOrder(t *testing.T) {
	p := start(t)
	s, err := p.thread.StreamCreate(0, 0)
	p.must(err)
	var order []string
	p.must(p.launch(p.thread, "print", s))
	p.must(p.thread.LaunchHostFunc(s, rt.HostCall{Run: func() { order = append(order, "function after "+p.read(&p.out)) }}))
	p.must(p.thread.StreamAddCallback(s, func(e rt.Error) { order = append(order, "callback "+rt.Name(e, 13)) }))
	p.must(p.thread.StreamSynchronize(s))
	if len(order) != 2 || order[0] != "function after hello\n" || order[1] != "callback cudaSuccess" {
		t.Errorf("order %q", order)
	}
	p.must(p.launch(p.thread, "fault", s))
	p.must(p.thread.StreamAddCallback(s, func(e rt.Error) { order = append(order, rt.Name(e, 13)) }))
	p.want("synchronize", p.thread.StreamSynchronize(s), 716)
	p.want("reset", p.thread.DeviceReset(), 0)
	if len(order) != 3 || order[2] != "cudaErrorMisalignedAddress" {
		t.Errorf("order %q", order)
	}
}

func TestLaunchBlockingWaits(t *testing.T) {
	p := start(t, func(c *rt.Config) { c.LaunchBlocking = true })
	p.want("launch", p.launch(p.thread, "fault", 0), 716)
}
