package ops

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// matrixShape is the shape that a form names.
func matrixShape(f *isa.Form) (m, n, k int) {
	for _, mod := range f.Mods {
		if c, _ := fmt.Sscanf(mod, "m%dn%dk%d", &m, &n, &k); c == 3 {
			return m, n, k
		}
		if c, _ := fmt.Sscanf(mod, "m%dn%d", &m, &n); c == 2 {
			k = 16
		}
	}
	return m, n, k
}

// bitsIn is how many bits an element takes in a register.
func bitsIn(f *isa.Form, t isa.Type) int {
	if f.Any("kind::f8f6f4", "kind::mxf8f6f4") != "" && t.Bits() < 8 {
		return 8
	}
	return t.Bits()
}

// listLength is the number of registers of list number n of an instruction, of
// which a warp has 32 lanes of 32 bits.
func listLength(f *isa.Form, n int) int {
	m, cols, k := matrixShape(f)
	t := [4]isa.Type{f.Type(0), f.Type(1), f.Type(2), f.Type(3)}
	half := f.Op.Name == "wmma" && f.Has("mma") && len(f.Types) == 2
	if half {
		t = [4]isa.Type{f.Type(0), isa.F16, isa.F16, f.Type(1)}
	}
	switch {
	case f.Op.Name == "ldmatrix" || f.Op.Name == "stmatrix":
		return matrices(f) * (1 + b2i(f.Has("m16n16")))
	case f.Op.Name == "wgmma" && n == 0:
		return 64 * cols * t[0].Bits() / 4096
	case f.Op.Name == "wgmma":
		return 64 * k * max(t[1].Bits(), 1) / 4096 / (1 + b2i(f.Has("sp")))
	case f.Op.Name == "tcgen05" && f.Has("mma"):
		return 4 * (1 + b2i(f.Has("cta_group::2")))
	case f.Op.Name == "tcgen05":
		return tensorMoveOf(f).regs
	case f.Op.Name == "wmma" && !f.Has("mma"):
		return wmmaListLength(f, m, cols, k)
	case f.Op.Name == "mma" && t[1] == isa.F16 && k == 4:
		return [4]int{t[0].Bits() / 4, 2, 2, t[3].Bits() / 4}[n]
	case half && (n == 1 || n == 2):
		return 8
	case n == 4:
		return 1 // metadata
	}
	size := [4]int{m * cols, m * k, k * cols, m * cols}[n] * bitsIn(f, t[n])
	if n == 1 && f.Any("sp", "sp::ordered_metadata") != "" {
		size /= 2
	}
	return size / 1024 / max(t[n].Bits()/32, 1)
}

func wmmaListLength(f *isa.Form, m, n, k int) int {
	t := f.Type(0)
	size := m * n
	switch f.Any("a", "b") {
	case "a":
		size = m * k
	case "b":
		size = k * n
	}
	if t == isa.F16 && f.Any("a", "b") != "" {
		return 8
	}
	return size * max(t.Bits(), 1) / 1024 / max(t.Bits()/32, 1)
}

// matrixOperands writes the operands of a form.
func matrixOperands(f *isa.Form, args []Arg) string {
	var text []string
	register, lists, constants := 0, 0, 0
	next := func(bits int) string {
		register++
		return fmt.Sprintf("%%m%c%d", map[int]byte{16: 'h', 32: 'r', 64: 'q'}[bits], register)
	}
	for _, a := range args {
		if a.Optional {
			break
		}
		bits := a.Type(f).Bits()
		switch a.Role {
		case "E", "F", "G":
			n := 2
			if bits != 16 {
				n = listLength(f, lists)
				lists++
			}
			var list []string
			for range n {
				list = append(list, next(bits))
			}
			text = append(text, "{"+strings.Join(list, ", ")+"}")
			if lists == 5 && bits == 32 {
				text[len(text)-1] = list[0]
			}
		case "[a]":
			text = append(text, "[%mq1]")
		case "[v]":
			text = append(text, "["+next(32)+"]")
		case "s":
			text = append(text, "%p1")
		case "k":
			constants++
			text = append(text, matrixConstant(f, constants))
		case "i":
			text = append(text, "0")
		default:
			text = append(text, next(bits))
		}
	}
	return strings.Join(text, ", ")
}

// matrixConstant is a value that constant number n of an instruction may have:
// of wgmma, the first two after the selector are signs.
func matrixConstant(f *isa.Form, n int) string {
	if f.Has("sp") {
		n--
	}
	if f.Op.Name == "wgmma" && (n == 1 || n == 2) {
		return "1"
	}
	return "0"
}

// tensorTarget is a target that has a row.
func tensorTarget(op *isa.Op) string {
	if op.Only != "" {
		return "sm_" + words(op.Only)[0]
	}
	return "sm_90a"
}

// TestMatrixFormsAgreeWithPtxas asks ptxas about every spelling that the rows'
// grammar has: what it refuses has no handler, what it accepts has one.
func TestMatrixFormsAgreeWithPtxas(t *testing.T) {
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("there is no ptxas in PATH")
	}
	if testing.Short() {
		t.Skip("assembling thousands of spellings takes seconds")
	}
	texts, handled := map[string]*acceptance{}, map[string]bool{}
	Rows(func(op *isa.Op) {
		if op.Types == "" && op.Args == "" || op.Unit != isa.Tensor && op.Name != "ldmatrix" && op.Name != "stmatrix" && op.Name != "wmma" {
			return
		}
		target := tensorTarget(op)
		a := texts[target]
		if a == nil {
			a = newAcceptance(90, target)
			a.add(".reg .b16 %mh<300>; .reg .b32 %mr<400>; .reg .b64 %mq<300>;")
			texts[target] = a
		}
		r := newRow(op)
		spellings(r, func(mods []string) {
			form, _, _ := r.match(mods)
			if form == nil {
				return
			}
			// The format of scales is not a type of ours, but stands behind them.
			slices.SortStableFunc(mods, func(a, b string) int { return b2i(strings.HasPrefix(a, "ue")) - b2i(strings.HasPrefix(b, "ue")) })
			line := spelling(op.Name, mods) + " " + matrixOperands(form, r.args) + ";"
			a.add(line)
			a.lines[a.line] = line
			handled[line] = op.Bind(form) != nil
		})
	})
	for target, a := range texts {
		refused := a.refusals(t, ptxas, target)
		wrong := 0
		for _, line := range a.lines {
			if why, no := refused[line]; no == handled[line] {
				if wrong++; wrong < 25 {
					t.Errorf("%s: %s has a handler: %t; ptxas: %s", target, line, handled[line], why)
				}
			}
		}
		t.Logf("%s: %d spellings, %d refused, %d differ", target, len(a.lines), len(refused), wrong)
	}
}
