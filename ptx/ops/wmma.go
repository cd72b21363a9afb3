package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// wmmaMatrix is a matrix in memory and as a fragment: what wmma.load and
// wmma.store move.
type wmmaMatrix struct {
	fragment
	all        int // registers that the program gives
	rows, cols int
	byRow      bool
	bits       int // of an element
}

// wmmaMatrixOf is the matrix that a load or store names; element is its type.
func wmmaMatrixOf(f *isa.Form) (s wmmaMatrix, ok bool) {
	t := f.Type(0)
	factor := t
	name := f.Any("a", "b", "c")
	if name == "" || name == "c" {
		name, factor = "c", isa.F16 // any: a sum does not depend on it
	}
	p, ok := productOf(f, factor)
	if !ok {
		return s, false
	}
	s.bits = max(t.Bits(), 1)
	if t == isa.B1 {
		s.bits = 32 // moved by words
	}
	s.fragment = p.matrix(name, perStored(t))
	s.byRow = f.Has("row")
	s.all = s.regs
	if t == isa.F16 && name != "c" {
		s.all = halfRegs
	}
	s.rows, s.cols = p.extent(name)
	return s, true
}

// checkWmmaMove counts the registers of a load or store.
func checkWmmaMove(f *isa.Form, in *isa.Inst) string {
	if s, ok := wmmaMatrixOf(f); ok && len(in.Vec) != s.all {
		return wrongRegisters
	}
	return ""
}

// perStored is the number of elements of a sum's type in a register.
func perStored(t isa.Type) int { return perElement(t == isa.F16) }

// extent is the size of a matrix of the product.
func (p product) extent(name string) (rows, cols int) {
	m, n := p.m*p.down, 8*p.across
	if p.turned {
		m, n = n, m
	}
	switch name {
	case "a":
		return m, p.k
	case "b":
		return p.k, n
	}
	return m, n
}

// offset is the distance of an element from the first one, in bits, for a
// stride in elements.
func (s *wmmaMatrix) offset(row, col, stride int) int {
	if s.byRow {
		return (row*stride + col) * s.bits
	}
	return (col*stride + row) * s.bits
}

// dense is the stride of a matrix without gaps, in elements.
func (s *wmmaMatrix) dense() int {
	if s.byRow {
		return s.cols
	}
	return s.rows
}

// stride is the distance of rows or columns in the stored elements; programs
// give that of single bits in bits.
func (s *wmmaMatrix) stride(w *isa.Warp, in *isa.Inst, given bool, t isa.Type) int {
	if !given {
		return s.dense()
	}
	n := int(w.Row(in.C)[w.Mask.First()])
	if t == isa.B1 {
		return n / 32
	}
	return n
}

func bindWmmaLoad(f *isa.Form) isa.Handler      { return wmmaLoad(f, true) }
func bindWmmaLoadDense(f *isa.Form) isa.Handler { return wmmaLoad(f, false) }

func wmmaLoad(f *isa.Form, given bool) isa.Handler {
	s, ok := wmmaMatrixOf(f)
	small := f.Type(0).Bits() < 8 // A lies by rows, B by columns
	if !ok || small && f.Has("a") != f.Has("row") {
		return nil
	}
	t := f.Type(0)
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, s.all) {
			return
		}
		stride := s.stride(w, in, given, t)
		mem, ok := s.region(w, in, stride, false)
		if !ok {
			return
		}
		for r, reg := range in.Vec {
			for l := range w.Mask.All {
				v := s.element(mem, l, r%s.regs, stride)
				w.Regs[reg][l] = uint32(v)
				if s.bits == 64 {
					w.Regs[reg+1][l] = uint32(v >> 32)
				}
			}
		}
	}
}

// element is what register r of lane l holds of the matrix in mem.
func (s *wmmaMatrix) element(mem []byte, l, r, stride int) (v uint64) {
	for j := range s.each {
		row, col := s.at(l, r, j)
		at := s.offset(row, col, stride)
		p := mem[at>>3:]
		switch s.bits {
		case 64:
			return get[uint64](p)
		case 32:
			return uint64(get[uint32](p))
		case 16:
			v |= uint64(get[uint16](p)) << (16 * uint(j))
		case 8:
			v |= uint64(p[0]) << (8 * uint(j))
		default:
			v |= uint64(p[0]>>uint(at&4)&15) << (4 * uint(j))
		}
	}
	return v
}

func bindWmmaStore(f *isa.Form) isa.Handler      { return wmmaStore(f, true) }
func bindWmmaStoreDense(f *isa.Form) isa.Handler { return wmmaStore(f, false) }

func wmmaStore(f *isa.Form, given bool) isa.Handler {
	s, ok := wmmaMatrixOf(f)
	if !ok {
		return nil
	}
	t := f.Type(0)
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, s.all) {
			return
		}
		stride := s.stride(w, in, given, t)
		mem, ok := s.region(w, in, stride, true)
		if !ok {
			return
		}
		for r, reg := range in.Vec {
			for l := range w.Mask.All {
				s.put(w, mem, reg, l, r, stride)
			}
		}
	}
}

// put stores what register r of lane l holds of the matrix.
func (s *wmmaMatrix) put(w *isa.Warp, mem []byte, reg isa.Reg, l, r, stride int) {
	v := w.Row(reg)[l]
	for j := range s.each {
		row, col := s.at(l, r, j)
		p := mem[s.offset(row, col, stride)>>3:]
		switch s.bits {
		case 64:
			put(p, w.Get64(reg, l))
		case 32:
			put(p, v)
		default:
			put(p, uint16(v>>(16*uint(j))))
		}
	}
}

// region is the memory from the first element of the matrix to its last. All
// lanes name the same address. The lanes' accesses are noted one by one.
func (s *wmmaMatrix) region(w *isa.Warp, in *isa.Inst, stride int, write bool) ([]byte, bool) {
	first := w.Mask.First()
	p := pointer{in.A, in.Space, in.Imm}
	a := p.address(w, first)
	last := s.offset(s.rows-1, s.cols-1, stride) + s.bits
	space := p.space
	if space == isa.Frame {
		space = isa.Local
	}
	effect := w.Effect
	w.Effect = nil
	mem := w.Bytes(space, first, a, (last+7)/8, max(s.bits/8, 1), write)
	w.Effect = effect
	if mem != nil && effect != nil {
		s.note(w, a, space, stride, write)
	}
	return mem, mem != nil
}

func (s *wmmaMatrix) note(w *isa.Warp, a uint64, space isa.Space, stride int, write bool) {
	if space == isa.Generic {
		space = isa.SpaceOf(a)
	}
	for r := range s.regs {
		for l := range w.Mask.All {
			row, col := s.at(l, r, 0)
			w.Effect.Accesses = append(w.Effect.Accesses, isa.Access{
				Lane: uint8(l), Space: space, Write: write, Bytes: uint8(max(s.each*s.bits/8, 1)),
				Addr: a + uint64(s.offset(row, col, stride)/8),
			})
		}
	}
}
