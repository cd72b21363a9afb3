package exec

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// grid starts a kernel of hand-made code: handlers that do something and jumps.
func grid(t *testing.T, c Config, blocks uint32, code ...isa.Inst) *Grid {
	t.Helper()
	space, err := mem.New(mem.Config{DeviceBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { space.Close() })
	c.Memory = space
	for i := range code {
		code[i].Guard, code[i].Line = isa.PT, -1
	}
	f := &isa.Function{Name: "k", Code: code, NumPreds: 2}
	return New(c).NewGrid(Launch{
		Kernel: &isa.Kernel{Name: "k", Entry: f}, Grid: [3]uint32{blocks, 1, 1}, Block: [3]uint32{64, 1, 1},
	})
}

var (
	nop     = &isa.Op{Name: "nop"}
	forever = isa.Inst{Op: nop, Flow: isa.Jump, Target: 0, Join: isa.NoJoin}
)

// do is an instruction that calls f.
func do(f func(w *isa.Warp)) isa.Inst {
	return isa.Inst{Op: nop, Exec: func(w *isa.Warp, _ *isa.Inst) { f(w) }}
}

// fault advances g until it has ended and returns the fault.
func fault(t *testing.T, g *Grid) *Fault {
	t.Helper()
	for late := time.Now().Add(time.Minute); time.Now().Before(late); {
		if done, err := g.Advance(1 << 16); done {
			var f *Fault
			if !errors.As(err, &f) {
				t.Fatalf("ended with %v", err)
			}
			return f
		}
	}
	t.Fatal("the grid does not end")
	return nil
}

func TestGridEndsAtItsLimit(t *testing.T) {
	for name, limit := range map[string]Limit{
		"1000000 warp instructions": {Instructions: 1e6},
		"50ms":                      {Time: 50 * time.Millisecond},
	} {
		for _, workers := range []int{1, 3} {
			g := grid(t, Config{Workers: workers, Limit: limit}, 20, forever)
			f := fault(t, g)
			if f.Kind != isa.LimitReached || !strings.Contains(f.Error(), "limit of "+name) || !strings.Contains(f.Error(), "warps 0 to 1, each") {
				t.Errorf("%d workers: kind %d\n%s", workers, f.Kind, f)
			}
			if n := g.ticks.Load(); limit.Instructions > 0 && n > limit.Instructions+1000 {
				t.Errorf("%d workers: ended after %d instructions", workers, n)
			}
		}
	}
}

func TestReportOfALimitNamesFewBlocks(t *testing.T) {
	g := grid(t, Config{SMs: 100, Workers: 1, Limit: Limit{Instructions: 10e6}}, 100, forever)
	g.launch.Kernel.Shares = true
	if r := fault(t, g).Error(); strings.Count(r, "  block (") != reported || !strings.Contains(r, "blocks more") {
		t.Error(r)
	}
}

func TestGridWithinItsLimitEndsWell(t *testing.T) {
	g := grid(t, Config{Limit: Limit{Instructions: 1000, Time: time.Minute}}, 100, isa.Inst{Op: nop, Flow: isa.Exit})
	for {
		done, err := g.Advance(7)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			return
		}
	}
}

func TestPanicOfAHandlerEndsTheGridAndNotTheProcess(t *testing.T) {
	broken := do(func(w *isa.Warp) { w.Regs[len(w.Regs)][0] = 1 })
	for _, workers := range []int{1, 2} {
		f := fault(t, grid(t, Config{Workers: workers}, 8, broken))
		if f.Kind != isa.Internal || f.CTA[0] != 0 || !strings.Contains(f.Error(), "index out of range [0] with length 0 (limit_test.go:") {
			t.Errorf("kind %d: %s", f.Kind, f)
		}
	}
}

// Block 0 never ends, block 1 fails: with two workers both are under way.
func TestFaultIsNotHiddenByABlockThatNeverEnds(t *testing.T) {
	wait := make(chan bool, 1)
	g := grid(t, Config{Workers: 2}, 2,
		do(func(w *isa.Warp) {
			if w.CTA.Ctaid[0] == 1 {
				<-wait
				w.Raise(isa.Trap{Kind: isa.TrapInstruction})
			} else if len(wait) == 0 && w.Index == 0 {
				select {
				case wait <- true:
				default:
				}
			}
		}), forever)
	if f := fault(t, g); f.Kind != isa.TrapInstruction || f.CTA[0] != 1 {
		t.Errorf("kind %d in block %d", f.Kind, f.CTA[0])
	}
}

func TestLocalMemoryOfTheResidentBlocksIsBounded(t *testing.T) {
	e := New(Config{SMs: 132, ThreadsPerSM: 2048})
	for local, want := range map[uint32]int{0: 264, 64: 264, 64 << 10: 16, 512 << 10: 2, 1 << 30: 1} {
		l := &Launch{Kernel: &isa.Kernel{LocalBytes: local}, Block: [3]uint32{1024, 1, 1}}
		if n := e.resident(l); n != want {
			t.Errorf("%d bytes a thread: %d blocks, want %d", local, n, want)
		}
	}
}
