package ops

import (
	"errors"
	"fmt"

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
	shift := func(a, n int64) int64 { return a << n }
	switch {
	case f.Op.Name == "vshr":
		shift = func(a, n int64) int64 { return a >> n }
	case f.Has("sat"): // of 34 bits
		shift = func(a, n int64) int64 { return a << n << 30 >> 30 }
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

// secondary is the operation on the third operand, nil if there is none. Few
// video instructions are left in hardware; the sequences that stand for them
// compare on 64 bits, unsigned for an unsigned type even though the first
// result may be negative, and sums, differences and saturated shifts only after
// they were cut to 32 bits and extended.
func secondary(f *isa.Form) func(t int64, c uint32) int64 {
	cut := func(t int64) int64 { return t }
	switch name := f.Op.Name; {
	case name == "vadd" || name == "vsub", f.Has("sat") && (name == "vshl" || name == "vshr"):
		cut = func(t int64) int64 { return int64(int32(t)) }
	}
	smaller := func(t int64, c uint32) bool { return uint64(t) < uint64(c) }
	if f.Type(0).IsSigned() {
		smaller = func(t int64, c uint32) bool { return t < int64(int32(c)) }
	}
	switch f.Any("add", "min", "max") {
	case "add":
		return func(t int64, c uint32) int64 { return t + int64(c) }
	case "min":
		return func(t int64, c uint32) int64 {
			if smaller(cut(t), c) {
				return t
			}
			return int64(c)
		}
	case "max":
		return func(t int64, c uint32) int64 {
			if smaller(cut(t), c) {
				return int64(c)
			}
			return t
		}
	}
	return nil
}

// saturation is the .sat of a scalar form, for a result of some width, as the
// sequences do it. They clamp shifts to words, whatever part of them is merged;
// they replace unsigned words only if negative; and in a part they take every
// number beyond 32 bits, negative ones included, for too large.
func saturation(f *isa.Form, signed bool) func(t int64, width int) int64 {
	shifts := f.Op.Name == "vshl" || f.Op.Name == "vshr"
	return func(t int64, width int) int64 {
		switch {
		case shifts || width == 32 && signed:
			return clampTo(t, 32, signed)
		case width == 32:
			return max(t, 0)
		}
		most := int64(1)<<width - 1
		if signed {
			most >>= 1
		}
		if t>>32 != 0 {
			return most
		}
		return min(t, most)
	}
}

func bindVideo(f *isa.Form) isa.Handler { return scalarVideo(f, f.Type(0), f.Type(1), f.Type(2)) }

func bindVset(f *isa.Form) isa.Handler { return scalarVideo(f, isa.U32, f.Type(0), f.Type(1)) }

func scalarVideo(f *isa.Form, dt, at, bt isa.Type) isa.Handler {
	op, then, sat := videoFunction(f), secondary(f), f.Has("sat")
	saturate := saturation(f, dt.IsSigned())
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b, c := w.Args3(in)
		ds, as, bs := selectorOf(in, 'd'), selectorOf(in, 'a'), selectorOf(in, 'b')
		for l := range m.All {
			t := op(part(uint64(a[l]), as.digits, as.width, at.IsSigned()), part(uint64(b[l]), bs.digits, bs.width, bt.IsSigned()))
			if sat {
				t = saturate(t, ds.width)
			}
			if then != nil {
				t = then(t, c[l])
			}
			if ds.width == 16 && ds.digits == 1 {
				t >>= 16 // the sequences move a half from where it goes to
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

// bindVmad computes a*b+c on 64 bits, shifts, and keeps the low word. A
// negation inverts one addend and adds one with the carry. The multiplication
// is a signed one of words whatever the types, which tell how to shift and
// clamp.
func bindVmad(f *isa.Form) isa.Handler {
	shift := map[string]int{"shr7": 7, "shr15": 15}[f.Any("shr7", "shr15")]
	at, bt := f.Type(1).IsSigned(), f.Type(2).IsSigned()
	po, sat := f.Has("po"), f.Has("sat")
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b, c := w.Args3(in)
		as, bs, cs := selectorOf(in, 'a'), selectorOf(in, 'b'), selectorOf(in, 'c')
		negate, negateC := as.negated != bs.negated, cs.negated
		signed := at || bt || negate || negateC
		for l := range m.All {
			x := part(uint64(a[l]), as.digits, as.width, at)
			y := part(uint64(b[l]), bs.digits, bs.width, bt)
			product, addend := int64(int32(x))*int64(int32(y)), int64(int32(c[l]))
			switch {
			case po:
				addend++
			case negate:
				product = -product
			case negateC:
				addend = -addend
			}
			sum := product + addend
			if signed {
				sum >>= shift
			} else {
				sum = int64(uint64(sum) >> shift)
			}
			if sat {
				sum = clampTo(sum, 32, signed)
			}
			d[l] = uint32(sum)
		}
	}
}
