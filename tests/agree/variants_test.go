package agree

import (
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

var (
	perRow  = flag.Int("variants", 0, "wrong variants of each spelling to ask ptxas about")
	spelt   = flag.Int("spellings", 3, "of each row")
	ofNames = flag.String("mnemonics", "", "only these, divided by commas")
	swaps   = flag.Bool("swaps", false, "let modifiers and types that stand beside one another change places")
	each    = flag.String("operands", "", "give every operand each of these in turn, divided by spaces; all for the strange ones")
)

// variant is an instruction and the mistake in it, "" for none.
type variant struct {
	text, mistake string
}

const variantHead = `.version 9.0
.target sm_90a
.address_size 64
.global .align 16 .b8 g[64];
.const .align 16 .b8 c[64];
.func f () { ret; }
.entry k (.param .u64 a)
{
.reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %q<8>; .reg .b128 %w<4>; .reg .pred %p<8>;
.reg .f16 %eh<4>; .reg .f32 %f<4>; .reg .f64 %d<4>; .reg .s16 %i<4>; .reg .u32 %u<4>; .reg .s64 %l<4>;
.shared .align 16 .b8 s[64]; .local .align 16 .b8 t[64];
L:
`

// random is splitmix64.
type random uint64

func (r *random) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	x := uint64(*r)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) >> 33 % uint64(n))
}

func pick[T any](r *random, from []T) T { return from[r.below(len(from))] }

// operand is a right operand of a role; "" for roles that this test leaves out.
func operandOf(role string, t isa.Type, wider bool, n int) string {
	reg := map[int]string{16: "%h", 32: "%r", 64: "%q", 128: "%w"}[t.Bits()]
	if t.Bits() == 8 && wider {
		reg = "%r"
	}
	if t == isa.Pred {
		reg = "%p"
	}
	if reg != "" {
		reg += strconv.Itoa(n % 4)
	}
	switch role {
	case "d", "a", "b", "c", "m", "v", "D", "B":
		return reg
	case "p", "s", "t":
		return "%p" + strconv.Itoa(n)
	case "p|q":
		return "%p1|%p2"
	case "d|p":
		if reg == "" {
			return ""
		}
		return reg + "|%p1"
	case "i":
		return "1"
	case "[a]", "[b]", "[m]":
		return "[%q" + strconv.Itoa(n%4) + "]"
	case "x":
		return "%q3"
	case "l":
		return "L"
	case "d.", "a.", "b.", "c.":
		return reg
	}
	return ""
}

// rightOnes are some spellings of every row with right operands.
func rightOnes(r *random, perRow int, f func(name string, mods, types, operands []string)) {
	ops.Rows(func(op *isa.Op) {
		if *ofNames != "" && !slices.Contains(strings.Split(*ofNames, ","), op.Name) {
			return
		}
		seen := map[string]bool{}
		for range 40 * perRow {
			form, args := ops.Spelling(op, r.below)
			if form == nil || ops.Missing(form, 90, ops.Target{SM: 90, Suffix: 'a'}) != "" {
				continue
			}
			var operands, types []string
			for i, a := range args {
				o := operandOf(a.Role, a.Type(form), form.Op.Wider, i)
				if n := form.Any("v2", "v4", "v8"); n != "" && (a.Role == "B" || a.Role == "D") {
					o = "{" + strings.Repeat(o+", ", int(n[1]-'1')) + o + "}"
				}
				operands = append(operands, o)
			}
			for _, t := range form.Types {
				types = append(types, t.String())
			}
			text := instruction(op.Name, form.Mods, types, operands)
			if seen[text] || slices.Contains(operands, "") {
				continue
			}
			if seen[text] = true; len(seen) > perRow {
				return
			}
			f(op.Name, form.Mods, types, operands)
		}
	})
}

var (
	strangeMods     = strings.Fields("ftz sat rn rz approx wide lo hi cc volatile relu NaN sync v2 global shared relaxed abs uni full and eq wrap nc satfinite")
	strangeTypes    = strings.Fields("u8 s8 b8 u16 s16 b16 f16 bf16 u32 s32 b32 f32 f16x2 bf16x2 u64 s64 b64 f64 pred b128 tf32 u16x2")
	strangeOperands = strings.Fields("%h3 %r3 %q3 %w3 %p3 %eh3 %f3 %d3 %i3 %u3 %l3 7 -7 0 0x12345678 0x123456789ab 3.5 0f3F800000 0d3FF0000000000000 _ [%q3] [%r3] [g] [s] [7] L g s k -%r3 !%p3 -%f3 {%r1,%r2} {%h1,%h2} {%q1,%q2} %r1|%p1 %p1|%p2 %tid.x %clock64 WARP_SZ %nosuch a %r3.x %r3.b0 !%r3 g+0 g+4 s+4 t t+4 c c+4 a+0 a+4 f f+4 L+4 %h3+4 %r3+4 %r3-4 %q3+4 %u3+4 %f3+4 %eh3+4 %d3+4 300 65536 4294967296")
)

// spoil makes one mistake, or what may be one.
func spoil(r *random, name string, mods, types, operands []string) variant {
	mods, types, operands = slices.Clone(mods), slices.Clone(types), slices.Clone(operands)
	mistake := ""
	switch n := r.below(12); {
	case n == 0 && len(operands) > 0:
		i := r.below(len(operands))
		operands, mistake = slices.Delete(operands, i, i+1), "operand missing"
	case n == 1 && len(operands) > 0:
		operands, mistake = append(operands, pick(r, operands)), "operand too many"
	case n == 2 && len(mods) > 0:
		i := r.below(len(mods))
		mistake = "modifier missing ." + mods[i]
		mods = slices.Delete(mods, i, i+1)
	case n == 3 && len(types) > 0:
		i := r.below(len(types))
		types, mistake = slices.Delete(types, i, i+1), "type missing"
	case n == 4 || n == 5:
		m := pick(r, strangeMods)
		mods, mistake = append(mods, m), "modifier too many ."+m
	case (n == 6 || n == 7) && len(types) > 0:
		i := r.below(len(types))
		mistake = "type ." + types[i]
		types[i] = pick(r, strangeTypes)
		mistake += " becomes ." + types[i]
	case n == 8 && len(mods) > 0:
		mods, mistake = append(mods, pick(r, mods)), "modifier twice"
	case len(operands) > 0:
		i := r.below(len(operands))
		old := operands[i]
		operands[i] = pick(r, strangeOperands)
		mistake = fmt.Sprintf("operand %d %s becomes %s", i+1, old, operands[i])
	}
	return variant{instruction(name, mods, types, operands), mistake}
}

// exchanged has each operand exchanged for each of those that the flag names.
func exchanged(name string, mods, types, operands []string) (list []variant) {
	others := strings.Fields(*each)
	if *each == "all" {
		others = strangeOperands
	}
	for i, old := range operands {
		for _, other := range others {
			with := slices.Clone(operands)
			with[i] = other
			list = append(list, variant{instruction(name, mods, types, with), fmt.Sprintf("operand %d %s becomes %s", i+1, old, other)})
		}
	}
	return list
}

// swapped has each modifier or type and the next one in each other's place.
func swapped(name string, mods, operands []string) (list []variant) {
	for i := range max(1, len(mods)) - 1 {
		with := slices.Clone(mods)
		with[i], with[i+1] = with[i+1], with[i]
		list = append(list, variant{instruction(name, with, nil, operands), fmt.Sprintf(".%s after .%s", mods[i], mods[i+1])})
	}
	return list
}

func instruction(name string, mods, types, operands []string) string {
	words := append(append([]string{name}, mods...), types...)
	return strings.Join(words, ".") + " " + strings.Join(operands, ", ") + ";"
}

var digit = regexp.MustCompile(`\d`)

// complaint is a message of ptxas about a line, of the text and not of the macro "<builtin>" that it expands vadd and others
// with.
var complaint = regexp.MustCompile(`(?m)^ptxas [^<\s]\S*, line (\d+); (error|fatal) +: (.*)$`)

// judge asks an assembler about instructions, many at a time. The result is
// what it says against each, "" for nothing.
func judge(a assembler, list []variant) ([]string, error) {
	verdicts := make([]string, len(list))
	rest := make([]int, len(list))
	for i := range rest {
		rest[i] = i
	}
	first := strings.Count(variantHead, "\n") + 1
	for len(rest) > 0 {
		var b strings.Builder
		b.WriteString(variantHead)
		for _, i := range rest {
			b.WriteString(list[i].text + "\n")
		}
		b.WriteString("ret;\n}\n")
		said, err := a.assemble(b.String())
		if err != nil || said == "" {
			return verdicts, err
		}
		found := complaint.FindAllStringSubmatch(said, -1)
		wrong := map[int]bool{}
		for _, m := range found {
			line, _ := strconv.Atoi(m[1])
			if i := line - first; i >= 0 && i < len(rest) && !wrong[i] {
				verdicts[rest[i]], wrong[i] = m[3], true
			}
		}
		if len(wrong) == 0 {
			if len(rest) == 1 {
				verdicts[rest[0]] = lines(said)
				return verdicts, nil
			}
			half := len(rest) / 2 // something that has no line
			for _, part := range [][]int{rest[:half], rest[half:]} {
				var some []variant
				for _, i := range part {
					some = append(some, list[i])
				}
				v, err := judge(a, some)
				if err != nil {
					return nil, err
				}
				for n, i := range part {
					verdicts[i] = v[n]
				}
			}
			return verdicts, nil
		}
		kept := rest[:0:0]
		for n, i := range rest {
			if !wrong[n] {
				kept = append(kept, i)
			}
		}
		rest = kept
	}
	return verdicts, nil
}

func TestVariantsAreJudgedAsPtxasJudgesThem(t *testing.T) {
	if *ptxas == "" || *perRow == 0 && *each == "" && !*swaps {
		t.Skip("no -ptxas and -variants, -operands or -swaps")
	}
	a, err := newAssembler(strings.Split(*ptxas, ",")[0])
	if err != nil {
		t.Fatal(err)
	}
	r := random(1)
	var list []variant
	seen := map[string]bool{}
	rightOnes(&r, *spelt, func(name string, mods, types, operands []string) {
		some := []variant{{instruction(name, mods, types, operands), ""}}
		for range *perRow {
			some = append(some, spoil(&r, name, mods, types, operands))
		}
		some = append(some, exchanged(name, mods, types, operands)...)
		if *swaps {
			some = append(some, swapped(name, append(slices.Clone(mods), types...), operands)...)
		}
		for _, v := range some {
			if !seen[v.text] {
				seen[v.text] = true
				list = append(list, v)
			}
		}
	})
	const batch = 250
	differ, kinds := 0, map[string][]string{}
	for n := 0; n < len(list); n += batch {
		part := list[n:min(n+batch, len(list))]
		theirs, err := judge(a, part)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range part {
			ours := solo.Check("v.ptx", variantHead+v.text+"\nret;\n}\n", ops.Target{})
			if (ours == nil) == (theirs[i] == "") {
				continue
			}
			differ++
			why := "ptxas: " + theirs[i]
			if ours != nil {
				why = "lockstep: " + strings.SplitN(ours.Error(), "\n", 2)[0]
			}
			name, _, _ := strings.Cut(v.text, ".")
			key := fmt.Sprintf("%s, %s, %t", name, digit.ReplaceAllString(v.mistake, ""), ours != nil)
			kinds[key] = append(kinds[key], v.text+" ("+v.mistake+") "+why)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		t.Errorf("%d times: %s", len(kinds[key]), kinds[key][0])
	}
	fmt.Printf("%d instructions, verdicts differ on %d of %d kinds\n", len(list), differ, len(kinds))
}
