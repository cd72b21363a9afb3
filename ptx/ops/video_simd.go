package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// videoSIMD is PTX ISA 9.7.18, SIMD video instructions: two halves or four
// bytes at a time. Elements of a and b are chosen from both registers, a's
// lowest; the elements that the destination does not name come from c, or, with
// .add, count nothing.
var videoSIMD = []isa.Op{
	{Name: "vadd2", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.1", Bind: bindVideoSIMD},
	{Name: "vsub2", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.1", Bind: bindVideoSIMD},
	{Name: "vavrg2", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.1", Bind: bindVideoSIMD},
	{Name: "vabsdiff2", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.1", Bind: bindVideoSIMD},
	{Name: "vmin2", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.1", Bind: bindVideoSIMD},
	{Name: "vmax2", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.1", Bind: bindVideoSIMD},
	{Name: "vset2", Mods: "scmp {add}", Types: vsetTypes, Args: "d.:u32, a.:0, b.:1, c:u32", Since: 30, SM: 30, Doc: "9.7.18.2", Bind: bindVideoSIMD},
	{Name: "vadd4", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.3", Bind: bindVideoSIMD},
	{Name: "vsub4", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.3", Bind: bindVideoSIMD},
	{Name: "vavrg4", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.3", Bind: bindVideoSIMD},
	{Name: "vabsdiff4", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.3", Bind: bindVideoSIMD},
	{Name: "vmin4", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.3", Bind: bindVideoSIMD},
	{Name: "vmax4", Mods: "{sat|add}", Types: videoTypes, Args: "d., a., b., c", Since: 30, SM: 30, Doc: "9.7.18.3", Bind: bindVideoSIMD},
	{Name: "vset4", Mods: "scmp {add}", Types: vsetTypes, Args: "d.:u32, a.:0, b.:1, c:u32", Since: 30, SM: 30, Doc: "9.7.18.4", Bind: bindVideoSIMD},
}

// videoSIMDOp is a bound SIMD video instruction of n elements.
type videoSIMDOp struct {
	n, width int
	op       func(a, b int64) int64
	types    [3]isa.Type // of d, a and b
	sat      bool
}

// elements is the choice of a source's elements: the default is the first n
// of {b,a} from element first on.
func (s selector) elements(n int, first uint32) (chosen [4]uint32) {
	for i := range n {
		chosen[i] = first + uint32(i)
		if s.count > 0 {
			chosen[i] = s.digits >> (4 * i) & 0xf
		}
	}
	return chosen
}

// mask is the set of a destination's elements, all n if none is named.
func (s selector) mask(n int) uint32 {
	if s.count == 0 {
		return 1<<n - 1
	}
	var m uint32
	for i := range s.count {
		m |= 1 << (s.digits >> (4 * i) & 0xf)
	}
	return m
}

func bindVideoSIMD(f *isa.Form) isa.Handler {
	s := videoSIMDOp{n: 2, width: 16, op: videoFunction(f), sat: f.Has("sat")}
	if name := f.Op.Name; name[len(name)-1] == '4' {
		s.n, s.width = 4, 8
	}
	s.types = [3]isa.Type{f.Type(0), f.Type(1), f.Type(2)}
	if len(f.Types) == 2 { // vset's result is unsigned
		s.types = [3]isa.Type{isa.U32, f.Type(0), f.Type(1)}
	}
	finish := s.merge
	if f.Has("add") {
		finish = s.accumulate
	}
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b, c := w.Args3(in)
		mask := selectorOf(in, 'd').mask(s.n)
		as, bs := selectorOf(in, 'a').elements(s.n, 0), selectorOf(in, 'b').elements(s.n, uint32(s.n))
		for l := range m.All {
			t := s.compute(uint64(b[l])<<32|uint64(a[l]), as, bs)
			d[l] = finish(t, c[l], mask)
		}
	}
}

func (s videoSIMDOp) compute(ba uint64, as, bs [4]uint32) (t [4]int64) {
	for i := range s.n {
		a := part(ba, as[i], s.width, s.types[1].IsSigned())
		b := part(ba, bs[i], s.width, s.types[2].IsSigned())
		t[i] = s.op(a, b)
		if s.sat {
			t[i] = clampTo(t[i], s.width, s.types[0].IsSigned())
		}
	}
	return t
}

// merge lays the elements of the mask over c.
func (s videoSIMDOp) merge(t [4]int64, c, mask uint32) uint32 {
	for i := range s.n {
		if mask>>i&1 != 0 {
			c = merged(uint32(t[i]), c, uint32(i), s.width)
		}
	}
	return c
}

// accumulate adds the elements of the mask to c.
func (s videoSIMDOp) accumulate(t [4]int64, c, mask uint32) uint32 {
	for i := range s.n {
		if mask>>i&1 != 0 {
			c += uint32(t[i])
		}
	}
	return c
}
