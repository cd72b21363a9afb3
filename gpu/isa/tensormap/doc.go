// Package tensormap is the tensor map: the 128-byte object that describes a
// tensor in global memory to the bulk tensor copies of PTX ISA 5.5 and
// 9.7.9.25.5. CUDA leaves its layout open; this one is ours. Everything is
// inside the 128 bytes, since programs copy and edit maps (tensormap.replace).
//
//	Request --Encode...--> [Size]byte --Decode--> Map --> ptx/ops
//
// An object of zeros is a tiled map of rank 1 with an empty box: what a kernel
// starts from that writes all fields itself.
//
// Sources of the checks: the documentation of cuTensorMapEncodeTiled,
// cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide (CUDA 13.0).
package tensormap
