package ops

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// The cost of one warp instruction, for the commonest forms.
func BenchmarkHandlers(b *testing.B) {
	for _, text := range []string{
		"add.u32 3", "add.s64 3", "mul.lo.s32 3", "mul.wide.s32 3", "mad.lo.s32 4", "and.b32 3", "shl.b32 3", "shl.b64 3",
		"setp.lt.s32 3", "setp.ne.f32 3", "setp.ge.and.u32 4", "selp.b32 4", "mov.b32 2", "mov.b64 2",
		"add.f32 3", "mul.f32 3", "fma.rn.f32 4", "fma.rn.ftz.f32 4", "add.f64 3", "fma.rn.f64 4", "min.f32 3", "max.s32 3",
		"cvt.s64.s32 2", "cvt.rn.f32.s32 2", "cvt.rzi.s32.f32 2", "cvt.f64.f32 2", "cvt.u32.u16 2", "cvt.s32.s8 2",
		"div.u32 3", "shf.l.wrap.b32 4", "prmt.b32 4", "lop3.b32 5", "add.f16x2 3", "fma.rn.f16x2 4", "fma.rn.bf16x2 4", "ex2.approx.ftz.f32 2",
	} {
		n := int(text[len(text)-1] - '0')
		text = text[:len(text)-2]
		for _, m := range []struct {
			name string
			mask isa.Mask
		}{{"full", isa.Full}, {"half", 0x5555_0f0f}} {
			b.Run(text+"/"+m.name, func(b *testing.B) {
				x := newTrial(b, text, n, 0)
				for _, arg := range x.args {
					x.place(arg, func(l int) uint64 { return uint64(0x3ff00000_3f800000 + l*0x1234) })
				}
				x.w.Mask = m.mask
				for b.Loop() {
					x.exec(&x.w, &x.in)
				}
			})
		}
	}
}
