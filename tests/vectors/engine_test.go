package vectors

import (
	"encoding/binary"
	"fmt"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// engine runs the kernels of a batch.
type engine struct{ *solo.Program }

func newEngine(b Batch, v simd.Level) (engine, error) {
	p, err := solo.Load(gpu.Config{ISA: v, Memory: mem.Config{DeviceBytes: 1 << 30}, SMs: 4, ThreadsPerSM: 2048, Heap: 8 << 20, Stack: 1024}, "batch", b.Text())
	return engine{p}, err
}

// run is what the kernel of form i stores.
func (e engine) run(f *Form, i int) ([]byte, error) {
	operands := f.Operands()
	in, err := e.Alloc(uint64(len(operands)))
	if err != nil {
		return nil, err
	}
	if err := e.Write(in, operands); err != nil {
		return nil, err
	}
	results := make([]byte, f.Size())
	out, err := e.Alloc(uint64(len(results)))
	if err != nil {
		return nil, err
	}
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, in), out)
	launch := solo.Launch{Kernel: KernelName(i), Grid: [3]uint32{uint32(f.Threads / Block), 1, 1}, Block: [3]uint32{Block, 1, 1}}
	if _, err := e.Run(launch, params); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return results, e.Read(out, results)
}
