package ops

import (
	endian "encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

const (
	memoryTypes = "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"
	// hints are the qualifiers that steer caches and no result.
	hints = "{cop} {evict1} {evict2} {prefetch} {hint}"
)

// memory is the part of PTX ISA 9.7.9 that loads, stores and converts
// addresses. Memory is sequentially consistent, so orderings and scopes need
// no handling; caches are the timing model's, so cache operators, eviction
// priorities and prefetch sizes change no result.
var memory = []isa.Op{
	{Name: "ld", Mods: "{mmio} {weak|volatile|relaxed|acquire} {scope} {space} {nc} {vec} " + hints, Types: memoryTypes, Args: "D, [a], x:u64?", Unit: isa.LSU, Class: isa.Variable, Wider: true, Since: 10, Doc: "9.7.9.8", Bind: bindLoad},
	{Name: "ldu", Mods: "{global} {v2|v4}", Types: memoryTypes, Args: "D, [a]", Unit: isa.LSU, Class: isa.Variable, Wider: true, Since: 20, Doc: "9.7.9.10", Bind: bindLoad},
	{Name: "st", Mods: "{mmio} {weak|volatile|relaxed|release} {scope} {space} {vec} " + hints, Types: memoryTypes, Args: "[a], B, x:u64?", Unit: isa.LSU, Class: isa.Variable, Wider: true, Since: 10, Doc: "9.7.9.11", Bind: bindStore},
	{Name: "prefetch", Mods: "{global|local} L1|L2", Args: "[a]", Unit: isa.LSU, Since: 20, SM: 20, Doc: "9.7.9.15", Bind: bindNothing},
	{Name: "prefetch", Mods: "{global} L2::evict_last|L2::evict_normal", Args: "[a]", Unit: isa.LSU, Since: 20, SM: 20, Doc: "9.7.9.15", Bind: bindNothing},
	{Name: "prefetch", Mods: "{const|param} tensormap", Args: "[a]", Unit: isa.LSU, Since: 20, SM: 20, Doc: "9.7.9.15", Bind: bindMapAhead},
	{Name: "prefetchu", Mods: "L1", Args: "[a]", Unit: isa.LSU, Since: 20, SM: 20, Doc: "9.7.9.15", Bind: bindNothing},
	{Name: "applypriority", Mods: "{global} L2::evict_normal", Args: "[a], i", Unit: isa.LSU, Since: 74, SM: 80, Doc: "9.7.9.16", Bind: bindNothing},
	{Name: "discard", Mods: "{global} L2", Args: "[a], i", Unit: isa.LSU, Since: 74, SM: 80, Doc: "9.7.9.17", Bind: bindNothing},
	{Name: "createpolicy", Mods: "range {global} L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged {L2::evict_first|L2::evict_unchanged}", Types: "b64", Args: "d:u64, [a], b:u32, c:u32", Since: 74, SM: 80, Doc: "9.7.9.18", Bind: bindPolicy},
	{Name: "createpolicy", Mods: "fractional L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged {L2::evict_first|L2::evict_unchanged}", Types: "b64", Args: "d:u64, a:f32?", Since: 74, SM: 80, Doc: "9.7.9.18", Bind: bindPolicy},
	{Name: "createpolicy", Mods: "cvt L2", Types: "b64", Args: "d:u64, a:u64", Since: 74, SM: 80, Doc: "9.7.9.18", Bind: bindPolicy},
	{Name: "isspacep", Mods: "space", Args: "p, a:u64", Since: 20, SM: 20, Doc: "9.7.9.19", Bind: bindIsspacep},
	{Name: "cvta", Mods: "{to} space", Types: "u32 u64", Args: "d, a", Since: 20, SM: 20, Doc: "9.7.9.20", Bind: bindCvta},
	{Name: "mapa", Mods: "{shared::cluster}", Types: "u32 u64", Args: "d, a, b:u32", Since: 78, SM: 90, Doc: "9.7.9.23", Bind: bindMapa},
	{Name: "getctarank", Mods: "{shared::cluster}", Types: "u32 u64", Args: "d:u32, a", Since: 78, SM: 90, Doc: "9.7.9.24", Bind: bindRank},

	{Name: "membar", Mods: "cta", Unit: isa.LSU, Fence: isa.FenceCTA, Since: 14, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "membar", Mods: "gl", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 14, Shares: true, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "membar", Mods: "sys", Unit: isa.LSU, Fence: isa.FenceSys, Since: 14, Shares: true, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "membar", Mods: "proxy alias", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 75, SM: 60, Shares: true, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "{sc|acq_rel|acquire|release} cta", Unit: isa.LSU, Fence: isa.FenceCTA, Since: 60, SM: 70, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "{sc|acq_rel|acquire|release} cluster", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 78, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "{sc|acq_rel|acquire|release} gpu", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 60, SM: 70, Shares: true, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "{sc|acq_rel|acquire|release} sys", Unit: isa.LSU, Fence: isa.FenceSys, Since: 60, SM: 70, Shares: true, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "acquire sync_restrict::shared::cluster cluster", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 86, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "release sync_restrict::shared::cta cluster", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 86, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "mbarrier_init release cluster", Unit: isa.LSU, Fence: isa.FenceCTA, Since: 80, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "proxy alias", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 75, SM: 70, Shares: true, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "proxy async {global|shared::cta|shared::cluster}", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 80, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "proxy tensormap::generic acquire scope", Args: "[a], i", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 83, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "proxy tensormap::generic release scope", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 83, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "proxy async::generic acquire sync_restrict::shared::cluster cluster", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 86, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
	{Name: "fence", Mods: "proxy async::generic release sync_restrict::shared::cta cluster", Unit: isa.LSU, Fence: isa.FenceGPU, Since: 86, SM: 90, Doc: "9.7.13.4", Bind: bindNothing},
}

// FrameAddress writes to D the address of the frame's variable at offset Imm in
// local memory; the upper word of Imm is that of the address.
var FrameAddress = &isa.Op{Name: "mov", Doc: "9.7.9.4", Bind: bindFrameAddress}

func bindFrameAddress(f *isa.Form) isa.Handler {
	wide := f.DBits == 64
	return func(w *isa.Warp, in *isa.Inst) {
		a := w.Base + uint32(in.Imm)
		fillRow(w.Mask, &w.Regs[in.D], a)
		if wide {
			fillRow(w.Mask, &w.Regs[in.D+1], uint32(in.Imm>>32))
		}
	}
}

// fillRow gives all lanes of m the value v.
func fillRow(m isa.Mask, d *isa.Lanes, v uint32) {
	if m == isa.Full {
		for l := range d {
			d[l] = v
		}
		return
	}
	for l := range m.All {
		d[l] = v
	}
}

// element says how one element of a memory operand stands in a register.
type element struct {
	bytes  int
	signed bool // extended by its sign
	rows   int  // of the register
	half   bool // the register has 16 bits
}

func elementOf(f *isa.Form) element {
	t := f.Type(0)
	bits := max(f.DBits, t.Bits())
	return element{bytes: t.Bytes(), signed: t.IsSigned(), rows: (bits + 31) / 32, half: bits == 16}
}

// elements is the number of elements of a vector form, 1 for a scalar.
func elements(f *isa.Form) int {
	switch f.Any("v2", "v4", "v8") {
	case "v2":
		return 2
	case "v4":
		return 4
	case "v8":
		return 8
	}
	return 1
}

// widest is the largest vector in bytes that one instruction moves.
const widest = 32

func bindLoad(f *isa.Form) isa.Handler {
	e, n := elementOf(f), elements(f)
	size := e.bytes * n
	if size > widest {
		return nil
	}
	if f.Space == isa.Param {
		return loadParam(e, n)
	}
	return func(w *isa.Warp, in *isa.Inst) {
		var r reach
		for rest := w.Mask; rest != 0; rest &^= r.lanes {
			if !r.seek(w, pointer{in.A, in.Space, in.Imm}, rest, size, false) {
				return
			}
			if in.Vec == nil {
				r.load(w, in.D, e, 0)
				continue
			}
			for i, d := range in.Vec[:min(n, len(in.Vec))] {
				r.load(w, d, e, uint64(i*e.bytes))
			}
		}
	}
}

// load reads the elements at distance offset from the start of the operands.
func (r *reach) load(w *isa.Warp, d isa.Reg, e element, offset uint64) {
	switch {
	case e.bytes == 4 && e.rows == 1:
		r.load32(&w.Regs[d], offset)
	case e.bytes == 8 && e.rows == 2:
		r.load64(&w.Regs[d], &w.Regs[d+1], offset)
	default:
		r.spread()
		for l := range r.lanes.All {
			e.put(w, d, l, r.bytes[r.at[l]+offset:])
		}
	}
}

func (r *reach) load32(row *isa.Lanes, offset uint64) {
	if !r.line {
		for l := range r.lanes.All {
			row[l] = endian.LittleEndian.Uint32(r.bytes[r.at[l]+offset:])
		}
		return
	}
	at := r.first + offset
	switch r.stride {
	case 0:
		v := endian.LittleEndian.Uint32(r.bytes[at:])
		for l := range row {
			row[l] = v
		}
	case 4:
		copy(rowBytes(row)[:], r.bytes[at:])
	default:
		for l := range row {
			row[l] = endian.LittleEndian.Uint32(r.bytes[at:])
			at += r.stride
		}
	}
}

func (r *reach) load64(lo, hi *isa.Lanes, offset uint64) {
	if !r.line {
		for l := range r.lanes.All {
			v := endian.LittleEndian.Uint64(r.bytes[r.at[l]+offset:])
			lo[l], hi[l] = uint32(v), uint32(v>>32)
		}
		return
	}
	at := r.first + offset
	for l := range lo {
		v := endian.LittleEndian.Uint64(r.bytes[at:])
		lo[l], hi[l] = uint32(v), uint32(v>>32)
		at += r.stride
	}
}

// put gives lane l of register d the element at the start of b, extended.
func (e element) put(w *isa.Warp, d isa.Reg, l int, b []byte) {
	var low, high uint32
	switch e.bytes {
	case 1:
		low = uint32(b[0])
		if e.signed {
			low = uint32(int8(b[0]))
		}
	case 2:
		low = uint32(endian.LittleEndian.Uint16(b))
		if e.signed {
			low = uint32(int16(low))
		}
	default:
		low = endian.LittleEndian.Uint32(b)
	}
	if e.bytes >= 8 {
		high = endian.LittleEndian.Uint32(b[4:])
	} else if e.signed {
		high = uint32(int32(low) >> 31)
	}
	if e.half {
		low &= 0xffff
	}
	w.Regs[d][l] = low
	if e.rows > 1 {
		w.Regs[d+1][l] = high
	}
	if e.rows > 2 {
		w.Regs[d+2][l], w.Regs[d+3][l] = e.upper(b)
	}
}

// upper is the upper half of a 128-bit register.
func (e element) upper(b []byte) (low, high uint32) {
	if e.bytes < 16 {
		if e.signed && b[e.bytes-1]&0x80 != 0 {
			return 0xffffffff, 0xffffffff
		}
		return 0, 0
	}
	return endian.LittleEndian.Uint32(b[8:]), endian.LittleEndian.Uint32(b[12:])
}

// loadParam reads a kernel parameter, which is the same for all lanes.
func loadParam(e element, n int) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		var r reach
		first := isa.Lane(w.Mask.First())
		if !r.find(w, in, first, e.bytes*n, false) {
			return
		}
		b := r.bytes[r.at[w.Mask.First()]:]
		if in.Vec == nil {
			e.broadcast(w, in.D, b)
			return
		}
		for i, d := range in.Vec[:min(n, len(in.Vec))] {
			e.broadcast(w, d, b[i*e.bytes:])
		}
	}
}

func (e element) broadcast(w *isa.Warp, d isa.Reg, b []byte) {
	first := w.Mask.First()
	e.put(w, d, first, b)
	for i := range isa.Reg(e.rows) {
		row := &w.Regs[d+i]
		fillRow(w.Mask, row, row[first])
	}
}

func bindStore(f *isa.Form) isa.Handler {
	bytes, n := f.Type(0).Bytes(), elements(f)
	size := bytes * n
	if size > widest {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		r := reach{drops: true}
		for rest := w.Mask; rest != 0; rest &^= r.lanes {
			if !r.seek(w, pointer{in.A, in.Space, in.Imm}, rest, size, true) {
				return
			}
			if in.Vec == nil {
				r.store(w, in.B, bytes, 0)
				continue
			}
			for i, s := range in.Vec[:min(n, len(in.Vec))] {
				r.store(w, s, bytes, uint64(i*bytes))
			}
		}
	}
}

// store writes an element of some bytes, chopped from a register, at distance
// offset from the start of the operands.
func (r *reach) store(w *isa.Warp, s isa.Reg, bytes int, offset uint64) {
	row := w.Row(s)
	switch bytes {
	case 4:
		r.store32(row, offset)
		return
	case 16:
		r.store(w, s, 8, offset)
		r.store(w, isa.Above(s, 2), 8, offset+8)
		return
	}
	r.spread()
	switch bytes {
	case 1:
		for l := range r.lanes.All {
			r.bytes[r.at[l]+offset] = byte(row[l])
		}
	case 2:
		for l := range r.lanes.All {
			endian.LittleEndian.PutUint16(r.bytes[r.at[l]+offset:], uint16(row[l]))
		}
	case 8:
		high := w.Row(isa.Above(s, 1))
		for l := range r.lanes.All {
			endian.LittleEndian.PutUint64(r.bytes[r.at[l]+offset:], uint64(row[l])|uint64(high[l])<<32)
		}
	}
}

func (r *reach) store32(row *isa.Lanes, offset uint64) {
	if !r.line {
		for l := range r.lanes.All {
			endian.LittleEndian.PutUint32(r.bytes[r.at[l]+offset:], row[l])
		}
		return
	}
	at := r.first + offset
	if r.stride == 4 {
		copy(r.bytes[at:], rowBytes(row)[:])
		return
	}
	for _, v := range row {
		endian.LittleEndian.PutUint32(r.bytes[at:], v)
		at += r.stride
	}
}

// bindPolicy makes a cache policy. Nothing looks into one.
func bindPolicy(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		fillRow(w.Mask, &w.Regs[in.D], 0)
		fillRow(w.Mask, &w.Regs[in.D+1], 0)
	}
}

// bindIsspacep tells spaces apart by windows. Kernel parameters count as global
// too, as on hardware. Constant variables lie in global memory, but do not count
// as such.
func bindIsspacep(f *isa.Form) isa.Handler {
	if spaceOf(f) == "const" {
		return isConstant
	}
	var want [2]isa.Space
	own := false // of the CTA alone
	switch spaceOf(f) {
	case "global":
		want = [2]isa.Space{isa.Global, isa.Param}
	case "shared":
		want = [2]isa.Space{isa.Shared, isa.Shared}
		own = !f.Has("shared::cluster")
	case "local":
		want = [2]isa.Space{isa.Local, isa.Local}
	case "param":
		want = [2]isa.Space{isa.Param, isa.Param}
	default:
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		var is isa.Mask
		for l := range w.Mask.All {
			a := w.Get64(in.A, l)
			if s := isa.SpaceOf(a); (s == want[0] || s == want[1]) && (s != isa.Global || !w.CTA.Constant(a)) && (!own || uint32(a)>>isa.ClusterShift == w.CTA.Rank) {
				is |= isa.Lane(l)
			}
		}
		w.SetPred(in.P, is)
	}
}

func isConstant(w *isa.Warp, in *isa.Inst) {
	var is isa.Mask
	for l := range w.Mask.All {
		if w.CTA.Constant(w.Get64(in.A, l)) {
			is |= isa.Lane(l)
		}
	}
	w.SetPred(in.P, is)
}

// spaceOf is the state space that a form's modifiers name, without its part
// after "::".
func spaceOf(f *isa.Form) string {
	switch f.Any(vocabulary["space"]...) {
	case "global":
		return "global"
	case "shared", "shared::cta", "shared::cluster":
		return "shared"
	case "local":
		return "local"
	case "const":
		return "const"
	case "param", "param::entry", "param::func":
		return "param"
	}
	return ""
}

// bindCvta converts between an address in a space and a generic one. The
// windows lie above 32 bits, so that a 32-bit generic address exists for
// global and constant memory only.
func bindCvta(f *isa.Form) isa.Handler {
	wide, to := f.Type(0) == isa.U64, f.Has("to")
	var window uint64
	switch spaceOf(f) {
	case "global", "const":
		if wide {
			return mov64
		}
		return mov32
	case "shared":
		window = isa.SharedWindow
	case "local":
		window = isa.LocalWindow
	case "param":
		if wide {
			return cvtaParam(to)
		}
		return noWindow
	}
	switch {
	case wide && to:
		return setUpper(0)
	case wide:
		return setUpper(uint32(window >> isa.WindowShift))
	case to:
		return mov32
	}
	return noWindow
}

// noWindow stands for the generic 32-bit address of shared or local memory: no
// device whose addresses have 64 bits has one.
func noWindow(w *isa.Warp, in *isa.Inst) {
	w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: w.Mask.First(), Note: "a generic address has 64 bits"})
}

// setUpper copies the lower word of A and writes the upper one.
func setUpper(high uint32) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		copyRow(w.Mask, &w.Regs[in.D], w.Row(in.A))
		fillRow(w.Mask, &w.Regs[in.D+1], high)
	}
}

// cvtaParam keeps the window of a kernel parameter's address, which generic
// loads need; the parameters of other functions lie in local memory.
func cvtaParam(to bool) isa.Handler {
	if to {
		return mov64
	}
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			a := w.Get64(in.A, l)
			if isa.SpaceOf(a) != isa.Param {
				a = isa.LocalWindow | uint64(uint32(a))
			}
			w.Set64(in.D, l, a)
		}
	}
}

// distance is the part of a shared address that is the same in all CTAs of a
// cluster.
const distance = 1<<isa.ClusterShift - 1

// bindMapa gives a shared address the rank of another CTA of the cluster.
func bindMapa(f *isa.Form) isa.Handler {
	wide := f.Type(0) == isa.U64
	return func(w *isa.Warp, in *isa.Inst) {
		d, a, rank := &w.Regs[in.D], w.Row(in.A), w.Row(in.B)
		for l := range w.Mask.All {
			d[l] = a[l]&distance | rank[l]<<isa.ClusterShift
		}
		if wide {
			copyRow(w.Mask, &w.Regs[in.D+1], w.Row(isa.Above(in.A, 1)))
		}
	}
}

// bindRank reads the rank that a shared address holds.
func bindRank(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a := w.Args1(in)
		for l := range m.All {
			d[l] = a[l] >> isa.ClusterShift
		}
	}
}
