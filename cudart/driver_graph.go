package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuGraphCreate makes a graph.
//
//cuda:support full
//export ls_cuGraphCreate
func ls_cuGraphCreate(graph *C.CUhandle, flags C.uint) C.CUresult {
	return ls_cudaGraphCreate(graph, flags)
}

// cuGraphDestroy destroys a graph.
//
//cuda:support full
//export ls_cuGraphDestroy
func ls_cuGraphDestroy(graph C.CUhandle) C.CUresult {
	return ls_cudaGraphDestroy(graph)
}

// cuGraphClone copies a graph.
//
//cuda:support full
//export ls_cuGraphClone
func ls_cuGraphClone(clone *C.CUhandle, graph C.CUhandle) C.CUresult {
	return ls_cudaGraphClone(clone, graph)
}

// cuGraphNodeFindInClone finds the copy of a node.
//
//cuda:support full
//export ls_cuGraphNodeFindInClone
func ls_cuGraphNodeFindInClone(node *C.CUhandle, original, clone C.CUhandle) C.CUresult {
	return ls_cudaGraphNodeFindInClone(node, original, clone)
}

// cuGraphGetNodes returns the nodes of a graph.
//
//cuda:support full
//export ls_cuGraphGetNodes
func ls_cuGraphGetNodes(graph C.CUhandle, nodes *C.CUhandle, count *C.size_t) C.CUresult {
	return ls_cudaGraphGetNodes(graph, nodes, count)
}

// cuGraphGetRootNodes returns the nodes that wait for none.
//
//cuda:support full
//export ls_cuGraphGetRootNodes
func ls_cuGraphGetRootNodes(graph C.CUhandle, nodes *C.CUhandle, count *C.size_t) C.CUresult {
	return ls_cudaGraphGetRootNodes(graph, nodes, count)
}

// cuGraphGetEdges_v2 returns the edges of a graph.
//
//cuda:support full
//export ls_cuGraphGetEdges_v2
func ls_cuGraphGetEdges_v2(graph C.CUhandle, from, to *C.CUhandle, data *C.cudaGraphEdgeData, count *C.size_t) C.CUresult {
	return ls_cudaGraphGetEdges_v2(graph, from, to, data, count)
}

// cuGraphGetEdges returns the edges of a graph.
//
//cuda:support full
//export ls_cuGraphGetEdges
func ls_cuGraphGetEdges(graph C.CUhandle, from, to *C.CUhandle, count *C.size_t) C.CUresult {
	return ls_cudaGraphGetEdges_v2(graph, from, to, nil, count)
}

// cuGraphNodeGetDependencies_v2 returns the nodes that a node waits for.
//
//cuda:support full
//export ls_cuGraphNodeGetDependencies_v2
func ls_cuGraphNodeGetDependencies_v2(node C.CUhandle, nodes *C.CUhandle, data *C.cudaGraphEdgeData, count *C.size_t) C.CUresult {
	return ls_cudaGraphNodeGetDependencies_v2(node, nodes, data, count)
}

// cuGraphNodeGetDependencies returns the nodes that a node waits for.
//
//cuda:support full
//export ls_cuGraphNodeGetDependencies
func ls_cuGraphNodeGetDependencies(node C.CUhandle, nodes *C.CUhandle, count *C.size_t) C.CUresult {
	return ls_cudaGraphNodeGetDependencies_v2(node, nodes, nil, count)
}

// cuGraphNodeGetDependentNodes_v2 returns the nodes that wait for a node.
//
//cuda:support full
//export ls_cuGraphNodeGetDependentNodes_v2
func ls_cuGraphNodeGetDependentNodes_v2(node C.CUhandle, nodes *C.CUhandle, data *C.cudaGraphEdgeData, count *C.size_t) C.CUresult {
	return ls_cudaGraphNodeGetDependentNodes_v2(node, nodes, data, count)
}

// cuGraphNodeGetDependentNodes returns the nodes that wait for a node.
//
//cuda:support full
//export ls_cuGraphNodeGetDependentNodes
func ls_cuGraphNodeGetDependentNodes(node C.CUhandle, nodes *C.CUhandle, count *C.size_t) C.CUresult {
	return ls_cudaGraphNodeGetDependentNodes_v2(node, nodes, nil, count)
}

// cuGraphAddDependencies_v2 adds edges.
//
//cuda:support full
//export ls_cuGraphAddDependencies_v2
func ls_cuGraphAddDependencies_v2(graph C.CUhandle, from, to *C.CUhandle, data *C.cudaGraphEdgeData, count C.size_t) C.CUresult {
	return ls_cudaGraphAddDependencies_v2(graph, from, to, data, count)
}

// cuGraphAddDependencies adds edges.
//
//cuda:support full
//export ls_cuGraphAddDependencies
func ls_cuGraphAddDependencies(graph C.CUhandle, from, to *C.CUhandle, count C.size_t) C.CUresult {
	return ls_cudaGraphAddDependencies_v2(graph, from, to, nil, count)
}

// cuGraphRemoveDependencies_v2 removes edges.
//
//cuda:support full
//export ls_cuGraphRemoveDependencies_v2
func ls_cuGraphRemoveDependencies_v2(graph C.CUhandle, from, to *C.CUhandle, data *C.cudaGraphEdgeData, count C.size_t) C.CUresult {
	return ls_cudaGraphRemoveDependencies_v2(graph, from, to, data, count)
}

// cuGraphRemoveDependencies removes edges.
//
//cuda:support full
//export ls_cuGraphRemoveDependencies
func ls_cuGraphRemoveDependencies(graph C.CUhandle, from, to *C.CUhandle, count C.size_t) C.CUresult {
	return ls_cudaGraphRemoveDependencies_v2(graph, from, to, nil, count)
}

// cuGraphDestroyNode removes a node.
//
//cuda:support full
//export ls_cuGraphDestroyNode
func ls_cuGraphDestroyNode(node C.CUhandle) C.CUresult {
	return ls_cudaGraphDestroyNode(node)
}

// cuGraphNodeGetType returns the kind of a node.
//
//cuda:support full
//export ls_cuGraphNodeGetType
func ls_cuGraphNodeGetType(node C.CUhandle, kind *C.int) C.CUresult {
	return ls_cudaGraphNodeGetType(node, kind)
}

// cuGraphDebugDotPrint writes a graph as a picture.
//
//cuda:support full
//export ls_cuGraphDebugDotPrint
func ls_cuGraphDebugDotPrint(graph C.CUhandle, path C.ls_string, flags C.uint) C.CUresult {
	return ls_cudaGraphDebugDotPrint(graph, path, flags)
}

// cuUserObjectCreate makes an object whose uses are counted.
//
//cuda:support full
//export ls_cuUserObjectCreate
func ls_cuUserObjectCreate(object *C.CUhandle, user unsafe.Pointer, destroy C.cudaHostFn_t, count, flags C.uint) C.CUresult {
	return ls_cudaUserObjectCreate(object, user, destroy, count, flags)
}

// cuUserObjectRetain adds uses of an object.
//
//cuda:support full
//export ls_cuUserObjectRetain
func ls_cuUserObjectRetain(object C.CUhandle, count C.uint) C.CUresult {
	return ls_cudaUserObjectRetain(object, count)
}

// cuUserObjectRelease ends uses of an object.
//
//cuda:support full
//export ls_cuUserObjectRelease
func ls_cuUserObjectRelease(object C.CUhandle, count C.uint) C.CUresult {
	return ls_cudaUserObjectRelease(object, count)
}

// cuGraphRetainUserObject lets a graph use an object.
//
//cuda:support full
//export ls_cuGraphRetainUserObject
func ls_cuGraphRetainUserObject(graph, object C.CUhandle, count, flags C.uint) C.CUresult {
	return ls_cudaGraphRetainUserObject(graph, object, count, flags)
}

// cuGraphReleaseUserObject ends that.
//
//cuda:support full
//export ls_cuGraphReleaseUserObject
func ls_cuGraphReleaseUserObject(graph, object C.CUhandle, count C.uint) C.CUresult {
	return ls_cudaGraphReleaseUserObject(graph, object, count)
}

// cuDeviceGetGraphMemAttribute tells the memory of graphs.
//
//cuda:support full
//export ls_cuDeviceGetGraphMemAttribute
func ls_cuDeviceGetGraphMemAttribute(device, attribute C.int, value *C.uint64_t) C.CUresult {
	return ls_cudaDeviceGetGraphMemAttribute(device, attribute, value)
}

// cuDeviceSetGraphMemAttribute resets the marks of the memory of graphs.
//
//cuda:support full
//export ls_cuDeviceSetGraphMemAttribute
func ls_cuDeviceSetGraphMemAttribute(device, attribute C.int, value *C.uint64_t) C.CUresult {
	return ls_cudaDeviceSetGraphMemAttribute(device, attribute, value)
}

// cuDeviceGraphMemTrim gives unused memory of graphs back.
//
//cuda:support full
//export ls_cuDeviceGraphMemTrim
func ls_cuDeviceGraphMemTrim(device C.int) C.CUresult {
	return ls_cudaDeviceGraphMemTrim(device)
}

// cuGraphInstantiateWithFlags makes a graph executable.
//
//cuda:support full
//export ls_cuGraphInstantiateWithFlags
func ls_cuGraphInstantiateWithFlags(exec *C.CUhandle, graph C.CUhandle, flags C.ulonglong) C.CUresult {
	return ls_cudaGraphInstantiateWithFlags(exec, graph, flags)
}

// cuGraphInstantiateWithParams makes a graph executable.
//
//cuda:support full
//export ls_cuGraphInstantiateWithParams
func ls_cuGraphInstantiateWithParams(exec *C.CUhandle, graph C.CUhandle, p *C.cudaGraphInstantiateParams) C.CUresult {
	return ls_cudaGraphInstantiateWithParams(exec, graph, p)
}

// cuGraphInstantiate_v2 makes a graph executable.
//
//cuda:support full
//export ls_cuGraphInstantiate_v2
func ls_cuGraphInstantiate_v2(exec *C.CUhandle, graph C.CUhandle, failed *C.CUhandle, text *C.char, size C.size_t) C.CUresult {
	if failed != nil {
		*failed = 0
	}
	if text != nil && size > 0 {
		*text = 0
	}
	return ls_cudaGraphInstantiateWithFlags(exec, graph, 0)
}

// cuGraphInstantiate is cuGraphInstantiate_v2.
//
//cuda:support full
//export ls_cuGraphInstantiate
func ls_cuGraphInstantiate(exec *C.CUhandle, graph C.CUhandle, failed *C.CUhandle, text *C.char, size C.size_t) C.CUresult {
	return ls_cuGraphInstantiate_v2(exec, graph, failed, text, size)
}

// cuGraphExecGetFlags returns the flags of an executable graph.
//
//cuda:support full
//export ls_cuGraphExecGetFlags
func ls_cuGraphExecGetFlags(exec C.CUhandle, flags *C.ulonglong) C.CUresult {
	return ls_cudaGraphExecGetFlags(exec, flags)
}

// cuGraphExecDestroy destroys an executable graph.
//
//cuda:support full
//export ls_cuGraphExecDestroy
func ls_cuGraphExecDestroy(exec C.CUhandle) C.CUresult {
	return ls_cudaGraphExecDestroy(exec)
}

// cuGraphUpload prepares an executable graph.
//
//cuda:support full
//export ls_cuGraphUpload
func ls_cuGraphUpload(exec C.CUhandle, stream C.cudaStream_t) C.CUresult {
	return ls_cudaGraphUpload(exec, stream)
}

// cuGraphLaunch puts an executable graph into a stream.
//
//cuda:support full
//export ls_cuGraphLaunch
func ls_cuGraphLaunch(exec C.CUhandle, stream C.cudaStream_t) C.CUresult {
	return ls_cudaGraphLaunch(exec, stream)
}

// cuGraphNodeSetEnabled switches a node of an executable graph.
//
//cuda:support full
//export ls_cuGraphNodeSetEnabled
func ls_cuGraphNodeSetEnabled(exec, node C.CUhandle, on C.uint) C.CUresult {
	return ls_cudaGraphNodeSetEnabled(exec, node, on)
}

// cuGraphNodeGetEnabled tells whether a node is switched on.
//
//cuda:support full
//export ls_cuGraphNodeGetEnabled
func ls_cuGraphNodeGetEnabled(exec, node C.CUhandle, on *C.uint) C.CUresult {
	return ls_cudaGraphNodeGetEnabled(exec, node, on)
}

// cuGraphConditionalHandleCreate makes the condition of nodes.
//
//cuda:support full
//export ls_cuGraphConditionalHandleCreate
func ls_cuGraphConditionalHandleCreate(handle *C.uint64_t, graph, context C.CUhandle, initial, flags C.uint) C.CUresult {
	return ls_cudaGraphConditionalHandleCreate(handle, graph, initial, flags)
}

// cuStreamBeginCapture_v2 lets a stream collect a graph.
//
//cuda:support full
//export ls_cuStreamBeginCapture_v2
func ls_cuStreamBeginCapture_v2(stream C.cudaStream_t, mode C.int) C.CUresult {
	return ls_cudaStreamBeginCapture(stream, mode)
}

// cuStreamBeginCapture lets a stream collect a graph.
//
//cuda:support full
//export ls_cuStreamBeginCapture
func ls_cuStreamBeginCapture(stream C.cudaStream_t) C.CUresult {
	return ls_cudaStreamBeginCapture(stream, 0)
}

// cuStreamBeginCaptureToGraph lets a stream add to a graph.
//
//cuda:support full
//export ls_cuStreamBeginCaptureToGraph
func ls_cuStreamBeginCaptureToGraph(stream C.cudaStream_t, graph C.CUhandle, after *C.CUhandle, data *C.cudaGraphEdgeData, count C.size_t, mode C.int) C.CUresult {
	return ls_cudaStreamBeginCaptureToGraph(stream, graph, after, data, count, mode)
}

// cuStreamEndCapture ends that.
//
//cuda:support full
//export ls_cuStreamEndCapture
func ls_cuStreamEndCapture(stream C.cudaStream_t, graph *C.CUhandle) C.CUresult {
	return ls_cudaStreamEndCapture(stream, graph)
}

// cuStreamIsCapturing tells whether a stream collects a graph.
//
//cuda:support full
//export ls_cuStreamIsCapturing
func ls_cuStreamIsCapturing(stream C.cudaStream_t, status *C.int) C.CUresult {
	return ls_cudaStreamIsCapturing(stream, status)
}

// cuStreamGetCaptureInfo_v3 describes what a stream collects.
//
//cuda:support full
//export ls_cuStreamGetCaptureInfo_v3
func ls_cuStreamGetCaptureInfo_v3(stream C.cudaStream_t, status *C.int, id, graph *C.uint64_t, nodes **C.uint64_t, data **C.cudaGraphEdgeData, count *C.size_t) C.CUresult {
	return ls_cudaStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, data, count)
}

// cuStreamGetCaptureInfo_v2 describes what a stream collects.
//
//cuda:support full
//export ls_cuStreamGetCaptureInfo_v2
func ls_cuStreamGetCaptureInfo_v2(stream C.cudaStream_t, status *C.int, id, graph *C.uint64_t, nodes **C.uint64_t, count *C.size_t) C.CUresult {
	return ls_cudaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count)
}

// cuStreamGetCaptureInfo tells whether a stream collects a graph.
//
//cuda:support full
//export ls_cuStreamGetCaptureInfo
func ls_cuStreamGetCaptureInfo(stream C.cudaStream_t, status *C.int, id *C.uint64_t) C.CUresult {
	return ls_cudaStreamGetCaptureInfo_v2(stream, status, id, nil, nil, nil)
}

// cuStreamUpdateCaptureDependencies_v2 changes what the next node waits for.
//
//cuda:support full
//export ls_cuStreamUpdateCaptureDependencies_v2
func ls_cuStreamUpdateCaptureDependencies_v2(stream C.cudaStream_t, nodes *C.CUhandle, data *C.cudaGraphEdgeData, count C.size_t, flags C.uint) C.CUresult {
	return ls_cudaStreamUpdateCaptureDependencies_v2(stream, nodes, data, count, flags)
}

// cuStreamUpdateCaptureDependencies changes what the next node waits for.
//
//cuda:support full
//export ls_cuStreamUpdateCaptureDependencies
func ls_cuStreamUpdateCaptureDependencies(stream C.cudaStream_t, nodes *C.CUhandle, count C.size_t, flags C.uint) C.CUresult {
	return ls_cudaStreamUpdateCaptureDependencies_v2(stream, nodes, nil, count, flags)
}

// cuGraphExecUpdate_v2 changes an executable graph to another of its shape.
//
//cuda:support full
//export ls_cuGraphExecUpdate_v2
func ls_cuGraphExecUpdate_v2(exec, graph C.CUhandle, info *C.cudaGraphExecUpdateResultInfo) C.CUresult {
	return call(func(t *rt.Thread) error {
		u, err := t.GraphExecUpdate(uint64(exec), uint64(graph))
		if info != nil {
			info.result, info.errorNode, info.errorFromNode = C.int(u.Result), C.uint64_t(u.Node), C.uint64_t(u.From)
		}
		return err
	})
}

// cuGraphExecUpdate changes an executable graph to another of its shape.
//
//cuda:support full
//export ls_cuGraphExecUpdate
func ls_cuGraphExecUpdate(exec, graph C.CUhandle, node *C.CUhandle, result *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		u, err := t.GraphExecUpdate(uint64(exec), uint64(graph))
		if node != nil {
			*node = C.CUhandle(u.Node)
		}
		if result != nil {
			*result = C.int(u.Result)
		}
		return err
	})
}
