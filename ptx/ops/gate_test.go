package ops

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// someForms calls f with the spellings of a row: all if they are few, else
// those with one optional modifier at most.
func someForms(op *isa.Op, f func(form *isa.Form, args []Arg)) {
	const few = 700
	r := newRow(op)
	count := 1
	for _, g := range r.groups {
		n := len(g.alternatives)
		if g.optional {
			n++
		}
		count *= n
	}
	for _, types := range r.types {
		count *= len(types)
	}
	seen := map[string]bool{}
	call := func(mods []string) {
		key := strings.Join(mods, ".")
		if form, _, _ := r.match(mods); form != nil && !seen[key] {
			seen[key] = true
			form.DBits = form.Type(0).Bits()
			f(form, r.args)
		}
	}
	if count <= few {
		spellings(r, call)
		return
	}
	for keep := range r.groups {
		part := *r
		part.groups = nil
		for i, g := range r.groups {
			if i == keep || !g.optional {
				if i != keep && len(g.alternatives) > 3 {
					g.alternatives = g.alternatives[:3]
				}
				part.groups = append(part.groups, g)
			}
		}
		spellings(&part, call)
	}
}

// gateOperand writes an operand for an argument; "" if this does not know how.
func gateOperand(form *isa.Form, a Arg, n int) string {
	t := a.Type(form)
	reg := func(bits int) string {
		switch bits {
		case 1:
			return fmt.Sprintf("%%p%d", n)
		case 16:
			return fmt.Sprintf("%%h%d", n)
		case 64:
			return fmt.Sprintf("%%q%d", n)
		case 128:
			return fmt.Sprintf("%%x%d", n)
		case 8:
			return fmt.Sprintf("%%h%d", n)
		}
		return fmt.Sprintf("%%r%d", n)
	}
	list := func(bits int) string {
		k := 2
		if v := form.Any("v2", "v4", "v8"); v != "" {
			k = int(v[1] - '0')
		} else {
			bits /= 2
		}
		return "{" + strings.Join(slices.Repeat([]string{reg(bits)}, k), ", ") + "}"
	}
	switch a.Role {
	case "d", "a", "b", "c", "m":
		return reg(t.Bits())
	case "d|p":
		return reg(t.Bits())
	case "p", "p|q", "s", "t":
		return fmt.Sprintf("%%p%d", n)
	case "V":
		return list(t.Bits())
	case "D", "B":
		if form.Any("v2", "v4", "v8") != "" {
			return list(t.Bits())
		}
		return reg(t.Bits())
	case "[a]", "[b]", "[m]":
		if form.Op.Unit == isa.LSU && form.Any("param", "param::entry", "param::func") != "" {
			return ""
		}
		return fmt.Sprintf("[%%q%d]", n)
	case "i":
		return "0"
	case "x":
		return reg(t.Bits())
	case "d.", "a.", "b.", "c.":
		return reg(32)
	}
	return ""
}

type gated struct {
	form *isa.Form
	text string
}

var required = regexp.MustCompile(`line (\d+); error\s*: .*requires (?:\.target sm_(\d+)|PTX ISA \.version (\d+)\.(\d+))`)

// TestGatesAgreeWithPtxas asks ptxas what every form needs.
func TestGatesAgreeWithPtxas(t *testing.T) {
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("there is no ptxas in PATH")
	}
	if testing.Short() {
		t.Skip("assembling thousands of spellings takes seconds")
	}
	var all []gated
	Rows(func(op *isa.Op) {
		if op.Unit == isa.Tensor || op.Since > 90 || op.Name == "wgmma" {
			return
		}
		someForms(op, func(form *isa.Form, args []Arg) {
			if op.Bind == nil && op.Control == nil || op.Bind != nil && op.Bind(form) == nil {
				return
			}
			var operands []string
			for i, a := range args {
				if a.Optional {
					break
				}
				o := gateOperand(form, a, i)
				if o == "" {
					return
				}
				operands = append(operands, o)
			}
			var mods []string
			mods = append(mods, form.Mods...)
			for _, t := range form.Types {
				mods = append(mods, t.String())
			}
			all = append(all, gated{form, strings.Join(append([]string{op.Name}, mods...), ".") + " " + strings.Join(operands, ", ") + ";"})
		})
	})
	t.Logf("%d spellings", len(all))
	for part := range slices.Chunk(all, 400) {
		compareGates(t, ptxas, part)
	}
}

func compareGates(t *testing.T, ptxas string, part []gated) {
	var b strings.Builder
	b.WriteString(".version 2.3\n.target sm_20\n.address_size 64\n.entry k() {\n.reg .b16 %h<20>; .reg .b32 %r<20>; .reg .b64 %q<20>; .reg .pred %p<20>;\n")
	const first = 6
	for _, g := range part {
		b.WriteString(g.text + "\n")
	}
	b.WriteString("ret;\n}\n")
	file := filepath.Join(t.TempDir(), "k.ptx")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(ptxas, "-arch", "sm_100a", file, "-o", os.DevNull).CombinedOutput()
	type need struct {
		since, sm int
		other     string
	}
	needs := make([]need, len(part))
	for line := range strings.Lines(string(out)) {
		m := required.FindStringSubmatch(line)
		if m == nil {
			if m := regexp.MustCompile(`line (\d+); (error|fatal)`).FindStringSubmatch(line); m != nil {
				if n, _ := strconv.Atoi(m[1]); n-first < len(part) && n >= first {
					needs[n-first].other = strings.TrimSpace(line)
				} else {
					t.Error(line)
				}
			}
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if n < first || n-first >= len(part) {
			continue
		}
		if m[2] != "" {
			v, _ := strconv.Atoi(m[2])
			needs[n-first].sm = max(needs[n-first].sm, v)
			continue
		}
		major, _ := strconv.Atoi(m[3])
		minor, _ := strconv.Atoi(m[4])
		needs[n-first].since = max(needs[n-first].since, 10*major+minor)
	}
	for i, g := range part {
		if needs[i].other != "" {
			continue // refused for another reason, or not known how to write
		}
		since, sm, _ := Needs(g.form, 23)
		if since <= 23 {
			since = 0
		}
		if sm <= 20 {
			sm = 0
		}
		if since != needs[i].since || sm != needs[i].sm {
			t.Errorf("%s since %d sm_%d, ptxas says %d sm_%d", g.text, since, sm, needs[i].since, needs[i].sm)
		}
	}
}
