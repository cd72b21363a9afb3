package ops

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Arg is one operand of a row's pattern.
type Arg struct {
	Role     string // "d", "D", "p", "p|q", "d|p", "a", "[a]", ...
	Optional bool
	typ      string
}

// Shape is what an operand looks like, as far as the choice of a row needs it.
type Shape uint8

// The shapes. Plain is a register, an immediate, a symbol or the sink.
const (
	Plain     Shape = iota
	List            // in braces
	Address         // in brackets
	Pair            // p|q
	Predicate       // a predicate register
)

// admits reports whether an operand of a shape may stand for the argument.
// Roles that the simple shapes do not describe admit any. A predicate is told
// from a value only where rows differ by it, so that others may report it.
func (a Arg) admits(s Shape) bool {
	if s == Predicate {
		if a.Role == "m" {
			return false
		}
		s = Plain
	}
	switch a.Role {
	case "d", "p", "a", "b", "c", "m", "v", "s", "t", "i", "l", "d.", "a.", "b.", "c.":
		return s == Plain
	case "V", "O":
		return s == List
	case "D", "B":
		return s == Plain || s == List
	case "p|q", "d|p":
		return s == Plain || s == Pair
	}
	return true
}

// Type is the type of the operand in a form.
func (a Arg) Type(f *isa.Form) isa.Type {
	switch a.typ {
	case "", "0":
		return f.Type(0)
	case "1":
		return f.Type(1)
	case "2":
		return f.Type(2)
	case "3":
		return f.Type(3)
	case "w":
		return Widen(f.Type(0))
	}
	return isa.ParseType(a.typ)
}

// Widen is the integer type of twice the width.
func Widen(t isa.Type) isa.Type {
	switch t {
	case isa.U16:
		return isa.U32
	case isa.S16:
		return isa.S32
	case isa.U32:
		return isa.U64
	case isa.S32:
		return isa.S64
	}
	return isa.NoType
}

func parseArgs(pattern string) []Arg {
	if pattern == "" {
		return nil
	}
	var args []Arg
	for _, word := range strings.Split(pattern, ", ") {
		var a Arg
		word, a.Optional = strings.CutSuffix(word, "?")
		a.Role, a.typ, _ = strings.Cut(word, ":")
		args = append(args, a)
	}
	return args
}
