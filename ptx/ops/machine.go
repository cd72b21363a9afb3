package ops

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// expansion is how many machine instructions rows of a name become when they
// compute in certain types.
type expansion struct {
	name  string
	mod   string // that the row must list, empty for any
	types string
	parts int
}

// withFtz holds the same for approximations with .ftz, which need no care for subnormal numbers.
var withFtz = map[string]int{"ex2": 1, "lg2": 1, "rsqrt": 1, "rcp": 1, "sqrt": 2, "div": 2, "sin": 2, "cos": 2, "tanh": 1}

// expansions holds what is not one instruction. The numbers are counted in what
// ptxas 13.0 makes for sm_90 of kernels with one such instruction on register
// operands, less loads, stores and exit. Of code with a rare slow path (division
// and square root, rounded) only the common path counts; approximate functions
// are those without .ftz; withFtz has the others. Later rows do not override earlier ones.
var expansions = []expansion{
	{"add", "sat", "s32", 5}, {"add", "", "u64 s64", 2}, {"sub", "", "u64 s64", 2},
	{"mul", "lo", "u64 s64", 4}, {"mad", "lo", "u64 s64", 4}, {"mad", "wide", "u32 s32 u16 s16", 3},
	{"mul24", "", "u32 s32", 3}, {"mad24", "", "u32 s32", 3}, {"sad", "", "u64 s64", 10},
	{"div", "approx", "f32", 5}, {"div", "rnd", "f32", 8}, {"div", "rnd", "f64", 14},
	{"div", "", "u16", 21}, {"div", "", "s16", 29}, {"div", "", "u32", 18}, {"div", "", "s32", 25},
	{"div", "", "u64", 72}, {"div", "", "s64", 88},
	{"rem", "", "u16", 23}, {"rem", "", "s16", 32}, {"rem", "", "u32", 17}, {"rem", "", "s32", 22},
	{"rem", "", "u64", 68}, {"rem", "", "s64", 82},
	{"abs", "", "s64", 5}, {"neg", "", "s64", 2}, {"min", "", "u64 s64", 4}, {"max", "", "u64 s64", 4},
	{"min", "", "f64", 7}, {"max", "", "f64", 7},
	{"popc", "", "b64", 3}, {"clz", "", "b32", 2}, {"clz", "", "b64", 6}, {"bfind", "", "u64 s64", 5}, {"brev", "", "b64", 2},
	{"bfe", "", "u32 s32", 2}, {"bfe", "", "u64 s64", 3}, // position and length constant
	{"bfi", "", "b32", 2}, {"bfi", "", "b64", 5}, // the same
	{"fns", "", "b32", 51},
	{"shl", "", "b64", 2}, {"shr", "", "b64 u64 s64", 2}, {"shl", "", "b16", 4}, {"shr", "", "b16 u16 s16", 5},
	{"and", "", "b64", 2}, {"or", "", "b64", 2}, {"xor", "", "b64", 2}, {"not", "", "b64", 2}, {"cnot", "", "b16 b32 b64", 3},
	{"rcp", "rnd", "f32", 8}, {"rcp", "approx", "f32", 8}, {"rcp", "rnd", "f64", 9}, {"rcp", "approx", "f64", 2},
	{"sqrt", "rnd", "f32", 8}, {"sqrt", "approx", "f32", 4}, {"sqrt", "rnd", "f64", 16},
	{"rsqrt", "approx", "f32", 4}, {"rsqrt", "approx", "f64", 12},
	{"sin", "", "f32", 2}, {"cos", "", "f32", 2}, {"lg2", "", "f32", 4}, {"ex2", "", "f32", 4},
	{"tanh", "", "f16x2 bf16x2", 3}, {"ex2", "", "f16x2 bf16x2", 3},
	{"setp", "", "b64 u64 s64", 2}, {"selp", "", "b64 u64 s64 f64", 2}, {"set", "", "u32 s32", 2},
	{"slct", "", "b32 u32 s32 f32", 2}, {"slct", "", "b64 u64 s64 f64", 3}, {"testp", "", "f32 f64", 2},
	{"redux", "", "u32 s32 b32", 2}, {"vadd", "", "u32 s32", 3}, {"vset", "", "u32 s32", 8},
	{"vmin", "", "u32 s32", 7}, {"vmax", "", "u32 s32", 7},
}

// roles holds what an assembler sees in rows of a name that list certain modifiers, all if none.
var roles = []struct {
	name, mods, args string
	role             isa.Role
}{
	{"mov", "", "d, a", isa.Copies}, {"cvta", "", "", isa.SameBits}, {"cvt", "{sat}", "", isa.Widens},
	{"mul", "^wide", "", isa.WideProduct}, {"mul", "^lo|hi", "", isa.Product},
	{"add", "", "d, a, b", isa.Sum}, {"sub", "", "d, a, b", isa.Difference}, {"neg", "", "d, a", isa.Sign}, {"neg", "{ftz}", "d, a", isa.Sign},
	{"abs", "{ftz}", "d, a", isa.Sign}, {"abs", "", "d, a", isa.Sign}, {"shl", "", "d, a, b:u32", isa.Shift},
	{"and", "", "d, a, b", isa.Logical | isa.Masks}, {"mad", "^lo|hi", "", isa.SumOf}, {"mad", "^wide", "", isa.SumOf}, {"or", "", "d, a, b", isa.Logical}, {"xor", "", "d, a, b", isa.Logical}, {"not", "", "d, a", isa.Logical},
	{"and", "", "p, s, t", isa.Junction}, {"or", "", "p, s, t", isa.Junction}, {"setp", "", "", isa.Compares},
	{"atom", order + "add {hint}", "", isa.Gathers}, {"red", order + "add {hint}", "", isa.Gathers},
	{"red", order + "min|max {hint}", "", isa.Gathers}, {"red", order + "and|or|xor {hint}", "", isa.Gathers},
	{"alloca", "", "", isa.Ordered}, {"stacksave", "", "", isa.Ordered}, {"stackrestore", "", "", isa.Ordered},
}

// role finds a row's role.
func role(op *isa.Op) isa.Role {
	if reads, writes := carryUse(&isa.Form{Op: op, Mods: words(op.Mods)}); reads || writes {
		return isa.Ordered
	}
	for i := range roles {
		r := &roles[i]
		exact := r.role == isa.Compares || r.role == isa.SameBits || r.role == isa.Ordered || r.mods == op.Mods
		if r.name == op.Name && exact && (r.args == "" || r.args == op.Args) {
			return r.role
		}
	}
	return 0
}

// expansionsByName groups the expansions.
func expansionsByName() map[string][]*expansion {
	all := make(map[string][]*expansion, len(expansions))
	for i := range expansions {
		e := &expansions[i]
		all[e.name] = append(all[e.name], e)
	}
	return all
}

// expand is the Expand of a row, by the expansions of its name; nil if it is one
// instruction in all types.
func expand(op *isa.Op, all []*expansion) func(t isa.Type, ftz bool) int {
	var parts map[isa.Type]int
	for _, e := range all {
		if e.mod != "" && !lists(op.Mods, e.mod) {
			continue
		}
		if parts == nil {
			parts = map[isa.Type]int{}
		}
		for name := range strings.FieldsSeq(e.types) {
			if t := isa.ParseType(name); parts[t] == 0 {
				parts[t] = e.parts
			}
		}
	}
	if parts == nil {
		return nil
	}
	approximates := lists(op.Mods, "approx")
	return func(t isa.Type, ftz bool) int {
		if n := withFtz[op.Name]; n > 0 && ftz && approximates && t == isa.F32 {
			return n
		}
		return max(parts[t], 1)
	}
}

// lists reports that a row's modifiers name mod, or a group of that name.
func lists(mods, mod string) bool {
	for rest := mods; ; {
		i := strings.Index(rest, mod)
		if i < 0 {
			return false
		}
		end := i + len(mod)
		if (i == 0 || !letter(rest[i-1])) && (end == len(rest) || !letter(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == ':' || c == '_' }
