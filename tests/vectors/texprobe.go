package vectors

import (
	"fmt"
	"math"
)

// probes isolate one part of what a texture unit computes each: how the eight
// corners of a cube are added, what elements of each format are before they are
// weighed, how a level of detail and the samples of an anisotropic filter follow
// from derivatives, what compressed blocks hold.
func (l *accesses) probes() {
	l.columns()
	l.ramps()
	l.borders()
	l.footprints()
	l.octaves()
	l.endpoints()
}

// single adds an access of which only the first channel is kept.
func (l *accesses) single(name, body string, o Object, threads int, sources ...Source) {
	l.add(&Access{Name: name, Object: o, Body: body, Sources: sources, Results: 1, Threads: threads})
}

// constant makes one number.
func constant(x float64) Source {
	return Source{fmt.Sprint("constant ", x), func(*random, int) uint32 { return math.Float32bits(float32(x)) }}
}

// steps makes a number for each thread, in steps from a first one on, that begin again
// after n, every one of them held for some threads.
func steps(first, step float64, hold, n int) Source {
	return Source{fmt.Sprint("steps ", first, " ", step, " ", hold, " ", n), func(_ *random, i int) uint32 { return math.Float32bits(float32(first + step*float64(i/hold%n))) }}
}

func linear(o *Object) { o.Sampler.Linear = true }

// columns are sums of two elements, or of two squares of four, of very different size.
func (l *accesses) columns() {
	for _, f := range []texelFormat{f32x1, f16x1} {
		for _, texels := range []string{"wide", "unit", "coarse"} {
			l.single(fmt.Sprintf("tex.3d column of %s %s", f, texels), texBody("", "3d", floatFloat, ""), image(f, texels, 1, 1, 2000).with(linear), 16384, constant(0.5), constant(0.5), inside(2000, false))
			l.single(fmt.Sprintf("tex.3d tower of %s %s", f, texels), texBody("", "3d", floatFloat, ""), image(f, texels, 2, 2, 2000).with(linear), 16384, inside(1, false), inside(1, false), inside(2000, false))
		}
	}
}

// ramps are elements beside zero, at all weights, and beside one another, at some.
func (l *accesses) ramps() {
	for _, f := range []texelFormat{u8x1, s8x1, u8x4, s8x4} {
		for _, sRGB := range []bool{false, true} {
			if sRGB && f.bits[1] == 0 {
				continue
			}
			sampler := func(o *Object) { o.Sampler.Linear, o.Sampler.Normal, o.Sampler.SRGB = true, true, sRGB }
			name := fmt.Sprintf("%s, sRGB %t", f, sRGB)
			l.single("tex.2d bytes beside zero "+name, texBody("", "2d", floatFloat, ""), image(f, "below", 256, 2).with(sampler), 65536, steps(0.5, 1, 1, 256), steps(0.5, 1.0/256, 256, 256))
			l.single("tex.2d bytes in squares "+name, texBody("", "2d", floatFloat, ""), image(f, "random", 100, 100).with(sampler), 16384, inside(100, false), inside(100, false))
			l.single("tex.1d bytes beside bytes "+name, texBody("", "1d", floatFloat, ""), image(f, "random", 8000).with(sampler), 32768, inside(8000, false))
			l.single("tex.3d bytes in cubes "+name, texBody("", "3d", floatFloat, ""), image(f, "random", 20, 20, 20).with(sampler), 16384, inside(20, false), inside(20, false), inside(20, false))
			l.single("tex.level.2d bytes "+name, texBody("level", "2d", floatFloat, ", %s2"), mipmap(f, "random", 4, 100, 100).with(sampler).with(func(o *Object) { o.Sampler.LinearMip = true }), 8192, inside(100, true), inside(100, true), detail)
		}
	}
	least := image(s16x1, "least", 2000).with(func(o *Object) { o.Sampler.Linear, o.Sampler.Normal = true, true })
	l.single("tex.1d words beside the least one", texBody("", "1d", floatFloat, ""), least, 16384, inside(2000, false))
	for _, kind := range []int{5, 8, 11, 14} {
		f := texelFormat{[4]int{8}, kind}
		if (kind-5)%6 >= 3 {
			f.bits[0] = 16
		}
		o := image(f, "random", 2000).with(func(o *Object) { o.Sampler.Linear, o.Sampler.Normal = true, true })
		l.single("tex.1d "+f.String()+", linear", texBody("", "1d", floatFloat, ""), o, 4096, inside(2000, false))
	}
	packed := image(texelFormat{[4]int{10, 10, 10, 2}, 31}, "packed", 2000).with(linear)
	l.add(&Access{Name: "tex.1d packed, linear", Object: packed, Body: texBody("", "1d", floatFloat, ""), Sources: []Source{inside(2000, false)}, Results: 4, Threads: 4096})
}

// borders combine the address modes of three axes, and of two between levels.
func (l *accesses) borders() {
	for modes := range 64 {
		m := [3]int{modes & 3, modes >> 2 & 3, modes >> 4}
		sampler := func(o *Object) {
			o.Sampler.Address, o.Sampler.Border, o.Sampler.Normalized = m, [4]float32{1000}, true
			o.Sampler.Linear = true
		}
		l.single(fmt.Sprintf("tex.3d border modes %v", m), texBody("", "3d", floatFloat, ""), image(f32x1, "ramp", 5, 4, 3).with(sampler), 512, sweep(5, true), sweep(4, true), sweep(3, true))
		if modes%5 == 0 || modes == 3 || modes == 55 || modes == 29 {
			l.single(fmt.Sprintf("tex.level.3d border modes %v", m), texBody("level", "3d", floatFloat, ", %s3"), mipmap(f32x1, "unit", 3, 5, 4, 3).with(sampler).with(func(o *Object) { o.Sampler.LinearMip = true }), 1024, sweep(5, true), sweep(4, true), sweep(3, true), detail)
		}
		if modes < 16 {
			l.single(fmt.Sprintf("tex.level.2d border modes %v", m), texBody("level", "2d", floatFloat, ", %s2"), mipmap(f32x1, "unit", 3, 7, 6).with(sampler).with(func(o *Object) { o.Sampler.LinearMip = true }), 1024, sweep(7, true), sweep(6, true), detail)
		}
	}
	for _, filter := range []bool{false, true} {
		o := image(u8x4, "random", 4).with(func(o *Object) {
			o.Sampler = Sampler{Address: [3]int{3, 3, 3}, Border: [4]float32{0.5, -0.2, 1.5, 0.25}, Normal: true, SRGB: true, Linear: filter}
		})
		l.add(&Access{Name: fmt.Sprintf("tex.1d border of sRGB, linear %t", filter), Object: o, Body: texBody("", "1d", floatFloat, ""), Sources: []Source{sweep(4, false)}, Results: 4, Threads: 512})
	}
	for filters := range 8 {
		sampler := func(o *Object) {
			o.Sampler.Linear, o.Sampler.LinearMip, o.Sampler.Seamless = filters&1 != 0, filters&2 != 0, filters&4 != 0
		}
		name := fmt.Sprintf("linear %t, between levels %t, seamless %t", filters&1 != 0, filters&2 != 0, filters&4 != 0)
		l.single("tex.level.cube "+name, texBody("level", "cube", floatFloat, ", %s3"), cube(f32x1, "unit", 13, 4, 6).with(sampler), 2048, direction, direction, direction, detail)
		l.single("tex.level.acube "+name, texBody("level", "acube", floatFloat, ", %s4"), cube(f32x1, "unit", 8, 4, 12).with(sampler), 2048, cells(2), direction, direction, direction, detail)
	}
}

// footprints move an anisotropic filter over a single element: where it reaches, and
// with which weight.
func (l *accesses) footprints() {
	const n = 128
	at := func(x float64) float64 { return (n/2 + 0.5 + x) / n }
	foot := func(name string, linear bool, anisotropy, threads int, u, v Source, slopes ...float64) {
		o := mipmap(f32x1, "delta", 1, n, n).with(func(o *Object) {
			o.Sampler.Linear, o.Sampler.Anisotropy, o.Sampler.Address, o.Sampler.Most = linear, anisotropy, [3]int{3, 3, 3}, 0
		})
		sources := []Source{u, v}
		for _, s := range slopes {
			sources = append(sources, constant(s/n))
		}
		l.single(fmt.Sprintf("footprint %s, linear %t, anisotropy %d, slopes %v", name, linear, anisotropy, slopes), texBody("grad", "2d", floatFloat, ", {%s2, %s3}, {%s4, %s5}"), o, threads, u, v, sources[2], sources[3], sources[4], sources[5])
	}
	along, still := steps(at(-12), 1.0/128/n, 1, 24*128), constant(at(0))
	for _, linear := range []bool{false, true} {
		for _, ratio := range []float64{1, 1.0625, 1.25, 1.5, 1.75, 2, 2.0625, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20} {
			foot("along x", linear, 16, 24*128, along, still, ratio, 0, 0, 1)
			if ratio == math.Floor(ratio) && ratio <= 8 {
				foot("along y", linear, 16, 24*128, still, along, 1, 0, 0, ratio)
				foot("along x", linear, 4, 24*128, along, still, ratio, 0, 0, 1)
				foot("along x", linear, 3, 24*128, along, still, ratio, 0, 0, 1)
				foot("along x", linear, 2, 24*128, along, still, ratio, 0, 0, 1)
				foot("along y first", linear, 16, 24*128, along, still, 0, 1, ratio, 0)
			}
		}
		foot("oblique", linear, 16, 24*128, along, still, 4, 1, -0.5, 1)
		foot("oblique", linear, 16, 16384, steps(at(-8), 1.0/8/n, 1, 128), steps(at(-8), 1.0/8/n, 128, 128), 4, 3, -0.5, 1)
		foot("oblique", linear, 16, 16384, steps(at(-8), 1.0/8/n, 1, 128), steps(at(-8), 1.0/8/n, 128, 128), -1, 6, 1, 2)
		foot("oblique", linear, 4, 16384, steps(at(-8), 1.0/8/n, 1, 128), steps(at(-8), 1.0/8/n, 128, 128), 4, 3, -0.5, 1)
	}
}

// octaves find the level of detail of derivatives: of one, at all fractions; of two
// components; of two derivatives; of axes of different length.
func (l *accesses) octaves() {
	octave := Source{"octave", func(_ *random, i int) uint32 { return 0x3b800000 + uint32(i)<<10 }}
	near := Source{"near slope", func(r *random, i int) uint32 {
		v := r.next()
		x := math.Exp2(float64(v>>11)/(1<<53)*5 - 9)
		if v&1 != 0 {
			x = -x
		}
		return math.Float32bits(float32(x))
	}}
	level := func(name string, anisotropy int, threads int, w, h int, sources ...Source) {
		o := mipmap(f32x1, "level", 11, w, h).with(func(o *Object) {
			o.Sampler.LinearMip, o.Sampler.Anisotropy = true, anisotropy
		})
		l.single(fmt.Sprintf("octave %s of %d by %d, anisotropy %d", name, w, h, anisotropy), texBody("grad", "2d", floatFloat, ", {%s2, %s3}, {%s4, %s5}"), o, threads, append([]Source{zeros, zeros}, sources...)...)
	}
	for _, size := range [][2]int{{2048, 2048}, {1000, 1300}} {
		level("one", 1, 8192, size[0], size[1], octave, zeros, zeros, zeros)
		level("one down", 1, 8192, size[0], size[1], zeros, zeros, zeros, octave)
		level("two", 1, 16384, size[0], size[1], near, near, zeros, zeros)
		level("two by two", 1, 16384, size[0], size[1], near, near, near, near)
	}
	ratio := Source{"ratio", func(_ *random, i int) uint32 { return math.Float32bits(float32(math.Exp2(float64(i)/1024 - 8))) }}
	for _, anisotropy := range []int{2, 3, 4, 5, 8, 16} {
		level("ratio", anisotropy, 8192, 2048, 2048, ratio, zeros, zeros, constant(1.0/256))
		level("two by two", anisotropy, 8192, 2048, 2048, near, near, near, near)
	}
	l.single("octave of a line", texBody("grad", "1d", floatFloat, ", {%s1}, {%s2}"), mipmap(f32x1, "level", 11, 2048).with(func(o *Object) { o.Sampler.LinearMip = true }), 8192, zeros, near, near)
	l.single("octave of a cuboid", texBody("grad", "3d", floatFloat, ", {%s3, %s4, %s5, %s3}, {%s6, %s7, %s8, %s3}"), mipmap(f32x1, "level", 7, 64, 128, 100).with(func(o *Object) { o.Sampler.LinearMip = true }), 8192, zeros, zeros, zeros, near, near, near, near, near, near)
	l.single("octave of a layer", texBody("grad", "a2d", floatFloat, ", {%s3, %s4}, {%s5, %s6}"), mipmap(f32x1, "level", 11, 2000, 900, 2).with(func(o *Object) { o.Sampler.LinearMip, o.Flags = true, layeredArray }), 4096, zeros, zeros, zeros, near, near, near, near)
	face := func(name string, threads int, sources ...Source) {
		l.single("octave of a cube "+name, texBody("grad", "cube", floatFloat, ", {%s3, %s4, %s5, %s3}, {%s6, %s7, %s8, %s3}"), cube(f32x1, "level", 1024, 11, 6).with(func(o *Object) { o.Sampler.LinearMip = true }), threads, sources...)
	}
	one := constant(1)
	face("along x", 8192, zeros, zeros, one, near, zeros, zeros, zeros, zeros, zeros)
	face("along z", 8192, constant(0.5), constant(0.25), one, zeros, zeros, near, zeros, zeros, zeros)
	face("on a face", 8192, constant(0.5), constant(-0.25), one, near, near, near, near, near, near)
	face("longer", 8192, constant(1), constant(-0.5), constant(2), near, near, near, near, near, near)
	face("anywhere", 8192, direction, direction, direction, near, near, near, near, near, near)
}

// endpoints are all pairs of ends of compressed ramps, with all codes between.
func (l *accesses) endpoints() {
	place := func(blocks int, y bool) Source {
		return Source{fmt.Sprint("block ", blocks, y), func(_ *random, i int) uint32 {
			b, k := i/8, i%8
			if y {
				return uint32(b/blocks*4 + k/4)
			}
			return uint32(b%blocks*4 + k%4)
		}}
	}
	for _, view := range []int{0x1c, 0x1d} {
		o := image(texelFormat{[4]int{32, 32}, 1}, "ends", 256, 256).with(func(o *Object) { o.View = view })
		l.single(fmt.Sprintf("tex.2d all ends viewed as %#x", view), texBody("", "2d", "f32 s32", ""), o, 8*65536, place(256, false), place(256, true))
	}
	for _, view := range []int{0x19, 0x1b} {
		f := texelFormat{[4]int{32, 32}, 1}
		if view == 0x1b {
			f.bits = [4]int{32, 32, 32, 32}
		}
		o := image(f, "colors", 64, 64).with(func(o *Object) { o.View = view })
		l.add(&Access{Name: fmt.Sprintf("tex.2d all colors viewed as %#x", view), Object: o, Body: texBody("", "2d", "f32 s32", ""), Sources: []Source{place(64, false), place(64, true)}, Results: 4, Threads: 8 * 4096})
	}
	o := image(texelFormat{[4]int{32, 32, 32, 32}, 1}, "partitions", 16, 8).with(func(o *Object) { o.View = 0x22 })
	l.add(&Access{Name: "tex.2d all partitions viewed as 0x22", Object: o, Body: texBody("", "2d", "f32 s32", ""), Sources: []Source{threadX(64, 1), threadY(64, 32)}, Results: 4, Threads: 2048})
}
