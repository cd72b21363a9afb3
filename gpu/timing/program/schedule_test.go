package program

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// ordered orders the entry of a kernel of PTX text and gives its instructions before and after.
func ordered(t *testing.T, text, name string, options string) (before *isa.Function, after *isa.Function) {
	t.Helper()
	m, err := sm.Default()
	if err != nil {
		t.Fatal(err)
	}
	var c Config
	if _, err := option.Read(&c, "test.cfg", options); err != nil {
		t.Fatal(err)
	}
	before, after = kernel(t, text, name).Entry, kernel(t, text, name).Entry
	NewScheduler(c, m).Order(after, 0)
	return before, after
}

// lines are the texts of a function's instructions.
func lines(f *isa.Function) (all []string) {
	for i := range f.Code {
		text, _, _ := strings.Cut(f.Source.Text[f.Code[i].Pos:], ";")
		all = append(all, text)
	}
	return all
}

const body = head + ".visible .entry k(.param .u64 p) {\n.reg .b64 %a, %b; .reg .f32 %f<20>; .reg .b32 %r<20>; .reg .b16 %h<9>; .reg .pred %p;\n.shared .b32 s[32];\n"

func TestInstructionsMoveOnlyAsFarAsTheyMay(t *testing.T) {
	for _, c := range []struct{ name, text, first, then string }{
		{"a load passes arithmetic that does not use it",
			"ld.global.f32 %f1, [%a]; add.f32 %f2, %f1, %f1; ld.global.f32 %f3, [%b]; add.f32 %f4, %f3, %f2; st.global.f32 [%a], %f4;",
			"ld.global.f32 %f3", "add.f32 %f2"},
		{"a load stays behind a store that may write the same",
			"ld.global.f32 %f1, [%a]; st.global.f32 [%a], %f1; ld.global.f32 %f3, [%b]; st.global.f32 [%b], %f3;",
			"st.global.f32 [%a]", "ld.global.f32 %f3"},
		{"a load passes a store to other bytes of the same base",
			"ld.global.f32 %f1, [%a]; add.f32 %f2, %f1, %f1; st.global.f32 [%a], %f2; ld.global.f32 %f3, [%a+4]; add.f32 %f4, %f3, %f3; st.global.f32 [%a+4], %f4;",
			"ld.global.f32 %f3", "st.global.f32 [%a], %f2"},
		{"a base that changes between is not the same",
			"ld.global.f32 %f1, [%a]; st.global.f32 [%a], %f1; add.s64 %a, %a, 4; ld.global.f32 %f3, [%a]; st.global.f32 [%b], %f3;",
			"st.global.f32 [%a], %f1", "ld.global.f32 %f3"},
		{"a load of what nobody writes passes stores",
			"ld.global.f32 %f1, [%a]; st.global.f32 [%a], %f1; ld.global.nc.f32 %f3, [%b]; st.global.f32 [%b], %f3;",
			"ld.global.nc.f32 %f3", "st.global.f32 [%a]"},
		{"a load passes a store to another space",
			"ld.global.f32 %f1, [%a]; st.shared.f32 [s], %f1; ld.global.f32 %f3, [%b]; st.global.f32 [%b], %f3;",
			"ld.global.f32 %f3", "st.shared.f32"},
		{"volatile loads stay in order",
			"ld.volatile.global.f32 %f1, [%a]; add.f32 %f2, %f1, %f1; ld.volatile.global.f32 %f3, [%b]; add.f32 %f4, %f3, %f2; st.global.f32 [%b], %f4;",
			"add.f32 %f2", "ld.volatile.global.f32 %f3"},
		{"loads stay behind a barrier",
			"ld.global.f32 %f1, [%a]; st.shared.f32 [s], %f1; bar.sync 0; ld.global.f32 %f3, [%b]; st.global.f32 [%b], %f3;",
			"bar.sync", "ld.global.f32 %f3"},
		{"carries stay with the sums they belong to",
			"add.cc.u32 %r1, %r2, %r3; add.cc.u32 %r4, %r5, %r6; addc.u32 %r7, %r4, %r1; st.global.u32 [%a], %r7;",
			"add.cc.u32 %r1", "add.cc.u32 %r4"},
		{"parts of a word are written before they are read",
			"ld.global.u32 %r1, [%a]; mov.b32 {%h1, %h2}, %r1; mov.b16 %h3, %h1; st.global.u16 [%b], %h3;",
			"mov.b32 {%h1", "mov.b16 %h3"},
		{"a trap stays where it is",
			"ld.global.f32 %f1, [%a]; add.f32 %f2, %f1, %f1; trap; ld.global.f32 %f3, [%b]; st.global.f32 [%b], %f3;",
			"trap", "ld.global.f32 %f3"},
		{"a read of the clock stays where it is",
			"add.f32 %f2, %f1, %f1; mov.u32 %r1, %clock; ld.global.f32 %f3, [%b]; st.global.f32 [%b], %f3;",
			"mov.u32 %r1, %clock", "ld.global.f32 %f3"},
		{"a guarded write stays behind the write before",
			"mov.f32 %f1, 0f00000000; add.f32 %f3, %f2, %f2; @%p mov.f32 %f1, %f2; st.global.f32 [%b], %f1; st.global.f32 [%a], %f3;",
			"mov.f32 %f1, 0f", "mov.f32 %f1, %f2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, f := ordered(t, body+c.text+"\nret; }", "k", "")
			order := lines(f)
			at := func(prefix string) int {
				i := slices.IndexFunc(order, func(s string) bool { return strings.HasPrefix(s, prefix) })
				if i < 0 {
					t.Fatalf("no %s in %q", prefix, order)
				}
				return i
			}
			if at(c.first) > at(c.then) {
				t.Errorf("%s comes after %s:\n%s", c.first, c.then, strings.Join(order, "\n"))
			}
		})
	}
}

func TestEveryValueIsWrittenBeforeItIsReadInTheNewOrder(t *testing.T) {
	text, err := os.ReadFile("../../../tests/bench/testdata/kernels.ptx")
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for _, name := range []string{"gemm_tiled", "bfs", "sort", "fp64", "hashing", "calls", "nbody"} {
		before, after := ordered(t, string(text), name, "")
		place := make([]int, len(before.Code)) // of each instruction in the new order
		for pc := range before.Code {
			place[pc] = slices.IndexFunc(after.Code, func(in isa.Inst) bool {
				return in.Pos == before.Code[pc].Pos && in.Op == before.Code[pc].Op && in.D == before.Code[pc].D && in.P == before.Code[pc].P
			})
			if place[pc] != pc {
				moved++
			}
		}
		for _, b := range blocks(before) {
			for i := b.first; i < b.end; i++ {
				for j := b.first; j < i; j++ {
					if place[j] > place[i] && conflict(before, j, i) {
						t.Errorf("%s: instruction %d came to stand before %d, with which it shares a register", name, i, j)
					}
				}
			}
		}
	}
	if moved == 0 {
		t.Error("nothing has moved")
	}
}

// conflict reports that one instruction writes a register that the other uses.
func conflict(f *isa.Function, i, j int) bool {
	var a, b touch
	touches(f, i, &a)
	touches(f, j, &b)
	meet := func(x, y []resource) bool {
		return slices.ContainsFunc(x, func(r resource) bool { return slices.Contains(y, r) })
	}
	return meet(a.writes, b.reads) || meet(a.writes, b.writes) || meet(a.reads, b.writes)
}

func TestOrderKeepsToTheRegistersThereAre(t *testing.T) {
	var text strings.Builder
	text.WriteString(head + ".visible .entry k(.param .u64 p) {\n.reg .b64 %a; .reg .f32 %f<200>; .reg .f32 %s;\nld.param.u64 %a, [p]; mov.f32 %s, 0f00000000;\n")
	for i := range 100 {
		n := string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
		n = strings.TrimLeft(n, "0")
		if n == "" {
			n = "0"
		}
		text.WriteString("ld.global.f32 %f" + n + ", [%a+" + n + "*4]; add.f32 %s, %s, %f" + n + ";\n")
	}
	text.WriteString("st.global.f32 [%a], %s; ret; }")
	used := func(room string) int {
		_, f := ordered(t, text.String(), "k", "ptx.registers "+room)
		return assign(f, fuse(f), maxRegisters).used
	}
	if few, many := used("32"), used("128"); few > 40 || many < 90 {
		t.Errorf("%d registers with room for 32, %d with room for 128", few, many)
	}
}

func TestTheTextsOrderCanBeKept(t *testing.T) {
	before, after := ordered(t, simple, "k", "ptx.schedule false")
	if !slices.Equal(lines(before), lines(after)) {
		t.Errorf("%q became %q", lines(before), lines(after))
	}
}
