package rt_test

import (
	"bytes"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func TestOnlyAllocationsCanBeFreed(t *testing.T) {
	p := start(t)
	a := p.malloc(1000)
	host, _ := p.bytes(64)
	symbol, err := p.thread.GetSymbolAddress(p.shadow("global"))
	p.must(err)
	p.want("null", p.thread.Free(0), 0)
	p.want("interior", p.thread.Free(a+8), 1)
	p.want("host memory", p.thread.Free(host), 1)
	p.want("variable", p.thread.Free(symbol), 1)
	p.want("wild", p.thread.Free(0x1234), 1)
	p.want("allocation", p.thread.Free(a), 0)
	p.want("twice", p.thread.Free(a), 1)
	h, err := p.thread.HostAlloc(100, 0)
	p.must(err)
	p.want("pinned by cudaFree", p.thread.Free(h), 1)
	p.want("pinned", p.thread.FreeHost(h), 0)
	m, err := p.thread.MallocManaged(100, 1)
	p.must(err)
	p.want("managed", p.thread.Free(m), 0)
}

func TestSizesOfNothingAndTooMuch(t *testing.T) {
	p := start(t)
	if a := p.malloc(0); a != 0 {
		t.Errorf("no bytes at %#x", a)
	}
	for _, n := range []uint64{1 << 40, 1 << 63, ^uint64(0)} {
		_, err := p.thread.Malloc(n)
		p.want("too much", err, 2)
	}
	_, err := p.thread.MallocManaged(0, 1)
	p.want("no managed bytes", err, 0)
	_, _, err = p.thread.MallocPitch(1<<50, 1, 1)
	p.want("absurd pitch", err, 2)
	for width, want := range map[uint64]uint64{100: 512, 513: 1024, 4097: 4608} {
		_, pitch, err := p.thread.MallocPitch(width, 3, 1)
		if err != nil || pitch != want {
			t.Errorf("pitch of %d is %d, %v, want %d", width, pitch, err, want)
		}
	}
}

func TestPairsOfMallocAndFreeLeaveNothing(t *testing.T) {
	p := start(t)
	p.must(p.thread.Free(p.malloc(1)))
	before, total, err := p.thread.MemGetInfo()
	p.must(err)
	for i := range uint64(10000) {
		p.must(p.thread.Free(p.malloc(i*37%100000 + 1)))
	}
	after, _, err := p.thread.MemGetInfo()
	p.must(err)
	if before != after || after > total {
		t.Errorf("free memory went from %d to %d of %d", before, after, total)
	}
}

func TestCopiesCheckTheirDirection(t *testing.T) {
	p := start(t)
	dev, host := p.malloc(64), func() uint64 { a, _ := p.bytes(64); return a }()
	pinned, err := p.thread.HostAlloc(64, 0)
	p.must(err)
	const h2h, h2d, d2h, d2d, any = 0, 1, 2, 3, 4
	for _, c := range []struct {
		name     string
		dst, src uint64
		kind     int
		code     rt.Error
	}{
		{"h2d", dev, host, h2d, 0}, {"d2h", host, dev, d2h, 0}, {"d2d", dev, dev, d2d, 0}, {"h2h", host, host, h2h, 0},
		{"h2d backwards", host, dev, h2d, 1}, {"d2h backwards", dev, host, d2h, 1},
		{"d2d of host", dev, host, d2d, 1}, {"d2d to host", host, dev, d2d, 1},
		{"h2h of device", host, dev, h2h, 0}, {"any", host, dev, any, 0}, {"any", dev, host, any, 0},
		{"kind 9", dev, host, 9, 21}, {"kind -1", dev, host, -1, 21},
		{"pinned as host", dev, pinned, h2d, 0}, {"pinned as device", pinned, host, h2d, 0},
		{"managed kinds", pinned, pinned, d2d, 0},
	} {
		p.want(c.name, p.thread.Memcpy(c.dst, c.src, 64, c.kind, rt.Order{}), c.code)
		p.want(c.name+", async", p.thread.Memcpy(c.dst, c.src, 64, c.kind, rt.Order{Async: true}), c.code)
	}
	p.want("past the end", p.thread.Memcpy(dev, host, 65, h2d, rt.Order{}), 1)
	p.want("past the end", p.thread.Memcpy(host, dev+1, 64, d2h, rt.Order{Async: true}), 1)
	p.want("nothing", p.thread.Memcpy(0, 0, 0, h2d, rt.Order{}), 0)
	p.want("null", p.thread.Memcpy(dev, 0, 4, h2d, rt.Order{}), 1)
	p.want("the device is well", p.thread.DeviceSynchronize(), 0)
}

func TestPitchedCopiesAndSetsMoveRectangles(t *testing.T) { // C34
	p := start(t)
	addr, pitch, err := p.thread.MallocPitch(10, 4, 1)
	p.must(err)
	d := rt.Pitched{Addr: addr, Pitch: pitch}
	p.must(p.thread.Memset2D(d, 7, 10, 4, rt.Order{}))
	src, b := p.bytes(6)
	copy(b, "abcdef")
	p.must(p.thread.Memcpy2D(rt.Pitched{Addr: addr + pitch + 2, Pitch: pitch}, rt.Pitched{Addr: src, Pitch: 3}, 3, 2, 1, rt.Order{}))
	dst, out := p.bytes(40)
	p.must(p.thread.Memcpy2D(rt.Pitched{Addr: dst, Pitch: 10}, d, 10, 4, 2, rt.Order{}))
	want := bytes.Repeat([]byte{7}, 40)
	copy(want[12:], "abc")
	copy(want[22:], "def")
	if !bytes.Equal(out, want) {
		t.Errorf("got %q, want %q", out, want)
	}
	p.want("width above pitch", p.thread.Memcpy2D(rt.Pitched{Addr: dst, Pitch: 4}, d, 10, 4, 2, rt.Order{}), 12)
	p.want("width above pitch", p.thread.Memset2D(rt.Pitched{Addr: addr, Pitch: 4}, 0, 10, 4, rt.Order{}), 1)
	p.want("too many rows", p.thread.Memcpy2D(rt.Pitched{Addr: dst, Pitch: 10}, d, 10, 5000, 2, rt.Order{}), 1)
	p.want("set of host memory", p.thread.Memset(dst, 0, 4, rt.Order{}), 1)
}

func TestStagedCopiesTakeTheirBytesAtOnce(t *testing.T) {
	p := start(t)
	s, err := p.thread.StreamCreate(1, 0)
	p.must(err)
	dev := p.malloc(4)
	src, b := p.bytes(4)
	copy(b, "then")
	p.must(p.launch(p.thread, "spin", s))
	p.must(p.thread.Memcpy(dev, src, 4, 1, rt.Order{Stream: s, Async: true}))
	copy(b, "late")
	p.program.gate.Store(true)
	p.must(p.thread.StreamSynchronize(s))
	p.must(p.thread.Memcpy(src, dev, 4, 2, rt.Order{}))
	if string(b) != "then" {
		t.Errorf("copied %q", b)
	}
}

func TestSymbolsReachTheVariablesOfTheModule(t *testing.T) { // C36
	p := start(t)
	for name, fill := range map[string]byte{"global": 1, "constant": 2} {
		host, b := p.bytes(8)
		p.must(p.thread.MemcpyFromSymbol(host, p.shadow(name), 8, 8, 2, rt.Order{}))
		if b[0] != fill || b[7] != fill {
			t.Errorf("%s holds %v", name, b)
		}
	}
	src, b := p.bytes(4)
	copy(b, "wxyz")
	p.must(p.thread.MemcpyToSymbol(p.shadow("global"), src, 4, 12, 1, rt.Order{}))
	out, o := p.bytes(16)
	p.must(p.thread.MemcpyFromSymbol(out, p.shadow("global"), 16, 0, 4, rt.Order{}))
	if string(o[11:]) != "\x01wxyz" {
		t.Errorf("variable holds %q", o)
	}
	p.want("past the end", p.thread.MemcpyToSymbol(p.shadow("global"), src, 4, 13, 1, rt.Order{}), 1)
	p.want("no symbol", p.thread.MemcpyToSymbol(src, src, 4, 0, 1, rt.Order{}), 13)
	p.want("wrong kind", p.thread.MemcpyToSymbol(p.shadow("global"), src, 4, 0, 2, rt.Order{}), 21)
	n, err := p.thread.GetSymbolSize(p.shadow("constant"))
	if n != 64 || err != nil {
		t.Errorf("size %d, %v", n, err)
	}
}

func TestManagedVariablesAreReachedThroughTheirSlot(t *testing.T) { // C29
	p := start(t, func(c *rt.Config) { c.Devices = 2 })
	p.must(p.thread.InitModule(1))
	addr, err := p.thread.GetSymbolAddress(p.program.slot)
	p.must(err)
	p.must(p.thread.SetDevice(1))
	again, err := p.thread.GetSymbolAddress(p.program.slot)
	p.must(err)
	if addr == 0 || addr != again {
		t.Errorf("the variable is at %#x and %#x", addr, again)
	}
	host, b := p.bytes(8)
	p.must(p.thread.Memcpy(host, p.program.slot, 8, 0, rt.Order{}))
	if uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|uint64(b[4])<<32|uint64(b[5])<<40 != addr {
		t.Errorf("the slot holds %v, not %#x", b, addr)
	}
	a, err := p.thread.PointerGetAttributes(addr)
	p.must(err)
	if a.Type != 3 || a.DevicePointer != a.HostPointer {
		t.Errorf("attributes %+v", a)
	}
}

func TestPointersTellWhatTheyAre(t *testing.T) {
	p := start(t)
	dev := p.malloc(64)
	pinned, err := p.thread.HostAlloc(64, 0)
	p.must(err)
	host, _ := p.bytes(64)
	for _, c := range []struct {
		addr uint64
		want layout.PointerAttributes
	}{
		{dev + 3, layout.PointerAttributes{Type: 2, DevicePointer: dev + 3}},
		{pinned, layout.PointerAttributes{Type: 1, DevicePointer: pinned, HostPointer: pinned}},
		{host, layout.PointerAttributes{Type: 0, Device: -2, HostPointer: host}},
	} {
		a, err := p.thread.PointerGetAttributes(c.addr)
		if err != nil || *a != c.want {
			t.Errorf("%#x: %+v, %v, want %+v", c.addr, a, err, c.want)
		}
	}
}

func TestRegisteredMemoryIsRegisteredOnce(t *testing.T) {
	p := start(t)
	host, _ := p.bytes(8192)
	p.want("unregistered", p.thread.HostUnregister(host), 713)
	p.must(p.thread.HostRegister(host, 8192, 0))
	p.want("again", p.thread.HostRegister(host, 8192, 0), 712)
	d, err := p.thread.HostGetDevicePointer(host, 0)
	if d != host || err != nil {
		t.Errorf("device pointer %#x, %v", d, err)
	}
	p.must(p.thread.HostUnregister(host))
	p.want("unregistered", p.thread.HostUnregister(host), 713)
	_, err = p.thread.HostGetDevicePointer(host, 0)
	p.want("device pointer", err, 1)
}

func TestFreeAsyncWaitsForItsStream(t *testing.T) {
	p := start(t)
	s, err := p.thread.StreamCreate(1, 0)
	p.must(err)
	a, err := p.thread.MallocAsync(100, s)
	p.must(err)
	p.must(p.launch(p.thread, "spin", s))
	p.must(p.thread.FreeAsync(a, s))
	p.want("while the stream spins", p.thread.Memset(a, 0, 4, rt.Order{Stream: s, Async: true}), 0)
	p.program.gate.Store(true)
	_ = p.thread.StreamSynchronize(s)
	p.want("not an allocation", p.thread.FreeAsync(a+1, s), 1)
}

func TestPoolsCarryAttributes(t *testing.T) {
	p := start(t)
	h, err := p.thread.DeviceGetDefaultMemPool(0)
	p.must(err)
	p.must(p.thread.MemPoolSetAttribute(h, 4, 1<<30))
	if v, err := p.thread.MemPoolGetAttribute(h, 4); v != 1<<30 || err != nil {
		t.Errorf("threshold %d, %v", v, err)
	}
	p.want("unknown attribute", p.thread.MemPoolSetAttribute(h, 99, 1), 1)
	p.want("used is not settable", p.thread.MemPoolSetAttribute(h, 7, 1), 1)
	p.want("the default stays", p.thread.MemPoolDestroy(h), 1)
	own, err := p.thread.MemPoolCreate(rt.PoolProperties{Allocation: 1, Location: rt.DeviceLocation(0)})
	p.must(err)
	p.must(p.thread.DeviceSetMemPool(0, own))
	p.must(p.thread.MemPoolDestroy(own))
	if now, err := p.thread.DeviceGetMemPool(0); now != h || err != nil {
		t.Errorf("pool %#x, %v", now, err)
	}
}

func TestResetGivesEverythingBack(t *testing.T) {
	p := start(t)
	pinned, err := p.thread.HostAlloc(64, 0)
	p.must(err)
	managed, err := p.thread.MallocManaged(64, 1)
	p.must(err)
	own, _ := p.bytes(4096)
	p.must(p.thread.HostRegister(own, 4096, 0))
	e, err := p.thread.EventCreate(0)
	p.must(err)
	a, err := p.thread.MallocArray(words, rt.Extent{Width: 4}, 0)
	p.must(err)
	p.must(p.thread.InitModule(1))
	variable, err := p.thread.GetSymbolAddress(p.program.slot)
	p.must(err)
	p.must(p.thread.Memset(variable, 9, 8, rt.Order{}))

	p.must(p.thread.DeviceReset())
	p.want("pinned", p.thread.FreeHost(pinned), 1)
	p.want("managed", p.thread.Free(managed), 1)
	p.want("registered", p.thread.HostUnregister(own), 713)
	p.want("event", p.thread.EventQuery(e), 400)
	p.want("array", p.thread.FreeArray(a), 400)
	again, err := p.thread.GetSymbolAddress(p.program.slot)
	p.must(err)
	host, b := p.bytes(8)
	p.must(p.thread.Memcpy(host, again, 8, 4, rt.Order{}))
	if again != variable || b[0] != 3 {
		t.Errorf("the managed variable went from %#x to %#x and holds %d", variable, again, b[0])
	}
}
