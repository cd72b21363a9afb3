package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// formHead declares registers and gives them the special operands that it is asked
// for, another one in each lane of a warp.
const formHead = `.version 9.2
.target sm_%s
.address_size 64
.global .align 1024 .b8 g[4096];
.global .texref tx; .global .surfref su;
.entry k (.param .u64 a)
{
.reg .b16 %%h<8>; .reg .b32 %%r<40>; .reg .b64 %%q<24>; .reg .b128 %%w<4>; .reg .pred %%p<8>;
.shared .align 1024 .b8 s[4096]; .local .align 16 .b8 l[64];
mov.u32 %%r1, %%tid.x;
setp.eq.u32 %%p7, %%r1, 77;
setp.lt.u32 %%p6, %%r1, 5;
mov.u64 %%q1, %#x;
mov.u64 %%q2, %#x;
mov.u64 %%q3, g; mov.u32 %%r3, s; mov.u64 %%q4, l; mov.u64 %%q5, %%q1; mov.u64 %%q6, %%q2;
mov.b64 {%%r2, %%r4}, %%q1; mov.b64 {%%r5, %%r6}, %%q2; mov.b64 {%%h1, %%h2, %%h3, %%h4}, %%q2;
`

// specials are operands and addresses that lead to the edges: nulls, ends, what is
// not aligned, mapped or in a window.
var specials = []uint64{0, 1, 7, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x7f8000007fc00000, 0x7ff0000000000000, 0xfff8000000000001, 0x8000000080000000, 0x200000000001, 0xfffffffffffffff0, 0x01000000, 0x0000ffff00000010}

// formOperand is an operand of a form: of its type, so that most are honoured.
func formOperand(r *random, f *isa.Form, a ops.Arg) string {
	bits := a.Type(f).Bits()
	register := func() string {
		switch {
		case bits == 1:
			return fmt.Sprintf("%%p%d", r.below(8))
		case bits <= 16:
			return fmt.Sprintf("%%h%d", r.below(8))
		case bits <= 32:
			return fmt.Sprintf("%%r%d", r.below(40))
		case bits <= 64:
			return fmt.Sprintf("%%q%d", r.below(24))
		}
		return fmt.Sprintf("%%w%d", r.below(4))
	}
	switch role := a.Role; {
	case role == "p", role == "s", role == "t":
		return fmt.Sprintf("%%p%d", r.below(8))
	case role == "p|q":
		return "%p1|%p2"
	case role == "d|p":
		return register() + "|%p3"
	case role == "i":
		return fmt.Sprint(r.below(65))
	case strings.HasPrefix(role, "["):
		return pick(r, []string{"[%q1]", "[%q2+4]", "[%q3]", "[%q3+-16]", "[%r3]", "[%r1]", "[s]", "[l+1]", "[g+4095]", "[%q4]", "[tx, {%r1, %r2}]", "[su, {%r1}]", "[%q3, {%r1}], [%r3]", "[0]"})
	case strings.ContainsAny(role, "EFVW"):
		bank := strings.TrimRight(register(), "0123456789")
		var list []string
		for i := range pick(r, []int{1, 1, 2, 2, 4, 4, 8}) {
			list = append(list, fmt.Sprint(bank, i))
		}
		return "{" + strings.Join(list, ", ") + "}"
	case r.in(6) && bits > 1:
		return pick(r, []string{"0", "-1", "1", "%r1", "%q1"})
	}
	return register()
}

// someModifiers admits one of each group of modifiers of a row that must be there, now
// and then one of a group that may.
func someModifiers(r *random, op *isa.Op) func(string) bool {
	known, chosen := map[string]bool{}, map[string]bool{}
	for _, group := range strings.Fields(op.Mods) {
		words := strings.Split(strings.Trim(group, "{}"), "|")
		for _, w := range words {
			known[w] = true
		}
		if group[0] != '{' || r.in(3) {
			chosen[pick(r, words)] = true
		}
	}
	return func(m string) bool { return chosen[m] || !known[m] && r.in(5) }
}

// formInstruction is an instruction of a row; "" if the modifiers drawn make none.
func formInstruction(r *random, op *isa.Op) string {
	text, n := "", 0
	ops.Spellings(op, someModifiers(r, op), func(f *isa.Form, args []ops.Arg) {
		if n++; !r.in(n) {
			return
		}
		words := append([]string{op.Name}, f.Mods...)
		for _, k := range f.Types {
			words = append(words, k.String())
		}
		var operands []string
		for _, a := range args {
			if a.Optional && r.in(2) {
				break
			}
			operands = append(operands, formOperand(r, f, a))
		}
		text = strings.Join(words, ".") + " " + strings.Join(operands, ", ")
	})
	return text
}

// formTarget is a target that has a row.
func formTarget(op *isa.Op) string {
	switch {
	case op.SM <= 90 && (op.Only == "" || strings.Contains(op.Only, "90a")):
		return "90a"
	case strings.Contains(op.Only, "120") && !strings.Contains(op.Only, "100"):
		return "120a"
	}
	return "100a"
}

// TestNoFormPanics executes every row, in some of its forms, over special operands
// and bad addresses, in all lanes, some, and none.
func TestNoFormPanics(t *testing.T) {
	r := random(11)
	rows, executed := 0, 0
	ops.Rows(func(op *isa.Op) {
		rows++
		ran := false
		for try := 0; try < 80 && (try < 6 || !ran); try++ {
			instruction := formInstruction(&r, op)
			if instruction == "" {
				continue
			}
			text := fmt.Sprintf(formHead, formTarget(op), pick(&r, specials), pick(&r, specials)) + pick(&r, []string{"", "", "@%p6 ", "@%p7 "}) + instruction + ";\nret;\n}\n"
			ran = ran || solo.Check("f.ptx", text, ops.Target{}) == nil
			tryText(t, text)
		}
		if ran {
			executed++
		}
	})
	t.Logf("%d of %d rows were executed", executed, rows)
	if executed < rows*3/4 {
		t.Errorf("only %d of %d rows were executed", executed, rows)
	}
}
