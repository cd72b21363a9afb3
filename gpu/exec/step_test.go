package exec_test

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// A timing model may step warps in any order; the results are those of a run.
func TestSteppedWarpsLeaveTheSameMemoryInAnyOrder(t *testing.T) {
	const words = 48
	for _, order := range [][]int32{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		space, err := mem.New(mem.Config{DeviceBytes: 1 << 28})
		if err != nil {
			t.Fatal(err)
		}
		defer space.Close()
		out, err := space.Alloc(4*words, 0)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile("../../tests/cases/testdata/C20-barrier-after-exits.ptx")
		if err != nil {
			t.Fatal(err)
		}
		k := kernelOf(t, "C20.ptx", string(text))
		e := exec.New(exec.Config{Memory: space, SMs: 1})
		s := e.NewStepping(exec.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{96, 1, 1}, Params: binary.LittleEndian.AppendUint64(nil, out)})
		first, n := s.Start(exec.NewCore(func(c uint64) uint64 { return c }))
		stores := 0
		for ended := 0; ended < n; {
			ended = 0
			for _, w := range order {
				at := s.Next(first + w)
				if at.Function == nil {
					if !at.Blocked {
						ended++
					}
					continue
				}
				effect, err := s.Step(first+w, 0)
				if err != nil {
					t.Fatal(err)
				}
				if effect.Inst != &at.Function.Code[at.PC] {
					t.Fatalf("warp %d executed another instruction than Next named", w)
				}
				for _, a := range effect.Accesses {
					if a.Write && a.Addr >= out && a.Addr < out+4*words {
						stores++
					}
				}
			}
		}
		s.End(first)
		if stores != words {
			t.Errorf("order %v: the effects show %d stores, want %d", order, stores, words)
		}
		got := make([]byte, 4*words)
		if err := space.Read(out, got); err != nil {
			t.Fatal(err)
		}
		for i := range words {
			if v := binary.LittleEndian.Uint32(got[4*i:]); v != uint32(words-1-i) {
				t.Fatalf("order %v: word %d is %d", order, i, v)
			}
		}
	}
}

// Lanes that take a lock in turn, each of which polls until it is served, wait for one
// another for as many polls as a spin lock costs, not for as many instructions.
func TestTurnsOfPathsThatPollAreShort(t *testing.T) {
	space, err := mem.New(mem.Config{DeviceBytes: 1 << 28})
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	serving, err := space.Alloc(4, 0)
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf(t, "ticket.ptx", `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 serving)
{
	.reg .pred %p;
	.reg .b32 %r<4>;
	.reg .b64 %a;
	ld.param.u64 %a, [serving];
	mov.u32 %r0, %tid.x;
poll:
	ld.volatile.u32 %r1, [%a];
	setp.ne.u32 %p, %r1, %r0;
	@%p bra poll;
	add.u32 %r2, %r1, 1;
	st.volatile.u32 [%a], %r2;
	ret;
}`)
	s := exec.New(exec.Config{Memory: space, SMs: 1}).NewStepping(exec.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: binary.LittleEndian.AppendUint64(nil, serving)})
	warp, _ := s.Start(exec.NewCore(func(c uint64) uint64 { return c }))
	steps := 0
	for s.Next(warp).Function != nil {
		if _, err := s.Step(warp, 0); err != nil {
			t.Fatal(err)
		}
		steps++
	}
	if steps > 32*16384/4 {
		t.Errorf("32 lanes took the lock in %d steps", steps)
	}
}
