package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// Nodes of any kind, by cudaGraphNodeParams.

// as is the part of the parameters that a kind of node has.
func as[T any](p *C.cudaGraphNodeParams) *T { return (*T)(unsafe.Pointer(&p.params)) }

// childNode is cudaChildGraphNodeParams.
type childNode struct {
	graph     uint64
	ownership int32 // from CUDA 13 on; 1 moves the graph
}

// memcpyNode is cudaMemcpyNodeParams.
type memcpyNode struct {
	flags  [4]int32
	params C.cudaMemcpy3DParms
}

// add puts a node of any kind into a graph.
func addAny(t *rt.Thread, g uint64, after []rt.Dependency, p *C.cudaGraphNodeParams) (uint64, error) {
	switch p._type {
	case rt.NodeKernel:
		l, err := kernelLaunch(as[C.cudaKernelNodeParams](p))
		if err != nil {
			return 0, err
		}
		return t.GraphAddKernelNode(g, after, l)
	case rt.NodeMemcpy:
		c, err := copyParams(&as[memcpyNode](p).params)
		if err != nil {
			return 0, err
		}
		return t.GraphAddMemcpyNode(g, after, c)
	case rt.NodeMemset:
		m, err := memset(as[C.cudaMemsetParams](p))
		if err != nil {
			return 0, err
		}
		return t.GraphAddMemsetNode(g, after, m)
	case rt.NodeHost:
		f, err := hostNode(as[C.cudaHostNodeParams](p))
		if err != nil {
			return 0, err
		}
		return t.GraphAddHostNode(g, after, f)
	case rt.NodeChild:
		c := as[childNode](p)
		return t.GraphAddChildGraphNode(g, after, c.graph, t.Runtime().Major() >= 13 && c.ownership == 1)
	case rt.NodeEmpty:
		return t.GraphAddEmptyNode(g, after)
	case rt.NodeEventWait, rt.NodeEventRecord:
		return t.GraphAddEventNode(g, after, *as[uint64](p), p._type == rt.NodeEventRecord)
	case rt.NodeMemAlloc:
		return addAlloc(t, g, after, as[C.cudaMemAllocNodeParams](p))
	case rt.NodeMemFree:
		return t.GraphAddMemFreeNode(g, after, *as[uint64](p))
	case rt.NodeConditional:
		return addConditional(t, g, after, as[C.cudaConditionalNodeParams](p))
	case rt.NodeSemaphoreSignal, rt.NodeSemaphoreWait:
		count := as[C.cudaExternalSemaphoreNodeParams](p).count
		return t.GraphAddSemaphoreNode(g, after, uint32(count), p._type == rt.NodeSemaphoreSignal)
	}
	return 0, rt.ErrInvalidValue
}

// cudaGraphAddNode adds a node of any kind, from CUDA 13 on with data of edges.
//
//cuda:support full
//export ls_cudaGraphAddNode
func ls_cudaGraphAddNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, fourth, fifth, sixth C.uint64_t) C.cudaError_t {
	if theRuntime().Major() >= 13 {
		data := (*C.cudaGraphEdgeData)(pointer(uint64(fourth)))
		return ls_cudaGraphAddNode_v2(node, g, nodes, data, C.size_t(fifth), (*C.cudaGraphNodeParams)(pointer(uint64(sixth))))
	}
	return ls_cudaGraphAddNode_v2(node, g, nodes, nil, C.size_t(fourth), (*C.cudaGraphNodeParams)(pointer(uint64(fifth))))
}

// cudaGraphAddNode_v2 is cudaGraphAddNode with data of edges.
//
//cuda:support full
//export ls_cudaGraphAddNode_v2
func ls_cudaGraphAddNode_v2(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t, p *C.cudaGraphNodeParams) C.cudaError_t {
	return addNode(node, nodes, data, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		if p == nil {
			return 0, rt.ErrInvalidValue
		}
		return addAny(t, uint64(g), after, p)
	})
}

// cudaGraphNodeSetParams changes a node of any kind.
//
//cuda:support full
//export ls_cudaGraphNodeSetParams
func ls_cudaGraphNodeSetParams(node C.uint64_t, p *C.cudaGraphNodeParams) C.cudaError_t {
	if p == nil {
		return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
	}
	switch p._type {
	case rt.NodeKernel:
		return ls_cudaGraphKernelNodeSetParams(node, as[C.cudaKernelNodeParams](p))
	case rt.NodeMemcpy:
		return ls_cudaGraphMemcpyNodeSetParams(node, &as[memcpyNode](p).params)
	case rt.NodeMemset:
		return ls_cudaGraphMemsetNodeSetParams(node, as[C.cudaMemsetParams](p))
	case rt.NodeHost:
		return ls_cudaGraphHostNodeSetParams(node, as[C.cudaHostNodeParams](p))
	case rt.NodeEventRecord:
		return ls_cudaGraphEventRecordNodeSetEvent(node, *as[C.uint64_t](p))
	case rt.NodeEventWait:
		return ls_cudaGraphEventWaitNodeSetEvent(node, *as[C.uint64_t](p))
	case rt.NodeSemaphoreSignal, rt.NodeSemaphoreWait:
		return setSemaphores(0, node, as[C.cudaExternalSemaphoreNodeParams](p), true, p._type == rt.NodeSemaphoreSignal)
	case rt.NodeConditional:
		return call(func(*rt.Thread) error { return rt.ErrNotSupported })
	}
	return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
}

// cudaGraphExecNodeSetParams changes a node of any kind of an executable.
//
//cuda:support full
//export ls_cudaGraphExecNodeSetParams
func ls_cudaGraphExecNodeSetParams(exec, node C.uint64_t, p *C.cudaGraphNodeParams) C.cudaError_t {
	if p == nil {
		return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
	}
	switch p._type {
	case rt.NodeKernel:
		return ls_cudaGraphExecKernelNodeSetParams(exec, node, as[C.cudaKernelNodeParams](p))
	case rt.NodeMemcpy:
		return ls_cudaGraphExecMemcpyNodeSetParams(exec, node, &as[memcpyNode](p).params)
	case rt.NodeMemset:
		return ls_cudaGraphExecMemsetNodeSetParams(exec, node, as[C.cudaMemsetParams](p))
	case rt.NodeHost:
		return ls_cudaGraphExecHostNodeSetParams(exec, node, as[C.cudaHostNodeParams](p))
	case rt.NodeChild:
		return ls_cudaGraphExecChildGraphNodeSetParams(exec, node, C.uint64_t(as[childNode](p).graph))
	case rt.NodeEventRecord:
		return ls_cudaGraphExecEventRecordNodeSetEvent(exec, node, *as[C.uint64_t](p))
	case rt.NodeEventWait:
		return ls_cudaGraphExecEventWaitNodeSetEvent(exec, node, *as[C.uint64_t](p))
	case rt.NodeSemaphoreSignal, rt.NodeSemaphoreWait:
		return setSemaphores(exec, node, as[C.cudaExternalSemaphoreNodeParams](p), false, p._type == rt.NodeSemaphoreSignal)
	case rt.NodeConditional:
		return call(func(*rt.Thread) error { return rt.ErrNotSupported })
	}
	return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
}

// cudaGraphNodeGetParams describes a node of any kind.
//
//cuda:support full
//export ls_cudaGraphNodeGetParams
func ls_cudaGraphNodeGetParams(node C.uint64_t, p *C.cudaGraphNodeParams) C.cudaError_t {
	var kind C.int
	if e := ls_cudaGraphNodeGetType(node, &kind); e != 0 {
		return e
	}
	if p == nil {
		return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
	}
	*p = C.cudaGraphNodeParams{_type: kind}
	switch kind {
	case rt.NodeKernel:
		return ls_cudaGraphKernelNodeGetParams(node, as[C.cudaKernelNodeParams](p))
	case rt.NodeMemcpy:
		return ls_cudaGraphMemcpyNodeGetParams(node, &as[memcpyNode](p).params)
	case rt.NodeMemset:
		return ls_cudaGraphMemsetNodeGetParams(node, as[C.cudaMemsetParams](p))
	case rt.NodeHost:
		return ls_cudaGraphHostNodeGetParams(node, as[C.cudaHostNodeParams](p))
	case rt.NodeChild:
		return ls_cudaGraphChildGraphNodeGetGraph(node, (*C.uint64_t)(unsafe.Pointer(&as[childNode](p).graph)))
	case rt.NodeEventRecord:
		return ls_cudaGraphEventRecordNodeGetEvent(node, as[C.uint64_t](p))
	case rt.NodeEventWait:
		return ls_cudaGraphEventWaitNodeGetEvent(node, as[C.uint64_t](p))
	case rt.NodeMemAlloc:
		return ls_cudaGraphMemAllocNodeGetParams(node, as[C.cudaMemAllocNodeParams](p))
	case rt.NodeMemFree:
		return ls_cudaGraphMemFreeNodeGetParams(node, as[C.uint64_t](p))
	case rt.NodeConditional:
		return call(func(t *rt.Thread) error {
			h, form, bodies, err := t.GraphConditionalNodeParams(uint64(node))
			if err != nil {
				return err
			}
			c := as[C.cudaConditionalNodeParams](p)
			c.handle, c._type, c.size = C.uint64_t(h), C.int(form), C.uint(len(bodies))
			*(*uint64)(unsafe.Pointer(&c.graphs)) = address(unsafe.Pointer(unsafe.SliceData(bodies)))
			return nil
		})
	}
	return 0
}
