package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaStreamBeginCapture makes the work of a stream a graph from now on.
//
//cuda:support full
//export ls_cudaStreamBeginCapture
func ls_cudaStreamBeginCapture(stream C.cudaStream_t, mode C.int) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return t.StreamBeginCapture(s, int32(mode)) })
}

// cudaStreamBeginCaptureToGraph adds the work of a stream to a graph from now on.
//
//cuda:support full
//export ls_cudaStreamBeginCaptureToGraph
func ls_cudaStreamBeginCaptureToGraph(stream C.cudaStream_t, g C.uint64_t, nodes *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t, mode C.int) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		list, err := dependencies(nodes, data, n)
		if err != nil {
			return err
		}
		return t.StreamBeginCaptureToGraph(s, uint64(g), list, int32(mode))
	})
}

// cudaStreamBeginRecaptureToGraph compares the work of a stream with a graph.
//
//cuda:support no "graphs cannot be captured again"
//export ls_cudaStreamBeginRecaptureToGraph
func ls_cudaStreamBeginRecaptureToGraph(stream C.cudaStream_t, mode C.int, g, callback C.uint64_t) C.cudaError_t {
	return call(func(*rt.Thread) error { return rt.ErrNotSupported })
}

// cudaStreamEndCapture ends a capture and gives its graph.
//
//cuda:support full
//export ls_cudaStreamEndCapture
func ls_cudaStreamEndCapture(stream C.cudaStream_t, g *C.uint64_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		h, err := t.StreamEndCapture(s)
		if g != nil {
			*g = C.uint64_t(h)
		}
		return err
	})
}

// cudaStreamIsCapturing tells whether a stream is being captured.
//
//cuda:support full
//export ls_cudaStreamIsCapturing
func ls_cudaStreamIsCapturing(stream C.cudaStream_t, status *C.int) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if status == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.StreamIsCapturing(s)
		return putInt(status, v, err)
	})
}

// captureResults is where the results of cudaStreamGetCaptureInfo go; each may be
// nil but the status.
type captureResults struct {
	status    *C.int
	id, graph *C.uint64_t
	nodes     **C.uint64_t
	data      **C.cudaGraphEdgeData
	count     *C.size_t
}

func captureInfo(stream C.cudaStream_t, r captureResults) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if r.status == nil {
			return rt.ErrInvalidValue
		}
		i, err := t.StreamGetCaptureInfo(s)
		if err != nil {
			return err
		}
		*r.status = C.int(i.Status)
		if i.Status == rt.Capturing {
			r.put(&i)
		}
		return nil
	})
}

// put stores what the program asked for. The lists are kept by the runtime until
// it is asked again.
func (r *captureResults) put(i *rt.CaptureInfo) {
	if r.id != nil {
		*r.id = C.uint64_t(i.ID)
	}
	if r.graph != nil {
		*r.graph = C.uint64_t(i.Graph)
	}
	if r.nodes != nil {
		*(*uint64)(unsafe.Pointer(r.nodes)) = address(unsafe.Pointer(unsafe.SliceData(i.Dependencies)))
	}
	if r.data != nil {
		*(*uint64)(unsafe.Pointer(r.data)) = address(unsafe.Pointer(unsafe.SliceData(i.Data)))
	}
	if r.count != nil {
		*r.count = C.size_t(len(i.Dependencies))
	}
}

// cudaStreamGetCaptureInfo describes the capture of a stream; from CUDA 13 on
// with the graph, the nodes that the next one waits for and their edges.
//
//cuda:support full
//export ls_cudaStreamGetCaptureInfo
func ls_cudaStreamGetCaptureInfo(stream C.cudaStream_t, status *C.int, id, g *C.uint64_t, nodes **C.uint64_t, data **C.cudaGraphEdgeData, count *C.size_t) C.cudaError_t {
	r := captureResults{status: status, id: id}
	if theRuntime().Major() >= 13 {
		r.graph, r.nodes, r.data, r.count = g, nodes, data, count
	}
	return captureInfo(stream, r)
}

// cudaStreamGetCaptureInfo_v2 is cudaStreamGetCaptureInfo without edges.
//
//cuda:support full
//export ls_cudaStreamGetCaptureInfo_v2
func ls_cudaStreamGetCaptureInfo_v2(stream C.cudaStream_t, status *C.int, id, g *C.uint64_t, nodes **C.uint64_t, count *C.size_t) C.cudaError_t {
	return captureInfo(stream, captureResults{status: status, id: id, graph: g, nodes: nodes, count: count})
}

// cudaStreamGetCaptureInfo_v3 is cudaStreamGetCaptureInfo as CUDA 13 has it.
//
//cuda:support full
//export ls_cudaStreamGetCaptureInfo_v3
func ls_cudaStreamGetCaptureInfo_v3(stream C.cudaStream_t, status *C.int, id, g *C.uint64_t, nodes **C.uint64_t, data **C.cudaGraphEdgeData, count *C.size_t) C.cudaError_t {
	return captureInfo(stream, captureResults{status, id, g, nodes, data, count})
}

// cudaStreamUpdateCaptureDependencies changes what the next node of a captured
// stream waits for. From CUDA 13 on edges have data.
//
//cuda:support full
//export ls_cudaStreamUpdateCaptureDependencies
func ls_cudaStreamUpdateCaptureDependencies(stream C.cudaStream_t, nodes *C.uint64_t, third, fourth, fifth C.uint64_t) C.cudaError_t {
	if theRuntime().Major() >= 13 {
		data := (*C.cudaGraphEdgeData)(pointer(uint64(third)))
		return ls_cudaStreamUpdateCaptureDependencies_v2(stream, nodes, data, C.size_t(fourth), C.uint(fifth))
	}
	return ls_cudaStreamUpdateCaptureDependencies_v2(stream, nodes, nil, C.size_t(third), C.uint(fourth))
}

// cudaStreamUpdateCaptureDependencies_v2 is the same with data.
//
//cuda:support full
//export ls_cudaStreamUpdateCaptureDependencies_v2
func ls_cudaStreamUpdateCaptureDependencies_v2(stream C.cudaStream_t, nodes *C.uint64_t, data *C.cudaGraphEdgeData, n C.size_t, flags C.uint) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		list, err := dependencies(nodes, data, n)
		if err != nil {
			return err
		}
		return t.StreamUpdateCaptureDependencies(s, list, uint32(flags))
	})
}
