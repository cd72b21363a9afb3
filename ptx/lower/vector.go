package lower

import (
	"encoding/binary"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// list fills in.Vec from a brace list whose elements share type t or, where the
// row has no vector modifier, are equal parts of it.
func (l *lowering) list(a *ast.Operand, t isa.Type, wider bool, in *isa.Inst, dest bool, form *isa.Form) bool {
	elems := l.body.Elems(a)
	if l.isVector(a) {
		return l.vectorRegister(a, in, dest)
	}
	if a.Kind != ast.Vector && a.Kind != ast.List {
		return false
	}
	if n := form.Any("v2", "v4", "v8"); n == "" {
		t = partOf(t, len(elems))
	} else if len(elems) != int(n[1]-'0') {
		l.errorf(a.Pos, ".%s takes %c elements, not %d", n, n[1], len(elems))
	}
	l.sameSize(elems)
	for i := range elems {
		e, t := &elems[i], t
		if e.Kind == ast.Register {
			t = partOf(t, 1)
		}
		switch {
		case e.Kind == ast.Sink && !dest:
			l.errorf(e.Pos, `"_" is no source`)
		case e.Kind == ast.Special && !ops.IsMove(form.Op):
			l.errorf(e.Pos, "a special register is read by mov alone")
		case e.Kind == ast.Sink:
			in.Vec = append(in.Vec, l.sink())
		case dest:
			in.Vec = append(in.Vec, l.destination(e, t, wider, form))
		default:
			in.Vec = append(in.Vec, l.source(e, t, wider))
		}
	}
	return true
}

// sameSize reports registers of several sizes in one list. Their sorts may differ.
func (l *lowering) sameSize(elems []ast.Operand) {
	size := 0
	for i := range elems {
		var n int
		var name string
		switch e := &elems[i]; e.Kind {
		case ast.Register:
			n, name = l.body.Regs[e.Index].Type.Size(), l.body.RegName(e.Index)
		case ast.Special:
			n, name = ast.Specials[e.Index].Type.Size(), ast.Specials[e.Index].Name
		default:
			continue
		}
		if size != 0 && n != size {
			l.errorf(elems[i].Pos, "%s has %d bits, the one before it %d", name, 8*n, 8*size)
		}
		size = n
	}
}

// isVector reports a vector register as a whole.
func (l *lowering) isVector(a *ast.Operand) bool {
	return a.Kind == ast.Register && a.Part == ast.Whole && l.body.Regs[a.Index].Vec > 1
}

// moveVector lowers mov.v2 and mov.v4, which the manual does not list but ptxas
// takes: a mov for each element, by way of other registers, as an element may be
// source and destination. It reports whether the instruction is one.
func (l *lowering) moveVector(x *ast.Inst, o *ast.Opcode, args []ast.Operand, in isa.Inst) bool {
	n := slices.IndexFunc(o.Mods, func(m string) bool { return m == "v2" || m == "v4" })
	if o.Name != "mov" || n < 0 || len(args) != 2 {
		return false
	}
	form, _, err := ops.Lookup("mov", slices.Delete(slices.Clone(o.Mods), n, n+1))
	if err != nil {
		l.errorf(x.Pos, "%v", err)
		return true
	}
	t, rows := form.Type(0), max(form.Type(0).Rows(), 1)
	form.DBits = t.Bits()
	size := int(o.Mods[n][1] - '0')
	var from, to isa.Inst
	vector := &isa.Form{Op: form.Op, Mods: []string{o.Mods[n]}, Types: form.Types}
	if !l.list(&args[1], t, false, &from, false, vector) || !l.list(&args[0], t, false, &to, true, vector) || len(from.Vec) != size || len(to.Vec) != size {
		l.errorf(x.Pos, "%s needs two vectors of %d elements", o.Text, size)
		return true
	}
	l.uses = l.uses[:0]
	var between []isa.Reg
	for _, r := range from.Vec {
		between = append(between, l.scratch(rows))
		l.copyRegister(form, between[len(between)-1], r, rows, isa.Inst{Guard: isa.PT})
	}
	for i, r := range to.Vec {
		l.copyRegister(form, r, between[i], rows, in)
	}
	return true
}

func isSink(a ast.Operand) bool { return a.Kind == ast.Sink }

// storeSome lowers a store of a vector with "_" among its elements, which leaves memory there as it is: a store for each of
// the others. Only vectors of 32 bytes may have some (ISA 9.7.9.12). It reports whether the instruction is one.
func (l *lowering) storeSome(x *ast.Inst, o *ast.Opcode, args []ast.Operand) bool {
	if o.Name != "st" || len(args) != 2 || args[1].Kind != ast.Vector {
		return false
	}
	elems := l.body.Elems(&args[1])
	n := slices.IndexFunc(o.Mods, func(m string) bool { return m == "v4" || m == "v8" })
	if n < 0 || !slices.ContainsFunc(elems, isSink) {
		return false
	}
	form, _, err := ops.Lookup(o.Name, o.Mods, l.shapes(args)...)
	if err != nil || len(elems)*form.Type(0).Bytes() != 32 {
		return false
	}
	scalarMods := slices.Delete(slices.Clone(o.Mods), n, n+1)
	b := *l.body
	b.Opcodes = append(slices.Clip(b.Opcodes), ast.Opcode{Text: o.Text, Name: o.Name, Mods: scalarMods})
	l.opened = append(l.opened, l.opened[x.Op])
	at := args[0]
	for i, e := range elems {
		if !isSink(e) {
			b.Operands = append(slices.Clip(b.Operands), at, e)
			one := *x
			one.Op, one.First = int32(len(b.Opcodes)-1), int32(len(b.Operands)-2)
			l.body = &b
			l.instruction(&one)
		}
		if i+1 < len(elems) {
			at.Value += uint64(form.Type(0).Bytes())
		}
	}
	return true
}

// copyRegister copies a register under the guard of in.
func (l *lowering) copyRegister(form *isa.Form, to, from isa.Reg, rows int, in isa.Inst) {
	l.aside(isa.Inst{Op: form.Op, Exec: form.Op.Bind(form), D: to, A: from}, isa.Use{Reg: from, Rows: uint8(rows)}, isa.Use{Reg: to, Rows: uint8(rows), Write: true})
	last := &l.out.Code[len(l.out.Code)-1]
	last.Guard, last.GuardNot = in.Guard, in.GuardNot
}

// fragment appends to in.Vec the registers of a brace list, each as wide as type
// t, or a single one. What they are declared as matters where lists are typed.
func (l *lowering) fragment(a *ast.Operand, t isa.Type, in *isa.Inst, dest bool, form *isa.Form) {
	elems := []ast.Operand{*a}
	switch {
	case a.Kind == ast.Vector || a.Kind == ast.List:
		elems = l.body.Elems(a)
	case l.isVector(a):
		l.vectorRegister(a, in, dest)
		return
	}
	if ops.TypedLists(form) {
		l.listLength(a, len(elems), form)
		l.typedList(a, elems, dest)
	} else {
		t = partOf(t, 1)
	}
	l.appendList(elems, t, in, dest, form)
}

func (l *lowering) appendList(elems []ast.Operand, t isa.Type, in *isa.Inst, dest bool, form *isa.Form) {
	for i := range elems {
		if dest {
			in.Vec = append(in.Vec, l.destination(&elems[i], ops.ListResult(form, t), form.Op.Wider, form))
			continue
		}
		in.Vec = append(in.Vec, l.source(&elems[i], t, form.Op.Wider))
	}
}

// typedList reports integers beside floating-point numbers in a typed list, and "_" as a source or as every result.
func (l *lowering) typedList(a *ast.Operand, elems []ast.Operand, dest bool) {
	var integers, floats bool
	sinks := 0
	for i := range elems {
		switch e := &elems[i]; e.Kind {
		case ast.Register:
			t := l.body.Regs[e.Index].Type
			integers, floats = integers || !t.IsFloat() && !t.IsBits(), floats || t.IsFloat()
		case ast.Sink:
			sinks++
		}
	}
	switch {
	case integers && floats:
		l.errorf(a.Pos, "the elements of a list have one type")
	case sinks > 0 && !dest:
		l.errorf(a.Pos, `"_" is no source`)
	case sinks > 0 && sinks == len(elems):
		l.errorf(a.Pos, "one of the results is needed")
	}
}

// listLength reports a list of a length that no vector has.
func (l *lowering) listLength(a *ast.Operand, n int, form *isa.Form) {
	if !ops.ListOf(form, n) {
		l.errorf(a.Pos, "a list has one, two or four elements, not %d", n)
	}
}

// accumulator is a list of registers that are read and written.
func (o operand) accumulator() {
	n := len(o.uses)
	o.fragment(o.a, o.t, o.in, true, o.form)
	for _, u := range o.uses[n:] {
		o.use(u.Reg, int(u.Rows), false)
	}
}

// fragmentAndPredicate is a list of results, perhaps with a predicate.
func (o operand) fragmentAndPredicate() {
	list := o.a
	if o.a.Kind == ast.Pair {
		elems := o.body.Elems(o.a)
		list = &elems[0]
		o.in.P = o.predicate(&elems[1])
	}
	o.fragment(list, o.t, o.in, true, o.form)
}

// texture lowers [handle, {coordinates}], [handle, sampler, {coordinates}], or
// [handle] alone.
func (l *lowering) texture(a *ast.Operand, in *isa.Inst, form *isa.Form) {
	if a.Kind != ast.Tuple {
		in.A = l.handle(a, ops.HandleOf(form))
		return
	}
	elems := l.body.Elems(a)
	last := len(elems) - 1
	if last == 2 {
		in.M, in.Imm = l.handle(&elems[1], ast.Samplerref.String()), ops.SamplerApart
	} else if last != 1 {
		l.errorf(a.Pos, "a texture and coordinates are needed here")
		return
	} else if l.module.Independent() && ops.Samples(form) {
		l.errorf(a.Pos, "a sampler is needed beside the texture, as .target says texmode_independent")
	}
	in.A = l.handle(&elems[0], ops.HandleOf(form))
	l.coordinates(&elems[last], in, form)
}

// coordinates lowers the coordinates of an access to a texture or surface.
func (l *lowering) coordinates(a *ast.Operand, in *isa.Inst, form *isa.Form) {
	layered, register, literal := ops.Coordinates(form)
	if a.Kind != ast.Vector && a.Kind != ast.List {
		if a.Kind != ast.Register {
			l.errorf(a.Pos, "coordinates are a list")
		}
		l.fragment(a, register, in, false, form)
		return
	}
	elems := l.body.Elems(a)
	l.listLength(a, len(elems), form)
	if layered && len(elems) > 1 {
		l.appendList(elems[:1], isa.U32, in, false, form)
		elems = elems[1:]
	}
	l.typedList(a, elems, false)
	for i := range elems {
		e, t := &elems[i], literal
		if e.Kind == ast.Register {
			t = register
			if l.body.Regs[e.Index].Type == ast.F16x2 {
				l.errorf(e.Pos, "a pair of f16 is no coordinate")
			}
		}
		l.appendList(elems[i:i+1], t, in, false, form)
	}
}

// handle is a register that holds the handle of a texture, sampler or surface. A
// variable of one and a parameter hold it; that of a sampler is the variable's
// address. of is the type that the variable has.
func (l *lowering) handle(a *ast.Operand, of string) isa.Reg {
	switch {
	case a.Kind == ast.Local && l.body.Vars[a.Index].Type.IsOpaque() && l.body.Vars[a.Index].Space == ast.ParamSpace:
		return l.parameterHandle(a)
	case a.Kind == ast.Int || a.Kind == ast.Local || a.Value != 0:
		l.errorf(a.Pos, "a handle is in a register or a variable")
		return 0
	case a.Kind != ast.Global:
		return l.source(a, isa.U64, false)
	}
	addr, _, ok := l.global(a)
	v := l.module.Var(l.body.Symbols[a.Index])
	if v != nil && v.Space != ast.TexSpace && (!v.Type.IsOpaque() || v.Type.String() != of && of != "samplerref") {
		l.errorf(a.Pos, "%s has type .%s, not .%s", v.Name, v.Type, of)
	}
	if v != nil && v.Type == ast.Samplerref {
		return l.constant(addr, 2)
	}
	h := l.scratch(2)
	if ok {
		l.aside(isa.Inst{Op: handleOp, Exec: handleExec, D: h, Imm: int64(addr)}, isa.Use{Reg: h, Rows: 2, Write: true})
		l.use(h, 2, false)
	}
	return h
}

// parameterHandle loads a handle that a parameter holds.
func (l *lowering) parameterHandle(a *ast.Operand) isa.Reg {
	form, _, err := ops.Lookup("ld", []string{"param", "u64"})
	if err != nil {
		l.errorf(a.Pos, "%v", err)
		return 0
	}
	p, h := l.places[a.Index], l.scratch(2)
	form.DBits, form.Space = 64, p.space
	l.aside(isa.Inst{Op: form.Op, Exec: form.Op.Bind(form), D: h, A: l.constant(p.addr, 2), Space: p.space, Bytes: 8}, isa.Use{Reg: h, Rows: 2, Write: true})
	l.use(h, 2, false)
	return h
}

// tensor lowers [map, {coordinates}].
func (l *lowering) tensor(a *ast.Operand, in *isa.Inst, form *isa.Form) {
	elems := l.body.Elems(a)
	if a.Kind != ast.Tuple || len(elems) != 2 {
		l.errorf(a.Pos, "a tensor map and coordinates are needed here")
		return
	}
	in.B = l.secondAddress(form, &elems[0])
	if elems[1].Kind == ast.Register && !l.isVector(&elems[1]) {
		l.errorf(elems[1].Pos, "coordinates are a list")
	}
	l.fragment(&elems[1], isa.U32, in, false, form)
}

// handleOp reads the handle that a texture or surface variable holds.
var handleOp = &isa.Op{Name: "ld.global.u64", Unit: isa.LSU, Class: isa.Variable}

func handleExec(w *isa.Warp, in *isa.Inst) {
	b := w.GlobalBytes(w.Mask.First(), uint64(in.Imm), 8, false)
	if b == nil {
		return
	}
	handle := binary.LittleEndian.Uint64(b)
	for l := range w.Mask.All {
		w.Set64(in.D, l, handle)
	}
}

// vectorRegister fills in.Vec with the elements of a vector register.
func (l *lowering) vectorRegister(a *ast.Operand, in *isa.Inst, dest bool) bool {
	r := &l.body.Regs[a.Index]
	for i := range int32(r.Vec) {
		e := isa.Reg(l.rows[a.Index] + i*rowsOf(r.Type))
		l.use(e, int(rowsOf(r.Type)), dest)
		in.Vec = append(in.Vec, e)
	}
	return true
}

// partOf is the bit type of one of n equal parts of t.
func partOf(t isa.Type, n int) isa.Type {
	if n == 0 {
		return t
	}
	switch t.Bits() / n {
	case 8:
		return isa.B8
	case 16:
		return isa.B16
	case 32:
		return isa.B32
	case 64:
		return isa.B64
	}
	return t
}
