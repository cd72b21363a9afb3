package ops

import (
	"encoding/binary"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// fakeMemory is a memory of a few allocations.
type fakeMemory struct{ spans []isa.Span }

func (m *fakeMemory) Span(a uint64) (isa.Span, bool) {
	for _, s := range m.spans {
		if a >= s.Lo && a < s.Hi {
			return s, true
		}
	}
	return isa.Span{}, false
}

func (m *fakeMemory) Generation() uint64 { return 1 }

func (m *fakeMemory) add(lo uint64, n int) []byte {
	b := make([]byte, n)
	m.spans = append(m.spans, isa.Span{Lo: lo, Hi: lo + uint64(n), Bytes: b})
	return b
}

// Two allocations of the test warp's memory, 4 KiB each.
const (
	heapA = 0x7000_0000_0000
	heapB = 0x7000_0010_0000
)

// bench is a warp made by hand, with the memories around it.
type bench struct {
	*isa.Warp
	t    *testing.T
	a, b []byte // at heapA and heapB
}

func newBench(t *testing.T) *bench {
	m := &fakeMemory{}
	spare := len(simd.New(&isa.Function{}).Consts()) // rows below the registers
	b := &bench{t: t, a: m.add(heapA, 4096), b: m.add(heapB, 4096)}
	b.Warp = &isa.Warp{
		Mask: isa.Full, Live: isa.Full, Regs: make([]isa.Lanes, spare+64)[spare:], Preds: make([]isa.Mask, 8),
		CTA: &isa.CTA{Cluster: &isa.Cluster{Explicit: true}, Memory: m, Shared: make([]byte, 8192), Params: make([]byte, 64)},
	}
	b.Preds[isa.PT] = isa.Full
	b.Local.Grow(256)
	for i := range b.Regs {
		for l := range b.Regs[i] {
			b.Regs[i][l] = 0xdead0000 | uint32(i)<<8 | uint32(l)
		}
	}
	return b
}

// bind finds the handler of a spelling for a space and a register width.
func (b *bench) bind(text string, space isa.Space, dbits int) isa.Handler {
	b.t.Helper()
	words := splitDots(text)
	form, _, err := Lookup(words[0], words[1:])
	if err != nil {
		b.t.Fatal(err)
	}
	form.Space, form.DBits = space, dbits
	h := form.Op.Bind(form)
	if h == nil {
		b.t.Fatalf("%s has no handler", text)
	}
	return h
}

func splitDots(text string) []string {
	var words []string
	start := 0
	for i := range len(text) + 1 {
		if i == len(text) || text[i] == '.' {
			words = append(words, text[start:i])
			start = i + 1
		}
	}
	return words
}

// run executes a spelling once.
func (b *bench) run(text string, dbits int, in isa.Inst) {
	b.t.Helper()
	b.bind(text, in.Space, dbits)(b.Warp, &in)
}

func (b *bench) set(r isa.Reg, f func(l int) uint32) {
	for l := range isa.WarpSize {
		b.Regs[r][l] = f(l)
	}
}

func (b *bench) set64(r isa.Reg, f func(l int) uint64) {
	for l := range isa.WarpSize {
		b.Set64(r, l, f(l))
	}
}

// want checks a register row against f in the lanes of the mask, and that the
// others still hold what newBench gave them.
func (b *bench) want(what string, r isa.Reg, f func(l int) uint32) {
	b.t.Helper()
	for l := range isa.WarpSize {
		w := 0xdead0000 | uint32(r)<<8 | uint32(l)
		if b.Mask.Has(l) {
			w = f(l)
		}
		if g := b.Regs[r][l]; g != w {
			b.t.Errorf("%s: row %d lane %d is %#x, want %#x", what, r, l, g, w)
			return
		}
	}
}

// trapped checks that the last instruction raised a trap, and clears it.
func (b *bench) trapped(what string, kind isa.TrapKind, lane int) {
	b.t.Helper()
	if b.Trap.Kind != kind || kind != isa.NoTrap && b.Trap.Lane != lane {
		b.t.Errorf("%s: trap %+v, want kind %d in lane %d", what, b.Trap, kind, lane)
	}
	b.Trap = isa.Trap{}
}

func le32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }

// masks are the lane sets that every test tries.
var masks = []isa.Mask{isa.Full, 0x0000ffff, 0xaaaaaaaa, 1, 0x80000000, 0x00f0f00f}
