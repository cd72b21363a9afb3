package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

const (
	ofMulti  = "{weak|relaxed|acquire} {cta|cluster|gpu|sys} {global} "
	toMulti  = "{weak|relaxed|release} {cta|cluster|gpu|sys} {global} "
	redMulti = "{relaxed|release} {cta|cluster|gpu|sys} {global} "
)

// multimem is PTX ISA 9.7.9.14: memory that stands for the same place on several
// devices. Here it has one, so that a reduction over them is what that one
// holds. What a card answers was not recorded.
var multimem = []isa.Op{
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "min|max|add", Types: "u32 s32 u64", Args: "d, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "min|max", Types: "s64", Args: "d, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "and|or|xor", Types: "b32 b64", Args: "d, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "add {v2|v4}", Types: "f32", Args: "D, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "add", Types: "f64", Args: "d, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "min|max v2|v4|v8", Types: "f16 bf16", Args: "D, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "add {acc::f32} v2|v4|v8", Types: "f16 bf16", Args: "D, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "min|max {v2|v4}", Types: "f16x2 bf16x2", Args: "D, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "ld_reduce " + ofMulti + "add {acc::f32} {v2|v4}", Types: "f16x2 bf16x2", Args: "D, [a]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindLoad},
	{Name: "multimem", Mods: "st " + toMulti, Types: "u32 s32 u64 s64 b32 b64 f64", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindStore},
	{Name: "multimem", Mods: "st " + toMulti + "{v2|v4}", Types: "f32 f16x2 bf16x2", Args: "[a], B", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindStore},
	{Name: "multimem", Mods: "st " + toMulti + "v2|v4|v8", Types: "f16 bf16", Args: "[a], B", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindStore},
	{Name: "multimem", Mods: "red " + redMulti + "min|max|add", Types: "u32 s32 u64", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
	{Name: "multimem", Mods: "red " + redMulti + "min|max", Types: "s64", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
	{Name: "multimem", Mods: "red " + redMulti + "and|or|xor", Types: "b32 b64", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
	{Name: "multimem", Mods: "red " + redMulti + "add", Types: "f32 f64", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
	{Name: "multimem", Mods: "red " + redMulti + "add v2|v4", Types: "f32", Args: "[a], V", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
	{Name: "multimem", Mods: "red " + redMulti + "min|max|add v2|v4|v8", Types: "f16 bf16", Args: "[a], V", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
	{Name: "multimem", Mods: "red " + redMulti + "min|max|add", Types: "f16x2 bf16x2", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
	{Name: "multimem", Mods: "red " + redMulti + "min|max|add v2|v4", Types: "f16x2 bf16x2", Args: "[a], V", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.9.14", Bind: bindMultiRed},
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
