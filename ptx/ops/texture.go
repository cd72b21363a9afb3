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
	{Name: "tld4", Mods: "r|g|b|a " + gatherGeometry + " v4", Types: "u32 s32 f32 / f32", Args: "E|p, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 22, SM: 20, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "tld4", Mods: "r|g|b|a 2d|a2d v4", Types: "u32 s32 f32 / f32", Args: "E|p, [t], O:s32", Unit: isa.Tex, Class: isa.Variable, Since: 43, SM: 30, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "tld4", Mods: "r|g|b|a " + gatherGeometry + " v4", Types: "f32 / f32", Args: "E|p, [t], c:b32", Unit: isa.Tex, Class: isa.Variable, Since: 43, SM: 30, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "tld4", Mods: "r|g|b|a 2d|a2d v4", Types: "f32 / f32", Args: "E|p, [t], O:s32, c:b32", Unit: isa.Tex, Class: isa.Variable, Since: 43, SM: 30, Doc: "9.7.10.4", Bind: bindGather},
	{Name: "txq", Mods: texQueries, Types: "b32", Args: "d, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 15, Doc: "9.7.10.5", Bind: bindQuery},
	{Name: "txq", Mods: "level width|height|depth", Types: "b32", Args: "d, [t], b:u32", Unit: isa.Tex, Class: isa.Variable, Since: 31, SM: 20, Doc: "9.7.10.5", Bind: bindQuery},
	{Name: "txq", Mods: samplerQueries, Types: "b32", Args: "d, [t]", Unit: isa.Tex, Class: isa.Variable, Since: 15, Doc: "9.7.10.5", Bind: bindSamplerQuery},
	{Name: "istypep", Mods: "texref|samplerref|surfref", Args: "p, a:u64", Unit: isa.Tex, Since: 40, SM: 30, Doc: "9.7.10.6", Bind: bindIsType},
}...)

// texRows are the rows of tex: each way to choose a level of detail, each type of
// results, with and without offsets and a comparison.
func texRows() (rows []isa.Op) {
	for _, detail := range []struct{ mods, args string }{{"{base}", ""}, {"level", ", b:1"}, {"grad", ", F:1, F:1"}} {
		for _, extra := range []struct{ args, geometry string }{
			{"", texGeometry}, {", O:s32", "1d|2d|3d|a1d|a2d"}, {", c:b32", "1d|a1d|" + gatherGeometry}, {", O:s32, c:b32", "1d|a1d|2d|a2d"},
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
	row := isa.Op{Name: "tex", Mods: mods + " v4", Types: words + coords, Args: "E|p" + args, Unit: isa.Tex, Class: isa.Variable, Since: 10, Doc: "9.7.10.3", Bind: bindTex}
	half, pair := row, row
	half.Types, half.Args, half.Since, half.SM = "f16"+coords, "E|p"+args, 42, 53
	pair.Mods, pair.Types, pair.Since, pair.SM = mods+" v2", "f16x2"+coords, 42, 53
	return []isa.Op{row, half, pair}
}

// SamplerApart is Inst.Imm of an access whose sampler has a handle of its own.
const SamplerApart = 1

// Coordinates says how the list of coordinates of an access begins, with the index of a layer or not, and the type of the
// numbers that follow. ptxas asks registers for it only if they are the first.
func Coordinates(f *isa.Form) (layered bool, register, literal isa.Type) {
	layered, register, literal = f.Any("a1d", "a2d", "acube", "a2dms") != "", isa.B32, isa.S32
	switch {
	case f.Type(1) == isa.F32:
		literal = isa.F32
	case !layered:
		register = isa.S32
	}
	return layered, register, literal
}

// Samples reports an access by way of a sampler.
func Samples(f *isa.Form) bool { return f.Op.Name == "tex" || f.Op.Name == "tld4" }

// HandleOf is the type of the variable that an access names.
func HandleOf(f *isa.Form) string {
	if strings.HasPrefix(f.Op.Name, "su") {
		return "surfref"
	}
	return "texref"
}

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
	gathers         bool
	channel         int // that is gathered
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

// place makes p the place that lane l's operands say.
func (s *texShape) place(w *isa.Warp, in *isa.Inst, l int, p *sample.Place) {
	at := in.Vec[s.results:]
	rest := at[s.coords:]
	if s.Array {
		p.Layer, at = w.Row(at[0])[l], at[1:]
	}
	if s.Sample {
		p.Sample, at = int32(w.Row(at[0])[l]), at[1:]
	}
	for i, r := range at[:s.Dims] {
		v := w.Row(r)[l]
		p.At[i], p.Cell[i] = math.Float32frombits(v), int32(v)
	}
	if s.detail == sample.Gradient {
		for a := range p.Slope {
			for i, r := range rest[:s.Dims] {
				p.Slope[a][i] = math.Float32frombits(w.Row(r)[l])
			}
			rest = rest[s.vectors:]
		}
	}
	if s.offsets {
		for i, r := range rest[:s.Dims] {
			p.Offset[i] = int32(w.Row(r)[l])
		}
	}
	if s.detail == sample.Level {
		v := w.Row(in.B)[l]
		p.Number, p.Whole = math.Float32frombits(v), int32(v)
	}
}

// finder finds the textures that lanes name. Most often all name the same.
type finder struct {
	w       *isa.Warp
	surface bool
	handle  uint64
	found   *isa.Texture
	image   sample.Image // of found
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

// uniform reports that all lanes name one texture, and its own sampler.
func (f *finder) uniform(in *isa.Inst) bool {
	if in.Imm == SamplerApart {
		return false
	}
	low, high, first := f.w.Row(in.A), f.w.Row(isa.Above(in.A, 1)), f.w.Mask.First()
	for l := range low {
		if f.w.Mask>>l&1 != 0 && (low[l] != low[first] || high[l] != high[first]) {
			return false
		}
	}
	return true
}

// sampled makes f.image the texture of lane l with its sampler; it is false after
// a trap.
func (f *finder) sampled(in *isa.Inst, l int) bool {
	t := f.of(in, l)
	if t == nil {
		return false
	}
	s := &t.Sampler
	if in.Imm == SamplerApart {
		h := f.w.Get64(in.M, l)
		if s = f.w.CTA.Sampler(h); s == nil {
			f.w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: h, Note: "no sampler has this handle"})
			return false
		}
	}
	if t != f.image.Texture || s != f.image.Sampler {
		f.image.Of(t, s, f.w)
	}
	f.image.Lane = l
	return true
}

func bindTex(f *isa.Form) isa.Handler {
	s := texShapeOf(f)
	if s.whole && s.Cube || s.Sample && !s.whole {
		return nil
	}
	return s.handler()
}

func bindGather(f *isa.Form) isa.Handler {
	s := texShapeOf(f)
	s.gathers, s.channel = true, strings.Index("rgba", f.Any("r", "g", "b", "a"))
	return s.handler()
}

func (s *texShape) read(m *sample.Image, p *sample.Place) sample.Texel {
	switch {
	case s.gathers:
		return m.Gather(p, s.channel)
	case s.whole:
		return m.Fetch(p)
	}
	return m.Sample(p)
}

// handler reads a texture in each lane.
func (s *texShape) handler() isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) != s.needed() {
			lacking(w, in, s.needed())
			return
		}
		find := finder{w: w}
		p := sample.Place{Geometry: s.Geometry, Detail: s.detail}
		if s.atOnce(&find, in, &p) {
			w.SetPred(in.P, isa.Full)
			return
		}
		for l := range w.Mask.All {
			if !find.sampled(in, l) {
				return
			}
			s.place(w, in, l, &p)
			s.store(w, in, l, s.read(&find.image, &p))
			if w.Trap.Kind != isa.NoTrap {
				return
			}
		}
		w.SetPred(in.P, isa.Full)
	}
}

// atOnce reads in all lanes where they name one texture, if the access is a simple
// one; false if it is not. After a trap it is true too.
func (s *texShape) atOnce(f *finder, in *isa.Inst, p *sample.Place) bool {
	w := f.w
	if s.gathers || s.halves || s.offsets || w.Mask == 0 || !f.uniform(in) || !f.sampled(in, w.Mask.First()) {
		return w.Trap.Kind != isa.NoTrap
	}
	var r sample.Rows
	for i, v := range in.Vec[s.results : s.results+s.Dims] {
		r.At[i] = w.Row(v)
	}
	for i, d := range in.Vec[:s.results] {
		r.Out[i] = &w.Regs[d]
	}
	return f.image.Lanes(p, s.whole, &r, w.Mask)
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
