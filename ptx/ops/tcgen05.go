package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

const (
	tensorTargets = "100a 100f 103a 103f 110a 110f"
	ctaGroup      = "cta_group::1|cta_group::2 "
	tensorNum     = "x1|x2|x4|x8|x16|x32|x64|x128 "
	tensorSome    = "x2|x4|x8|x16|x32|x64|x128 "
	collectA      = "{collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard} "
	collectB      = "{collector::b0::fill|collector::b0::use|collector::b0::lastuse|collector::b0::discard|collector::b1::fill|collector::b1::use|collector::b1::lastuse|collector::b1::discard|" +
		"collector::b2::fill|collector::b2::use|collector::b2::lastuse|collector::b2::discard|collector::b3::fill|collector::b3::use|collector::b3::lastuse|collector::b3::discard} "
	plainKinds  = "kind::f16|kind::tf32|kind::f8f6f4|kind::i8 "
	scaledKinds = "kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4 block_scale {scale_vec::1X|scale_vec::2X|scale_vec::4X|block16|block32} "
	fromDesc    = "[v], v:b64, v:b64, "
	fromTensor  = "[v], [v], v:b64, "
	withScales  = "v:b32, [v], [v], s"
)

// tcgen05 is PTX ISA 9.7.16, the tensor cores of sm_100 with a memory of their
// own. Where operands lie there is told by the layouts that CUTLASS publishes;
// sums are formed as the published models of MMA-Sim say. No card was asked. All
// is done at once, so that waiting is for nothing.
var tcgen05 = []isa.Op{
	{Name: "tcgen05", Mods: "alloc " + ctaGroup + "sync aligned {shared::cta}", Types: "b32", Args: "[a], b:u32", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.7.1", Bind: bindTensorAlloc},
	{Name: "tcgen05", Mods: "dealloc " + ctaGroup + "sync aligned", Types: "b32", Args: "a:b32, b:u32", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.7.1", Bind: bindTensorFree},
	{Name: "tcgen05", Mods: "relinquish_alloc_permit " + ctaGroup + "sync aligned", Unit: isa.Tensor, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.7.1", Bind: bindTensorRelinquish},
	{Name: "tcgen05", Mods: "ld sync aligned 16x64b|16x128b|16x256b|32x32b " + tensorNum + "{pack::16b}", Types: "b32", Args: "E:b32, [v]", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.8.1", Bind: bindLanesLoad, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "ld sync aligned 16x32bx2 " + tensorNum + "{pack::16b}", Types: "b32", Args: "E:b32, [v], i", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.8.1", Bind: bindLanesLoad, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "ld red sync aligned 32x32b " + tensorSome + "min|max {abs} {NaN}", Types: "f32", Args: "E:b32, d:b32, [v]", Unit: isa.Tensor, Class: isa.Variable, Since: 88, SM: 103, Only: "103a 103f", Doc: "9.7.16.8.1", Bind: bindLanesLoad, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "ld red sync aligned 16x32bx2 " + tensorSome + "min|max {abs} {NaN}", Types: "f32", Args: "E:b32, d:b32, [v], i", Unit: isa.Tensor, Class: isa.Variable, Since: 88, SM: 103, Only: "103a 103f", Doc: "9.7.16.8.1", Bind: bindLanesLoad, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "ld red sync aligned 32x32b " + tensorSome + "min|max", Types: "u32 s32", Args: "E:b32, d:b32, [v]", Unit: isa.Tensor, Class: isa.Variable, Since: 88, SM: 103, Only: "103a 103f", Doc: "9.7.16.8.1", Bind: bindLanesLoad, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "ld red sync aligned 16x32bx2 " + tensorSome + "min|max", Types: "u32 s32", Args: "E:b32, d:b32, [v], i", Unit: isa.Tensor, Class: isa.Variable, Since: 88, SM: 103, Only: "103a 103f", Doc: "9.7.16.8.1", Bind: bindLanesLoad, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "st sync aligned 16x64b|16x128b|16x256b|32x32b " + tensorNum + "{unpack::16b}", Types: "b32", Args: "[v], F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.8.2", Bind: bindLanesStore, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "st sync aligned 16x32bx2 " + tensorNum + "{unpack::16b}", Types: "b32", Args: "[v], i, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.8.2", Bind: bindLanesStore, Check: checkTensorMove},
	{Name: "tcgen05", Mods: "wait::ld|wait::st sync aligned", Unit: isa.Tensor, Fence: isa.FenceCTA, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.8.3", Bind: bindNothing},
	{Name: "tcgen05", Mods: "cp " + ctaGroup + "128x256b|4x256b|128x128b {b8x16} {b6x16_p32|b4x16_p64}", Args: "[v], v:b64", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.9.2", Bind: bindTensorCopy},
	{Name: "tcgen05", Mods: "cp " + ctaGroup + "64x128b warpx2::02_13|warpx2::01_23 {b8x16} {b6x16_p32|b4x16_p64}", Args: "[v], v:b64", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.9.2", Bind: bindTensorCopy},
	{Name: "tcgen05", Mods: "cp " + ctaGroup + "32x128b warpx4 {b8x16} {b6x16_p32|b4x16_p64}", Args: "[v], v:b64", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.9.2", Bind: bindTensorCopy},
	{Name: "tcgen05", Mods: "shift " + ctaGroup + "down", Args: "[v]", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: "100a 103a 110a", Doc: "9.7.16.9.3", Bind: bindTensorShift},
	{Name: "tcgen05", Mods: "fence::before_thread_sync|fence::after_thread_sync", Unit: isa.Tensor, Fence: isa.FenceCTA, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.11", Bind: bindNothing},
	{Name: "tcgen05", Mods: "commit " + ctaGroup + "mbarrier::arrive::one {shared::cluster}", Types: "b64", Args: "[a]", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.12.1", Bind: bindTensorCommit},
	{Name: "tcgen05", Mods: "commit " + ctaGroup + "mbarrier::arrive::one {shared::cluster} multicast::cluster", Types: "b64", Args: "[a], b:b16", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.12.1", Bind: bindTensorCommitMany},

	{Name: "tcgen05", Mods: "mma " + ctaGroup + plainKinds + collectA, Args: fromDesc + "v:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.1", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma " + ctaGroup + plainKinds + collectA, Args: fromDesc + "v:b32, F:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.1", Bind: bindTensorMma, Check: checkLaneMask},
	{Name: "tcgen05", Mods: "mma " + ctaGroup + plainKinds + "{ashift} " + collectA, Args: fromTensor + "v:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.1", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma " + ctaGroup + plainKinds + "{ashift} " + collectA, Args: fromTensor + "v:b32, F:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.1", Bind: bindTensorMma, Check: checkLaneMask},
	{Name: "tcgen05", Mods: "mma sp " + ctaGroup + plainKinds + collectA, Args: fromDesc + "[v], v:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.2", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma sp " + ctaGroup + plainKinds + collectA, Args: fromDesc + "[v], v:b32, F:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.2", Bind: bindTensorMma, Check: checkLaneMask},
	{Name: "tcgen05", Mods: "mma sp " + ctaGroup + plainKinds + "{ashift} " + collectA, Args: fromTensor + "[v], v:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.2", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma sp " + ctaGroup + plainKinds + "{ashift} " + collectA, Args: fromTensor + "[v], v:b32, F:b32, s, k?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.2", Bind: bindTensorMma, Check: checkLaneMask},
	{Name: "tcgen05", Mods: "mma " + ctaGroup + scaledKinds + collectA, Args: fromDesc + withScales, Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.1", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma " + ctaGroup + scaledKinds + collectA, Args: fromTensor + withScales, Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.1", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma sp " + ctaGroup + scaledKinds + collectA, Args: fromDesc + "[v], " + withScales, Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.2", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma sp " + ctaGroup + scaledKinds + collectA, Args: fromTensor + "[v], " + withScales, Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.2", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma ws cta_group::1 " + plainKinds + collectB, Args: fromDesc + "v:b32, s, v:b64?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.3", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma ws cta_group::1 " + plainKinds + collectB, Args: fromTensor + "v:b32, s, v:b64?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.3", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma ws sp cta_group::1 " + plainKinds + collectB, Args: fromDesc + "[v], v:b32, s, v:b64?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.4", Bind: bindTensorMma},
	{Name: "tcgen05", Mods: "mma ws sp cta_group::1 " + plainKinds + collectB, Args: fromTensor + "[v], v:b32, s, v:b64?", Unit: isa.Tensor, Class: isa.Variable, Since: 86, SM: 100, Only: tensorTargets, Doc: "9.7.16.10.9.4", Bind: bindTensorMma},
}
