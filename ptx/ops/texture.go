package ops

import (
	"math"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
	"github.com/lockstep-sim/lockstep/gpu/isa/sample"
)

const (
	texGeometry    = "1d|2d|3d|a1d|a2d|cube|acube"
	gatherGeometry = "2d|a2d|cube|acube"
	texQueries     = "width|height|depth|array_size|channel_data_type|channel_order|normalized_coords|num_mipmap_levels|num_samples"
	samplerQueries = "force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2"
)

// texture is PTX ISA 9.7.10, textures. Inst.Vec holds the results, the
// coordinates and, where the row has them, two lists of derivatives and one of
// offsets; A is the texture's handle, M the sampler's if Imm is samplerApart, B
// the level of detail. Textures are all resident, as predicate P says. An operand
// that elements are compared with, C, has no effect: no sampler of CUDA compares.
var texture = append(texRows(), []isa.Op{
	{Name: "tld4", Mods: "r|g|b|a " + gatherGeometry + " v4", Types: "u32 s32 f32 / f32", Args: "E|p:b32, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 22, SM: 20, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "tld4", Mods: "r|g|b|a 2d|a2d v4", Types: "u32 s32 f32 / f32", Args: "E|p:b32, [t], O:b32", Unit: isa.Tex, Class: isa.Variable, Since: 43, SM: 30, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "tld4", Mods: "r|g|b|a " + gatherGeometry + " v4", Types: "f32 / f32", Args: "E|p:b32, [t], c:b32", Unit: isa.Tex, Class: isa.Variable, Since: 43, SM: 30, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "tld4", Mods: "r|g|b|a 2d|a2d v4", Types: "f32 / f32", Args: "E|p:b32, [t], O:b32, c:b32", Unit: isa.Tex, Class: isa.Variable, Since: 43, SM: 30, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "txq", Mods: texQueries, Types: "b32", Args: "d, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 15, Doc: "9.7.10.5", Bind: bindQuery},
	{Name: "txq", Mods: "level width|height|depth", Types: "b32", Args: "d, [t], b:b32", Unit: isa.Tex, Class: isa.Variable, Since: 31, SM: 20, Doc: "9.7.10.5", Bind: bindQuery},
	{Name: "txq", Mods: samplerQueries, Types: "b32", Args: "d, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 15, Doc: "9.7.10.5", Bind: bindSamplerQuery},
	{Name: "istypep", Mods: "texref|samplerref|surfref", Args: "p, [t]", Unit: isa.Tex, Since: 40, SM: 30, Doc: "9.7.10.6", Bind: bindIsType},
}...)

// texRows are the rows of tex: each way to choose a level of detail, each type of
// results, with and without offsets and a comparison.
func texRows() (rows []isa.Op) {
	for _, detail := range []struct{ mods, args string }{{"{base}", ""}, {"level", ", b:b32"}, {"grad", ", F:b32, F:b32"}} {
		for _, extra := range []struct{ args, geometry string }{
			{"", texGeometry}, {", O:b32", "1d|2d|3d|a1d|a2d"}, {", c:b32", gatherGeometry}, {", O:b32, c:b32", "2d|a2d"},
		} {
			rows = append(rows, texTypes(detail.mods+" "+extra.geometry, ", [t]"+detail.args+extra.args, strings.Contains(extra.args, "c:"))...)
		}
	}
	for _, row := range texTypes("{base} 2dms|a2dms", ", [t]", false) {
		row.Since, row.SM = 32, 30
		rows = append(rows, row)
	}
	for i := range rows {
		if strings.HasPrefix(rows[i].Mods, "level") || strings.HasPrefix(rows[i].Mods, "grad") {
			rows[i].Since = max(rows[i].Since, 31)
		}
	}
	return rows
}

// texTypes are the rows of one shape for each type of results. Elements are
// compared as floats.
func texTypes(mods, args string, compared bool) []isa.Op {
	coords := " / s32 f32"
	if strings.HasPrefix(mods, "grad") {
		coords = " / f32"
	}
	words := "u32 s32 f32"
	if compared {
		words = "f32"
	}
	row := isa.Op{Name: "tex", Mods: mods + " v4", Types: words + coords, Args: "E|p:b32" + args, Unit: isa.Tex, Class: isa.Variable, Since: 10, Doc: "9.7.10.3", Bind: bindTex}
	half, pair := row, row
	half.Types, half.Args, half.Since, half.SM = "f16"+coords, "E|p:b16"+args, 42, 53
	pair.Mods, pair.Types, pair.Since, pair.SM = mods+" v2", "f16x2"+coords, 42, 53
	return []isa.Op{row, half, pair}
}

// SamplerApart is Inst.Imm of an access whose sampler has a handle of its own.
const SamplerApart = 1

func geometryOf(f *isa.Form) (g sample.Geometry) {
	name := f.Any("1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms")
	rest, array := strings.CutPrefix(name, "a")
	g.Array = array
	switch rest {
	case "1d":
		g.Dims = 1
	case "2d":
		g.Dims = 2
	case "2dms":
		g.Dims, g.Sample = 2, true
	case "3d":
		g.Dims = 3
	default:
		g.Dims, g.Cube = 3, true
	}
	return g
}

// listed is the length of a list of n numbers: PTX knows lists of one, two and
// four.
func listed(n int) int {
	if n == 3 {
		return 4
	}
	return n
}

// texShape is where the parts of a form's Inst.Vec lie.
type texShape struct {
	sample.Geometry
	detail          sample.Detail
	results         int
	halves, whole   bool
	coords, vectors int // of coordinates; of derivatives and offsets
	offsets         bool
}

func texShapeOf(f *isa.Form) texShape {
	s := texShape{Geometry: geometryOf(f), results: 4, whole: f.Type(1) == isa.S32}
	s.vectors = listed(s.Dims)
	s.coords = s.Dims
	for _, more := range []bool{s.Array, s.Sample} {
		if more {
			s.coords++
		}
	}
	s.coords = listed(s.coords)
	switch f.Type(0) {
	case isa.F16:
		s.halves = true
	case isa.F16x2:
		s.results, s.halves = 2, true
	}
	switch f.Any("level", "grad") {
	case "level":
		s.detail = sample.Level
	case "grad":
		s.detail = sample.Gradient
	}
	s.offsets = strings.Contains(f.Op.Args, "O:")
	return s
}

// needed is the length of Inst.Vec.
func (s *texShape) needed() int {
	n := s.results + s.coords
	if s.detail == sample.Gradient {
		n += 2 * s.vectors
	}
	if s.offsets {
		n += s.vectors
	}
	return n
}

// place reads the operands of lane l.
func (s *texShape) place(w *isa.Warp, in *isa.Inst, l int) sample.Place {
	p := sample.Place{Geometry: s.Geometry, Detail: s.detail}
	vec := in.Vec[s.results:]
	next := func() uint32 {
		v := w.Row(vec[0])[l]
		vec = vec[1:]
		return v
	}
	list := func(n int, use func(i int, v uint32)) {
		rest := vec[n:]
		for i := range s.Dims {
			use(i, next())
		}
		vec = rest
	}
	coords := s.coords
	if s.Array {
		p.Layer = next()
		coords--
	}
	if s.Sample {
		p.Sample = int32(next())
		coords--
	}
	list(coords, func(i int, v uint32) { p.At[i], p.Cell[i] = math.Float32frombits(v), int32(v) })
	if s.detail == sample.Gradient {
		for a := range p.Slope {
			list(s.vectors, func(i int, v uint32) { p.Slope[a][i] = math.Float32frombits(v) })
		}
	}
	if s.offsets {
		list(s.vectors, func(i int, v uint32) { p.Offset[i] = int32(v) })
	}
	if s.detail == sample.Level {
		v := w.Row(in.B)[l]
		p.Number, p.Whole = math.Float32frombits(v), int32(v)
	}
	return p
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

// image is the texture of lane l with its sampler; ok is false after a trap.
func (f *finder) image(in *isa.Inst, l int) (m sample.Image, ok bool) {
	t := f.of(in, l)
	if t == nil {
		return m, false
	}
	if !sample.Decodes(t.Format) {
		f.w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "textures of BC6 and BC7 blocks are not supported"})
		return m, false
	}
	m = sample.Image{Texture: t, Sampler: &t.Sampler, Read: func(a uint64, n int) []byte { return f.w.Bytes(isa.Global, l, a, n, 1, false) }}
	if in.Imm == SamplerApart {
		h := f.w.Get64(in.M, l)
		if m.Sampler = f.w.CTA.Sampler(h); m.Sampler == nil {
			f.w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: h, Note: "no sampler has this handle"})
			return m, false
		}
	}
	return m, true
}

func bindTex(f *isa.Form) isa.Handler {
	s := texShapeOf(f)
	if s.whole && s.Cube || s.Sample && !s.whole {
		return nil
	}
	return s.handler(func(m *sample.Image, p *sample.Place) sample.Texel {
		if s.whole {
			return m.Fetch(p)
		}
		return m.Sample(p)
	})
}

func bindGather(f *isa.Form) isa.Handler {
	s := texShapeOf(f)
	channel := map[string]int{"r": 0, "g": 1, "b": 2, "a": 3}[f.Any("r", "g", "b", "a")]
	return s.handler(func(m *sample.Image, p *sample.Place) sample.Texel { return m.Gather(p, channel) })
}

// handler reads a texture in each lane.
func (s *texShape) handler(read func(m *sample.Image, p *sample.Place) sample.Texel) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) != s.needed() {
			lacking(w, in, s.needed())
			return
		}
		find := finder{w: w}
		for l := range w.Mask.All {
			m, ok := find.image(in, l)
			if !ok {
				return
			}
			p := s.place(w, in, l)
			s.store(w, in, l, read(&m, &p))
			if w.Trap.Kind != isa.NoTrap {
				return
			}
		}
		w.SetPred(in.P, isa.Full)
	}
}

// store writes the results of lane l.
func (s *texShape) store(w *isa.Warp, in *isa.Inst, l int, v sample.Texel) {
	if s.halves {
		for i := range v {
			v[i] = uint32(alu.CvtF16F32(alu.RN, v[i]))
		}
	}
	if s.results == 2 {
		v[0], v[1] = v[0]|v[1]<<16, v[2]|v[3]<<16
	}
	for i, d := range in.Vec[:s.results] {
		w.Regs[d][l] = v[i]
	}
}

func bindQuery(f *isa.Form) isa.Handler {
	what, surface := f.Mods[len(f.Mods)-1], f.Op.Name == "suq"
	level := f.Has("level")
	if level {
		what = f.Any("width", "height", "depth")
	}
	return func(w *isa.Warp, in *isa.Inst) {
		find := finder{w: w, surface: surface}
		for l := range w.Mask.All {
			t := find.of(in, l)
			if t == nil {
				return
			}
			n := 0
			if level {
				n = int(int32(w.Row(in.B)[l]))
			}
			w.Regs[in.D][l] = sample.Query(t, what, n, surface)
		}
	}
}

// bindSamplerQuery asks a sampler, or the one of a texture.
func bindSamplerQuery(f *isa.Form) isa.Handler {
	what := f.Mods[0]
	return func(w *isa.Warp, in *isa.Inst) {
		find := finder{w: w}
		for l := range w.Mask.All {
			s := w.CTA.Sampler(w.Get64(in.A, l))
			if s == nil {
				t := find.of(in, l)
				if t == nil {
					return
				}
				s = &t.Sampler
			}
			w.Regs[in.D][l] = s.Query(what)
		}
	}
}

// bindIsType tells what a handle is: nothing, if a program made it at run time, as
// the card says of objects; a sampler, if the module describes one.
func bindIsType(f *isa.Form) isa.Handler {
	sampler := f.Has("samplerref")
	return func(w *isa.Warp, in *isa.Inst) {
		var is isa.Mask
		for l := range w.Mask.All {
			if sampler && w.CTA.Sampler(w.Get64(in.A, l)) != nil {
				is |= isa.Lane(l)
			}
		}
		w.SetPred(in.P, is)
	}
}
