package vectors

import "fmt"

// mixtures read in combinations of geometry, format, filter, address modes, coordinates
// and levels that the other accesses, each of which is about one of them, do not meet.
func (l *accesses) mixtures() {
	r := newRandom("mixtures")
	geometries := []string{"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"}
	formats := []texelFormat{u8x1, u8x2, u8x4, s8x1, s8x4, u16x1, s16x1, u16x4, f16x1, f16x4, f32x1, f32x4, u32x1, s32x1, u32x4}
	for i := range 420 {
		l.mixture(i, r, geometries[r.below(len(geometries))], formats[r.below(len(formats))])
	}
}

// mixture is one access whose other choices are random.
func (l *accesses) mixture(n int, r *random, geom string, f texelFormat) {
	const w, h, d = 13, 10, 6
	chance := func() bool { return r.below(2) == 1 }
	extent := map[string][]int{"1d": {w}, "2d": {w, h}, "3d": {w, h, d}, "a1d": {w, 0, 3}, "a2d": {w, h, 3}, "cube": {w, w, 6}, "acube": {w, w, 12}}[geom]
	o := image(f, "unit", extent...)
	array, isCube := geom[0] == 'a', geom == "cube" || geom == "acube"
	if array {
		o.Flags |= layeredArray
	}
	if isCube {
		o.Flags |= cubeArray
	}
	integer := f.kind != floatKind
	s := &o.Sampler
	s.Normal = integer && f.bits[0] < 32 && r.below(4) > 0
	s.SRGB = s.Normal && f == u8x4 && chance()
	s.Linear = (s.Normal || !integer) && r.below(3) > 0
	s.Normalized = r.below(3) > 0 || isCube
	s.Address = [3]int{r.below(4), r.below(4), r.below(4)}
	s.Border = [4]float32{0.3, -0.6, 2.5, 0.75}
	s.Seamless = isCube && chance()
	mode := ""
	if s.Normalized && chance() {
		mode = []string{"level", "base", "grad"}[r.below(3-number(isCube))]
		o.Resource, o.Levels, s.Most = MipmapResource, 3, 100
		s.LinearMip = s.Linear && chance()
		s.Bias = float32(r.below(5)-2) / 3
	}
	types := "f32"
	if integer && !s.Normal {
		types = []string{"s32", "u32"}[f.kind]
	}
	var sources []Source
	if array {
		sources = append(sources, cells(3-number(isCube)))
	}
	dims := 3
	if !isCube {
		dims = int(geom[len(geom)-2] - '0')
	}
	for i := range dims {
		if isCube {
			sources = append(sources, direction)
			continue
		}
		sources = append(sources, sweep(o.axis(i), s.Normalized))
	}
	more := ""
	switch at := len(sources); mode {
	case "level":
		more, sources = fmt.Sprintf(", %%s%d", at), append(sources, detail)
	case "grad":
		lists := []string{"{%%s%[1]d}, {%%s%[2]d}", "{%%s%[1]d, %%s%[2]d}, {%%s%[3]d, %%s%[4]d}", "{%%s%[1]d, %%s%[2]d, %%s%[3]d, %%s%[3]d}, {%%s%[4]d, %%s%[5]d, %%s%[6]d, %%s%[6]d}"}
		more = ", " + fmt.Sprintf(lists[dims-1], []any{at, at + 1, at + 2, at + 3, at + 4, at + 5}[:2*dims]...)
		for range 2 * dims {
			sources = append(sources, slope)
		}
	}
	name := fmt.Sprintf("mixture %d: tex.%s.%s of %s as %s, modes %v", n, mode, geom, f, types, s.Address)
	body := texBody(mode, geom, types+" f32", more)
	if mode == "" && dims == 2 && f.bits[1] != 0 && r.below(3) == 0 { // four elements at once
		body = "tld4." + []string{"r", "g", "b", "a"}[r.below(4)] + body[len("tex"):]
		if geom == "2d" {
			o.Flags |= gatherArray
		}
	}
	l.add(&Access{Name: name, Object: o, Body: body, Sources: sources, Results: 4, Threads: 256})
}

// axis is the number of elements along an axis.
func (o *Object) axis(i int) int { return []int{o.Width, o.Height, o.Depth}[i] }
