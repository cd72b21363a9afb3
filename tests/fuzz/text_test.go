package fuzz

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// tryText parses, links, lowers and runs whatever a text has, for a while. Any
// error will do; a panic or a hang will not.
func tryText(t testing.TB, text string) {
	if solo.Check("f.ptx", text, ops.Target{}) != nil {
		return // all that can be lowered has been
	}
	p, err := solo.Load(gpu.Config{
		Memory: mem.Config{DeviceBytes: 1 << 24}, SMs: 1, ThreadsPerSM: 1024, Heap: 1 << 16, Stack: 4096, Workers: 1,
		Limit: exec.Limit{Instructions: 20000},
	}, "f.ptx", text)
	if err != nil {
		return
	}
	defer p.Close()
	buffer, err := p.Alloc(4096)
	if err != nil {
		return
	}
	for _, name := range p.Kernels() {
		k, err := p.Kernel(name)
		if err != nil {
			continue
		}
		params := make([]byte, k.ParamBytes)
		for at := 0; at+8 <= len(params); at += 8 {
			binary.LittleEndian.PutUint64(params[at:], buffer)
		}
		_, err = p.Run(solo.Launch{Kernel: name, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{48, 1, 1}, Shared: 256}, params)
		var fault *exec.Fault
		if err != nil && !errors.As(err, &fault) && !strings.Contains(err.Error(), "bytes") {
			t.Logf("%s: %v", name, err)
		}
	}
}

// textHead declares registers of all sorts for single instructions.
const textHead = `.version 9.0
.target sm_90a
.address_size 64
.global .align 16 .b8 g[64];
.const .align 16 .b8 c[64];
.entry k (.param .u64 a)
{
.reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %q<8>; .reg .b128 %w<4>; .reg .pred %p<8>;
.shared .align 16 .b8 s[64]; .local .align 16 .b8 l[64];
ld.param.u64 %q1, [a];
mov.u32 %r1, %tid.x;
mov.u64 %q2, g;
L:
`

// odd are operands that most instructions do not expect.
var odd = strings.Fields("%h1 %r1 %q1 %q2 %w1 %p1 1 -1 0xffffffffffffffff 3.5 0f7FC00000 0dFFF8000000000000 _ [%q1] [%q1+-8] [%r1] [g] [s+4] [l] [c] [a] [7] L g s l a k -%r1 !%p1 {%r1,%r2} {%r1,%r2,%r3,%r4} {%h1,_} {%q1,%q2} %r1|%p1 %p1|%p2 %tid.x %tid WARP_SZ %r1.h1 %r1.b3210 [g,{%r1,%r2}] [%q1,{%r1}] {} g+8 s+4")

// TestOddOperandsAreRefusedOrRun gives every row operands of every odd sort: it
// refuses them or runs, and faults as it may.
func TestOddOperandsAreRefusedOrRun(t *testing.T) {
	r := random(3)
	n := 0
	ops.Rows(func(op *isa.Op) {
		for range 16 {
			spelling, least, most := oddSpelling(&r, op)
			var operands []string
			for range least + r.below(most-least+2) {
				operands = append(operands, pick(&r, odd))
			}
			n++
			tryText(t, textHead+spelling+" "+strings.Join(operands, ", ")+";\nret;\n}\n")
		}
	})
	if n < 1000 {
		t.Errorf("only %d instructions were tried", n)
	}
}

// oddSpelling is one spelling of a row, with some of its modifiers as it comes,
// and the numbers of operands that it takes.
func oddSpelling(r *random, op *isa.Op) (spelling string, least, most int) {
	n := 0
	few := func(string) bool { return r.in(4) }
	ops.Spellings(op, few, func(f *isa.Form, args []ops.Arg) {
		if n++; !r.in(n) {
			return
		}
		words := append([]string{op.Name}, f.Mods...)
		for _, k := range f.Types {
			words = append(words, k.String())
		}
		spelling, least, most = strings.Join(words, "."), 0, len(args)
		for _, a := range args {
			if !a.Optional {
				least++
			}
		}
	})
	if spelling == "" {
		return op.Name, 0, 3
	}
	return spelling, least, most
}

// FuzzKernel takes texts all the way.
func FuzzKernel(f *testing.F) {
	for _, body := range []string{
		"add.u32 %r1, %r2, %r3;\nst.global.u32 [%q1], %r1;", "@%p1 bra L;\nbar.sync 0;", "shfl.sync.idx.b32 %r1|%p1, %r2, 3, 31, 0xffffffff;",
		"T: .branchtargets L, M;\nbrx.idx %r1, T;\nM:", "atom.shared.cas.b64 %q3, [s], %q1, %q2;", "vote.sync.ballot.b32 %r1, %p1, -1;\nld.v4.u32 {%r1, %r2, %r3, %r4}, [%q1+16];",
		"cp.async.ca.shared.global [s], [%q1], 16;\ncp.async.wait_all;", "mbarrier.init.shared.b64 [s], 1;\nmbarrier.arrive.shared.b64 %q1, [s];",
		"cvt.rn.f16x2.f32 %r1, %r2, %r3;\nmma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%q1,%q2}, {%q3}, {%q4}, {%q5,%q6};",
		"stacksave.u64 %q3;\nalloca.u64 %q4, 16;\nst.local.u32 [%q4], %r1;\nstackrestore.u64 %q3;", "trap;", "exit;",
		"{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), vprintf, (x, x); }",
	} {
		f.Add(textHead + body + "\nret;\n}\n")
	}
	f.Fuzz(func(t *testing.T, text string) { tryText(t, text) })
}
