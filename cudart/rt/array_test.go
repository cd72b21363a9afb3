package rt_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/cudart/rt"
	"pgregory.net/rapid"
)

var words = rt.ChannelDesc{Bits: [4]int32{32}, Kind: 2}

func TestArraysTakeWhatCopiesGive(t *testing.T) {
	p := start(t)
	a, err := p.thread.MallocArray(words, rt.Extent{Width: 5, Height: 3}, 0)
	p.must(err)
	src, b := p.bytes(60)
	for i := range b {
		b[i] = byte(i)
	}
	p.must(p.thread.MemcpyToArray(rt.Spot{Array: a}, src, 60, 1, rt.Order{}))
	dst, out := p.bytes(60)
	p.must(p.thread.Memcpy2DFromArray(rt.Pitched{Addr: dst, Pitch: 8}, rt.Spot{Array: a, X: 4, Y: 1}, 8, 2, 2, rt.Order{}))
	if string(out[:16]) != string(b[24:32])+string(b[44:52]) {
		t.Errorf("rectangle %v", out[:16])
	}
	p.must(p.thread.MemcpyFromArray(dst, rt.Spot{Array: a, X: 16, Y: 0}, 40, 2, rt.Order{}))
	if string(out[:40]) != string(b[16:56]) {
		t.Errorf("sequence %v", out[:40])
	}
	p.want("past the end", p.thread.MemcpyToArray(rt.Spot{Array: a, X: 4}, src, 60, 1, rt.Order{}), 1)
	p.want("too wide", p.thread.Memcpy2DToArray(rt.Spot{Array: a, X: 4}, rt.Pitched{Addr: src, Pitch: 20}, 20, 1, 1, rt.Order{}), 1)
	p.must(p.thread.FreeArray(a))
	p.want("freed", p.thread.FreeArray(a), 400)
}

func TestVolumesAreCopiedBetweenArraysAndMemory(t *testing.T) {
	rapid.Check(t, func(rt_ *rapid.T) {
		p := start(t)
		draw := func(name string, least, most int) uint64 { return uint64(rapid.IntRange(least, most).Draw(rt_, name)) }
		e := rt.Extent{Width: draw("width", 1, 6), Height: draw("height", 1, 5), Depth: draw("depth", 1, 4)}
		a, err := p.thread.MallocArray(words, e, 0)
		p.must(err)
		size := e.Width * e.Height * e.Depth * 4
		src, in := p.bytes(size)
		for i := range in {
			in[i] = byte(i*7 + 1)
		}
		memory := func(addr uint64) rt.End {
			return rt.End{Memory: rt.Volume{Addr: addr, Pitch: e.Width * 4, Height: e.Height}}
		}
		p.must(p.thread.Memcpy3D(rt.End{Array: a}, memory(src), e, 1, rt.Order{}))
		x, y, z := draw("x", 0, int(e.Width)-1), draw("y", 0, int(e.Height)-1), draw("z", 0, int(e.Depth)-1)
		part := rt.Extent{Width: e.Width - x, Height: e.Height - y, Depth: e.Depth - z}
		dst, out := p.bytes(size)
		p.must(p.thread.Memcpy3D(memory(dst), rt.End{Array: a, X: x, Y: y, Z: z}, part, 2, rt.Order{}))
		at := func(i, j, k uint64) uint64 { return (k*e.Height+j)*e.Width*4 + i*4 }
		for k := range part.Depth {
			for j := range part.Height {
				for i := range part.Width {
					if got, want := out[at(i, j, k)], in[at(i+x, j+y, k+z)]; got != want {
						rt_.Fatalf("element %d,%d,%d is %d, want %d", i, j, k, got, want)
					}
				}
			}
		}
		p.want("one too wide", p.thread.Memcpy3D(memory(dst), rt.End{Array: a, X: x + 1}, rt.Extent{Width: e.Width - x, Height: 1, Depth: 1}, 2, rt.Order{}), 1)
		p.close()
	})
}

func TestArraysHaveFormatsAndLimits(t *testing.T) {
	p := start(t)
	for _, c := range []struct {
		name   string
		desc   rt.ChannelDesc
		extent rt.Extent
		flags  uint32
		code   rt.Error
	}{
		{"1-D", words, rt.Extent{Width: 131072}, 0, 0},
		{"too wide", words, rt.Extent{Width: 131073}, 0, 1},
		{"no width", words, rt.Extent{}, 0, 1},
		{"four bytes", rt.ChannelDesc{Bits: [4]int32{8, 8, 8, 8}, Kind: 1}, rt.Extent{Width: 4, Height: 4}, 0, 0},
		{"three components", rt.ChannelDesc{Bits: [4]int32{8, 8, 8}, Kind: 1}, rt.Extent{Width: 4}, 0, 20},
		{"mixed", rt.ChannelDesc{Bits: [4]int32{8, 16}, Kind: 1}, rt.Extent{Width: 4}, 0, 20},
		{"float bytes", rt.ChannelDesc{Bits: [4]int32{8}, Kind: 2}, rt.Extent{Width: 4}, 0, 20},
		{"layered", words, rt.Extent{Width: 4, Height: 4, Depth: 2048}, 1, 0},
		{"too many layers", words, rt.Extent{Width: 4, Height: 4, Depth: 2049}, 1, 1},
		{"cubemap", words, rt.Extent{Width: 4, Height: 4, Depth: 6}, 4, 0},
		{"cubemap of five", words, rt.Extent{Width: 4, Height: 4, Depth: 5}, 4, 1},
		{"sparse line", words, rt.Extent{Width: 4}, 0x40, 1},
		{"sparse", words, rt.Extent{Width: 4, Height: 4}, 0x40, 0},
		{"sparse surface", words, rt.Extent{Width: 4, Height: 4}, 0x42, 1},
		{"layered without layers", words, rt.Extent{Width: 4}, 1, 1},
		{"gathered line", words, rt.Extent{Width: 4}, 8, 1},
		{"slices of lines", words, rt.Extent{Width: 4, Depth: 2}, 0, 1},
	} {
		_, err := p.thread.MallocArray(c.desc, c.extent, c.flags)
		p.want(c.name, err, c.code)
	}
}

func TestTextureObjectsDescribeTheirResource(t *testing.T) {
	p := start(t)
	dev := p.malloc(4096)
	linear := &layout.ResourceDesc{ResType: 2, Handle: dev, Desc: [5]int32{32, 0, 0, 0, 2}, Width: 4096}
	h, err := p.thread.CreateTextureObject(linear, &layout.TextureDesc{NormalizedCoords: 0}, nil)
	p.must(err)
	if h == 0 || h > 100 {
		t.Errorf("handle %#x", h)
	}
	res, _, view, err := p.thread.GetTextureObjectDescs(h)
	if err != nil || *res != *linear || view != nil {
		t.Errorf("described as %+v, %v, %v", res, view, err)
	}
	p.must(p.thread.DestroyTextureObject(h))
	p.want("destroyed", p.thread.DestroyTextureObject(h), 1)
	p.want("handle 0", p.thread.DestroyTextureObject(0), 0)
	for name, bad := range map[string]layout.ResourceDesc{
		"misaligned":   {ResType: 2, Handle: dev + 4, Desc: linear.Desc, Width: 64},
		"too long":     {ResType: 2, Handle: dev, Desc: linear.Desc, Width: 1<<33 + 4},
		"unknown type": {ResType: 7, Handle: dev, Desc: linear.Desc, Width: 64},
	} {
		_, err := p.thread.CreateTextureObject(&bad, &layout.TextureDesc{}, nil)
		p.want(name, err, 1)
	}
	ints := *linear
	ints.Desc[4] = 0
	_, err = p.thread.CreateTextureObject(&ints, &layout.TextureDesc{FilterMode: 1}, nil)
	p.want("filtered integers", err, 26)
}

// TestTextureObjectsOutliveTheWorkThatUsesThem: programs destroy them behind a launch, without waiting.
func TestTextureObjectsOutliveTheWorkThatUsesThem(t *testing.T) {
	p := start(t)
	linear := &layout.ResourceDesc{ResType: 2, Handle: p.malloc(4096), Desc: [5]int32{32, 0, 0, 0, 2}, Width: 4096}
	h, err := p.thread.CreateTextureObject(linear, &layout.TextureDesc{}, nil)
	p.must(err)
	var done atomic.Bool
	p.must(p.thread.LaunchHostFunc(p.stream(), rt.HostCall{Run: func() {
		time.Sleep(20 * time.Millisecond)
		done.Store(true)
	}}))
	p.must(p.thread.DestroyTextureObject(h))
	if !done.Load() {
		t.Error("destroyed before the work in front of it")
	}
}
