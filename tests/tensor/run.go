package tensor

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Engine runs cases on our engine.
type Engine struct {
	program                     *solo.Program
	source, target, out, object uint64
	sources, targets            []byte
}

// resultRoom is the size of the buffer that loads leave their result in.
const resultRoom = TargetBytes

// NewEngine loads the kernels.
func NewEngine() (*Engine, error) {
	p, err := solo.Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 30}, SMs: 4, ThreadsPerSM: 2048, Workers: 1}, "tensor", Text())
	if err != nil {
		return nil, err
	}
	e := &Engine{program: p, sources: Pattern(1, SourceBytes), targets: Pattern(2, TargetBytes)}
	for _, b := range []struct {
		at *uint64
		n  uint64
	}{{&e.source, SourceBytes}, {&e.target, TargetBytes}, {&e.out, resultRoom}, {&e.object, tensormap.Size}} {
		if *b.at, err = p.Alloc(b.n); err != nil {
			return nil, err
		}
	}
	return e, p.Write(e.source, e.sources)
}

// Close gives the engine's memory back.
func (e *Engine) Close() error { return e.program.Close() }

// Encode is the case's tensor map for a buffer.
func (c *Case) Encode(buffer uint64) ([tensormap.Size]byte, error) {
	r := c.Request
	r.Address += buffer
	switch {
	case c.NoMap:
		return [tensormap.Size]byte{}, nil
	case c.Im2col:
		return tensormap.EncodeIm2col(r)
	}
	return tensormap.EncodeTiled(r)
}

// Run gives the case's result. An error of encoding is one of the driver's
// CUDA_ERROR_INVALID_VALUE.
func (e *Engine) Run(c *Case) (result []byte, encoding, running error) {
	buffer, out := e.source, e.out
	if c.Store() {
		buffer, out = e.target, e.target
	}
	object, encoding := c.Encode(buffer)
	if encoding != nil || c.Kernel == EncodeOnly {
		return nil, encoding, nil
	}
	if err := e.program.Write(e.target, e.targets); err != nil {
		return nil, nil, err
	}
	if err := e.program.Write(e.out, make([]byte, resultRoom)); err != nil {
		return nil, nil, err
	}
	if err := e.program.Write(e.object, object[:]); err != nil {
		return nil, nil, err
	}
	l := solo.Launch{Kernel: c.Kernel, Grid: [3]uint32{uint32(c.CTAs()), 1, 1}, Block: [3]uint32{Threads, 1, 1}, Shared: SharedBytes}
	if _, err := e.program.Run(l, c.Param(e.object, out, e.source)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	result = make([]byte, c.ResultBytes())
	return result, nil, e.program.Read(out, result)
}
