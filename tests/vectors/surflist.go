package vectors

import (
	"fmt"
	"strings"
)

// surface is an array that can be written, of an extent.
func surfaceOf(f texelFormat, texels string, extent ...int) Object {
	return image(f, texels, extent...).with(func(o *Object) { o.Surface, o.Flags = true, surfaceArray })
}

// surfaceGeometries are the geometries of surface accesses with a surface each,
// its extent in units of unit elements.
func surfaceGeometries(f texelFormat, f2 func(geom string, o Object, extent []int)) {
	f2("1d", surfaceOf(f, "random", 40), []int{40})
	f2("2d", surfaceOf(f, "random", 40, 9), []int{40, 9})
	f2("3d", surfaceOf(f, "random", 20, 9, 5), []int{20, 9, 5})
	f2("a1d", surfaceOf(f, "random", 40).with(func(o *Object) { o.Depth, o.Flags = 6, surfaceArray|layeredArray }), []int{6, 40})
	f2("a2d", surfaceOf(f, "random", 20, 9, 5).with(func(o *Object) { o.Flags = surfaceArray | layeredArray }), []int{5, 20, 9})
}

// bytesOf makes the coordinates of a surface access: the first that is not a
// layer counts bytes. Outside of the surface only where that is no trap.
func surfaceSources(geom string, extent []int, element int, outside bool) (sources []Source) {
	first := 0
	if geom[0] == 'a' {
		first = 1
	}
	for i, n := range extent {
		step := 1
		if i == first {
			step = element
		}
		if !outside {
			sources = append(sources, within(n, step))
			continue
		}
		sources = append(sources, Source{fmt.Sprintf("around %d %d", n, step), func(r *random, j int) uint32 {
			v := r.below(n+6) - 3
			if j%16 == i {
				return []uint32{0x7ffffff0, 0x80000000, 0xfffffff0, 0x10000}[r.below(4)]
			}
			return uint32(v * step)
		}})
	}
	return sources
}

// widths of surface accesses: instruction's modifiers, results' list, bytes.
var surfaceWidths = []struct {
	mods, list string
	bytes      int
	before     string // what makes the list of words, for stores
	after      string // what makes words of the list, for loads
	words      int
}{
	{"b8", "%h0", 1, "cvt.u16.u32 %h0, %s8;", "cvt.u32.u16 %d0, %h0;", 1},
	{"b16", "%h0", 2, "cvt.u16.u32 %h0, %s8;", "cvt.u32.u16 %d0, %h0;", 1},
	{"b32", "%r0", 4, "mov.b32 %r0, %s8;", "mov.b32 %d0, %r0;", 1},
	{"b64", "%u0", 8, "mov.b64 %u0, {%s8, %s9};", "mov.b64 {%d0, %d1}, %u0;", 2},
	{"v2.b8", "{%h0, %h1}", 2, "mov.b32 {%h0, %h1}, %s8;", "mov.b32 %d0, {%h0, %h1};", 1},
	{"v2.b16", "{%h0, %h1}", 4, "mov.b32 {%h0, %h1}, %s8;", "mov.b32 %d0, {%h0, %h1};", 1},
	{"v2.b32", "{%r0, %r1}", 8, "mov.b32 %r0, %s8;\nmov.b32 %r1, %s9;", "mov.b32 %d0, %r0;\nmov.b32 %d1, %r1;", 2},
	{"v2.b64", "{%u0, %u1}", 16, "mov.b64 %u0, {%s8, %s9};\nmov.b64 %u1, {%s9, %s8};", "mov.b64 {%d0, %d1}, %u0;\nmov.b64 {%d2, %d3}, %u1;", 4},
	{"v4.b8", "{%h0, %h1, %h2, %h3}", 4, "mov.b32 {%h0, %h1}, %s8;\nmov.b32 {%h2, %h3}, %s9;", "mov.b32 %d0, {%h0, %h1};\nmov.b32 %d1, {%h2, %h3};", 2},
	{"v4.b16", "{%h0, %h1, %h2, %h3}", 8, "mov.b32 {%h0, %h1}, %s8;\nmov.b32 {%h2, %h3}, %s9;", "mov.b32 %d0, {%h0, %h1};\nmov.b32 %d1, {%h2, %h3};", 2},
	{"v4.b32", "{%r0, %r1, %r2, %r3}", 16, "mov.b32 %r0, %s8;\nmov.b32 %r1, %s9;\nnot.b32 %r2, %r0;\nnot.b32 %r3, %r1;", "mov.b32 %d0, %r0;\nmov.b32 %d1, %r1;\nmov.b32 %d2, %r2;\nmov.b32 %d3, %r3;", 4},
}

// loads reads surfaces.
func (l *accesses) loads() {
	for _, mode := range []string{"trap", "clamp", "zero"} {
		for _, w := range surfaceWidths {
			element := map[int]texelFormat{1: u8x1, 2: u16x1, 4: u32x1, 8: {[4]int{32, 32}, 1}, 16: u32x4}[w.bytes]
			surfaceGeometries(element, func(geom string, o Object, extent []int) {
				if (mode == "trap" || w.words > 1 && w.bytes < 16) && geom != "2d" {
					return
				}
				l.add(&Access{Name: fmt.Sprintf("suld.b.%s.%s.%s", geom, w.mods, mode), Object: o,
					Body:    fmt.Sprintf("suld.b.%s.%s.%s %s, [%%obj, %s];\n%s", geom, w.mods, mode, w.list, geometryText[geom].list, w.after),
					Sources: surfaceSources(geom, extent, w.bytes, mode != "trap"), Results: w.words, Threads: 256})
			})
		}
		// accesses smaller and larger than an element, and at odd addresses
		for _, w := range surfaceWidths[:4] {
			for _, f := range []texelFormat{u8x1, u32x1, u32x4} {
				step, outside := w.bytes, mode != "trap"
				n := 40 * f.bits[0] / 8 / w.bytes
				if f == u32x4 {
					n *= 4
				}
				l.add(&Access{Name: fmt.Sprintf("suld.b.2d.%s.%s of %s", w.mods, mode, f), Object: surfaceOf(f, "random", 40, 9),
					Body:    fmt.Sprintf("suld.b.2d.%s.%s %s, [%%obj, {%%s0, %%s1}];\n%s", w.mods, mode, w.list, w.after),
					Sources: surfaceSources("2d", []int{n, 9}, step, outside), Results: w.words, Threads: 256})
			}
		}
	}
	for _, mode := range []string{"clamp", "zero"} {
		l.add(&Access{Name: "suld.b.2d.b32 at odd bytes " + mode, Object: surfaceOf(u32x1, "random", 40, 9), Body: "suld.b.2d.b32." + mode + " %d0, [%obj, {%s0, %s1}];",
			Sources: surfaceSources("2d", []int{160, 9}, 1, true), Results: 1, Threads: 256})
	}
}

// stores writes surfaces: every element once at most, so that the order of
// threads does not matter, and some outside.
func (l *accesses) stores() {
	value := Source{"value", bits.Make}
	for _, mode := range []string{"trap", "zero"} {
		for _, w := range surfaceWidths {
			element := map[int]texelFormat{1: u8x1, 2: u16x1, 4: u32x1, 8: {[4]int{32, 32}, 1}, 16: u32x4}[w.bytes]
			o := surfaceOf(element, "random", 16, 8)
			x, y := threadX(16, w.bytes), threadY(16, 8)
			if mode != "trap" {
				x, y = threadX(32, w.bytes), threadY(32, 12)
			}
			l.add(&Access{Name: fmt.Sprintf("sust.b.2d.%s.%s", w.mods, mode), Object: o,
				Body:    fmt.Sprintf("mov.b32 %%s8, %%s2;\nmov.b32 %%s9, %%s3;\n%s\nsust.b.2d.%s.%s [%%obj, {%%s0, %%s1}], %s;", w.before, w.mods, mode, w.list),
				Sources: []Source{x, y, value, value}, Threads: 128 * map[bool]int{true: 1, false: 3}[mode == "trap"]})
		}
		geometries := func(geom string, o Object, sources ...Source) {
			at := geometryText[geom].needed
			l.add(&Access{Name: fmt.Sprintf("sust.b.%s.b32.%s", geom, mode), Object: o, Body: fmt.Sprintf("sust.b.%s.b32.%s [%%obj, %s], %%s%d;", geom, mode, geometryText[geom].list, at),
				Sources: append(sources, value), Threads: 128})
		}
		geometries("1d", surfaceOf(u32x1, "random", 128), threadX(128, 4))
		geometries("3d", surfaceOf(u32x1, "random", 4, 8, 4), threadX(4, 4), threadY(4, 8), threadZ(32))
		geometries("a1d", surfaceOf(u32x1, "random", 16).with(func(o *Object) { o.Depth, o.Flags = 8, surfaceArray|layeredArray }), threadY(16, 8), threadX(16, 4))
		geometries("a2d", surfaceOf(u32x1, "random", 4, 8, 4).with(func(o *Object) { o.Flags = surfaceArray | layeredArray }), threadZ(32), threadX(4, 4), threadY(4, 8))
	}
	l.formatted()
}

// formatted writes values that are converted to the surface's format.
func (l *accesses) formatted() {
	special := Source{"values", func(r *random, i int) uint32 {
		v := r.next()
		switch i % 4 {
		case 0:
			return uint32(v >> 32)
		case 1:
			return uint32(specialFloat(32, v))
		case 2:
			return 0x3f800000 + uint32(v>>40) - 1<<23
		}
		return uint32(int32(v) >> (v >> 40 % 28))
	}}
	for _, f := range []texelFormat{u8x1, u8x2, u8x4, s8x1, s8x4, u16x1, s16x1, u16x4, u32x1, s32x1, u32x4, f16x1, f16x4, f32x1, f32x4} {
		for _, n := range []int{1, 2, 4} {
			mods, list := "", "%s2"
			if n > 1 {
				mods, list = fmt.Sprintf(".v%d", n), "{"+strings.Join([]string{"%s2", "%s3", "%s4", "%s5"}[:n], ", ")+"}"
			}
			l.add(&Access{Name: fmt.Sprintf("sust.p.2d%s.b32 to %s", mods, f), Object: surfaceOf(f, "random", 16, 32), Body: fmt.Sprintf("sust.p.2d%s.b32.zero [%%obj, {%%s0, %%s1}], %s;", mods, list),
				Sources: []Source{threadX(20, 1), threadY(20, 40), special, special, special, special}, Threads: 768})
		}
	}
	o := surfaceOf(u32x1, "random", 16, 8)
	l.add(&Access{Name: "sust.p.2d.b32.trap", Object: o, Body: "sust.p.2d.b32.trap [%obj, {%s0, %s1}], %s2;", Sources: []Source{threadX(16, 1), threadY(16, 8), special}, Threads: 128})
	l.add(&Access{Name: "sust.p.1d.b32.zero, each element once", Object: surfaceOf(u32x1, "random", 128), Body: "sust.p.1d.b32.zero [%obj, {%s0}], %s1;", Sources: []Source{threadX(256, 1), special}, Threads: 256})
	l.add(&Access{Name: "sust.p.3d.b32.zero", Object: surfaceOf(u32x1, "random", 4, 8, 4), Body: "sust.p.3d.b32.zero [%obj, {%s0, %s1, %s2, %s2}], %s3;", Sources: []Source{threadX(5, 1), threadY(5, 9), threadZ(45), special}, Threads: 256})
}

// reductions combine values with elements: the order does not matter.
func (l *accesses) reductions() {
	value := Source{"value", bits.Make}
	for _, mode := range []string{"trap", "clamp", "zero"} {
		for _, form := range []string{"b add u32", "b min u32", "b max u32", "b min s32", "b max s32", "b and b32", "b or b32", "b add u64", "b min u64", "b max s64", "b min s64", "b max u64", "p min b32", "p max b32", "p add b32", "p and b32", "p or b32", "p min b64", "p max b64"} {
			f := strings.Fields(form)
			wide := strings.HasSuffix(f[2], "64")
			element, step, list := u32x1, 4, "%s2"
			body := ""
			if wide {
				element, step, list = texelFormat{[4]int{32, 32}, 1}, 8, "%u0"
				body = "mov.b64 %u0, {%s2, %s3};\n"
			}
			if f[0] == "p" {
				step = 1
			}
			o := surfaceOf(element, "random", 10, 4)
			sources := append(surfaceSources("2d", []int{10, 4}, step, mode != "trap"), value, value)
			l.add(&Access{Name: "sured." + strings.Join([]string{f[0], f[1], "2d", f[2], mode}, "."), Object: o,
				Body: fmt.Sprintf("%ssured.%s.%s.2d.%s.%s [%%obj, {%%s0, %%s1}], %s;", body, f[0], f[1], f[2], mode, list), Sources: sources, Threads: 256})
		}
	}
	signed := surfaceOf(s32x1, "random", 10, 4)
	l.add(&Access{Name: "sured.p.min.2d.b32 of s32", Object: signed, Body: "sured.p.min.2d.b32.clamp [%obj, {%s0, %s1}], %s2;", Sources: append(surfaceSources("2d", []int{10, 4}, 1, true), value), Threads: 256})
	l.add(&Access{Name: "sured.p.max.2d.b32 of s32", Object: signed, Body: "sured.p.max.2d.b32.clamp [%obj, {%s0, %s1}], %s2;", Sources: append(surfaceSources("2d", []int{10, 4}, 1, true), value), Threads: 256})
	l.add(&Access{Name: "sured.b.add.1d.u32", Object: surfaceOf(u32x1, "random", 30), Body: "sured.b.add.1d.u32.clamp [%obj, {%s0}], %s1;", Sources: append(surfaceSources("1d", []int{30}, 4, true), value), Threads: 256})
	l.add(&Access{Name: "sured.b.add.3d.u32", Object: surfaceOf(u32x1, "random", 5, 4, 3), Body: "sured.b.add.3d.u32.zero [%obj, {%s0, %s1, %s2, %s2}], %s3;", Sources: append(surfaceSources("3d", []int{5, 4, 3}, 4, true), value), Threads: 256})
}
