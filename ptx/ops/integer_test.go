package ops

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// operand returns an operand of interest: often an edge of the type.
func operand(r *rand.Rand, bits int) uint64 {
	mask := uint64(1)<<(bits-1)<<1 - 1
	switch r.IntN(4) {
	case 0:
		edges := []uint64{0, 1, 2, 1 << (bits - 1), 1<<(bits-1) - 1, mask, mask - 1, mask >> 1 & 0xff}
		return edges[r.IntN(len(edges))]
	case 1:
		return r.Uint64N(80)
	}
	return r.Uint64() & mask
}

// number is the value of the bits of an operand.
func number(x uint64, t isa.Type) *big.Int {
	n := new(big.Int).SetUint64(x)
	if t.IsSigned() && x>>(t.Bits()-1)&1 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(t.Bits())))
	}
	return n
}

// lowBits is the low bits of a number.
func lowBits(n *big.Int, bits int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).Mod(n, m).Uint64()
}

// law is what an integer instruction computes, on unbounded numbers.
type law struct {
	name     string
	types    string
	operands int
	widen    int // factor from the type's width to that of the result and of c
	f        func(t isa.Type, a, b, c *big.Int) *big.Int
}

func add(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
func sub(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
func mul(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func high(t isa.Type, x *big.Int) *big.Int { return new(big.Int).Rsh(x, uint(t.Bits())) }

func clamp(t isa.Type, x *big.Int) *big.Int {
	hi := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()-1))
	lo := new(big.Int).Neg(hi)
	switch {
	case x.Cmp(lo) < 0:
		return lo
	case x.Cmp(hi) >= 0:
		return hi.Sub(hi, big.NewInt(1))
	}
	return x
}

func divide(a, b *big.Int) (q, r *big.Int) {
	if b.Sign() == 0 {
		return big.NewInt(-1), big.NewInt(-1)
	}
	return new(big.Int).QuoRem(a, b, new(big.Int))
}

// low24 is the low 24 bits of a number, signed for a signed type.
func low24(t isa.Type, x *big.Int) *big.Int {
	v := lowBits(x, 24)
	if t.IsSigned() && v>>23 != 0 {
		return big.NewInt(int64(v) - 1<<24)
	}
	return big.NewInt(int64(v))
}

func mul24Hi(t isa.Type, a, b *big.Int) *big.Int {
	return new(big.Int).Rsh(mul(low24(t, a), low24(t, b)), 16)
}

func lesser(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func greater(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

func positive(x *big.Int) *big.Int { return greater(x, new(big.Int)) }

var laws = []law{
	{"add", allInts, 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return add(a, b) }},
	{"add.sat", "s32", 2, 1, func(t isa.Type, a, b, _ *big.Int) *big.Int { return clamp(t, add(a, b)) }},
	{"sub", allInts, 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return sub(a, b) }},
	{"sub.sat", "s32", 2, 1, func(t isa.Type, a, b, _ *big.Int) *big.Int { return clamp(t, sub(a, b)) }},
	{"mul.lo", allInts, 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return mul(a, b) }},
	{"mul.hi", allInts, 2, 1, func(t isa.Type, a, b, _ *big.Int) *big.Int { return high(t, mul(a, b)) }},
	{"mul.wide", "u16 s16 u32 s32", 2, 2, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return mul(a, b) }},
	{"mad.lo", allInts, 3, 1, func(_ isa.Type, a, b, c *big.Int) *big.Int { return add(mul(a, b), c) }},
	{"mad.hi", allInts, 3, 1, func(t isa.Type, a, b, c *big.Int) *big.Int { return add(high(t, mul(a, b)), c) }},
	{"mad.wide", "u16 s16 u32 s32", 3, 2, func(_ isa.Type, a, b, c *big.Int) *big.Int { return add(mul(a, b), c) }},
	{"mad.hi.sat", "s32", 3, 1, func(t isa.Type, a, b, c *big.Int) *big.Int { return clamp(t, add(high(t, mul(a, b)), c)) }},
	{"mul24.lo", ints32, 2, 1, func(t isa.Type, a, b, _ *big.Int) *big.Int { return mul(low24(t, a), low24(t, b)) }},
	{"mul24.hi", ints32, 2, 1, func(t isa.Type, a, b, _ *big.Int) *big.Int { return mul24Hi(t, a, b) }},
	{"mad24.lo", ints32, 3, 1, func(t isa.Type, a, b, c *big.Int) *big.Int { return add(mul(low24(t, a), low24(t, b)), c) }},
	{"mad24.hi", ints32, 3, 1, func(t isa.Type, a, b, c *big.Int) *big.Int { return add(mul24Hi(t, a, b), c) }},
	{"sad", allInts, 3, 1, func(_ isa.Type, a, b, c *big.Int) *big.Int { return add(new(big.Int).Abs(sub(a, b)), c) }},
	{"div", allInts, 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { q, _ := divide(a, b); return q }},
	{"rem", allInts, 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { _, r := divide(a, b); return r }},
	{"abs", "s16 s32 s64", 1, 1, func(_ isa.Type, a, _, _ *big.Int) *big.Int { return new(big.Int).Abs(a) }},
	{"neg", "s16 s32 s64", 1, 1, func(_ isa.Type, a, _, _ *big.Int) *big.Int { return new(big.Int).Neg(a) }},
	{"min", allInts, 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return lesser(a, b) }},
	{"max", allInts, 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return greater(a, b) }},
	{"min.relu", "s32", 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return positive(lesser(a, b)) }},
	{"max.relu", "s32", 2, 1, func(_ isa.Type, a, b, _ *big.Int) *big.Int { return positive(greater(a, b)) }},
}

func TestIntegerRowsObeyArithmeticOfUnboundedNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, law := range laws {
		for _, name := range words(law.types) {
			typ := isa.ParseType(name)
			rows := make([][]uint64, 30)
			for i := range rows {
				rows[i] = law.row(r, typ)
			}
			check(t, law.name+"."+name, 0, rows...)
		}
	}
}

func (law law) row(r *rand.Rand, typ isa.Type) []uint64 {
	var row []uint64
	n := [3]*big.Int{new(big.Int), new(big.Int), new(big.Int)}
	for i := range law.operands {
		bits := typ.Bits()
		if i == 2 {
			bits *= law.widen
		}
		x := operand(r, bits)
		row = append(row, x)
		n[i] = number(x, typ)
		if i == 2 {
			n[i] = new(big.Int).SetUint64(x)
		}
		if i == 2 && law.name == "mad.hi.sat" {
			n[i] = number(x, typ)
		}
	}
	return append(row, lowBits(law.f(typ, n[0], n[1], n[2]), typ.Bits()*law.widen))
}

// bit is bit i of x, zero beyond the width.
func bit(x uint64, i, width int) uint64 {
	if i < 0 || i >= width {
		return 0
	}
	return x >> i & 1
}

func TestBitFieldRowsMoveSingleBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range words("u32 s32 u64 s64") {
		typ := isa.ParseType(name)
		n := typ.Bits()
		extract, insert := make([][]uint64, 31), make([][]uint64, 31)
		for i := range extract {
			a, b, pos, length := operand(r, n), operand(r, n), operand(r, 32), operand(r, 32)
			p, k := int(pos&0xff), int(length&0xff)
			if n == 64 { // taken as they are
				p, k = int(min(pos, 1<<20)), int(min(length, 1<<20))
			}
			var field uint64
			merged := b
			for j := range n {
				source := p + j
				if j >= k && typ.IsSigned() && k > 0 {
					source = min(p+k-1, n-1)
				}
				if typ.IsSigned() && k > 0 {
					source = min(source, n-1)
				}
				if j < k || typ.IsSigned() && k > 0 {
					field |= bit(a, source, n) << j
				}
				if j < k && p+j < n {
					merged = merged&^(1<<(p+j)) | bit(a, j, n)<<(p+j)
				}
			}
			extract[i] = try(a, pos, length, field)
			insert[i] = try(a, b, pos, length, merged)
		}
		check(t, "bfe."+name, 0, extract...)
		if !typ.IsSigned() {
			check(t, "bfi.b"+name[1:], 0, insert...)
		}
	}
}

func TestBitCountingRowsGive32BitResults(t *testing.T) {
	check(t, "popc.b32", 0, try(0, 0), try(0xf00f, 8), try(0xffffffff, 32))
	check(t, "popc.b64", 0, try(0, 0), try(1<<63|1, 2), try(^uint64(0), 64))
	check(t, "clz.b32", 0, try(0, 32), try(1, 31), try(1<<31, 0))
	check(t, "clz.b64", 0, try(0, 64), try(1, 63), try(1<<40, 23))
	check(t, "brev.b32", 0, try(1, 1<<31), try(0x0f, 0xf0000000))
	check(t, "brev.b64", 0, try(1, 1<<63), try(0x0f<<32, 0xf0000000))
	check(t, "bfind.u32", 0, try(0, 0xffffffff), try(1, 0), try(0x10000000, 28))
	check(t, "bfind.s32", 0, try(0xffffffff, 0xffffffff), try(0xfffffffe, 0), try(0x7fffffff, 30))
	check(t, "bfind.u64", 0, try(^uint64(0), 63), try(0, 0xffffffff))
	check(t, "bfind.s64", 0, try(^uint64(0), 0xffffffff), try(1<<63, 62))
	check(t, "bfind.shiftamt.u32", 0, try(0x10000000, 3), try(0, 0xffffffff))
	check(t, "bfind.shiftamt.s32", 0, try(0xf0000000, 4), try(0xffffffff, 0xffffffff))
	check(t, "bfind.shiftamt.u64", 0, try(1, 63), try(0, 0xffffffff))
	check(t, "bfind.shiftamt.s64", 0, try(1<<63, 1), try(0, 0xffffffff))
}

func TestRareIntegerRows(t *testing.T) {
	check(t, "fns.b32", 0,
		try(0b1011_0100, 2, 0, 2), try(0b1011_0100, 3, 0, 0xffffffff), try(0b1011_0100, 2, 2, 4),
		try(0b1011_0100, 7, 0xffffffff, 7), try(0b1011_0100, 6, 0xffffffff-1, 4), try(0, 0, 1, 0xffffffff))
	check(t, "szext.clamp.u32", 0, try(0xffffffff, 4, 15), try(0xdeadbeef, 40, 0xdeadbeef), try(5, 0, 0))
	check(t, "szext.wrap.u32", 0, try(0xffffffff, 36, 15), try(7, 32, 0))
	check(t, "szext.clamp.s32", 0, try(8, 4, 0xfffffff8), try(7, 4, 7), try(0x80000000, 99, 0x80000000))
	check(t, "szext.wrap.s32", 0, try(8, 36, 0xfffffff8))
	check(t, "bmsk.clamp.b32", 0, try(4, 8, 0xff0), try(32, 8, 0), try(28, 40, 0xf0000000))
	check(t, "bmsk.wrap.b32", 0, try(36, 8, 0xff0), try(4, 32, 0))
	check(t, "dp4a.u32.u32", 0, try(0x01020304, 0x05060708, 10, 5+12+21+32+10))
	check(t, "dp4a.s32.s32", 0, try(0xff020304, 0x05fa0708, 0, lowBits(big.NewInt(-5-12+21+32), 32)))
	check(t, "dp4a.s32.u32", 0, try(0xff000000, 0xff000000, 1, lowBits(big.NewInt(-254), 32)))
	check(t, "dp4a.u32.s32", 0, try(0xff000000, 0xff000000, 1, lowBits(big.NewInt(-254), 32)))
	check(t, "dp2a.lo.u32.u32", 0, try(0x0003_0002, 0x09_09_05_07, 1, 2*7+3*5+1))
	check(t, "dp2a.hi.u32.u32", 0, try(0x0003_0002, 0x05_07_09_09, 1, 2*7+3*5+1))
	check(t, "dp2a.lo.s32.u32", 0, try(0xffff_0002, 0xff_07, 0, lowBits(big.NewInt(14-255), 32)))
	check(t, "dp2a.hi.s32.s32", 0, try(0xffff_0002, 0xff07_0000, 0, 15))
	check(t, "mad24.hi.sat.s32", 0, try(0x7fffff, 0x7fffff, 0x7fffffff, 0x7fffffff), try(0x10000, 1, 5, 6))
	check(t, "add.u16x2", 0, try(0xffff_0001, 0x0001_ffff, 0))
	check(t, "add.s16x2", 0, try(0x7fff_8000, 0x0001_8000, 0x8000_0000))
	check(t, "min.u16x2", 0, try(0xffff_0001, 0x0001_0002, 0x0001_0001))
	check(t, "max.u16x2", 0, try(0xffff_0001, 0x0001_0002, 0xffff_0002))
	check(t, "min.s16x2", 0, try(0xffff_0001, 0x0001_0002, 0xffff_0001))
	check(t, "max.s16x2", 0, try(0xffff_0001, 0x0001_0002, 0x0001_0002))
	check(t, "min.relu.s16x2", 0, try(0xffff_0001, 0x0001_0002, 0x0000_0001))
	check(t, "add.u8x4", 0, try(0xff01_80ff, 0x0101_8001, 0x0002_0000))
	check(t, "add.sat.u8x4", 0, try(0xff01_80ff, 0x0101_8001, 0xff02_ffff))
	check(t, "add.sat.s8x4", 0, try(0x7f01_80ff, 0x0101_8001, 0x7f02_8000))
	check(t, "add.sat.u16x2", 0, try(0xffff_0001, 0x0001_0001, 0xffff_0002))
	check(t, "add.sat.s16x2", 0, try(0x7fff_8000, 0x0001_ffff, 0x7fff_8000))
	check(t, "add.sat.u32", 0, try(0xffffffff, 2, 0xffffffff))
	check(t, "sub.s8x4", 0, try(0x0001_8000, 0x0101_0101, 0xff00_7fff))
	check(t, "sub.u16x2", 0, try(0x0000_0001, 0x0001_0001, 0xffff_0000))
	check(t, "sub.sat.u8x4", 0, try(0x0003_8000, 0x0101_0101, 0x0002_7f00))
	check(t, "sub.sat.s8x4", 0, try(0x8003_8000, 0x0101_0101, 0x8002_80ff))
	check(t, "sub.sat.u16x2", 0, try(0x0000_0003, 0x0001_0001, 0x0000_0002))
	check(t, "sub.sat.s16x2", 0, try(0x8000_0003, 0x0001_0001, 0x8000_0002))
	check(t, "sub.sat.u32", 0, try(1, 2, 0))
	check(t, "neg.s8x4", 0, try(0x8001_ff00, 0x80ff_0100))
	check(t, "neg.s16x2", 0, try(0x8000_0001, 0x8000_ffff))
	check(t, "min.u8x4", 0, try(0x80_7f_01_ff, 0x01_80_02_00, 0x01_7f_01_00))
	check(t, "max.s8x4", 0, try(0x80_7f_01_ff, 0x01_80_02_00, 0x01_7f_02_00))
	check(t, "min.s8x4", 0, try(0x80_7f_01_ff, 0x01_80_02_00, 0x80_80_01_ff))
	check(t, "max.u8x4", 0, try(0x80_7f_01_ff, 0x01_80_02_00, 0x80_80_02_ff))
	check(t, "clmad.lo.u64", 0, try(5, 3, 1, 14))
	check(t, "clmad.hi.u64", 0, try(1<<63, 2, 4, 5))
	check(t, "max.relu.s16x2", 0, try(0xffff_0001, 0xfffe_0002, 0x0000_0002))
}

// C07: the carry of a multiply-add reaches madc, that of add.cc addc, and
// addc without .cc keeps it.
func TestCarryRunsThroughAChain(t *testing.T) {
	var w isa.Warp
	w.Mask = isa.Full
	step := func(text string, a, b, c uint64) uint64 {
		operands := 3
		if text[0] == 'm' {
			operands = 4
		}
		trial := newTrial(t, text, operands, 0)
		trial.w.Mask, trial.w.Carry = w.Mask, w.Carry
		var got func(l int) uint64
		values := []uint64{a, b, c}
		for i, arg := range trial.args {
			if r := trial.place(arg, func(int) uint64 { return values[i-1] }); r != nil {
				got = r[0]
			}
		}
		trial.exec(&trial.w, &trial.in)
		w.Carry = trial.w.Carry
		return got(w.Mask.First())
	}
	const ones = 0xffffffff
	for _, c := range []struct {
		text          string
		a, b, c, want uint64
	}{
		{"mad.lo.cc.u32", ones, ones, ones, 0},
		{"madc.hi.u32", ones, ones, 0, ones},
		{"add.cc.u32", ones, 1, 0, 0},
		{"addc.cc.u32", ones, 0, 0, 0},
		{"addc.u32", 0, 0, 0, 1},
		{"addc.cc.u32", 0, 0, 0, 1},
		{"addc.u32", 0, 0, 0, 0},
		{"sub.cc.u32", 0, 1, 0, ones},
		{"subc.cc.u32", 5, 5, 0, ones},
		{"subc.u32", 5, 5, 0, ones},
		{"add.cc.s64", ^uint64(0), 1, 0, 0},
		{"addc.u64", 1, 1, 0, 3},
		{"sub.cc.u64", 0, 1, 0, ^uint64(0)},
		{"subc.s64", 1, 0, 0, 0},
		{"mad.hi.cc.s32", ones, 1, 1, 0},
		{"madc.lo.u32", 2, 3, 4, 11},
		{"mad.lo.cc.u64", ^uint64(0), 1, 1, 0},
		{"madc.hi.cc.u64", ^uint64(0), ^uint64(0), 0, ^uint64(0)},
		{"madc.hi.s64", ^uint64(0), 1, 0, ^uint64(0)},
	} {
		if got := step(c.text, c.a, c.b, c.c); got != c.want {
			t.Errorf("%s %#x, %#x, %#x = %#x, want %#x", c.text, c.a, c.b, c.c, got, c.want)
		}
	}
	w.Mask, w.Carry = 0x10, isa.Full
	step("add.cc.u32", 1, 1, 0)
	if w.Carry != isa.Full&^0x10 {
		t.Errorf("add.cc in lane 4 left the carries %08x", w.Carry)
	}
}
