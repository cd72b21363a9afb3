package solo

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// stackText calls a function with an array of as many numbers as its argument
// says, whose sum it returns.
const stackText = `.version 7.3
.target sm_52
.address_size 64
.func (.param .u32 r) f(.param .u32 n) {
 .reg .u32 %r<8>; .reg .u64 %q<8>; .reg .pred %p;
 ld.param.u32 %r0,[n];
 cvt.u64.u32 %q0,%r0;
 shl.b64 %q0,%q0,2;
 alloca.u64 %q1,%q0,16;
 mov.u32 %r1,0; mov.u64 %q2,%q1; mov.u32 %r3,0;
L: st.local.u32 [%q2],%r1; add.u64 %q2,%q2,4; add.u32 %r1,%r1,1; setp.lt.u32 %p,%r1,%r0; @%p bra L;
 mov.u32 %r1,0; cvta.local.u64 %q2,%q1;
M: ld.u32 %r2,[%q2]; add.u32 %r3,%r3,%r2; add.u64 %q2,%q2,4; add.u32 %r1,%r1,1; setp.lt.u32 %p,%r1,%r0; @%p bra M;
 st.param.u32 [r],%r3;
 ret;
}
.entry k(.param .u64 o) {
 .reg .u32 %r<8>; .reg .u64 %q<8>; .reg .pred %p;
 ld.param.u64 %q0,[o]; mov.u32 %r0,%tid.x; add.u32 %r1,%r0,1; mov.u32 %r5,0;
 stacksave.u64 %q3;
A: { .param .u32 a; .param .u32 b; st.param.u32 [a],%r1; call (b),f,(a); ld.param.u32 %r2,[b]; }
 add.u32 %r5,%r5,1; setp.lt.u32 %p,%r5,300; @%p bra A;
 stacksave.u64 %q4; setp.eq.u64 %p,%q3,%q4; @!%p trap;
 mul.wide.u32 %q1,%r0,4; add.u64 %q0,%q0,%q1; st.global.u32 [%q0],%r2; ret;
}
`

func TestFunctionsGiveTheirAllocaBack(t *testing.T) {
	p, err := Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 24}, SMs: 1, ThreadsPerSM: 2048, Heap: 1 << 20, Stack: 1024}, "stack", stackText)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const threads = 40
	out, err := p.Alloc(4 * threads)
	if err != nil {
		t.Fatal(err)
	}
	l := Launch{Kernel: "k", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1}}
	if _, err := p.Run(l, binary.LittleEndian.AppendUint64(nil, out)); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4*threads)
	if err := p.Read(out, got); err != nil {
		t.Fatal(err)
	}
	for i := range uint32(threads) {
		if sum := binary.LittleEndian.Uint32(got[4*i:]); sum != i*(i+1)/2 {
			t.Errorf("thread %d: %d, want %d", i, sum, i*(i+1)/2)
		}
	}
}

// warpWords runs kernel k of a text in two CTAs of 32 threads, whose first CTA leaves a
// word of each thread.
func warpWords(t *testing.T, text string) (out [32]uint32) {
	t.Helper()
	p, err := Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 24}, SMs: 2, ThreadsPerSM: 2048, Heap: 1 << 20, Stack: 1024}, "k", text)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	addr, err := p.Alloc(256)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(Launch{Kernel: "k", Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{32, 1, 1}}, binary.LittleEndian.AppendUint64(nil, addr)); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 128)
	if err := p.Read(addr, b); err != nil {
		t.Fatal(err)
	}
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

const warpHead = `.version 7.8
.target sm_90
.address_size 64
.entry k(.param .u64 o)
`

const warpEnd = ` mov.u32 %r0,%ctaid.x; mad.lo.u32 %r0,%r0,32,%r9; mul.wide.u32 %q1,%r0,4; add.u64 %q0,%q0,%q1; st.global.u32 [%q0],%r1; ret;
}
`

// Local memory moves when alloca makes it larger; machine code has to follow.
func TestParametersArriveAfterAlloca(t *testing.T) {
	got := warpWords(t, strings.Replace(warpHead, ".entry", `.func (.param .u32 y) f(.param .u32 x) {
 .reg .u32 %r; ld.param.u32 %r,[x]; mul.lo.u32 %r,%r,7; st.param.u32 [y],%r; ret;
}
.entry`, 1)+`{
 .reg .u32 %r<10>; .reg .u64 %q<8>;
 ld.param.u64 %q0,[o]; mov.u32 %r9,%tid.x;
 alloca.u64 %q3,4096,16;
 { .param .u32 a; .param .u32 b; st.param.u32 [a],%r9; call (b),f,(a); ld.param.u32 %r1,[b]; }
`+warpEnd)
	for i := range got {
		if got[i] != 7*uint32(i) {
			t.Errorf("lane %d: %d", i, got[i])
		}
	}
}

func TestKernelsRunInTheClustersThatTheyRequire(t *testing.T) {
	got := warpWords(t, warpHead+`.reqnctapercluster 2,1,1 {
 .reg .u32 %r<10>; .reg .u64 %q<8>; .shared .u32 s[32];
 ld.param.u64 %q0,[o]; mov.u32 %r9,%tid.x; mov.u32 %r2,s; mad.lo.u32 %r2,%r9,4,%r2; mov.u32 %r3,%ctaid.x; mad.lo.u32 %r4,%r3,100,%r9;
 st.shared.u32 [%r2],%r4;
 barrier.cluster.arrive; barrier.cluster.wait;
 xor.b32 %r3,%r3,1; mapa.shared::cluster.u32 %r2,%r2,%r3; ld.shared::cluster.u32 %r1,[%r2];
 barrier.cluster.arrive; barrier.cluster.wait;
`+warpEnd)
	for i := range got {
		if got[i] != 100+uint32(i) {
			t.Errorf("thread %d: %d", i, got[i])
		}
	}
}

func TestCheckKnowsVersionsAndTargets(t *testing.T) {
	const head, body = ".version 6.5\n.target sm_70\n.address_size 64\n", ".entry k() { .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .pred %p; "
	for _, c := range []struct{ text, device, want string }{
		{head + body + "tanh.approx.f32 %f0, %f1; ret; }", "", "needs PTX 7.0"},
		{strings.Replace(head, "6.5", "7.0", 1) + body + "tanh.approx.f32 %f0, %f1; ret; }", "", "needs .target sm_75"},
		{head + body + "vote.ballot.b32 %r0, %p; ret; }", "", "without .sync"},
		{strings.Replace(head, "sm_70", "sm_95", 1) + body + "ret; }", "", "no .target is named sm_95"},
		{strings.Replace(head, "sm_70", "sm_90", 1) + body + "ret; }", "", "has no .target sm_90"},
		{head + body + "ret; }", "sm_60", "does not run on sm_60"},
		{head + body + "mov.u32 %r0, %cluster_ctarank; ret; }", "", "needs PTX 7.8"},
		{head + body + "ret; }", "sm_90", ""},
	} {
		device, _ := ops.ParseTarget(c.device)
		err := Check("text", c.text, device)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
