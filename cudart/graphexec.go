package main

// #include "lockstep.h"
import "C"

import (
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaGraphInstantiate makes an executable of a graph. Before CUDA 12 it took
// places for the node and the text of an error instead of flags.
//
//cuda:support full
//export ls_cudaGraphInstantiate
func ls_cudaGraphInstantiate(exec *C.uint64_t, g, third C.uint64_t, text *C.char, size C.size_t) C.cudaError_t {
	if theRuntime().Major() >= 12 {
		return ls_cudaGraphInstantiateWithFlags(exec, g, C.ulonglong(third))
	}
	return call(func(t *rt.Thread) error {
		if exec == nil {
			return rt.ErrInvalidValue
		}
		i, err := t.GraphInstantiate(uint64(g), 0)
		if node := (*C.uint64_t)(pointer(uint64(third))); err != nil && node != nil {
			*node = C.uint64_t(i.Node)
		}
		if text != nil && size > 0 {
			*text = 0
		}
		return putInt(exec, i.Exec, err)
	})
}

// instantiateUpload is cudaGraphInstantiateFlagUpload.
const instantiateUpload = 2

// cudaGraphInstantiateWithFlags makes an executable of a graph.
//
//cuda:support full
//export ls_cudaGraphInstantiateWithFlags
func ls_cudaGraphInstantiateWithFlags(exec *C.uint64_t, g C.uint64_t, flags C.ulonglong) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if exec == nil {
			return rt.ErrInvalidValue
		}
		if flags&instantiateUpload != 0 { // wants a stream, which only cudaGraphInstantiateWithParams has
			return rt.ErrInvalidValue
		}
		i, err := t.GraphInstantiate(uint64(g), uint64(flags))
		return putInt(exec, i.Exec, err)
	})
}

// cudaGraphInstantiateWithParams is the same with what went wrong.
//
//cuda:support full
//export ls_cudaGraphInstantiateWithParams
func ls_cudaGraphInstantiateWithParams(exec *C.uint64_t, g C.uint64_t, p *C.cudaGraphInstantiateParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if exec == nil || p == nil {
			return rt.ErrInvalidValue
		}
		i, err := t.GraphInstantiate(uint64(g), uint64(p.flags))
		p.errNode_out, p.result_out = C.uint64_t(i.Node), C.int(i.Result)
		return putInt(exec, i.Exec, err)
	})
}

// cudaGraphExecGetFlags returns the flags of an executable.
//
//cuda:support full
//export ls_cudaGraphExecGetFlags
func ls_cudaGraphExecGetFlags(exec C.uint64_t, flags *C.ulonglong) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphExecGetFlags(uint64(exec))
		return putInt(flags, v, err)
	})
}

// cudaGraphExecGetId returns a number that no other executable has.
//
//cuda:support full
//export ls_cudaGraphExecGetId
func ls_cudaGraphExecGetId(exec C.uint64_t, id *C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphExecGetID(uint64(exec))
		return putInt(id, v, err)
	})
}

// cudaGraphExecDestroy gives up an executable; its launches go on.
//
//cuda:support full
//export ls_cudaGraphExecDestroy
func ls_cudaGraphExecDestroy(exec C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.GraphExecDestroy(uint64(exec)) })
}

// cudaGraphUpload prepares an executable for its launch.
//
//cuda:support full
//export ls_cudaGraphUpload
func ls_cudaGraphUpload(exec C.uint64_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return t.GraphUpload(uint64(exec), s) })
}

// cudaGraphLaunch puts an executable into a stream.
//
//cuda:support full
//export ls_cudaGraphLaunch
func ls_cudaGraphLaunch(exec C.uint64_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return t.GraphLaunch(uint64(exec), s) })
}

// cudaGraphExecUpdate makes an executable do what another graph of the same shape
// does. Before CUDA 12 the node and the result had places of their own.
//
//cuda:support full
//export ls_cudaGraphExecUpdate
func ls_cudaGraphExecUpdate(exec, g, third C.uint64_t, result *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		u, err := t.GraphExecUpdate(uint64(exec), uint64(g))
		if theRuntime().Major() >= 12 {
			if i := (*C.cudaGraphExecUpdateResultInfo)(pointer(uint64(third))); i != nil {
				i.result, i.errorNode, i.errorFromNode = C.int(u.Result), C.uint64_t(u.Node), C.uint64_t(u.From)
			}
			return err
		}
		if node := (*C.uint64_t)(pointer(uint64(third))); node != nil {
			*node = C.uint64_t(u.Node)
		}
		if result != nil {
			*result = C.int(u.Result)
		}
		return err
	})
}

// cudaGraphExecKernelNodeSetParams changes a launch of an executable.
//
//cuda:support full
//export ls_cudaGraphExecKernelNodeSetParams
func ls_cudaGraphExecKernelNodeSetParams(exec, node C.uint64_t, p *C.cudaKernelNodeParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		l, err := kernelLaunch(p)
		if err != nil {
			return err
		}
		return t.GraphExecKernelNodeSetParams(uint64(exec), uint64(node), l)
	})
}

// cudaGraphExecMemcpyNodeSetParams changes a copy of an executable.
//
//cuda:support full
//export ls_cudaGraphExecMemcpyNodeSetParams
func ls_cudaGraphExecMemcpyNodeSetParams(exec, node C.uint64_t, p *C.cudaMemcpy3DParms) C.cudaError_t {
	return setExecCopy(exec, node).call(p)
}

// cudaGraphExecMemcpyNodeSetParams1D makes a copy of an executable one of bytes.
//
//cuda:support full
//export ls_cudaGraphExecMemcpyNodeSetParams1D
func ls_cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src C.uint64_t, n C.size_t, kind C.int) C.cudaError_t {
	return setExecCopy(exec, node).call(line(dst, src, n, kind))
}

// cudaGraphExecMemcpyNodeSetParamsToSymbol makes a copy of an executable one to a
// device variable.
//
//cuda:support full
//export ls_cudaGraphExecMemcpyNodeSetParamsToSymbol
func ls_cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, symbol, src C.uint64_t, n, offset C.size_t, kind C.int) C.cudaError_t {
	return setExecCopy(exec, node).symbol(symbolCopy(symbol, src, n, offset, kind, false))
}

// cudaGraphExecMemcpyNodeSetParamsFromSymbol makes a copy of an executable one
// from a device variable.
//
//cuda:support full
//export ls_cudaGraphExecMemcpyNodeSetParamsFromSymbol
func ls_cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, symbol C.uint64_t, n, offset C.size_t, kind C.int) C.cudaError_t {
	return setExecCopy(exec, node).symbol(symbolCopy(symbol, dst, n, offset, kind, true))
}

// cudaGraphExecMemsetNodeSetParams changes a fill of an executable.
//
//cuda:support full
//export ls_cudaGraphExecMemsetNodeSetParams
func ls_cudaGraphExecMemsetNodeSetParams(exec, node C.uint64_t, p *C.cudaMemsetParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		m, err := memset(p)
		if err != nil {
			return err
		}
		return t.GraphExecMemsetNodeSetParams(uint64(exec), uint64(node), m)
	})
}

// cudaGraphExecHostNodeSetParams changes a call of the program of an executable.
//
//cuda:support full
//export ls_cudaGraphExecHostNodeSetParams
func ls_cudaGraphExecHostNodeSetParams(exec, node C.uint64_t, p *C.cudaHostNodeParams) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		f, err := hostNode(p)
		if err != nil {
			return err
		}
		return t.GraphExecHostNodeSetParams(uint64(exec), uint64(node), f)
	})
}

// cudaGraphExecChildGraphNodeSetParams makes a graph inside an executable do what
// another of the same shape does.
//
//cuda:support full
//export ls_cudaGraphExecChildGraphNodeSetParams
func ls_cudaGraphExecChildGraphNodeSetParams(exec, node, child C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.GraphExecChildGraphNodeSetParams(uint64(exec), uint64(node), uint64(child))
	})
}

// cudaGraphExecEventRecordNodeSetEvent changes the event that a node records.
//
//cuda:support full
//export ls_cudaGraphExecEventRecordNodeSetEvent
func ls_cudaGraphExecEventRecordNodeSetEvent(exec, node, event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.GraphExecEventNodeSetEvent(uint64(exec), uint64(node), uint64(event), true)
	})
}

// cudaGraphExecEventWaitNodeSetEvent changes the event that a node waits for.
//
//cuda:support full
//export ls_cudaGraphExecEventWaitNodeSetEvent
func ls_cudaGraphExecEventWaitNodeSetEvent(exec, node, event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.GraphExecEventNodeSetEvent(uint64(exec), uint64(node), uint64(event), false)
	})
}

// cudaGraphNodeSetEnabled switches a node of an executable on or off.
//
//cuda:support full
//export ls_cudaGraphNodeSetEnabled
func ls_cudaGraphNodeSetEnabled(exec, node C.uint64_t, on C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.GraphNodeSetEnabled(uint64(exec), uint64(node), on != 0) })
}

// cudaGraphNodeGetEnabled tells whether a node of an executable is on.
//
//cuda:support full
//export ls_cudaGraphNodeGetEnabled
func ls_cudaGraphNodeGetEnabled(exec, node C.uint64_t, on *C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.GraphNodeGetEnabled(uint64(exec), uint64(node))
		return put(on, C.uint(flag(v)), err)
	})
}
