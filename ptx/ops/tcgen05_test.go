package ops

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

func TestLanesAndRegistersOfATensorMoveAreItsCells(t *testing.T) {
	for shape, columns := range map[string]int{"32x32b": 1, "16x64b": 2, "16x128b": 4, "16x256b": 8} {
		for _, num := range []string{"x1", "x4", "x16"} {
			m := tensorMoveOf(&isa.Form{Mods: []string{"ld", shape, num}})
			seen := map[[2]int]bool{}
			for l := range isa.WarpSize {
				for r := range m.regs {
					row, column := m.at(l, r)
					if row < 0 || row >= m.rows || column < 0 || column >= columns*atoi(num[1:]) {
						t.Fatalf("%s.%s: register %d of lane %d is row %d, column %d", shape, num, r, l, row, column)
					}
					seen[[2]int{row, column}] = true
				}
			}
			if want := m.rows * columns * atoi(num[1:]); len(seen) != want || want != isa.WarpSize*m.regs {
				t.Errorf("%s.%s reaches %d of %d cells with %d registers", shape, num, len(seen), want, m.regs)
			}
		}
	}
}

// fourOf is a random word of eight numbers of e2m1, and their values.
func fourOf(r *rand.Rand) (x uint32, values [8]float64) {
	x = r.Uint32()
	for i := range values {
		values[i] = float64(math.Float32frombits(alu.CvtF32Tiny(alu.E2M1, uint8(x>>(4*i)&15))))
	}
	return x, values
}

func TestScaledBlocksAddUpExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		blocks := 2 + 2*r.IntN(2)
		x := &blockTile{counts: blocks, byExponent: true}
		var a, b [64]float64
		for k := 0; k < 64; k += 8 {
			word, values := fourOf(r)
			x.row(3, k, word)
			copy(a[k:], values[:])
			word, values = fourOf(r)
			x.column(5, k, word)
			copy(b[k:], values[:])
		}
		want := 2.5
		var scale [4]float64
		for n := range blocks {
			sa, sb := 120+r.IntN(14), 120+r.IntN(14)
			x.scaleRow(3, n, uint8(sa))
			x.scaleColumn(5, n, uint8(sb))
			scale[n] = math.Ldexp(1, sa+sb-254)
		}
		for k := range a {
			want += a[k] * b[k] * scale[k*blocks/64]
		}
		c := [8]uint32{5: math.Float32bits(2.5)}
		got := float64(math.Float32frombits(x.sums(3, 64, &c)[5]))
		if cut := float64(math.Float32frombits(alu.CvtF32F64(alu.RZ, math.Float64bits(want)))); got != cut {
			t.Fatalf("%v, exactly %v", got, want)
		}
	}
}

func TestPaddedElementsBecomeBytes(t *testing.T) {
	fours := [4]uint32{0x76543210, 0xfedcba98, 0xdeadbeef, 0xdeadbeef}
	sixes := [4]uint32{}
	for i := range uint(16) {
		v := uint64(3*i + 1)
		at := 6 * i
		sixes[at/32] |= uint32(v << (at % 32))
		if at%32 > 26 {
			sixes[at/32+1] |= uint32(v >> (32 - at%32))
		}
	}
	unpackFours(&fours)
	unpackSixes(&sixes)
	for i := range 16 {
		if v := fours[i/4] >> (8 * (i & 3)) & 255; v != uint32(i)<<2 {
			t.Errorf("element %d of four bits became %#x", i, v)
		}
		if v := sixes[i/4] >> (8 * (i & 3)) & 255; v != uint32(3*i+1) {
			t.Errorf("element %d of six bits became %#x", i, v)
		}
	}
}

func TestBytesOfTransposedMatricesComeBack(t *testing.T) {
	var m byteMatrix
	for i := range m {
		for j := range m[i] {
			m[i][j] = uint8(16*i + j)
		}
	}
	seen := map[uint8]bool{}
	for l := range isa.WarpSize {
		for r := range 2 {
			for j, x := 0, m.word(l, r, true); j < 4; j, x = j+1, x>>8 {
				seen[uint8(x)] = true
			}
		}
	}
	if len(seen) != 256 {
		t.Errorf("the registers hold %d of 256 elements", len(seen))
	}
}

func TestTensorMmaRefusesWhatOnlyNewerCardsHave(t *testing.T) {
	weights := &tensorMma{weights: true, kind: "kind::f16"}
	scaled := &tensorMma{scaled: true, kind: "kind::mxf4"}
	const m32, m128, n64 = 2 << 24, 8 << 24, 8 << 17
	for _, c := range []struct {
		mma  *tensorMma
		o    tensorOperands
		fine bool
	}{
		{weights, tensorOperands{shape: m32 | n64, zeros: 16 << 56}, true},
		{weights, tensorOperands{shape: m32 | n64, zeros: 17 << 56}, false},
		{weights, tensorOperands{shape: m128 | n64, zeros: 32<<56 | 1<<39}, true},
		{weights, tensorOperands{shape: m128 | n64, zeros: 33 << 56}, false},
		{weights, tensorOperands{shape: m128 | n64, aShared: 1 << 52}, false},
		{weights, tensorOperands{shape: m128 | n64, bShared: 1 << 52}, false},
		{scaled, tensorOperands{shape: m128 | n64}, true},
		{scaled, tensorOperands{shape: m128 | n64 | 1<<31}, false},
	} {
		if note := c.mma.wrong(&c.o, c.mma.size(c.o.shape)); (note == "") != c.fine {
			t.Errorf("%+v: %q", c.o, note)
		}
	}
}

// The manual's example 1: such a descriptor masks nothing.
func TestColumnsAreUsedUnlessAMaskIsMade(t *testing.T) {
	for column := range 64 {
		if columnMask(4<<40|3<<48).at(tensorSize{m: 128, n: 64}, column) {
			t.Errorf("column %d is 0", column)
		}
	}
}
