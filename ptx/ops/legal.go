package ops

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

// What could be executed but is no PTX: ptxas, and so every driver, refuses it. The rules were found by asking ptxas 13.0
// about instructions with one operand or modifier exchanged.

// discards are the instructions whose result may be "_" as a whole, each with a modifier that it then has.
var discards = map[string]string{"setp": "", "atom": "", "mbarrier": "arrive|arrive_drop", "elect": "", "match": "", "lop3": "", "movmatrix": ""}

// Discards reports whether "_" may take the place of the result. Of a list, any element may be "_".
func Discards(f *isa.Form) bool {
	mods, ok := discards[f.Op.Name]
	return ok && (mods == "" || f.Any(strings.Split(mods, "|")...) != "")
}

// ReadsSpecial reports whether a source of type t may be a special register of some bits, of which a conversion may want fewer.
func ReadsSpecial(f *isa.Form, t isa.Type, bits int) bool {
	switch f.Op.Name {
	case "mov":
		return !t.IsFloat() && t.Bits() == bits
	case "cvt":
		return !f.Type(0).IsFloat() && !f.Type(1).IsFloat() && f.Type(1).Bits() <= bits
	}
	return false
}

// TakesNames reports whether a source of a role may be the name of a variable or function, for its address.
func TakesNames(f *isa.Form, role string) bool {
	switch f.Op.Name {
	case "mov", "mapa", "getctarank":
		return role == "a"
	}
	return f.Op.Name == "cvta" && !f.Has("to")
}

// SpaceOfNames is the space of the variables whose names a source may be, "" for any.
func SpaceOfNames(f *isa.Form) string {
	switch f.Op.Name {
	case "mapa", "getctarank":
		return "shared"
	case "cvta":
		space, _, _ := strings.Cut(f.Any(vocabulary["space"]...), "::")
		return space
	}
	return ""
}

// IsConversion reports cvta.
func IsConversion(f *isa.Form) bool { return f.Op.Name == "cvta" }

// TakesSums reports whether a source of type t may be a register, or the name of a variable, and an offset. What ptxas hands
// to a macro takes neither, and what is no number takes no name.
func TakesSums(f *isa.Form, role string, t isa.Type, name bool) bool {
	inexact := f.Any("rz", "rm", "rp") != ""
	switch f.Op.Name {
	case "createpolicy":
		if name || f.Has("range") {
			return false
		}
	case "div":
		if inexact || t.Bits() == 64 && !t.IsFloat() {
			return false
		}
	case "rem", "rcp", "sqrt":
		if t.Bits() == 64 && (inexact || !t.IsFloat()) {
			return false
		}
	case "mbarrier":
		if name && t.Bits() == 64 {
			return false
		}
	case "istypep", "stackrestore":
		if name {
			return false
		}
	}
	if role == "a." || role == "b." || isVideoSIMD(f) || t == isa.Pred || t.Bits() > 64 {
		return false
	}
	return !name || role != "x" && !t.IsFloat() && !isPacked(f, t)
}

func isVideoSIMD(f *isa.Form) bool {
	name := f.Op.Name
	return name[0] == 'v' && (strings.HasSuffix(name, "2") || strings.HasSuffix(name, "4"))
}

// isPacked reports a source that holds several numbers.
func isPacked(f *isa.Form, t isa.Type) bool {
	if f.Op.Name == "cvt" && len(f.Types) > 1 {
		t = f.Types[1]
	}
	switch t {
	case isa.U16x2, isa.S16x2, isa.E4M3x2, isa.E5M2x2, isa.E2M3x2, isa.E3M2x2, isa.E2M1x2, isa.UE8M0x2:
		return true
	}
	return false
}

// TakesLiterals reports whether a source of type t may be a literal.
func TakesLiterals(f *isa.Form, t isa.Type) bool {
	return f.Op.Name != "movmatrix" && f.Op.Name != "stackrestore" && !isVideoSIMD(f) && !isPacked(f, t)
}

// TakesPredicate reports a result that stands with a predicate always, not if wanted.
func TakesPredicate(f *isa.Form) bool { return f.Op.Name == "lop3" || f.Op.Name == "elect" }

// WritesVariable reports a store.
func WritesVariable(f *isa.Form) bool { return f.Op.Name == "st" }

// InRegisters reports whether the elements of a list are registers, no literals.
func InRegisters(f *isa.Form) bool { return strings.HasSuffix(f.Op.Name, "mma") }

// TypedLists reports whether the elements of lists have a type, as the coordinates of copies and all that textures and
// surfaces take and give, instead of bits.
func TypedLists(f *isa.Form) bool { return f.Op.Name == "cp" || f.Op.Unit == isa.Tex }

// ListResult is what the results in a list of type t may be: textures give f32 to integers too.
func ListResult(f *isa.Form, t isa.Type) isa.Type {
	if f.Op.Unit == isa.Tex && t == isa.F32 {
		return isa.B32
	}
	return t
}

// NeedsLists reports that even one number stands in a list.
func NeedsLists(f *isa.Form) bool { return f.Op.Name == "cp" || f.Op.Name == "tex" }

// ListOf reports whether a list may have n elements.
func ListOf(f *isa.Form, n int) bool { return f.Op.Unit != isa.Tex || n == 1 || n == 2 || n == 4 }

// IsInteger reports an operand that is an integer whatever the type of the instruction is, which a pair of f16 is not.
func IsInteger(f *isa.Form, a Arg) bool {
	switch f.Op.Name {
	case "redux", "bmsk", "nanosleep":
		return f.Type(0) != isa.F32
	case "dp2a", "dp4a":
		if a.Role == "a" || a.Role == "b" {
			return false
		}
	}
	t := a.Type(f)
	return len(a.typ) > 1 && (t == isa.U32 || t == isa.S32)
}

// Literal is what a literal operand may be.
type Literal struct {
	Only bool // there is no register in its place
	Fits func(v int64) bool
	Real func(v float64) bool // of a floating-point literal
	Last int64                // the last one that all modules have whose version and target have the instruction
	late need                 // what those behind it need
}

// Missing says what a module of a version, times ten, and a target lacks for a literal; "" if nothing.
func (l Literal) Missing(v int64, version int, target Target) string {
	if v <= l.Last || l.late == (need{}) {
		return ""
	}
	return l.late.missing(version, target)
}

func limits(least, most, step int64) func(int64) bool {
	return func(v int64) bool { return v >= least && v <= most && v%step == 0 }
}

// literals are the limits of literals by mnemonic: of some roles, of instructions that have one of the modifiers, if any are
// named.
var literals = map[string][]struct {
	roles, mods string
	Literal
}{
	"bfe":           {{"b c", "", Literal{Fits: limits(0, 255, 1)}}},
	"bfi":           {{"c m", "", Literal{Fits: limits(0, 255, 1)}}},
	"bar":           {{"a", "", Literal{Fits: limits(0, 15, 1)}}, {"b", "", Literal{Fits: limits(0, 1<<32, 32)}}},
	"barrier":       {{"a", "", Literal{Fits: limits(0, 15, 1)}}, {"b", "", Literal{Fits: limits(0, 1<<32, 32)}}},
	"discard":       {{"i", "", Literal{Fits: limits(128, 128, 1)}}},
	"applypriority": {{"i", "", Literal{Fits: limits(128, 128, 1)}}},
	"fence":         {{"i", "", Literal{Fits: limits(128, 128, 1)}}},
	"alloca":        {{"i", "", Literal{Only: true, Fits: func(v int64) bool { return v > 0 && v <= math.MaxUint32 && v&(v-1) == 0 }}}},
	"setmaxnreg":    {{"i", "", Literal{Only: true, Fits: limits(24, 256, 8)}}},
	"pmevent":       {{"i", "mask", Literal{Fits: limits(0, 65535, 1)}}, {"i", "", Literal{Fits: limits(0, 15, 1)}}},
	"st":            {{"b", "bulk", Literal{Fits: limits(0, 1<<24, 8)}}, {"c", "bulk", Literal{Fits: limits(0, 0, 1)}}},
	"createpolicy":  {{"a", "fractional", Literal{Real: func(v float64) bool { return v > 0 && v <= 1 }}}},
	"tcgen05":       {{"k", "kind::f8f6f4", Literal{Fits: func(int64) bool { return false }}}, {"k", "", Literal{Fits: limits(0, 15, 1)}}},
	"cp": {
		{"c", "bulk", Literal{Fits: func(v int64) bool { return v%16 == 0 }}},
		{"c", "cg", Literal{Only: true, Fits: limits(16, 16, 1)}},
		{"c", "ca", Literal{Only: true, Fits: func(v int64) bool { return v == 4 || v == 8 || v == 16 }}},
	},
	"tensormap": {
		{"c", "box_dim|global_dim|element_stride|global_stride", Literal{Only: true, Fits: limits(0, 4, 1)}},
		{"c", "cp_fenceproxy", Literal{Only: true, Fits: limits(tensormap.Size, tensormap.Size, 1)}},
		{"b", "box_dim|global_dim|element_stride", Literal{Real: func(float64) bool { return false }}},
		{"b", "elemtype", Literal{Only: true, Fits: limits(0, 15, 1), Last: 12, late: need{87, 100, matrixTargets}}},
		{"b", "interleave_layout", Literal{Only: true, Fits: limits(0, 2, 1)}},
		{"b", "swizzle_mode", Literal{Only: true, Fits: limits(0, 4, 1), Last: 3, late: need{88, 103, "103a"}}},
		{"b", "swizzle_atomicity", Literal{Only: true, Fits: limits(0, 3, 1)}},
		{"b", "fill_mode", Literal{Only: true, Fits: limits(0, 1, 1)}},
	},
}

// LiteralOf is what a literal of a role may be; Fits and Real are nil if nothing limits it but its type.
func LiteralOf(f *isa.Form, role string) Literal {
	for _, l := range literals[f.Op.Name] {
		if strings.Contains(l.roles, role) && (l.mods == "" || f.Any(strings.Split(l.mods, "|")...) != "") {
			return l.Literal
		}
	}
	return Literal{}
}

// MeasuresAddresses reports whether an address of 32 bits makes the module one with 32-bit addresses, which neither PTX after
// 7.8 nor sm_90 and later have: in generic or global memory, and for cvta.
func MeasuresAddresses(f *isa.Form, space isa.Space) bool {
	switch f.Op.Name {
	case "cvta":
		return IsShort(f)
	case "ld", "ldu", "st", "atom", "red", "prefetch", "prefetchu", "mbarrier", "multimem", "applypriority", "discard":
		return space == isa.Generic || space == isa.Global
	}
	return false
}

// IsShort reports a conversion of addresses of 32 bits.
func IsShort(f *isa.Form) bool { return f.Op.Name == "cvta" && f.Type(0) == isa.U32 }

// TakesShort reports whether a register of 32 bits may hold the address that is asked about.
func TakesShort(f *isa.Form) bool { return f.Op.Name == "isspacep" }

// IsAccess reports a load or store.
func IsAccess(f *isa.Form) bool { return f.Op.Name == "ld" || f.Op.Name == "st" }

// MovesVectors reports a load or store whose value may be a list.
func MovesVectors(f *isa.Form) bool {
	return IsAccess(f) || f.Op.Name == "ldu" || f.Op.Name == "multimem"
}

// Hinted reports an instruction with a cache policy.
func Hinted(f *isa.Form) bool { return f.Has("L2::cache_hint") }

// Ascending is two operands of which the first, if both are literals, is not above the second; zero for none.
func Ascending(f *isa.Form) (first, second int) {
	if f.Op.Name == "createpolicy" && f.Has("range") {
		return 2, 3
	}
	return 0, 0
}

// WrongTogether is what is wrong with modifiers that go together in some ways only, "" for nothing. discards says that the
// result is "_".
func WrongTogether(f *isa.Form, discards bool) string {
	switch f.Op.Name {
	case "mbarrier":
		if (f.Any("relaxed", "acquire", "release") != "") != (f.Any("cta", "cluster") != "") {
			return "order and scope go together"
		}
		if f.Any("arrive", "arrive_drop") != "" && f.Has("shared::cluster") && !discards {
			return `the result is "_", of a barrier that may be another CTA's`
		}
	case "ld", "st":
		if what := wrongOrder(f); what != "" {
			return what
		}
		return wrongCache(f)
	case "atom", "red":
		switch {
		case f.Has("gl"):
			return ".gl is a level of membar"
		case f.Op.Name == "red" && f.Any("acquire", "acq_rel") != "":
			return "what gives no result acquires nothing"
		case Hinted(f) && f.Any("shared", "shared::cta", "shared::cluster") != "":
			return "shared memory is not cached in L2"
		}
	case "fence":
		if f.Has("gl") {
			return ".gl is a level of membar"
		}
	case "isspacep", "cvta":
		if f.Has("param::func") {
			return "addresses of a function's parameters are generic"
		}
	}
	return ""
}

// wrongOrder is what is wrong with the memory order of a load or store.
func wrongOrder(f *isa.Form) string {
	if f.Has("async") || f.Has("bulk") {
		return ""
	}
	space, _, _ := strings.Cut(f.Any(vocabulary["space"]...), "::")
	order, scope := f.Any("relaxed", "acquire", "release"), f.Any("cta", "cluster", "gpu", "sys")
	switch {
	case f.Op.Name == "st" && space == "const":
		return "constants are not written"
	case f.Op.Name == "st" && f.Any(vocabulary["prefetch"]...) != "":
		return "a store fetches nothing ahead"
	case f.Has("mmio") && (order != "relaxed" || scope != "sys" || space != "" && space != "global"):
		return ".mmio stands with .relaxed.sys, in global memory"
	case (order != "") != (scope != ""):
		return "order and scope go together"
	case (order != "" || f.Has("volatile")) && space != "" && space != "global" && space != "shared":
		return "memory that one thread or all read alone has no order"
	}
	return ""
}

// wrongCache is what is wrong with the caching of a load or store: only global memory has eviction priorities, policies and
// prefetches, which a generic address may be of.
func wrongCache(f *isa.Form) string {
	switch space := f.Any(vocabulary["space"]...); {
	case f.Has("async") || f.Has("bulk") || space == "global":
		return ""
	case f.Has("nc"):
		return ".nc stands with .global"
	case space != "" && f.Any(globalHints...) != "":
		return fmt.Sprintf(".%s does not apply to .%s", f.Any(globalHints...), space)
	}
	return ""
}

// globalHints are the modifiers of caching that only global memory has.
var globalHints = slices.Concat(vocabulary["evict1"], vocabulary["evict2"], vocabulary["prefetch"], vocabulary["hint"])

// repeated are the modifiers that may stand twice.
var repeated = map[string]bool{"uni": true, "sync": true, "sat": true, "satfinite": true, "NaN": true, "shiftamt": true, "approx": true, "cc": true, "relu": true}

// Once is modifiers without those that are repeated and may be.
func Once(mods []string) []string {
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
