package ops

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// operandText writes an operand of a role and a type for the assembler.
func operandText(a Arg, f *isa.Form) string {
	t := a.Type(f)
	register := map[int]string{8: "%h1", 16: "%h1", 32: "%r1", 64: "%rd1", 128: "%q1"}[t.Bits()]
	if t.Bits() == 8 && !f.Op.Wider {
		register = "%b1"
	}
	switch a.Role {
	case "p", "s", "t":
		return "%p1"
	case "p|q":
		return "%p1|%p2"
	case "d|p":
		return register + "|%p1"
	case "i":
		return "5"
	case "V":
		switch half := t.Bits() / 2; {
		case half < 16:
			return ""
		case f.Op.Args[0] == 'd' && half == 64 && f.Op.Mods != "":
			return "{%r1, %r1, %r1, %r1}"
		default:
			r := map[int]string{16: "%h", 32: "%r", 64: "%rd"}[half]
			return "{" + r + "1, " + r + "2}"
		}
	case "d.":
		if strings.HasSuffix(f.Op.Name, "2") || strings.HasSuffix(f.Op.Name, "4") {
			return register
		}
		return register + ".b1"
	}
	return register
}

// acceptance collects the instructions of some targets as kernels.
type acceptance struct {
	text  strings.Builder
	lines map[int]string // instruction at a line
	line  int
}

func newAcceptance(version int, target string) *acceptance {
	a := &acceptance{lines: map[int]string{}}
	a.add(fmt.Sprintf(".version %d.%d", version/10, version%10))
	for _, line := range []string{
		".target " + target, ".address_size 64", ".visible .entry k()", "{",
		".reg .pred %p<9>; .reg .b8 %b<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>;",
	} {
		a.add(line)
	}
	return a
}

func (a *acceptance) add(line string) {
	a.line++
	a.text.WriteString(line + "\n")
}

func (a *acceptance) row(r *row) {
	spellings(r, func(mods []string) {
		form, _, _ := r.match(mods)
		if form == nil || r.op.Bind(form) == nil {
			return
		}
		var operands []string
		for _, arg := range r.args {
			text := operandText(arg, form)
			if text == "" {
				return
			}
			operands = append(operands, text)
		}
		line := spelling(r.op.Name, mods) + " " + strings.Join(operands, ", ") + ";"
		a.add(line)
		a.lines[a.line] = line
	})
}

var errorLine = regexp.MustCompile(`line (\d+); (.*)`)

// refusals runs the assembler and returns what it says of each instruction.
func (a *acceptance) refusals(t *testing.T, ptxas, target string) map[string]string {
	file := filepath.Join(t.TempDir(), "a.ptx")
	a.add("ret;")
	a.add("}")
	if err := os.WriteFile(file, []byte(a.text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(ptxas, "-O0", "-arch", target, "-o", os.DevNull, file).CombinedOutput()
	refused := map[string]string{}
	for _, m := range errorLine.FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(m[1])
		if strings.HasPrefix(m[2], "info") {
			continue
		}
		if line, ok := a.lines[n]; ok {
			refused[line] = m[2]
		} else {
			t.Errorf("line %d: %s", n, m[2])
		}
	}
	return refused
}

// The assembler is the only complete definition of the language.
func TestAssemblerAcceptsWhatTheTableAccepts(t *testing.T) {
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("there is no ptxas in PATH")
	}
	if testing.Short() {
		t.Skip("assembling thousands of spellings takes seconds")
	}
	for _, target := range []struct {
		name    string
		sm      int // rows of this target and older ones, newer than since
		above   int
		version int
	}{{"sm_90", 90, 0, 85}, {"sm_100a", 100, 90, 86}} {
		a := newAcceptance(target.version, target.name)
		for _, table := range arithmetic {
			for i := range table {
				if op := &table[i]; op.SM <= target.sm && op.SM > target.above-1 && op.Since <= target.version {
					a.row(newRow(op))
				}
			}
		}
		refused := a.refusals(t, ptxas, target.name)
		for line, why := range refused {
			t.Errorf("%s: %s %s", target.name, line, why)
		}
		t.Logf("%s: %d spellings, %d refused", target.name, len(a.lines), len(refused))
	}
}
