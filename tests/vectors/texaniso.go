package vectors

import "fmt"

// anisotropies filter by derivatives along the longer axis of a footprint: with every
// limit that the hardware has, in every format and geometry, and what the limit does to
// accesses without derivatives.
func (l *accesses) anisotropies() {
	grad := map[string]string{
		"1d": ", {%s1}, {%s2}", "a1d": ", {%s2}, {%s3}", "2d": ", {%s2, %s3}, {%s4, %s5}", "a2d": ", {%s3, %s4}, {%s5, %s6}",
		"3d": ", {%s3, %s4, %s5, %s5}, {%s6, %s7, %s8, %s8}", "cube": ", {%s3, %s4, %s5, %s5}, {%s6, %s7, %s8, %s8}", "acube": ", {%s4, %s5, %s6, %s6}, {%s7, %s8, %s9, %s9}",
	}
	places := map[string][]Source{
		"1d": {inside(64, true)}, "a1d": {cells(3), inside(64, true)}, "2d": {inside(64, true), inside(50, true)}, "a2d": {cells(3), inside(64, true), inside(50, true)},
		"3d": {inside(64, true), inside(50, true), inside(16, true)}, "cube": {direction, direction, direction}, "acube": {cells(2), direction, direction, direction},
	}
	dims := map[string]int{"1d": 1, "a1d": 1, "2d": 2, "a2d": 2, "3d": 3, "cube": 3, "acube": 3}
	object := func(geom string, f texelFormat, texels string, anisotropy int) Object {
		o := mipmap(f, texels, 6, map[string][]int{"1d": {64}, "a1d": {64, 0, 3}, "2d": {64, 50}, "a2d": {64, 50, 3}, "3d": {64, 50, 16}, "cube": {64, 64, 6}, "acube": {64, 64, 12}}[geom]...)
		if geom[0] == 'a' {
			o.Flags |= layeredArray
		}
		if dims[geom] == 3 && geom != "3d" {
			o.Flags |= cubeArray
		}
		o.Sampler.Anisotropy, o.Sampler.Linear, o.Sampler.LinearMip = anisotropy, true, true
		return o
	}
	add := func(name, geom string, threads int, o Object) {
		sources := append([]Source{}, places[geom]...)
		for range 2 * dims[geom] {
			sources = append(sources, slope)
		}
		l.add(&Access{Name: fmt.Sprintf("anisotropic tex.grad.%s, %s", geom, name), Object: o, Body: texBody("grad", geom, floatFloat, grad[geom]), Sources: sources, Results: 4, Threads: threads})
	}
	for _, anisotropy := range []int{1, 2, 3, 4, 6, 7, 8, 10, 12, 15, 16, 17} {
		for filters := range 8 {
			o := object("2d", f32x1, "unit", anisotropy).with(func(o *Object) {
				o.Sampler.Linear, o.Sampler.LinearMip, o.Sampler.NoTrilinearBlend = filters&1 != 0, filters&2 != 0, filters&4 != 0
				o.Sampler.Address = [3]int{anisotropy % 4, filters % 4, 1}
			})
			add(fmt.Sprintf("ratio %d, linear %t, between levels %t, all of it %t", anisotropy, filters&1 != 0, filters&2 != 0, filters&4 != 0), "2d", 256, o)
		}
		for _, noBlend := range []bool{false, true} {
			for _, mode := range []string{"level", "", "base"} {
				o := object("2d", f32x1, "level", anisotropy).with(func(o *Object) {
					o.Sampler.NoTrilinearBlend = noBlend
					o.Sampler.Bias = 1.3
				})
				sources, more := append([]Source{}, places["2d"]...), ""
				if mode == "level" {
					sources, more = append(sources, detail), ", %s2"
				}
				l.add(&Access{Name: fmt.Sprintf("anisotropic tex.%s.2d, ratio %d, all between levels %t", mode, anisotropy, noBlend), Object: o, Body: texBody(mode, "2d", floatFloat, more), Sources: sources, Results: 1, Threads: 256})
			}
		}
	}
	for _, f := range []texelFormat{u8x1, u8x4, s8x1, s8x4, u16x1, s16x1, u16x4, f16x1, f16x4, f32x4} {
		for _, texels := range []string{"unit", "wide", "mixed"} {
			if f.kind != floatKind && texels != "unit" {
				continue
			}
			o := object("2d", f, texels, 16).with(func(o *Object) { o.Sampler.Normal = f.kind != floatKind })
			add(fmt.Sprintf("%s %s", f, texels), "2d", 1024, o)
			add(fmt.Sprintf("%s %s, nearest", f, texels), "2d", 512, o.with(func(o *Object) { o.Sampler.Linear = false }))
			add(fmt.Sprintf("%s %s, one level", f, texels), "2d", 512, o.with(func(o *Object) { o.Sampler.Most = 0 }))
			add(fmt.Sprintf("%s %s, border", f, texels), "2d", 512, o.with(func(o *Object) { o.Sampler.Address, o.Sampler.Border = [3]int{3, 3, 3}, [4]float32{0.3, 0.6, 7, -2} }))
		}
	}
	add("sRGB", "2d", 1024, object("2d", u8x4, "random", 16).with(func(o *Object) { o.Sampler.Normal, o.Sampler.SRGB = true, true }))
	for _, geom := range []string{"1d", "a1d", "a2d", "3d", "cube", "acube"} {
		for _, anisotropy := range []int{1, 4, 16} {
			for _, texels := range []string{"level", "unit"} {
				o := object(geom, f32x1, texels, anisotropy)
				add(fmt.Sprintf("%s, ratio %d", texels, anisotropy), geom, 512, o)
				add(fmt.Sprintf("%s, ratio %d, seamless, nearest", texels, anisotropy), geom, 512, o.with(func(o *Object) { o.Sampler.Seamless, o.Sampler.Linear = true, false }))
			}
		}
	}
}
