package vectors

import (
	"fmt"
	"math"
	"strings"
)

// fetches reads elements at whole coordinates, from arrays and from memory.
func (l *accesses) fetches() {
	fetch := func(name, geom string, o Object, sources ...Source) {
		l.add(&Access{Name: "tex." + geom + " at whole coordinates, " + name, Object: o, Body: texBody("", geom, "u32 s32", ""), Sources: sources, Results: 4, Threads: 512})
	}
	for mode := range 4 {
		modes := func(o *Object) { o.Sampler.Address = [3]int{mode, mode, mode} }
		name := fmt.Sprint("mode ", mode)
		fetch(name, "1d", image(u32x1, "random", 50).with(modes), cells(50))
		fetch(name, "2d", image(u32x4, "random", 20, 9).with(modes), cells(20), cells(9))
		fetch(name, "3d", image(u8x4, "random", 10, 9, 8).with(modes), cells(10), cells(9), cells(8))
	}
	layered := func(o *Object) { o.Flags = layeredArray }
	a1d := image(u32x1, "random", 20).with(func(o *Object) { o.Depth, o.Flags = 6, layeredArray })
	fetch("layers", "a1d", a1d, cells(6), cells(20))
	fetch("layers", "a2d", image(u32x1, "random", 20, 9, 6).with(layered), cells(6), cells(20), cells(9))
	memory := func(o *Object) { o.Resource = LinearResource }
	fetch("memory", "1d", image(u32x1, "random", 100).with(memory), cells(100))
	fetch("memory u8x4", "1d", image(u8x4, "random", 100).with(memory), cells(100))
	pitched := func(o *Object) { o.Resource = PitchedResource }
	fetch("pitched memory", "2d", image(u32x1, "random", 30, 20).with(pitched), cells(30), cells(20))
	for _, normalized := range []bool{false, true} {
		o := image(f32x1, "unit", 64, 20).with(pitched).with(func(o *Object) {
			o.Sampler.Linear, o.Sampler.Normalized = true, normalized
		})
		l.add(&Access{Name: fmt.Sprintf("tex.2d pitched memory, linear, normalized %t", normalized), Object: o, Body: texBody("", "2d", floatFloat, ""),
			Sources: []Source{sweep(64, normalized), sweep(20, normalized)}, Results: 4, Threads: 1024})
	}
	l.add(&Access{Name: "tex.1d memory at float coordinates", Object: image(f32x1, "ramp", 100).with(memory), Body: texBody("", "1d", floatFloat, ""), Sources: []Source{sweep(100, false)}, Results: 4, Threads: 512})
}

// mipmap is a mipmapped array, sampled at normalized coordinates.
func mipmap(f texelFormat, texels string, levels int, extent ...int) Object {
	return image(f, texels, extent...).with(func(o *Object) {
		o.Resource, o.Levels = MipmapResource, levels
		o.Sampler.Normalized, o.Sampler.Most = true, 100
	})
}

// levels reads chosen levels of detail: in levels that differ by a constant the
// result says which were read, and how they were weighed.
func (l *accesses) levels() {
	level := func(name, geom string, o Object, threads int, sources ...Source) {
		at := geometryText[geom].needed
		l.add(&Access{Name: "tex.level." + geom + " " + name, Object: o, Body: texBody("level", geom, floatFloat, fmt.Sprintf(", %%s%d", at)), Sources: append(sources, detail), Results: 4, Threads: threads})
	}
	for _, linear := range []bool{false, true} {
		for _, s := range []Sampler{{Most: 100}, {Least: 1.5, Most: 3.25}, {Bias: 0.75, Most: 100}, {Bias: -1.3, Least: 0.3, Most: 5.7}, {Least: 3, Most: 2}, {Most: 0}, {Bias: 20, Least: -5, Most: 4}} {
			o := mipmap(f32x1, "level", 9, 256, 256).with(func(o *Object) {
				s.Address, s.Normalized, s.LinearMip = o.Sampler.Address, true, linear
				o.Sampler = s
			})
			level(fmt.Sprintf("number, linear %t, bias %g, %g to %g", linear, s.Bias, s.Least, s.Most), "2d", o, 1024, zeros, zeros)
		}
	}
	for _, filters := range []int{0, 1, 2, 3} {
		filter := func(o *Object) { o.Sampler.Linear, o.Sampler.LinearMip = filters&1 != 0, filters&2 != 0 }
		name := fmt.Sprintf("linear %t, between levels %t", filters&1 != 0, filters&2 != 0)
		level(name, "1d", mipmap(f32x1, "unit", 7, 100).with(filter), 1024, inside(100, true))
		level(name, "2d", mipmap(f32x1, "unit", 7, 100, 50).with(filter), 2048, inside(100, true), inside(50, true))
		level(name, "3d", mipmap(f32x1, "unit", 4, 20, 12, 10).with(filter), 2048, inside(20, true), inside(12, true), inside(10, true))
		level(name, "a2d", mipmap(f32x1, "unit", 5, 20, 12, 4).with(filter).with(func(o *Object) { o.Flags = layeredArray }), 1024, cells(4), inside(20, true), inside(12, true))
		level(name+" of u8", "2d", mipmap(u8x1, "random", 7, 100, 50).with(filter).with(func(o *Object) { o.Sampler.Normal = true }), 2048, inside(100, true), inside(50, true))
	}
	level("corners", "2d", mipmap(f32x4, "corners", 2, 2, 2).with(func(o *Object) { o.Sampler.Linear, o.Sampler.LinearMip = true, true }), 4096, inside(2, true), inside(2, true))
	level("corners", "3d", mipmap(f32x4, "corners", 2, 2, 2, 2).with(func(o *Object) { o.Sampler.Linear, o.Sampler.LinearMip = true, true }), 4096, inside(2, true), inside(2, true), inside(2, true))
	o := mipmap(f32x1, "unit", 7, 100, 50)
	l.add(&Access{Name: "tex.2d of a mipmapped array", Object: o.with(func(o *Object) { o.Sampler.Linear, o.Sampler.LinearMip, o.Sampler.Bias = true, true, 1.5 }), Body: texBody("", "2d", floatFloat, ""), Sources: []Source{inside(100, true), inside(50, true)}, Results: 4, Threads: 256})
	l.add(&Access{Name: "tex.base.2d of a mipmapped array", Object: o, Body: texBody("base", "2d", floatFloat, ""), Sources: []Source{inside(100, true), inside(50, true)}, Results: 4, Threads: 256})
	l.add(&Access{Name: "tex.level.2d at whole coordinates", Object: mipmap(u32x1, "random", 5, 20, 12).with(func(o *Object) { o.Sampler.Normalized = false }), Body: texBody("level", "2d", "u32 s32", ", %s2"),
		Sources: []Source{cells(20), cells(12), {"levels", func(r *random, i int) uint32 { return uint32(r.below(8) - 1) }}}, Results: 4, Threads: 512})
	l.add(&Access{Name: "tex.level.2d of an array of one level", Object: image(f32x1, "unit", 20, 12).with(func(o *Object) { o.Sampler.Normalized = true }), Body: texBody("level", "2d", floatFloat, ", %s2"), Sources: []Source{inside(20, true), inside(12, true), detail}, Results: 4, Threads: 256})
}

// gradients reads by derivatives.
func (l *accesses) gradients() {
	grad := func(name, geom string, o Object, threads int, sources ...Source) {
		n := geometryText[geom].needed
		lists := map[string]string{"1d": "{%%s%d}, {%%s%d}", "2d": "{%%s%d, %%s%d}, {%%s%d, %%s%d}", "3d": "{%%s%d, %%s%d, %%s%d, %%s%[1]d}, {%%s%d, %%s%d, %%s%d, %%s%[1]d}", "a2d": "{%%s%d, %%s%d}, {%%s%d, %%s%d}", "cube": "{%%s%d, %%s%d, %%s%d, %%s%[1]d}, {%%s%d, %%s%d, %%s%d, %%s%[1]d}"}
		var numbers []any
		for i := range len(sources) - n {
			numbers = append(numbers, n+i)
		}
		more := fmt.Sprintf(lists[geom], numbers...)
		if geom == "3d" || geom == "cube" {
			more = fmt.Sprintf("{%%s%d, %%s%d, %%s%d, %%s%d}, {%%s%d, %%s%d, %%s%d, %%s%d}", n, n+1, n+2, n, n+3, n+4, n+5, n)
		}
		l.add(&Access{Name: "tex.grad." + geom + " " + name, Object: o, Body: texBody("grad", geom, floatFloat, ", "+more), Sources: sources, Results: 4, Threads: threads})
	}
	number := func(anisotropy int) Object {
		return mipmap(f32x1, "level", 12, 2048, 2048).with(func(o *Object) {
			o.Sampler.LinearMip, o.Sampler.Linear, o.Sampler.Anisotropy = true, true, anisotropy
		})
	}
	for _, anisotropy := range []int{0, 1, 2, 4, 16} {
		name := fmt.Sprint("number, anisotropy ", anisotropy)
		grad(name+", along x", "2d", number(anisotropy), 2048, zeros, zeros, slope, zeros, zeros, zeros)
		grad(name+", along y", "2d", number(anisotropy), 512, zeros, zeros, zeros, zeros, zeros, slope)
		grad(name+", square", "2d", number(anisotropy), 1024, zeros, zeros, slope, zeros, zeros, slope)
		grad(name, "2d", number(anisotropy), 2048, zeros, zeros, slope, slope, slope, slope)
		o := mipmap(f32x1, "unit", 7, 64, 64).with(func(o *Object) { o.Sampler.LinearMip, o.Sampler.Linear, o.Sampler.Anisotropy = true, true, anisotropy })
		grad(fmt.Sprint("unit, anisotropy ", anisotropy), "2d", o, 2048, inside(64, true), inside(64, true), slope, slope, slope, slope)
	}
	grad("number", "1d", mipmap(f32x1, "level", 12, 2048).with(func(o *Object) { o.Sampler.LinearMip = true }), 1024, zeros, slope, slope)
	grad("number", "3d", mipmap(f32x1, "level", 6, 32, 32, 32).with(func(o *Object) { o.Sampler.LinearMip = true }), 1024, zeros, zeros, zeros, slope, slope, slope, slope, slope, slope)
	grad("number", "a2d", mipmap(f32x1, "level", 8, 128, 128, 3).with(func(o *Object) { o.Sampler.LinearMip, o.Flags = true, layeredArray }), 512, cells(3), zeros, zeros, slope, slope, slope, slope)
	grad("number", "cube", cube(f32x1, "level", 64, 7, 6).with(func(o *Object) { o.Sampler.LinearMip = true }), 1024, direction, direction, direction, slope, slope, slope, slope, slope, slope)
}

// cube is a cubemap, or several.
func cube(f texelFormat, texels string, width, levels, faces int) Object {
	return mipmap(f, texels, levels, width, width, faces).with(func(o *Object) {
		o.Flags = cubeArray
		if faces > 6 {
			o.Flags |= layeredArray
		}
	})
}

// cubes reads cubemaps.
func (l *accesses) cubes() {
	for _, seamless := range []bool{false, true} {
		for _, linear := range []bool{false, true} {
			for _, mode := range []int{0, 1, 3} {
				sampler := func(o *Object) {
					o.Resource, o.Levels = ArrayResource, 0
					o.Sampler.Linear, o.Sampler.Seamless, o.Sampler.Address = linear, seamless, [3]int{mode, mode, mode}
				}
				name := fmt.Sprintf("linear %t, seamless %t, mode %d", linear, seamless, mode)
				threads := 2048
				if mode != 1 {
					threads = 512
				}
				l.add(&Access{Name: "tex.cube " + name, Object: cube(f32x1, "ramp", 8, 0, 6).with(sampler), Body: texBody("", "cube", floatFloat, ""), Sources: []Source{direction, direction, direction}, Results: 4, Threads: threads})
				l.add(&Access{Name: "tex.acube " + name, Object: cube(f32x1, "unit", 5, 0, 18).with(sampler), Body: texBody("", "acube", floatFloat, ""), Sources: []Source{cells(3), direction, direction, direction}, Results: 4, Threads: threads})
			}
		}
	}
	l.add(&Access{Name: "tex.level.cube", Object: cube(f32x1, "unit", 16, 5, 6).with(func(o *Object) { o.Sampler.Linear, o.Sampler.LinearMip, o.Sampler.Seamless = true, true, true }), Body: texBody("level", "cube", floatFloat, ", %s3"), Sources: []Source{direction, direction, direction, detail}, Results: 4, Threads: 1024})
}

// gathers reads four elements at once.
func (l *accesses) gathers() {
	for i, channel := range []string{"r", "g", "b", "a"} {
		gather := func(name, geom, types string, o Object, more string, sources ...Source) {
			l.add(&Access{Name: fmt.Sprintf("tld4.%s.%s %s %s", channel, geom, types, name), Object: o, Body: "tld4." + channel + "." + geom + ".v4." + types + ".f32 {%d0, %d1, %d2, %d3}, [%obj, " + geometryText[geom].list + "]" + more + ";", Sources: sources, Results: 4, Threads: 512})
		}
		gatherable := func(o *Object) { o.Flags |= gatherArray }
		gather("", "2d", "f32", image(f32x4, "ramp", 20, 10).with(gatherable), "", sweep(20, false), sweep(10, false))
		normalized := func(o *Object) {
			o.Sampler.Normalized, o.Sampler.Address, o.Sampler.Linear = true, [3]int{i, i, i}, i%2 == 1
		}
		gather(fmt.Sprint("mode ", i), "2d", "f32", image(f32x4, "ramp", 20, 10).with(gatherable).with(normalized), "", sweep(20, true), sweep(10, true))
		gather("", "2d", "u32", image(u8x4, "random", 20, 10).with(gatherable), "", sweep(20, false), sweep(10, false))
		gather("", "2d", "s32", image(s8x1, "random", 20, 10).with(gatherable), "", sweep(20, false), sweep(10, false))
		gather("normal", "2d", "f32", image(u8x4, "random", 20, 10).with(gatherable).with(func(o *Object) { o.Sampler.Normal = true }), "", sweep(20, false), sweep(10, false))
		gather("offset", "2d", "f32", image(f32x4, "ramp", 20, 10).with(gatherable), ", {3, -2}", sweep(20, false), sweep(10, false))
		gather("", "a2d", "f32", image(f32x4, "ramp", 20, 10, 3).with(func(o *Object) { o.Flags = layeredArray }), "", cells(3), sweep(20, false), sweep(10, false))
		array := func(o *Object) { o.Resource, o.Levels = ArrayResource, 0 }
		gather("", "cube", "f32", cube(f32x4, "ramp", 6, 0, 6).with(array), "", direction, direction, direction)
		gather("", "acube", "f32", cube(f32x4, "ramp", 6, 0, 12).with(array), "", cells(2), direction, direction, direction)
	}
}

// extras are offsets, comparisons, results of half precision and predicates.
func (l *accesses) extras() {
	add := func(name, body string, results int, o Object, sources ...Source) {
		l.add(&Access{Name: name, Object: o, Body: body, Sources: sources, Results: results, Threads: 512})
	}
	offset := Source{"offset", func(r *random, i int) uint32 { return uint32(r.below(24) - 12) }}
	for _, linear := range []bool{false, true} {
		filter := func(o *Object) { o.Sampler.Linear = linear }
		name := fmt.Sprintf("offset, linear %t ", linear)
		add(name+"1d", texBody("", "1d", floatFloat, ", {%s1}"), 4, image(f32x1, "ramp", 30).with(filter), inside(30, false), offset)
		add(name+"2d", texBody("", "2d", floatFloat, ", {%s2, %s3}"), 4, image(f32x1, "ramp", 30, 20).with(filter), inside(30, false), inside(20, false), offset, offset)
		add(name+"3d", texBody("", "3d", floatFloat, ", {%s3, %s4, %s5, %s3}"), 4, image(f32x1, "ramp", 12, 11, 10).with(filter), inside(12, false), inside(11, false), inside(10, false), offset, offset, offset)
		add(name+"a2d", texBody("", "a2d", floatFloat, ", {%s3, %s4}"), 4, image(f32x1, "ramp", 12, 11, 5).with(filter).with(func(o *Object) { o.Flags = layeredArray }), cells(5), inside(12, false), inside(11, false), offset, offset)
		add(name+"level 2d", texBody("level", "2d", floatFloat, ", %s4, {%s2, %s3}"), 4, mipmap(f32x1, "ramp", 5, 30, 20).with(filter), inside(30, true), inside(20, true), offset, offset, detail)
		depth := Source{"depth", func(r *random, i int) uint32 { return math.Float32bits(float32(r.below(9)) / 8) }}
		add(fmt.Sprintf("depth, linear %t 2d", linear), texBody("", "2d", floatFloat, ", %s2"), 4, image(f32x1, "unit", 30, 20).with(filter), inside(30, false), inside(20, false), depth)
		add(fmt.Sprintf("depth, linear %t a2d", linear), texBody("", "a2d", floatFloat, ", %s3"), 4, image(f32x1, "unit", 30, 20, 3).with(filter).with(func(o *Object) { o.Flags = layeredArray }), cells(3), inside(30, false), inside(20, false), depth)
		add(fmt.Sprintf("depth, linear %t cube", linear), texBody("", "cube", floatFloat, ", %s3"), 4, cube(f32x1, "unit", 6, 0, 6).with(filter).with(func(o *Object) { o.Resource, o.Levels = ArrayResource, 0 }), direction, direction, direction, depth)
		add(fmt.Sprintf("f16, linear %t", linear), "tex.2d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [%obj, {%s0, %s1}];\nmov.b32 %d0, {%h0, %h1};\nmov.b32 %d1, {%h2, %h3};", 2, image(f32x4, "wide", 30, 20).with(filter), inside(30, false), inside(20, false))
		add(fmt.Sprintf("f16x2, linear %t", linear), "tex.2d.v2.f16x2.f32 {%d0, %d1}, [%obj, {%s0, %s1}];", 2, image(f16x4, "wide", 30, 20).with(filter), inside(30, false), inside(20, false))
		add(fmt.Sprintf("f16x2 of f32, linear %t", linear), "tex.2d.v2.f16x2.f32 {%d0, %d1}, [%obj, {%s0, %s1}];", 2, image(f32x4, "mixed", 30, 20).with(filter), inside(30, false), inside(20, false))
		add(fmt.Sprintf("f16x2 of u8, linear %t", linear), "tex.2d.v2.f16x2.f32 {%d0, %d1}, [%obj, {%s0, %s1}];", 2, image(u8x4, "random", 30, 20).with(filter).with(func(o *Object) { o.Sampler.Normal = true }), inside(30, false), inside(20, false))
	}
	add("f16x2 at whole coordinates", "tex.2d.v2.f16x2.s32 {%d0, %d1}, [%obj, {%s0, %s1}];", 2, image(f32x4, "random", 30, 20), cells(30), cells(20))
	add("predicate", "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}|%p0, [%obj, {%s0, %s1}];\nselp.b32 %d4, 1, 0, %p0;", 5, image(f32x4, "random", 30, 20), sweep(30, false), sweep(20, false))
	add("predicate of tld4", "tld4.r.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}|%p0, [%obj, {%s0, %s1}];\nselp.b32 %d4, 1, 0, %p0;", 5, image(f32x4, "random", 30, 20).with(func(o *Object) { o.Flags = gatherArray }), sweep(30, false), sweep(20, false))
}

// views reads elements as another format of the same size.
func (l *accesses) views() {
	for _, v := range []struct {
		view  int
		f     texelFormat
		types string
	}{{0x03, u32x1, "u32"}, {0x06, u32x1, "s32"}, {0x08, u32x1, "u32"}, {0x0b, u32x1, "s32"}, {0x0d, f32x1, "u32"}, {0x10, u8x4, "s32"}, {0x14, u32x1, "f32"}, {0x16, u32x1, "f32"}, {0x13, u16x1, "f32"}, {0x18, u32x4, "f32"}} {
		o := image(v.f, "random", 16, 8).with(func(o *Object) { o.View = v.view })
		l.add(&Access{Name: fmt.Sprintf("tex.2d %s viewed as %#x", v.f, v.view), Object: o, Body: texBody("", "2d", v.types+" s32", ""), Sources: []Source{threadX(16, 1), threadY(16, 8)}, Results: 4, Threads: 128})
	}
}

// queries asks what an object is.
func (l *accesses) queries() {
	query := func(name, instruction string, attributes []string, o Object) {
		body, names := "", strings.Join(attributes, ", ")
		for i, a := range attributes {
			body += fmt.Sprintf("%s.%s.b32 %%d%d, [%%obj];\n", instruction, a, i)
		}
		l.add(&Access{Name: fmt.Sprintf("%s.%s of %s", instruction, names, name), Object: o, Body: body, Results: len(attributes), Threads: 128})
	}
	ask := func(name string, o Object) {
		size := []string{"width", "height", "depth"}
		instruction, more := "txq", []string{"channel_data_type", "channel_order", "normalized_coords", "array_size", "num_mipmap_levels", "num_samples"}
		if o.Surface {
			instruction, more = "suq", []string{"channel_data_type", "channel_order", "array_size", "memory_layout"}
		}
		query(name, instruction, size, o)
		for _, a := range more {
			query(name, instruction, []string{a}, o)
		}
	}
	onto := func(o *Object) { o.Surface, o.Flags = true, o.Flags|surfaceArray }
	layered := func(o *Object) { o.Flags = layeredArray }
	plain := func(o *Object) { o.Resource, o.Levels = ArrayResource, 0 }
	for _, f := range []texelFormat{u8x1, u8x2, u8x4, s8x1, u16x1, s16x1, u32x1, s32x1, u32x4, f16x1, f16x4, f32x1, f32x4} {
		ask(f.String()+" 1d", image(f, "random", 10))
		ask(f.String()+" 1d", image(f, "random", 10).with(onto))
	}
	for _, g := range []struct {
		name string
		o    Object
	}{
		{"2d", image(f32x1, "random", 10, 5)}, {"3d", image(f32x1, "random", 10, 5, 7)}, {"a1d", image(f32x1, "random", 10).with(func(o *Object) { o.Depth, o.Flags = 7, layeredArray })},
		{"a2d", image(f32x1, "random", 10, 5, 7).with(layered)}, {"cube", cube(f32x1, "random", 6, 0, 6).with(plain)}, {"acube", cube(f32x1, "random", 6, 0, 18).with(plain)},
	} {
		ask(g.name, g.o)
		ask(g.name, g.o.with(onto))
	}
	for _, kind := range []string{"texref", "samplerref", "surfref"} {
		body := "istypep." + kind + " %p0, %obj;\nselp.b32 %d0, 1, 0, %p0;"
		l.add(&Access{Name: "istypep." + kind + " of a texture", Object: image(f32x1, "random", 10), Body: body, Results: 1, Threads: 128})
		l.add(&Access{Name: "istypep." + kind + " of a surface", Object: image(f32x1, "random", 10).with(onto), Body: body, Results: 1, Threads: 128})
	}
	ask("normalized", image(f32x1, "random", 10, 5).with(func(o *Object) { o.Sampler.Normalized = true }))
	ask("mipmap", mipmap(f32x1, "random", 5, 100, 50))
	ask("memory", image(f32x1, "random", 100).with(func(o *Object) { o.Resource = LinearResource }))
	ask("pitched", image(f32x1, "random", 100, 4).with(func(o *Object) { o.Resource = PitchedResource }))
	l.add(&Access{Name: "txq.level", Object: mipmap(f32x1, "random", 4, 100, 50), Body: "txq.level.width.b32 %d0, [%obj], %s0;\ntxq.level.height.b32 %d1, [%obj], %s0;\ntxq.level.depth.b32 %d2, [%obj], %s0;",
		Sources: []Source{threadX(9, 1)}, Results: 3, Threads: 128})
}

// compressed reads blocks of compressed formats through views, and from arrays of
// them.
func (l *accesses) compressed() {
	blocks := func(name string, o Object) {
		body, types := texBody("", "2d", "f32 s32", ""), o.Sampler.Linear
		if !types {
			l.add(&Access{Name: "tex.2d " + name, Object: o, Body: body, Sources: []Source{threadX(128, 1), threadY(128, 128)}, Results: 4, Threads: 16384})
			return
		}
		l.add(&Access{Name: "tex.2d " + name + ", linear", Object: o, Body: texBody("", "2d", floatFloat, ""), Sources: []Source{inside(128, false), inside(128, false)}, Results: 4, Threads: 1024})
	}
	for view := 0x19; view <= 0x22; view++ {
		f := texelFormat{[4]int{32, 32, 32, 32}, 1}
		if view == 0x19 || view == 0x1c || view == 0x1d {
			f.bits = [4]int{32, 32}
		}
		blocks(fmt.Sprintf("blocks viewed as %#x", view), image(f, "random", 32, 32).with(func(o *Object) { o.View = view }))
	}
	for kind := firstBlock; kind <= lastBlock; kind++ {
		f := texelFormat{[4]int{8, 8, 8, 8}, kind}
		switch kind {
		case 23, 24:
			f.bits = [4]int{8}
		case 25, 26:
			f.bits = [4]int{8, 8}
		case 27, 28:
			f.bits = [4]int{16, 16, 16}
		}
		for _, linear := range []bool{false, true} {
			blocks(fmt.Sprintf("blocks of kind %d", kind), image(f, "random", 128, 128).with(func(o *Object) {
				o.Sampler.Linear, o.Sampler.Normal = linear, kind < 27 || kind > 28
				o.Sampler.SRGB = kind == 18 || kind == 20 || kind == 22 || kind == 30
			}))
		}
	}
}
