package ops

import (
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// objects are the textures of a test, handles 1 and up; surfaces are the same.
type objects []*isa.Texture

func (o objects) Texture(h uint64) *isa.Texture {
	if h >= 1 && h <= uint64(len(o)) {
		return o[h-1]
	}
	return nil
}

func (o objects) Surface(h uint64) *isa.Texture { return o.Texture(h) }

const (
	rHandle isa.Reg = 40
	rCoord  isa.Reg = 44 // up to four coordinates
	rTexel  isa.Reg = 50 // four results
)

// sampled reads one texel in lane 0.
func sampled(t *testing.T, text string, x *isa.Texture, data []byte, coords ...float32) [4]float32 {
	t.Helper()
	b := newBench(t)
	copy(b.a, data)
	b.Mask = 1
	b.CTA.Textures = objects{x}
	b.Set64(rHandle, 0, 1)
	vec := rangeOf(rTexel, 4)
	for i, c := range coords {
		b.Regs[rCoord+isa.Reg(i)][0] = math.Float32bits(c)
		if text[len(text)-3:] == "s32" || i == 0 && splitDots(text)[1][0] == 'a' {
			b.Regs[rCoord+isa.Reg(i)][0] = uint32(int32(c))
		}
		vec = append(vec, rCoord+isa.Reg(i))
	}
	words := splitDots(text)
	form, _, err := Lookup(words[0], words[1:])
	if err != nil {
		t.Fatal(err)
	}
	form.Op.Bind(form)(b.Warp, &isa.Inst{A: rHandle, Vec: vec, P: 2})
	b.trapped(text, isa.NoTrap, 0)
	if b.Preds[2] != 1 {
		t.Errorf("%s: the texture is not resident", text)
	}
	var v [4]float32
	for i := range v {
		v[i] = math.Float32frombits(b.Regs[rTexel+isa.Reg(i)][0])
	}
	return v
}

func floats(v ...float32) []byte {
	b := make([]byte, 4*len(v))
	for i, x := range v {
		le32(b[4*i:], math.Float32bits(x))
	}
	return b
}

func floatTexture(width, height, depth uint32) *isa.Texture {
	all := [3]isa.AddressMode{isa.Clamp, isa.Clamp, isa.Clamp}
	return &isa.Texture{
		Width: width, Height: height, Depth: depth, Format: isa.Format{Channels: 1, ChannelBits: 32, Kind: isa.Float},
		Plane: isa.Plane{Base: heapA, Pitch: uint64(4 * width), SlicePitch: uint64(4 * width * height)}, Sampler: isa.Sampler{Address: all},
	}
}

// TestLinearFilteringAtTheEdges is case C35 of the failing cases.
func TestLinearFilteringAtTheEdges(t *testing.T) {
	x := floatTexture(4, 0, 0)
	x.Linear = true
	want := []float32{10, 10, 10, 15, 22.5, 40}
	for i, at := range []float32{-3, 0, 0.5, 1, 1.75, 9} {
		if got := sampled(t, "tex.1d.v4.f32.f32", x, floats(10, 20, 30, 40), at); got != [4]float32{want[i]} {
			t.Errorf("at %v: %v, want %v", at, got, want[i])
		}
	}
}

func TestWeightsHaveEightBits(t *testing.T) {
	x := floatTexture(2, 0, 0)
	x.Linear = true
	for _, c := range []struct{ at, want float32 }{{0.5 + 1.0/256, 1}, {0.5 + 1.0/1024, 0}, {0.5 + 3.0/1024, 1}, {1, 128}, {1.5 - 1.0/256, 255}} {
		if got := sampled(t, "tex.1d.v4.f32.f32", x, floats(0, 256), c.at)[0]; got != c.want {
			t.Errorf("at %v: %v, want %v", c.at, got, c.want)
		}
	}
}

func TestAddressModes(t *testing.T) {
	const none = -1 // border
	for _, c := range []struct {
		mode       isa.AddressMode
		normalized bool
		at         []float32 // in elements
		want       []float32
	}{
		{isa.Clamp, false, []float32{-5, 0, 3.9, 4, 100}, []float32{0, 0, 3, 3, 3}},
		{isa.Wrap, false, []float32{-5, 5}, []float32{0, 3}}, // only for normalized coordinates
		{isa.Border, false, []float32{-0.5, 0, 3.5, 4}, []float32{none, 0, 3, none}},
		{isa.Clamp, true, []float32{-1, 2.5, 7}, []float32{0, 2, 3}},
		{isa.Wrap, true, []float32{-1, -0.5, 4, 5.5, 9}, []float32{3, 3, 0, 1, 1}},
		{isa.Mirror, true, []float32{-0.5, -1.5, 4.5, 5.5, 8.5}, []float32{0, 1, 3, 2, 0}},
		{isa.Border, true, []float32{-0.5, 1.5, 4.5}, []float32{none, 1, none}},
	} {
		x := floatTexture(4, 0, 0)
		x.Address[0], x.Normalized, x.BorderColor[0] = c.mode, c.normalized, none
		for i, at := range c.at {
			if c.normalized {
				at /= 4
			}
			if got := sampled(t, "tex.1d.v4.f32.f32", x, floats(0, 1, 2, 3), at)[0]; got != c.want[i] {
				t.Errorf("mode %d normalized %v at %v: %v, want %v", c.mode, c.normalized, at, got, c.want[i])
			}
		}
	}
}

func TestDimensionsAndLayers(t *testing.T) {
	data := make([]float32, 24)
	for i := range data {
		data[i] = float32(i)
	}
	x := floatTexture(4, 3, 2)
	layered := floatTexture(4, 3, 0)
	layered.Layers = 2
	memory := floatTexture(4, 0, 0)
	memory.Resource = isa.LinearResource
	rows := floatTexture(4, 0, 0)
	rows.Layers, rows.SlicePitch = 6, 16
	for _, c := range []struct {
		text   string
		x      *isa.Texture
		coords []float32
		want   float32
	}{
		{"tex.2d.v4.f32.f32", x, []float32{1.5, 2.5}, 9},
		{"tex.3d.v4.f32.f32", x, []float32{3.5, 1.5, 1.5, 0}, 19},
		{"tex.3d.v4.f32.s32", x, []float32{3, 1, 1, 0}, 19},
		{"tex.2d.v4.f32.s32", x, []float32{4, 0}, 0},
		{"tex.1d.v4.f32.s32", x, []float32{2}, 0}, // memory alone is read so
		{"tex.1d.v4.f32.s32", memory, []float32{2}, 2},
		{"tex.a2d.v4.f32.f32", layered, []float32{1, 0.5, 0.5, 0}, 12},
		{"tex.a2d.v4.f32.f32", layered, []float32{9, 0.5, 0.5, 0}, 12},
		{"tex.a1d.v4.f32.f32", rows, []float32{5, 3.5}, 23},
		{"tex.level.2d.v4.f32.f32", x, []float32{1.5, 2.5}, 9},
	} {
		if got := sampled(t, c.text, c.x, floats(data...), c.coords...)[0]; got != c.want {
			t.Errorf("%s at %v: %v, want %v", c.text, c.coords, got, c.want)
		}
	}
	x.Linear = true
	if got := sampled(t, "tex.3d.v4.f32.f32", x, floats(data...), 1, 1, 1, 0)[0]; got != 8.5 {
		t.Errorf("the middle of eight elements is %v, want 8.5", got)
	}
	if got := sampled(t, "tld4.r.2d.v4.f32.f32", x, floats(data...), 2, 2); got != [4]float32{9, 10, 6, 5} {
		t.Errorf("tld4: %v, want 9 10 6 5", got)
	}
}

func TestCubeFaces(t *testing.T) {
	x := floatTexture(2, 2, 0)
	x.Layers, x.Normalized = 6, true
	data := make([]float32, 24)
	for i := range data {
		data[i] = float32(i)
	}
	for i, d := range [][3]float32{{1, -.5, .5}, {-1, -.5, -.5}, {.5, 1, .5}, {.5, -1, -.5}, {.5, -.5, 1}, {-.5, -.5, -1}} {
		want := []float32{2, 6, 11, 15, 19, 23}[i] // the face's element at (s, t), both known from d
		if got := sampled(t, "tex.cube.v4.f32.f32", x, floats(data...), d[0], d[1], d[2], 0)[0]; got != want {
			t.Errorf("direction %v: %v, want %v", d, got, want)
		}
	}
}

func TestChannelsAreReadByFormat(t *testing.T) {
	data := []byte{255, 128, 0, 64}
	for _, c := range []struct {
		x    isa.Texture
		want [4]float32
	}{
		{isa.Texture{Format: isa.Format{Channels: 4, ChannelBits: 8, Kind: isa.Unsigned}, ReadNormalized: true}, [4]float32{1, float32(128.0 / 255), 0, float32(64.0 / 255)}},
		{isa.Texture{Format: isa.Format{Channels: 2, ChannelBits: 8, Kind: isa.Signed}, ReadNormalized: true}, [4]float32{float32(-1.0 / 127), -1}},
		{isa.Texture{Format: isa.Format{Channels: 1, ChannelBits: 16, Kind: isa.Unsigned}, ReadNormalized: true}, [4]float32{float32(33023.0 / 65535)}},
		{isa.Texture{Format: isa.Format{Channels: 1, ChannelBits: 16, Kind: isa.Float}}, [4]float32{float32(-1 * (1 + 255.0/1024) * 0x1p-14 * 0)}},
	} {
		c.x.Width, c.x.Base = 1, heapA
		got := sampled(t, "tex.1d.v4.f32.f32", &c.x, data, 0)
		if c.x.Kind == isa.Float {
			c.want[0] = float32(math.Float32frombits(1<<31) - 255*0x1p-24)
		}
		if got != c.want {
			t.Errorf("%+v: %v, want %v", c.x, got, c.want)
		}
	}
	x := isa.Texture{Width: 1, Plane: isa.Plane{Base: heapA}, Format: isa.Format{Channels: 2, ChannelBits: 8, Kind: isa.Signed}}
	v := sampled(t, "tex.1d.v4.s32.f32", &x, data, 0)
	if a, b := int32(math.Float32bits(v[0])), int32(math.Float32bits(v[1])); a != -1 || b != -128 {
		t.Errorf("signed channels %d %d, want -1 -128", a, b)
	}
}

// surfacing runs a surface access in lane 0 of an 8 x 4 surface of 32-bit elements.
func surfacing(t *testing.T, text string, values []isa.Reg, coords ...int32) *bench {
	b := newBench(t)
	pattern(b.a)
	b.Mask = 1
	x := floatTexture(8, 4, 0)
	x.Kind, x.Layers = isa.Unsigned, 2
	b.CTA.Textures = objects{x}
	b.Set64(rHandle, 0, 1)
	var at []isa.Reg
	for i, c := range coords {
		b.Regs[rCoord+isa.Reg(i)][0] = uint32(c)
		at = append(at, rCoord+isa.Reg(i))
	}
	in := isa.Inst{A: rHandle, Vec: append(values[:len(values):len(values)], at...)}
	if text[:4] == "sust" {
		in.Vec = append(at, values...)
	}
	b.run(text, 32, in)
	return b
}

func TestSurfaces(t *testing.T) {
	one, two := []isa.Reg{1}, []isa.Reg{1, 2}
	b := surfacing(t, "suld.b.2d.b32.trap", one, 12, 2)
	b.want("suld", 1, func(int) uint32 { return get[uint32](b.a[76:]) })
	b = surfacing(t, "suld.b.a2d.v2.b16.trap", two, 1, 12, 2, 0)
	b.want("suld of a layer", 2, func(int) uint32 { return uint32(get[uint16](b.a[128+76+2:])) })
	b = surfacing(t, "suld.b.2d.b8.clamp", one, 999, -3)
	b.want("suld clamped", 1, func(int) uint32 { return uint32(b.a[31]) })
	b = surfacing(t, "suld.b.2d.b32.zero", one, 0, 4)
	b.want("suld outside", 1, func(int) uint32 { return 0 })
	b = surfacing(t, "suld.b.2d.b32.trap", one, 32, 0)
	b.trapped("suld outside", isa.IllegalAddress, 0)
	b = surfacing(t, "sust.b.2d.v2.b32.trap", two, 8, 1)
	if get[uint32](b.a[40:]) != b.Regs[1][0] || get[uint32](b.a[44:]) != b.Regs[2][0] {
		t.Error("sust stored elsewhere")
	}
	b = surfacing(t, "sust.b.2d.b32.zero", one, -4, 1)
	untouched := newBench(t)
	pattern(untouched.a)
	if string(b.a) != string(untouched.a) {
		t.Error("sust.zero outside wrote")
	}
	b = surfacing(t, "sust.b.2d.b8.clamp", one, 40, 9)
	if b.a[3*32+31] != byte(b.Regs[1][0]) {
		t.Error("sust.clamp did not write the last byte")
	}
	b = surfacing(t, "suq.width.b32", nil)
	b.want("suq", 0, func(int) uint32 { return 8 })
}

func TestUnknownHandlesTrap(t *testing.T) {
	b := newBench(t)
	b.Mask = 4
	b.set64(rHandle, func(int) uint64 { return 7 })
	b.run("tex.1d.v4.f32.f32", 32, isa.Inst{A: rHandle, Vec: rangeOf(0, 5), P: isa.PSink})
	b.trapped("tex", isa.IllegalAddress, 2)
}

// BenchmarkTextures reads textures of 32 by 32 elements in all lanes: what one
// lane takes.
func BenchmarkTextures(b *testing.B) {
	linear := func(x *isa.Texture) { x.Linear = true }
	normalized := func(x *isa.Texture) { x.Linear, x.Normalized, x.Address = true, true, [3]isa.AddressMode{} }
	bytes := func(x *isa.Texture) {
		x.Linear, x.ReadNormalized = true, true
		x.Format, x.Pitch = isa.Format{Channels: 4, ChannelBits: 8, Kind: isa.Unsigned}, 128
	}
	for _, c := range []struct {
		name, text string
		change     func(x *isa.Texture)
	}{
		{"fetch1d", "tex.1d.v4.f32.s32", func(x *isa.Texture) { x.Height, x.Resource = 0, isa.LinearResource }},
		{"fetch2d", "tex.2d.v4.f32.s32", func(*isa.Texture) {}},
		{"nearest2d", "tex.2d.v4.f32.f32", func(*isa.Texture) {}},
		{"linear2d", "tex.2d.v4.f32.f32", linear},
		{"linear3d", "tex.3d.v4.f32.f32", func(x *isa.Texture) { *x = *floatTexture(8, 8, 8); x.Linear = true }},
		{"wrapped2d", "tex.2d.v4.f32.f32", normalized},
		{"bytes2d", "tex.2d.v4.f32.f32", bytes},
		{"gather2d", "tld4.r.2d.v4.f32.f32", linear},
	} {
		b.Run(c.name, func(b *testing.B) {
			x := floatTexture(32, 32, 0)
			c.change(x)
			w := newBench(nil)
			w.CTA.Textures = objects{x}
			vec := rangeOf(rTexel, 4)
			words := splitDots(c.text)
			form, _, err := Lookup(words[0], words[1:])
			if err != nil {
				b.Fatal(err)
			}
			shape := texShapeOf(form)
			for i := range shape.coords {
				vec = append(vec, rCoord+isa.Reg(i))
			}
			for l := range isa.WarpSize {
				w.Set64(rHandle, l, 1)
				for i := range shape.coords {
					v := math.Float32bits(float32(l)/4 + float32(i)*0.3)
					if shape.whole {
						v = uint32(l / 4)
					}
					w.Regs[rCoord+isa.Reg(i)][l] = v
				}
			}
			h, in := form.Op.Bind(form), &isa.Inst{A: rHandle, Vec: vec, P: 2}
			start := processorTime()
			for b.Loop() {
				h(w.Warp, in)
			}
			taken := processorTime() - start
			if w.Trap.Kind != isa.NoTrap {
				b.Fatal(w.Trap)
			}
			b.ReportMetric(float64(taken.Nanoseconds())/float64(b.N)/isa.WarpSize, "cpu-ns/lane")
		})
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
