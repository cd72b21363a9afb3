package ops

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// addressing is a way to spread the addresses of a warp over 4096 bytes. sure
// says that aligned, they are all inside.
type addressing struct {
	name string
	sure bool
	at   func(r *rand.Rand, l, size int) int
}

var addressings = []addressing{
	{"uniform", true, func(_ *rand.Rand, _, size int) int { return 5 * size }},
	{"line", true, func(_ *rand.Rand, l, size int) int { return (l + 3) * size }},
	{"line to the end", true, func(_ *rand.Rand, l, size int) int { return 4096 - (32-l)*size }},
	{"line past the end", false, func(_ *rand.Rand, l, size int) int { return 4096 - (20-l)*size }},
	{"line before the start", false, func(_ *rand.Rand, l, size int) int { return (l - 9) * size }},
	{"backwards", true, func(_ *rand.Rand, l, size int) int { return (40 - l) * size }},
	{"strided", true, func(_ *rand.Rand, l, size int) int { return 7 * l * size }},
	{"scattered", true, func(r *rand.Rand, _, size int) int { return r.IntN(4096/size-3) * size }},
	{"one outside", false, func(_ *rand.Rand, l, size int) int { return 7*l*size + l/31*8192 }},
	{"one far", false, func(_ *rand.Rand, l, size int) int { return l*size + l/31<<33 }},
	{"misaligned line", false, func(_ *rand.Rand, l, size int) int { return l*size + 1 }},
	{"one misaligned", false, func(_ *rand.Rand, l, size int) int { return 9*l*size + l/31 }},
	{"rows of half a warp", true, func(_ *rand.Rand, l, size int) int { return (l/16*50 + l%16) * size }},
	{"rows of half a warp, the second lower", true, func(_ *rand.Rand, l, size int) int { return (70 - l/16*50 + l%16) * size }},
	{"rows of half a warp past the end", false, func(_ *rand.Rand, l, size int) int { return l/16*(4096-9*size) + l%16*size }},
	{"rows of half a warp, one misaligned", false, func(_ *rand.Rand, l, size int) int { return (l/16*50+l%16)*size + l/31 }},
	{"rows of half a warp, one far", false, func(_ *rand.Rand, l, size int) int { return (l/16*50+l%16)*size + l/31<<32 }},
	{"two words", true, func(_ *rand.Rand, l, size int) int { return (9 + l/16*16) * size }},
	{"pairs to the end", true, func(_ *rand.Rand, l, size int) int { return 4096 - max(4-size, 0)&^(size-1) - (32-(l^1))*size }},
	{"rows of a quarter of a warp, shuffled", true, func(_ *rand.Rand, l, size int) int { return (40 - l/8*10 + (l*5+3)%8) * size }},
	{"rows of a quarter of a warp to the end", false, func(_ *rand.Rand, l, size int) int { return 4096 - (8+l/8*20-l%8)*size }},
	{"rows of a quarter of a warp, wrapping", false, func(_ *rand.Rand, l, size int) int { return l/8*640 + (l%8-l/24*4)*size }},
	{"wrapping", false, func(_ *rand.Rand, l, size int) int { return l*size - 16*size }},
}

func TestFastMemoryAccessesAreTheReferences(t *testing.T) {
	eachLevel(t, fastMemoryAccessesAreTheReferences)
}

func fastMemoryAccessesAreTheReferences(t *testing.T, v simd.Level) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, space := range []isa.Space{isa.Global, isa.Generic, isa.Shared, isa.Local, isa.Frame} {
		for _, text := range strings.Fields("u8 s8 u16 s16 u32 f32 u64 f64 v2.u32 v2.f64 v4.f32 b128 u8:64 s8:64 u16:64 s16:64 u32:64 s32:64 v4.u8 v4.s8 v2.u16 v2.s16 v4.u16") {
			for _, verb := range []string{"ld", "st"} {
				for _, a := range addressings {
					for range 5 {
						tryFastMemory(t, v, r, verb, text, space, a)
					}
				}
			}
		}
	}
}

// tryFastMemory executes an access by handler and by micro-operation. The
// latter may leave it to the former, unless it is surely inside.
func tryFastMemory(t *testing.T, v simd.Level, r *rand.Rand, verb, text string, space isa.Space, a addressing) {
	t.Helper()
	b := newBench(t)
	text, wide := strings.CutSuffix(text, ":64")
	if wide && verb == "st" {
		return
	}
	full := verb + map[isa.Space]string{isa.Global: ".global", isa.Shared: ".shared", isa.Local: ".local", isa.Frame: ".local"}[space] + "." + text
	words := strings.Split(full, ".")
	form, _, err := Lookup(words[0], words[1:], make([]Shape, 2)...)
	if vec := strings.HasPrefix(text, "v"); vec {
		shapes := []Shape{List, Address}
		if verb == "st" {
			shapes = []Shape{Address, List}
		}
		form, _, err = Lookup(words[0], words[1:], shapes...)
	}
	if err != nil {
		t.Fatal(err)
	}
	form.Space, form.DBits = space, max(form.Type(0).Bits(), 16)
	if form.Type(0).IsSigned() {
		form.DBits = 32
	}
	if wide {
		form.DBits = 64
	}
	code, _ := Fast(form)
	if code == 0 {
		if space == isa.Global || space == isa.Shared {
			t.Fatalf("%s has no micro-operation", full)
		}
		return
	}
	in := isa.Inst{Fast: code, Exec: form.Op.Bind(form), Op: form.Op, Space: space, D: 8, B: 8, A: 2, Imm: int64(r.IntN(3) * -16)}
	if n := elements(form); n > 1 {
		each := form.Type(0).Rows()
		for i := range n {
			in.Vec = append(in.Vec, isa.Reg(8+2*i*each))
		}
	}
	b.Mask = isa.Full
	if r.IntN(3) > 0 {
		b.Mask = sparse(r) | 1<<r.IntN(32)
	}
	if b.Local.Stride = 4096; space == isa.Local || space == isa.Frame {
		b.Local.Bytes = make([]byte, 32*4096)
		b.Base = 64
	}
	size := form.Type(0).Bytes() * elements(form)
	start := uint64(0)
	if space == isa.Global || space == isa.Generic {
		start = heapA
	}
	b.set64(2, func(l int) uint64 {
		at := uint64(a.at(r, l, size))
		if strings.HasSuffix(a.name, "wrapping") {
			at &= 0xffffffff
		}
		return start + at - uint64(in.Imm)
	})
	for _, m := range [][]byte{b.a, b.b, b.CTA.Shared, b.Local.Bytes} {
		for i := range m {
			m[i] = byte(i*7 + i>>8)
		}
	}
	bothEngines(t, v, b, &in, full+" "+a.name, a.sure && space != isa.Frame)
}

// atomicValues are words that atomic operations treat in different ways.
var atomicValues = []uint32{0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80700000, 0x00800000,
	0x807fffff, 0x7f800000, 0xff800000, 0x7fc00001, 0xffa00000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0xfff40000, 0x3ff00000}

func TestFastAtomicsAreTheReferences(t *testing.T) { eachLevel(t, fastAtomicsAreTheReferences) }

func fastAtomicsAreTheReferences(t *testing.T, v simd.Level) {
	r := rand.New(rand.NewPCG(8, 8))
	words := append([]addressing{
		{"few words", true, func(r *rand.Rand, _, size int) int { return r.IntN(5) * size }},
	}, addressings...)
	for _, text := range strings.Fields("add.u32 add.s32 add.u64 add.f32 add.f64 and.b32 and.b64 or.b32 or.b64 xor.b32 xor.b64 exch.b32 exch.b64 " +
		"cas.b32 cas.b64 min.u32 min.s32 min.u64 min.s64 max.u32 max.s32 max.u64 max.s64") {
		for _, verb := range []string{"atom", "red"} {
			if verb == "red" && (strings.HasPrefix(text, "exch") || strings.HasPrefix(text, "cas")) {
				continue
			}
			for _, space := range []isa.Space{isa.Global, isa.Generic, isa.Shared} {
				for _, a := range words {
					tryFastAtomic(t, v, r, verb, text, space, a)
				}
			}
		}
	}
}

// tryFastAtomic does so for an atomic operation, whose result may take the place
// of its operands.
func tryFastAtomic(t *testing.T, v simd.Level, r *rand.Rand, verb, text string, space isa.Space, a addressing) {
	t.Helper()
	b := newBench(t)
	text, wide := strings.CutSuffix(text, ":64")
	if wide && verb == "st" {
		return
	}
	full := verb + map[isa.Space]string{isa.Global: ".global", isa.Shared: ".shared"}[space] + "." + text
	words := strings.Split(full, ".")
	form, _, err := Lookup(words[0], words[1:])
	if err != nil {
		t.Fatal(err)
	}
	form.Space, form.DBits = space, form.Type(0).Bits()
	code, _ := Fast(form)
	if code == 0 {
		t.Fatalf("%s has no micro-operation", full)
	}
	in := isa.Inst{Fast: code, Exec: form.Op.Bind(form), Op: form.Op, Space: space, D: isa.Reg(8 + 2*r.IntN(4)), B: 8, C: 10, A: 2, Imm: int64(r.IntN(3) * -16)}
	b.Mask = isa.Full
	if r.IntN(2) > 0 {
		b.Mask = sparse(r) | 1<<r.IntN(32)
	}
	value := func() uint32 {
		if r.IntN(2) == 0 {
			return r.Uint32()
		}
		return atomicValues[r.IntN(len(atomicValues))]
	}
	for _, m := range [][]byte{b.a, b.b, b.CTA.Shared} {
		for i := 0; i < len(m); i += 4 {
			put(m[i:], value())
		}
	}
	size, start := form.Type(0).Bytes(), uint64(0)
	if space != isa.Shared {
		start = heapA
	}
	b.set64(2, func(l int) uint64 {
		at := uint64(a.at(r, l, size))
		if strings.HasSuffix(a.name, "wrapping") {
			at &= 0xffffffff
		}
		if m := map[bool][]byte{false: b.a, true: b.CTA.Shared}[space == isa.Shared]; at < uint64(len(m)-8) && r.IntN(3) == 0 {
			b.Regs[8][l], b.Regs[9][l] = get[uint32](m[at:]), get[uint32](m[at+4:]) // what cas looks for
		} else {
			b.Regs[8][l], b.Regs[9][l] = value(), value()
		}
		b.Regs[10][l], b.Regs[11][l] = value(), value()
		return start + at - uint64(in.Imm)
	})
	bothEngines(t, v, b, &in, full+" "+a.name, a.sure)
}

// bothEngines compares registers and memories after an instruction.
func bothEngines(t *testing.T, v simd.Level, b *bench, in *isa.Inst, what string, sure bool) {
	t.Helper()
	memory := func() []byte { return slices.Concat(b.a, b.b, b.CTA.Shared, b.Local.Bytes) }
	before, regs := memory(), slices.Clone(b.Regs)
	var s simd.State
	s.Use(v)
	s.EnterCTA(b.CTA)
	p := simd.New(&isa.Function{Code: []isa.Inst{*in, {Flow: isa.Exit}}})
	for _, start := range []uint64{heapA, heapB} { // the instruction has the latter, and must find the former
		span, _ := b.CTA.Memory.Span(start)
		s.Note(p, 0, span)
	}
	s.EnterFrame(b.Warp)
	x := simd.Path{Mask: b.Mask, Stop: -1, Left: 10}
	s.Run(p, &x)
	gotMemory, got := memory(), slices.Clone(b.Regs)
	left := x.PC == 0
	if left && sure {
		t.Errorf("%s, mask %08x: left to the handler", what, uint32(b.Mask))
	}
	if left {
		if !bytes.Equal(gotMemory, before) || !slices.Equal(got, regs) || x.Left != 10 || x.Threads != 0 {
			t.Errorf("%s: changed something and left", what)
		}
		return
	}
	rest := gotMemory
	for _, m := range [][]byte{b.a, b.b, b.CTA.Shared, b.Local.Bytes} {
		copy(m, before)
		before = before[len(m):]
	}
	copy(b.Regs, regs)
	in.Exec(b.Warp, in)
	if b.Trap.Kind != isa.NoTrap {
		t.Errorf("%s, mask %08x: the handler traps: %+v", what, uint32(b.Mask), b.Trap)
	}
	if !slices.Equal(got, b.Regs) {
		t.Errorf("%s, mask %08x, imm %d: registers differ", what, uint32(b.Mask), in.Imm)
	}
	if !bytes.Equal(rest, memory()) {
		t.Errorf("%s, mask %08x, imm %d: memory differs", what, uint32(b.Mask), in.Imm)
	}
}

// sparse is a random mask of about a quarter of the lanes.
func sparse(r *rand.Rand) isa.Mask {
	a, b := r.Uint32(), r.Uint32()
	return isa.Mask(a & b)
}
