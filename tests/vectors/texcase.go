package vectors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// Object is a texture or surface object as the CUDA runtime describes one: a
// resource, what its elements are, and how it is sampled. Numbers are those of
// the runtime's enumerations.
type Object struct {
	Resource      int // cudaResourceType
	Surface       bool
	Bits          [4]int // cudaChannelFormatDesc
	Kind          int
	Width         int
	Height, Depth int // 0 where there is no such dimension; Depth counts layers too
	Levels        int // of a mipmapped array
	Flags         int // of the array
	Sampler       Sampler
	View          int    // cudaResourceViewFormat, 0 for none
	Texels        string // how the elements are made, see texels
}

// Sampler is cudaTextureDesc.
type Sampler struct {
	Address                    [3]int
	Linear, LinearMip          bool
	Normal                     bool // cudaReadModeNormalizedFloat
	SRGB, Normalized           bool
	Border                     [4]float32
	Anisotropy                 int
	Bias, Least, Most          float32 // of the level of detail
	Seamless, NoTrilinearBlend bool
}

// The resources.
const (
	ArrayResource   = 0
	MipmapResource  = 1
	LinearResource  = 2
	PitchedResource = 3
)

// Flags of arrays.
const (
	layeredArray = 1
	surfaceArray = 2
	cubeArray    = 4
	gatherArray  = 8
)

// Access is a kernel that reads or writes one texture or surface object. Body
// is PTX in which %obj is the handle, %s0, %s1 ... are 32-bit sources and %d0,
// %d1 ... 32-bit results. Without results, the object's elements afterwards
// are the result.
type Access struct {
	Name    string
	Object  Object
	Body    string
	Sources []Source
	Results int
	Threads int
}

// Source makes an operand of thread i. What it makes depends on Name alone.
type Source struct {
	Name string
	Make func(r *random, i int) uint32
}

// SetName identifies the operands.
func (a *Access) SetName() string {
	names := make([]string, len(a.Sources))
	for i, s := range a.Sources {
		names[i] = s.Name
	}
	return fmt.Sprintf("%s x%d", strings.Join(names, ", "), a.Threads)
}

// Operands are the sources: word s*Threads+i is source s of thread i.
func (a *Access) Operands() []byte {
	b := make([]byte, 0, 4*len(a.Sources)*a.Threads)
	r := newRandom(a.SetName())
	for _, s := range a.Sources {
		for i := range a.Threads {
			b = binary.LittleEndian.AppendUint32(b, s.Make(r, i))
		}
	}
	return b
}

// Size is the number of bytes of the results.
func (a *Access) Size() int {
	if a.Results == 0 {
		return a.Object.Bytes()
	}
	return 4 * a.Results * a.Threads
}

// Kernel is the text of the access's kernel, without the module's head.
func (a *Access) Kernel(name string) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(".visible .entry %s(.param .u64 pobj, .param .u64 pin, .param .u64 pout)\n{", name)
	p("\t.reg .b64 %%obj, %%src, %%dst;\n\t.reg .b32 %%i, %%s<16>, %%d<16>, %%r<16>;\n\t.reg .b16 %%h<16>;\n\t.reg .b64 %%u<8>;\n\t.reg .pred %%p<4>;")
	p("\tld.param.u64 %%obj, [pobj];\n\tld.param.u64 %%src, [pin];\n\tld.param.u64 %%dst, [pout];")
	p("\tmov.u32 %%r0, %%ctaid.x;\n\tmov.u32 %%r1, %%tid.x;\n\tmad.lo.u32 %%i, %%r0, %d, %%r1;", Block)
	p("\tmad.wide.u32 %%src, %%i, 4, %%src;\n\tmad.wide.u32 %%dst, %%i, %d, %%dst;", 4*a.Results)
	for s := range a.Sources {
		p("\tld.global.b32 %%s%d, [%%src+%d];", s, 4*s*a.Threads)
	}
	for line := range strings.Lines(strings.TrimSpace(a.Body)) {
		p("\t%s", strings.TrimSpace(line))
	}
	for d := range a.Results {
		p("\tst.global.b32 [%%dst+%d], %%d%d;", 4*d, d)
	}
	p("\tret;\n}")
	return b.String()
}

// Line describes the access for scripts/record/texture/record.cu: the module of
// its kernel, its operands and results, then the object.
func (a *Access) Line(module string, operands, texels int) string {
	o, s := &a.Object, &a.Object.Sampler
	fields := []any{
		module, operands, len(a.Sources) * a.Threads * 4, a.Threads, a.Size(), number(a.Results == 0),
		texels, o.Bytes(), o.Resource, number(o.Surface), o.Bits[0], o.Bits[1], o.Bits[2], o.Bits[3], o.Kind,
		o.Width, o.Height, o.Depth, max(o.Levels, 1), o.Flags, o.View, o.elementBytes(),
		s.Address[0], s.Address[1], s.Address[2], number(s.Linear), number(s.LinearMip), number(s.Normal), number(s.SRGB), number(s.Normalized),
		math.Float32bits(s.Border[0]), math.Float32bits(s.Border[1]), math.Float32bits(s.Border[2]), math.Float32bits(s.Border[3]),
		s.Anisotropy, math.Float32bits(s.Bias), math.Float32bits(s.Least), math.Float32bits(s.Most), number(s.Seamless), number(s.NoTrilinearBlend),
	}
	text := fmt.Sprint(fields[0])
	for _, f := range fields[1:] {
		text += fmt.Sprint(" ", f)
	}
	return text + " " + a.Name
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The kinds of arrays whose elements are blocks.
const (
	firstBlock = 17
	lastBlock  = 30
)

// blocks reports an array of blocks of 4 by 4 elements.
func (o *Object) blocks() bool { return o.Kind >= firstBlock && o.Kind <= lastBlock }

// elementBytes is the size of an element, or of a block.
func (o *Object) elementBytes() int {
	switch {
	case o.Kind == 17 || o.Kind == 18 || o.Kind == 23 || o.Kind == 24:
		return 8
	case o.blocks():
		return 16
	}
	return (o.Bits[0] + o.Bits[1] + o.Bits[2] + o.Bits[3]) / 8
}

// extent is the size of a level.
func (o *Object) extent(level int) (w, h, d int) {
	half := func(n int) int { return max(n>>level, 1) }
	w, h, d = half(o.Width), half(o.Height), half(o.Depth)
	if o.blocks() {
		w, h = w/4, h/4
	}
	if o.Flags&(layeredArray|cubeArray) != 0 {
		d = o.Depth
	}
	return w, h, d
}

// Bytes is the size of all elements of all levels, without gaps.
func (o *Object) Bytes() (n int) {
	for level := range max(o.Levels, 1) {
		w, h, d := o.extent(level)
		n += w * h * d * o.elementBytes()
	}
	return n
}

// TexelName identifies the elements of the object.
func (o *Object) TexelName() string {
	return fmt.Sprint(o.Texels, " ", o.Bits, o.Kind, " ", o.Width, o.Height, o.Depth, o.Levels, o.Flags&(layeredArray|cubeArray))
}

// TexelData are the elements, level by level.
func (o *Object) TexelData() []byte {
	r := newRandom(o.TexelName())
	var b []byte
	n := 0
	for level := range max(o.Levels, 1) {
		w, h, d := o.extent(level)
		for z := range d {
			for y := range h {
				for x := range w {
					for c := range 4 {
						b = o.channel(b, r, c, position{level, x, y, z, n})
					}
					for o.blocks() && len(b) < (n+1)*o.elementBytes() {
						b = append(b, byte(r.next()))
					}
					n++
				}
			}
		}
	}
	return b
}

// position is the place of an element, and its number.
type position struct{ level, x, y, z, n int }

// channel appends channel c of an element.
func (o *Object) channel(b []byte, r *random, c int, p position) []byte {
	bits := o.Bits[c]
	if o.blocks() || bits == 0 || bits == 2 || bits == 10 && c > 0 {
		return b
	}
	v := o.value(r, c, p)
	switch bits {
	case 8:
		return append(b, byte(v))
	case 16:
		return binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(v))
}

const floatKind = 2

// value is a channel of an element: of "ramp" its number, of "level" the number
// of its level, of "count" its number as an integer, of "corners" what tells weights,
// of "unit" a random number below one, of "wide" one of any magnitude, of "coarse" one
// of few bits, of "mixed" one with exceptional
// values among them; else, and for integers, random bits.
func (o *Object) value(r *random, c int, p position) uint64 {
	v := r.next()
	switch o.Texels {
	case "count":
		return uint64(p.n + 7*c)
	case "below": // a row of zeros and one of numbers
		return uint64(p.y * (p.x + 7*c))
	case "least": // the least signed number and random ones
		return v << (v >> 62 & 1 * 15) & 0xffff
	case "ends", "colors":
		return endsOf(o.Texels, c, p.n)
	case "partitions":
		return partition(p.n)[c]
	}
	if o.Kind != floatKind {
		return v
	}
	var x float64
	switch o.Texels {
	case "ramp":
		x = float64(p.n)
	case "level":
		x = float64(p.level)
	case "delta": // one element in the middle
		if p.x == o.Width/2 && p.y == o.Height/2 {
			x = 1
		}
	case "corners":
		x = corner(c, p)
	case "unit":
		x = float64(v>>40) / (1 << 24)
	case "coarse": // sums of such numbers lie in the middle of two others often
		x = math.Ldexp(1+float64(v>>61)/8, int(v%26)-13)
		if v>>8&1 != 0 {
			x = -x
		}
	case "wide":
		x = math.Ldexp(1+float64(v>>41)/(1<<23), int(v%24)-12)
		if v>>8&1 != 0 {
			x = -x
		}
	case "mixed":
		if v%8 == 0 {
			return specialFloat(o.Bits[0], v>>8)
		}
		x = float64(v>>40) / (1 << 24)
	default:
		return v >> 32
	}
	if o.Bits[0] == 16 {
		return uint64(halfBits(x))
	}
	return uint64(math.Float32bits(float32(x)))
}

// corner lets a filtered value tell the weights of the elements: channel c is 1
// in element 2c of level 0 and 2^-12 in the next one; the last channel is 1 in
// the levels above.
func corner(c int, p position) float64 {
	switch {
	case p.level > 0 && c == 3:
		return 1
	case p.level > 0:
		return 0
	case p.n == 2*c:
		return 1
	case p.n == 2*c+1:
		return math.Ldexp(1, -12)
	}
	return 0
}

// endsOf is word c of compressed block n. Of "ends", two bytes are n and the codes
// 0 to 7, one after another; of "colors", two colors whose channels are all pairs of
// the bits of n, and the codes 0 to 3.
func endsOf(texels string, c, n int) uint64 {
	if texels == "ends" {
		return (uint64(n) | 0xfac688fac688<<16) >> (32 * c) & 0xffffffff
	}
	if c%2 == 1 {
		return 0xe4e4e4e4
	}
	high, low := uint64(n/64), uint64(n%64)
	return high>>1<<11 | high<<5 | low>>1 | (low>>1<<11|low<<5|high>>1)<<16
}

// partition is block n of BC7 of those that show how blocks are divided: by each of
// 64 patterns into two parts, red and green, then into three, red, green and blue.
// All bits of its codes are set, which leaves the element of each part that has one
// bit less behind the others.
func partition(n int) (words [4]uint64) {
	at := 0
	put := func(v uint64, bits int) {
		for i := range bits {
			words[(at+i)/32] |= v >> i & 1 << ((at + i) % 32)
		}
		at += bits
	}
	parts, depth := 2+n/64, 6-n/64
	put(2<<(n/64), 2+n/64)
	put(uint64(n%64), 6)
	for channel := range 3 {
		for part := range parts {
			put(0, depth)
			if part == channel {
				put(1<<depth-1, depth)
			} else {
				put(0, depth)
			}
		}
	}
	if parts == 2 {
		put(0, 2)
	}
	for at < 128 {
		put(1, 1)
	}
	return words
}

// specialFloat is an exceptional value.
func specialFloat(bits int, v uint64) uint64 {
	if bits == 16 {
		return []uint64{0x7c00, 0xfc00, 0x7e00, 0x8000, 0x0001, 0x83ff, 0x7bff, 0xfbff, 0, 0x7d01}[v%10]
	}
	return []uint64{0x7f800000, 0xff800000, 0x7fc00000, 0x80000000, 1, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0, 0x7f800001}[v%10]
}

// halfBits is x as a half, cut.
func halfBits(x float64) uint16 {
	if x == 0 {
		return 0
	}
	sign := uint16(0)
	if x < 0 {
		sign, x = 0x8000, -x
	}
	frac, exp := math.Frexp(x) // frac in [1/2, 1)
	switch e := exp + 14; {
	case e >= 31:
		return sign | 0x7bff
	case e <= 0:
		return sign | uint16(math.Ldexp(x, 24))
	default:
		return sign | uint16(e)<<10 | uint16(frac*2048)&0x3ff
	}
}

// AccessModule is the module of an access's kernel alone: the driver refuses all
// of a module for one instruction that it does not like.
func AccessModule(a *Access) string {
	return fmt.Sprintf(".version %d.%d\n.target sm_%d\n.address_size 64\n", Version/10, Version%10, Target) + a.Kernel("k")
}

// AccessEntry is the record of the results of an access: all of them if they need
// little space, or are not compared bit for bit.
func AccessEntry(a *Access, out []byte) Entry {
	e := Entry{Name: a.Name, Size: len(out), Hashes: Hashes(out)}
	if deviationOf(a.Name) != nil || len(encoder.EncodeAll(out, nil)) <= keepBytes {
		e.Full = bytes.Clone(out)
	}
	return e
}
