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
var registerTypes = strings.Fields("u16 s16 b16 f16 u32 s32 b32 f32 u64 s64 b64 f64 b128 pred b8 u8")

func typesHead() string {
	var b strings.Builder
	b.WriteString(".version 9.0\n.target sm_90a\n.address_size 64\n.global .align 16 .b8 g[64];\n.entry k (.param .u64 a)\n{")
	for _, t := range registerTypes {
		fmt.Fprintf(&b, " .reg .%s %%%s_<4>;", t, t)
	}
	b.WriteString("\nL:\n")
	return b.String()
}

// TestRegistersHaveTheTypesThatPtxasAllows gives one operand of an instruction
// registers of every type. Each line of the list has those that ptxas 13.0 takes.
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
