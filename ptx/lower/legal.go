package lower

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// What could be executed but is no PTX: ptxas, and so every driver, refuses it. The rules were found by asking ptxas 13.0
// about instructions with one operand exchanged.

// discards are the instructions whose result may be "_" as a whole. Elements of a list always may.
var discards = map[string]bool{"atom": true, "mbarrier": true, "elect": true, "match": true, "lop3": true, "movmatrix": true, "clusterlaunchcontrol": true}

// naming are the instructions that take the name of a variable or function for its address.
var naming = map[string]bool{"mov": true, "cvta": true, "mapa": true, "getctarank": true}

// registersOnly are instructions without literals.
var registersOnly = map[string]bool{"movmatrix": true, "stackrestore": true}

// bound is what a literal may be: from the least to the most, in steps.
type literalBound struct{ least, most, step int64 }

// literalBounds are the bounds of literals, by mnemonic and role.
var literalBounds = map[string]literalBound{
	"bfe b": {0, 255, 1}, "bfe c": {0, 255, 1}, "bfi c": {0, 255, 1}, "bfi m": {0, 255, 1},
	"bar a": {0, 15, 1}, "barrier a": {0, 15, 1}, "bar b": {0, 1 << 32, 32}, "barrier b": {0, 1 << 32, 32},
	"discard i": {128, 128, 1}, "applypriority i": {128, 128, 1}, "fence i": {128, 128, 1},
}

// legal reports an operand that ptxas refuses where it stands.
func (o operand) legal() bool {
	what := ""
	switch role := o.role.Role; role {
	case "[a]", "[b]", "[m]":
		what = o.illegalAddress()
	case "d", "D", "d.", "d|p":
		what = o.illegalResult()
	case "a", "b", "c", "m", "B", "i", "a.", "b.", "c.":
		what = o.illegalSource()
	case "p":
		if o.a.Kind == ast.Sink && o.form.Op.Name != "setp" {
			what = "the result cannot be discarded"
		}
	case "E|p":
		if elems := o.body.Elems(o.a); o.a.Kind == ast.Pair && elems[1].Kind == ast.Sink {
			what = "the predicate cannot be discarded"
		}
	case "E", "F", "G", "O":
		for _, e := range o.body.Elems(o.a) {
			if strings.HasSuffix(o.form.Op.Name, "mma") && e.Kind != ast.Register && e.Kind != ast.Sink {
				what = "a matrix is in registers"
			}
		}
	}
	if what != "" {
		o.errorf(o.a.Pos, "%s: %s", o.form.Op.Name, what)
	}
	return what == ""
}

func (o operand) illegalAddress() string {
	switch {
	case !o.a.Has(ast.Address) && o.a.Kind != ast.Tuple:
		return "an address in brackets is needed here"
	case o.a.Kind == ast.Int && !o.form.Has("local"):
		return "only .local memory has literal addresses"
	case o.form.Op.Name == "st" && o.fn.Entry && o.a.Kind == ast.Local && int(o.a.Index) < len(o.fn.Params):
		return "a kernel's parameters are constant"
	}
	return ""
}

func (o operand) illegalResult() string {
	a := o.a
	if a.Kind == ast.Pair {
		a = &o.body.Elems(a)[0]
	} else if name := o.form.Op.Name; o.role.Role == "d|p" && (name == "lop3" || name == "elect") {
		return "a register and a predicate are needed here"
	}
	switch {
	case a.Flags&(ast.Minus|ast.Not) != 0:
		return "a result has no sign"
	case a.Kind == ast.Sink && !discards[o.form.Op.Name]:
		return "the result cannot be discarded"
	}
	return ""
}

func (o operand) illegalSource() string {
	name, a := o.form.Op.Name, o.a
	literal := a.Kind == ast.Int || a.Kind == ast.Float32 || a.Kind == ast.Float64
	switch {
	case a.Kind == ast.Sink:
		return `"_" is no source`
	case a.Kind == ast.Special && name != "mov" && name != "cvt":
		return "a special register is read by mov alone"
	case (a.Kind == ast.Local || a.Kind == ast.Global) && !a.Has(ast.Address) && (!naming[name] || o.form.Has("to")):
		return "a register is needed here"
	case literal && (registersOnly[name] || pairs(name, o.t) || name == "cvt" && len(o.form.Types) > 1 && pairs(name, o.form.Types[1])):
		return "a register is needed here, not a literal"
	case o.form.Has("async") && name == "cp":
		return o.illegalSize()
	}
	if b, ok := literalBounds[name+" "+strings.TrimSuffix(o.role.Role, ".")]; ok && a.Kind == ast.Int {
		if v := int64(a.Value); v < b.least || v > b.most || v%b.step != 0 {
			return "the literal is out of range"
		}
	}
	return ""
}

// illegalSize is what is wrong with the size of a copy: a literal of as many bytes as a copy of registers would have, or a
// multiple of 16 in bulk.
func (o operand) illegalSize() string {
	size := int64(o.a.Value)
	switch {
	case o.role.Role != "c":
	case o.form.Has("bulk"):
		if o.a.Kind == ast.Int && size%16 != 0 {
			return "the size is no multiple of 16"
		}
	case o.a.Kind != ast.Int:
		return "the size is a literal"
	case size != 16 && (o.form.Has("cg") || size != 4 && size != 8):
		return "there are no copies of this size"
	}
	return ""
}

// illegalForm is what is wrong with modifiers that go together in some ways only.
func illegalForm(form *isa.Form, args []ast.Operand) string {
	ordered, scoped := form.Any("relaxed", "acquire", "release") != "", form.Any("cta", "cluster", "gpu", "sys") != ""
	switch name := form.Op.Name; {
	case name == "mbarrier" && ordered != scoped:
		return "order and scope go together"
	case name == "mbarrier" && form.Any("arrive", "arrive_drop") != "" && form.Has("shared::cluster") && args[0].Kind != ast.Sink:
		return `the result is "_", of a barrier that may be another CTA's`
	case name == "isspacep" && form.Has("param::func"):
		return "addresses of a function's parameters are not asked for"
	case name == "pmevent" && !form.Has("mask") && len(args) > 0 && args[0].Value > 15:
		return "events are 0 to 15"
	case name == "tensormap" && form.Any("box_dim", "global_dim", "element_stride", "global_stride") != "" && len(args) > 1 && (args[1].Kind != ast.Int || args[1].Value > 4):
		return "the dimension is a literal, 0 to 4"
	case name == "tensormap" && form.Any("elemtype", "interleave_layout", "swizzle_mode", "fill_mode", "swizzle_atomicity") != "" && len(args) > 1 && args[1].Kind != ast.Int:
		return "the value is a literal"
	}
	return ""
}

// pairs reports operands of several numbers each, which no literal can give: of SIMD video instructions and packed types.
func pairs(name string, t isa.Type) bool {
	switch t {
	case isa.U16x2, isa.S16x2, isa.E4M3x2, isa.E5M2x2, isa.E2M3x2, isa.E3M2x2, isa.E2M1x2, isa.UE8M0x2:
		return true
	}
	return name[0] == 'v' && (strings.HasSuffix(name, "2") || strings.HasSuffix(name, "4"))
}

// repeated are the modifiers that may stand twice.
var repeated = map[string]bool{"uni": true, "sync": true, "sat": true, "satfinite": true, "NaN": true, "shiftamt": true, "approx": true, "cc": true, "relu": true}

// once is modifiers without those that are repeated.
func once(mods []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, m := range mods {
		if !repeated[m] || !seen[m] {
			list = append(list, m)
		}
		seen[m] = true
	}
	return list
}
