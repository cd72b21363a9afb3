package tensor

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

// The data types that the cases use, as the driver numbers them.
const (
	u8 = iota
	u16
	u32
	s32
	u64
	s64
	f16
	f32
	f64
	bf16
	f32Ftz
	tf32
	tf32Ftz
)

var typeNames = [...]string{"u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32ftz", "tf32", "tf32ftz"}
var typeBytes = [...]uint64{1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4}

func isFloat(t uint32) bool { return t >= f16 }

// Cases lists all cases. Their names are unique. Those that a card may refuse
// stand last, since it recovers slowly.
func Cases() []Case {
	var l list
	l.checks()
	l.plain()
	l.variants()
	l.tiles()
	l.conversions()
	l.steps()
	l.swizzles()
	l.columns()
	l.columnSteps()
	l.reductions(0)
	l.interleaves()
	l.reductions(1)
	l.misaligned()
	l.before()
	return l
}

type list []Case

func (l *list) add(c Case) {
	if c.Expect == 0 {
		c.Expect = expected(&c)
	}
	if c.Dump == 0 {
		c.Dump = (c.Place+c.Expect+1023)/1024*1024 + 1024
	}
	*l = append(*l, c)
}

// expected is the number of bytes of a copy.
func expected(c *Case) uint32 {
	r := &c.Request
	n := uint32(typeBytes[r.Type])
	slices := r.Interleave != 0
	switch {
	case slices && c.Im2col:
		return 16 * r.Interleave * r.Pixels
	case slices:
		n = 16 * r.Interleave * r.Box[0]
	case c.Im2col:
		return n * r.Channels * r.Pixels
	}
	for i, box := range r.Box {
		switch {
		case i == 0 && slices, slices && i == len(r.Box)-2: // one slice
			continue
		case i == 0:
			n *= box
			continue
		}
		n *= (box + r.Steps[i] - 1) / r.Steps[i]
	}
	return n
}

func ones(n int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = 1
	}
	return s
}

// tensor describes a dense tensor whose rows are padded to 16 bytes, each
// dimension by one more row.
func tensor(typ uint32, dims ...uint64) tensormap.Request {
	r := tensormap.Request{Type: typ, Rank: uint32(len(dims)), Dims: dims, Steps: ones(len(dims))}
	stride := (dims[0]*typeBytes[typ] + 15) / 16 * 16
	for _, d := range dims[1:] {
		r.Strides = append(r.Strides, stride)
		stride *= d + 1
	}
	return r
}

var extents = []uint64{37, 11, 5, 3, 2}
var boxes = []uint32{16, 6, 3, 2, 2}

// starts are corners of a box relative to the tensor: inside, over each edge and
// beyond all. Coordinate 0 counts pieces of 16 bytes, on which rows must begin.
var starts = map[string][5]int32{
	"inside":  {1, 3, 2, 1, 1},
	"low":     {-1, -2, -1, -1, -1},
	"high":    {edge, 8, 3, 2, 1},
	"mixed":   {-1, 8, -1, 2, -1},
	"outside": {100, 100, 100, 100, 100},
	"far":     {-1 << 27, 2147483647, -2147483648, 2147483647, 0},
}

// edge stands for the last piece that begins inside the tensor.
const edge = 1 << 20

var startNames = []string{"inside", "low", "high", "mixed", "outside", "far"}

// begin is a start in elements of a tensor.
func begin(r *tensormap.Request, at [5]int32) [5]int32 {
	per := int32(16 / typeBytes[r.Type])
	if at[0] == edge {
		at[0] = int32(r.Dims[0]-1) / per
	}
	at[0] *= per
	return at
}

func (l *list) tiles() {
	for _, typ := range []uint32{f32, u32, f16, u16, u64, f64, bf16, u8} {
		for rank := 1; rank <= 5; rank++ {
			r := tensor(typ, extents[:rank]...)
			r.Box = append([]uint32(nil), boxes[:rank]...)
			for n, start := range startNames {
				for fill := range uint32(2) {
					if fill == 1 && (!isFloat(typ) || rank > 3) {
						continue
					}
					r.Fill = fill
					c := Case{Name: fmt.Sprintf("tile_%s_%dd_%s_fill%d", typeNames[typ], rank, start, fill), Kernel: fmt.Sprintf("load_tile_%d", rank), Request: r, Coord: begin(&r, starts[start])}
					l.add(c)
					if fill == 0 && (rank == 2 || rank == 4 || typ == u32) && n != 5 {
						c.Name, c.Kernel = "store_"+c.Name, fmt.Sprintf("store_tile_%d", rank)
						l.add(c)
					}
				}
			}
		}
	}
}

// conversions copies types whose values a copy may change.
func (l *list) conversions() {
	for _, typ := range []uint32{s32, s64, f32Ftz, tf32, tf32Ftz} {
		for _, start := range []string{"inside", "mixed"} {
			for fill := range uint32(2) {
				if fill == 1 && !isFloat(typ) {
					continue
				}
				r := tensor(typ, 512, 11)
				r.Box, r.Fill = []uint32{256, 6}, fill
				c := Case{Name: fmt.Sprintf("convert_%s_%s_fill%d", typeNames[typ], start, fill), Kernel: "load_tile_2", Request: r, Coord: begin(&r, starts[start])}
				l.add(c)
				if fill == 0 {
					c.Name, c.Kernel = "store_"+c.Name, "store_tile_2"
					l.add(c)
				}
			}
		}
	}
}

// steps leaves elements out.
func (l *list) steps() {
	for i, steps := range [][]uint32{{1, 2, 1, 1}, {1, 3, 2, 1}, {2, 1, 1, 1}, {3, 2, 2, 2}, {1, 8, 1, 5}} {
		for _, start := range []string{"inside", "low", "high"} {
			r := tensor(u32, extents[:4]...)
			r.Box, r.Steps = []uint32{16, 7, 3, 2}, steps
			c := Case{Name: fmt.Sprintf("steps%d_%s", i, start), Kernel: "load_tile_4", Request: r, Coord: begin(&r, starts[start])}
			l.add(c)
			c.Name, c.Kernel = "store_"+c.Name, "store_tile_4"
			l.add(c)
		}
	}
}

var spans = []uint32{0, 32, 64, 128, 128, 128, 128}

func (l *list) swizzles() {
	for swizzle := uint32(1); swizzle <= 6; swizzle++ {
		for _, bytes := range []uint32{16, 32, 48, 64, 96, 112, 128} {
			if bytes > spans[swizzle] {
				continue
			}
			for _, place := range []uint32{0, 128, 256, 512 + 128} {
				r := tensor(u16, 71, 40)
				r.Swizzle, r.Box = swizzle, []uint32{bytes / 2, 20}
				c := Case{Name: fmt.Sprintf("swizzle%d_%d_at%d", swizzle, bytes, place), Kernel: "load_tile_2", Request: r, Coord: [5]int32{8, 25}, Place: place}
				l.add(c)
				if place < 256 {
					c.Name, c.Kernel = "store_"+c.Name, "store_tile_2"
					l.add(c)
				}
			}
		}
		r := tensor(f32, 37, 11, 7)
		r.Swizzle, r.Box, r.Fill = swizzle, []uint32{spans[swizzle] / 4, 5, 3}, 1
		l.add(Case{Name: fmt.Sprintf("swizzle%d_3d", swizzle), Kernel: "load_tile_3", Request: r, Coord: [5]int32{-4, 8, 5}})
	}
}

// interleaves copies whole slices of 16 or 32 bytes of channels.
func (l *list) interleaves() {
	for mode := uint32(1); mode <= 2; mode++ {
		slice := uint64(16 * mode)
		for _, typ := range []uint32{u8, u16, f32} {
			per := slice / typeBytes[typ]
			for rank := 3; rank <= 5; rank++ {
				r := tensormap.Request{Type: typ, Rank: uint32(rank), Dims: []uint64{2 * per, 5, 3, 2, 2}[:rank], Steps: ones(rank), Interleave: mode}
				stride := slice * 6
				for i := 1; i < rank; i++ {
					r.Strides = append(r.Strides, stride)
					stride *= r.Dims[i] + 1
				}
				r.Box = []uint32{uint32(per), 4, 2, 2, 1}[:rank]
				if mode == 2 {
					r.Swizzle = 1
				}
				for n, start := range [][5]int32{{}, {int32(per), 2, 1, 1, 1}, {0, -2, 0, 0, 0}} {
					c := Case{Name: fmt.Sprintf("interleave%d_%s_%dd_%d", mode, typeNames[typ], rank, n), Kernel: fmt.Sprintf("load_tile_%d", rank), Request: r, Coord: start, Dump: 8192}
					l.add(c)
					if typ == u16 {
						c.Name, c.Kernel = "store_"+c.Name, fmt.Sprintf("store_tile_%d", rank)
						l.add(c)
					}
				}
			}
		}
	}
	for rank := 3; rank <= 5; rank++ {
		for mode := uint32(1); mode <= 2; mode++ {
			r := tensormap.Request{Type: u16, Rank: uint32(rank), Dims: []uint64{16 * uint64(mode), 9, 4, 3, 2}[:rank], Steps: ones(rank), Interleave: mode, Channels: 8 * mode, Pixels: 20}
			stride := uint64(16 * mode * 10)
			for i := 1; i < rank; i++ {
				r.Strides = append(r.Strides, stride)
				stride *= r.Dims[i] + 1
			}
			if mode == 2 {
				r.Swizzle = 1
			}
			r.Lower, r.Upper = []int32{-1, -1, -1}[:rank-2], []int32{0, -1, 1}[:rank-2]
			l.add(Case{Name: fmt.Sprintf("im2col_interleave%d_%dd", mode, rank), Kernel: fmt.Sprintf("load_im2col_%d", rank), Im2col: true, Request: r, Coord: [5]int32{int32(8 * mode), 1, 0, 0, 0}, Offset: [3]uint16{1, 1, 0}, Dump: 8192})
		}
	}
}

// image describes a tensor of images: channels, W, H, D, N.
func image(typ uint32, rank int) tensormap.Request {
	r := tensor(typ, [][]uint64{{40, 13, 4}, {40, 9, 7, 3}, {24, 6, 5, 4, 3}}[rank-3]...)
	r.Channels, r.Pixels = 16, 40
	return r
}

// boxesOf are corners of the bounding box, in the order W, H, D.
var corners = []struct{ lower, upper []int32 }{
	{[]int32{0, 0, 0}, []int32{0, 0, 0}},
	{[]int32{-1, -1, -1}, []int32{-1, -1, -1}},
	{[]int32{-2, -1, 0}, []int32{1, 0, -2}},
	{[]int32{1, 0, 1}, []int32{-2, -1, 0}},
}

func (l *list) columns() {
	for rank := 3; rank <= 5; rank++ {
		for k, corner := range corners {
			for n, at := range []struct {
				coord  [5]int32
				offset [3]uint16
			}{
				{[5]int32{0, 0, 0, 0, 0}, [3]uint16{}},
				{[5]int32{1, 2, 1, 1, 1}, [3]uint16{1, 2, 1}},
				{[5]int32{-1, -1, -1, -1, 0}, [3]uint16{2, 0, 1}},
				{[5]int32{edge, 4, 3, 2, 1}, [3]uint16{0, 1, 3}},
				{[5]int32{1, 5, 4, 3, 2}, [3]uint16{2, 2, 2}},
			} {
				for _, typ := range []uint32{u8, f16, f32} {
					r := image(typ, rank)
					r.Lower, r.Upper = corner.lower[:rank-2], corner.upper[:rank-2]
					if isFloat(typ) {
						r.Fill = uint32(n) & 1
					}
					c := Case{Name: fmt.Sprintf("im2col_%s_%dd_box%d_%d", typeNames[typ], rank, k, n), Kernel: fmt.Sprintf("load_im2col_%d", rank), Im2col: true, Request: r, Coord: begin(&r, at.coord), Offset: at.offset}
					l.add(c)
					if typ == f16 {
						c.Name, c.Kernel, c.Request.Fill = "store_"+c.Name, fmt.Sprintf("store_im2col_%d", rank), 0
						l.add(c)
					}
				}
			}
		}
	}
}

func (l *list) columnSteps() {
	for rank := 3; rank <= 5; rank++ {
		for i, steps := range [][]uint32{{1, 2, 2, 2, 1}, {1, 3, 1, 2, 1}, {1, 1, 1, 1, 2}, {2, 2, 3, 1, 2}} {
			r := image(u16, rank)
			r.Lower, r.Upper = []int32{-1, -1, -1}[:rank-2], []int32{0, -1, 1}[:rank-2]
			r.Steps = steps[:rank]
			l.add(Case{Name: fmt.Sprintf("im2col_steps%d_%dd", i, rank), Kernel: fmt.Sprintf("load_im2col_%d", rank), Im2col: true, Request: r, Coord: [5]int32{8, -1, 0, 0, 0}, Offset: [3]uint16{1, 1, 0}})
		}
		for swizzle := uint32(1); swizzle <= 3; swizzle++ {
			r := image(u16, rank)
			r.Lower, r.Upper = []int32{-1, -1, -1}[:rank-2], []int32{0, -1, 1}[:rank-2]
			r.Swizzle = swizzle
			l.add(Case{Name: fmt.Sprintf("im2col_swizzle%d_%dd", swizzle, rank), Kernel: fmt.Sprintf("load_im2col_%d", rank), Im2col: true, Request: r, Coord: [5]int32{8, 1, 0, 0, 0}, Offset: [3]uint16{1, 1, 0}, Place: 256})
		}
	}
}

// combined lists the types that each reduction of a tensor is tried with; those
// after the bar have none.
var combined = map[string][2][]uint32{
	"add": {{u32, s32, u64, f16, bf16, f32, f64, f32Ftz}, {s64}},
	"min": {{u32, s32, u64, s64, f16, bf16}, {f32}},
	"max": {{u32, s32, u64, s64, f16, bf16}, nil},
	"inc": {{u32}, nil},
	"dec": {{u32}, nil},
	"and": {{u32, s32, u64, s64}, nil},
	"or":  {{u32, u64}, nil},
	"xor": {{u32, u64}, nil},
}

// reductions tries types that a reduction has (0) or has not (1).
func (l *list) reductions(which int) {
	for _, op := range reductions {
		for _, typ := range combined[op][which] {
			r := tensor(typ, 150, 11)
			r.Box = []uint32{128, 6}
			for _, start := range []string{"inside", "high"}[which:] {
				l.add(Case{Name: fmt.Sprintf("red_%s_%s_%s", op, typeNames[typ], start), Kernel: "red_tile_" + op, Request: r, Coord: begin(&r, starts[start])})
			}
		}
		if which == 0 {
			r := image(u32, 4)
			r.Lower, r.Upper = []int32{-1, 0}, []int32{0, -1}
			l.add(Case{Name: "red_im2col_" + op, Kernel: "red_im2col_" + op, Im2col: true, Request: r, Coord: [5]int32{8, 1, 0, 0, 0}})
		}
	}
}

// misaligned begins rows between pieces of 16 bytes.
func (l *list) misaligned() {
	r := tensor(f32, 64, 16)
	r.Box = []uint32{16, 4}
	l.add(Case{Name: "misaligned_load", Kernel: "load_tile_2", Request: r, Coord: [5]int32{2, 1}})
	l.add(Case{Name: "misaligned_outside", Kernel: "load_tile_2", Request: r, Coord: [5]int32{201, 1}})
	l.add(Case{Name: "misaligned_store", Kernel: "store_tile_2", Request: r, Coord: [5]int32{2, 1}})
}

// before begins stores and reductions before the tensor, not along its rows.
func (l *list) before() {
	for rank := 2; rank <= 4; rank++ {
		for i := 1; i < rank; i++ {
			r := tensor(f32, extents[:rank]...)
			r.Box = append([]uint32(nil), boxes[:rank]...)
			c := Case{Name: fmt.Sprintf("before_store_%dd_%d", rank, i), Kernel: fmt.Sprintf("store_tile_%d", rank), Request: r}
			c.Coord[i] = -1
			l.add(c)
			if rank == 2 {
				c.Name, c.Kernel = "before_red", "red_tile_add"
				l.add(c)
				c.Name, c.Coord = "before_red_row", [5]int32{-4, 1}
				l.add(c)
			}
		}
	}
}

// plain copies bytes without a tensor.
func (l *list) plain() {
	for _, n := range []uint32{16, 48, 1024, 8208} {
		l.add(Case{Name: fmt.Sprintf("bulk_load_%d", n), Kernel: "load_bulk", NoMap: true, Expect: n, Place: 16})
		l.add(Case{Name: fmt.Sprintf("bulk_store_%d", n), Kernel: "store_bulk", NoMap: true, Expect: n, Place: 16})
	}
	for _, f := range bulkForms() {
		l.add(Case{Name: f.name(), Kernel: f.name(), NoMap: true, Expect: 4096, Place: 16})
	}
}

// variants are cases of each kernel that is another's variant, or none.
func (l *list) variants() {
	for _, k := range kernels() {
		var rank int
		base := k.name
		for _, end := range []string{"_hint", "_cta", "_cast", "_ahead", "_cluster"} {
			base = strings.TrimSuffix(base, end)
		}
		c := Case{Name: "variant_" + k.name, Kernel: k.name}
		switch {
		case strings.HasPrefix(k.name, "load_map_"):
			c.Request = tensor(u32, 40, 12)
			c.Request.Box, c.Coord = []uint32{16, 6}, [5]int32{32, 8}
			l.add(l.replaced(c))
			continue
		case strings.HasPrefix(k.name, "load_async_"):
			var n int
			fmt.Sscanf(k.name, "load_async_%d", &n)
			c.NoMap, c.Expect, c.Place = true, asyncStores[n].bytes, 16
		case k.name == "load_within":
			c.NoMap, c.Expect, c.Place = true, 1024, 16
		case base == k.name && !strings.HasPrefix(base, "red_im2col"):
			continue
		case strings.Contains(base, "bulk"):
			c.NoMap, c.Expect, c.Place = true, 2048, 16
		case strings.HasPrefix(base, "red_tile"):
			c.Request = tensor(u32, 150, 11)
			c.Request.Box = []uint32{128, 6}
			c.Coord = begin(&c.Request, starts["high"])
		case strings.HasPrefix(base, "red_im2col"):
			c.Im2col, c.Request = true, image(u32, 4)
			c.Request.Lower, c.Request.Upper = corners[0].lower[:2], corners[0].upper[:2]
			c.Coord = begin(&c.Request, [5]int32{1, 2, 1, 1, 1})
		case strings.Contains(base, "_tile_"):
			fmt.Sscanf(base[len(base)-1:], "%d", &rank)
			c.Request = tensor(u32, extents[:rank]...)
			c.Request.Box = append([]uint32(nil), boxes[:rank]...)
			c.Coord = begin(&c.Request, starts["high"])
		default:
			fmt.Sscanf(base[len(base)-1:], "%d", &rank)
			corner := corners[1]
			if k.store {
				corner = corners[0]
			}
			c.Im2col, c.Request, c.Offset = true, image(f16, rank), [3]uint16{1, 2, 1}
			c.Request.Lower, c.Request.Upper = corner.lower[:rank-2], corner.upper[:rank-2]
			c.Coord = begin(&c.Request, [5]int32{1, 2, 1, 1, 1})
		}
		l.add(c)
	}
}

// replaced expects the bytes of the map that a kernel makes of the case's.
func (l *list) replaced(c Case) Case {
	r := &c.Request
	switch strings.TrimPrefix(c.Kernel, "load_map_") {
	case "box":
		c.Expect = 4 * 8 * r.Box[1]
	case "rank":
		c.Expect = 4 * r.Box[0] * r.Box[1]
	case "step":
		r.Steps = []uint32{1, 2}
		c.Expect = 4 * r.Box[0] * r.Box[1]
	case "swizzle":
		r.Swizzle = 2
	case "type", "fill":
		r.Type = f32
	}
	return c
}
