package main

// #include "lockstep.h"
import "C"

import "github.com/lockstep-sim/lockstep/cudart/rt"

// Nodes with external semaphores can be made; since none can be imported, their
// lists are empty.

// addSemaphores adds a node that signals or waits.
func addSemaphores(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaExternalSemaphoreNodeParams, signal bool) C.cudaError_t {
	return addNode(node, nodes, nil, n, func(t *rt.Thread, after []rt.Dependency) (uint64, error) {
		if p == nil {
			return 0, rt.ErrInvalidValue
		}
		return t.GraphAddSemaphoreNode(uint64(g), after, uint32(p.count), signal)
	})
}

func getSemaphores(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams, signal bool) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return put(p, C.cudaExternalSemaphoreNodeParams{}, t.GraphSemaphoreNode(uint64(node), signal))
	})
}

// setSemaphores changes a node of a graph or of an executable.
func setSemaphores(exec, node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams, inGraph, signal bool) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if p == nil {
			return rt.ErrInvalidValue
		}
		if inGraph {
			return t.GraphSemaphoreNodeSetParams(uint64(node), uint32(p.count), signal)
		}
		return t.GraphExecSemaphoreNodeSetParams(uint64(exec), uint64(node), uint32(p.count), signal)
	})
}

// cudaGraphAddExternalSemaphoresSignalNode adds a node that signals.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaGraphAddExternalSemaphoresSignalNode
func ls_cudaGraphAddExternalSemaphoresSignalNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return addSemaphores(node, g, nodes, n, p, true)
}

// cudaGraphAddExternalSemaphoresWaitNode adds a node that waits.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaGraphAddExternalSemaphoresWaitNode
func ls_cudaGraphAddExternalSemaphoresWaitNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return addSemaphores(node, g, nodes, n, p, false)
}

// cudaGraphExternalSemaphoresSignalNodeGetParams describes a node that signals.
//
//cuda:support full
//export ls_cudaGraphExternalSemaphoresSignalNodeGetParams
func ls_cudaGraphExternalSemaphoresSignalNodeGetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return getSemaphores(node, p, true)
}

// cudaGraphExternalSemaphoresWaitNodeGetParams describes a node that waits.
//
//cuda:support full
//export ls_cudaGraphExternalSemaphoresWaitNodeGetParams
func ls_cudaGraphExternalSemaphoresWaitNodeGetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return getSemaphores(node, p, false)
}

// cudaGraphExternalSemaphoresSignalNodeSetParams changes a node that signals.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaGraphExternalSemaphoresSignalNodeSetParams
func ls_cudaGraphExternalSemaphoresSignalNodeSetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return setSemaphores(0, node, p, true, true)
}

// cudaGraphExternalSemaphoresWaitNodeSetParams changes a node that waits.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaGraphExternalSemaphoresWaitNodeSetParams
func ls_cudaGraphExternalSemaphoresWaitNodeSetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return setSemaphores(0, node, p, true, false)
}

// cudaGraphExecExternalSemaphoresSignalNodeSetParams changes a node of an
// executable.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaGraphExecExternalSemaphoresSignalNodeSetParams
func ls_cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return setSemaphores(exec, node, p, false, true)
}

// cudaGraphExecExternalSemaphoresWaitNodeSetParams changes a node of an
// executable.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaGraphExecExternalSemaphoresWaitNodeSetParams
func ls_cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.cudaError_t {
	return setSemaphores(exec, node, p, false, false)
}

// cuGraphAddExternalSemaphoresSignalNode adds a node that signals.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuGraphAddExternalSemaphoresSignalNode
func ls_cuGraphAddExternalSemaphoresSignalNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphAddExternalSemaphoresSignalNode(node, g, nodes, n, p)
}

// cuGraphExternalSemaphoresSignalNodeGetParams describes a node that signals.
//
//cuda:support full
//export ls_cuGraphExternalSemaphoresSignalNodeGetParams
func ls_cuGraphExternalSemaphoresSignalNodeGetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphExternalSemaphoresSignalNodeGetParams(node, p)
}

// cuGraphExternalSemaphoresSignalNodeSetParams changes a node that signals.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuGraphExternalSemaphoresSignalNodeSetParams
func ls_cuGraphExternalSemaphoresSignalNodeSetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphExternalSemaphoresSignalNodeSetParams(node, p)
}

// cuGraphExecExternalSemaphoresSignalNodeSetParams changes a node of an executable.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuGraphExecExternalSemaphoresSignalNodeSetParams
func ls_cuGraphExecExternalSemaphoresSignalNodeSetParams(exec, node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, node, p)
}

// cuGraphAddExternalSemaphoresWaitNode adds a node that waits.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuGraphAddExternalSemaphoresWaitNode
func ls_cuGraphAddExternalSemaphoresWaitNode(node *C.uint64_t, g C.uint64_t, nodes *C.uint64_t, n C.size_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphAddExternalSemaphoresWaitNode(node, g, nodes, n, p)
}

// cuGraphExternalSemaphoresWaitNodeGetParams describes a node that waits.
//
//cuda:support full
//export ls_cuGraphExternalSemaphoresWaitNodeGetParams
func ls_cuGraphExternalSemaphoresWaitNodeGetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphExternalSemaphoresWaitNodeGetParams(node, p)
}

// cuGraphExternalSemaphoresWaitNodeSetParams changes a node that waits.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuGraphExternalSemaphoresWaitNodeSetParams
func ls_cuGraphExternalSemaphoresWaitNodeSetParams(node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphExternalSemaphoresWaitNodeSetParams(node, p)
}

// cuGraphExecExternalSemaphoresWaitNodeSetParams changes a node of an executable.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuGraphExecExternalSemaphoresWaitNodeSetParams
func ls_cuGraphExecExternalSemaphoresWaitNodeSetParams(exec, node C.uint64_t, p *C.cudaExternalSemaphoreNodeParams) C.CUresult {
	return ls_cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, node, p)
}
