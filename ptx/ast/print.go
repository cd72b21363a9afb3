package ast

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// Format returns the module as canonical PTX text: one statement a line, in the
// order of the source as far as the order says something. It fails when a body
// or section does not parse.
func (m *Module) Format() (string, error) {
	p := &printer{m: m}
	p.header()
	for i := range m.Regs {
		p.line(p.regDecl(&m.Regs[i]))
	}
	m.inOrder(
		func(i int) { p.line(p.variable(&m.Vars[i]) + ";") },
		func(i int) { p.function(m.Funcs[i]) },
	)
	for i := range m.Aliases {
		p.line(".alias " + m.Aliases[i].Name + ", " + m.Aliases[i].Target + ";")
	}
	for i := range m.Files {
		f := &m.Files[i]
		s := fmt.Sprintf(`.file %d "%s"`, f.Index, f.Path)
		if f.Time != 0 || f.Size != 0 {
			s += fmt.Sprintf(", %d, %d", f.Time, f.Size)
		}
		p.line(s)
	}
	for _, s := range m.Sections {
		p.section(s)
	}
	return p.b.String(), p.err
}

// FormatInst returns one instruction of a body as text, without a line end.
func (b *Body) FormatInst(in *Inst) string {
	p := &printer{body: b}
	p.inst(in)
	return p.b.String()
}

// printer accumulates text.
type printer struct {
	m      *Module
	body   *Body
	b      strings.Builder
	indent int
	err    error
}

func (p *printer) line(s string) {
	for range p.indent {
		p.b.WriteByte('\t')
	}
	p.b.WriteString(s)
	p.b.WriteByte('\n')
}

func (p *printer) header() {
	m := p.m
	p.line(fmt.Sprintf(".version %d.%d", m.Version.Major, m.Version.Minor))
	if len(m.Targets) > 0 {
		p.line(".target " + strings.Join(m.Targets, ", "))
	}
	if m.AddressPos != 0 {
		p.line(fmt.Sprintf(".address_size %d", m.AddressSize))
	}
	for _, t := range m.Narrowed {
		p.line(".target " + strings.Join(t, ", "))
	}
	for i := range m.Pragmas {
		p.line(pragma(&m.Pragmas[i]))
	}
}

func pragma(g *Pragma) string {
	return `.pragma "` + strings.Join(g.Text, `", "`) + `";`
}

// dotted returns .word and a blank, or nothing for no word.
func dotted(word string) string {
	if word == "" {
		return ""
	}
	return "." + word + " "
}

// variable prints a declaration without its semicolon.
func (p *printer) variable(v *Var) string {
	s := dotted(v.Linkage.String()) + "." + v.Space.String()
	if v.Bank != 0 {
		s += fmt.Sprintf("[%d]", v.Bank)
	}
	s += " "
	if v.Managed {
		s += ".attribute(.managed) "
	}
	s += unified(v.Unified)
	if v.Align != 0 {
		s += fmt.Sprintf(".align %d ", v.Align)
	}
	if v.Vec > 1 {
		s += fmt.Sprintf(".v%d ", v.Vec)
	}
	s += dotted(v.Type.String())
	if v.Ptr != nil {
		s += ".ptr " + dotted(v.Ptr.Space.String())
		if v.Ptr.Align != 0 {
			s += fmt.Sprintf(".align %d ", v.Ptr.Align)
		}
	}
	s += v.Name
	for i, d := range v.Dims {
		if i == 0 && v.Unsized {
			s += "[]"
		} else {
			s += fmt.Sprintf("[%d]", d)
		}
	}
	switch {
	case v.Init != nil:
		s += " = " + initial(v)
	case v.Fields != nil:
		s += " = {" + fields(v.Fields) + "}"
	}
	return s
}

func unified(u *[2]uint64) string {
	if u == nil {
		return ""
	}
	return fmt.Sprintf(".attribute(.unified(%d, %d)) ", u[0], u[1])
}

func fields(list []Field) string {
	parts := make([]string, len(list))
	for i, f := range list {
		parts[i] = f.Name + " = " + f.Value
		if f.Value == "" {
			parts[i] += strconv.FormatInt(f.Int, 10)
		}
	}
	return strings.Join(parts, ", ")
}

// initial prints the initialiser of a variable.
func initial(v *Var) string {
	shape := v.Dims
	if v.Vec > 1 {
		shape = append(append([]int64{}, shape...), int64(v.Vec))
	}
	w := &imageWriter{img: v.Init, typ: v.Type}
	w.nest(shape, 0)
	return w.b.String()
}

// imageWriter prints an image as elements of a type.
type imageWriter struct {
	img  *Image
	typ  Type
	next int // relocation
	b    strings.Builder
}

// nest prints the array of that shape at an offset, as far as the image goes.
func (w *imageWriter) nest(shape []int64, offset int64) {
	if len(shape) == 0 {
		w.element(offset)
		return
	}
	stride := int64(w.typ.Size())
	for _, d := range shape[1:] {
		stride *= d
	}
	w.b.WriteByte('{')
	for i := int64(0); i < shape[0] && offset < int64(len(w.img.Data)); i++ {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.nest(shape[1:], offset)
		offset += stride
	}
	w.b.WriteByte('}')
}

func (w *imageWriter) element(offset int64) {
	if w.next < len(w.img.Relocs) && w.img.Relocs[w.next].Offset == offset {
		w.b.WriteString(relocation(&w.img.Relocs[w.next]))
		w.next++
		return
	}
	bits := little(w.img.Data[offset:], w.typ.Size())
	switch {
	case w.typ == F32:
		fmt.Fprintf(&w.b, "0f%08X", bits)
	case w.typ == F64:
		fmt.Fprintf(&w.b, "0d%016X", bits)
	case w.typ == S64 && int64(bits) > math.MinInt64:
		w.b.WriteString(strconv.FormatInt(int64(bits), 10))
	default:
		w.b.WriteString(strconv.FormatUint(bits, 10))
	}
}

// little reads the low n bytes of a little-endian number, at most 8 of them.
func little(data []byte, n int) uint64 {
	var le [8]byte
	copy(le[:], data[:min(n, 8)])
	return binary.LittleEndian.Uint64(le[:])
}

func relocation(r *Reloc) string {
	s := r.Name
	if r.Generic {
		s = "generic(" + s + ")"
	}
	if r.Minus != "" {
		s += "-" + r.Minus
	}
	if r.Addend != 0 {
		s += "+" + strconv.FormatInt(r.Addend, 10)
	}
	if r.Mask != math.MaxUint64 {
		s = fmt.Sprintf("0x%X(%s)", r.Mask, s)
	}
	return s
}

func (p *printer) section(s *Section) {
	img, err := s.Load()
	if err != nil {
		p.err = err
		return
	}
	p.line(".section " + s.Name)
	p.line("{")
	label, reloc := 0, 0
	for at := int64(0); ; {
		for ; label < len(img.Labels) && img.Labels[label].Offset == at; label++ {
			p.line(img.Labels[label].Name + ":")
		}
		if at >= int64(len(img.Data)) {
			break
		}
		if reloc < len(img.Relocs) && img.Relocs[reloc].Offset == at {
			r := &img.Relocs[reloc]
			p.line(fmt.Sprintf(".b%d %s", 8*r.Width, relocation(r)))
			at += int64(r.Width)
			reloc++
			continue
		}
		p.line(fmt.Sprintf(".b8 %d", img.Data[at]))
		at++
	}
	p.line("}")
}

func (p *printer) regDecl(d *RegDecl) string {
	s := ".reg "
	if d.Vec > 1 {
		s += fmt.Sprintf(".v%d ", d.Vec)
	}
	s += dotted(d.Type.String()) + d.Name
	if d.Count >= 0 {
		s += fmt.Sprintf("<%d>", d.Count)
	}
	return s + ";"
}

func (p *printer) params(list []Var) string {
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = p.variable(&list[i])
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func directives(list []Directive) (s string) {
	for _, d := range list {
		s += " ." + d.Name
		for i, v := range d.Values {
			if i > 0 {
				s += ","
			}
			s += " " + strconv.FormatInt(v, 10)
		}
		if d.Text != "" {
			s += ` "` + d.Text + `"`
		}
	}
	return s
}

func (p *printer) function(f *Func) {
	kind := ".func "
	if f.Entry {
		kind = ".entry "
	}
	s := dotted(f.Linkage.String()) + kind + unified(f.Unified)
	if len(f.Returns) > 0 {
		s += p.params(f.Returns) + " "
	}
	s += f.Name + p.params(f.Params) + directives(f.Directives)
	for i := range f.Pragmas {
		s += " " + pragma(&f.Pragmas[i])
	}
	if f.Load == nil {
		p.line(s + ";")
		return
	}
	b, err := f.Load()
	if err != nil {
		p.err = err
		return
	}
	p.line(s)
	p.bodyText(b, len(f.Returns)+len(f.Params))
}

// event is something to print inside a body, at its place in the source.
type event struct {
	pos   Pos
	print func()
}

// bodyText prints a body. The first skip variables stand in the header.
func (p *printer) bodyText(b *Body, skip int) {
	p.body = b
	var list []event
	add := func(pos Pos, print func()) { list = append(list, event{pos, print}) }
	for i := range b.Scopes {
		s := &b.Scopes[i]
		add(s.Open, func() { p.line("{"); p.indent++ })
		add(s.Close, func() { p.indent--; p.line("}") })
	}
	for i := range b.RegDecls {
		if d := &b.RegDecls[i]; d.Scope >= 0 {
			add(d.Pos, func() { p.line(p.regDecl(d)) })
		}
	}
	for i := range b.Vars[skip:] {
		v := &b.Vars[skip+i]
		add(v.Pos, func() { p.line(p.variable(v) + ";") })
	}
	for i := range b.Labels {
		l := &b.Labels[i]
		add(l.Pos, func() { p.line(l.Name + ":") })
	}
	for i := range b.Tables {
		t := &b.Tables[i]
		add(t.Pos, func() { p.line(p.table(t)) })
	}
	for i := range b.Locs {
		l := &b.Locs[i]
		add(l.Pos, func() { p.line(location(l)) })
	}
	for i := range b.Pragmas {
		g := &b.Pragmas[i]
		add(g.Pos, func() { p.line(pragma(g)) })
	}
	for i := range b.Insts {
		in := &b.Insts[i]
		add(in.Pos, func() { p.line(b.FormatInst(in)) })
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].pos < list[j].pos })
	for i := range list {
		list[i].print()
	}
}

func (p *printer) table(t *Table) string {
	s := t.Name + ": ." + t.Kind.String() + " "
	if t.Proto == nil {
		q := &printer{body: p.body}
		q.list(p.body.Targets(t))
		return s + q.b.String() + ";"
	}
	if len(t.Proto.Returns) > 0 {
		s += p.params(t.Proto.Returns) + " "
	}
	return s + "_ " + p.params(t.Proto.Params) + directives(t.Proto.Directives) + ";"
}

func location(l *Loc) string {
	s := fmt.Sprintf(".loc %d %d %d", l.File, l.Line, l.Col)
	if in := l.Inlined; in != nil {
		s += ", function_name " + in.Function
		if in.Offset != 0 {
			s += fmt.Sprintf("+%d", in.Offset)
		}
		s += fmt.Sprintf(", inlined_at %d %d %d", in.File, in.Line, in.Col)
	}
	return s
}
