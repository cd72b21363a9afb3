package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/parse"
)

// TestDivisorsBecomeTheFactorsOfThePTXAssembler has the factors of the dividend that ptxas 13.0 puts into the machine code
// of sm_90 for a division by a literal.
func TestDivisorsBecomeTheFactorsOfThePTXAssembler(t *testing.T) {
	for _, c := range []struct {
		spelling string
		divisor  uint32
		want     string
	}{
		{"approx.ftz", 0x40400000, "3eaaaaab"},
		{"approx.ftz", 0x437f0000, "3b808081"}, // 255, of which rcp.approx is another
		{"approx.ftz", 0x40e00000, "3e124925"},
		{"approx.ftz", 0x00000001, "7f800000"},
		{"approx.ftz", 0x807fffff, "ff800000"},
		{"approx.ftz", 0x00800000, "7e800000"},
		{"approx.ftz", 0x7e7fffff, "00800001"},
		{"approx.ftz", 0x7e800001, "00000000"},
		{"approx.ftz", 0xfe900000, "80000000"},
		{"approx.ftz", 0x7f800000, "00000000"},
		{"approx", 0x00000001, "4b800000 7e000000"},
		{"approx", 0x007fffff, "4b800000 72800001"},
		{"approx", 0x80000000, "4b800000 ff800000"},
		{"approx", 0x7f7fffff, "00000000"},
		{"full", 0x7f7fffff, "3e800000 00800001"},
		{"full", 0x7f000000, "3e800000 01000000"},
		{"full", 0x7f800000, "3e800000 00000000"},
		{"full", 0x00000001, "4b800000 7e000000"},
		{"full.ftz", 0x007fffff, "7f800000"},
		{"full.ftz", 0x7f000000, "3e800000 01000000"},
	} {
		text := fmt.Sprintf(".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .f32 %%f<4>;\ndiv.%s.f32 %%f1, %%f0, 0f%08x;\nret;\n}\n", c.spelling, c.divisor)
		m, err := parse.Parse("test.ptx", text)
		if err != nil {
			t.Fatal(err)
		}
		body, err := m.Funcs[0].Load()
		if err != nil {
			t.Fatal(err)
		}
		after := contract(m, m.Funcs[0], body)
		var factors []string
		for i := range after.Insts {
			x := &after.Insts[i]
			if name := after.Opcodes[x.Op].Name; name != "ret" && name != "mul" {
				t.Errorf("div.%s by %08x has %s", c.spelling, c.divisor, name)
			}
			if args := after.Args(x); len(args) == 3 && args[2].Kind == ast.Float32 {
				factors = append(factors, fmt.Sprintf("%08x", args[2].Value))
			}
		}
		if got := strings.Join(factors, " "); got != c.want {
			t.Errorf("div.%s by %08x multiplies by %s, want %s", c.spelling, c.divisor, got, c.want)
		}
	}
}
