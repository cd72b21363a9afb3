package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// multimem is PTX ISA 9.7.9.14: memory that stands for the same place on several
// devices. Here it has one, so that a reduction over them is what that one
// holds. What a card answers was not recorded.
var multimem = multimemRows()

// multimemRows makes the rows of each operation, weak and with order and scope.
func multimemRows() []isa.Op {
	const scopes = "cta|cluster|gpu|sys "
	var rows []isa.Op
	add := func(op, order, form, types, args string, bind func(*isa.Form) isa.Handler) {
		for _, mods := range []string{order + " " + scopes, "{weak} "} {
			if op == "red" && mods == "{weak} " {
				mods = ""
			}
			rows = append(rows, isa.Op{
				Name: "multimem", Mods: op + " " + mods + "{global} " + form, Types: types, Args: args,
				Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bind,
			})
		}
	}
	for _, x := range []struct{ op, types string }{{"min|max|add", "u32 s32 u64"}, {"min|max", "s64"}, {"and|or|xor", "b32 b64"}, {"add", "f32 f64 f16x2 bf16x2"}} {
		add("ld_reduce", "relaxed|acquire", x.op, x.types, "d, [a]", bindLoad)
		add("red", "relaxed|release", x.op, x.types, "[a], b", bindMultiRed)
	}
	add("ld_reduce", "relaxed|acquire", "min|max", "f16x2 bf16x2", "d, [a]", bindLoad) // red has them with .v2 and .v4 only
	for _, x := range []struct{ op, vec, types string }{
		{"add", "v2|v4", "f32"}, {"min|max|add", "v2|v4|v8", "f16 bf16"}, {"min|max|add", "v2|v4", "f16x2 bf16x2"},
	} {
		add("ld_reduce", "relaxed|acquire", x.op+" "+x.vec, x.types, "D, [a]", bindLoad)
		add("red", "relaxed|release", x.op+" "+x.vec, x.types, "[a], V", bindMultiRed)
	}
	add("ld_reduce", "relaxed|acquire", "add acc::f32 v2|v4|v8", "f16 bf16", "D, [a]", bindLoad)
	add("ld_reduce", "relaxed|acquire", "add acc::f32 {v2|v4}", "f16x2 bf16x2", "D, [a]", bindLoad)
	add("st", "relaxed|release", "", "u32 s32 u64 s64 b32 b64 f64", "[a], b", bindStore)
	add("st", "relaxed|release", "{v2|v4}", "f32 f16x2 bf16x2", "[a], B", bindStore)
	add("st", "relaxed|release", "v2|v4|v8", "f16 bf16", "[a], B", bindStore)
	return rows
}

// bindMultiRed reduces without a result, as red does on one device.
func bindMultiRed(f *isa.Form) isa.Handler {
	if elements(f) > 1 {
		if f.Type(0).Bits() == 16 {
			return atomVec(formula16(f), elements(f), true)
		}
		return atomVec(formula32(f), elements(f), true)
	}
	switch f.Type(0).Bits() {
	case 32:
		return atom(formula32(f), true)
	case 64:
		return atom(formula64(f), true)
	}
	return nil
}
