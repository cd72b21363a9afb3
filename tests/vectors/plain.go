package vectors

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// spelling is a form's mnemonic with its modifiers and types, in the order that
// the manual writes: those that stand before the types first.
func spelling(form *isa.Form) string {
	words := append([]string{form.Op.Name}, form.Mods...)
	for _, t := range form.Types {
		words = append(words, t.String())
	}
	return strings.Join(words, ".")
}

// builder writes one instruction with the registers of a kernel.
type builder struct {
	form     *isa.Form
	f        Form
	operands []string
}

func newBuilder(form *isa.Form) *builder {
	return &builder{form: form, f: Form{Name: spelling(form)}}
}

func (b *builder) result(bits int) string {
	b.f.Results = append(b.f.Results, bits)
	return fmt.Sprintf("%%d%d", len(b.f.Results)-1)
}

func (b *builder) source(k Kind) string {
	b.f.Sources = append(b.f.Sources, k)
	return fmt.Sprintf("%%s%d", len(b.f.Sources)-1)
}

func (b *builder) add(operand string) { b.operands = append(b.operands, operand) }

// instruction is the text of the instruction with the operands added so far.
func (b *builder) instruction() string {
	return b.f.Name + " " + strings.Join(b.operands, ", ") + ";"
}

// finish sets the body and the number of threads.
func (b *builder) finish(variant, body string) *Form {
	b.f.Body = body
	if variant != "" {
		b.f.Name += " " + variant
	}
	switch {
	case b.f.Threads != 0:
	case len(b.f.Sources) == 1 && exhausted[b.f.Sources[0]]:
		b.f.Threads = 1 << 16
	case len(b.f.Sources) == 1:
		b.f.Threads = 4096
	case b.form.Has("and") || b.form.Has("or") || b.form.Has("xor"):
		b.f.Threads = 1024
	default:
		b.f.Threads = 2048
	}
	return &b.f
}

// exhausted are the kinds of which a single operand takes all values.
var exhausted = map[Kind]bool{"f16": true, "bf16": true, "e4m3x2": true, "e5m2x2": true}

// countRoles are the operands that count bits, by mnemonic.
var countRoles = map[string]string{
	"shl": "b", "shr": "b", "shf": "c", "bfe": "bc", "bfi": "cm", "szext": "b", "bmsk": "ab", "fns": "bc",
}

// sourceKind is the kind of a source operand of a form.
func sourceKind(form *isa.Form, arg ops.Arg) Kind {
	if strings.Contains(countRoles[form.Op.Name], arg.Role[:1]) {
		return Count
	}
	if t := arg.Type(form); t.Bits() != 8 || !form.Op.Wider {
		return kindOf(t)
	}
	return "i32"
}

// registerBits is the width of the register for a result of a type.
func registerBits(form *isa.Form, t isa.Type) int {
	if t.Bits() == 8 && form.Op.Wider {
		return 32
	}
	return t.Bits()
}

// immediates are the variants of an immediate operand.
var immediates = []int{0x96, 0xe8, 0xca, 0x1f}

// plainForms are the kernels of an instruction on registers: one, or one for
// each immediate, and of conversions one more with the widest registers.
func plainForms(form *isa.Form, args []ops.Arg) []*Form {
	variants := []variant{{}}
	if form.Op.Wider && (form.Type(0).Kind() != isa.Float || form.Type(1).Kind() != isa.Float) {
		variants = append(variants, variant{name: "wide", wide: true})
	}
	for i, a := range args {
		switch a.Role {
		case "V":
			way := map[bool]string{true: "unpack", false: "pack"}[i == 0]
			variants = []variant{{name: way}, {name: way + " four", parts: 4}}
		case "i":
			variants = nil
			for _, imm := range immediates {
				variants = append(variants, variant{name: fmt.Sprintf("imm=%#x", imm), imm: imm})
			}
		}
	}
	var all []*Form
	for _, v := range variants {
		if f := v.plain(form, args); f != nil {
			all = append(all, f)
			if edges(form, f) {
				all = append(all, f.edgeForm())
			}
		}
	}
	return all
}

// variant is one of the ways to give a form its operands.
type variant struct {
	name  string
	wide  bool
	imm   int
	parts int // of a brace list, 0 for two
}

func (v variant) plain(form *isa.Form, args []ops.Arg) *Form {
	b := newBuilder(form)
	if v.wide {
		b.f.Threads = 2048
	}
	before, after := "", ""
	for i, a := range args {
		t := a.Type(form)
		switch a.Role {
		case "d":
			bits := registerBits(form, t)
			switch {
			case bits == 128:
				b.f.Results = append(b.f.Results, 64, 64)
				b.add("%q0")
				after = "mov.b128 {%d0, %d1}, %q0;"
				continue
			case v.wide && t.Kind() != isa.Float:
				bits = 64
			}
			b.add(b.result(bits))
		case "p":
			b.add(b.result(1))
		case "p|q":
			b.add(b.result(1) + "|" + b.result(1))
		case "d|p":
			b.add(b.result(registerBits(form, t)) + "|" + b.result(1))
		case "a", "b", "c", "m":
			switch {
			case t.Bits() == 128:
				before = fmt.Sprintf("mov.b128 %%q1, {%s, %s};", b.source("i64"), b.source("i64"))
				b.add("%q1")
			case v.wide && t.Kind() != isa.Float:
				b.add(b.source("i64"))
			default:
				b.add(b.source(sourceKind(form, a)))
			}
		case "s", "t":
			s := b.source(Flag)
			if form.Has("xor") {
				s = "!" + s
			}
			b.add(s)
		case "i":
			b.add(fmt.Sprint(v.imm))
		case "V":
			list := b.list(t, max(v.parts, 2), i == 0)
			if list == "" {
				return nil
			}
			b.add(list)
		default:
			return nil
		}
	}
	return b.finish(v.name, strings.TrimSpace(before+"\n"+b.instruction()+"\n"+after))
}

// list is a brace list of some parts of a type, as results or as sources.
func (b *builder) list(t isa.Type, parts int, results bool) string {
	bits := t.Bits() / parts
	if bits < 16 {
		return ""
	}
	var list []string
	for range parts {
		if results {
			list = append(list, b.result(bits))
		} else {
			list = append(list, b.source(Kind(fmt.Sprintf("i%d", bits))))
		}
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// carryForms show the carry flag too: set before by an addition or subtraction
// where the instruction reads it, taken after by one.
func carryForms(form *isa.Form, args []ops.Arg) []*Form {
	var all []*Form
	reads := strings.HasSuffix(form.Op.Name, "c")
	for _, set := range []string{"add", "sub"} {
		for _, get := range []string{"addc", "subc"} {
			if !reads && set == "sub" {
				continue
			}
			b := newBuilder(form)
			for _, a := range args {
				switch a.Role {
				case "d":
					b.add(b.result(a.Type(form).Bits()))
				default:
					b.add(b.source(kindOf(a.Type(form))))
				}
			}
			name, body := get, b.instruction()+"\n"
			if reads {
				name = set + " " + get
				flag := b.source(Flag)
				other := map[string]string{"add": "0xffffffff", "sub": "0"}[set]
				operands := map[string]string{"add": "%r1, " + other, "sub": other + ", %r1"}[set]
				body = fmt.Sprintf("selp.u32 %%r1, 1, 0, %s;\n%s.cc.u32 %%r2, %s;\n%s", flag, set, operands, body)
			}
			body += get + ".u32 " + b.result(32) + ", 0, 0;"
			all = append(all, b.finish(name, body))
		}
	}
	return all
}
