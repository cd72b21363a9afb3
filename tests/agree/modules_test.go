package agree

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// modules are texts after the module's head (PTX 8.5, sm_90), each preceded by
// what ptxas 13.0 says to it: + or -. With -ptxas that is asked again.
const modules = `
- .entry f (.param .b8 x[]) { ret; }
+ .func f (.param .b8 x[]) { ret; }
- .func f (.param .b8 x[], .param .u32 y) { ret; }
+ .func f (.param .b8 x) { ret; }
- .entry f (.param .b8 x[0]) { ret; }
- .entry f (.reg .b32 x) { ret; }
- .entry f (.param .pred x) { ret; }
+ .entry f (.param .b128 x) { ret; }
- .entry f (.param .v2 .u32 x) { ret; }
- .func f (.param .v2 .u32 x) { ret; }
+ .func f (.reg .v2 .u32 x) { ret; }
- .func (.param .b32 x, .param .b32 y) f () { ret; }
- .entry f () .noreturn { ret; }
+ .func f () .noreturn { ret; }
- .func (.param .b32 x) f () .noreturn { ret; }
- .func f () .maxntid 3 { ret; }
- .func f () .maxnreg 32 { ret; }
+ .entry f () .maxntid 3 .maxntid 4 { ret; }
- .entry f () .maxntid 3,4,5,6 { ret; }
+ .entry f () .minnctapersm 1 { ret; }
- .entry f () .maxntid 32 .reqntid 32 { ret; }
+ .entry f () .reqntid 32 .minnctapersm 2 { ret; }
- .entry f () .maxntid 0 { ret; }
+ .entry f () .reqntid 2000 { ret; }
+ .entry f () .maxntid 2000 { ret; }
+ .entry f () .maxnreg 32 .maxntid 32 { ret; }
+ .entry f () .maxnreg 32 .minnctapersm 1 { ret; }
- .entry f (.param .u32 a, .param .u32 a) { ret; }
+ .func f (.param .u32 a, .param .u32 a);
+ .entry f (.param .texref a, .param .u32 b) { ret; }
- .func f (.param .texref a) { ret; }
- .entry f (.param .align 3 .b8 a[4]) { ret; }
+ .entry f (.param .align 256 .b8 a[4]) { ret; }
+ .entry f (.param .align 1 .b32 a) { ret; }
- .alias a, b; .func b() {ret;}
- .func a(); .alias a, b; .func b() {ret;}
+ .func a(); .func b() {ret;} .alias a, b;
- .visible .func a(); .weak .func b() {ret;} .alias a, b;
- .visible .func a(.param .u32 x); .visible .func b() {ret;} .alias a, b;
- .visible .func a() {ret;} .visible .func b() {ret;} .alias a, b;
- .local .u32 x; .entry f () { ret; }
- .param .u32 x; .entry f () { ret; }
- .reg .u32 x; .entry f () { ret; }
+ .shared .u32 x; .entry f () { ret; }
- .shared .u32 x = 3; .entry f () { ret; }
+ .global .u32 x = 3; .entry f () { ret; }
- .extern .global .u32 x = 3; .entry f () { ret; }
+ .extern .global .u32 x; .entry f () { ret; }
- .extern .const .u32 x = 3; .entry f () { ret; }
- .const .u32 x[]; .entry f () { ret; }
- .global .u32 x[]; .entry f () { ret; }
+ .extern .global .u32 x[]; .entry f () { ret; }
+ .extern .shared .u32 x[]; .entry f () { ret; }
- .shared .u32 x[]; .entry f () { ret; }
- .global .u32 x, x; .entry f () { ret; }
- .global .u32 x; .global .u32 x; .entry f () { ret; }
- .extern .global .u32 x; .global .u32 x; .entry f () { ret; }
- .extern .global .u32 x; .global .u64 x; .entry f () { ret; }
- .global .u32 f; .entry f () { ret; }
- .entry f () { ret; } .entry f () { ret; }
+ .entry f (); .entry f () { ret; }
- .entry f (.param .u32 a); .entry f () { ret; }
- .func f (.param .u32 a); .func f (.param .u64 a) { ret; }
+ .func f (.param .u32 a); .func f (.param .u32 b) { ret; }
- .func f (); .entry f () { ret; }
- .extern .func f () { ret; }
+ .weak .func f () { ret; }
- .visible .weak .func f () { ret; }
- .global .pred x; .entry f () { ret; }
- .global .u32 x = 3.0; .entry f () { ret; }
+ .global .f32 x = 3.0; .entry f () { ret; }
- .global .f32 x = 3; .entry f () { ret; }
+ .global .u8 x = 300; .entry f () { ret; }
- .global .u32 x[2] = {1, 2, 3}; .entry f () { ret; }
+ .global .u32 x[2] = {1}; .entry f () { ret; }
- .global .u32 x[2] = 1; .entry f () { ret; }
- .global .u32 x = {1}; .entry f () { ret; }
+ .global .u32 x[2][2] = {{1, 2}, {3, 4}}; .entry f () { ret; }
- .global .u32 x[2][2] = {{1, 2, 3}, {4}}; .entry f () { ret; }
- .global .u32 x[2][2] = {1, 2, 3, 4}; .entry f () { ret; }
- .global .u32 x[0]; .entry f () { ret; }
- .global .u32 x[-1]; .entry f () { ret; }
- .global .u32 x[2*3]; .entry f () { ret; }
- .global .u64 x = f; .entry f () { ret; }
+ .global .u32 y; .global .u64 x = y+4; .entry f () { ret; }
- .global .u32 y; .global .u16 x = y; .entry f () { ret; }
- .global .u64 x = z; .entry f () { ret; }
+ .global .u32 y; .global .u64 x = generic(y); .entry f () { ret; }
+ .global .align 16 .v4 .f32 x; .entry f () { ret; }
- .global .v4 .f64 x; .entry f () { ret; }
- .global .v3 .f32 x; .entry f () { ret; }
- .global .align 0 .u32 x; .entry f () { ret; }
- .global .align 6 .u32 x; .entry f () { ret; }
+ .global .align 1 .u32 x; .entry f () { ret; }
- .const .b8 x[70000]; .entry f () { ret; }
+ .common .global .u32 x; .entry f () { ret; }
+ .common .global .u32 x = 3; .entry f () { ret; }
- .common .shared .u32 x; .entry f () { ret; }
+ .weak .global .u32 x = 3; .entry f () { ret; }
+ .global .attribute(.managed) .u32 x; .entry f () { ret; }
- .const .attribute(.managed) .u32 x; .entry f () { ret; }
- .shared .attribute(.managed) .u32 x; .entry f () { ret; }
+ .global .texref t; .entry f () { ret; }
- .const .texref t; .entry f () { ret; }
+ .global .texref t[2]; .entry f () { ret; }
+ .file 1 "a.cu" .entry f () { ret; }
+ .pragma "nounroll"; .entry f () { ret; }
- .func f () { ret; } .func f (); .entry k () { ret; }
- .visible .entry f () { ret; } .visible .entry f ();
- .func f () .noreturn; .func f () { ret; } .entry k () { ret; }
- .func f (); .func f () .noreturn { ret; } .entry k () { ret; }
- .func f (.param .u64 .ptr a) { ret; } .entry k () { ret; }
+ .entry f (.param .u64 .ptr a) { ret; }
+ .global .u32 x = 1; .extern .global .u32 x; .entry f () { ret; }
+ .const .u32 x; .extern .const .u32 x; .entry f () { ret; }
- .entry a (); .entry b () { ret; } .alias a, b;
- .func a (); .extern .func b (); .alias a, b; .entry k () { ret; }
- .func a () .noreturn; .func b () { ret; } .alias a, b; .entry k () { ret; }
- .func a (); .func b () .noreturn { ret; } .alias a, b; .entry k () { ret; }
- .pragma nounroll; .entry f () { ret; }
- .entry 3f () { ret; }
- .entry f () { ret }
- .entry f () { ret; 
- .entry f { ret; } }
+ .entry f { ret; }
- .entry f () { L: L: ret; }
- .entry f () { bra M; ret; }
- .entry f () { { L: ret; } bra L; }
+ .entry f () { { L: ret; } L: bra L; }
- .entry f () { .reg .u32 a; .reg .u32 a; ret; }
+ .entry f () { .reg .u32 a; { .reg .u64 a; } ret; }
- .entry f () { .reg .u32 %r<4>; mov.u32 %r4, 1; ret; }
- .entry f () { .reg .u32 %r<4>; .reg .u32 %r2; ret; }
+ .entry f () { .reg .u32 %r<4>; mov.u32 %r03, 1; ret; }
+ .entry f () { .reg .u32 %r<0>; ret; }
- .entry f () { mov.u32 q, 1; ret; }
- .entry f () { .reg .u32 tid; mov.u32 tid, %tid; ret; }
- .entry f () { .reg .u32 a; mov.u32 a, %tid.q; ret; }
- .entry f () { .reg .u32 a; mov.u32 a, %nosuch; ret; }
- .entry f () { .reg .u32 a; @a ret; }
- .entry f () { .reg .u32 a; @%p ret; }
+ .entry f () { .reg .pred p; @!p ret; ret; }
- .entry f () { .reg .pred p; !p ret; }
- .entry f () { .reg .pred p; .reg .u32 a; add.u32 a, p, 1; ret; }
- .entry f () { .reg .pred p; .reg .u32 a; add.u32 p, a, 1; ret; }
- .entry f () { .shared .u32 a = 3; ret; }
+ .entry f () { .global .u32 a = 3; ret; }
+ .entry f () { .const .u32 a = 3; ret; }
- .entry f () { .local .u32 a = 3; ret; }
- .entry f () { .local .u32 a[]; ret; }
+ .entry f () { .local .align 8 .b8 a[100]; ret; }
- .entry f () { .extern .shared .u32 a[]; ret; }
- .func g () { ret; } .entry f () { call h; ret; }
+ .func g () { ret; } .entry f () { call g; ret; }
+ .func g () { ret; } .entry f () { call g, (); ret; }
- .func g () { ret; } .entry f () { .reg .u32 a; call (a), g; ret; }
- .func g (.param .u32 x) { ret; } .entry f () { call g; ret; }
- .func g (.param .u32 x) { ret; } .entry f () { .param .u64 y; call g, (y); ret; }
+ .func g (.param .u32 x) { ret; } .entry f () { .param .b32 y; call g, (y); ret; }
- .func g (.param .align 8 .b8 x[8]) { ret; } .entry f () { .param .b64 y; call g, (y); ret; }
- .func g (.param .align 8 .b8 x[8]) { ret; } .entry f () { .param .align 4 .b8 y[8]; call g, (y); ret; }
- .func g (.param .align 8 .b8 x[8]) { ret; } .entry f () { .param .align 8 .b8 y[16]; call g, (y); ret; }
- .entry g () { ret; } .entry f () { call g; ret; }
- .entry f () { .reg .u64 a; call a; ret; }
+ .func g () { ret; } .entry f () { .reg .u64 a; mov.u64 a, g; p: .callprototype () _ (); call a, (), p; ret; }
+ .func g () { ret; } .entry f () { .reg .u64 a; mov.u64 a, g; p: .calltargets g; call a, (), p; ret; }
- .entry f () { .reg .u32 a; p: .branchtargets L; brx.idx a, q; L: ret; }
- .entry f () { .reg .u32 a; p: .branchtargets L, M; brx.idx a, p; L: ret; }
+ .entry f () { .reg .u32 a; p: .branchtargets L; brx.idx a, p; L: ret; }
- .func f (.param .u32 a); .func f (.param .f32 a) { ret; }
- .func f (.param .u32 a); .func f (.param .b32 a) { ret; }
- .func f (.param .b8 a[4]); .func f (.param .b32 a) { ret; }
- .func f (.param .b8 a[4]); .func f (.param .align 4 .b8 a[4]) { ret; }
- .func f (.reg .u32 a); .func f (.param .u32 a) { ret; }
- .func (.param .u32 r) f (); .func f () { ret; }
- .func f (.param .u32 a) { ret; } .entry k () { .param .f32 y; call f, (y); ret; }
+ .func f (.param .u32 a) { ret; } .entry k () { .param .s32 y; call f, (y); ret; }
- .func f (.param .u32 a) { ret; } .entry k () { .param .b8 y[4]; call f, (y); ret; }
- .func f (.param .u32 a) { ret; } .entry k () { .reg .f32 y; call f, (y); ret; }
- .func f (.param .u32 a) { ret; } .entry k () { .reg .u64 y; call f, (y); ret; }
+ .func f (.param .u32 a) { ret; } .entry k () { .reg .b32 y; call f, (y); ret; }
+ .func f (.param .f32 a) { ret; } .entry k () { .reg .b32 y; call f, (y); ret; }
+ .func f (.param .f32 a) { ret; } .entry k () { call f, (3.0); ret; }
- .func f (.param .f32 a) { ret; } .entry k () { call f, (3); ret; }
- .func f (.param .u32 a) { ret; } .entry k () { call f, (3.0); ret; }
- .func f (.param .u32 a, .param .u32 b) { ret; } .entry k () { call f, (3); ret; }
- .func f () { ret; } .entry k () { call f, (3); ret; }
- .func (.param .u32 r) f () { ret; } .entry k () { call f; ret; }
- .func (.param .u32 r) f () { ret; } .entry k () { .reg .f32 x; call (x), f; ret; }
- .func (.param .u32 r) f () { ret; } .entry k () { .param .u64 x; call (x), f; ret; }
+ .func (.param .u32 r) f () { ret; } .entry k () { call (_), f, (); ret; }
- .func f (.param .u32 a) { ret; } .entry k () { call f, (_); ret; }
- .func f (.param .b64 a) { ret; } .global .u32 v; .entry k () { call f, (v); ret; }
- .func f (.param .b32 a) { ret; } .entry k () { .local .b32 v; call f, (v); ret; }
- .func f (.param .align 8 .b8 a[8]) { ret; } .entry k () { .param .align 16 .b8 x[8]; call f, (x); ret; }
+ .func f (.param .align 8 .b8 a[8]) { ret; } .entry k () { .param .align 8 .b16 x[4]; call f, (x); ret; }
+ .func f (.param .align 8 .b64 a) { ret; } .entry k () { .param .align 4 .b64 x; call f, (x); ret; }
- .func f (.param .b64 a) { ret; } .entry k () { .param .b64 x[1]; call f, (x); ret; }
+ .func f (.param .b8 a[]) { ret; } .entry k () { .param .b8 x[9]; call f, (x); ret; }
+ .func f (.param .u32 c, .param .b8 a[]) { ret; } .entry k () { .param .u32 x; call f, (x); ret; }
- .func f (.param .u32 c, .param .b8 a[]) { ret; } .entry k () { .param .u32 x, y; call f, (x, y); ret; }
- .entry k () { .reg .u64 a; p: .callprototype () _ (.param .u32 q); .param .u64 x; call a, (x), p; ret; }
- .entry k () { .reg .u64 a; p: .callprototype () _ (.param .u32 q); call a, (), p; ret; }
+ .entry k () { .reg .u64 a; p: .callprototype () _ (.param .u32 q); .param .u32 x; call a, (x), p; ret; }
+ .entry k () { .reg .u32 a; p: .callprototype () _ (); call a, (), p; ret; }
- .entry k () { .reg .f64 a; p: .callprototype () _ (); call a, (), p; ret; }
- .entry k () { .reg .b64 a; p: .callprototype () _ (); call a, (), q; ret; }
+ .entry k () { .reg .b64 a; p: .callprototype () _ (); call a, p; ret; }
+ .entry k () { .reg .b64 a; p: .callprototype _ (); call a, (), p; ret; }
- .entry f () .maxnreg 0 { ret; }
- .entry f () .reqntid 0 { ret; }
- .entry f () .minnctapersm 0 { ret; }
- .entry f () .maxntid -1 { ret; }
+ .entry f () .explicitcluster { ret; }
+ .entry f () .reqnctapercluster 2 { ret; }
- .entry f () .reqnctapercluster 2 .maxclusterrank 4 { ret; }
+ .entry f () .reqnctapercluster 0 { ret; }
+ .entry f () .maxclusterrank 0 { ret; }
- .entry f () .maxnctapersm 4 .maxntid 32 { ret; }
+ .entry f () .reqntid 32 .reqntid 64 { ret; }
+ .extern .global .u32 x; .visible .global .u32 x; .entry f () { ret; }
- .extern .global .u32 x; .extern .global .u64 x; .entry f () { ret; }
- .extern .global .u32 x; .visible .global .u64 x; .entry f () { ret; }
+ .extern .global .u32 x; .visible .const .u32 x; .entry f () { ret; }
+ .extern .global .u32 x[]; .visible .global .u32 x[4]; .entry f () { ret; }
+ .visible .global .u32 x; .extern .global .u32 x; .entry f () { ret; }
- .weak .global .u32 x; .weak .global .u32 x; .entry f () { ret; }
- .weak .global .u32 x; .visible .global .u32 x; .entry f () { ret; }
+ .extern .global .u32 x; .weak .global .u32 x; .entry f () { ret; }
- .extern .func f (); .func f () { ret; } .entry k () { ret; }
- .extern .func f (); .visible .func f () { ret; } .entry k () { ret; }
+ .visible .func f (); .func f () { ret; } .entry k () { ret; }
- .func f (); .visible .func f () { ret; } .entry k () { ret; }
- .weak .func f (); .visible .func f () { ret; } .entry k () { ret; }
- .weak .func f () { ret; } .weak .func f () { ret; }
+ .weak .entry f () { ret; }
- .common .entry f () { ret; }
+ .extern .entry f ();
- .extern .entry f () { ret; }
+ .const .b8 x[65536]; .entry f () { ret; }
- .const .b8 x[65537]; .entry f () { ret; }
- .const .b8 x[40000]; .const .b8 y[40000]; .entry f () { ret; }
+ .shared .b8 x[50000]; .entry f () { ret; }
+ .extern .const .b8 x[70000]; .entry f () { ret; }
- .shared .texref t; .entry f () { ret; }
+ .global .surfref t; .entry f () { ret; }
- .tex .u64 t; .entry f () { ret; }
- .common .const .u32 x; .entry f () { ret; }
- .common .global .u32 x[]; .entry f () { ret; }
+ .visible .shared .u32 x; .entry f () { ret; }
+ .extern .shared .u32 x; .entry f () { ret; }
- .extern .local .u32 x; .entry f () { ret; }
+ .global .u32 %x; .entry f () { ret; }
+ .global .u32 $x; .entry f () { ret; }
- .global .u32 _; .entry f () { ret; }
+ .global .u32 tid; .entry f () { ret; }
- .global .u32 WARP_SZ; .entry f () { ret; }
- .entry f () { .reg .u32 WARP_SZ; ret; }
+ .entry f () { .reg .u32 %tid; ret; }
- .entry f () { .reg .u32 x = 3; ret; }
- .entry f () { .param .u32 x = 3; ret; }
- .entry f () { .param .v2 .u32 x; ret; }
- .entry f () { .param .b8 x[]; ret; }
+ .entry f () { .shared .align 8 .u32 x[4], y; ret; }
+ .entry f (.param .u64 .ptr .texref a) { ret; }
- .func (.param .b32 r) f () { ret; } .entry k () { .reg .pred p; .reg .b32 a; { .param .b32 x; call (x), f, (); @p ld.param.b32 a, [x]; } ret; }
+ .func (.param .b32 r) f () { ret; } .entry k () { .reg .pred p; .reg .b32 a; { .param .b32 x; call (x), f, (); ld.param.b32 a, [x]; } ret; }
+ .func (.param .b32 r) f () { ret; } .entry k () { .reg .pred p; .reg .b32 a; { .param .b32 x; @p call (x), f, (); ld.param.b32 a, [x]; } ret; }
- .func (.param .b32 r) f () { ret; } .entry k () { .reg .pred p; .reg .b32 a; { .param .b32 x; @p call (x), f, (); @p ld.param.b32 a, [x]; } ret; }
- .func f (.param .b32 q) { ret; } .entry k () { .reg .pred p; .reg .b32 a; { .param .b32 x; @p st.param.b32 [x], a; call f, (x); } ret; }
+ .func f (.param .b32 q) { ret; } .entry k () { .reg .pred p; .reg .b32 a; { .param .b32 x; st.param.b32 [x], a; add.u32 a, a, 1; call f, (x); } ret; }
+ .func f (.param .b32 q) { .reg .pred p; .reg .b32 a; @p ld.param.b32 a, [q]; ret; } .entry k () { ret; }
+ .entry k (.param .b32 q) { .reg .pred p; .reg .b32 a; @p ld.param.b32 a, [q]; ret; }
+ .func (.param .b32 r) f () { .reg .pred p; .reg .b32 a; @p st.param.b32 [r], a; ret; } .entry k () { ret; }
- .func (.param .b32 r) f () { .reg .b32 a; ld.param.b32 a, [r]; ret; } .entry k () { ret; }
- .func f (.param .b32 q) { .reg .b32 a; st.param.b32 [q], a; ret; } .entry k () { ret; }
+ .entry k () { .reg .b32 a; { .param .b32 x; st.param.b32 [x], a; } ret; }
+ .func f (.param .align 4 .b8 q[8]) { .reg .b64 d; .reg .b32 a; mov.b64 d, q; ld.param.b32 a, [d]; ret; } .entry k () { ret; }
- .entry f () { .reg .u32 a; mov.u32 a, 0f3F800000; ret; }
+ .entry f () { .reg .b32 a; mov.b32 a, 0f3F800000; ret; }
- .entry f () { .reg .b32 a; mov.b32 a, 1.0; ret; }
+ .entry f () { .reg .b64 a; mov.b64 a, 1.0; ret; }
- .entry f () { .reg .s64 a; mov.s64 a, 0d3FF0000000000000; ret; }
- .entry f () { .reg .b32 a; add.u32 a, a, 0f3F800000; ret; }
+ .entry f () { .reg .b32 a; and.b32 a, a, 0f3F800000; ret; }
- .entry f () { .reg .b32 a; add.f16x2 a, a, 0f3F800000; ret; }
- .entry f () { .reg .b32 a; .reg .pred p; selp.u32 a, a, 0f3F800000, p; ret; }
+ .entry f () { .reg .b32 a; .reg .pred p; selp.b32 a, a, 0f3F800000, p; ret; }
- .entry f () { .reg .b32 a; cvt.rn.f32.u32 a, 0f3F800000; ret; }
- .entry f () { .param .u32 a; st.param.u32 [a], 0f3F800000; ret; }
- .entry f () { .reg .b32 a; mad.lo.s32 a, a, a, 2.0; ret; }
+ .entry f () { .reg .b64 a; add.f64 a, a, 0f3F800000; ret; }
+ .entry f () { .reg .b32 a; add.f32 a, a, 0d3FF0000000000000; ret; }
`

func TestModulesAreJudgedAsPtxasJudgesThem(t *testing.T) {
	var o *oracle
	if *ptxas != "" {
		var err error
		if o, err = newOracle(*ptxas, ""); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(modules) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		accepted, text := line[0] == '+', ".version 8.5\n.target sm_90\n.address_size 64\n"+line[2:]+"\n"
		if o != nil {
			why, err := o.refuses(text)
			if err != nil {
				t.Fatal(err)
			}
			if (why == "") != accepted {
				t.Errorf("ptxas does not agree: %s\n\t%s", line, lines(why))
			}
			accepted = why == ""
		}
		switch err := solo.Check("t.ptx", text, ops.Target{}); {
		case accepted && err != nil:
			t.Errorf("refused: %s\n\t%s", line, lines(err.Error()))
		case !accepted && err == nil:
			t.Errorf("accepted: %s", line)
		}
	}
}
