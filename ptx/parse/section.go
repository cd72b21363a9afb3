package parse

import (
	"math"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// parseSection parses the contents of a section between its braces.
func parseSection(m *ast.Module, open, end ast.Pos) (*ast.Image, error) {
	p := &parser{m: m}
	p.s.Src, p.s.Pos = m.Text[:end], int32(open)+1
	b := &image{parser: p}
	p.next()
	for p.t.Kind != scan.EOF {
		b.dataLine()
		if p.failed {
			p.recover(false)
		}
		p.accept(scan.RBrace)
	}
	return &b.img, p.result()
}

// since reports what the module's version does not have yet.
func (b *image) since(pos ast.Pos, major, minor int, what string) {
	if v := b.m.Version; !v.AtLeast(major, minor) {
		b.report(pos, "%s needs PTX %d.%d, the module has .version %d.%d", what, major, minor, v.Major, v.Minor)
	}
}

// dataLine takes a label, or .bN with its values.
func (b *image) dataLine() {
	switch b.t.Kind {
	case scan.Ident:
		l := ast.ImageLabel{Offset: int64(len(b.img.Data))}
		l.Name, l.Pos = b.name()
		b.since(l.Pos, 7, 0, "a label in a section")
		b.expect(scan.Colon)
		b.img.Labels = append(b.img.Labels, l)
		return
	case scan.Dot:
	default:
		b.unexpected("a label or data")
		return
	}
	b.typ = ast.TypeByName(b.word())
	if !b.typ.IsBits() || b.typ == ast.B128 {
		b.fail(b.pos(), "unknown directive %s in a section", b.text())
		return
	}
	b.next()
	for {
		b.datum()
		if !b.accept(scan.Comma) {
			break
		}
	}
}

// datum takes a number, a label with an offset, or a difference of labels.
func (b *image) datum() {
	pos, at := b.pos(), int64(len(b.img.Data))
	r := ast.Reloc{Pos: pos, Offset: at, Width: uint8(b.typ.Size()), Mask: math.MaxUint64}
	switch b.t.Kind {
	case scan.Ident, scan.Dot:
		r.Name = b.text()
		b.next()
	default:
		v := b.expr()
		if v.float() || b.typ.Size() < 4 && !fits(int64(v.bits), b.typ) {
			b.fail(pos, "the value does not fit in a .%s", b.typ)
			return
		}
		b.put(pos, at, v)
		return
	}
	switch {
	case b.accept(scan.Plus):
		r.Addend = b.integer()
	case b.accept(scan.Minus):
		if b.t.Kind == scan.Ident {
			r.Minus, _ = b.name()
			b.since(pos, 7, 5, "a difference of labels")
		} else {
			r.Addend = -b.integer()
		}
	}
	if !b.failed {
		b.bytes(at, 0, int(r.Width))
		b.img.Relocs = append(b.img.Relocs, r)
	}
}

// fits reports a number that an integer of the size of a type can hold, with or without a sign.
func fits(v int64, t ast.Type) bool {
	bits := 8 * t.Size()
	return v >= -1<<(bits-1) && v < 1<<bits
}
