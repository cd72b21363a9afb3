package vectors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// texture describes the object as the engine sees it, its elements at base.
func (o *Object) texture(base uint64) *isa.Texture {
	s := &o.Sampler
	t := &isa.Texture{
		Width: uint32(o.Width), Height: uint32(o.Height), Depth: uint32(o.Depth), Resource: isa.Resource(o.Resource), Format: o.format(),
		Normalized: s.Normalized, ReadNormalized: s.Normal || o.Kind >= 5 || o.View != 0 && o.Bits[0] == 32, SRGB: s.SRGB,
		Sampler: isa.Sampler{
			Linear: s.Linear, MipLinear: s.LinearMip, Seamless: s.Seamless, BorderColor: s.Border,
			Bias: s.Bias, Least: s.Least, Most: s.Most, Anisotropy: s.Anisotropy, Unsharpened: s.NoTrilinearBlend,
		},
	}
	for i, m := range s.Address {
		t.Sampler.Address[i] = isa.AddressMode(m)
	}
	if o.Flags&(layeredArray|cubeArray) != 0 {
		t.Layers, t.Depth, t.Cube = t.Depth, 0, o.Flags&cubeArray != 0
	}
	if o.View != 0 { // the elements of the array are blocks then
		t.Width, t.Height = t.Width*uint32(t.BlockWidth()), t.Height*uint32(t.BlockWidth())
	}
	t.Levels = max(o.Levels, 1)
	for level := range t.Levels {
		w, h, d := o.extent(level)
		*t.Level(level) = isa.Plane{Base: base, Pitch: uint64(w * o.elementBytes()), SlicePitch: uint64(w * h * o.elementBytes())}
		base += uint64(w * h * d * o.elementBytes())
	}
	return t
}

// format is the format that the elements are read in: the view's, if there is one.
func (o *Object) format() isa.Format {
	f := isa.Format{ChannelBits: o.Bits[0], Kind: []isa.Kind{isa.Signed, isa.Unsigned, isa.Float}[min(o.Kind, 2)]}
	for f.Channels < 4 && o.Bits[f.Channels] != 0 {
		f.Channels++
	}
	switch {
	case o.blocks(): // each but BC4 to BC6, with and without a sign, is there with and without sRGB
		blockFormat(&f, []isa.Packing{isa.BC1, isa.BC2, isa.BC3, isa.BC4, isa.BC5, isa.BC6, isa.BC7}[(o.Kind-firstBlock)/2], o.Kind > 22 && o.Kind < 29 && o.Kind%2 == 0)
		f.Opaque = f.Channels < 4
	case o.Kind == 31:
		f.Packing = isa.RGB10A2
	case o.Kind >= 11:
		f.Kind = isa.Signed
	case o.Kind >= 5:
		f.Kind = isa.Unsigned
	}
	switch v := o.View; {
	case v == 0:
	case v >= 0x19:
		packing := []isa.Packing{isa.BC1, isa.BC2, isa.BC3, isa.BC4, isa.BC4, isa.BC5, isa.BC5, isa.BC6, isa.BC6, isa.BC7}[v-0x19]
		blockFormat(&f, packing, v == 0x1d || v == 0x1f || v == 0x21)
	default:
		n := (v - 1) % 3
		f.Channels = []int{1, 2, 4}[n]
		group := (v - 1) / 3
		f.ChannelBits = []int{8, 8, 16, 16, 32, 32, 16, 32}[group]
		f.Kind = []isa.Kind{isa.Unsigned, isa.Signed, isa.Unsigned, isa.Signed, isa.Unsigned, isa.Signed, isa.Float, isa.Float}[group]
	}
	return f
}

func blockFormat(f *isa.Format, packing isa.Packing, signed bool) {
	f.Packing, f.Kind = packing, isa.Unsigned
	if signed {
		f.Kind = isa.Signed
	}
	f.Channels = []int{4, 4, 4, 1, 2, 3, 4}[packing-isa.BC1]
}

// object is the only texture or surface of a launch.
type object struct{ texture *isa.Texture }

const (
	textureHandle = 1
	surfaceHandle = 2
)

func (o object) Texture(h uint64) *isa.Texture {
	if h == textureHandle {
		return o.texture
	}
	return nil
}

func (o object) Surface(h uint64) *isa.Texture {
	if h == surfaceHandle {
		return o.texture
	}
	return nil
}

// runAccess is what the kernel of an access stores.
func runAccess(a *Access) ([]byte, error) {
	p, err := solo.Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 28}, SMs: 4, ThreadsPerSM: 2048, Heap: 1 << 20, Stack: 1024}, "access", AccessModule(a))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	place := func(b []byte, n int) (uint64, error) {
		addr, err := p.Alloc(uint64(max(n, 1)))
		if err == nil && len(b) > 0 {
			err = p.Write(addr, b)
		}
		return addr, err
	}
	texels := a.Object.TexelData()
	base, err := place(texels, len(texels))
	if err != nil {
		return nil, err
	}
	operands := a.Operands()
	in, err := place(operands, len(operands))
	if err != nil {
		return nil, err
	}
	out, err := place(nil, a.Size())
	if err != nil {
		return nil, err
	}
	handle := uint64(textureHandle)
	if a.Object.Surface {
		handle = surfaceHandle
	}
	var params []byte
	for _, v := range []uint64{handle, in, out} {
		params = binary.LittleEndian.AppendUint64(params, v)
	}
	launch := solo.Launch{Kernel: "k", Grid: [3]uint32{uint32(a.Threads / Block), 1, 1}, Block: [3]uint32{Block, 1, 1}, Textures: object{a.Object.texture(base)}}
	if _, err := p.Run(launch, params); err != nil {
		return nil, err
	}
	results := make([]byte, a.Size())
	if a.Results == 0 {
		out = base
	}
	return results, p.Read(out, results)
}

func TestTexturesGiveTheCardsBits(t *testing.T) {
	r := readRecord(t, "h200.texture.zst")
	entries := map[string]*Entry{}
	for i := range r.Entries {
		entries[r.Entries[i].Name] = &r.Entries[i]
	}
	for _, a := range Accesses() {
		e := entries[a.Name]
		if e == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			got, err := runAccess(a)
			if err != nil {
				t.Fatal(err)
			}
			text := a.difference(got, e)
			if d := deviationOf(a.Name); d != nil {
				text = d.exceeded(got, e.Full)
			}
			if text != "" {
				t.Error(text)
			}
		})
	}
}

// exceeded describes results, floats, that deviate more from the card's than they may.
func (d *deviation) exceeded(got, want []byte) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d bytes of results, recorded %d", len(got), len(want))
	}
	far, worst := 0, 0.0
	for i := 0; i < len(got); i += 4 {
		if bytes.Equal(got[i:i+4], want[i:i+4]) {
			continue
		}
		x, y := math.Float32frombits(binary.LittleEndian.Uint32(got[i:])), math.Float32frombits(binary.LittleEndian.Uint32(want[i:]))
		distance := math.Abs(float64(x) - float64(y))
		worst = max(worst, distance)
		if !(distance <= d.near) {
			far++
		}
	}
	if share := float64(far) / float64(len(got)/4); share > d.share {
		return fmt.Sprintf("%.2g of the results are further than %g from the card's, up to %g, not %g", share, d.near, worst, d.share)
	}
	return ""
}

// difference describes the first result that is not the card's; "" if all are.
func (a *Access) difference(got []byte, want *Entry) string {
	if want.Full == nil {
		for i, h := range Hashes(got) {
			if h != want.Hashes[i] {
				return fmt.Sprintf("differs in bytes %d to %d of the results", i*partBytes, (i+1)*partBytes)
			}
		}
		return ""
	}
	size := max(4*a.Results, a.Object.elementBytes())
	for i := 0; i+size <= len(got); i += size {
		if have, card := got[i:i+size], want.Full[i:i+size]; !bytes.Equal(have, card) {
			return fmt.Sprintf("result %d: %s -> %s, the card has %s", i/size, a.tuple(i/size), hex(have), hex(card))
		}
	}
	return ""
}

// tuple describes the operands of thread i.
func (a *Access) tuple(i int) string {
	in, text := a.Operands(), ""
	for s := range a.Sources {
		if at := 4 * (s*a.Threads + i); at+4 <= len(in) {
			text += " 0x" + hex(in[at:at+4])
		}
	}
	return text
}
