package ast

import (
	"fmt"
	"math"
	"strconv"
)

// inst prints an instruction with its guard and semicolon.
func (p *printer) inst(in *Inst) {
	w := &p.b
	if in.Guard >= 0 {
		w.WriteByte('@')
		if in.Not {
			w.WriteByte('!')
		}
		w.WriteString(p.body.RegName(in.Guard) + " ")
	}
	w.WriteString(p.body.Opcodes[in.Op].Text)
	if in.Count > 0 {
		w.WriteByte(' ')
		p.list(p.body.Args(in))
	}
	w.WriteByte(';')
}

func (p *printer) list(ops []Operand) {
	for i := range ops {
		if i > 0 {
			p.b.WriteString(", ")
		}
		p.operand(&ops[i])
	}
}

func (p *printer) operand(o *Operand) {
	w := &p.b
	if o.Has(Address) {
		w.WriteByte('[')
	}
	switch {
	case o.Has(Not):
		w.WriteByte('!')
	case o.Has(Minus):
		w.WriteByte('-')
	}
	p.value(o)
	if o.Has(Address) {
		w.WriteByte(']')
	}
	if o.Has(Unified) {
		w.WriteString(".unified")
	}
}

// value prints an operand without the marks around it.
func (p *printer) value(o *Operand) {
	w, b := &p.b, p.body
	switch o.Kind {
	case Int:
		w.WriteString(integer(o))
	case Float32:
		fmt.Fprintf(w, "0f%08X", o.Value)
	case Float64:
		fmt.Fprintf(w, "0d%016X", o.Value)
	case Sum:
		w.WriteString(b.RegName(o.Index))
		p.offset(o)
	case Register:
		w.WriteString(b.RegName(o.Index))
		p.part(o)
	case Special:
		w.WriteString(Specials[o.Index].Name)
		p.part(o)
	case Local:
		w.WriteString(b.Vars[o.Index].Name)
		p.offset(o)
	case Global:
		w.WriteString(b.Symbols[o.Index])
		p.offset(o)
	case CodeLabel:
		w.WriteString(b.Labels[o.Index].Name)
	case TableName:
		w.WriteString(b.Tables[o.Index].Name)
	case Sink:
		w.WriteByte('_')
	default:
		p.compound(o)
	}
}

func (p *printer) compound(o *Operand) {
	elems := p.body.Elems(o)
	switch o.Kind {
	case Vector:
		p.b.WriteByte('{')
		p.list(elems)
		p.b.WriteByte('}')
	case List:
		p.b.WriteByte('(')
		p.list(elems)
		p.b.WriteByte(')')
	case Pair:
		p.operand(&elems[0])
		p.b.WriteByte('|')
		p.operand(&elems[1])
	case Tuple:
		p.list(elems)
	}
}

func integer(o *Operand) string {
	switch {
	case o.Has(Unsigned):
		return strconv.FormatUint(o.Value, 10) + "U"
	case int64(o.Value) == math.MinInt64:
		return "(.s64)0x8000000000000000"
	}
	return strconv.FormatInt(int64(o.Value), 10)
}

func (p *printer) offset(o *Operand) {
	if o.Value != 0 || o.Kind == Sum || o.Has(Moved) {
		p.b.WriteString("+" + strconv.FormatInt(o.Offset(), 10))
	}
}

// part prints the element or selector of a register, or its offset.
func (p *printer) part(o *Operand) {
	switch o.Part {
	case Whole:
		p.offset(o)
	case PartB, PartH:
		p.b.WriteString("." + string("bh"[o.Part-PartB]))
		for i := int(o.Value>>32) - 1; i >= 0; i-- {
			p.b.WriteByte('0' + byte(o.Value>>(4*i)&0xf))
		}
	default:
		p.b.WriteString("." + string("xyzw"[o.Part-PartX]))
	}
}
