package parse

import (
	"encoding/binary"
	"math"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// image builds the initial contents of a variable or section.
type image struct {
	*parser
	typ ast.Type
	img ast.Image
}

// initialiser takes what follows the equals sign of a declaration.
func (p *parser) initialiser(v *ast.Var) {
	if v.Type.IsOpaque() {
		v.Fields = p.fields()
		return
	}
	if v.Space != ast.GlobalSpace && v.Space != ast.ConstSpace {
		p.fail(p.pos(), "a .%s variable cannot have an initial value", v.Space)
		return
	}
	b := &image{parser: p, typ: v.Type}
	shape := v.Dims
	if v.Vec > 1 {
		shape = append(append([]int64{}, shape...), int64(v.Vec))
	}
	switch {
	case p.t.Kind == scan.LBrace && len(shape) > 0:
		n := b.list(shape, 0, v.Unsized)
		if v.Unsized {
			v.Dims[0] = n
		}
	case len(shape) > 0:
		p.unexpected("{")
	default:
		b.element(0)
	}
	v.Init = &b.img
}

// list takes a braced list for an array of that shape at that offset and
// returns its length. open lifts the bound of the first dimension.
func (b *image) list(shape []int64, offset int64, open bool) (n int64) {
	pos := b.pos()
	b.next()
	if !b.enter() {
		return 0
	}
	b.braces++
	stride := int64(b.typ.Size())
	for _, d := range shape[1:] {
		stride *= d
	}
	for n == 0 && b.t.Kind != scan.RBrace || n > 0 && b.accept(scan.Comma) {
		switch {
		case !open && n >= shape[0]:
			b.fail(b.pos(), "more than %d values in the list", n)
		case offset >= maxImage:
			b.fail(b.pos(), "initial values reach beyond %d bytes", maxImage)
		case len(shape) == 1:
			b.element(offset)
		case b.t.Kind == scan.LBrace:
			b.list(shape[1:], offset, false)
		default:
			b.unexpected("{")
		}
		offset += stride
		n++
	}
	if b.t.Kind == scan.EOF {
		b.fail(pos, "list is not closed")
	}
	b.braces--
	b.expect(scan.RBrace)
	b.leave()
	return n
}

// element takes one value of an initialiser.
func (b *image) element(offset int64) {
	pos := b.pos()
	if b.t.Kind == scan.Ident && b.text() != "WARP_SZ" {
		r := ast.Reloc{Pos: pos, Offset: offset, Width: uint8(b.typ.Size()), Mask: math.MaxUint64}
		b.address(&r)
		b.reloc(r)
		return
	}
	v := b.expr()
	if b.t.Kind == scan.LParen && !v.float() {
		b.masked(pos, offset, v.bits)
		return
	}
	b.put(pos, offset, v)
}

// masked takes the (address) of a byte selection 0xFF00(address).
func (b *image) masked(pos ast.Pos, offset int64, mask uint64) {
	if !masksByte(mask) {
		b.fail(pos, "the mask of an address selects one byte")
		return
	}
	b.next()
	r := ast.Reloc{Pos: pos, Offset: offset, Width: uint8(b.typ.Size()), Mask: mask}
	b.address(&r)
	b.expect(scan.RParen)
	b.reloc(r)
}

// address takes name, generic(name), mask(0xFF)(name), and an offset.
func (b *image) address(r *ast.Reloc) {
	name, pos := b.name()
	switch {
	case name == "generic" && b.accept(scan.LParen):
		r.Generic = true
		r.Name, _ = b.name()
		b.expect(scan.RParen)
	case name == "mask" && r.Mask == math.MaxUint64 && b.accept(scan.LParen):
		r.Mask = uint64(b.integer())
		b.expect(scan.RParen)
		if !masksByte(r.Mask) {
			b.fail(pos, "the mask of an address selects one byte")
		}
		b.expect(scan.LParen)
		b.address(r)
		b.expect(scan.RParen)
		return
	default:
		r.Name = name
	}
	switch b.t.Kind {
	case scan.Plus:
		b.next()
		r.Addend = b.integer()
	case scan.Minus:
		b.unexpected("+ before an offset")
	}
}

// reloc adds an address to the image.
func (b *image) reloc(r ast.Reloc) {
	if b.failed {
		return
	}
	if b.typ.IsFloat() || r.Width < 4 && r.Mask == math.MaxUint64 {
		b.fail(r.Pos, "an address does not fit in a .%s", b.typ)
		return
	}
	b.bytes(r.Offset, 0, int(r.Width))
	b.img.Relocs = append(b.img.Relocs, r)
}

// put stores a number converted to the type of the variable.
func (b *image) put(pos ast.Pos, offset int64, v value) {
	if b.failed {
		return
	}
	bits, ok := convert(v, b.typ)
	if !ok {
		b.fail(pos, "a number of this kind cannot initialise a .%s", b.typ)
		return
	}
	b.bytes(offset, bits, b.typ.Size())
}

// bytes stores the low n bytes of a number, at most 16, at an offset.
func (b *image) bytes(offset int64, bits uint64, n int) {
	end := int(offset) + n
	if end > len(b.img.Data) {
		b.img.Data = append(b.img.Data, make([]byte, end-len(b.img.Data))...)
	}
	var le [16]byte
	binary.LittleEndian.PutUint64(le[:], bits)
	copy(b.img.Data[offset:end], le[:])
}

// convert gives the bits that a constant has in a type. As in ptxas a double
// becomes a float in a 32-bit type, and a 0f pattern is never widened.
func convert(v value, t ast.Type) (uint64, bool) {
	switch {
	case t == ast.F16 || t == ast.F16x2:
		return 0, false
	case v.float() && !t.IsBits() && !t.IsFloat() || !v.float() && t.IsFloat():
		return 0, false
	case v.kind == double && t.Size() == 4:
		return uint64(math.Float32bits(float32(v.f64()))), true
	}
	return v.bits, true
}

// fields takes the settings of a texture, sampler or surface reference.
func (p *parser) fields() (list []ast.Field) {
	p.expect(scan.LBrace)
	p.braces++
	for p.t.Kind == scan.Ident {
		var f ast.Field
		f.Name, f.Pos = p.name()
		p.expect(scan.Equal)
		if p.t.Kind == scan.Ident {
			f.Value, _ = p.name()
		} else {
			f.Int = p.integer()
		}
		list = append(list, f)
		if !p.accept(scan.Comma) {
			break
		}
	}
	p.braces--
	p.expect(scan.RBrace)
	return list
}
