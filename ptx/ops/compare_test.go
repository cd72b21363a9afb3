package ops

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// holds says whether a comparison holds between operands that are ordered as
// order tells: -1, 0, 1, or 2 for unordered.
func holds(op string, order int) bool {
	if order == 2 {
		return op == "nan" || len(op) == 3 && op != "num" && op != "nan"
	}
	switch op {
	case "lt", "lo", "ltu":
		return order < 0
	case "le", "ls", "leu":
		return order <= 0
	case "gt", "hi", "gtu":
		return order > 0
	case "ge", "hs", "geu":
		return order >= 0
	case "eq", "equ":
		return order == 0
	case "ne", "neu":
		return order != 0
	}
	return op == "num"
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func orderOfFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return 2
}

// comparisons calls f with each type, its operators, operands and their order.
func comparisons(f func(typ isa.Type, ops []string, pairs [][2]uint64, order func(a, b uint64) int)) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range words("b16 b32 b64 s16 s32 s64 u16 u32 u64") {
		typ := isa.ParseType(name)
		var pairs [][2]uint64
		for range 29 {
			a, b := operand(r, typ.Bits()), operand(r, typ.Bits())
			pairs = append(pairs, [2]uint64{a, b}, [2]uint64{a, a})
		}
		ops := map[byte]string{'b': "bcmp", 's': "scmp", 'u': "ucmp"}[name[0]]
		f(typ, vocabulary[ops], pairs, func(a, b uint64) int { return number(a, typ).Cmp(number(b, typ)) })
	}
	values := []float64{math.NaN(), math.Inf(-1), -1, math.Copysign(0, -1), 0, 1, 1.5, math.Inf(1)}
	for typ, bitsOf := range map[isa.Type]func(x float64) uint64{
		isa.F32: func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) },
		isa.F64: math.Float64bits,
	} {
		var pairs [][2]uint64
		for _, a := range values {
			for _, b := range values {
				pairs = append(pairs, [2]uint64{bitsOf(a), bitsOf(b)})
			}
		}
		f(typ, vocabulary["fcmp"], pairs, func(a, b uint64) int {
			if typ == isa.F32 {
				return orderOfFloats(float64(math.Float32frombits(uint32(a))), float64(math.Float32frombits(uint32(b))))
			}
			return orderOfFloats(math.Float64frombits(a), math.Float64frombits(b))
		})
	}
}

// chunks calls f with parts of rows that fit the lanes of a warp.
func chunks(rows [][]uint64, f func(rows [][]uint64)) {
	for len(rows) > 0 {
		n := min(len(rows), isa.WarpSize)
		f(rows[:n])
		rows = rows[n:]
	}
}

func TestSetpAndSetCompareEveryTypeWithEveryOperator(t *testing.T) {
	comparisons(func(typ isa.Type, ops []string, pairs [][2]uint64, order func(a, b uint64) int) {
		for _, op := range ops {
			var setp, and, xor, set, setOr [][]uint64
			for i, p := range pairs {
				a, b, c := p[0], p[1], uint64(i%3&1)
				v := truth(holds(op, order(a, b)))
				setp = append(setp, try(a, b, v, v^1))
				and = append(and, try(a, b, c, v&c, (v^1)&c))
				xor = append(xor, try(a, b, c, v^c, v^1^c))
				set = append(set, try(a, b, v*0xffffffff))
				setOr = append(setOr, try(a, b, c, (v|c)*0x3f800000))
			}
			name := op + "." + typ.String()
			chunks(setp, func(rows [][]uint64) { check(t, "setp."+name, 0, rows...) })
			chunks(and, func(rows [][]uint64) { check(t, "setp."+op+".and."+typ.String(), 0, rows...) })
			chunks(xor, func(rows [][]uint64) { check(t, "setp."+op+".xor."+typ.String(), 0, rows...) })
			chunks(set, func(rows [][]uint64) { check(t, "set."+op+".u32."+typ.String(), 0, rows...) })
			chunks(setOr, func(rows [][]uint64) { check(t, "set."+op+".or.f32."+typ.String(), 0, rows...) })
		}
	})
}

func TestComparisonsFlush(t *testing.T) {
	check(t, "setp.eq.ftz.f32", 0, try(1, 0, 1, 0), try(0x00800000, 0, 0, 1))
	check(t, "setp.gt.f32", 0, try(1, 0, 1, 0))
	check(t, "set.lt.ftz.s32.f32", 0, try(0, 1, 0))
	check(t, "setp.eq.ftz.f16", 0, try(1, 0, 1, 0))
	check(t, "setp.eq.f16", 0, try(1, 0, 0, 1))
}

func TestSetpOfPairsComparesHalvesApart(t *testing.T) {
	check(t, "setp.lt.f16x2", 0, try(pair(h1, h2), pair(h2, h1), 0, 1), try(pair(h2, h1), pair(h1, h2), 1, 0))
	check(t, "setp.lt.and.f16x2", 0, try(pair(h1, h1), pair(h2, h2), 0, 0, 0), try(pair(h1, h1), pair(h2, h2), 1, 1, 1))
	check(t, "setp.ge.bf16x2", 0, try(pair(b1, b2), pair(b2, b1), 1, 0))
	check(t, "setp.neu.bf16", 0, try(nan16, b1, 1, 0))
	check(t, "setp.ne.f16", 0, try(nan16, h1, 0, 1))
}

func TestSetOfHalvesWritesTheTypeOfItsResult(t *testing.T) {
	check(t, "set.lt.f16.f16", 0, try(h1, h2, h1), try(h2, h1, 0))
	check(t, "set.lt.u16.f16", 0, try(h1, h2, 0xffff))
	check(t, "set.lt.s32.f16", 0, try(h1, h2, 0xffffffff))
	check(t, "set.lt.bf16.bf16", 0, try(b1, b2, b1))
	check(t, "set.lt.f16x2.f16x2", 0, try(pair(h1, h2), pair(h2, h1), pair(h1, 0)))
	check(t, "set.lt.or.u32.f16x2", 0, try(pair(h1, h2), pair(h2, h1), 0, 0xffff0000), try(0, 0, 1, 0xffffffff))
	check(t, "set.lt.bf16x2.bf16x2", 0, try(pair(b2, b1), pair(b1, b2), pair(0, b1)))
	check(t, "set.lo.f16.u32", 0, try(1, 2, h1))
	check(t, "set.gt.bf16.f64", 0, try(dThree, dOne, b1))
}

func TestSelection(t *testing.T) {
	check(t, "selp.b16", 0, try(1, 2, 1, 1), try(1, 2, 0, 2))
	check(t, "selp.f32", 0, try(0x7f800001, 2, 1, 0x7f800001), try(1, 2, 0, 2))
	check(t, "selp.u64", 0, try(1<<40, 2<<40, 1, 1<<40), try(1<<40, 2<<40, 0, 2<<40))
	// C11.
	check(t, "slct.u32.f32", 0, try(11, 22, signBit, 11), try(11, 22, 0x7fc00000, 22), try(11, 22, signBit|1, 22))
	check(t, "slct.ftz.u32.f32", 0, try(11, 22, signBit|1, 11))
	check(t, "slct.f64.s32", 0, try(dOne, dThree, 0, dOne), try(dOne, dThree, signBit, dThree))
	check(t, "slct.b16.s32", 0, try(1, 2, 5, 1))
	check(t, "sad.u32", 0, try(1, 0xffffffff, 5, 3))
	check(t, "set.lt.u32.s32", 0, try(0xffffffff, 11, 0xffffffff))
	check(t, "set.lt.f32.s32", 0, try(0xffffffff, 11, fOne))
}

func TestNegatedPredicateSources(t *testing.T) {
	for _, text := range []string{"mov.pred", "setp.eq.and.s32", "and.pred", "selp.b32"} {
		b := newTrial(t, text, map[string]int{"mov.pred": 2, "setp.eq.and.s32": 4, "and.pred": 3, "selp.b32": 4}[text], 0)
		var got func(l int) uint64
		for _, arg := range b.args {
			if r := b.place(arg, func(int) uint64 { return 0 }); r != nil {
				got = r[0]
			}
		}
		b.in.SNot, b.in.QNot = true, true
		if text == "selp.b32" {
			b.fill(b.in.A, 32, func(int) uint64 { return 1 })
		}
		b.w.Mask = 0x10
		b.exec(&b.w, &b.in)
		if got(4) != 1 {
			t.Errorf("%s of a negated false predicate is not true", text)
		}
	}
}
