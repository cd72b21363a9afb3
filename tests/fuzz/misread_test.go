package fuzz

import (
	"fmt"
	"strings"
	"testing"
)

// reading is what ptxas -O3 makes of a kernel, as an edit of its text: with it the
// engine gives what the card gave, the hash.
type reading struct {
	seed, hash uint64
	edit       func(text string) string
}

// late moves lines to the place after a label, where what they read is another.
func late(label string, lines ...string) func(string) string {
	return func(text string) string {
		for _, line := range lines {
			text = strings.Replace(text, "\t"+line+"\n", "", 1)
		}
		return strings.Replace(text, label+":\n", label+":\n"+strings.Join(lines, "\n")+"\n", 1)
	}
}

func instead(line, with string) func(string) string {
	return func(text string) string { return strings.Replace(text, line, with, 1) }
}

// one leaves the integer 1 for the 1.0 of a set.
func one(op, to, rest string) func(string) string {
	return instead("set."+op+" "+to+", "+rest, fmt.Sprintf("{ .reg .b32 one; set.%s one, %s and.b32 one, one, 1; mov.b32 %s, one; }", strings.Replace(op, ".f32.", ".u32.", 1), rest, to))
}

var readings = []reading{
	{3505, 0xf525129f95033071, late("L149", "@!%p2 div.s16 %h4, %h2, %h6;")},
	{8488, 0xc993ac5769e2f1d6, late("L110", "@!%p1 cvt.rp.bf16.f16 %g1, %e1;")},
	{8655, 0x4d6a654db079cba6, late("L186", "selp.s16 %h3, %h2, %h4, !%p5;")},
	{9531, 0x806bfd14464a320a, late("L252", "@!%p5 tanh.approx.f16 %e1, %e2;", "min.ftz.NaN.xorsign.abs.f16 %e1, %e1, %e2;")},
	{2844, 0xc0fa5c6a5e4ec471, instead("add.s64 %tu222, %glocal, %tu222;", "add.s64 %tu222, %mem, %tu222;")},
	{6846, 0xf743feff3235892f, instead("L199:\n", "L199:\nlop3.b32 %r5, %r8, %r3, %r10, 189;\n")},
	{7725, 0x20154663e0bc60ff, one("eq.and.f32.b32", "%f0", "%r8, %r1, %p1;")},
	{1049035, 0xc2f2ac879cd2bd42, one("hi.f32.u64", "%f7", "%u2, %u3;")},
	{1049052, 0x030ab9ffbcd6a6e7, one("eq.xor.f32.f32", "%f0", "%f0, %f6, %p3;")},
	{1049447, 0xcad2be0b10f42d63, func(text string) string {
		const before = "setp.gt.or.ftz.f32 %p2, %f6, %f5, %p2;"
		text = instead(before, before+" .reg .b16 high; mov.b32 {_, high}, %f6;")(text)
		return instead("cvt.u64.u16 %tu237, %th239;", "{ .reg .b32 wide; mov.b32 wide, {%th239, high}; @%p4 cvt.u32.u16 wide, %th239; cvt.u64.u32 %tu237, wide; }")(text)
	}},
	{1050111, 0xc9b4f1c32086cfdc, late("L210", "@!%p4 tanh.approx.f16 %e0, %e1;")},
	{1050419, 0xcd00a4c16d133c1c, instead("shr.b16 %h3, %h3, %r11;", "shr.b16 %h3, %h3, 0;")},
	{1050577, 0xbf36d1533ac0df90, instead("cvt.sat.u16.s16 %h2, %h7;", "{ .reg .s32 wide; cvt.s32.s16 wide, %h6; neg.s32 wide, wide; cvt.sat.u16.s32 %h2, wide; }")},
	{1050690, 0x8c95c93e867f317d, one("ne.xor.f32.b32", "%f5", "%r7, %r0, %p0;")},
	{1050707, 0x0b6981126edb7416, func(text string) string {
		text = instead("sub.cc.s64 %u1, %u6, 0;\n\tmadc.lo.cc.s64 %u4, %u3, %u7, %u1;\n\taddc.s64 %u4, %u3, %u6;", "mov.b64 %u1, %u6;")(text)
		return instead("L142:\n", "L142:\nsub.cc.s64 %u1, %u1, 0; madc.lo.cc.s64 %u4, %u3, %u7, %u1; addc.s64 %u4, %u3, %u1;\n")(text)
	}},
	{1050863, 0x84f1b0dac496887b, instead("slct.b32.s32 %r0, %r6, %r2, %r6;", "mov.b32 %r0, %r6;")},
	{1051031, 0x9c02dd2b05bceb44, one("eq.xor.f32.f32", "%f1", "%f4, %f2, !%p5;")},
	{2097199, 0xb0e2c2b0a7c211a8, one("hs.or.f32.u32", "%f3", "0x1f, %r9, %p2;")},
	{2097465, 0xe06993ac16d71795, instead("@!%p0 bra L171;", "")},
	{2097604, 0x3cbf55296f601031, instead("shfl.sync.idx.b32 %r0|%p3, %r5, %tr174, 31, %tr162;", "shfl.sync.idx.b32 %r0|%p3, %r5, %tr174, 31, %tr162; { .reg .pred some; .reg .b32 warp; shr.u32 warp, %i, 5; setp.eq.u32 some, warp, 1; @!some setp.eq.u32 some, warp, 4; @some mov.b32 %r0, 0; }")},
	{2098247, 0x00b0469b83e258b0, one("equ.xor.f32.f32", "%f6", "0f7F7FFFFF, %f6, %p0;")},
	{2098559, 0x1f653b00906bcabe, one("eq.xor.f32.b64", "%f3", "0xbd4b7ab9, %u0, %p1;")},
	{2098704, 0x28b01e73227fa2e7, func(text string) string {
		const product = "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 {%f3, %f4, %f5, %f6}, {%r3, %r8}, {%r6}, {%f1, %f7, %f7, %f0};"
		return instead(product, "{ .reg .b32 wrong; ld.param.u32 wrong, [k2098704_struct+4]; prmt.b32 wrong, %r8, wrong, 0x5410; "+strings.Replace(product, "%r8", "wrong", 1)+" }")(text)
	}},
	{2099319, 0x49bfafcdbd78ddae, late("L160", "@!%p3 or.b16 %h7, %h3, %h7;")},
}

func TestKernelsThatDifferWhenOptimisedAreMisread(t *testing.T) {
	known := differences(t)
	for _, r := range readings {
		k := Generate(r.seed)
		if text := r.edit(k.Text); text != k.Text {
			k.Text = text
		} else {
			t.Errorf("seed %d: the edit finds nothing", r.seed)
		}
		e, err := NewEngine([]*Kernel{k}, Mode{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Run(k); err != nil || Hash(got) != r.hash {
			t.Errorf("seed %d differs from the card: %v", r.seed, err)
		}
		if known[r.seed].Why == "" {
			t.Errorf("seed %d is not listed", r.seed)
		}
		e.Close()
	}
}
