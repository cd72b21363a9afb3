package program

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// TestOneLaneDoesAtomicsOfOneAddressForAll has what ptxas 13.0 does for sm_90: how many shuffles it takes, and
// whether lanes that name one address are one.
func TestOneLaneDoesAtomicsOfOneAddressForAll(t *testing.T) {
	for _, c := range []struct {
		name, text string
		lanes      int
		one        bool
	}{
		{"a sum whose result is read", "atom.global.add.u32 %r5, [%d1], %r2;", 7, true},
		{"one of constants", "atom.global.add.u32 %r5, [%d1], 5;", 1, true},
		{"one in shared memory", "atom.shared.add.u32 %r5, [%r3], %r2;", 7, true},
		{"at an address of the CTA", "mov.u32 %r4, %ctaid.x; mul.wide.u32 %d4, %r4, 4; add.s64 %d5, %d1, %d4; atom.global.add.u32 %r5, [%d5], %r2;", 7, true},
		{"at one that was loaded", "ld.global.u32 %r4, [%d1]; mul.wide.u32 %d4, %r4, 4; add.s64 %d5, %d1, %d4; atom.global.add.u32 %r5, [%d5], %r2;", 7, true},
		{"a maximum whose result is read", "atom.global.max.u32 %r5, [%d1], %r2;", 0, false},
		{"a reduction", "red.global.max.u32 [%d1], %r2;", 0, true},
		{"a result that nobody reads", "atom.global.add.u32 %r6, [%d1], %r2;", 0, true},
		{"single precision", "atom.global.add.f32 %f2, [%d1], %f1;", 0, false},
		{"addresses of lanes", "atom.global.add.u32 %r5, [%d3], 1;", 0, false},
		{"increments of shared memory, which the hardware counts", "mul.lo.u32 %r4, %r2, 4; and.b32 %r4, %r4, 1020; add.s32 %r4, %r4, %r3; red.shared.add.u32 [%r4], 1;", 0, true},
		{"sums there", "mul.lo.u32 %r4, %r2, 4; and.b32 %r4, %r4, 1020; add.s32 %r4, %r4, %r3; red.shared.add.u32 [%r4], 2;", 0, false},
	} {
		p := build(t, kernel(t, head+`.visible .entry k(.param .u64 o) {
.reg .b32 %r<20>; .reg .b64 %d<6>; .reg .f32 %f<4>; .shared .align 16 .b8 s[4096];
ld.param.u64 %d1, [o]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; ld.global.u32 %r2, [%d3+8192];
cvt.rn.f32.u32 %f1, %r2; mov.u32 %r3, s; mov.u32 %r5, 0; `+c.text+` st.global.u32 [%d3+4096], %r5; ret; }`, "k"))
		lanes := 0
		for i := range p.Code.Insts {
			if p.Code.Insts[i].Mem == sm.Lanes {
				lanes++
			}
		}
		f := p.kernel.Entry
		left := 0
		for pc := range f.Code {
			if f.Code[pc].Op.Shares {
				left = len(p.Body(f).Shape(int32(pc), []isa.Access{{Lane: 0, Addr: 64}, {Lane: 1, Addr: 64}, {Lane: 2, Addr: 64}}))
			}
		}
		if one := left == 1; lanes != c.lanes || one != c.one {
			t.Errorf("%s: %d exchanges of lanes and %d accesses of three lanes at one address, want %d and one: %v", c.name, lanes, left, c.lanes, c.one)
		}
	}
}

func TestConstantsOfDoublePrecisionAreBroughtIntoRegistersOnce(t *testing.T) {
	for _, c := range []struct {
		text string
		more int
	}{
		{"fma.rn.f64 %f1, %f1, %f2, 0d3FE0000000000000;", 0},
		{"fma.rn.f64 %f1, %f1, %f2, 0d3FD5555555555555;", 2},
		{"fma.rn.f64 %f1, %f1, %f2, 0d3FD5555555555555; fma.rn.f64 %f1, %f1, %f2, 0d3FD5555555555555;", 2},
		{"fma.rn.f64 %f1, %f1, %f2, 0d3FD5555555555555; fma.rn.f64 %f1, %f1, %f2, 0d3FC999999999999A;", 4},
	} {
		p := build(t, kernel(t, head+".visible .entry k() { .reg .f64 %f<3>; "+c.text+" ret; }", "k"))
		q := build(t, kernel(t, head+".visible .entry k() { .reg .f64 %f<3>; fma.rn.f64 %f1, %f1, %f2, %f2; ret; }", "k"))
		n := 0
		for i := range p.Code.Insts {
			if p.Code.Insts[i].Pipe == sm.PipeDouble {
				n++
			}
		}
		if more := len(p.Code.Insts) - len(q.Code.Insts) - n + 1; more != c.more {
			t.Errorf("%s takes %d more instructions, want %d", c.text, more, c.more)
		}
	}
}
