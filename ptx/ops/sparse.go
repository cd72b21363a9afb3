package ops

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

const sparseForm = "sp|sp::ordered_metadata sync aligned "

// sparseMatrix is mma.sp of PTX ISA 9.7.14.6: A has two elements of each four (of
// tf32, one of each two; of four-bit integers, two pairs of each four), and
// metadata say which.
var sparseMatrix = []isa.Op{
	{Name: "mma", Mods: sparseForm + "m16n8k16|m16n8k32 row col", Types: "f16 f32 / f16 / f16 / f16 f32", Args: "E:b32, F:b32, F:b32, F:b32, F:b32, k", Unit: isa.Tensor, Class: isa.Variable, Since: 71, SM: 80, Doc: "9.7.14.6.3", Bind: bindSparseFloat, Check: checkSparse},
	{Name: "mma", Mods: sparseForm + "m16n8k16|m16n8k32 row col", Types: "f32 / bf16 / bf16 / f32", Args: "E:b32, F:b32, F:b32, F:b32, F:b32, k", Unit: isa.Tensor, Class: isa.Variable, Since: 71, SM: 80, Doc: "9.7.14.6.3", Bind: bindSparseFloat, Check: checkSparse},
	{Name: "mma", Mods: sparseForm + "m16n8k8|m16n8k16 row col", Types: "f32 / tf32 / tf32 / f32", Args: "E:b32, F:b32, F:b32, F:b32, F:b32, k", Unit: isa.Tensor, Class: isa.Variable, Since: 71, SM: 80, Doc: "9.7.14.6.3", Bind: bindSparseFloat, Check: checkSparse},
	{Name: "mma", Mods: sparseForm + "m16n8k64 row col", Types: "f32 / e4m3 e5m2 / e4m3 e5m2 / f32", Args: "E:b32, F:b32, F:b32, F:b32, F:b32, k", Unit: isa.Tensor, Class: isa.Variable, Since: 84, SM: 89, Doc: "9.7.14.6.3", Bind: bindSparseFloat, Check: checkSparse},
	{Name: "mma", Mods: sparseForm + "m16n8k32|m16n8k64 row col {satfinite}", Types: "s32 / u8 s8 / u8 s8 / s32", Args: "E:b32, F:b32, F:b32, F:b32, F:b32, k", Unit: isa.Tensor, Class: isa.Variable, Since: 71, SM: 80, Doc: "9.7.14.6.3", Bind: bindSparseInteger, Check: checkSparse},
	{Name: "mma", Mods: sparseForm + "m16n8k64|m16n8k128 row col {satfinite}", Types: "s32 / u4 s4 / u4 s4 / s32", Args: "E:b32, F:b32, F:b32, F:b32, F:b32, k", Unit: isa.Tensor, Class: isa.Variable, Since: 71, SM: 80, Doc: "9.7.14.6.3", Bind: bindSparseInteger, Check: checkSparse},
}

// structure says how the elements that A stores lie among those of the product.
// A nibble of metadata belongs to each chunk of a row: two indices of two bits
// that count quarters of the chunk.
type structure struct {
	chunks int  // of a row
	stored int  // elements of a chunk that A has
	narrow bool // elements of at most eight bits, whose metadata lie by rows
}

// structureOf is the structure of rows of k elements.
func structureOf(t isa.Type, k int) structure {
	chunk := 4
	switch {
	case t == isa.TF32:
		chunk = 2
	case t.Bits() == 4:
		chunk = 8
	}
	return structure{chunks: k / chunk, stored: chunk / 2, narrow: t.Bits() <= 8}
}

// selectors is the number of values of the sparsity selector: how often the
// metadata of 16 rows fit into a register of a warp.
func (s structure) selectors() int { return max(16/s.chunks, 1) }

// at is where the nibble of a chunk lies: in which lane, and from which bit on.
func (s structure) at(row, chunk, selector int) (lane, bit int) {
	lane, high := row&7<<2, row>>3
	switch {
	case s.chunks == 4:
		return lane + selector, 16*high + 4*chunk
	case s.chunks == 8 && !s.narrow:
		return lane + 2*selector + chunk>>2, 16*high + 4*(chunk&3)
	case s.chunks == 8:
		return lane + 2*selector + high, 4 * chunk
	}
	return lane + high + chunk>>3<<1, 4 * (chunk & 7)
}

// selection is the element of the product that each stored element of 16 rows
// is.
type selection [16][64]uint8

// read decodes metadata.
func (s structure) read(meta *isa.Lanes, selector int, to *selection) {
	for row := range to {
		at := 0
		for chunk := range s.chunks {
			lane, bit := s.at(row, chunk, selector)
			nibble := meta[lane] >> uint(bit)
			for j := range s.stored {
				to[row][at] = uint8(s.element(chunk, j, nibble))
				at++
			}
		}
	}
}

// element is where stored element j of a chunk belongs.
func (s structure) element(chunk, j int, nibble uint32) int {
	first, second := int(nibble&3), int(nibble>>2&3)
	switch {
	case s.stored == 1:
		return 2*chunk + first>>1
	case s.stored == 4 && j < 2:
		return 8*chunk + 2*first + j
	case s.stored == 4:
		return 8*chunk + 2*second + j - 2
	case j == 0:
		return 4*chunk + first
	}
	return 4*chunk + second
}

// sparseProduct is the shape of an mma.sp: A as it is stored, and B.
type sparseProduct struct {
	structure
	a, b tile
}

func sparseProductOf(f *isa.Form) sparseProduct {
	p, _ := productOf(f, f.Type(1))
	s := sparseProduct{structure: structureOf(f.Type(1), p.k), a: p.tile, b: p.tile}
	s.a.k /= 2
	return s
}

// counts are the registers of its matrices, D and C holding each elements in one.
func (s sparseProduct) counts(each int) counts {
	return counts{d: 4 / each, a: s.a.aRegs(), b: s.b.bRegs(), c: 4 / each}
}

func checkSparse(f *isa.Form, in *isa.Inst) string {
	s := sparseProductOf(f)
	n := s.counts(perElement(f.Type(0) == isa.F16))
	if want := n.d + n.a + n.b + n.c + 1; len(in.Vec) != want {
		return wrongRegisters
	}
	if in.Imm >= int64(s.selectors()) {
		return fmt.Sprintf("the sparsity selector is %d, but must be below %d", in.Imm, s.selectors())
	}
	return ""
}

func bindSparseFloat(f *isa.Form) isa.Handler {
	if f.Type(1) == isa.F16 && f.Type(0) != f.Type(3) {
		return nil
	}
	s, half := sparseProductOf(f), f.Type(3) == isa.F16
	return s.handler(half, floatMultipliers(f.Type(1), f.Type(2), half, fusingOf(f, s.a.k)))
}

func bindSparseInteger(f *isa.Form) isa.Handler {
	return sparseProductOf(f).handler(false, integerMultipliers(f.Type(1), f.Type(2), countingOf(f)))
}

// handler multiplies; half says that C and D are f16.
func (s sparseProduct) handler(half bool, all *multipliers) isa.Handler {
	n := s.counts(perElement(half))
	n.c++ // metadata
	return func(w *isa.Warp, in *isa.Inst) {
		o, ok := n.split(w, in)
		if !ok {
			return
		}
		x := all.take()
		defer all.give(x)
		s.a.loadA(w, o.a, x)
		s.b.loadB(w, o.b, x)
		var to selection
		s.read(w.Row(o.c[n.c-1]), int(in.Imm), &to)
		var out results
		for i := range to {
			x.gather(to[i][:s.a.k])
			c := s.a.rowOf(w, o.c, half, 0, i)
			out.setRow(half, 0, i, x.sums(i, s.a.k, &c))
		}
		out.write(w, o.d)
	}
}
