package rt

import "slices"

// channelFormats are the element formats of the driver's arrays: bits and kind of
// a component.
var channelFormats = map[int32]ChannelDesc{
	0x01: {Bits: [4]int32{8}, Kind: channelUnsigned},
	0x02: {Bits: [4]int32{16}, Kind: channelUnsigned},
	0x03: {Bits: [4]int32{32}, Kind: channelUnsigned},
	0x08: {Bits: [4]int32{8}, Kind: channelSigned},
	0x09: {Bits: [4]int32{16}, Kind: channelSigned},
	0x0a: {Bits: [4]int32{32}, Kind: channelSigned},
	0x10: {Bits: [4]int32{16}, Kind: channelFloat},
	0x20: {Bits: [4]int32{32}, Kind: channelFloat},
}

// ChannelsOf describes elements of so many components of a driver's format.
func ChannelsOf(format int32, channels int) (ChannelDesc, error) {
	d, ok := channelFormats[format]
	if !ok || !slices.Contains([]int{1, 2, 4}, channels) {
		return d, fail(ErrInvalidValue, "%d components of array format %#x", channels, format)
	}
	for i := range channels {
		d.Bits[i] = d.Bits[0]
	}
	return d, nil
}

// FormatOf is the driver's format of elements, and the number of their components.
func FormatOf(d ChannelDesc) (format int32, channels int) {
	for channels < 4 && d.Bits[channels] != 0 {
		channels++
	}
	for f, c := range channelFormats {
		if c.Bits[0] == d.Bits[0] && c.Kind == d.Kind {
			return f, channels
		}
	}
	return 0, channels
}

// DriverArray is an array as the driver describes it. Flags that the runtime has
// too have the same numbers.
type DriverArray struct {
	Extent   Extent
	Format   int32
	Channels int
	Flags    uint32
}

// ArrayCreate is cuArrayCreate and cuArray3DCreate.
func (t *Thread) ArrayCreate(a DriverArray) (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	const knownFlags = 0xff
	desc, err := ChannelsOf(a.Format, a.Channels)
	if err != nil {
		return 0, err
	}
	if a.Flags&^knownFlags != 0 {
		return 0, fail(ErrInvalidValue, "array flags %#x", a.Flags)
	}
	return t.MallocArray(desc, a.Extent, a.Flags)
}

// ArrayDescriptor is cuArrayGetDescriptor and cuArray3DGetDescriptor.
func (t *Thread) ArrayDescriptor(handle uint64) (DriverArray, error) {
	desc, extent, flags, err := t.ArrayGetInfo(handle)
	if err != nil {
		return DriverArray{}, err
	}
	format, channels := FormatOf(desc)
	return DriverArray{extent, format, channels, flags}, nil
}

// MipmapCreate is cuMipmappedArrayCreate.
func (t *Thread) MipmapCreate(a DriverArray, levels uint32) (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	desc, err := ChannelsOf(a.Format, a.Channels)
	if err != nil {
		return 0, err
	}
	return t.MallocMipmappedArray(desc, a.Extent, levels, a.Flags)
}

// ElementBytes is the size of an array's elements, 0 where there is no such array.
func (r *Runtime) ElementBytes(handle uint64) uint64 {
	if a, ok := r.arrays.get(handle); ok {
		return a.format.bytes()
	}
	return 0
}
