package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuGraphAddMemsetNode adds a node.
//
//cuda:support full
//export ls_cuGraphAddMemsetNode
func ls_cuGraphAddMemsetNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, p *C.cudaMemsetParams, context C.CUhandle) C.CUresult {
	return ls_cudaGraphAddMemsetNode(node, graph, after, count, p)
}

// cuGraphMemsetNodeGetParams describes a node.
//
//cuda:support full
//export ls_cuGraphMemsetNodeGetParams
func ls_cuGraphMemsetNodeGetParams(node C.CUhandle, p *C.cudaMemsetParams) C.CUresult {
	return ls_cudaGraphMemsetNodeGetParams(node, p)
}

// cuGraphMemsetNodeSetParams changes a node.
//
//cuda:support full
//export ls_cuGraphMemsetNodeSetParams
func ls_cuGraphMemsetNodeSetParams(node C.CUhandle, p *C.cudaMemsetParams) C.CUresult {
	return ls_cudaGraphMemsetNodeSetParams(node, p)
}

// cuGraphExecMemsetNodeSetParams changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecMemsetNodeSetParams
func ls_cuGraphExecMemsetNodeSetParams(exec, node C.CUhandle, p *C.cudaMemsetParams, context C.CUhandle) C.CUresult {
	return ls_cudaGraphExecMemsetNodeSetParams(exec, node, p)
}

// cuGraphAddHostNode adds a node.
//
//cuda:support full
//export ls_cuGraphAddHostNode
func ls_cuGraphAddHostNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, p *C.cudaHostNodeParams) C.CUresult {
	return ls_cudaGraphAddHostNode(node, graph, after, count, p)
}

// cuGraphHostNodeGetParams describes a node.
//
//cuda:support full
//export ls_cuGraphHostNodeGetParams
func ls_cuGraphHostNodeGetParams(node C.CUhandle, p *C.cudaHostNodeParams) C.CUresult {
	return ls_cudaGraphHostNodeGetParams(node, p)
}

// cuGraphHostNodeSetParams changes a node.
//
//cuda:support full
//export ls_cuGraphHostNodeSetParams
func ls_cuGraphHostNodeSetParams(node C.CUhandle, p *C.cudaHostNodeParams) C.CUresult {
	return ls_cudaGraphHostNodeSetParams(node, p)
}

// cuGraphExecHostNodeSetParams changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecHostNodeSetParams
func ls_cuGraphExecHostNodeSetParams(exec, node C.CUhandle, p *C.cudaHostNodeParams) C.CUresult {
	return ls_cudaGraphExecHostNodeSetParams(exec, node, p)
}

// kernelNode is the launch of a kernel node: of a kernel of a library, in the context that the node names, where there is no
// function.
func kernelNode(p *C.CUDA_KERNEL_NODE_PARAMS) (rt.Launch, error) {
	if p == nil {
		return rt.Launch{}, rt.ErrInvalidValue
	}
	l, err := kernelLaunch(&p.base)
	if l.Function == 0 {
		l.Function, l.Context = address(p.kern), address(p.ctx)
	}
	return l, err
}

// cuGraphAddKernelNode adds a node.
//
//cuda:support full
//export ls_cuGraphAddKernelNode
func ls_cuGraphAddKernelNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, p *C.cudaKernelNodeParams) C.CUresult {
	return ls_cudaGraphAddKernelNode(node, graph, after, count, p)
}

// cuGraphAddKernelNode_v2 adds a node.
//
//cuda:support full
//export ls_cuGraphAddKernelNode_v2
func ls_cuGraphAddKernelNode_v2(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, p *C.CUDA_KERNEL_NODE_PARAMS) C.CUresult {
	return addNode(node, after, nil, count, func(t *rt.Thread, nodes []rt.Dependency) (uint64, error) {
		l, err := kernelNode(p)
		if err != nil {
			return 0, err
		}
		return t.GraphAddKernelNode(uint64(graph), nodes, l)
	})
}

// cuGraphKernelNodeGetParams describes a node.
//
//cuda:support full
//export ls_cuGraphKernelNodeGetParams
func ls_cuGraphKernelNodeGetParams(node C.CUhandle, p *C.cudaKernelNodeParams) C.CUresult {
	return ls_cudaGraphKernelNodeGetParams(node, p)
}

// cuGraphKernelNodeGetParams_v2 describes a node.
//
//cuda:support full
//export ls_cuGraphKernelNodeGetParams_v2
func ls_cuGraphKernelNodeGetParams_v2(node C.CUhandle, p *C.CUDA_KERNEL_NODE_PARAMS) C.CUresult {
	if p == nil {
		return ls_cudaGraphKernelNodeGetParams(node, nil)
	}
	return call(func(t *rt.Thread) error {
		k, err := t.GraphKernelNodeGetParams(uint64(node))
		if err != nil {
			return err
		}
		*p = C.CUDA_KERNEL_NODE_PARAMS{base: cKernelNode(k), ctx: pointer(k.Context)}
		if _, err := t.KernelGetLibrary(k.Launch.Function); err == nil {
			p.kern = pointer(k.Launch.Function)
		}
		return nil
	})
}

// cuGraphKernelNodeSetParams changes a node.
//
//cuda:support full
//export ls_cuGraphKernelNodeSetParams
func ls_cuGraphKernelNodeSetParams(node C.CUhandle, p *C.cudaKernelNodeParams) C.CUresult {
	return ls_cudaGraphKernelNodeSetParams(node, p)
}

// cuGraphKernelNodeSetParams_v2 changes a node.
//
//cuda:support full
//export ls_cuGraphKernelNodeSetParams_v2
func ls_cuGraphKernelNodeSetParams_v2(node C.CUhandle, p *C.CUDA_KERNEL_NODE_PARAMS) C.CUresult {
	return call(func(t *rt.Thread) error {
		l, err := kernelNode(p)
		if err != nil {
			return err
		}
		return t.GraphKernelNodeSetParams(uint64(node), l)
	})
}

// cuGraphExecKernelNodeSetParams changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecKernelNodeSetParams
func ls_cuGraphExecKernelNodeSetParams(exec, node C.CUhandle, p *C.cudaKernelNodeParams) C.CUresult {
	return ls_cudaGraphExecKernelNodeSetParams(exec, node, p)
}

// cuGraphExecKernelNodeSetParams_v2 changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecKernelNodeSetParams_v2
func ls_cuGraphExecKernelNodeSetParams_v2(exec, node C.CUhandle, p *C.CUDA_KERNEL_NODE_PARAMS) C.CUresult {
	return call(func(t *rt.Thread) error {
		l, err := kernelNode(p)
		if err != nil {
			return err
		}
		return t.GraphExecKernelNodeSetParams(uint64(exec), uint64(node), l)
	})
}

// preferredCluster is the attribute of launches with a second size of cluster, which the driver takes on other devices only
// (measured).
const preferredCluster = 11

// cuGraphKernelNodeSetAttribute sets an attribute of a node.
//
//cuda:support full
//export ls_cuGraphKernelNodeSetAttribute
func ls_cuGraphKernelNodeSetAttribute(node C.CUhandle, id C.int, value unsafe.Pointer) C.CUresult {
	if id == preferredCluster {
		return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
	}
	return ls_cudaGraphKernelNodeSetAttribute(node, id, value)
}

// cuGraphKernelNodeGetAttribute returns an attribute of a node.
//
//cuda:support full
//export ls_cuGraphKernelNodeGetAttribute
func ls_cuGraphKernelNodeGetAttribute(node C.CUhandle, id C.int, value unsafe.Pointer) C.CUresult {
	if id == preferredCluster {
		return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
	}
	return ls_cudaGraphKernelNodeGetAttribute(node, id, value)
}

// cuGraphKernelNodeCopyAttributes copies the attributes of a node.
//
//cuda:support full
//export ls_cuGraphKernelNodeCopyAttributes
func ls_cuGraphKernelNodeCopyAttributes(dst, src C.CUhandle) C.CUresult {
	return ls_cudaGraphKernelNodeCopyAttributes(dst, src)
}

// cuGraphAddEmptyNode adds a node that does nothing.
//
//cuda:support full
//export ls_cuGraphAddEmptyNode
func ls_cuGraphAddEmptyNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t) C.CUresult {
	return ls_cudaGraphAddEmptyNode(node, graph, after, count)
}

// cuGraphAddChildGraphNode adds a graph as a node.
//
//cuda:support full
//export ls_cuGraphAddChildGraphNode
func ls_cuGraphAddChildGraphNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, child C.CUhandle) C.CUresult {
	return ls_cudaGraphAddChildGraphNode(node, graph, after, count, child)
}

// cuGraphChildGraphNodeGetGraph returns the graph of a node.
//
//cuda:support full
//export ls_cuGraphChildGraphNodeGetGraph
func ls_cuGraphChildGraphNodeGetGraph(node C.CUhandle, graph *C.CUhandle) C.CUresult {
	return ls_cudaGraphChildGraphNodeGetGraph(node, graph)
}

// cuGraphExecChildGraphNodeSetParams changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecChildGraphNodeSetParams
func ls_cuGraphExecChildGraphNodeSetParams(exec, node, child C.CUhandle) C.CUresult {
	return ls_cudaGraphExecChildGraphNodeSetParams(exec, node, child)
}

// cuGraphAddEventRecordNode adds a node.
//
//cuda:support full
//export ls_cuGraphAddEventRecordNode
func ls_cuGraphAddEventRecordNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, event C.CUhandle) C.CUresult {
	return ls_cudaGraphAddEventRecordNode(node, graph, after, count, event)
}

// cuGraphEventRecordNodeGetEvent returns the event of a node.
//
//cuda:support full
//export ls_cuGraphEventRecordNodeGetEvent
func ls_cuGraphEventRecordNodeGetEvent(node C.CUhandle, event *C.CUhandle) C.CUresult {
	return ls_cudaGraphEventRecordNodeGetEvent(node, event)
}

// cuGraphEventRecordNodeSetEvent changes the event of a node.
//
//cuda:support full
//export ls_cuGraphEventRecordNodeSetEvent
func ls_cuGraphEventRecordNodeSetEvent(node, event C.CUhandle) C.CUresult {
	return ls_cudaGraphEventRecordNodeSetEvent(node, event)
}

// cuGraphExecEventRecordNodeSetEvent changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecEventRecordNodeSetEvent
func ls_cuGraphExecEventRecordNodeSetEvent(exec, node, event C.CUhandle) C.CUresult {
	return ls_cudaGraphExecEventRecordNodeSetEvent(exec, node, event)
}

// cuGraphAddEventWaitNode adds a node.
//
//cuda:support full
//export ls_cuGraphAddEventWaitNode
func ls_cuGraphAddEventWaitNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, event C.CUhandle) C.CUresult {
	return ls_cudaGraphAddEventWaitNode(node, graph, after, count, event)
}

// cuGraphEventWaitNodeGetEvent returns the event of a node.
//
//cuda:support full
//export ls_cuGraphEventWaitNodeGetEvent
func ls_cuGraphEventWaitNodeGetEvent(node C.CUhandle, event *C.CUhandle) C.CUresult {
	return ls_cudaGraphEventWaitNodeGetEvent(node, event)
}

// cuGraphEventWaitNodeSetEvent changes the event of a node.
//
//cuda:support full
//export ls_cuGraphEventWaitNodeSetEvent
func ls_cuGraphEventWaitNodeSetEvent(node, event C.CUhandle) C.CUresult {
	return ls_cudaGraphEventWaitNodeSetEvent(node, event)
}

// cuGraphExecEventWaitNodeSetEvent changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecEventWaitNodeSetEvent
func ls_cuGraphExecEventWaitNodeSetEvent(exec, node, event C.CUhandle) C.CUresult {
	return ls_cudaGraphExecEventWaitNodeSetEvent(exec, node, event)
}

// cuGraphAddMemAllocNode adds a node that allocates.
//
//cuda:support full
//export ls_cuGraphAddMemAllocNode
func ls_cuGraphAddMemAllocNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, p *C.cudaMemAllocNodeParams) C.CUresult {
	return ls_cudaGraphAddMemAllocNode(node, graph, after, count, p)
}

// cuGraphMemAllocNodeGetParams describes a node.
//
//cuda:support full
//export ls_cuGraphMemAllocNodeGetParams
func ls_cuGraphMemAllocNodeGetParams(node C.CUhandle, p *C.cudaMemAllocNodeParams) C.CUresult {
	return ls_cudaGraphMemAllocNodeGetParams(node, p)
}

// cuGraphAddMemFreeNode adds a node that frees.
//
//cuda:support full
//export ls_cuGraphAddMemFreeNode
func ls_cuGraphAddMemFreeNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, addr C.CUdeviceptr) C.CUresult {
	return ls_cudaGraphAddMemFreeNode(node, graph, after, count, addr)
}

// cuGraphMemFreeNodeGetParams describes a node.
//
//cuda:support full
//export ls_cuGraphMemFreeNodeGetParams
func ls_cuGraphMemFreeNodeGetParams(node C.CUhandle, addr *C.CUdeviceptr) C.CUresult {
	return ls_cudaGraphMemFreeNodeGetParams(node, addr)
}

// nodeParams is a description of a node as the runtime has it: only copies, and kernels of libraries, are described otherwise.
func nodeParams(p *C.cudaGraphNodeParams) *C.cudaGraphNodeParams {
	const typeKernel, typeMemcpy, union, kern = 0, 1, 16, 72
	if p == nil || p._type != typeKernel && p._type != typeMemcpy {
		return p
	}
	q := *p
	from, into := unsafe.Pointer(p), unsafe.Pointer(&q)
	switch p._type {
	case typeKernel:
		if function := (*uint64)(unsafe.Add(into, union)); *function == 0 {
			*function = *(*uint64)(unsafe.Add(from, kern))
		}
	case typeMemcpy: // flags and a context come first here, flags alone there
		*(*C.cudaMemcpy3DParms)(unsafe.Add(into, union+16)) = nodeCopy((*C.CUDA_MEMCPY3D)(unsafe.Add(from, union+16)))
	}
	return &q
}

// nodeCopy is a copy as the runtime describes it: in elements if an array takes part.
func nodeCopy(c *C.CUDA_MEMCPY3D) C.cudaMemcpy3DParms {
	unit := C.size_t(1)
	for _, array := range []C.uint64_t{c.srcArray, c.dstArray} {
		if n := theRuntime().ElementBytes(uint64(array)); n != 0 {
			unit = C.size_t(n)
		}
	}
	p := C.cudaMemcpy3DParms{kind: C.int(rt.AnyDirection)}
	p.extent = C.cudaExtent{width: c.WidthInBytes / unit, height: c.Height, depth: c.Depth}
	nodeEnd(int32(c.srcMemoryType), &p.srcArray, &p.srcPtr, c.srcHost, c.srcDevice, c.srcArray)
	nodeEnd(int32(c.dstMemoryType), &p.dstArray, &p.dstPtr, c.dstHost, c.dstDevice, c.dstArray)
	p.srcPtr.pitch, p.srcPtr.ysize, p.dstPtr.pitch, p.dstPtr.ysize = c.srcPitch, c.srcHeight, c.dstPitch, c.dstHeight
	p.srcPos = C.cudaPos{x: c.srcXInBytes, y: c.srcY, z: c.srcZ}
	p.dstPos = C.cudaPos{x: c.dstXInBytes, y: c.dstY, z: c.dstZ}
	if p.srcArray != nil {
		p.srcPos.x /= unit
	}
	if p.dstArray != nil {
		p.dstPos.x /= unit
	}
	return p
}

// nodeEnd is one end of such a copy.
func nodeEnd(kind int32, array *C.cudaArray_t, ptr *C.cudaPitchedPtr, host, device, handle C.uint64_t) {
	const typeHost, typeArray = 1, 3
	switch kind {
	case typeArray:
		*(*C.uint64_t)(unsafe.Pointer(array)) = handle
	case typeHost:
		*(*C.uint64_t)(unsafe.Pointer(&ptr.ptr)) = host
	default:
		*(*C.uint64_t)(unsafe.Pointer(&ptr.ptr)) = device
	}
}

// copyOfNode is nodeCopy the other way round. Memory is of the unified kind, which addresses tell themselves.
func copyOfNode(p *C.cudaMemcpy3DParms) C.CUDA_MEMCPY3D {
	const typeArray, typeUnified = 3, 4
	src, dst := *(*C.uint64_t)(unsafe.Pointer(&p.srcArray)), *(*C.uint64_t)(unsafe.Pointer(&p.dstArray))
	unit := C.size_t(1)
	for _, array := range []C.uint64_t{src, dst} {
		if n := theRuntime().ElementBytes(uint64(array)); n != 0 {
			unit = C.size_t(n)
		}
	}
	c := C.CUDA_MEMCPY3D{
		srcMemoryType: typeUnified, srcDevice: C.uint64_t(address(p.srcPtr.ptr)), srcPitch: p.srcPtr.pitch, srcHeight: p.srcPtr.ysize,
		dstMemoryType: typeUnified, dstDevice: C.uint64_t(address(p.dstPtr.ptr)), dstPitch: p.dstPtr.pitch, dstHeight: p.dstPtr.ysize,
		srcXInBytes: p.srcPos.x, srcY: p.srcPos.y, srcZ: p.srcPos.z, dstXInBytes: p.dstPos.x, dstY: p.dstPos.y, dstZ: p.dstPos.z,
		WidthInBytes: p.extent.width * unit, Height: p.extent.height, Depth: p.extent.depth,
	}
	if src != 0 {
		c.srcMemoryType, c.srcArray, c.srcXInBytes = typeArray, src, c.srcXInBytes*unit
	}
	if dst != 0 {
		c.dstMemoryType, c.dstArray, c.dstXInBytes = typeArray, dst, c.dstXInBytes*unit
	}
	return c
}

// cuGraphAddMemcpyNode adds a node.
//
//cuda:support full
//export ls_cuGraphAddMemcpyNode
func ls_cuGraphAddMemcpyNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, p *C.CUDA_MEMCPY3D, context C.CUhandle) C.CUresult {
	if p == nil {
		return ls_cudaGraphAddMemcpyNode(node, graph, after, count, nil)
	}
	q := nodeCopy(p)
	return ls_cudaGraphAddMemcpyNode(node, graph, after, count, &q)
}

// cuGraphMemcpyNodeSetParams changes a node.
//
//cuda:support full
//export ls_cuGraphMemcpyNodeSetParams
func ls_cuGraphMemcpyNodeSetParams(node C.CUhandle, p *C.CUDA_MEMCPY3D) C.CUresult {
	if p == nil {
		return ls_cudaGraphMemcpyNodeSetParams(node, nil)
	}
	q := nodeCopy(p)
	return ls_cudaGraphMemcpyNodeSetParams(node, &q)
}

// cuGraphExecMemcpyNodeSetParams changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecMemcpyNodeSetParams
func ls_cuGraphExecMemcpyNodeSetParams(exec, node C.CUhandle, p *C.CUDA_MEMCPY3D, context C.CUhandle) C.CUresult {
	if p == nil {
		return ls_cudaGraphExecMemcpyNodeSetParams(exec, node, nil)
	}
	q := nodeCopy(p)
	return ls_cudaGraphExecMemcpyNodeSetParams(exec, node, &q)
}

// cuGraphMemcpyNodeGetParams describes a node.
//
//cuda:support full
//export ls_cuGraphMemcpyNodeGetParams
func ls_cuGraphMemcpyNodeGetParams(node C.CUhandle, p *C.CUDA_MEMCPY3D) C.CUresult {
	if p == nil {
		return ls_cudaGraphMemcpyNodeGetParams(node, nil)
	}
	var q C.cudaMemcpy3DParms
	err := ls_cudaGraphMemcpyNodeGetParams(node, &q)
	if err == 0 {
		*p = copyOfNode(&q)
	}
	return err
}

// cuGraphAddNode_v2 adds a node of any kind.
//
//cuda:support full
//export ls_cuGraphAddNode_v2
func ls_cuGraphAddNode_v2(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, data *C.cudaGraphEdgeData, count C.size_t, p *C.cudaGraphNodeParams) C.CUresult {
	return ls_cudaGraphAddNode_v2(node, graph, after, data, count, nodeParams(p))
}

// cuGraphAddNode adds a node of any kind.
//
//cuda:support full
//export ls_cuGraphAddNode
func ls_cuGraphAddNode(node *C.CUhandle, graph C.CUhandle, after *C.CUhandle, count C.size_t, p *C.cudaGraphNodeParams) C.CUresult {
	return ls_cudaGraphAddNode_v2(node, graph, after, nil, count, nodeParams(p))
}

// cuGraphNodeSetParams changes a node.
//
//cuda:support full
//export ls_cuGraphNodeSetParams
func ls_cuGraphNodeSetParams(node C.CUhandle, p *C.cudaGraphNodeParams) C.CUresult {
	return ls_cudaGraphNodeSetParams(node, nodeParams(p))
}

// cuGraphExecNodeSetParams changes a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecNodeSetParams
func ls_cuGraphExecNodeSetParams(exec, node C.CUhandle, p *C.cudaGraphNodeParams) C.CUresult {
	return ls_cudaGraphExecNodeSetParams(exec, node, nodeParams(p))
}
