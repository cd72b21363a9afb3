package ops

import (
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// tile is the shape of a matrix product that a warp forms at once, m x n x k
// with n = 8, and how its operands lie in registers. With g a lane's number
// divided by four, t the remainder, and e elements in a register:
//
//	A  register r, element j: row g + 8(r mod 2), column et + j + 4e(r / 2)
//	B  register r, element j: row et + j + 4er, column g
//	C  element i: row g + 8(i / 2), column 2t + i mod 2
//
// A has rows above the eighth only if m is 16; of the m = 8 shapes A is one
// register (PTX ISA 9.7.14, the figures of each shape).
type tile struct {
	m, k int
	each int // elements of A and B in a register; 1 for 32 and 64 bits
}

func (t tile) aRegs() int  { return t.m / 8 * t.k / (4 * t.each) }
func (t tile) bRegs() int  { return t.k / (4 * t.each) }
func (t tile) cElems() int { return t.m / 4 }

// atA is where element j of register r of A lies.
func (t tile) atA(lane, r, j int) (row, col int) {
	high := r
	if t.m == 16 {
		row, high = 8*(r&1), r>>1
	}
	return row + lane>>2, t.each*(lane&3) + j + high*4*t.each
}

// atB is where element j of register r of B lies.
func (t tile) atB(lane, r, j int) (row, col int) {
	return t.each*(lane&3) + j + r*4*t.each, lane >> 2
}

// atC is where element i of C lies.
func (t tile) atC(lane, i int) (row, col int) {
	return lane>>2 + 8*(i>>1), 2*(lane&3) + i&1
}

// product is what an mma or wmma instruction forms: tiles below one another
// (down) and beside one another (across). The 8x32 shapes of wmma form the
// transposed product, in which A and B change places.
type product struct {
	tile
	down, across int
	turned       bool
}

// mmaShapes and wmmaShapes are the shapes by their modifiers.
var mmaShapes = map[string]product{
	"m8n8k4":    {tile: tile{m: 8, k: 4}, down: 1, across: 1},
	"m8n8k16":   {tile: tile{m: 8, k: 16}, down: 1, across: 1},
	"m8n8k32":   {tile: tile{m: 8, k: 32}, down: 1, across: 1},
	"m8n8k128":  {tile: tile{m: 8, k: 128}, down: 1, across: 1},
	"m16n8k4":   {tile: tile{m: 16, k: 4}, down: 1, across: 1},
	"m16n8k8":   {tile: tile{m: 16, k: 8}, down: 1, across: 1},
	"m16n8k16":  {tile: tile{m: 16, k: 16}, down: 1, across: 1},
	"m16n8k32":  {tile: tile{m: 16, k: 32}, down: 1, across: 1},
	"m16n8k64":  {tile: tile{m: 16, k: 64}, down: 1, across: 1},
	"m16n8k128": {tile: tile{m: 16, k: 128}, down: 1, across: 1},
	"m16n8k256": {tile: tile{m: 16, k: 256}, down: 1, across: 1},
}

var wmmaShapes = map[string]product{
	"m16n16k16": {tile: tile{m: 16, k: 16}, down: 1, across: 2},
	"m32n8k16":  {tile: tile{m: 16, k: 16}, down: 2, across: 1},
	"m8n32k16":  {tile: tile{m: 16, k: 16}, down: 2, across: 1, turned: true},
	"m16n16k8":  {tile: tile{m: 16, k: 8}, down: 1, across: 2},
	"m8n8k4":    {tile: tile{m: 8, k: 4}, down: 1, across: 1},
	"m8n8k32":   {tile: tile{m: 8, k: 32}, down: 1, across: 1},
	"m8n8k128":  {tile: tile{m: 8, k: 128}, down: 1, across: 1},
}

// perRegister is the number of elements of a type in a register.
func perRegister(t isa.Type) int { return max(32/t.Bits(), 1) }

// productOf is the product that a form names, for elements of a type. Single
// bits count as words of 32.
func productOf(f *isa.Form, element isa.Type) (p product, ok bool) {
	shapes := mmaShapes
	if f.Op.Name == "wmma" {
		shapes = wmmaShapes
	}
	for _, m := range f.Mods {
		if p, ok = shapes[m]; ok {
			break
		}
	}
	p.each = perRegister(element)
	if element == isa.B1 {
		p.k, p.each = p.k/32, 1
	}
	return p, ok
}

// fragment is one matrix of a product as a warp holds it. The first regs
// registers hold the matrix; a program may have more, which repeat them (f16 A
// and B of wmma have eight in every shape).
type fragment struct {
	regs int
	each int // elements of a register
	at   func(lane, r, j int) (row, col int)
}

// left and right are the fragments of the product's own factors.
func (p product) left() fragment {
	per := p.aRegs()
	return fragment{p.down * per, p.each, func(lane, r, j int) (int, int) {
		row, col := p.atA(lane, r%per, j)
		return row + r/per*p.m, col
	}}
}

func (p product) right() fragment {
	per := p.bRegs()
	return fragment{p.across * per, p.each, func(lane, r, j int) (int, int) {
		row, col := p.atB(lane, r%per, j)
		return row, col + r/per*8
	}}
}

// sum is the fragment of C and D, with each elements in a register.
func (p product) sum(each int) fragment {
	per := p.cElems()
	return fragment{p.down * p.across * per / each, each, func(lane, r, j int) (int, int) {
		i := r*each + j
		row, col := p.atC(lane, i%per)
		n := i / per
		return row + n/p.across*p.m, col + n%p.across*8
	}}
}

// matrix is the fragment of the matrix that wmma names a, b or c.
func (p product) matrix(name string, each int) fragment {
	var f fragment
	switch {
	case name == "c":
		f = p.sum(each)
	case name == "a" != p.turned:
		f = p.left()
	default:
		f = p.right()
	}
	if !p.turned {
		return f
	}
	at := f.at
	f.at = func(lane, r, j int) (int, int) {
		row, col := at(lane, r, j)
		return col, row
	}
	return f
}

// MatrixOf is what a warp multiplies in a form, if it is a matrix product whose
// shape the form names.
func MatrixOf(f *isa.Form) (x isa.Matrix, ok bool) {
	if f.Op.Unit != isa.Tensor || f.Op.Name == "wmma" && !f.Has("mma") {
		return x, false
	}
	for _, m := range f.Mods {
		if x.M, x.N, x.K, ok = shapeOf(m); ok {
			break
		}
	}
	factor := f.Type(1)
	if len(f.Types) == 2 { // wmma of f16 names D and C only
		factor = isa.F16
	}
	x.Bits, x.Single = factor.Bits(), f.Type(0) == isa.F32
	x.Sparse = f.Any("sp", "sp::ordered_metadata") != ""
	if f.Op.Name == "wgmma" {
		x.M, x.Group, x.Shared = x.M/groupWarps, true, strings.HasPrefix(f.Op.Args, fromShared)
	}
	return x, ok
}

// shapeOf reads a modifier like m16n8k16.
func shapeOf(modifier string) (m, n, k int, ok bool) {
	rest, ok := strings.CutPrefix(modifier, "m")
	rows, rest, found := strings.Cut(rest, "n")
	columns, depth, ended := strings.Cut(rest, "k")
	if !ok || !found || !ended {
		return 0, 0, 0, false
	}
	for i, text := range []string{rows, columns, depth} {
		v, err := strconv.Atoi(text)
		if err != nil {
			return 0, 0, 0, false
		}
		*[]*int{&m, &n, &k}[i] = v
	}
	return m, n, k, true
}
