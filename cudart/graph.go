package main

// #include "lockstep.h"
import "C"

import (
	"io"
	"os"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// pointer is an address of the program that Go follows.
func pointer(addr uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// dependencies reads a list of nodes, with the data of their edges where there is
// some.
func dependencies(nodes *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t) ([]rt.Dependency, error) {
	if n == 0 {
		return nil, nil
	}
	if nodes == nil {
		return nil, rt.ErrInvalidValue
	}
	list := make([]rt.Dependency, n)
	for i, h := range unsafe.Slice(nodes, n) {
		list[i].Node = uint64(h)
	}
	if data != nil {
		for i, d := range unsafe.Slice((*rt.EdgeData)(unsafe.Pointer(data)), n) {
			list[i].Data = d.Of()
		}
	}
	return list, nil
}

// putList answers a question for a list: without room for one how long it is,
// otherwise as much as there is room for, the rest zero.
func putList(to *C.uint64_t, count *C.size_t, list []uint64, err error) error {
	if err != nil {
		return err
	}
	if count == nil {
		return rt.ErrInvalidValue
	}
	if to == nil {
		*count = C.size_t(len(list))
		return nil
	}
	room := unsafe.Slice(to, *count)
	clear(room)
	for i := range min(len(room), len(list)) {
		room[i] = C.uint64_t(list[i])
	}
	*count = C.size_t(min(len(room), len(list)))
	return nil
}

// cudaGraphCreate makes an empty graph.
//
//cuda:support full
//export ls_cudaGraphCreate
func ls_cudaGraphCreate(g *C.uint64_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if g == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.GraphCreate(uint32(flags))
		return putInt(g, h, err)
	})
}

// cudaGraphDestroy gives up a graph.
//
//cuda:support full
//export ls_cudaGraphDestroy
func ls_cudaGraphDestroy(g C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.GraphDestroy(uint64(g)) })
}

// cudaGraphClone copies a graph.
//
//cuda:support full
//export ls_cudaGraphClone
func ls_cudaGraphClone(clone *C.uint64_t, g C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if clone == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.GraphClone(uint64(g))
		return putInt(clone, h, err)
	})
}

// cudaGraphNodeFindInClone finds the copy of a node.
//
//cuda:support full
//export ls_cudaGraphNodeFindInClone
func ls_cudaGraphNodeFindInClone(node *C.uint64_t, original, clone C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.GraphNodeFindInClone(uint64(original), uint64(clone))
		return putInt(node, h, err)
	})
}

// cudaGraphGetNodes lists the nodes of a graph.
//
//cuda:support full
//export ls_cudaGraphGetNodes
func ls_cudaGraphGetNodes(g C.uint64_t, nodes *C.uint64_t, count *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		list, err := t.GraphGetNodes(uint64(g))
		return putList(nodes, count, list, err)
	})
}

// cudaGraphGetRootNodes lists the nodes that wait for none.
//
//cuda:support full
//export ls_cudaGraphGetRootNodes
func ls_cudaGraphGetRootNodes(g C.uint64_t, nodes *C.uint64_t, count *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		list, err := t.GraphGetRootNodes(uint64(g))
		return putList(nodes, count, list, err)
	})
}

// putEdges answers a question for edges; the ends and the data that have no room
// are left out.
func putEdges(from, to *C.uint64_t, data *C.cudaGraphEdgeData, count *C.size_t, edges []rt.GraphEdge) error {
	if count == nil {
		return rt.ErrInvalidValue
	}
	if data != nil {
		room := unsafe.Slice((*rt.EdgeData)(unsafe.Pointer(data)), *count)
		clear(room)
		for i := range min(len(room), len(edges)) {
			room[i] = rt.DataOf(edges[i].Data)
		}
	}
	n := *count
	for _, end := range []struct {
		to *C.uint64_t
		of func(rt.GraphEdge) uint64
	}{
		{from, func(e rt.GraphEdge) uint64 { return e.From }},
		{to, func(e rt.GraphEdge) uint64 { return e.To }},
	} {
		if end.to == nil && (from != nil || to != nil) {
			continue
		}
		list := make([]uint64, len(edges))
		for i, e := range edges {
			list[i] = end.of(e)
		}
		*count = n
		if err := putList(end.to, count, list, nil); err != nil {
			return err
		}
	}
	return nil
}

func getEdges(g C.uint64_t, from, to *C.uint64_t, data *C.cudaGraphEdgeData, count *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if (from == nil) != (to == nil) {
			return rt.ErrInvalidValue
		}
		edges, err := t.GraphGetEdges(uint64(g))
		if err != nil {
			return err
		}
		return putEdges(from, to, data, count, edges)
	})
}

// cudaGraphGetEdges lists the edges of a graph, from CUDA 13 on with their data.
//
//cuda:support full
//export ls_cudaGraphGetEdges
func ls_cudaGraphGetEdges(g C.uint64_t, from, to *C.uint64_t, fourth, fifth C.uint64_t) C.cudaError_t {
	data, count := lateData(fourth, fifth)
	return getEdges(g, from, to, data, count)
}

// lateData tells the last arguments of functions apart that got edge data in
// front of the count with CUDA 13.
func lateData(first, second C.uint64_t) (data *C.cudaGraphEdgeData, count *C.size_t) {
	if theRuntime().Major() >= 13 {
		return (*C.cudaGraphEdgeData)(pointer(uint64(first))), (*C.size_t)(pointer(uint64(second)))
	}
	return nil, (*C.size_t)(pointer(uint64(first)))
}

// cudaGraphGetEdges_v2 is cudaGraphGetEdges with data.
//
//cuda:support full
//export ls_cudaGraphGetEdges_v2
func ls_cudaGraphGetEdges_v2(g C.uint64_t, from, to *C.uint64_t, data *C.cudaGraphEdgeData, count *C.size_t) C.cudaError_t {
	return getEdges(g, from, to, data, count)
}

// cudaGraphNodeGetDependencies lists the nodes that a node waits for.
//
//cuda:support full
//export ls_cudaGraphNodeGetDependencies
func ls_cudaGraphNodeGetDependencies(node C.uint64_t, nodes *C.uint64_t, third, fourth C.uint64_t) C.cudaError_t {
	data, count := lateData(third, fourth)
	return ls_cudaGraphNodeGetDependencies_v2(node, nodes, data, count)
}

// cudaGraphNodeGetDependencies_v2 is the same with the data of the edges.
//
//cuda:support full
//export ls_cudaGraphNodeGetDependencies_v2
func ls_cudaGraphNodeGetDependencies_v2(node C.uint64_t, nodes *C.uint64_t, data *C.cudaGraphEdgeData, count *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		edges, err := t.GraphNodeGetDependencies(uint64(node))
		if err != nil {
			return err
		}
		return putEdges(nodes, nil, data, count, edges)
	})
}

// cudaGraphNodeGetDependentNodes lists the nodes that wait for a node.
//
//cuda:support full
//export ls_cudaGraphNodeGetDependentNodes
func ls_cudaGraphNodeGetDependentNodes(node C.uint64_t, nodes *C.uint64_t, third, fourth C.uint64_t) C.cudaError_t {
	data, count := lateData(third, fourth)
	return ls_cudaGraphNodeGetDependentNodes_v2(node, nodes, data, count)
}

// cudaGraphNodeGetDependentNodes_v2 is the same with the data of the edges.
//
//cuda:support full
//export ls_cudaGraphNodeGetDependentNodes_v2
func ls_cudaGraphNodeGetDependentNodes_v2(node C.uint64_t, nodes *C.uint64_t, data *C.cudaGraphEdgeData, count *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		edges, err := t.GraphNodeGetDependentNodes(uint64(node))
		if err != nil {
			return err
		}
		return putEdges(nil, nodes, data, count, edges)
	})
}

// changeEdges adds or removes edges between the nodes of two lists.
func changeEdges(g C.uint64_t, from, to *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t, change func(*rt.Thread, uint64, []rt.GraphEdge) error) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		starts, err := dependencies(from, data, n)
		if err != nil {
			return err
		}
		ends, err := dependencies(to, nil, n)
		if err != nil {
			return err
		}
		edges := make([]rt.GraphEdge, n)
		for i := range edges {
			edges[i] = rt.GraphEdge{From: starts[i].Node, To: ends[i].Node, Data: starts[i].Data}
		}
		return change(t, uint64(g), edges)
	})
}

// cudaGraphAddDependencies adds edges, from CUDA 13 on with data.
//
//cuda:support full
//export ls_cudaGraphAddDependencies
func ls_cudaGraphAddDependencies(g C.uint64_t, from, to *C.uint64_t, fourth, fifth C.uint64_t) C.cudaError_t {
	if theRuntime().Major() >= 13 {
		return ls_cudaGraphAddDependencies_v2(g, from, to, (*C.cudaGraphEdgeData)(pointer(uint64(fourth))), C.size_t(fifth))
	}
	return ls_cudaGraphAddDependencies_v2(g, from, to, nil, C.size_t(fourth))
}

// cudaGraphAddDependencies_v2 adds edges with data.
//
//cuda:support full
//export ls_cudaGraphAddDependencies_v2
func ls_cudaGraphAddDependencies_v2(g C.uint64_t, from, to *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t) C.cudaError_t {
	return changeEdges(g, from, to, data, n, (*rt.Thread).GraphAddDependencies)
}

// cudaGraphRemoveDependencies removes edges.
//
//cuda:support full
//export ls_cudaGraphRemoveDependencies
func ls_cudaGraphRemoveDependencies(g C.uint64_t, from, to *C.uint64_t, fourth, fifth C.uint64_t) C.cudaError_t {
	if theRuntime().Major() >= 13 {
		return ls_cudaGraphRemoveDependencies_v2(g, from, to, (*C.cudaGraphEdgeData)(pointer(uint64(fourth))), C.size_t(fifth))
	}
	return ls_cudaGraphRemoveDependencies_v2(g, from, to, nil, C.size_t(fourth))
}

// cudaGraphRemoveDependencies_v2 removes edges.
//
//cuda:support full
//export ls_cudaGraphRemoveDependencies_v2
func ls_cudaGraphRemoveDependencies_v2(g C.uint64_t, from, to *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t) C.cudaError_t {
	return changeEdges(g, from, to, data, n, (*rt.Thread).GraphRemoveDependencies)
}

// cudaGraphDestroyNode takes a node out of its graph.
//
//cuda:support full
//export ls_cudaGraphDestroyNode
func ls_cudaGraphDestroyNode(node C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.GraphDestroyNode(uint64(node)) })
}

// cudaGraphNodeGetType returns the kind of a node.
//
//cuda:support full
//export ls_cudaGraphNodeGetType
func ls_cudaGraphNodeGetType(node C.uint64_t, kind *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphNodeGetType(uint64(node))
		return putInt(kind, v, err)
	})
}

// cudaGraphNodeGetContainingGraph returns the graph of a node.
//
//cuda:support full
//export ls_cudaGraphNodeGetContainingGraph
func ls_cudaGraphNodeGetContainingGraph(node C.uint64_t, g *C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.GraphNodeGetContainingGraph(uint64(node))
		return putInt(g, h, err)
	})
}

// cudaGraphNodeGetLocalId returns the number of a node in its graph.
//
//cuda:support full
//export ls_cudaGraphNodeGetLocalId
func ls_cudaGraphNodeGetLocalId(node C.uint64_t, id *C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphNodeGetLocalID(uint64(node))
		return putInt(id, v, err)
	})
}

// cudaGraphNodeGetToolsId returns a number that no other node has.
//
//cuda:support full
//export ls_cudaGraphNodeGetToolsId
func ls_cudaGraphNodeGetToolsId(node C.uint64_t, id *C.ulonglong) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphNodeGetToolsID(uint64(node))
		return putInt(id, v, err)
	})
}

// cudaGraphGetId returns a number that no other graph has.
//
//cuda:support full
//export ls_cudaGraphGetId
func ls_cudaGraphGetId(g C.uint64_t, id *C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphGetID(uint64(g))
		return putInt(id, v, err)
	})
}

// cudaGraphDebugDotPrint writes a graph to a file, in the language of Graphviz.
//
//cuda:support full "labels are lockstep's own"
//export ls_cudaGraphDebugDotPrint
func ls_cudaGraphDebugDotPrint(g C.uint64_t, path C.ls_string, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if path == nil {
			return rt.ErrInvalidValue
		}
		return t.GraphDebugDot(fileWriter(C.GoString(path)), uint64(g), uint32(flags))
	})
}

// fileWriter is a file that is made by the first write.
type fileWriter string

func (f fileWriter) Write(p []byte) (int, error) { return len(p), os.WriteFile(string(f), p, 0o666) }

var _ io.Writer = fileWriter("")

// cudaUserObjectCreate makes an object that is destroyed when nothing refers to
// it.
//
//cuda:support full
//export ls_cudaUserObjectCreate
func ls_cudaUserObjectCreate(object *C.uint64_t, user unsafe.Pointer, destroy C.cudaHostFn_t, count, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if object == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.UserObjectCreate(hostCall(destroy, user), uint32(count), uint32(flags))
		return putInt(object, h, err)
	})
}

// cudaUserObjectRetain adds references of the program.
//
//cuda:support full
//export ls_cudaUserObjectRetain
func ls_cudaUserObjectRetain(object C.uint64_t, count C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.UserObjectRetain(uint64(object), uint32(count)) })
}

// cudaUserObjectRelease gives references of the program up.
//
//cuda:support full
//export ls_cudaUserObjectRelease
func ls_cudaUserObjectRelease(object C.uint64_t, count C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.UserObjectRelease(uint64(object), uint32(count)) })
}

// cudaGraphRetainUserObject adds references of a graph.
//
//cuda:support full
//export ls_cudaGraphRetainUserObject
func ls_cudaGraphRetainUserObject(g, object C.uint64_t, count, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.GraphRetainUserObject(uint64(g), uint64(object), uint32(count), uint32(flags))
	})
}

// cudaGraphReleaseUserObject gives references of a graph up.
//
//cuda:support full
//export ls_cudaGraphReleaseUserObject
func ls_cudaGraphReleaseUserObject(g, object C.uint64_t, count C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.GraphReleaseUserObject(uint64(g), uint64(object), uint32(count))
	})
}

// cudaDeviceGetGraphMemAttribute returns what graphs use of a device.
//
//cuda:support full
//export ls_cudaDeviceGetGraphMemAttribute
func ls_cudaDeviceGetGraphMemAttribute(device, attribute C.int, value *C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetGraphMemAttribute(int(device), int32(attribute))
		return putInt(value, v, err)
	})
}

// cudaDeviceSetGraphMemAttribute resets a high mark.
//
//cuda:support full
//export ls_cudaDeviceSetGraphMemAttribute
func ls_cudaDeviceSetGraphMemAttribute(device, attribute C.int, value *C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if value == nil {
			return rt.ErrInvalidValue
		}
		return t.DeviceSetGraphMemAttribute(int(device), int32(attribute), uint64(*value))
	})
}

// cudaDeviceGraphMemTrim gives back memory that graphs keep and do not use.
//
//cuda:support full
//export ls_cudaDeviceGraphMemTrim
func ls_cudaDeviceGraphMemTrim(device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DeviceGraphMemTrim(int(device)) })
}
