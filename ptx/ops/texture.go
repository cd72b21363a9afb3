package ops

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const (
	texGeometry  = "1d|2d|3d|a1d|a2d|cube|acube"
	surfGeometry = "1d|2d|3d|a1d|a2d"
	texQueries   = "width|height|depth|array_size|normalized_coords|num_mipmap_levels|num_samples"
	surfQueries  = "width|height|depth|array_size"
)

// texture is PTX ISA 9.7.10 and 9.7.11, textures and surfaces, in the unified
// mode. The vector operand holds the results or values, then the coordinates;
// operand A is the handle. Textures have one level of detail, so that .level
// and .grad choose nothing, and are all resident, as predicate P says.
var texture = []isa.Op{
	{Name: "tex", Mods: "{base} " + texGeometry + " v4", Types: "u32 s32 f32 / s32 f32", Args: "E|p:b32, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 10, Doc: "9.7.10.3", Bind: bindTex},
	{Name: "tex", Mods: "level " + texGeometry + " v4", Types: "u32 s32 f32 / s32 f32", Args: "E|p:b32, [t], b:b32", Unit: isa.Tex, Class: isa.Variable, Since: 31, Doc: "9.7.10.3", Bind: bindTex},
	{Name: "tex", Mods: "grad " + texGeometry + " v4", Types: "u32 s32 f32 / f32", Args: "E|p:b32, [t], F:b32, F:b32", Unit: isa.Tex, Class: isa.Variable, Since: 31, Doc: "9.7.10.3", Bind: bindTex},
	{Name: "tld4", Mods: "r|g|b|a 2d|a2d v4", Types: "u32 s32 f32 / f32", Args: "E|p:b32, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 22, SM: 20, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "txq", Mods: texQueries, Types: "b32", Args: "d, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 15, Doc: "9.7.10.5", Bind: bindQuery},
	{Name: "suld", Mods: "b " + surfGeometry + " {cop} {v2|v4} trap|clamp|zero", Types: "b8 b16 b32 b64", Args: "E, [t]", Unit: isa.Tex, Class: isa.Variable, Wider: true, Since: 15, Doc: "9.7.11.1", Bind: bindSuld},
	{Name: "sust", Mods: "b " + surfGeometry + " {cop} {v2|v4} trap|clamp|zero", Types: "b8 b16 b32 b64", Args: "[t], F", Unit: isa.Tex, Class: isa.Variable, Wider: true, Since: 15, Doc: "9.7.11.2", Bind: bindSust},
	{Name: "suq", Mods: surfQueries, Types: "b32", Args: "d, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 15, Doc: "9.7.11.4", Bind: bindQuery},
}

// geometry says what the coordinates of an access are.
type geometry struct {
	dims        int
	array, cube bool // a layer, a number in front; a direction, that chooses a face
}

func geometryOf(f *isa.Form) geometry {
	switch f.Any("1d", "2d", "3d", "a1d", "a2d", "cube", "acube") {
	case "1d":
		return geometry{dims: 1}
	case "2d":
		return geometry{dims: 2}
	case "3d":
		return geometry{dims: 3}
	case "a1d":
		return geometry{dims: 1, array: true}
	case "a2d":
		return geometry{dims: 2, array: true}
	case "cube":
		return geometry{dims: 3, cube: true}
	}
	return geometry{dims: 3, array: true, cube: true}
}

// finder finds the textures that lanes name. Most often all name the same.
type finder struct {
	w       *isa.Warp
	surface bool
	handle  uint64
	found   *isa.Texture
}

// of is the texture of lane l, nil after a trap was raised.
func (f *finder) of(in *isa.Inst, l int) *isa.Texture {
	h := f.w.Get64(in.A, l)
	if f.found != nil && h == f.handle {
		return f.found
	}
	f.handle, f.found = h, nil
	what := "no texture object has this handle"
	if f.surface {
		what = "no surface object has this handle"
	}
	if all := f.w.CTA.Textures; all != nil && f.surface {
		f.found = all.Surface(h)
	} else if all != nil {
		f.found = all.Texture(h)
	}
	if f.found == nil {
		f.w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: h, Note: what})
	}
	return f.found
}

// place is where an access falls: a layer and coordinates.
type place struct {
	layer uint32
	at    [3]float32
	cell  [3]int32 // the coordinates as integers, when they are
}

// place reads the coordinates of lane l.
func (g geometry) place(w *isa.Warp, coords []isa.Reg, l int) (p place) {
	if g.array {
		p.layer, coords = w.Row(coords[0])[l], coords[1:]
	}
	for i := range g.dims {
		c := w.Row(coords[i])[l]
		p.at[i], p.cell[i] = math.Float32frombits(c), int32(c)
	}
	if g.cube {
		p.face()
	}
	return p
}

// needed is the number of coordinate registers.
func (g geometry) needed() int {
	if g.array {
		return g.dims + 1
	}
	return g.dims
}

// face turns a direction into a layer, six for each cube, and a position on the
// face of the axis along which it is longest.
func (p *place) face() {
	x, y, z := p.at[0], p.at[1], p.at[2]
	abs := func(v float32) float32 { return float32(math.Abs(float64(v))) }
	var face uint32
	var s, t, major float32
	switch ax, ay, az := abs(x), abs(y), abs(z); {
	case ax >= ay && ax >= az:
		face, s, t, major = 0, -z, -y, ax
		if x < 0 {
			face, s = 1, z
		}
	case ay >= az:
		face, s, t, major = 2, x, z, ay
		if y < 0 {
			face, t = 3, -z
		}
	default:
		face, s, t, major = 4, x, -y, az
		if z < 0 {
			face, s = 5, -x
		}
	}
	p.layer = 6*p.layer + face
	p.at = [3]float32{(s/major + 1) / 2, (t/major + 1) / 2, 0}
}

// texel is what a texture access gives: numbers as they are read, floats as
// their patterns. Channels that the texture lacks are zero.
type texel [4]uint32

const texelRegs = 4

func bindTex(f *isa.Form) isa.Handler {
	g, exact := geometryOf(f), f.Type(1) == isa.S32
	if exact && g.cube {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) < texelRegs+g.needed() {
			lacking(w, in, texelRegs+g.needed())
			return
		}
		find := finder{w: w}
		for l := range w.Mask.All {
			t := find.of(in, l)
			if t == nil {
				return
			}
			p := g.place(w, in.Vec[texelRegs:], l)
			s := sampling{w, t, l, g.flat(), layerOf(t, p.layer)}
			var v texel
			switch {
			case exact:
				v = s.fetch(p.cell)
			case t.Linear:
				v = s.linear(p.at)
			default:
				v = s.nearest(p.at)
			}
			for i, d := range in.Vec[:texelRegs] {
				w.Regs[d][l] = v[i]
			}
		}
		w.SetPred(in.P, isa.Full)
	}
}

// flat is the number of dimensions of what is sampled: a face has two.
func (g geometry) flat() int {
	if g.cube {
		return 2
	}
	return g.dims
}

// layerOf is the layer that a number chooses: the nearest there is.
func layerOf(t *isa.Texture, n uint32) uint32 {
	if t.Layers == 0 {
		return 0
	}
	return min(n, t.Layers-1)
}

// sampling is one lane's access to a texture.
type sampling struct {
	w     *isa.Warp
	t     *isa.Texture
	lane  int
	dims  int
	layer uint32
}

func (s *sampling) extent(i int) int32 {
	return int32([3]uint32{s.t.Width, s.t.Height, s.t.Depth}[i])
}

// fetch reads the element at whole coordinates; zero outside the texture.
func (s *sampling) fetch(cell [3]int32) texel {
	for i := range s.dims {
		if cell[i] < 0 || cell[i] >= s.extent(i) {
			return texel{}
		}
	}
	return s.read(cell)
}

// nearest reads the element that a position lies in.
func (s *sampling) nearest(at [3]float32) texel {
	var cell [3]int32
	for i := range s.dims {
		cell[i] = int32(math.Floor(s.scaled(i, at[i])))
	}
	return s.cellOr(cell)
}

// fixedBits are the fraction bits of a position between two elements.
const fixedBits = 8

// linear weighs the two, four or eight elements around a position.
func (s *sampling) linear(at [3]float32) texel {
	var base, part [3]int32
	for i := range s.dims {
		base[i], part[i] = s.between(i, at[i])
	}
	var sum [4]float64
	for corner := range 1 << s.dims {
		weight := 1.0
		cell := base
		for i := range s.dims {
			if corner>>i&1 != 0 {
				cell[i]++
				weight *= float64(part[i]) / (1 << fixedBits)
			} else {
				weight *= float64(1<<fixedBits-part[i]) / (1 << fixedBits)
			}
		}
		if weight == 0 {
			continue
		}
		for c, v := range s.cellOr(cell) {
			sum[c] += weight * float64(math.Float32frombits(v))
		}
	}
	var v texel
	for c := range v {
		v[c] = math.Float32bits(float32(sum[c]))
	}
	return v
}

// between is the element before a position and the distance from its centre,
// with eight fraction bits (CUDA C++ Programming Guide, linear filtering).
func (s *sampling) between(i int, x float32) (base, part int32) {
	fixed := int32(math.Floor((s.scaled(i, x)-0.5)*(1<<fixedBits) + 0.5))
	return fixed >> fixedBits, fixed & (1<<fixedBits - 1)
}

// scaled is coordinate i in elements, brought into a range that an int32 with
// fixedBits fraction bits holds.
func (s *sampling) scaled(i int, x float32) float64 {
	const most = 1 << 22
	if s.t.Normalized {
		switch s.t.Address[i] {
		case isa.Wrap:
			x -= float32(math.Floor(float64(x)))
		case isa.Mirror:
			x -= 2 * float32(math.Floor(float64(x)/2))
		}
		x *= float32(s.extent(i))
	}
	if x != x {
		return 0
	}
	return max(-most, min(most, float64(x)))
}

// cellOr is the element at a cell that may lie outside, by the address modes.
// Wrapping and mirroring are for normalized coordinates; others clamp.
func (s *sampling) cellOr(cell [3]int32) texel {
	for i := range s.dims {
		n := s.extent(i)
		mode := s.t.Address[i]
		if !s.t.Normalized && mode != isa.Border {
			mode = isa.Clamp
		}
		switch x := cell[i]; {
		case n == 0:
			return texel{}
		case mode == isa.Wrap:
			cell[i] = (x%n + n) % n
		case mode == isa.Mirror:
			if x = (x%(2*n) + 2*n) % (2 * n); x >= n {
				x = 2*n - 1 - x
			}
			cell[i] = x
		case mode == isa.Border && (x < 0 || x >= n):
			return s.border()
		default:
			cell[i] = max(0, min(n-1, x))
		}
	}
	return s.read(cell)
}

func (s *sampling) border() (v texel) {
	for c := range s.t.Channels {
		v[c] = math.Float32bits(s.t.BorderColor[c])
		if s.t.Kind != isa.Float && !s.t.ReadNormalized {
			v[c] = uint32(int32(s.t.BorderColor[c]))
		}
	}
	return v
}

// read is the element at a cell inside the texture.
func (s *sampling) read(cell [3]int32) (v texel) {
	t := s.t
	bytes := t.ChannelBits / 8
	n := t.Channels * bytes
	slice := uint64(cell[2])
	if s.dims < 3 {
		slice = uint64(s.layer)
	}
	a := t.Base + slice*t.SlicePitch + uint64(cell[0])*uint64(n)
	if s.dims > 1 {
		a += uint64(cell[1]) * t.Pitch
	}
	b := s.w.Bytes(isa.Global, s.lane, a, n, 1, false)
	if b == nil {
		return v
	}
	for c := range t.Channels {
		v[c] = channel(t, c, b[c*bytes:])
	}
	return v
}

// channel is a channel's value as the texture is read.
func channel(t *isa.Texture, c int, b []byte) uint32 {
	var v uint32
	switch t.ChannelBits {
	case 8:
		v = uint32(b[0])
	case 16:
		v = uint32(get[uint16](b))
	default:
		v = get[uint32](b)
	}
	switch {
	case t.Kind == isa.Float && t.ChannelBits == 16:
		return alu.CvtF32F16(uint16(v))
	case t.ReadNormalized:
		return normalized(t, c, v)
	case t.Kind == isa.Signed:
		shift := 32 - uint(t.ChannelBits)
		return uint32(int32(v<<shift) >> shift)
	}
	return v
}

// normalized maps an integer onto [0, 1], or [-1, 1] if it has a sign.
func normalized(t *isa.Texture, c int, v uint32) uint32 {
	top := float64(uint32(1)<<t.ChannelBits - 1)
	x := float64(v) / top
	if t.Kind == isa.Signed {
		shift := 32 - uint(t.ChannelBits)
		x = max(-1, float64(int32(v<<shift)>>shift)/float64(int32(top)>>1))
	}
	if t.SRGB && t.ChannelBits == 8 && c < 3 {
		x = fromSRGB(x)
	}
	return math.Float32bits(float32(x))
}

// fromSRGB is the linear intensity of a value of the sRGB curve (IEC 61966-2-1).
func fromSRGB(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// bindGather reads one channel of the four elements that linear filtering would
// weigh, from the lower left one counter-clockwise.
func bindGather(f *isa.Form) isa.Handler {
	g := geometryOf(f)
	channel := map[string]int{"r": 0, "g": 1, "b": 2, "a": 3}[f.Any("r", "g", "b", "a")]
	corners := [texelRegs][2]int32{{0, 1}, {1, 1}, {1, 0}, {0, 0}}
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) < texelRegs+g.needed() {
			lacking(w, in, texelRegs+g.needed())
			return
		}
		find := finder{w: w}
		for l := range w.Mask.All {
			t := find.of(in, l)
			if t == nil {
				return
			}
			p := g.place(w, in.Vec[texelRegs:], l)
			s := sampling{w, t, l, g.dims, layerOf(t, p.layer)}
			x, _ := s.between(0, p.at[0])
			y, _ := s.between(1, p.at[1])
			for i, c := range corners {
				w.Regs[in.Vec[i]][l] = s.cellOr([3]int32{x + c[0], y + c[1]})[channel]
			}
		}
		w.SetPred(in.P, isa.Full)
	}
}

func bindQuery(f *isa.Form) isa.Handler {
	what, surface := f.Mods[0], f.Op.Name == "suq"
	return func(w *isa.Warp, in *isa.Inst) {
		find := finder{w: w, surface: surface}
		for l := range w.Mask.All {
			t := find.of(in, l)
			if t == nil {
				return
			}
			w.Regs[in.D][l] = attribute(t, what)
		}
	}
}

// attribute is what a query asks of a texture.
func attribute(t *isa.Texture, what string) uint32 {
	switch what {
	case "width":
		return t.Width
	case "height":
		return t.Height
	case "depth":
		return t.Depth
	case "array_size":
		return t.Layers
	case "normalized_coords":
		if t.Normalized {
			return 1
		}
		return 0
	}
	return 1 // one level, one sample
}
