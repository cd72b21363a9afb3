package rt

import (
	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// viewFormats are the formats of resource views from cudaResViewFormat 1 on
// (driver_types.h).
var viewFormats = viewFormatList()

// firstBlockView is the first view format whose elements come in blocks.
const firstBlockView = 25

func viewFormatList() []format {
	var all []format
	add := func(bits int, kind isa.Kind) {
		for _, channels := range []int{1, 2, 4} {
			all = append(all, format{Format: isa.Format{Channels: channels, ChannelBits: bits, Kind: kind}})
		}
	}
	for _, bits := range []int{8, 16, 32} {
		add(bits, isa.Unsigned)
		add(bits, isa.Signed)
	}
	add(16, isa.Float)
	add(32, isa.Float)
	return append(all,
		normalizedFormat(4, 8, isa.Unsigned, isa.BC1), normalizedFormat(4, 8, isa.Unsigned, isa.BC2), normalizedFormat(4, 8, isa.Unsigned, isa.BC3),
		normalizedFormat(1, 8, isa.Unsigned, isa.BC4), normalizedFormat(1, 8, isa.Signed, isa.BC4), normalizedFormat(2, 8, isa.Unsigned, isa.BC5),
		normalizedFormat(2, 8, isa.Signed, isa.BC5), normalizedFormat(3, 16, isa.Unsigned, isa.BC6), normalizedFormat(3, 16, isa.Signed, isa.BC6),
		normalizedFormat(4, 8, isa.Unsigned, isa.BC7))
}

// look makes a texture what a view of its array shows: another format of the
// same size, some of its levels, some of its layers.
func look(d *isa.Texture, v *layout.ResourceViewDesc) error {
	if *v == (layout.ResourceViewDesc{}) {
		return nil
	}
	if d.Resource != isa.ArrayResource && d.Resource != isa.MipmapResource {
		return fail(ErrInvalidValue, "a view of memory that is no array")
	}
	if err := lookAs(d, v.Format); err != nil {
		return err
	}
	if e := (Extent{uint64(d.Width), uint64(d.Height), uint64(max(d.Depth, d.Layers))}); v.Width != e.Width || v.Height != e.Height || v.Depth != e.Depth {
		return fail(ErrInvalidValue, "a view of %d x %d x %d elements of %v", v.Width, v.Height, v.Depth, e)
	}
	if v.FirstLayer > v.LastLayer || v.FirstMipmapLevel > v.LastMipmapLevel {
		return fail(ErrInvalidValue, "a view of levels %d to %d and layers %d to %d", v.FirstMipmapLevel, v.LastMipmapLevel, v.FirstLayer, v.LastLayer)
	}
	firstLayer := uint32(0)
	if d.Layers != 0 {
		firstLayer = min(v.FirstLayer, d.Layers-1)
		d.Layers = min(v.LastLayer, d.Layers-1) - firstLayer + 1
	}
	// Levels and layers that do not exist are left out (measured).
	most := max(d.Levels, 1) - 1
	first, last := min(int(v.FirstMipmapLevel), most), min(int(v.LastMipmapLevel), most)
	size := d.Extent(first)
	planes := make([]isa.Plane, last-first+1)
	for i := range planes {
		planes[i] = *d.Level(first + i)
		planes[i].Skip(uint64(firstLayer))
	}
	d.Plane, d.Levels = planes[0], len(planes)
	copy(d.Smaller[:], planes[1:])
	for i, n := range []*uint32{&d.Width, &d.Height, &d.Depth} {
		if *n != 0 {
			*n = uint32(size[i])
		}
	}
	return nil
}

// lookAs gives a texture the format of a view. An element of the array is a block
// of a format that has blocks.
func lookAs(d *isa.Texture, number int32) error {
	if number <= 0 || int(number) > len(viewFormats) {
		return fail(ErrInvalidValue, "view format %d", number)
	}
	f := viewFormats[number-1]
	if f.Bytes() != d.Bytes() || d.Packing != isa.Plain {
		return fail(ErrInvalidValue, "a view of elements of %d bytes as such of %d", d.Bytes(), f.Bytes())
	}
	d.Format, d.ReadNormalized = f.Format, f.normalized
	if number >= firstBlockView {
		d.Width, d.Height = d.Width*uint32(f.BlockWidth()), d.Height*uint32(f.BlockWidth())
	}
	return nil
}
