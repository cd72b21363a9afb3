package agree

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// registerTypes are the types of registers that testdata/types.txt tells apart.
var registerTypes = strings.Fields("u16 s16 b16 f16 u32 s32 b32 f32 f16x2 u64 s64 b64 f64 b128 pred b8 u8")

func typesHead() string {
	var b strings.Builder
	b.WriteString(".version 9.0\n.target sm_90a\n.address_size 64\n.global .align 16 .b8 g[64];\n.global .texref tx;\n.global .surfref sf;\n.entry k (.param .u64 a)\n{")
	for _, t := range registerTypes {
		fmt.Fprintf(&b, " .reg .%s %%%s_<10>;", t, t)
	}
	b.WriteString("\nL:\n")
	return b.String()
}

// TestRegistersHaveTheTypesThatPtxasAllows gives one operand of an instruction
// registers of every type. Each line of the list has those that ptxas 13.0 takes; that it
// takes a pair of f16 for the result of not.pred and and.pred is its mistake.
func TestRegistersHaveTheTypesThatPtxasAllows(t *testing.T) {
	b, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	head := typesHead()
	for line := range strings.Lines(string(b)) {
		list, instruction, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok {
			t.Fatalf("%q", line)
		}
		right := strings.Fields(list)
		for _, kind := range registerTypes {
			text := strings.Replace(instruction, "%?", "%"+kind+"_2", 1)
			err := solo.Check("t.ptx", head+text+"\nret;\n}\n", ops.Target{})
			if want := slices.Contains(right, kind); want != (err == nil) {
				t.Errorf("%s: accepted: %t, %v", text, err == nil, err)
			}
		}
	}
}

// TestOperandsAndModifiersAreJudgedAsPtxasJudgesThem has instructions with a
// literal, a name, a special register or "_" where they may or may not be, and
// with modifiers twice or alone; + if ptxas 13.0 accepts them.
func TestOperandsAndModifiersAreJudgedAsPtxasJudgesThem(t *testing.T) {
	b, err := os.ReadFile("testdata/operands.txt")
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Replace(typesHead(), "\nL:", " .shared .align 16 .b8 s[64];\nL:", 1)
	for line := range strings.Lines(string(b)) {
		verdict, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if err := solo.Check("t.ptx", head+text+"\nret;\n}\n", ops.Target{}); (err == nil) != (verdict == "+") {
			t.Errorf("%s: accepted: %t, %v", text, err == nil, err)
		}
	}
}

// TestVersionsTargetsAndHeadersAreJudgedAsPtxasJudgesThem has instructions (:)
// and whole modules (!) of a version of PTX and a target; + if ptxas accepts them: 12.4
// for sm_70, 13.5 for .minperctamemory, 13.0 else.
func TestVersionsTargetsAndHeadersAreJudgedAsPtxasJudgesThem(t *testing.T) {
	b, err := os.ReadFile("testdata/levels.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 5)
		if len(f) != 5 {
			t.Fatalf("%q", line)
		}
		verdict, version, target, text := f[0], f[1], f[2], f[4]
		if f[3] == ":" {
			_, body, _ := strings.Cut(typesHead(), ".address_size 64\n")
			if version < "8.3" {
				body = strings.Replace(body, ".reg .b128 %b128_<10>;", "", 1)
			}
			body = strings.Replace(body, "\nL:", " .shared .align 16 .b8 s[1024];\nL:", 1)
			text = body + text + "\nret;\n}"
		}
		module := fmt.Sprintf(".version %s\n.target %s\n.address_size 64\n%s\n", version, target, text)
		if err := solo.Check("t.ptx", module, ops.Target{}); (err == nil) != (verdict == "+") {
			t.Errorf("%s: accepted: %t, %v", strings.TrimSpace(line), err == nil, err)
		}
	}
}
