package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// memOp is CUstreamBatchMemOpParams.
type memOp struct {
	operation int32
	small     uint32 // flags of operations without a value
	addr      uint64
	value     uint64
	flags     uint32
	_         [5]uint32
}

// memOpsNode is CUDA_BATCH_MEM_OP_NODE_PARAMS.
type memOpsNode struct {
	context uint64
	count   uint32
	list    *memOp
	flags   uint32
}

// memOps reads operations on memory.
func memOps(list *memOp, count uint32) ([]rt.MemOp, error) {
	if list == nil && count > 0 {
		return nil, rt.ErrInvalidValue
	}
	ops := make([]rt.MemOp, count)
	for i, o := range unsafe.Slice(list, count) {
		ops[i] = rt.MemOp{Operation: o.operation, Addr: o.addr, Value: o.value, Flags: o.flags}
		if !ops[i].HasValue() {
			ops[i].Flags = o.small
		}
	}
	return ops, nil
}

// cuStreamBatchMemOp_v2 does operations on memory in stream order.
//
//cuda:support full
//export ls_cuStreamBatchMemOp_v2
func ls_cuStreamBatchMemOp_v2(stream C.cudaStream_t, count C.uint, list unsafe.Pointer, flags C.uint) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		ops, err := memOps((*memOp)(list), uint32(count))
		if err != nil {
			return err
		}
		return t.StreamMemOps(s, ops, uint32(flags))
	})
}

// cuStreamBatchMemOp is the form that devices have whose attribute 92 says so. None does.
//
//cuda:support full
//export ls_cuStreamBatchMemOp
func ls_cuStreamBatchMemOp(stream C.cudaStream_t, count C.uint, list unsafe.Pointer, flags C.uint) C.CUresult {
	return withoutFirstForm(stream)
}

// withMemOps runs f with the operations of a node's parameters.
func withMemOps(p unsafe.Pointer, f func(t *rt.Thread, ops []rt.MemOp, flags uint32) error) C.CUresult {
	return call(func(t *rt.Thread) error {
		n := (*memOpsNode)(p)
		if n == nil || n.context == 0 {
			return rt.ErrInvalidValue
		}
		ops, err := memOps(n.list, n.count)
		if err != nil {
			return err
		}
		return f(t, ops, n.flags)
	})
}

// cuGraphAddBatchMemOpNode adds operations on memory.
//
//cuda:support full
//export ls_cuGraphAddBatchMemOpNode
func ls_cuGraphAddBatchMemOpNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p unsafe.Pointer) C.CUresult {
	return withMemOps(p, func(t *rt.Thread, ops []rt.MemOp, flags uint32) error {
		after, err := dependencies(nodes, nil, n)
		if err != nil {
			return err
		}
		h, err := t.GraphAddMemOpsNode(uint64(g), after, ops, flags)
		return putInt(node, h, err)
	})
}

// cuGraphBatchMemOpNodeGetParams describes operations on memory.
//
//cuda:support full
//export ls_cuGraphBatchMemOpNodeGetParams
func ls_cuGraphBatchMemOpNodeGetParams(node C.uint64_t, p unsafe.Pointer) C.CUresult {
	return call(func(t *rt.Thread) error {
		if p == nil {
			return rt.ErrInvalidValue
		}
		list, count, flags, err := t.GraphMemOpsNodeGetParams(uint64(node))
		if err != nil {
			return err
		}
		n := (*memOpsNode)(p)
		n.context, n.count, n.flags = t.CtxGet(), uint32(count), flags
		*(*uint64)(unsafe.Pointer(&n.list)) = address(unsafe.Pointer(unsafe.SliceData(list)))
		return nil
	})
}

// cuGraphBatchMemOpNodeSetParams changes operations on memory.
//
//cuda:support full
//export ls_cuGraphBatchMemOpNodeSetParams
func ls_cuGraphBatchMemOpNodeSetParams(node C.uint64_t, p unsafe.Pointer) C.CUresult {
	return withMemOps(p, func(t *rt.Thread, ops []rt.MemOp, flags uint32) error {
		return t.GraphMemOpsNodeSetParams(uint64(node), ops, flags)
	})
}

// cuGraphExecBatchMemOpNodeSetParams changes operations of an executable.
//
//cuda:support full
//export ls_cuGraphExecBatchMemOpNodeSetParams
func ls_cuGraphExecBatchMemOpNodeSetParams(exec, node C.uint64_t, p unsafe.Pointer) C.CUresult {
	return withMemOps(p, func(t *rt.Thread, ops []rt.MemOp, flags uint32) error {
		return t.GraphExecMemOpsNodeSetParams(uint64(exec), uint64(node), ops, flags)
	})
}
