package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// boundary is what becomes of a surface access whose coordinates lie outside.
type boundary uint8

const (
	trapOutside  boundary = iota
	clampOutside          // the nearest element
	zeroOutside           // reads give zero, writes are lost
)

// surfaceAccess is a form of suld or sust.
type surfaceAccess struct {
	geometry
	boundary boundary
	bytes    int // of an element of the access
	n        int // elements
	write    bool
}

func surfaceAccessOf(f *isa.Form) surfaceAccess {
	s := surfaceAccess{geometry: geometryOf(f), bytes: f.Type(0).Bytes(), n: elements(f), write: f.Op.Name == "sust"}
	switch f.Any("trap", "clamp", "zero") {
	case "clamp":
		s.boundary = clampOutside
	case "zero":
		s.boundary = zeroOutside
	}
	return s
}

// bytesOf finds the memory of lane l's access. There is none, and no trap
// either, for one that lies outside and shall have no effect. The first
// coordinate counts bytes.
func (s *surfaceAccess) bytesOf(w *isa.Warp, t *isa.Texture, l int, coords []isa.Reg) []byte {
	p := s.place(w, coords, l)
	size := s.bytes * s.n
	width := int64(t.Width) * int64(t.Channels*t.ChannelBits/8)
	x, inX := s.limit(int64(p.cell[0]), width-int64(size)+1)
	y, inY := int64(0), true
	if s.dims > 1 {
		y, inY = s.limit(int64(p.cell[1]), int64(t.Height))
	}
	z, inZ := int64(0), true
	switch {
	case s.array:
		z, inZ = s.limit(int64(int32(p.layer)), int64(t.Layers))
	case s.dims > 2:
		z, inZ = s.limit(int64(p.cell[2]), int64(t.Depth))
	}
	a := t.Base + uint64(x) + uint64(y)*t.Pitch + uint64(z)*t.SlicePitch
	if !inX || !inY || !inZ {
		if s.boundary == trapOutside {
			w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: a, Bytes: size, Space: isa.Global, Write: s.write, Note: "surface coordinates out of range"})
		}
		return nil
	}
	return w.Bytes(isa.Global, l, a, size, size, s.write)
}

// limit checks a coordinate against [0, n), and clamps it where that is wanted.
func (s *surfaceAccess) limit(x, n int64) (int64, bool) {
	if s.boundary == clampOutside && n > 0 {
		return max(0, min(n-1, x)), true
	}
	return x, x >= 0 && x < n
}

func bindSuld(f *isa.Form) isa.Handler {
	s, e := surfaceAccessOf(f), elementOf(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) < s.n+s.needed() {
			lacking(w, in, s.n+s.needed())
			return
		}
		var none [16]byte
		find := finder{w: w, surface: true}
		for l := range w.Mask.All {
			t := find.of(in, l)
			if t == nil {
				return
			}
			b := s.bytesOf(w, t, l, in.Vec[s.n:])
			switch {
			case w.Trap.Kind != isa.NoTrap:
				return
			case b == nil:
				b = none[:]
			}
			for i, d := range in.Vec[:s.n] {
				e.put(w, d, l, b[min(i*s.bytes, len(none)-s.bytes):])
			}
		}
	}
}

// bindSust binds a store, whose coordinates come before the values.
func bindSust(f *isa.Form) isa.Handler {
	s := surfaceAccessOf(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) < s.n+s.needed() {
			lacking(w, in, s.n+s.needed())
			return
		}
		values := in.Vec[len(in.Vec)-s.n:]
		find := finder{w: w, surface: true}
		for l := range w.Mask.All {
			t := find.of(in, l)
			if t == nil {
				return
			}
			b := s.bytesOf(w, t, l, in.Vec)
			if w.Trap.Kind != isa.NoTrap {
				return
			}
			if b == nil {
				continue
			}
			for i, v := range values {
				storeLane(w, v, l, b[i*s.bytes:][:s.bytes])
			}
		}
	}
}

// storeLane writes as many bytes of a register as b has.
func storeLane(w *isa.Warp, r isa.Reg, l int, b []byte) {
	for i := range b {
		b[i] = byte(w.Row(isa.Above(r, i/4))[l] >> (8 * (i % 4)))
	}
}
