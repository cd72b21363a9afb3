package rt

import (
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// GPU is what the runtime needs of a device.
type GPU interface {
	Memory() *mem.Space
	Start(l gpu.Launch) (Grid, error)
	SetStack(bytes uint32)
	SetHeap(bytes uint64) (used bool)
	Leave()
	Close() error
}

// Grid is a launch under way.
type Grid interface {
	stream.Grid
	Instructions() uint64       // of warps
	ThreadInstructions() uint64 // of threads
}

// simulated is a gpu.Device as a GPU.
type simulated struct{ *gpu.Device }

func newGPU(c gpu.Config) (GPU, error) {
	d, err := gpu.New(c)
	if err != nil {
		return nil, err
	}
	return simulated{d}, nil
}

// Start implements GPU.
func (s simulated) Start(l gpu.Launch) (Grid, error) {
	g, err := s.Device.Start(l)
	if err != nil {
		return nil, err
	}
	return g, nil
}
