package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// copyAttributes is cudaMemcpyAttributes.
type copyAttributes struct {
	order    int32
	src, dst [2]int32 // cudaMemLocation
	flags    uint32
}

// operand is cudaMemcpy3DOperand. The words are the pointer, the length of a row
// and the height of a layer in elements, and a hint; or the array and a place in
// it in elements.
type operand struct {
	kind  int32
	_     int32
	words [4]uint64
}

// batchCopy is cudaMemcpy3DBatchOp.
type batchCopy struct {
	src, dst operand
	extent   C.cudaExtent
	order    int32
	flags    uint32
}

func (o *operand) end() rt.BatchEnd {
	e := rt.BatchEnd{Kind: o.kind, Handle: o.words[0]}
	copy(e.Place[:], o.words[1:])
	return e
}

func (c *batchCopy) operation() rt.BatchCopy {
	return rt.BatchCopy{Src: c.src.end(), Dst: c.dst.end(), Extent: extent(c.extent), Order: c.order}
}

// batchStream picks the stream of a call that CUDA 12 made with the address of
// the failing index before it. That address is told -1, no copy in particular,
// when the call fails.
func batchStream(fifth, sixth C.uint64_t) (stream C.cudaStream_t, failed *uint64) {
	if theRuntime().Major() >= 13 {
		return *(*C.cudaStream_t)(unsafe.Pointer(&fifth)), nil
	}
	return *(*C.cudaStream_t)(unsafe.Pointer(&sixth)), *(**uint64)(unsafe.Pointer(&fifth))
}

// tell stores the index of the copy that failed; none, or no copy in particular, is
// the largest number.
func tell(failed *uint64, index int, err error) error {
	if err == nil {
		index = -1
	}
	if failed != nil {
		*failed = uint64(index)
	}
	return err
}

// listCopies are the arrays that describe many copies.
type listCopies struct {
	dst, src, sizes *C.uint64_t
	count           C.size_t
	attributes      unsafe.Pointer
	starts          *C.uint64_t
	kinds           C.size_t
}

// copyList makes many copies; failed, unless nil, is told which of them failed.
func copyList(l listCopies, failed *uint64, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if l.dst == nil || l.src == nil || l.sizes == nil || l.attributes == nil || l.starts == nil {
			return tell(failed, -1, rt.ErrInvalidValue)
		}
		var orders []rt.BatchOrder
		for i, a := range unsafe.Slice((*copyAttributes)(l.attributes), int(l.kinds)) {
			orders = append(orders, rt.BatchOrder{Order: a.order, First: uint64(unsafe.Slice(l.starts, int(l.kinds))[i])})
		}
		list := make([]rt.Copy, int(l.count))
		for i := range list {
			list[i] = rt.Copy{
				Dst:  uint64(unsafe.Slice(l.dst, len(list))[i]),
				Src:  uint64(unsafe.Slice(l.src, len(list))[i]),
				Size: uint64(unsafe.Slice(l.sizes, len(list))[i]),
			}
		}
		index, err := t.MemcpyBatch(list, orders, s)
		return tell(failed, index, err)
	})
}

// copyBoxes makes many copies of boxes; failed, unless nil, is told which of them
// failed.
func copyBoxes(list unsafe.Pointer, count C.size_t, flags uint64, failed *uint64, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if list == nil {
			return tell(failed, -1, rt.ErrInvalidValue)
		}
		var operations []rt.BatchCopy
		for _, c := range unsafe.Slice((*batchCopy)(list), int(count)) {
			operations = append(operations, c.operation())
		}
		index, err := t.Memcpy3DBatch(operations, flags, s)
		return tell(failed, index, err)
	})
}

// cudaMemcpyBatchAsync makes many copies.
//
//cuda:support full
//export ls_cudaMemcpyBatchAsync
func ls_cudaMemcpyBatchAsync(dst, src, sizes *C.uint64_t, count C.size_t, attributes unsafe.Pointer, starts *C.uint64_t, kinds C.size_t, eighth, ninth C.uint64_t) C.cudaError_t {
	stream, failed := batchStream(eighth, ninth)
	return copyList(listCopies{dst, src, sizes, count, attributes, starts, kinds}, failed, stream)
}

// cuMemcpyBatchAsync makes many copies.
//
//cuda:support full
//export ls_cuMemcpyBatchAsync
func ls_cuMemcpyBatchAsync(dst, src, sizes *C.uint64_t, count C.size_t, attributes unsafe.Pointer, starts *C.uint64_t, kinds C.size_t, failed *C.uint64_t, stream C.cudaStream_t) C.CUresult {
	return copyList(listCopies{dst, src, sizes, count, attributes, starts, kinds}, (*uint64)(failed), stream)
}

// cuMemcpyBatchAsync_v2 makes many copies.
//
//cuda:support full
//export ls_cuMemcpyBatchAsync_v2
func ls_cuMemcpyBatchAsync_v2(dst, src, sizes *C.uint64_t, count C.size_t, attributes unsafe.Pointer, starts *C.uint64_t, kinds C.size_t, stream C.cudaStream_t) C.CUresult {
	return copyList(listCopies{dst, src, sizes, count, attributes, starts, kinds}, nil, stream)
}

// cudaMemcpy3DBatchAsync makes many copies of boxes.
//
//cuda:support full
//export ls_cudaMemcpy3DBatchAsync
func ls_cudaMemcpy3DBatchAsync(count C.size_t, list unsafe.Pointer, third, fourth, fifth C.uint64_t) C.cudaError_t {
	if theRuntime().Major() < 13 {
		return copyBoxes(list, count, uint64(fourth), *(**uint64)(unsafe.Pointer(&third)), *(*C.cudaStream_t)(unsafe.Pointer(&fifth)))
	}
	return copyBoxes(list, count, uint64(third), nil, *(*C.cudaStream_t)(unsafe.Pointer(&fourth)))
}

// cuMemcpy3DBatchAsync makes many copies of boxes.
//
//cuda:support full
//export ls_cuMemcpy3DBatchAsync
func ls_cuMemcpy3DBatchAsync(count C.size_t, list unsafe.Pointer, failed *C.uint64_t, flags C.ulonglong, stream C.cudaStream_t) C.CUresult {
	return copyBoxes(list, count, uint64(flags), (*uint64)(failed), stream)
}

// cuMemcpy3DBatchAsync_v2 makes many copies of boxes.
//
//cuda:support full
//export ls_cuMemcpy3DBatchAsync_v2
func ls_cuMemcpy3DBatchAsync_v2(count C.size_t, list unsafe.Pointer, flags C.ulonglong, stream C.cudaStream_t) C.CUresult {
	return copyBoxes(list, count, uint64(flags), nil, stream)
}

// cudaMemcpyWithAttributesAsync is a copy that says when its source is read.
//
//cuda:support full
//export ls_cudaMemcpyWithAttributesAsync
func ls_cudaMemcpyWithAttributesAsync(dst, src C.uint64_t, size C.size_t, attributes unsafe.Pointer, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if attributes == nil {
			return rt.ErrInvalidValue
		}
		orders := []rt.BatchOrder{{Order: (*copyAttributes)(attributes).order}}
		_, err := t.MemcpyBatch([]rt.Copy{{Dst: uint64(dst), Src: uint64(src), Size: uint64(size)}}, orders, s)
		return err
	})
}

// cudaMemcpy3DWithAttributesAsync is a copy of a box that says when its source is
// read.
//
//cuda:support full
//export ls_cudaMemcpy3DWithAttributesAsync
func ls_cudaMemcpy3DWithAttributesAsync(operation unsafe.Pointer, flags C.uint64_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if operation == nil {
			return rt.ErrInvalidValue
		}
		_, err := t.Memcpy3DBatch([]rt.BatchCopy{(*batchCopy)(operation).operation()}, uint64(flags), s)
		return err
	})
}
