package main

import "fmt"

// relations of integers and of floats, by the names of PTX, with the predicate
// of AVX-512's comparison.
var (
	integerRelations = []struct {
		name string
		imm  int
	}{{"Eq", 0}, {"Ne", 4}, {"Lt", 1}, {"Le", 2}, {"Gt", 6}, {"Ge", 5}}
	floatRelations = []struct {
		name string
		imm  int
	}{
		{"Eq", 0}, {"Ne", 12}, {"Lt", 17}, {"Le", 18}, {"Gt", 30}, {"Ge", 29},
		{"Equ", 8}, {"Neu", 4}, {"Ltu", 25}, {"Leu", 26}, {"Gtu", 22}, {"Geu", 21}, {"Num", 7}, {"Nan", 3},
	}
)

// comparisons exist twice: Set writes a predicate, Cmp leaves the result in
// R13 for one of the predicate operations to combine.
func comparisons() []kernel {
	var all []kernel
	for _, r := range integerRelations {
		for _, t := range []struct {
			name, op string
			form     string
		}{{"U32", "VPCMPUD", "dd"}, {"S32", "VPCMPD", "dd"}, {"U64", "VPCMPUQ", "qq"}, {"S64", "VPCMPQ", "qq"}} {
			all = append(all, compare(r.name+t.name, t.form, fmt.Sprintf("%s $%d, {b}, {a}, {k}", t.op, r.imm))...)
		}
	}
	for _, r := range floatRelations {
		code := fmt.Sprintf("VCMPPS $%d, {b}, {a}, {k}", r.imm)
		all = append(all, compare(r.name+"F32", "dd", code)...)
		all = append(all, compare(r.name+"F32Ftz", "dd", "<flush> a b", code)...)
		all = append(all, compare(r.name+"F64", "qq", fmt.Sprintf("VCMPPD $%d, {b}, {a}, {k}", r.imm))...)
	}
	for _, r := range floatRelations {
		for _, h := range []halfOp{{"F16", false}, {"BF16", false}} {
			code := append(h.widen("a", "p", false), h.widen("b", "q", false)...)
			all = append(all, compare(r.name+h.format, "dd", append(code, fmt.Sprintf("VCMPPS $%d, {q}, {p}, {k}", r.imm))...)...)
		}
	}
	for _, r := range integerRelations[2:] {
		all = append(all, compare(r.name+"S16", "dd", "VPSLLD $16, {a}, {a}", "VPSLLD $16, {b}, {b}", fmt.Sprintf("VPCMPD $%d, {b}, {a}, {k}", r.imm))...)
	}
	return all
}

func compare(name, sources string, code ...string) []kernel {
	result := func(e *emitter) {
		if sources[0] == word {
			e.narrow(sources, code, false)
		} else {
			e.compareWide(sources, code)
		}
		e.collected()
	}
	return []kernel{
		{name: "Set" + name, shape: "setShape", write: func(e *emitter) {
			result(e)
			e.setPredicate("d", "R13")
			e.next()
		}},
		{name: "Cmp" + name, shape: "setShape", either: true, write: func(e *emitter) {
			result(e)
			e.next()
		}},
	}
}

func (e *emitter) compareWide(sources string, code []string) {
	e.each(true, func(h int) {
		e.unpack(sources, h)
		for i := range 2 {
			names := e.level.quads(i)
			e.expand(code, names)
			e.p("VPMOVM2Q %s, Z%d", names["k"], 6+i)
		}
		e.ps("VSHUFPS $0x88, Z7, Z6, Z10")
		e.p("VPMOVD2M Z10, %s", e.level.result(h))
		e.collect(h, "DX")
	})
}

// setPredicate writes the lanes in reg to the predicate of a field.
func (e *emitter) setPredicate(field, reg string) {
	e.offset(field, "DX")
	if !e.full {
		e.p("ANDL R10, %s", reg)
		e.ps("MOVL (R9)(DX*1), CX", "ANDNL CX, R10, CX")
		e.p("ORL CX, %s", reg)
	}
	e.p("MOVL %s, (R9)(DX*1)", reg)
}

// predicates combine a comparison in R13 with a predicate (Both), or two
// predicates.
func predicates() []kernel {
	all := []kernel{{name: "Both", shape: "special", write: func(e *emitter) { e.both("") }}}
	for _, x := range []struct{ name, op string }{{"And", "ANDL"}, {"Or", "ORL"}, {"Xor", "XORL"}} {
		all = append(all,
			kernel{name: "Both" + x.name, shape: "special", write: func(e *emitter) { e.both(x.op) }},
			kernel{name: "Pred" + x.name, shape: "predicateShape", write: func(e *emitter) {
				e.ps("MOVLQSX Op_c(SI), AX", "MOVL (R9)(AX*1), AX", "XORL Op_slot(SI), AX")
				e.ps("MOVLQSX Op_b(SI), BX", "MOVL (R9)(BX*1), BX", "XORL Op_imm(SI), BX")
				e.p("%s BX, AX", x.op)
				e.setPredicate("d", "AX")
				e.next()
			}})
	}
	for _, x := range []struct{ name, op string }{{"PredMov", ""}, {"PredNot", "NOTL AX"}} {
		all = append(all, kernel{name: x.name, shape: "predicateShape", write: func(e *emitter) {
			e.ps("MOVLQSX Op_c(SI), AX", "MOVL (R9)(AX*1), AX", "XORL Op_slot(SI), AX")
			if x.op != "" {
				e.ps(x.op)
			}
			e.setPredicate("d", "AX")
			e.next()
		}})
	}
	return all
}

// both writes R13 to one predicate and its complement to another, combined by
// op with a third.
func (e *emitter) both(op string) {
	e.ps("MOVL R13, AX", "MOVL R13, BX", "NOTL BX")
	if op != "" {
		e.offset("c", "CX")
		e.ps("MOVL (R9)(CX*1), CX", "XORL Op_slot(SI), CX")
		e.p("%s CX, AX", op)
		e.p("%s CX, BX", op)
	}
	e.setPredicate("d", "AX")
	e.setPredicate("b", "BX")
	e.next()
}
