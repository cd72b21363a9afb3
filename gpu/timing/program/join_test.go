package program

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// words lists the registers of a lane that each access of a class moves, in the code of a body that has the
// address of 16 bytes of its lane in %r4.
func words(t *testing.T, text string, class sm.Mem) (all []uint8) {
	t.Helper()
	m, err := sm.Default()
	if err != nil {
		t.Fatal(err)
	}
	var c Config
	if _, err := option.Read(&c, "test.cfg", ""); err != nil {
		t.Fatal(err)
	}
	k := kernel(t, head+`.visible .entry k(.param .u64 o) {
.reg .b32 %r<20>; .reg .b64 %d<4>; .reg .f64 %f<9>; .reg .pred %p; .shared .align 16 .b8 s[4096];
ld.param.u64 %d1, [o]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mov.u32 %r3, s; add.s32 %r4, %r3, %r2; setp.gt.u32 %p, %r1, 5; bar.sync 0;
`+text+" ret; }", "k")
	p, err := New(k, NewScheduler(c, m), 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Code.Insts {
		if in := &p.Code.Insts[i]; in.Mem == class {
			all = append(all, in.Words)
		}
	}
	return all
}

// TestNeighbouringAccessesJoin has what ptxas 13.0 does for sm_90.
func TestNeighbouringAccessesJoin(t *testing.T) {
	const sum = "add.s32 %r5, %r5, %r6; add.s32 %r5, %r5, %r7; add.s32 %r5, %r5, %r8; st.global.u32 [%d1], %r5;"
	for _, c := range []struct {
		name, text string
		class      sm.Mem
		want       []uint8
	}{
		{"four words aligned to 16 bytes", "ld.shared.u32 %r5, [%r4]; ld.shared.u32 %r6, [%r4+4]; ld.shared.u32 %r7, [%r4+8]; ld.shared.u32 %r8, [%r4+12];" + sum, sm.LoadShared, []uint8{4}},
		{"three of four", "ld.shared.u32 %r5, [%r4]; ld.shared.u32 %r6, [%r4+4]; ld.shared.u32 %r7, [%r4+8];" + sum, sm.LoadShared, []uint8{4}},
		{"two of four", "ld.shared.u32 %r5, [%r4+8]; ld.shared.u32 %r6, [%r4+12];" + sum, sm.LoadShared, []uint8{2}},
		{"words not aligned together", "ld.shared.u32 %r5, [%r4+4]; ld.shared.u32 %r6, [%r4+8];" + sum, sm.LoadShared, []uint8{1, 1}},
		{"four words aligned to 8 bytes", "shl.b32 %r2, %r1, 3; add.s32 %r9, %r3, %r2; ld.shared.u32 %r5, [%r9]; ld.shared.u32 %r6, [%r9+4]; ld.shared.u32 %r7, [%r9+8]; ld.shared.u32 %r8, [%r9+12];" + sum, sm.LoadShared, []uint8{2, 2}},
		{"two doubles", "ld.shared.f64 %f1, [%r4]; ld.shared.f64 %f2, [%r4+8]; add.f64 %f3, %f1, %f2; st.global.f64 [%d1], %f3;", sm.LoadShared, []uint8{4}},
		{"two vectors", "ld.shared.v2.u32 {%r5, %r6}, [%r4]; ld.shared.v2.u32 {%r7, %r8}, [%r4+8];" + sum, sm.LoadShared, []uint8{4}},
		{"bytes do not", "ld.shared.u8 %r5, [%r4]; ld.shared.u8 %r6, [%r4+1]; ld.shared.u8 %r7, [%r4+2]; ld.shared.u8 %r8, [%r4+3];" + sum, sm.LoadShared, []uint8{1, 1, 1, 1}},
		{"guarded ones do not", "@%p ld.shared.u32 %r5, [%r4]; @%p ld.shared.u32 %r6, [%r4+4];" + sum, sm.LoadShared, []uint8{1, 1}},
		{"volatile ones do not", "ld.volatile.shared.u32 %r5, [%r4]; ld.volatile.shared.u32 %r6, [%r4+4];" + sum, sm.LoadShared, []uint8{1, 1}},
		{"a store between divides", "ld.shared.u32 %r5, [%r4]; ld.shared.u32 %r6, [%r4+4]; st.shared.u32 [%r4+512], %r6; ld.shared.u32 %r7, [%r4+8]; ld.shared.u32 %r8, [%r4+12];" + sum, sm.LoadShared, []uint8{2, 2}},
		{"a pointer of unknown alignment", "ld.global.u32 %r5, [%d1]; ld.global.u32 %r6, [%d1+4];" + sum, sm.LoadGlobal, []uint8{1, 1}},
		{"a pointer made even", "and.b64 %d2, %d1, -16; ld.global.u32 %r5, [%d2]; ld.global.u32 %r6, [%d2+4]; ld.global.u32 %r7, [%d2+8]; ld.global.u32 %r8, [%d2+12];" + sum, sm.LoadGlobal, []uint8{4}},
		{"stores", "st.shared.u32 [%r4], %r1; st.shared.u32 [%r4+4], %r2; st.shared.u32 [%r4+8], %r3; st.shared.u32 [%r4+12], %r4;", sm.StoreShared, []uint8{4}},
	} {
		got := words(t, c.text, c.class)
		if string(got) != string(c.want) {
			t.Errorf("%s: accesses of %v words, want %v", c.name, got, c.want)
		}
	}
}
