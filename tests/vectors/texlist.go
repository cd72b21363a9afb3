package vectors

import (
	"fmt"
	"math"
	"strings"
)

// Accesses lists the texture and surface accesses, in a fixed order.
func Accesses() []*Access {
	var l accesses
	l.coordinates()
	l.weights()
	l.formats()
	l.fetches()
	l.levels()
	l.gradients()
	l.cubes()
	l.gathers()
	l.extras()
	l.views()
	l.queries()
	l.compressed()
	l.loads()
	l.stores()
	l.reductions()
	l.probes()
	l.spellings()
	l.anisotropies()
	l.mixtures()
	return l
}

type accesses []*Access

func (l *accesses) add(a *Access) { *l = append(*l, a) }

// geometryText is what an instruction of a geometry needs: its coordinates, of
// which the first may be a layer, in the list of four that PTX wants.
var geometryText = map[string]struct {
	list   string
	needed int
}{
	"1d": {"{%s0}", 1}, "2d": {"{%s0, %s1}", 2}, "3d": {"{%s0, %s1, %s2, %s2}", 3},
	"a1d": {"{%s0, %s1}", 2}, "a2d": {"{%s0, %s1, %s2, %s2}", 3},
	"cube": {"{%s0, %s1, %s2, %s2}", 3}, "acube": {"{%s0, %s1, %s2, %s3}", 4},
}

// texBody is tex with what stands behind its address.
func texBody(mods, geom, types, more string) string {
	op := strings.Join(strings.Fields("tex "+mods+" "+geom+" v4 "+types), ".")
	return op + " {%d0, %d1, %d2, %d3}, [%obj, " + geometryText[geom].list + "]" + more + ";"
}

// Formats of elements.
var (
	f32x1 = texelFormat{[4]int{32}, 2}
	f32x4 = texelFormat{[4]int{32, 32, 32, 32}, 2}
	f16x1 = texelFormat{[4]int{16}, 2}
	f16x4 = texelFormat{[4]int{16, 16, 16, 16}, 2}
	u8x1  = texelFormat{[4]int{8}, 1}
	u8x2  = texelFormat{[4]int{8, 8}, 1}
	u8x4  = texelFormat{[4]int{8, 8, 8, 8}, 1}
	s8x1  = texelFormat{[4]int{8}, 0}
	s8x4  = texelFormat{[4]int{8, 8, 8, 8}, 0}
	u16x1 = texelFormat{[4]int{16}, 1}
	s16x1 = texelFormat{[4]int{16}, 0}
	u16x4 = texelFormat{[4]int{16, 16, 16, 16}, 1}
	u32x1 = texelFormat{[4]int{32}, 1}
	s32x1 = texelFormat{[4]int{32}, 0}
	u32x4 = texelFormat{[4]int{32, 32, 32, 32}, 1}
)

type texelFormat struct {
	bits [4]int
	kind int
}

func (f texelFormat) String() string {
	n, name := 0, [3]string{"s", "u", "f"}
	for n < 4 && f.bits[n] != 0 {
		n++
	}
	if f.kind > 2 {
		return fmt.Sprintf("kind%d", f.kind)
	}
	return fmt.Sprintf("%s%dx%d", name[f.kind], f.bits[0], n)
}

// image is an array object of an extent.
func image(f texelFormat, texels string, extent ...int) Object {
	e := [3]int{}
	copy(e[:], extent)
	return Object{Bits: f.bits, Kind: f.kind, Width: e[0], Height: e[1], Depth: e[2], Texels: texels, Sampler: Sampler{Address: [3]int{1, 1, 1}}}
}

// with changes an object.
func (o Object) with(change func(o *Object)) Object {
	change(&o)
	return o
}

const floatFloat = "f32 f32"

// sweep makes coordinates that fall everywhere in and around n elements: on and
// beside every step of 1/512, near and far, exceptional ones.
func sweep(n int, normalized bool) Source {
	w, scale := float64(n), 1.0
	if normalized {
		scale = w
	}
	return Source{fmt.Sprintf("sweep %d %t", n, normalized), func(r *random, i int) uint32 {
		v := r.next()
		unit := float64(v>>11) / (1 << 53)
		switch i % 8 {
		case 0:
			return uint32([]uint64{0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x4b800000, 0xcb800000, 0x7f7fffff, 0xff7fffff, 1, 0x80000001, 0x33800000, 0xb3800000, 0x3f7fffff}[v%16])
		case 1, 2, 3:
			step := math.Floor((unit*4-1.5)*w*512) / 512
			return math.Float32bits(float32(step/scale)) + uint32(r.below(5)) - 2
		case 4, 5:
			return math.Float32bits(float32((unit*4 - 1.5) * w / scale))
		case 6:
			return math.Float32bits(float32(unit * w / scale))
		}
		return math.Float32bits(float32(math.Ldexp(1+unit, r.below(40)-20) * float64(1-2*int(v&1)) / scale))
	}}
}

// inside makes coordinates in and just beside n elements, half of them on steps
// of 1/256 from an element's centre.
func inside(n int, normalized bool) Source {
	scale := 1.0
	if normalized {
		scale = float64(n)
	}
	return Source{fmt.Sprintf("inside %d %t", n, normalized), func(r *random, i int) uint32 {
		x := float64(r.next()>>11)/(1<<53)*float64(n+1) - 0.5
		if i%2 == 0 {
			x = math.Floor(x*256) / 256
		}
		return math.Float32bits(float32(x / scale))
	}}
}

// cells makes whole coordinates in and around n elements.
func cells(n int) Source {
	return Source{fmt.Sprintf("cells %d", n), func(r *random, i int) uint32 {
		v := r.next()
		if i%16 == 0 {
			return uint32([]uint64{0, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0xffff0000, 0x8000, 0x7fff}[v%8])
		}
		return uint32(int(v>>33%uint64(n+6)) - 3)
	}}
}

// within makes whole coordinates of n elements, in steps.
func within(n, step int) Source {
	return Source{fmt.Sprintf("within %d %d", n, step), func(r *random, i int) uint32 { return uint32(r.below(n) * step) }}
}

// bits makes random words.
var bits = Source{"bits", func(r *random, i int) uint32 { return uint32(r.next() >> 32) }}

// thread is the thread's number, in rows of n, in steps: what keeps stores apart.
func threadX(n, step int) Source {
	return Source{fmt.Sprintf("x %d %d", n, step), func(_ *random, i int) uint32 { return uint32(i % n * step) }}
}

func threadY(n, m int) Source {
	return Source{fmt.Sprintf("y %d %d", n, m), func(_ *random, i int) uint32 { return uint32(i / n % m) }}
}

func threadZ(n int) Source {
	return Source{fmt.Sprintf("z %d", n), func(_ *random, i int) uint32 { return uint32(i / n) }}
}

// detail makes levels of detail, on and beside steps of 1/512.
var detail = Source{"detail", func(r *random, i int) uint32 {
	v := r.next()
	unit := float64(v>>11) / (1 << 53)
	switch i % 8 {
	case 0:
		return uint32([]uint64{0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x49800000, 0x41000000, 0xc1800000}[v%8])
	case 1, 2, 3, 4:
		return math.Float32bits(float32(math.Floor((unit*12-2)*512)/512)) + uint32(r.below(5)) - 2
	}
	return math.Float32bits(float32(unit*12 - 2))
}}

// slope makes derivatives of normalized coordinates.
var slope = Source{"slope", func(r *random, i int) uint32 {
	v := r.next()
	x := math.Ldexp(1+float64(v>>12)/(1<<52), r.below(14)-11)
	switch i % 16 {
	case 0:
		return 0
	case 1:
		x = math.Ldexp(1, r.below(14)-11)
	case 2:
		return uint32([]uint64{0x7f800000, 0x7fc00000, 1, 0x80000000}[v%4])
	}
	if v&1 != 0 {
		x = -x
	}
	return math.Float32bits(float32(x))
}}

// zeros makes zeros.
var zeros = Source{"zeros", func(*random, int) uint32 { return 0 }}

// direction makes a component of a direction into a cube.
var direction = Source{"direction", func(r *random, i int) uint32 {
	v := r.next()
	x := float64(int64(v)>>11) / (1 << 52)
	switch i % 8 {
	case 0:
		x = float64(r.below(5)-2) / 2
	case 1:
		x = math.Floor(x*64) / 64
	case 2:
		x *= math.Ldexp(1, r.below(20)-10)
	}
	return math.Float32bits(float32(x))
}}

// coordinates finds how a coordinate becomes an element's number and a weight:
// in a ramp the result says both.
func (l *accesses) coordinates() {
	for _, n := range []int{1, 2, 3, 7, 64, 100, 1000, 4095, 16384} {
		for mode := range 4 {
			for _, normalized := range []bool{false, true} {
				if !normalized && (mode == 0 || mode == 2) && n != 7 {
					continue
				}
				for _, linear := range []bool{false, true} {
					o := image(f32x1, "ramp", n).with(func(o *Object) {
						o.Sampler = Sampler{Address: [3]int{mode, mode, mode}, Linear: linear, Normalized: normalized, Border: [4]float32{-77.25}}
					})
					name := fmt.Sprintf("tex.1d ramp of %d, mode %d, normalized %t, linear %t", n, mode, normalized, linear)
					l.add(&Access{Name: name, Object: o, Body: texBody("", "1d", floatFloat, ""), Sources: []Source{sweep(n, normalized)}, Results: 4, Threads: 1024})
				}
			}
		}
	}
	for _, modes := range [][3]int{{0, 1, 1}, {1, 2, 1}, {3, 1, 0}, {2, 3, 3}} {
		for _, linear := range []bool{false, true} {
			o := image(f32x1, "ramp", 5, 4, 3).with(func(o *Object) {
				o.Sampler = Sampler{Address: modes, Linear: linear, Normalized: true, Border: [4]float32{1000}}
			})
			l.add(&Access{Name: fmt.Sprintf("tex.3d ramp, modes %v, linear %t", modes, linear), Object: o, Body: texBody("", "3d", floatFloat, ""),
				Sources: []Source{sweep(5, true), sweep(4, true), sweep(3, true)}, Results: 4, Threads: 1024})
			o.Depth = 0
			l.add(&Access{Name: fmt.Sprintf("tex.2d ramp, modes %v, linear %t", modes, linear), Object: o, Body: texBody("", "2d", floatFloat, ""),
				Sources: []Source{sweep(5, true), sweep(4, true)}, Results: 4, Threads: 1024})
		}
	}
}

// weights finds how elements are weighed.
func (l *accesses) weights() {
	filtered := func(f texelFormat, texels, geom string, threads int, extent ...int) {
		o := image(f, texels, extent...).with(func(o *Object) {
			o.Sampler.Linear, o.Sampler.Normal = true, f.kind != floatKind
			if geom[0] == 'a' {
				o.Flags = layeredArray
				if geom == "a1d" {
					o.Height, o.Depth = 0, extent[1]
				}
			}
		})
		var sources []Source
		dims := extent
		if geom[0] == 'a' {
			last := len(extent) - 1
			sources, dims = append(sources, cells(extent[last])), extent[:last]
		}
		for _, n := range dims {
			sources = append(sources, inside(n, false))
		}
		l.add(&Access{Name: fmt.Sprintf("tex.%s %s %s, linear", geom, f, texels), Object: o, Body: texBody("", geom, floatFloat, ""), Sources: sources, Results: 4, Threads: threads})
	}
	for _, f := range []texelFormat{f32x1, f16x1} {
		for _, texels := range []string{"unit", "wide", "mixed", "random"} {
			filtered(f, texels, "1d", 4096, 1000)
			filtered(f, texels, "2d", 4096, 64, 48)
			filtered(f, texels, "3d", 4096, 16, 12, 10)
		}
	}
	for _, f := range []texelFormat{u8x1, s8x1, u16x1, s16x1} {
		filtered(f, "random", "1d", 8192, 2000)
		filtered(f, "random", "2d", 4096, 64, 48)
		filtered(f, "random", "3d", 4096, 16, 12, 10)
	}
	for _, f := range []texelFormat{f32x4, f16x4, u8x4, s8x4, u16x4} {
		filtered(f, "unit", "2d", 1024, 33, 17)
	}
	filtered(f32x4, "corners", "2d", 4096, 2, 2)
	filtered(f32x4, "corners", "3d", 8192, 2, 2, 2)
	for _, f := range []texelFormat{f32x1, u8x1} {
		filtered(f, "unit", "a1d", 1024, 100, 5)
		filtered(f, "unit", "a2d", 1024, 20, 30, 7)
	}
}

// formats reads all elements of every format as every type.
func (l *accesses) formats() {
	read := func(f texelFormat, types, texels string, n int, change func(o *Object)) {
		o := image(f, texels, n, 1).with(change)
		l.add(&Access{Name: fmt.Sprintf("tex.2d %s %s as %s, normal %t, sRGB %t", f, texels, types, o.Sampler.Normal, o.Sampler.SRGB), Object: o,
			Body: texBody("", "2d", types+" s32", ""), Sources: []Source{threadX(n, 1), zeros}, Results: 4, Threads: n})
	}
	none := func(*Object) {}
	normal := func(o *Object) { o.Sampler.Normal = true }
	for _, f := range []texelFormat{u8x1, u8x2, u8x4, s8x1, s8x4, u16x1, s16x1, u16x4, u32x1, s32x1, u32x4} {
		read(f, "u32", "random", 256, none)
		read(f, "s32", "random", 256, none)
		read(f, "f32", "random", 256, none)
	}
	for _, f := range []texelFormat{f32x1, f32x4, f16x1, f16x4} {
		read(f, "f32", "random", 256, none)
		read(f, "u32", "random", 256, none)
	}
	read(f16x1, "f32", "count", 16384, none)
	read(u8x1, "f32", "count", 256, normal)
	read(s8x1, "f32", "count", 256, normal)
	read(u8x4, "f32", "random", 256, normal)
	read(u8x4, "u32", "random", 256, normal)
	read(u16x1, "f32", "count", 16384, normal)
	read(s16x1, "f32", "count", 16384, normal)
	read(u8x4, "f32", "count", 256, func(o *Object) { o.Sampler.Normal, o.Sampler.SRGB = true, true })
	read(u8x1, "f32", "count", 256, func(o *Object) { o.Sampler.Normal, o.Sampler.SRGB = true, true })
	o := image(u8x4, "random", 500).with(func(o *Object) {
		o.Sampler.Normal, o.Sampler.SRGB, o.Sampler.Linear = true, true, true
	})
	l.add(&Access{Name: "tex.1d u8x4 sRGB, linear", Object: o, Body: texBody("", "1d", floatFloat, ""), Sources: []Source{inside(500, false)}, Results: 4, Threads: 4096})
	for kind := 5; kind <= 16; kind++ { // the normalized formats of cudaChannelFormatKind
		f := texelFormat{[4]int{8}, kind}
		if (kind-5)%6 >= 3 {
			f.bits[0] = 16
		}
		for c := 1; c < []int{1, 2, 4}[(kind-5)%3]; c++ {
			f.bits[c] = f.bits[0]
		}
		read(f, "f32", "random", 256, normal)
	}
	read(texelFormat{[4]int{10, 10, 10, 2}, 31}, "f32", "random", 256, func(o *Object) { o.Texels = "packed" })
	for _, color := range [][4]float32{{0.5, -3, 260, 1e10}, {-0.25, 1e-5, 70000, float32(math.Inf(1))}} {
		for _, f := range []texelFormat{u8x4, s8x4, u16x4, f16x4, f32x4, u32x4} {
			for _, isNormal := range []bool{false, true} {
				if isNormal && (f.kind == floatKind || f.bits[0] == 32) {
					continue
				}
				o := image(f, "unit", 4).with(func(o *Object) { o.Sampler = Sampler{Address: [3]int{3, 3, 3}, Border: color, Normal: isNormal} })
				types := "u32"
				if isNormal || f.kind == floatKind {
					types = "f32"
				}
				l.add(&Access{Name: fmt.Sprintf("tex.1d border %v of %s, normal %t", color, f, isNormal), Object: o, Body: texBody("", "1d", types+" f32", ""), Sources: []Source{sweep(4, false)}, Results: 4, Threads: 128})
			}
		}
	}
}
