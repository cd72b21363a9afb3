package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// addNode adds a node to a graph behind others.
func addNode(node *C.uint64_t, nodes *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t, add func(*rt.Thread, []rt.Dependency) (uint64, error)) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if node == nil {
			return rt.ErrInvalidValue
		}
		after, err := dependencies(nodes, data, n)
		if err != nil {
			return err
		}
		h, err := add(t, after)
		return putInt(node, h, err)
	})
}

// Keys of the list in cudaKernelNodeParams.extra: the packed arguments and where
// their size is.
const (
	extraEnd    = 0
	extraBuffer = 1
	extraSize   = 2
)

// kernelLaunch reads what a kernel node launches.
func kernelLaunch(p *C.cudaKernelNodeParams) (rt.Launch, error) {
	if p == nil {
		return rt.Launch{}, rt.ErrInvalidValue
	}
	l := rt.Launch{
		Function: address(p._func), Grid: dim(p.gridDim), Block: dim(p.blockDim), Shared: uint64(p.sharedMemBytes),
		Args: address(unsafe.Pointer(p.kernelParams)),
	}
	if p.extra == nil {
		return l, nil
	}
	if p.kernelParams != nil {
		return l, rt.ErrInvalidValue
	}
	var buffer unsafe.Pointer
	var size uint64
	for list := (*[5]uintptr)(unsafe.Pointer(p.extra)); ; list = (*[5]uintptr)(unsafe.Add(unsafe.Pointer(list), 2*unsafe.Sizeof(list[0]))) {
		switch list[0] {
		case extraEnd:
			l.Packed = append([]byte{}, unsafe.Slice((*byte)(buffer), size)...)
			return l, nil
		case extraBuffer:
			buffer = pointer(uint64(list[1]))
		case extraSize:
			size = *(*uint64)(pointer(uint64(list[1])))
		default:
			return l, rt.ErrInvalidValue
		}
	}
}

// cudaGraphAddKernelNode adds the launch of a kernel.
//
//cuda:support full
//export ls_cudaGraphAddKernelNode
func ls_cudaGraphAddKernelNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaKernelNodeParams) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		l, err := kernelLaunch(p)
		if err != nil {
			return 0, err
		}
		return t.GraphAddKernelNode(uint64(g), after, l)
	})
}

// cudaGraphKernelNodeGetParams describes what a node launches. The arguments
// are the node's.
//
//cuda:support full
//export ls_cudaGraphKernelNodeGetParams
func ls_cudaGraphKernelNodeGetParams(node C.uint64_t, p *C.cudaKernelNodeParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if p == nil {
			return rt.ErrInvalidValue
		}
		k, err := t.GraphKernelNodeGetParams(uint64(node))
		if err != nil {
			return err
		}
		*p = cKernelNode(k)
		return nil
	})
}

// cKernelNode describes a kernel node; the arguments are the node's.
func cKernelNode(k rt.KernelNode) (p C.cudaKernelNodeParams) {
	p = C.cudaKernelNodeParams{
		_func: pointer(k.Launch.Function), gridDim: cDim(k.Launch.Grid), blockDim: cDim(k.Launch.Block), sharedMemBytes: C.uint(k.Launch.Shared),
	}
	base := address(unsafe.Pointer(unsafe.SliceData(k.Launch.Packed)))
	for i, offset := range k.Offsets {
		k.Pointers[i] = base + uint64(offset)
	}
	*(*uint64)(unsafe.Pointer(&p.kernelParams)) = address(unsafe.Pointer(unsafe.SliceData(k.Pointers)))
	return p
}

func cDim(d [3]uint32) C.dim3 { return C.dim3{x: C.uint(d[0]), y: C.uint(d[1]), z: C.uint(d[2])} }

// cudaGraphKernelNodeSetParams changes what a node launches.
//
//cuda:support full
//export ls_cudaGraphKernelNodeSetParams
func ls_cudaGraphKernelNodeSetParams(node C.uint64_t, p *C.cudaKernelNodeParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		l, err := kernelLaunch(p)
		if err != nil {
			return err
		}
		return t.GraphKernelNodeSetParams(uint64(node), l)
	})
}

// cudaGraphKernelNodeSetAttribute sets an attribute of a launch.
//
//cuda:support full "windows of access policy, domains and ways of waiting are hints that change nothing"
//export ls_cudaGraphKernelNodeSetAttribute
func ls_cudaGraphKernelNodeSetAttribute(node C.uint64_t, id C.int, value unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if value == nil {
			return rt.ErrInvalidValue
		}
		return t.GraphKernelNodeSetAttribute(uint64(node), int32(id), *(*[rt.AttributeBytes]byte)(value))
	})
}

// cudaGraphKernelNodeGetAttribute returns an attribute of a launch.
//
//cuda:support full
//export ls_cudaGraphKernelNodeGetAttribute
func ls_cudaGraphKernelNodeGetAttribute(node C.uint64_t, id C.int, value unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphKernelNodeGetAttribute(uint64(node), int32(id))
		return put((*[rt.AttributeBytes]byte)(value), v, err)
	})
}

// cudaGraphKernelNodeCopyAttributes copies attributes. The headers before CUDA 13
// name its arguments the other way round, but it always took them so (measured).
//
//cuda:support full
//export ls_cudaGraphKernelNodeCopyAttributes
func ls_cudaGraphKernelNodeCopyAttributes(dst, src C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.GraphKernelNodeCopyAttributes(uint64(dst), uint64(src))
	})
}

// copyParams reads a copy.
func copyParams(p *C.cudaMemcpy3DParms) (rt.Copy3D, error) {
	if p == nil {
		return rt.Copy3D{}, rt.ErrInvalidValue
	}
	return rt.Copy3D{
		Dst: copyEnd(p.dstArray, p.dstPos, p.dstPtr), Src: copyEnd(p.srcArray, p.srcPos, p.srcPtr), Extent: extent(p.extent), Kind: int(p.kind),
	}, nil
}

// cCopyParams writes a copy.
func cCopyParams(c rt.Copy3D) C.cudaMemcpy3DParms {
	p := C.cudaMemcpy3DParms{kind: C.int(c.Kind)}
	p.extent = C.cudaExtent{width: C.size_t(c.Extent.Width), height: C.size_t(c.Extent.Height), depth: C.size_t(c.Extent.Depth)}
	p.srcPos, p.dstPos = cPos(c.Src), cPos(c.Dst)
	p.srcPtr, p.dstPtr = cPitched(c.Src), cPitched(c.Dst)
	*(*uint64)(unsafe.Pointer(&p.srcArray)) = c.Src.Array
	*(*uint64)(unsafe.Pointer(&p.dstArray)) = c.Dst.Array
	return p
}

func cPos(e rt.End) C.cudaPos {
	return C.cudaPos{x: C.size_t(e.X), y: C.size_t(e.Y), z: C.size_t(e.Z)}
}

func cPitched(e rt.End) C.cudaPitchedPtr {
	return C.cudaPitchedPtr{ptr: pointer(e.Memory.Addr), pitch: C.size_t(e.Memory.Pitch), ysize: C.size_t(e.Memory.Height)}
}

// copyNode adds, changes or updates a copy node.
type copyNode func(t *rt.Thread, c rt.Copy3D) error

func (f copyNode) call(p *C.cudaMemcpy3DParms) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		c, err := copyParams(p)
		if err != nil {
			return err
		}
		return f(t, c)
	})
}

func (f copyNode) symbol(s rt.SymbolCopy) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		c, err := t.Copy(s)
		if err != nil {
			return err
		}
		return f(t, c)
	})
}

// setCopy and setExecCopy change a node of a graph and of an executable.
func setCopy(node C.uint64_t) copyNode {
	return func(t *rt.Thread, c rt.Copy3D) error { return t.GraphMemcpyNodeSetParams(uint64(node), c) }
}

func setExecCopy(exec, node C.uint64_t) copyNode {
	return func(t *rt.Thread, c rt.Copy3D) error {
		return t.GraphExecMemcpyNodeSetParams(uint64(exec), uint64(node), c)
	}
}

func addCopy(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t) copyNode {
	return func(t *rt.Thread, c rt.Copy3D) error {
		if node == nil {
			return rt.ErrInvalidValue
		}
		after, err := dependencies(nodes, nil, n)
		if err != nil {
			return err
		}
		h, err := t.GraphAddMemcpyNode(uint64(g), after, c)
		return putInt(node, h, err)
	}
}

func line(dst, src C.uint64_t, n C.size_t, kind C.int) *C.cudaMemcpy3DParms {
	p := cCopyParams(rt.Line(uint64(dst), uint64(src), uint64(n), int(kind)))
	return &p
}

func symbolCopy(symbol, memory C.uint64_t, n, offset C.size_t, kind C.int, from bool) rt.SymbolCopy {
	return rt.SymbolCopy{Symbol: uint64(symbol), Memory: uint64(memory), Bytes: uint64(n), Offset: uint64(offset), Kind: int(kind), From: from}
}

// cudaGraphAddMemcpyNode adds a copy.
//
//cuda:support full
//export ls_cudaGraphAddMemcpyNode
func ls_cudaGraphAddMemcpyNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaMemcpy3DParms) C.cudaError_t {
	return addCopy(node, g, nodes, n).call(p)
}

// cudaGraphAddMemcpyNode1D adds a copy of bytes.
//
//cuda:support full
//export ls_cudaGraphAddMemcpyNode1D
func ls_cudaGraphAddMemcpyNode1D(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, dst, src C.uint64_t, bytes C.size_t, kind C.int) C.cudaError_t {
	return addCopy(node, g, nodes, n).call(line(dst, src, bytes, kind))
}

// cudaGraphAddMemcpyNodeToSymbol adds a copy to a device variable.
//
//cuda:support full
//export ls_cudaGraphAddMemcpyNodeToSymbol
func ls_cudaGraphAddMemcpyNodeToSymbol(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, symbol, src C.uint64_t, bytes, offset C.size_t, kind C.int) C.cudaError_t {
	return addCopy(node, g, nodes, n).symbol(symbolCopy(symbol, src, bytes, offset, kind, false))
}

// cudaGraphAddMemcpyNodeFromSymbol adds a copy from a device variable.
//
//cuda:support full
//export ls_cudaGraphAddMemcpyNodeFromSymbol
func ls_cudaGraphAddMemcpyNodeFromSymbol(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, dst, symbol C.uint64_t, bytes, offset C.size_t, kind C.int) C.cudaError_t {
	return addCopy(node, g, nodes, n).symbol(symbolCopy(symbol, dst, bytes, offset, kind, true))
}

// cudaGraphMemcpyNodeGetParams describes a copy.
//
//cuda:support full
//export ls_cudaGraphMemcpyNodeGetParams
func ls_cudaGraphMemcpyNodeGetParams(node C.uint64_t, p *C.cudaMemcpy3DParms) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		c, err := t.GraphMemcpyNodeGetParams(uint64(node))
		return put(p, cCopyParams(c), err)
	})
}

// cudaGraphMemcpyNodeSetParams changes a copy.
//
//cuda:support full
//export ls_cudaGraphMemcpyNodeSetParams
func ls_cudaGraphMemcpyNodeSetParams(node C.uint64_t, p *C.cudaMemcpy3DParms) C.cudaError_t {
	return setCopy(node).call(p)
}

// cudaGraphMemcpyNodeSetParams1D makes a copy one of bytes.
//
//cuda:support full
//export ls_cudaGraphMemcpyNodeSetParams1D
func ls_cudaGraphMemcpyNodeSetParams1D(node, dst, src C.uint64_t, n C.size_t, kind C.int) C.cudaError_t {
	return setCopy(node).call(line(dst, src, n, kind))
}

// cudaGraphMemcpyNodeSetParamsToSymbol makes a copy one to a device variable.
//
//cuda:support full
//export ls_cudaGraphMemcpyNodeSetParamsToSymbol
func ls_cudaGraphMemcpyNodeSetParamsToSymbol(node, symbol, src C.uint64_t, n, offset C.size_t, kind C.int) C.cudaError_t {
	return setCopy(node).symbol(symbolCopy(symbol, src, n, offset, kind, false))
}

// cudaGraphMemcpyNodeSetParamsFromSymbol makes a copy one from a device variable.
//
//cuda:support full
//export ls_cudaGraphMemcpyNodeSetParamsFromSymbol
func ls_cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, symbol C.uint64_t, n, offset C.size_t, kind C.int) C.cudaError_t {
	return setCopy(node).symbol(symbolCopy(symbol, dst, n, offset, kind, true))
}

// memset reads a fill.
func memset(p *C.cudaMemsetParams) (rt.Memset, error) {
	if p == nil {
		return rt.Memset{}, rt.ErrInvalidValue
	}
	return rt.Memset{
		Dst: address(p.dst), Pitch: uint64(p.pitch), Value: uint32(p.value), Size: uint32(p.elementSize), Width: uint64(p.width), Height: uint64(p.height),
	}, nil
}

// cudaGraphAddMemsetNode adds a fill.
//
//cuda:support full
//export ls_cudaGraphAddMemsetNode
func ls_cudaGraphAddMemsetNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaMemsetParams) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		m, err := memset(p)
		if err != nil {
			return 0, err
		}
		return t.GraphAddMemsetNode(uint64(g), after, m)
	})
}

// cudaGraphMemsetNodeGetParams describes a fill.
//
//cuda:support full
//export ls_cudaGraphMemsetNodeGetParams
func ls_cudaGraphMemsetNodeGetParams(node C.uint64_t, p *C.cudaMemsetParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		m, err := t.GraphMemsetNodeGetParams(uint64(node))
		return put(p, C.cudaMemsetParams{
			dst: pointer(m.Dst), pitch: C.size_t(m.Pitch), value: C.uint(m.Value), elementSize: C.uint(m.Size), width: C.size_t(m.Width), height: C.size_t(m.Height),
		}, err)
	})
}

// cudaGraphMemsetNodeSetParams changes a fill.
//
//cuda:support full
//export ls_cudaGraphMemsetNodeSetParams
func ls_cudaGraphMemsetNodeSetParams(node C.uint64_t, p *C.cudaMemsetParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		m, err := memset(p)
		if err != nil {
			return err
		}
		return t.GraphMemsetNodeSetParams(uint64(node), m)
	})
}

// hostNode reads a call of the program.
func hostNode(p *C.cudaHostNodeParams) (rt.HostCall, error) {
	if p == nil {
		return rt.HostCall{}, rt.ErrInvalidValue
	}
	return hostCall(p.fn, p.userData), nil
}

// cudaGraphAddHostNode adds a call of the program.
//
//cuda:support full
//export ls_cudaGraphAddHostNode
func ls_cudaGraphAddHostNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaHostNodeParams) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		f, err := hostNode(p)
		if err != nil {
			return 0, err
		}
		return t.GraphAddHostNode(uint64(g), after, f)
	})
}

// cudaGraphHostNodeGetParams describes a call of the program.
//
//cuda:support full
//export ls_cudaGraphHostNodeGetParams
func ls_cudaGraphHostNodeGetParams(node C.uint64_t, p *C.cudaHostNodeParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if p == nil {
			return rt.ErrInvalidValue
		}
		f, err := t.GraphHostNodeGetParams(uint64(node))
		if err == nil {
			*(*uint64)(unsafe.Pointer(&p.fn)), *(*uint64)(unsafe.Pointer(&p.userData)) = f.Function, f.Argument
		}
		return err
	})
}

// cudaGraphHostNodeSetParams changes a call of the program.
//
//cuda:support full
//export ls_cudaGraphHostNodeSetParams
func ls_cudaGraphHostNodeSetParams(node C.uint64_t, p *C.cudaHostNodeParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		f, err := hostNode(p)
		if err != nil {
			return err
		}
		return t.GraphHostNodeSetParams(uint64(node), f)
	})
}

// cudaGraphAddEmptyNode adds a node that only orders others.
//
//cuda:support full
//export ls_cudaGraphAddEmptyNode
func ls_cudaGraphAddEmptyNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		return t.GraphAddEmptyNode(uint64(g), after)
	})
}

// cudaGraphAddChildGraphNode adds a copy of a graph.
//
//cuda:support full
//export ls_cudaGraphAddChildGraphNode
func ls_cudaGraphAddChildGraphNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, child C.uint64_t) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		return t.GraphAddChildGraphNode(uint64(g), after, uint64(child), false)
	})
}

// cudaGraphChildGraphNodeGetGraph returns the graph inside a node.
//
//cuda:support full
//export ls_cudaGraphChildGraphNodeGetGraph
func ls_cudaGraphChildGraphNodeGetGraph(node C.uint64_t, g *C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.GraphChildGraphNodeGetGraph(uint64(node))
		return putInt(g, h, err)
	})
}

func addEventNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, event C.uint64_t, record bool) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		return t.GraphAddEventNode(uint64(g), after, uint64(event), record)
	})
}

// cudaGraphAddEventRecordNode adds the record of an event.
//
//cuda:support full
//export ls_cudaGraphAddEventRecordNode
func ls_cudaGraphAddEventRecordNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, event C.uint64_t) C.cudaError_t {
	return addEventNode(node, g, nodes, n, event, true)
}

// cudaGraphAddEventWaitNode adds the wait for an event.
//
//cuda:support full
//export ls_cudaGraphAddEventWaitNode
func ls_cudaGraphAddEventWaitNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, event C.uint64_t) C.cudaError_t {
	return addEventNode(node, g, nodes, n, event, false)
}

func getEvent(node C.uint64_t, event *C.uint64_t, record bool) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.GraphEventNodeGetEvent(uint64(node), record)
		return putInt(event, h, err)
	})
}

// cudaGraphEventRecordNodeGetEvent returns the event that a node records.
//
//cuda:support full
//export ls_cudaGraphEventRecordNodeGetEvent
func ls_cudaGraphEventRecordNodeGetEvent(node C.uint64_t, event *C.uint64_t) C.cudaError_t {
	return getEvent(node, event, true)
}

// cudaGraphEventWaitNodeGetEvent returns the event that a node waits for.
//
//cuda:support full
//export ls_cudaGraphEventWaitNodeGetEvent
func ls_cudaGraphEventWaitNodeGetEvent(node C.uint64_t, event *C.uint64_t) C.cudaError_t {
	return getEvent(node, event, false)
}

// cudaGraphEventRecordNodeSetEvent changes the event that a node records.
//
//cuda:support full
//export ls_cudaGraphEventRecordNodeSetEvent
func ls_cudaGraphEventRecordNodeSetEvent(node, event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.GraphEventNodeSetEvent(uint64(node), uint64(event), true) })
}

// cudaGraphEventWaitNodeSetEvent changes the event that a node waits for.
//
//cuda:support full
//export ls_cudaGraphEventWaitNodeSetEvent
func ls_cudaGraphEventWaitNodeSetEvent(node, event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.GraphEventNodeSetEvent(uint64(node), uint64(event), false) })
}

// memAlloc reads an allocation.
func memAlloc(p *C.cudaMemAllocNodeParams) rt.MemAlloc {
	return rt.MemAlloc{
		Pool: rt.PoolProperties{
			Allocation: int32(p.allocType), Handles: int32(p.handleTypes), Location: rt.Location{Type: int32(p.location._type), ID: int32(p.location.id)},
		},
		Access: unsafe.Slice((*rt.Access)(p.accessDescs), int(p.accessDescCount)),
		Bytes:  uint64(p.bytesize),
	}
}

// cudaGraphAddMemAllocNode adds an allocation, whose address is known at once.
//
//cuda:support partial "devices other than its own reach the memory where they may reach all of that device's"
//export ls_cudaGraphAddMemAllocNode
func ls_cudaGraphAddMemAllocNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaMemAllocNodeParams) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		return addAlloc(t, uint64(g), after, p)
	})
}

func addAlloc(t *rt.Thread, g uint64, after []rt.Dependency, p *C.cudaMemAllocNodeParams) (uint64, error) {
	if p == nil {
		return 0, rt.ErrInvalidValue
	}
	if p.accessDescs == nil && p.accessDescCount > 0 {
		return 0, rt.ErrInvalidValue
	}
	h, addr, err := t.GraphAddMemAllocNode(g, after, memAlloc(p))
	p.dptr = pointer(addr)
	return h, err
}

// cudaGraphMemAllocNodeGetParams describes an allocation.
//
//cuda:support full
//export ls_cudaGraphMemAllocNodeGetParams
func ls_cudaGraphMemAllocNodeGetParams(node C.uint64_t, p *C.cudaMemAllocNodeParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		m, err := t.GraphMemAllocNodeGetParams(uint64(node))
		err = put(p, C.cudaMemAllocNodeParams{
			allocType: C.int(m.Pool.Allocation), handleTypes: C.int(m.Pool.Handles),
			location:        C.cudaMemLocation{_type: C.int(m.Pool.Type), id: C.int(m.Pool.ID)},
			accessDescCount: C.size_t(len(m.Access)), bytesize: C.size_t(m.Bytes), dptr: pointer(m.Result),
		}, err)
		if err == nil { // the list is the node's, and stays as long as it
			*(*uint64)(unsafe.Pointer(&p.accessDescs)) = address(unsafe.Pointer(unsafe.SliceData(m.Access)))
		}
		return err
	})
}

// cudaGraphAddMemFreeNode adds a deallocation.
//
//cuda:support full
//export ls_cudaGraphAddMemFreeNode
func ls_cudaGraphAddMemFreeNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, addr C.uint64_t) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		return t.GraphAddMemFreeNode(uint64(g), after, uint64(addr))
	})
}

// cudaGraphMemFreeNodeGetParams returns the address that a node frees.
//
//cuda:support full
//export ls_cudaGraphMemFreeNodeGetParams
func ls_cudaGraphMemFreeNodeGetParams(node C.uint64_t, addr *C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphMemFreeNodeGetParams(uint64(node))
		return putInt(addr, v, err)
	})
}

// cudaGraphConditionalHandleCreate makes a value that kernels set and conditional
// nodes read.
//
//cuda:support full
//export ls_cudaGraphConditionalHandleCreate
func ls_cudaGraphConditionalHandleCreate(handle *C.uint64_t, g C.uint64_t, initial, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if handle == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.GraphConditionalHandleCreate(uint64(g), uint32(initial), uint32(flags))
		return putInt(handle, h, err)
	})
}

// cudaGraphConditionalHandleCreate_v2 is the same for a context.
//
//cuda:support full
//export ls_cudaGraphConditionalHandleCreate_v2
func ls_cudaGraphConditionalHandleCreate_v2(handle *C.uint64_t, g, context C.uint64_t, initial, flags C.uint) C.cudaError_t {
	return ls_cudaGraphConditionalHandleCreate(handle, g, initial, flags)
}

// addConditional adds a conditional node and tells the program the graphs of its
// bodies.
func addConditional(t *rt.Thread, g uint64, after []rt.Dependency, p *C.cudaConditionalNodeParams) (uint64, error) {
	h, graphs, err := t.GraphAddConditionalNode(g, after, uint64(p.handle), int32(p._type), uint32(p.size))
	if err != nil {
		return 0, err
	}
	*(*uint64)(unsafe.Pointer(&p.graphs)) = address(unsafe.Pointer(unsafe.SliceData(graphs)))
	return h, nil
}
