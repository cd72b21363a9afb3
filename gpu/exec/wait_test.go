package exec_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// A loop in which only the clock changes is done as soon as the clock says so; in any other one rounds count.
func TestLoopsThatOnlyWaitForTheClockMakeFewRounds(t *testing.T) {
	const cycles = 1 << 20
	for _, c := range []struct {
		name, body string
		waits      bool
	}{
		{"bare", "mov.u64 t, %clock64; sub.s64 d, t, b; setp.lt.s64 p, d, n; @p bra LOOP;", true},
		{"32 bits", "mov.u32 r, %clock; cvt.u64.u32 t, r; sub.s64 d, t, b; setp.lt.s64 p, d, n; @p bra LOOP;", true},
		{"timer", "mov.u64 t, %globaltimer; sub.s64 d, t, b; setp.lt.s64 p, d, n; @p bra LOOP;", true},
		{"sleeps", "nanosleep.u32 100; mov.u64 t, %clock64; sub.s64 d, t, b; setp.lt.s64 p, d, n; @p bra LOOP;", true},
		{"two ways out", "mov.u64 t, %clock64; sub.s64 d, t, b; setp.ge.s64 p, d, n; @p bra END; bra LOOP;", true},
		{"counts rounds", "add.u32 i, i, 1; mov.u64 t, %clock64; sub.s64 d, t, b; setp.lt.s64 p, d, n; @p bra LOOP;", false},
		{"adds times", "mov.u64 u, t; mov.u64 t, %clock64; sub.s64 d, t, u; add.s64 e, e, d; setp.lt.s64 p, e, n; @p bra LOOP;", false},
		{"looks at memory", "ld.volatile.shared.u32 r, [s]; mov.u64 t, %clock64; sub.s64 d, t, b; setp.lt.s64 p, d, n; @p bra LOOP;", false},
		{"writes memory", "st.shared.u64 [s], t; mov.u64 t, %clock64; sub.s64 d, t, b; setp.lt.s64 p, d, n; @p bra LOOP;", false},
		{"sets a register for some", "setp.ne.s64 q, t, b; @q add.u64 t, t, 1; mov.u64 u, %clock64; sub.s64 d, u, b; setp.lt.s64 p, d, n; @p bra LOOP;", false},
	} {
		k := kernelOf(t, "x.ptx", `.version 8.0 .target sm_90 .address_size 64 .visible .entry k() {
			.reg .u32 r, i; .reg .u64 b, t, u, d, e, n; .reg .pred p, q; .shared .u64 s;
			mov.u32 i, 0; mov.u64 e, 0; mov.u64 n, 1048576; mov.u64 b, %clock64; mov.u64 t, b; mov.u64 u, b;
			LOOP: `+c.body+" END: ret; }")
		space, err := mem.New(mem.Config{DeviceBytes: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		g := exec.New(exec.Config{Memory: space}).NewGrid(exec.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}})
		for done := false; !done; {
			if done, err = g.Advance(1 << 16); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		space.Close()
		if few := g.Instructions() < cycles/100; few != c.waits {
			t.Errorf("%s: %d instructions to wait for %d cycles", c.name, g.Instructions(), cycles)
		}
	}
}
