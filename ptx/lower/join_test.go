package lower

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// jump branches for some lanes, always for all.
func jump(target int32) isa.Inst {
	return isa.Inst{Flow: isa.Jump, Target: target, Guard: isa.PFree}
}
func always(target int32) isa.Inst { return isa.Inst{Flow: isa.Jump, Target: target, Guard: isa.PT} }

var (
	step = isa.Inst{Guard: isa.PT}
	ret  = isa.Inst{Flow: isa.Return, Guard: isa.PT}
)

func TestBranchesJoinAtTheirPostDominator(t *testing.T) {
	for _, c := range []struct {
		name string
		code []isa.Inst
		want map[int]int32
	}{
		{"if", []isa.Inst{jump(2), step, ret}, map[int]int32{0: 2}},
		{"if else", []isa.Inst{jump(3), step, always(4), step, ret}, map[int]int32{0: 4, 2: 4}},
		{"loop", []isa.Inst{step, jump(0), ret}, map[int]int32{1: 2}},
		{"loop with break", []isa.Inst{step, jump(4), step, always(0), ret}, map[int]int32{1: 4, 3: 0}},
		{"return on one side", []isa.Inst{jump(2), ret, step, ret}, map[int]int32{0: isa.NoJoin}},
		{"nested", []isa.Inst{jump(4), jump(3), step, step, step, ret}, map[int]int32{0: 4, 1: 3}},
		{"endless", []isa.Inst{jump(0), always(0), ret}, map[int]int32{0: isa.NoJoin}},
		{"table", []isa.Inst{{Flow: isa.JumpTable, Guard: isa.PT, Control: &isa.Control{Table: []int32{1, 3, 4}}}, step, always(5), always(5), step, ret}, map[int]int32{0: 5}},
	} {
		join(c.code)
		for pc, want := range c.want {
			if got := c.code[pc].Join; got != want {
				t.Errorf("%s: the branch at %d joins at %d, want %d", c.name, pc, got, want)
			}
		}
	}
}
