package program

import (
	"os"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// kernel links a kernel of PTX text.
func kernel(t *testing.T, text, name string) *isa.Kernel {
	t.Helper()
	u, err := link.Parse("test.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := link.Link(func(string) bool { return true }, u)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

const head = ".version 8.0\n.target sm_90\n.address_size 64\n"

func build(t *testing.T, k *isa.Kernel) *Program {
	t.Helper()
	c, err := sm.Default()
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(k, NewScheduler(Config{}, c), 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// simple loads, computes and stores.
const simple = head + `.visible .entry k(.param .u64 p) {
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>;
ld.param.u64 %rd1, [p];
ld.global.u32 %r1, [%rd1];
setp.ne.s32 %p1, %r1, 0;
mul.wide.s32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
@%p1 st.global.u32 [%rd3], %r1;
atom.global.add.u32 %r2, [%rd3], %r1;
red.global.add.u32 [%rd3], %r2;
membar.gl;
ret; }`

func TestInstructionsAreClassedByTheirRows(t *testing.T) {
	p := build(t, kernel(t, simple, "k"))
	b := p.Body(p.kernel.Entry)
	at := func(pc int32) *sm.Inst { return &p.Code.Insts[b.At(pc)+int32(b.Parts(pc))-1] }
	if in := at(0); !in.Constant || in.Mem != sm.NoMem {
		t.Errorf("the parameter is %+v, want a constant operand", in)
	}
	for pc, want := range map[int32]sm.Mem{1: sm.LoadGlobal, 2: sm.NoMem, 5: sm.StoreGlobal, 6: sm.AtomGlobal, 7: sm.AtomGlobal} {
		if got := at(pc).Mem; got != want {
			t.Errorf("instruction %d has class %d, want %d", pc, got, want)
		}
	}
	if at(6).Dst[0].File == sm.None || at(7).Dst[0].File != sm.None {
		t.Error("an atomic has no result, or a reduction has one")
	}
	if at(8).Fence != sm.FenceGPU {
		t.Error("membar.gl is no fence of the GPU")
	}
	if product, sum := b.Parts(3), b.Parts(4); product != 0 || sum != 1 {
		t.Errorf("a wide product and its sum are %d and %d instructions, want 0 and 1: IMAD.WIDE", product, sum)
	}
	guarded := at(5)
	found := false
	for _, o := range guarded.Src {
		found = found || o.File == sm.Predicate
	}
	if !found {
		t.Error("a guarded store does not read its predicate")
	}
}

func TestRowsThatLiveTogetherHaveDifferentRegisters(t *testing.T) {
	text, err := os.ReadFile("../../../tests/bench/testdata/kernels.ptx")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gemm_tiled", "bfs", "sort", "fp64", "hashing", "calls", "nbody"} {
		f := kernel(t, string(text), name).Entry
		a := assign(f, fuse(f), maxRegisters)
		if a.shared > 0 {
			t.Errorf("%s: %d rows share registers", name, a.shared)
		}
		live := intervalsOf(f)
		var at [maxRegisters][]int
		for row := range f.NumRegs {
			if l := live[row]; l.last > l.first {
				at[a.register[row]] = append(at[a.register[row]], row)
			}
		}
		for reg, rows := range at {
			for i, x := range rows {
				for _, y := range rows[:i] {
					if live[x].first < live[y].last && live[y].first < live[x].last {
						t.Errorf("%s: rows %d and %d live together in register %d", name, x, y, reg)
					}
				}
			}
		}
		for pc := range f.Code {
			for _, u := range f.Operands.Of(pc) {
				if u.Reg >= 0 && u.Rows == 2 && int(u.Reg) < f.NumRegs {
					lo, hi := a.register[u.Reg], a.register[u.Reg+1]
					if lo%2 != 0 || hi != lo+1 {
						t.Fatalf("%s: a pair is in registers %d and %d", name, lo, hi)
					}
				}
			}
		}
		t.Logf("%-10s %5d rows in %3d registers", name, f.NumRegs, a.used)
	}
}

func TestAKernelKeepsToTheRegistersOfItsCubin(t *testing.T) {
	k := kernel(t, simple, "k")
	k.Registers = 16
	p := build(t, k)
	if p.Registers != 16 {
		t.Errorf("%d registers, want 16", p.Registers)
	}
	a := assign(k.Entry, fuse(k.Entry), 4)
	for row, r := range a.register {
		if r >= 4 {
			t.Errorf("row %d is in register %d of 4", row, r)
		}
	}
	if a.shared == 0 {
		t.Error("four registers are enough for three pairs and more")
	}
}

// intervalsOf is where the resources of a function live.
func intervalsOf(f *isa.Function) []interval {
	graph, x := blocks(f), fuse(f)
	flow(f, x, graph, f.NumRegs+f.NumPreds)
	return intervals(f, x, graph)
}
