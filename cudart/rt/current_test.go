package rt_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// inDriver runs a driver call and wants a code.
func (p *process) inDriver(want rt.Error, f func(t *rt.Thread) error) {
	p.tb.Helper()
	if code := rt.DriverCode(p.thread.InDriver(func() error { return f(p.thread) })); code != want {
		p.tb.Errorf("code %d, want %d", code, want)
	}
}

func TestDriverNeedsInitialisationAndAContext(t *testing.T) {
	p := start(t)
	alloc := func(t *rt.Thread) error { _, err := t.MemAlloc(64); return err }
	p.inDriver(rt.ErrInitialization, alloc)
	if err := p.thread.Initialize(0); err != nil {
		t.Fatal(err)
	}
	p.inDriver(rt.ErrInvalidContext, alloc)
	p.inDriver(rt.Success, func(t *rt.Thread) error { _, err := t.CtxCreate(0, 0); return err })
	p.inDriver(rt.Success, alloc)
}

func TestRuntimeAndDriverShareTheCurrentContext(t *testing.T) {
	p := start(t)
	p.runtime.Initialize()
	addr, err := p.thread.Malloc(1000)
	if err != nil {
		t.Fatal(err)
	}
	p.inDriver(rt.Success, func(t *rt.Thread) error {
		base, size, err := t.MemGetAddressRange(addr + 10)
		if base != addr || size != 1000 {
			p.tb.Errorf("%d bytes at %#x", size, base)
		}
		return err
	})
	primary := p.thread.CtxGet()
	if _, err := p.thread.CtxCreate(0, 0); err != nil {
		t.Fatal(err)
	}
	own := p.thread.CtxGet()
	if own == primary || own == 0 {
		t.Errorf("contexts %#x and %#x", primary, own)
	}
	if h, err := p.thread.StreamGetCtx(rt.LegacyStream); err != nil || h != own {
		t.Errorf("the default stream is of context %#x, %v", h, err)
	}
	if _, err := p.thread.CtxPop(); err != nil || p.thread.CtxGet() != primary {
		t.Errorf("after the pop context %#x is current, %v", p.thread.CtxGet(), err)
	}
	p.inDriver(rt.Success, func(t *rt.Thread) error { return t.CtxDestroy(own) })
	p.inDriver(rt.ErrInvalidContext, func(t *rt.Thread) error { return t.CtxPush(own) })
}

func TestReleasedPrimaryContextIsGoneUnlessTheRuntimeUsesIt(t *testing.T) {
	for _, used := range []bool{false, true} {
		p := start(t)
		if used {
			if _, err := p.thread.Malloc(64); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.thread.PrimaryRetain(0); err != nil {
			t.Fatal(err)
		}
		if err := p.thread.PrimaryRelease(0); err != nil {
			t.Fatal(err)
		}
		if _, active, _ := p.thread.PrimaryState(0); active != used {
			t.Errorf("used by the runtime: %v, in use after the release: %v", used, active)
		}
		if err := p.thread.PrimaryRelease(0); rt.CodeOf(err) != rt.ErrInvalidContext {
			t.Errorf("released once too often: %v", err)
		}
	}
}

func TestDestroyedContextLeavesTheHostMemoryOfOthers(t *testing.T) {
	p := start(t)
	kept, err := p.thread.HostAlloc(4096, 0)
	if err != nil {
		t.Fatal(err)
	}
	own, err := p.thread.CtxCreate(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := p.thread.HostAlloc(4096, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.must(p.thread.CtxDestroy(own))
	p.must(p.thread.FreeHost(kept))
	if err := p.thread.FreeHost(gone); rt.CodeOf(err) != rt.ErrInvalidValue {
		t.Errorf("memory of the destroyed context: %v", err)
	}
}

// Memory that is mapped belongs to the process: the current context may be destroyed, or be the primary one that
// CUDA 11 has not made yet.
func TestMemoryIsCreatedWithoutAContext(t *testing.T) {
	p := start(t)
	own, err := p.thread.CtxCreate(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.must(p.thread.CtxPush(own)) // twice on the stack: destroying it takes one away
	p.must(p.thread.CtxDestroy(own))
	if _, err := p.thread.Malloc(256); rt.CodeOf(err) != 709 {
		t.Errorf("memory of the context: %v", err)
	}
	p.mapMemory()

	p = start(t, func(c *rt.Config) { c.Major = 11 })
	p.must(p.thread.SetDevice(0))
	p.mapMemory()
}

// mapMemory reserves addresses, maps memory at them and gives both back.
func (p *process) mapMemory() {
	const pinned, descriptor, size = 1, 1, 2 << 20
	addr, err := p.thread.AddressReserve(size, 0, 0, 0)
	p.must(err)
	handle, err := p.thread.MemCreate(size, rt.AllocationProperties{Type: pinned, Handles: descriptor, Location: rt.Location{Type: 1}}, 0)
	p.must(err)
	p.must(p.thread.MemMap(addr, size, 0, handle, 0))
	p.must(p.thread.MemUnmap(addr, size))
	p.must(p.thread.MemRelease(handle))
	p.must(p.thread.AddressFree(addr, size))
}

// TestSetDeviceMakesThePrimaryContextCurrent has what an H200 says for runtimes of CUDA 11, 12 and 13: the driver sees a
// current context, which that of CUDA 11 has not made yet.
func TestSetDeviceMakesThePrimaryContextCurrent(t *testing.T) {
	for major := 11; major <= 13; major++ {
		p := start(t, func(c *rt.Config) { c.Major = major })
		if p.thread.CtxGet() != 0 {
			t.Fatalf("CUDA %d: a context is current from the start", major)
		}
		p.must(p.thread.SetDevice(0))
		if d, err := p.thread.CtxGetDevice(p.thread.CtxGet()); p.thread.CtxGet() == 0 || d != 0 || err != nil {
			t.Errorf("CUDA %d: device %d is current, %v", major, d, err)
		}
		if _, active, _ := p.thread.PrimaryState(0); active != (major >= 12) {
			t.Errorf("CUDA %d: the primary context is there: %v", major, active)
		}
		if _, err := p.thread.CtxPop(); err != nil || p.thread.CtxGet() != 0 {
			t.Errorf("CUDA %d: popped: %v, still current: %#x", major, err, p.thread.CtxGet())
		}
		if _, err := p.thread.Malloc(4); err != nil || p.thread.CtxGet() == 0 {
			t.Errorf("CUDA %d: allocation without a context: %v", major, err)
		}
	}
}
