package alu_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

func TestScalarVideoInstructions(t *testing.T) {
	const a, b, c = 0x80ff7f01, 0x00020310, 0x11223344
	for _, test := range []struct {
		name string
		v    Video
		want uint32
	}{
		{"vadd words", Video{Op: VAdd}, 0x81018211},
		{"vadd sat s32 of u32", Video{Op: VAdd, DSigned: true, Sat: true}, 0x7fffffff},
		{"vadd byte of a", Video{Op: VAdd, A: B3, ASigned: true, B: B0}, 0xffffff90},
		{"vsub into a byte, merged", Video{Op: VSub, A: B1, B: B0, D: B2}, 0x116f3344},
		{"vsub sat u8 into a byte", Video{Op: VSub, A: B0, B: B0, D: B1, Sat: true}, 0x11220044},
		{"vadd sat s16 into a half", Video{Op: VAdd, A: H1, B: H0, D: H1, DSigned: true, Sat: true}, 0x7fff3344},
		{"vabsdiff", Video{Op: VAbsDiff, A: B0, B: B0}, 0xf},
		{"vmin signed", Video{Op: VMin, A: H1, ASigned: true, B: H1}, 0xffff80ff},
		{"vmax with add", Video{Op: VMax, Second: VAdd, A: B0, B: B0}, 0x11223354},
		{"vadd with max", Video{Op: VAdd, Second: VMax, A: B0, B: B0}, 0x11223344},
		{"vset", Video{Op: VSet(Lt), A: H1, ASigned: true, B: B0}, 1},
		{"vset merged", Video{Op: VSet(Ge), A: H1, ASigned: true, B: B0, D: H0}, 0x11220000},
		{"vshl clamp", Video{Op: VShlClamp, B: B1}, 0x07fbf808},
		{"vshl clamp far", Video{Op: VShlClamp, B: H0}, 0},
		{"vshl clamp far, saturated", Video{Op: VShlClamp, B: H0, Sat: true}, 0xffffffff},
		{"vshl wrap", Video{Op: VShlWrap, B: B0}, 0x7f010000},
		{"vshr clamp signed", Video{Op: VShrClamp, ASigned: true, B: H0}, 0xffffffff},
		{"vshr wrap", Video{Op: VShrWrap, B: B0}, 0x80ff},
	} {
		if got := test.v.Eval(a, b, c); got != test.want {
			t.Errorf("%s = %#x, want %#x", test.name, got, test.want)
		}
	}
}

func TestPackedVideoInstructions(t *testing.T) {
	a2, b2 := [4]uint8{0, 1}, [4]uint8{2, 3}
	a4, b4 := [4]uint8{0, 1, 2, 3}, [4]uint8{4, 5, 6, 7}
	const a, b, c = 0x80ff7f01, 0x00020310, 0x11223344
	for _, test := range []struct {
		name string
		v    VideoPacked
		want uint32
	}{
		{"vadd2", VideoPacked{Op: VAdd, Elements: 2, A: a2, B: b2, Mask: 3}, 0x81018211},
		{"vadd2 sat s16", VideoPacked{Op: VAdd, Elements: 2, A: a2, B: b2, Mask: 3, DSigned: true, Sat: true}, 0x7fff7fff},
		{"vadd2 of the low half", VideoPacked{Op: VAdd, Elements: 2, A: a2, B: b2, Mask: 1}, 0x11228211},
		{"vsub2 swapped", VideoPacked{Op: VSub, Elements: 2, A: [4]uint8{1, 0}, B: b2, Mask: 3}, 0x7eff7def},
		{"vmin4 signed", VideoPacked{Op: VMin, Elements: 4, A: a4, B: b4, Mask: 15, ASigned: true, BSigned: true}, 0x80ff0301},
		{"vabsdiff4 added", VideoPacked{Op: VAbsDiff, Elements: 4, A: a4, B: b4, Mask: 15, Add: true}, 0x11223344 + 0x80 + 0xfd + 0x7c + 0xf},
		{"vavrg4", VideoPacked{Op: VAvrg, Elements: 4, A: a4, B: b4, Mask: 15}, 0x40814109},
		{"vavrg4 signed", VideoPacked{Op: VAvrg, Elements: 4, A: a4, B: b4, Mask: 15, ASigned: true, BSigned: true}, 0xc0014109},
		{"vset4", VideoPacked{Op: VSet(Gt), Elements: 4, A: a4, B: b4, Mask: 15}, 0x01010100},
	} {
		if got := test.v.Eval(a, b, c); got != test.want {
			t.Errorf("%s = %#x, want %#x", test.name, got, test.want)
		}
	}
}

func TestVideoMultiplyAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	edges := []uint32{0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff}
	word := func() uint32 {
		if rng.IntN(2) == 0 {
			return edges[rng.IntN(len(edges))]
		}
		return rng.Uint32()
	}
	typ := func(isSigned bool) Int {
		if isSigned {
			return S32
		}
		return U32
	}
	for range 20000 {
		a, b, c := word(), word(), word()
		bit := func() bool { return rng.IntN(2) == 0 }
		v := VideoMad{ASigned: bit(), BSigned: bit(), Shift: []uint{0, 7, 15}[rng.IntN(3)], Sat: bit()}
		switch rng.IntN(4) {
		case 0:
			v.NegProduct = true
		case 1:
			v.NegC = true
		case 2:
			v.PlusOne = true
		}
		sum := bigMul(intValue(typ(v.ASigned), uint64(a)), intValue(typ(v.BSigned), uint64(b)), nil)
		product := v.ASigned || v.BSigned || v.NegProduct
		addend := intValue(typ(product), uint64(c))
		switch {
		case v.NegProduct:
			sum.Neg(sum)
		case v.NegC:
			addend.Neg(addend)
		case v.PlusOne:
			sum.Add(sum, big.NewInt(1))
		}
		sum.Add(sum, addend).Rsh(sum, v.Shift)
		want := uint32(lowBits(sum))
		if v.Sat {
			want = uint32(clampBig(typ(product || v.NegC), sum))
		}
		if got := v.Eval(a, b, c); got != want {
			t.Fatalf("%+v of %#x, %#x, %#x = %#x, want %#x", v, a, b, c, got, want)
		}
	}
}
