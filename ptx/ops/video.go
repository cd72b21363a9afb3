package ops

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const (
	videoTypes = "u32 s32 / u32 s32 / u32 s32"
	shiftTypes = "u32 s32 / u32 s32 / u32"
	vsetTypes  = "u32 s32 / u32 s32"
)

// video is PTX ISA 9.7.17, scalar video instructions. Each comes without a
// third operand, with a secondary operation on it, or merging the result into
// it. Their operands may name a byte or a half; see Select.
var video = []isa.Op{
	{Name: "vadd", Mods: "{sat}", Types: videoTypes, Args: "d, a., b.", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vadd", Mods: "{sat} add|min|max", Types: videoTypes, Args: "d, a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vadd", Mods: "{sat}", Types: videoTypes, Args: "d., a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vsub", Mods: "{sat}", Types: videoTypes, Args: "d, a., b.", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vsub", Mods: "{sat} add|min|max", Types: videoTypes, Args: "d, a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vsub", Mods: "{sat}", Types: videoTypes, Args: "d., a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vabsdiff", Mods: "{sat}", Types: videoTypes, Args: "d, a., b.", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vabsdiff", Mods: "{sat} add|min|max", Types: videoTypes, Args: "d, a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vabsdiff", Mods: "{sat}", Types: videoTypes, Args: "d., a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vmin", Mods: "{sat}", Types: videoTypes, Args: "d, a., b.", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vmin", Mods: "{sat} add|min|max", Types: videoTypes, Args: "d, a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vmin", Mods: "{sat}", Types: videoTypes, Args: "d., a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vmax", Mods: "{sat}", Types: videoTypes, Args: "d, a., b.", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vmax", Mods: "{sat} add|min|max", Types: videoTypes, Args: "d, a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vmax", Mods: "{sat}", Types: videoTypes, Args: "d., a., b., c", Since: 20, SM: 20, Doc: "9.7.17.1", Bind: bindVideo},
	{Name: "vshl", Mods: "{sat} clamp|wrap", Types: shiftTypes, Args: "d, a., b.", Since: 20, SM: 20, Doc: "9.7.17.2", Bind: bindVideo},
	{Name: "vshl", Mods: "{sat} clamp|wrap add|min|max", Types: shiftTypes, Args: "d, a., b., c", Since: 20, SM: 20, Doc: "9.7.17.2", Bind: bindVideo},
	{Name: "vshl", Mods: "{sat} clamp|wrap", Types: shiftTypes, Args: "d., a., b., c", Since: 20, SM: 20, Doc: "9.7.17.2", Bind: bindVideo},
	{Name: "vshr", Mods: "{sat} clamp|wrap", Types: shiftTypes, Args: "d, a., b.", Since: 20, SM: 20, Doc: "9.7.17.2", Bind: bindVideo},
	{Name: "vshr", Mods: "{sat} clamp|wrap add|min|max", Types: shiftTypes, Args: "d, a., b., c", Since: 20, SM: 20, Doc: "9.7.17.2", Bind: bindVideo},
	{Name: "vshr", Mods: "{sat} clamp|wrap", Types: shiftTypes, Args: "d., a., b., c", Since: 20, SM: 20, Doc: "9.7.17.2", Bind: bindVideo},
	{Name: "vmad", Mods: "{po} {sat} {shr7|shr15}", Types: videoTypes, Args: "d, a., b., c.", Unit: isa.FMA, Since: 20, SM: 20, Doc: "9.7.17.3", Bind: bindVmad},
	{Name: "vset", Mods: "scmp", Types: vsetTypes, Args: "d:u32, a.:0, b.:1", Since: 20, SM: 20, Doc: "9.7.17.4", Bind: bindVset},
	{Name: "vset", Mods: "scmp add|min|max", Types: vsetTypes, Args: "d:u32, a.:0, b.:1, c:u32", Since: 20, SM: 20, Doc: "9.7.17.4", Bind: bindVset},
	{Name: "vset", Mods: "scmp", Types: vsetTypes, Args: "d.:u32, a.:0, b.:1, c:u32", Since: 20, SM: 20, Doc: "9.7.17.4", Bind: bindVset},
}

// Select encodes what a video operand names besides its register, for Inst.Imm:
// whether it selects halves or bytes, the selected numbers (a nibble each, the
// last written lowest), how many they are (0 for the whole register), and a
// minus sign. role is the operand's role, "d.", "a.", "b." or "c.". The
// encodings of an instruction's operands are or-ed. The error says what the
// instruction does not allow.
func Select(f *isa.Form, role string, half bool, digits uint32, count int, negated bool) (int64, error) {
	if count > 0 {
		if err := selectable(f, role, half, digits, count); err != nil {
			return 0, err
		}
	}
	i := roleNumber(role[0])
	var s int64
	if negated {
		if f.Op.Name != "vmad" || role == "d." || f.Has("po") {
			return 0, errors.New("a negated operand does not apply here")
		}
		s = 1 << (60 + i)
	}
	if role == "c." {
		return s, nil
	}
	if half {
		s |= 1 << (51 + 4*i)
	}
	return s | int64(digits&0xffff)<<(16*i) | int64(count)<<(48+4*i), nil
}

// selectable checks a selector against the instruction: scalar ones name one
// element, SIMD ones elements of their width.
func selectable(f *isa.Form, role string, half bool, digits uint32, count int) error {
	name := f.Op.Name
	most, least, end := 1, 1, uint32(4) // end is the number of elements
	if half {
		end = 2
	}
	if n := int(name[len(name)-1] - '0'); n == 2 || n == 4 {
		if half != (n == 2) {
			return fmt.Errorf("%s selects elements of the other width", name)
		}
		most, least = n, n
		if role == "d." {
			least = 1
		} else {
			end *= 2
		}
	}
	if role == "c." || count < least || count > most {
		return fmt.Errorf("a selector of %d elements does not apply here", count)
	}
	for i := range count {
		if digits>>(4*i)&0xf >= end {
			return fmt.Errorf("there is no element %d", digits>>(4*i)&0xf)
		}
	}
	return nil
}

func roleNumber(r byte) int { return int(r-'a'+1) & 3 } // d is 0

// selector is the decoded part of one operand.
type selector struct {
	digits  uint32
	count   int
	width   int // of an element, in bits
	negated bool
}

func selectorOf(in *isa.Inst, role byte) selector {
	i := roleNumber(role)
	s := selector{digits: uint32(in.Imm>>(16*i)) & 0xffff, count: int(in.Imm>>(48+4*i)) & 7, width: 8, negated: in.Imm>>(60+i)&1 != 0}
	if in.Imm>>(51+4*i)&1 != 0 {
		s.width = 16
	}
	if s.count == 0 {
		s.width = 32
	}
	return s
}

// part is element i, of some width, of x.
func part(x uint64, i uint32, width int, signed bool) int64 {
	x = x >> (int(i) * width) << (64 - width)
	if signed {
		return int64(x) >> (64 - width)
	}
	return int64(x >> (64 - width))
}

// clampTo limits x to the range of an integer of some width.
func clampTo(x int64, width int, signed bool) int64 {
	if signed {
		return min(max(x, -1<<(width-1)), 1<<(width-1)-1)
	}
	return min(max(x, 0), 1<<width-1)
}

// videoFunction is what a scalar or SIMD video instruction does to a pair of
// elements.
func videoFunction(f *isa.Form) func(a, b int64) int64 {
	switch f.Op.Name[:4] {
	case "vadd":
		return func(a, b int64) int64 { return a + b }
	case "vsub":
		return func(a, b int64) int64 { return a - b }
	case "vabs":
		return func(a, b int64) int64 { return max(a-b, b-a) }
	case "vmin":
		return func(a, b int64) int64 { return min(a, b) }
	case "vmax":
		return func(a, b int64) int64 { return max(a, b) }
	case "vavr":
		return average
	case "vset":
		op := comparison(f)
		return func(a, b int64) int64 {
			if alu.CmpS64(op, uint64(a), uint64(b)) {
				return 1
			}
			return 0
		}
	}
	shift := shiftLeft
	if f.Op.Name == "vshr" {
		shift = func(a, n int64) int64 { return a >> n }
	}
	if f.Has("wrap") {
		return func(a, n int64) int64 { return shift(a, n&31) }
	}
	return func(a, n int64) int64 { return shift(a, min(n, 32)) }
}

// average rounds halves away from zero.
func average(a, b int64) int64 {
	if a+b >= 0 {
		return (a + b + 1) >> 1
	}
	return (a + b) >> 1
}

// shiftLeft shifts a 33-bit number by up to 32 bits. What leaves 63 bits ends
// at 2^62, which is beyond every range and zero in the low word, as it should.
func shiftLeft(a, n int64) int64 {
	d := a << n
	if d>>n == a && d == d<<1>>1 {
		return d
	}
	if a < 0 {
		return -1 << 62
	}
	return 1 << 62
}

// secondary is the operation on the third operand, nil if there is none.
func secondary(f *isa.Form) func(t, c int64) int64 {
	switch f.Any("add", "min", "max") {
	case "add":
		return func(t, c int64) int64 { return t + c }
	case "min":
		return func(t, c int64) int64 { return min(t, c) }
	case "max":
		return func(t, c int64) int64 { return max(t, c) }
	}
	return nil
}

func bindVideo(f *isa.Form) isa.Handler { return scalarVideo(f, f.Type(0), f.Type(1), f.Type(2)) }

func bindVset(f *isa.Form) isa.Handler { return scalarVideo(f, isa.U32, f.Type(0), f.Type(1)) }

func scalarVideo(f *isa.Form, dt, at, bt isa.Type) isa.Handler {
	op, then, sat := videoFunction(f), secondary(f), f.Has("sat")
	signed := dt.IsSigned()
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b, c := w.Args3(in)
		ds, as, bs := selectorOf(in, 'd'), selectorOf(in, 'a'), selectorOf(in, 'b')
		for l := range m.All {
			t := op(part(uint64(a[l]), as.digits, as.width, at.IsSigned()), part(uint64(b[l]), bs.digits, bs.width, bt.IsSigned()))
			if sat {
				t = clampTo(t, ds.width, signed)
			}
			if then != nil {
				t = then(t, part(uint64(c[l]), 0, 32, signed))
			}
			d[l] = merged(uint32(t), c[l], ds.digits, ds.width)
		}
	}
}

// merged puts t in the place of element i of c.
func merged(t, c, i uint32, width int) uint32 {
	mask := uint32(1<<width-1) << (int(i) * width)
	return t<<(int(i)*width)&mask | c&^mask
}

// bindVmad computes a*b+c on 128 bits, shifts, and keeps the low word. A
// negation inverts one addend and adds one with the carry.
func bindVmad(f *isa.Form) isa.Handler {
	shift := map[string]int{"shr7": 7, "shr15": 15}[f.Any("shr7", "shr15")]
	at, bt := f.Type(1).IsSigned(), f.Type(2).IsSigned()
	po, sat := f.Has("po"), f.Has("sat")
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b, c := w.Args3(in)
		as, bs, cs := selectorOf(in, 'a'), selectorOf(in, 'b'), selectorOf(in, 'c')
		x := vmad{negate: as.negated != bs.negated, negateC: cs.negated, plusOne: po, shift: shift}
		x.signed = at || bt || x.negate || x.negateC
		for l := range m.All {
			hi, lo := x.sum(part(uint64(a[l]), as.digits, as.width, at), part(uint64(b[l]), bs.digits, bs.width, bt), c[l])
			if sat {
				lo = saturate128(hi, lo, x.signed)
			}
			d[l] = uint32(lo)
		}
	}
}

type vmad struct {
	negate, negateC, plusOne, signed bool
	shift                            int
}

func (x vmad) sum(a, b int64, c32 uint32) (hi int64, lo uint64) {
	hi, lo = int64(alu.MulHiS64(uint64(a), uint64(b))), uint64(a)*uint64(b)
	c := part(uint64(c32), 0, 32, x.signed)
	one := uint64(0)
	switch {
	case x.plusOne:
		one = 1
	case x.negate:
		hi, lo, one = ^hi, ^lo, 1
	case x.negateC:
		c, one = ^c, 1
	}
	lo, carry := bits.Add64(lo, uint64(c), 0)
	hi += c>>63 + int64(carry)
	lo, carry = bits.Add64(lo, one, 0)
	hi += int64(carry)
	if x.shift > 0 {
		lo, hi = lo>>x.shift|uint64(hi)<<(64-x.shift), hi>>x.shift
	}
	return hi, lo
}

// saturate128 clamps to the range of 32 bits.
func saturate128(hi int64, lo uint64, signed bool) uint64 {
	top := int64(1)<<32 - 1
	if signed {
		top = 1<<31 - 1
	}
	switch {
	case hi > 0 || hi == 0 && lo > uint64(top):
		return uint64(top)
	case hi < -1 || hi == -1 && int64(lo) >= 0:
		return uint64(clampTo(-1<<62, 32, signed))
	case hi == -1:
		return uint64(clampTo(int64(lo), 32, signed))
	}
	return lo
}
