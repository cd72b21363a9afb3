package ops

import (
	"encoding/binary"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/sample"
)

const (
	surfGeometry = "1d|2d|3d|a1d|a2d"
	surfQueries  = "width|height|depth|array_size|channel_data_type|channel_order|memory_layout"
)

// surface is PTX ISA 9.7.11, surfaces. Inst.Vec holds results, coordinates and
// values in the order of the operands.
var surface = []isa.Op{
	{Name: "suld", Mods: "b " + surfGeometry + " {cop} {v2|v4} trap|clamp|zero", Types: "b8 b16 b32 b64", Args: "E, [t]", Unit: isa.Tex, Class: isa.Variable, Wider: true, Since: 15, Doc: "9.7.11.1", Bind: bindSuld},
	{Name: "sust", Mods: "b " + surfGeometry + " {cop} {v2|v4} trap|clamp|zero", Types: "b8 b16 b32 b64", Args: "[t], F", Unit: isa.Tex, Class: isa.Variable, Wider: true, Since: 15, Doc: "9.7.11.2", Bind: bindSust},
	{Name: "sust", Mods: "p 1d|2d|3d {v2|v4} trap|clamp|zero", Types: "b32", Args: "[t], F", Unit: isa.Tex, Class: isa.Variable, Since: 20, SM: 20, Doc: "9.7.11.2", Bind: bindSustFormatted},
	{Name: "sured", Mods: "b add 1d|2d|3d trap|clamp|zero", Types: "u32 u64 s32", Args: "[t], v", Unit: isa.Tex, Class: isa.Variable, Shares: true, Since: 20, SM: 20, Doc: "9.7.11.3", Bind: bindSured},
	{Name: "sured", Mods: "b min|max 1d|2d|3d trap|clamp|zero", Types: "u32 s32 u64 s64", Args: "[t], v", Unit: isa.Tex, Class: isa.Variable, Shares: true, Since: 20, SM: 20, Doc: "9.7.11.3", Bind: bindSured},
	{Name: "sured", Mods: "b and|or 1d|2d|3d trap|clamp|zero", Types: "b32", Args: "[t], v", Unit: isa.Tex, Class: isa.Variable, Shares: true, Since: 20, SM: 20, Doc: "9.7.11.3", Bind: bindSured},
	{Name: "sured", Mods: "p add|and|or 1d|2d|3d trap|clamp|zero", Types: "b32", Args: "[t], v", Unit: isa.Tex, Class: isa.Variable, Shares: true, Since: 20, SM: 20, Doc: "9.7.11.3", Bind: bindSured},
	{Name: "sured", Mods: "p min|max 1d|2d|3d trap|clamp|zero", Types: "b32 b64", Args: "[t], v", Unit: isa.Tex, Class: isa.Variable, Shares: true, Since: 20, SM: 20, Doc: "9.7.11.3", Bind: bindSured},
	{Name: "suq", Mods: surfQueries, Types: "b32", Args: "d, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 15, Doc: "9.7.11.4", Bind: bindQuery},
}

// boundary is what becomes of a surface access whose coordinates lie outside.
type boundary uint8

const (
	trapOutside  boundary = iota
	clampOutside          // the nearest element
	zeroOutside           // reads give zero, writes are lost
)

// surfaceAccess is a form of suld, sust or sured.
type surfaceAccess struct {
	sample.Geometry
	coords   int // registers
	boundary boundary
	bytes    int  // of an element of the access; 0 if that is the surface's
	n        int  // elements
	samples  bool // the first coordinate counts elements, not bytes
	write    bool
}

func surfaceAccessOf(f *isa.Form) surfaceAccess {
	s := surfaceAccess{Geometry: geometryOf(f), bytes: f.Type(0).Bytes(), n: elements(f), samples: f.Has("p"), write: f.Op.Name != "suld"}
	s.coords = s.Dims
	if s.Array {
		s.coords++
	}
	s.coords = listed(s.coords)
	switch f.Any("trap", "clamp", "zero") {
	case "clamp":
		s.boundary = clampOutside
	case "zero":
		s.boundary = zeroOutside
	}
	return s
}

// bytesOf finds the memory of lane l's access. There is none, and no trap
// either, for one that shall have no effect: outside, or where nothing is mapped.
func (s *surfaceAccess) bytesOf(w *isa.Warp, t *isa.Texture, l int, coords []isa.Reg) []byte {
	element := t.Format.Bytes()
	size := s.bytes * s.n
	if size == 0 {
		size = element
	}
	z, inZ := int64(0), true
	if s.Array {
		z, inZ = s.limit(int64(uint16(w.Row(coords[0])[l])), int64(max(t.Layers, 1)))
		coords = coords[1:]
	}
	at := func(i int) int64 { return int64(int32(w.Row(coords[i])[l])) }
	width := int64(t.Width) * int64(element)
	x := at(0)
	if s.samples {
		x *= int64(element)
	}
	x, inX := s.limit(x, width-int64(size)+1)
	y, inY := int64(0), true
	if s.Dims > 1 {
		y, inY = s.limit(at(1), int64(t.Height))
	}
	if s.Dims > 2 {
		z, inZ = s.limit(at(2), int64(t.Depth))
	}
	if !inX || !inY || !inZ {
		if s.boundary == trapOutside {
			a := t.Base + uint64(x) + uint64(y)*t.Pitch + uint64(z)*t.SlicePitch
			w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: a, Bytes: size, Space: isa.Global, Write: s.write, Note: "surface coordinates out of range"})
		}
		return nil
	}
	a, mapped := t.At(uint64(x), uint64(y), uint64(z))
	if !mapped {
		w.Unmapped(&t.Plane, l, size, s.write)
		return nil
	}
	align := size
	if s.samples {
		align = 1
	}
	return w.Bytes(isa.Global, l, a, size, align, s.write)
}

// limit checks a coordinate against [0, n), and clamps it where that is wanted.
func (s *surfaceAccess) limit(x, n int64) (int64, bool) {
	if s.boundary == clampOutside && n > 0 {
		return max(0, min(n-1, x)), true
	}
	return x, x >= 0 && x < n
}

// each calls use with the memory of every lane's access, nil if it has none, and
// the lane's surface. It ends at a trap.
func (s *surfaceAccess) each(w *isa.Warp, in *isa.Inst, coords []isa.Reg, use func(l int, t *isa.Texture, b []byte)) {
	find := finder{w: w, surface: true}
	for l := range w.Mask.All {
		t := find.of(in, l)
		if t == nil {
			return
		}
		b := s.bytesOf(w, t, l, coords)
		if w.Trap.Kind != isa.NoTrap {
			return
		}
		use(l, t, b)
	}
}

func bindSuld(f *isa.Form) isa.Handler {
	s, e := surfaceAccessOf(f), elementOf(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, s.n+s.coords) {
			return
		}
		var none [16]byte
		s.each(w, in, in.Vec[s.n:], func(l int, _ *isa.Texture, b []byte) {
			if b == nil {
				b = none[:]
			}
			for i, d := range in.Vec[:s.n] {
				e.put(w, d, l, b[min(i*s.bytes, len(none)-s.bytes):])
			}
		})
	}
}

func bindSust(f *isa.Form) isa.Handler {
	s := surfaceAccessOf(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, s.coords+s.n) {
			return
		}
		s.each(w, in, in.Vec, func(l int, _ *isa.Texture, b []byte) {
			for i, v := range in.Vec[s.coords:] {
				if b != nil {
					storeLane(w, v, l, b[i*s.bytes:][:s.bytes])
				}
			}
		})
	}
}

// storeLane writes as many bytes of a register as b has.
func storeLane(w *isa.Warp, r isa.Reg, l int, b []byte) {
	for i := range b {
		b[i] = byte(w.Row(isa.Above(r, i/4))[l] >> (8 * (i % 4)))
	}
}

// bindSustFormatted converts values to the surface's format.
func bindSustFormatted(f *isa.Form) isa.Handler {
	s := surfaceAccessOf(f)
	s.bytes = 0
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, s.coords+s.n) {
			return
		}
		s.each(w, in, in.Vec, func(l int, t *isa.Texture, b []byte) {
			var v sample.Texel
			for i, r := range in.Vec[s.coords:] {
				v[i] = w.Row(r)[l]
			}
			if b != nil {
				sample.Store(t.Format, b, v)
			}
		})
	}
}

// bindSured combines a value with an element. Those that count elements of a
// surface take the element's sign from its format.
func bindSured(f *isa.Form) isa.Handler {
	s := surfaceAccessOf(f)
	operation := f.Any("add", "min", "max", "and", "or")
	wide, signed := s.bytes == 8, f.Type(0).IsSigned()
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, s.coords+1) {
			return
		}
		s.each(w, in, in.Vec, func(l int, t *isa.Texture, b []byte) {
			if b == nil {
				return
			}
			signed := signed || s.samples && t.Kind == isa.Signed
			if v := in.Vec[s.coords]; wide {
				x := reduce(operation, binary.LittleEndian.Uint64(b), w.Get64(v, l), func(a, b uint64) bool { return signed && int64(a) < int64(b) || !signed && a < b })
				binary.LittleEndian.PutUint64(b, x)
			} else {
				x := reduce(operation, binary.LittleEndian.Uint32(b), w.Row(v)[l], func(a, b uint32) bool { return signed && int32(a) < int32(b) || !signed && a < b })
				binary.LittleEndian.PutUint32(b, x)
			}
		})
	}
}

// reduce combines an element with a value.
func reduce[T uint32 | uint64](operation string, old, v T, less func(a, b T) bool) T {
	switch {
	case operation == "add":
		return old + v
	case operation == "and":
		return old & v
	case operation == "or":
		return old | v
	case strings.HasPrefix(operation, "min") == less(v, old):
		return v
	}
	return old
}
