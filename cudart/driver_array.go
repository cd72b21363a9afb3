package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func descriptor(d *C.CUDA_ARRAY_DESCRIPTOR) rt.DriverArray {
	return rt.DriverArray{Extent: rt.Extent{Width: uint64(d.Width), Height: uint64(d.Height)}, Format: int32(d.Format), Channels: int(d.NumChannels)}
}

func descriptor3D(d *C.CUDA_ARRAY3D_DESCRIPTOR) rt.DriverArray {
	return rt.DriverArray{
		Extent: rt.Extent{Width: uint64(d.Width), Height: uint64(d.Height), Depth: uint64(d.Depth)},
		Format: int32(d.Format), Channels: int(d.NumChannels), Flags: uint32(d.Flags),
	}
}

// cuArrayCreate_v2 allocates an array.
//
//cuda:support full
//export ls_cuArrayCreate_v2
func ls_cuArrayCreate_v2(array *C.CUhandle, desc *C.CUDA_ARRAY_DESCRIPTOR) C.CUresult {
	return call(func(t *rt.Thread) error {
		if array == nil || desc == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ArrayCreate(descriptor(desc))
		return putInt(array, v, err)
	})
}

// cuArray3DCreate_v2 allocates an array of up to three dimensions.
//
//cuda:support full
//export ls_cuArray3DCreate_v2
func ls_cuArray3DCreate_v2(array *C.CUhandle, desc *C.CUDA_ARRAY3D_DESCRIPTOR) C.CUresult {
	return call(func(t *rt.Thread) error {
		if array == nil || desc == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ArrayCreate(descriptor3D(desc))
		return putInt(array, v, err)
	})
}

// cuArrayGetDescriptor_v2 describes an array.
//
//cuda:support full
//export ls_cuArrayGetDescriptor_v2
func ls_cuArrayGetDescriptor_v2(desc *C.CUDA_ARRAY_DESCRIPTOR, array C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		a, err := t.ArrayDescriptor(uint64(array))
		return put(desc, C.CUDA_ARRAY_DESCRIPTOR{
			Width: C.size_t(a.Extent.Width), Height: C.size_t(a.Extent.Height), Format: C.int(a.Format), NumChannels: C.uint(a.Channels),
		}, err)
	})
}

// cuArray3DGetDescriptor_v2 describes an array.
//
//cuda:support full
//export ls_cuArray3DGetDescriptor_v2
func ls_cuArray3DGetDescriptor_v2(desc *C.CUDA_ARRAY3D_DESCRIPTOR, array C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		a, err := t.ArrayDescriptor(uint64(array))
		return put(desc, C.CUDA_ARRAY3D_DESCRIPTOR{
			Width: C.size_t(a.Extent.Width), Height: C.size_t(a.Extent.Height), Depth: C.size_t(a.Extent.Depth),
			Format: C.int(a.Format), NumChannels: C.uint(a.Channels), Flags: C.uint(a.Flags),
		}, err)
	})
}

// cuArrayDestroy frees an array.
//
//cuda:support full
//export ls_cuArrayDestroy
func ls_cuArrayDestroy(array C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		if array == 0 {
			return rt.ErrInvalidResourceHandle
		}
		return t.FreeArray(uint64(array))
	})
}

// cuArrayGetPlane returns a plane of an array of several.
//
//cuda:support full
//export ls_cuArrayGetPlane
func ls_cuArrayGetPlane(plane *C.CUhandle, array C.CUhandle, index C.uint) C.CUresult {
	return ls_cudaArrayGetPlane(plane, array, index)
}

// cuArrayGetMemoryRequirements returns the memory that an array needs.
//
//cuda:support full
//export ls_cuArrayGetMemoryRequirements
func ls_cuArrayGetMemoryRequirements(to unsafe.Pointer, array C.CUhandle, device C.int) C.CUresult {
	return ls_cudaArrayGetMemoryRequirements(to, array, device)
}

// cuArrayGetSparseProperties describes a sparse array.
//
//cuda:support full
//export ls_cuArrayGetSparseProperties
func ls_cuArrayGetSparseProperties(to unsafe.Pointer, array C.CUhandle) C.CUresult {
	return ls_cudaArrayGetSparseProperties(to, array)
}

// arrayMap is CUarrayMapInfo. Of a box, where holds level, layer, offsets and extents; of a tail the layer, and two words a
// number: offset and size.
type arrayMap struct {
	resourceType    int32
	_               int32
	resource        uint64
	subresourceType int32
	_               int32
	where           [8]uint32
	operation       int32
	handleType      int32
	handle, offset  uint64
	devices, flags  uint32
	reserved        [2]uint32
}

// request is a request of cuMemMapArrayAsync.
func (m *arrayMap) request() (rt.ArrayMap, error) {
	if m.resourceType>>1 != 0 || m.subresourceType>>1 != 0 || m.reserved != [2]uint32{} {
		return rt.ArrayMap{}, rt.ErrInvalidValue
	}
	wide := func(i int) uint64 { return uint64(m.where[i]) | uint64(m.where[i+1])<<32 }
	r := rt.ArrayMap{
		Mipmapped: m.resourceType == 1, Resource: m.resource, Tail: m.subresourceType == 1,
		Operation: m.operation, HandleType: m.handleType, Handle: m.handle, Offset: m.offset, Devices: m.devices, Flags: m.flags,
	}
	if r.Tail {
		r.Layer, r.TailOffset, r.TailSize = m.where[0], wide(2), wide(4)
		return r, nil
	}
	r.Level, r.Layer = m.where[0], m.where[1]
	r.Place, r.Extent = [3]uint32(m.where[2:5]), [3]uint32(m.where[5:8])
	return r, nil
}

// cuMemMapArrayAsync maps memory to arrays that have none, in the order of a stream.
//
//cuda:support full
//export ls_cuMemMapArrayAsync
func ls_cuMemMapArrayAsync(list unsafe.Pointer, count C.uint, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if list == nil || count == 0 {
			return rt.ErrInvalidValue
		}
		var all []rt.ArrayMap
		for _, m := range unsafe.Slice((*arrayMap)(list), int(count)) {
			r, err := m.request()
			if err != nil {
				return err
			}
			all = append(all, r)
		}
		return t.MapArrays(all, s)
	})
}

// cuMipmappedArrayCreate allocates a mipmapped array.
//
//cuda:support full
//export ls_cuMipmappedArrayCreate
func ls_cuMipmappedArrayCreate(array *C.CUhandle, desc *C.CUDA_ARRAY3D_DESCRIPTOR, levels C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if array == nil || desc == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.MipmapCreate(descriptor3D(desc), uint32(levels))
		return putInt(array, v, err)
	})
}

// cuMipmappedArrayGetLevel returns a level of a mipmapped array.
//
//cuda:support full
//export ls_cuMipmappedArrayGetLevel
func ls_cuMipmappedArrayGetLevel(array *C.CUhandle, mipmap C.CUhandle, level C.uint) C.CUresult {
	return ls_cudaGetMipmappedArrayLevel(array, mipmap, level)
}

// cuMipmappedArrayDestroy frees a mipmapped array.
//
//cuda:support full
//export ls_cuMipmappedArrayDestroy
func ls_cuMipmappedArrayDestroy(mipmap C.CUhandle) C.CUresult {
	return ls_cudaFreeMipmappedArray(mipmap)
}

// cuMipmappedArrayGetMemoryRequirements returns the memory that a mipmapped array needs.
//
//cuda:support full
//export ls_cuMipmappedArrayGetMemoryRequirements
func ls_cuMipmappedArrayGetMemoryRequirements(to unsafe.Pointer, mipmap C.CUhandle, device C.int) C.CUresult {
	return ls_cudaMipmappedArrayGetMemoryRequirements(to, mipmap, device)
}

// cuMipmappedArrayGetSparseProperties describes a sparse array, which none is.
//
//cuda:support full
//export ls_cuMipmappedArrayGetSparseProperties
func ls_cuMipmappedArrayGetSparseProperties(to unsafe.Pointer, mipmap C.CUhandle) C.CUresult {
	return ls_cudaMipmappedArrayGetSparseProperties(to, mipmap)
}

// Kinds of resources. The words of a description are: of arrays the handle; of linear memory the address, the format with the
// number of components in the upper half, the size in bytes; of pitched memory in place of the size the width and height in
// elements and the pitch in bytes.
const (
	resourceLinear  = 2
	resourcePitched = 3
)

// resourceOf reads a description of a resource.
func resourceOf(d *C.CUDA_RESOURCE_DESC) (*layout.ResourceDesc, error) {
	if d == nil || d.flags != 0 {
		return nil, rt.ErrInvalidValue
	}
	r := &layout.ResourceDesc{ResType: int32(d.resType), Handle: uint64(d.words[0])}
	if r.ResType != resourceLinear && r.ResType != resourcePitched {
		return r, nil
	}
	desc, err := rt.ChannelsOf(int32(d.words[1]), int(d.words[1]>>32))
	copy(r.Desc[:], append(desc.Bits[:], desc.Kind))
	r.Width = uint64(d.words[2])
	if r.ResType == resourcePitched {
		r.Height, r.Pitch = uint64(d.words[3]), uint64(d.words[4])
	}
	return r, err
}

// describeResource is resourceOf the other way round.
func describeResource(r *layout.ResourceDesc) C.CUDA_RESOURCE_DESC {
	d := C.CUDA_RESOURCE_DESC{resType: C.int(r.ResType)}
	d.words[0] = C.uint64_t(r.Handle)
	if r.ResType == resourceLinear || r.ResType == resourcePitched {
		format, channels := rt.FormatOf(rt.ChannelDesc{Bits: [4]int32(r.Desc[:4]), Kind: r.Desc[4]})
		d.words[1] = C.uint64_t(uint64(channels)<<32 | uint64(uint32(format)))
		d.words[2], d.words[3], d.words[4] = C.uint64_t(r.Width), C.uint64_t(r.Height), C.uint64_t(r.Pitch)
	}
	return d
}

// Flags of CUDA_TEXTURE_DESC.
const (
	readAsInteger         = 1
	normalizedCoordinates = 2
	readSRGB              = 0x10
	disableTrilinear      = 0x20
	seamlessCubemap       = 0x40
	textureFlagsMask      = readAsInteger | normalizedCoordinates | readSRGB | disableTrilinear | seamlessCubemap
)

// samplingOf reads how a texture is read. Integers become floats unless the flags say otherwise.
func samplingOf(d *C.CUDA_TEXTURE_DESC) (*layout.TextureDesc, error) {
	if d == nil || d.flags&^textureFlagsMask != 0 {
		return nil, rt.ErrInvalidValue
	}
	set := func(bit C.uint) int32 { return int32(flag(d.flags&bit != 0)) }
	s := &layout.TextureDesc{
		FilterMode: int32(d.filterMode), ReadMode: 1 - set(readAsInteger), SRGB: set(readSRGB), NormalizedCoords: set(normalizedCoordinates),
		MaxAnisotropy: uint32(d.maxAnisotropy), MipmapFilterMode: int32(d.mipmapFilterMode), MipmapLevelBias: float32(d.mipmapLevelBias),
		MinMipmapLevelClamp: float32(d.minMipmapLevelClamp), MaxMipmapLevelClamp: float32(d.maxMipmapLevelClamp),
		DisableTrilinearOptimization: set(disableTrilinear), SeamlessCubemap: set(seamlessCubemap),
	}
	for i := range s.AddressMode {
		s.AddressMode[i] = int32(d.addressMode[i])
	}
	for i := range s.BorderColor {
		s.BorderColor[i] = float32(d.borderColor[i])
	}
	return s, nil
}

// describeSampling is samplingOf the other way round.
func describeSampling(s *layout.TextureDesc) C.CUDA_TEXTURE_DESC {
	d := C.CUDA_TEXTURE_DESC{
		filterMode: C.int(s.FilterMode), maxAnisotropy: C.uint(s.MaxAnisotropy), mipmapFilterMode: C.int(s.MipmapFilterMode),
		mipmapLevelBias: C.float(s.MipmapLevelBias), minMipmapLevelClamp: C.float(s.MinMipmapLevelClamp), maxMipmapLevelClamp: C.float(s.MaxMipmapLevelClamp),
	}
	for bit, on := range map[C.uint]bool{
		readAsInteger: s.ReadMode == 0, normalizedCoordinates: s.NormalizedCoords != 0, readSRGB: s.SRGB != 0,
		disableTrilinear: s.DisableTrilinearOptimization != 0, seamlessCubemap: s.SeamlessCubemap != 0,
	} {
		if on {
			d.flags |= bit
		}
	}
	for i := range s.AddressMode {
		d.addressMode[i] = C.int(s.AddressMode[i])
	}
	for i := range s.BorderColor {
		d.borderColor[i] = C.float(s.BorderColor[i])
	}
	return d
}

// viewOf reads a view of an array, nil where there is none.
func viewOf(d *C.CUDA_RESOURCE_VIEW_DESC) *layout.ResourceViewDesc {
	if d == nil {
		return nil
	}
	return &layout.ResourceViewDesc{
		Format: int32(d.format), Width: uint64(d.width), Height: uint64(d.height), Depth: uint64(d.depth),
		FirstMipmapLevel: uint32(d.firstMipmapLevel), LastMipmapLevel: uint32(d.lastMipmapLevel),
		FirstLayer: uint32(d.firstLayer), LastLayer: uint32(d.lastLayer),
	}
}

// cuTexObjectCreate makes a texture object.
//
//cuda:support full
//export ls_cuTexObjectCreate
func ls_cuTexObjectCreate(object *C.CUhandle, resource *C.CUDA_RESOURCE_DESC, sampling *C.CUDA_TEXTURE_DESC, view *C.CUDA_RESOURCE_VIEW_DESC) C.CUresult {
	return call(func(t *rt.Thread) error {
		if object == nil {
			return rt.ErrInvalidValue
		}
		r, err := resourceOf(resource)
		if err != nil {
			return err
		}
		s, err := samplingOf(sampling)
		if err != nil {
			return err
		}
		v, err := t.TexObjectCreate(r, s, viewOf(view))
		return putInt(object, v, err)
	})
}

// cuTexObjectDestroy destroys a texture object.
//
//cuda:support full
//export ls_cuTexObjectDestroy
func ls_cuTexObjectDestroy(object C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.DestroyTextureObject(uint64(object)) })
}

// cuTexObjectGetResourceDesc describes the resource of a texture object.
//
//cuda:support full
//export ls_cuTexObjectGetResourceDesc
func ls_cuTexObjectGetResourceDesc(desc *C.CUDA_RESOURCE_DESC, object C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, _, _, err := t.GetTextureObjectDescs(uint64(object))
		if err != nil {
			return err
		}
		return put(desc, describeResource(r), nil)
	})
}

// cuTexObjectGetTextureDesc describes how a texture object is read.
//
//cuda:support full
//export ls_cuTexObjectGetTextureDesc
func ls_cuTexObjectGetTextureDesc(desc *C.CUDA_TEXTURE_DESC, object C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		_, s, _, err := t.GetTextureObjectDescs(uint64(object))
		if err != nil {
			return err
		}
		return put(desc, describeSampling(s), nil)
	})
}

// cuTexObjectGetResourceViewDesc describes the view of a texture object.
//
//cuda:support full
//export ls_cuTexObjectGetResourceViewDesc
func ls_cuTexObjectGetResourceViewDesc(desc *C.CUDA_RESOURCE_VIEW_DESC, object C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		_, _, v, err := t.GetTextureObjectDescs(uint64(object))
		if err != nil {
			return err
		}
		if v == nil {
			v = &layout.ResourceViewDesc{}
		}
		return put(desc, C.CUDA_RESOURCE_VIEW_DESC{
			format: C.int(v.Format), width: C.size_t(v.Width), height: C.size_t(v.Height), depth: C.size_t(v.Depth),
			firstMipmapLevel: C.uint(v.FirstMipmapLevel), lastMipmapLevel: C.uint(v.LastMipmapLevel),
			firstLayer: C.uint(v.FirstLayer), lastLayer: C.uint(v.LastLayer),
		}, nil)
	})
}

// cuSurfObjectCreate makes a surface object.
//
//cuda:support full
//export ls_cuSurfObjectCreate
func ls_cuSurfObjectCreate(object *C.CUhandle, resource *C.CUDA_RESOURCE_DESC) C.CUresult {
	return call(func(t *rt.Thread) error {
		if object == nil {
			return rt.ErrInvalidValue
		}
		r, err := resourceOf(resource)
		if err != nil {
			return err
		}
		v, err := t.CreateSurfaceObject(r)
		return putInt(object, v, err)
	})
}

// cuSurfObjectDestroy destroys a surface object.
//
//cuda:support full
//export ls_cuSurfObjectDestroy
func ls_cuSurfObjectDestroy(object C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.DestroySurfaceObject(uint64(object)) })
}

// cuSurfObjectGetResourceDesc describes the resource of a surface object.
//
//cuda:support full
//export ls_cuSurfObjectGetResourceDesc
func ls_cuSurfObjectGetResourceDesc(desc *C.CUDA_RESOURCE_DESC, object C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.GetSurfaceObjectDesc(uint64(object))
		if err != nil {
			return err
		}
		return put(desc, describeResource(r), nil)
	})
}
