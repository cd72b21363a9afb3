package fuzz

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Engine runs kernels of one module on a simulated device.
type Engine struct {
	program *solo.Program
	input   uint64 // address of the operands
	memory  uint64 // of what kernels work on
	size    int
}

// Mode says how the engine executes.
type Mode struct {
	ISA     simd.Level
	Unfused bool // every product and sum by itself, as code for a debugger
}

// limit ends a kernel that a reduction has robbed of the end of a loop.
var limit = exec.Limit{Instructions: 4 << 20}

// NewEngine loads a module of kernels.
func NewEngine(kernels []*Kernel, mode Mode) (*Engine, error) {
	text := Module(kernels)
	if mode.Unfused {
		text = strings.Replace(text, target, target+", debug", 1)
	}
	p, err := solo.Load(gpu.Config{ISA: mode.ISA, Memory: mem.Config{DeviceBytes: 1 << 30}, SMs: 4, ThreadsPerSM: 2048, Heap: 8 << 20, Stack: 1 << 14, Workers: 1, Limit: limit}, "fuzz", text)
	if err != nil {
		return nil, err
	}
	e := &Engine{program: p}
	for _, k := range kernels {
		e.size = max(e.size, k.Size)
	}
	if e.input, err = p.Alloc(8 * InputWords); err == nil {
		err = p.Write(e.input, InputBytes())
	}
	if err == nil {
		e.memory, err = p.Alloc(uint64(e.size))
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Close gives the device back.
func (e *Engine) Close() error { return e.program.Close() }

// Run is the memory that a kernel worked on, after it.
func (e *Engine) Run(k *Kernel) ([]byte, error) {
	result := Memory(k.Size)
	if err := e.program.Write(e.memory, result); err != nil {
		return nil, err
	}
	params := little([]uint64{e.input, e.memory, ParamWords[0], ParamWords[1], ParamWords[2]})
	if _, err := e.program.Run(solo.Launch{Kernel: k.Name, Grid: k.Grid, Block: k.Block, Shared: k.Shared}, params); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	return result, e.program.Read(e.memory, result)
}

// Memory is the memory that a kernel begins with.
func Memory(size int) []byte {
	words := make([]uint64, size/8)
	for i := range words {
		words[i] = Mix(uint64(i))
	}
	return little(words)
}

func little(words []uint64) []byte {
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// Hash is FNV-1a of 64 bits.
func Hash(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}
