package vectors

import "fmt"

// spellings reads by every spelling of tex once, as far as the assembler takes it. Left
// out are derivatives of whole coordinates, which the manual does not have though the
// assembler does, those of directions, see inexact, and those of one dimension with a
// depth, of which a card makes zeros.
func (l *accesses) spellings() {
	for _, mode := range []string{"", "base", "level", "grad"} {
		for _, geom := range []string{"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"} {
			for _, types := range []string{"v4.f16.f32", "v2.f16x2.f32", "v4.f16.s32", "v2.f16x2.s32", "v4.u32.f32", "v4.s32.f32", "v4.f32.f32", "v4.f32.s32", "v4.u32.s32", "v4.s32.s32"} {
				for more := range 4 {
					offset, depth := more&1 != 0, more&2 != 0
					if depth && types[len(types)-7:] != "f32.f32" && types[len(types)-7:] != "f16.f32" && types != "v2.f16x2.f32" {
						continue
					}
					cube, whole := geom == "cube" || geom == "acube", types[len(types)-3:] == "s32"
					if cube && (offset || whole) || depth && geom == "3d" || mode == "grad" && (cube || whole || depth && geom == "1d") {
						continue
					}
					l.spelling(mode, geom, types, offset, depth)
				}
			}
		}
	}
}

// spelling is one access.
func (l *accesses) spelling(mode, geom, types string, offset, depth bool) {
	s := speller{mode: mode, geom: geom, whole: types[len(types)-3:] == "s32", dims: int(geom[len(geom)-2] - '0'), array: geom[0] == 'a'}
	if s.cube = geom == "cube" || geom == "acube"; s.cube {
		s.dims = 3
	}
	name := "tex."
	if mode != "" {
		name += mode + "."
	}
	name += geom + "." + types
	text := "{%d0, %d1, %d2, %d3}"
	pack, results := "", 4
	switch types[:4] {
	case "v4.f":
		if types[4:6] == "16" {
			text, pack, results = "{%h0, %h1, %h2, %h3}", "\nmov.b32 %d0, {%h0, %h1};\nmov.b32 %d1, {%h2, %h3};", 2
		}
	case "v2.f":
		text, results = "{%d0, %d1}", 2
	}
	body := name + " " + text + ", [%obj, " + s.coordinates() + "]"
	switch mode {
	case "level":
		body += ", " + s.next(s.detail())
	case "grad":
		body += ", " + s.list(constant(1.0/8)) + ", " + s.list(constant(0))
	}
	whole := "every "
	if offset {
		body, whole = body+", "+s.list(Source{"small", func(r *random, _ int) uint32 { return uint32(r.below(5) - 2) }}), whole+"offset "
	}
	if depth {
		body, whole = body+", "+s.next(Source{"depth", func(r *random, _ int) uint32 { return uint32(0x3f000000 + r.below(1<<23)) }}), whole+"depth "
	}
	l.add(&Access{Name: whole + name, Object: s.object(types, depth), Body: body + ";" + pack, Sources: s.sources, Results: results, Threads: 128})
}

// speller collects the operands of an access.
type speller struct {
	mode, geom         string
	whole, array, cube bool
	dims               int
	sources            []Source
}

// next is a register for a source.
func (s *speller) next(x Source) string {
	s.sources = append(s.sources, x)
	return fmt.Sprintf("%%s%d", len(s.sources)-1)
}

// list is a vector of as many as there are dimensions, of three as four.
func (s *speller) list(x Source) string {
	text := "{" + s.next(x)
	for range s.dims - 1 {
		text += ", " + s.next(x)
	}
	if s.dims == 3 {
		text += fmt.Sprintf(", %%s%d", len(s.sources)-1)
	}
	return text + "}"
}

// size is the extent of the objects along each axis.
const size = 16

func (s *speller) coordinates() string {
	text, n := "{", s.dims
	if s.array {
		text, n = "{"+s.next(cells(3))+", ", n+1
	}
	for i := range s.dims {
		x := inside(size, true)
		switch {
		case s.cube:
			x = direction
		case s.whole:
			x = cells(size)
		}
		if i > 0 {
			text += ", "
		}
		text += s.next(x)
	}
	if n == 3 {
		text += fmt.Sprintf(", %%s%d", len(s.sources)-1)
	}
	return text + "}"
}

func (s *speller) detail() Source {
	if s.whole {
		return Source{"levels 3", func(r *random, _ int) uint32 { return uint32(r.below(3)) }}
	}
	return detail
}

// object is what is read: bytes as integers, floats that are weighed, one channel of
// them to be compared with a depth.
func (s *speller) object(types string, depth bool) Object {
	f, texels := f32x4, "unit"
	switch {
	case depth:
		f = f32x1
	case types[3] == 'u' || types[3] == 's':
		f, texels = u8x4, "random"
	}
	extent := []int{size, size, size}[:min(s.dims, 3)]
	o := mipmap(f, texels, 3, extent...)
	if s.cube {
		o = cube(f, texels, size, 3, 6)
	}
	if s.array {
		if o.Flags, o.Depth = o.Flags|layeredArray, 3; s.cube {
			o.Depth = 18
		}
	}
	o.Sampler.Linear = f.kind == floatKind && !s.whole
	o.Sampler.Normalized = !s.whole
	if s.mode == "" {
		o.Resource, o.Levels = ArrayResource, 0
	}
	return o
}
