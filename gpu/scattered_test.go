package gpu_test

import (
	"fmt"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// scattered stores 16 bytes for each lane, far from those of the other lanes, and loads another lane's in every width.
const scattered = `.version 7.0
.target sm_70
.address_size 64
.visible .entry scattered(.param .u64 out) {
	.reg .b64 %out, %a; .reg .b32 %t, %n, %i, %w<4>, %v<11>;
	ld.param.u64 %out, [out];
	mov.u32 %t, %tid.x;
	mul.lo.u32 %i, %t, 11;
	and.b32 %i, %i, 31;
	shl.b32 %i, %i, 17;
	mad.lo.u32 %i, %t, 16, %i;
	mul.lo.u32 %w0, %t, 0x01030507;
	add.u32 %w0, %w0, 0x9182a3b4;
	not.b32 %w1, %w0;
	shl.b32 %w2, %w0, 1;
	not.b32 %w3, %w2;
	cvt.u64.u32 %a, %i;
	add.u64 %a, %a, %out;
	st.global.v4.u32 [%a], {%w0, %w1, %w2, %w3};
	bar.sync 0;
	mov.u32 %n, %ntid.x;
	add.u32 %t, %t, 7;
	rem.u32 %t, %t, %n;
	mul.lo.u32 %i, %t, 11;
	and.b32 %i, %i, 31;
	shl.b32 %i, %i, 17;
	mad.lo.u32 %i, %t, 16, %i;
	cvt.u64.u32 %a, %i;
	add.u64 %a, %a, %out;
	ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a];
	ld.global.v2.u32 {%v4, %v5}, [%a+8];
	ld.global.u32 %v6, [%a+4];
	ld.global.u16 %v7, [%a+2];
	ld.global.s16 %v8, [%a+2];
	ld.global.u8 %v9, [%a+3];
	ld.global.s8 %v10, [%a+3];
	mov.u32 %t, %tid.x;
	mul.lo.u32 %i, %t, 44;
	cvt.u64.u32 %a, %i;
	add.u64 %a, %a, %out;
	add.u64 %a, %a, 0x400000;
	st.global.u32 [%a], %v0;
	st.global.u32 [%a+4], %v1;
	st.global.u32 [%a+8], %v2;
	st.global.u32 [%a+12], %v3;
	st.global.u32 [%a+16], %v4;
	st.global.u32 [%a+20], %v5;
	st.global.u32 [%a+24], %v6;
	st.global.u32 [%a+28], %v7;
	st.global.u32 [%a+32], %v8;
	st.global.u32 [%a+36], %v9;
	st.global.u32 [%a+40], %v10;
	ret;
}
`

func TestLanesLoadFromPlacesFarApart(t *testing.T) {
	for _, v := range simd.Levels() {
		for _, threads := range []uint32{32, 27} {
			t.Run(fmt.Sprint(v, threads), func(t *testing.T) {
				l := gpu.Launch{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1}}
				got := results(t, gpu.Config{ISA: v, Workers: 1}, "scattered", scattered, l, 1<<20+32*11)[1<<20:]
				for lane := range threads {
					w := 0x9182a3b4 + (lane+7)%threads*0x01030507
					want := [11]uint32{w, ^w, w << 1, ^(w << 1), w << 1, ^(w << 1), ^w,
						w >> 16, uint32(int32(w) >> 16), w >> 24, uint32(int32(w) >> 24)}
					if [11]uint32(got[11*lane:]) != want {
						t.Errorf("lane %d: %#x, want %#x", lane, got[11*lane:11*lane+11], want)
					}
				}
			})
		}
	}
}
