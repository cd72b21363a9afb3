package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

const (
	smallShapes = "m16n16k16|m8n32k16|m32n8k16"
	inMemory    = "{global|shared|shared::cta}"
)

// matrixTargets have matrices of eight-bit elements in ldmatrix and stmatrix.
const matrixTargets = "100a 100f 103a 103f 110a 110f 120a 120f 121a 121f"

// matrix is PTX ISA 9.7.14, warp-level matrix instructions. They are executed
// by a whole warp, which the manual demands. Where it leaves the layout of wmma
// fragments open, they have that of the mma shapes they are made of.
var matrix = []isa.Op{
	{Name: "wmma", Mods: "load a|b sync {aligned} row|col " + smallShapes + " " + inMemory, Types: "f16 bf16 u8 s8", Args: "E:b32, [a], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 60, SM: 70, Doc: "9.7.14.4.3", Bind: bindWmmaLoad, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b sync {aligned} row|col " + smallShapes + " " + inMemory, Types: "f16 bf16 u8 s8", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 60, SM: 70, Doc: "9.7.14.4.3", Bind: bindWmmaLoadDense, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b sync aligned row|col m16n16k8 " + inMemory, Types: "tf32", Args: "E:b32, [a], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.3", Bind: bindWmmaLoad, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b sync aligned row|col m16n16k8 " + inMemory, Types: "tf32", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.3", Bind: bindWmmaLoadDense, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b|c sync aligned row|col m8n8k4 " + inMemory, Types: "f64", Args: "E:b64, [a], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.3", Bind: bindWmmaLoad, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b|c sync aligned row|col m8n8k4 " + inMemory, Types: "f64", Args: "E:b64, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.3", Bind: bindWmmaLoadDense, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b sync aligned row|col m8n8k32 " + inMemory, Types: "u4 s4", Args: "E:b32, [a], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 63, SM: 75, Doc: "9.7.14.4.3", Bind: bindWmmaLoad, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b sync aligned row|col m8n8k32 " + inMemory, Types: "u4 s4", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 63, SM: 75, Doc: "9.7.14.4.3", Bind: bindWmmaLoadDense, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b sync aligned row|col m8n8k128 " + inMemory, Types: "b1", Args: "E:b32, [a], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 63, SM: 75, Doc: "9.7.14.4.3", Bind: bindWmmaLoad, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load a|b sync aligned row|col m8n8k128 " + inMemory, Types: "b1", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 63, SM: 75, Doc: "9.7.14.4.3", Bind: bindWmmaLoadDense, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load c sync {aligned} row|col " + smallShapes + "|m16n16k8|m8n8k32|m8n8k128 " + inMemory, Types: "f16 f32 s32", Args: "E:b32, [a], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 60, SM: 70, Doc: "9.7.14.4.3", Bind: bindWmmaLoad, Check: checkWmmaMove},
	{Name: "wmma", Mods: "load c sync {aligned} row|col " + smallShapes + "|m16n16k8|m8n8k32|m8n8k128 " + inMemory, Types: "f16 f32 s32", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 60, SM: 70, Doc: "9.7.14.4.3", Bind: bindWmmaLoadDense, Check: checkWmmaMove},
	{Name: "wmma", Mods: "store d sync {aligned} row|col " + smallShapes + "|m16n16k8|m8n8k32|m8n8k128 " + inMemory, Types: "f16 f32 s32", Args: "[a], F:b32, c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 60, SM: 70, Doc: "9.7.14.4.4", Bind: bindWmmaStore, Check: checkWmmaMove},
	{Name: "wmma", Mods: "store d sync {aligned} row|col " + smallShapes + "|m16n16k8|m8n8k32|m8n8k128 " + inMemory, Types: "f16 f32 s32", Args: "[a], F:b32", Unit: isa.LSU, Class: isa.Variable, Since: 60, SM: 70, Doc: "9.7.14.4.4", Bind: bindWmmaStoreDense, Check: checkWmmaMove},
	{Name: "wmma", Mods: "store d sync aligned row|col m8n8k4 " + inMemory, Types: "f64", Args: "[a], F:b64, c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.4", Bind: bindWmmaStore, Check: checkWmmaMove},
	{Name: "wmma", Mods: "store d sync aligned row|col m8n8k4 " + inMemory, Types: "f64", Args: "[a], F:b64", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.4", Bind: bindWmmaStoreDense, Check: checkWmmaMove},

	{Name: "wmma", Mods: "mma sync {aligned} row|col row|col " + smallShapes + " {satfinite}", Types: "f16 f32 / f16 f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 60, SM: 70, Doc: "9.7.14.4.5", Bind: bindWmmaHalf, Check: checkMma},
	{Name: "wmma", Mods: "mma sync aligned row|col row|col " + smallShapes, Types: "f32 / bf16 / bf16 / f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.5", Bind: bindMmaFloat, Check: checkMma},
	{Name: "wmma", Mods: "mma sync aligned row|col row|col m16n16k8", Types: "f32 / tf32 / tf32 / f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.5", Bind: bindMmaFloat, Check: checkMma},
	{Name: "wmma", Mods: "mma sync aligned row|col row|col m8n8k4 {rnd}", Types: "f64 / f64 / f64 / f64", Args: "E:b64, F:b64, F:b64, F:b64", Unit: isa.Tensor, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.4.5", Bind: bindMmaDouble, Check: checkMma},
	{Name: "wmma", Mods: "mma sync aligned row|col row|col " + smallShapes + " {satfinite}", Types: "s32 / u8 s8 / u8 s8 / s32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 63, SM: 72, Doc: "9.7.14.4.5", Bind: bindMmaInteger, Check: checkMma},
	{Name: "wmma", Mods: "mma sync aligned row col m8n8k32 {satfinite}", Types: "s32 / u4 s4 / u4 s4 / s32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 63, SM: 75, Doc: "9.7.14.4.5", Bind: bindMmaInteger, Check: checkMma},
	{Name: "wmma", Mods: "mma xor|and popc sync aligned row col m8n8k128", Types: "s32 / b1 / b1 / s32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 63, SM: 75, Doc: "9.7.14.4.5", Bind: bindMmaBits, Check: checkMma},

	{Name: "mma", Mods: "sync aligned m8n8k4 row|col row|col", Types: "f16 f32 / f16 / f16 / f16 f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 64, SM: 70, Doc: "9.7.14.5.14", Bind: bindMmaQuads, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m16n8k8|m16n8k16 row col", Types: "f16 f32 / f16 / f16 / f16 f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 65, SM: 75, Doc: "9.7.14.5.14", Bind: bindMmaFloat, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m16n8k8|m16n8k16 row col", Types: "f32 / bf16 / bf16 / f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.5.14", Bind: bindMmaFloat, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m16n8k4|m16n8k8 row col", Types: "f32 / tf32 / tf32 / f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.5.14", Bind: bindMmaFloat, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m16n8k32 row col", Types: "f32 / e4m3 e5m2 / e4m3 e5m2 / f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 84, SM: 89, Doc: "9.7.14.5.14", Bind: bindMmaFloat, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m16n8k16 row col", Types: "f32 / e4m3 e5m2 / e4m3 e5m2 / f32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 89, Doc: "9.7.14.5.14", Bind: bindMmaFloat, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m16n8k16|m16n8k32 row col", Types: "f16 / e4m3 e5m2 / e4m3 e5m2 / f16", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 89, Doc: "9.7.14.5.14", Bind: bindMmaFloat, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col {rnd}", Types: "f64 / f64 / f64 / f64", Args: "E:b64, F:b64, F:b64, F:b64", Unit: isa.Tensor, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.14.5.14", Bind: bindMmaDouble, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m8n8k16|m16n8k16|m16n8k32 row col {satfinite}", Types: "s32 / u8 s8 / u8 s8 / s32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 65, SM: 75, Doc: "9.7.14.5.14", Bind: bindMmaInteger, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m8n8k32|m16n8k32|m16n8k64 row col {satfinite}", Types: "s32 / u4 s4 / u4 s4 / s32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 65, SM: 75, Doc: "9.7.14.5.14", Bind: bindMmaInteger, Check: checkMma},
	{Name: "mma", Mods: "sync aligned m8n8k128|m16n8k128|m16n8k256 row col xor|and popc", Types: "s32 / b1 / b1 / s32", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 70, SM: 75, Doc: "9.7.14.5.14", Bind: bindMmaBits, Check: checkMma},

	{Name: "ldmatrix", Mods: "sync aligned m8n8 x1|x2|x4 {trans} {shared|shared::cta}", Types: "b16", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 65, SM: 75, Doc: "9.7.14.5.15", Bind: bindLdmatrix, Check: checkMatrixMove},
	{Name: "stmatrix", Mods: "sync aligned m8n8 x1|x2|x4 {trans} {shared|shared::cta}", Types: "b16", Args: "[a], F:b32", Unit: isa.LSU, Class: isa.Variable, Since: 78, SM: 90, Doc: "9.7.14.5.16", Bind: bindStmatrix, Check: checkMatrixMove},
	{Name: "ldmatrix", Mods: "sync aligned m16n16 x1|x2 trans {shared|shared::cta}", Types: "b8", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 100, Only: matrixTargets, Doc: "9.7.14.5.15", Bind: bindLdmatrixBytes, Check: checkMatrixMove},
	{Name: "ldmatrix", Mods: "sync aligned m16n16 x1|x2 trans {shared|shared::cta} b8x16 b6x16_p32|b4x16_p64", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 100, Only: matrixTargets, Doc: "9.7.14.5.15", Bind: bindLdmatrixBytes, Check: checkMatrixMove},
	{Name: "ldmatrix", Mods: "sync aligned m8n16 x1|x2|x4 {shared|shared::cta} b8x16 b6x16_p32|b4x16_p64", Args: "E:b32, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 100, Only: matrixTargets, Doc: "9.7.14.5.15", Bind: bindLdmatrixBytes, Check: checkMatrixMove},
	{Name: "stmatrix", Mods: "sync aligned m16n8 x1|x2|x4 trans {shared|shared::cta}", Types: "b8", Args: "[a], F:b32", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 100, Only: matrixTargets, Doc: "9.7.14.5.16", Bind: bindStmatrixBytes, Check: checkMatrixMove},
	{Name: "movmatrix", Mods: "sync aligned m8n8 trans", Types: "b16", Args: "d:b32, a:b32", Class: isa.Variable, Since: 78, SM: 75, Doc: "9.7.14.5.17", Bind: bindMovmatrix},
}

const wrongRegisters = "matrix operands have the wrong number of registers"

// lacking raises a trap when an operand list does not have n registers.
func lacking(w *isa.Warp, in *isa.Inst, n int) bool {
	if len(in.Vec) == n {
		return false
	}
	w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: w.Mask.First(), Note: wrongRegisters})
	return true
}

// checkMatrixMove counts the registers of ldmatrix and stmatrix.
func checkMatrixMove(f *isa.Form, in *isa.Inst) string {
	n := matrices(f)
	if f.Has("m16n16") {
		n *= 2
	}
	if len(in.Vec) != n {
		return wrongRegisters
	}
	return ""
}

// small is an 8x8 matrix of 16-bit elements.
type small [8][8]uint16

// matrices is the number of 8x8 matrices that a form moves.
func matrices(f *isa.Form) int {
	return map[string]int{"x1": 1, "x2": 2, "x4": 4}[f.Any("x1", "x2", "x4")]
}

// smallRow is the size of a row of one in bytes.
const smallRow = 16

// spread gives each lane its two elements of a matrix: row l/4, columns
// 2(l mod 4) and the next; of the transposed matrix if trans.
func (s *small) spread(d *isa.Lanes, m isa.Mask, trans bool) {
	for l := range m.All {
		i, j := l>>2, 2*(l&3)
		if trans {
			d[l] = uint32(s[j][i]) | uint32(s[j+1][i])<<16
			continue
		}
		d[l] = uint32(s[i][j]) | uint32(s[i][j+1])<<16
	}
}

// collect is the inverse of spread.
func (s *small) collect(a *isa.Lanes, trans bool) {
	for l := range isa.WarpSize {
		i, j := l>>2, 2*(l&3)
		if trans {
			s[j][i], s[j+1][i] = uint16(a[l]), uint16(a[l]>>16)
			continue
		}
		s[i][j], s[i][j+1] = uint16(a[l]), uint16(a[l]>>16)
	}
}

// rowLanes are the lanes that give the rows' addresses.
func rowLanes(w *isa.Warp, n int) isa.Mask { return w.Mask & (isa.Full >> (isa.WarpSize - 8*n)) }

func bindLdmatrix(f *isa.Form) isa.Handler {
	n, trans := matrices(f), f.Has("trans")
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, n) {
			return
		}
		var s [4]small
		var r reach
		for rest := rowLanes(w, n); rest != 0; rest &^= r.lanes {
			if !r.find(w, in, rest, smallRow, false) {
				return
			}
			for l := range r.lanes.All {
				for j := range 8 {
					s[l>>3][l&7][j] = get[uint16](r.bytes[r.at[l]+2*uint64(j):])
				}
			}
		}
		for i, d := range in.Vec {
			s[i].spread(&w.Regs[d], w.Mask, trans)
		}
	}
}

func bindStmatrix(f *isa.Form) isa.Handler {
	n, trans := matrices(f), f.Has("trans")
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, n) {
			return
		}
		var s [4]small
		for i, a := range in.Vec {
			s[i].collect(w.Row(a), trans)
		}
		var r reach
		for rest := rowLanes(w, n); rest != 0; rest &^= r.lanes {
			if !r.find(w, in, rest, smallRow, true) {
				return
			}
			for l := range r.lanes.All {
				for j := range 8 {
					put(r.bytes[r.at[l]+2*uint64(j):], s[l>>3][l&7][j])
				}
			}
		}
	}
}

func bindMovmatrix(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		var s small
		s.collect(w.Row(in.A), false)
		s.spread(&w.Regs[in.D], w.Mask, true)
	}
}
