package rt

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/models"
)

// sharedGranule is the unit in which a block gets shared memory (CUDA occupancy
// calculator, compute capability 7.0 and later).
const sharedGranule = 128

// occupancy counts the blocks of a launch that are resident on a multiprocessor:
// the least that its threads, blocks, registers and shared memory allow. Launch
// bounds do not count (measured).
func occupancy(g *models.GPU, k *isa.Kernel, threads int, dynamic uint64) int {
	warps := (threads + int(g.Launch.WarpSize) - 1) / int(g.Launch.WarpSize)
	if warps == 0 || threads > int(g.Launch.MaxThreadsPerBlock) {
		return 0
	}
	blocks := min(int(g.SM.Blocks), int(g.SM.Threads)/int(g.Launch.WarpSize)/warps)
	blocks = min(blocks, registerWarps(g, k)/warps)
	shared := roundUp(int(k.StaticShared)+int(dynamic)+int(g.Launch.SharedReserved), sharedGranule)
	return min(blocks, int(g.SM.Shared)/shared)
}

// OccupancyMaxActiveBlocks is cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags.
func (t *Thread) OccupancyMaxActiveBlocks(handle uint64, threads int, dynamic uint64, flags uint32) (int, error) {
	p, err := t.prepareHere(handle)
	if err != nil {
		return 0, err
	}
	if threads <= 0 || flags > 1 {
		return 0, fail(ErrInvalidValue, "blocks of %d threads, flags %#x", threads, flags)
	}
	if dynamic > p.context.dynamicLimit(p.function, p.kernel) {
		return 0, nil
	}
	return occupancy(t.runtime.model, p.kernel, threads, dynamic), nil
}

// OccupancyAvailableDynamicShared is cudaOccupancyAvailableDynamicSMemPerBlock:
// the most dynamic shared memory with which that many blocks are resident.
func (t *Thread) OccupancyAvailableDynamicShared(handle uint64, blocks, threads int) (uint64, error) {
	p, err := t.prepareHere(handle)
	if err != nil {
		return 0, err
	}
	g := t.runtime.model
	if blocks <= 0 || threads <= 0 {
		return 0, fail(ErrInvalidValue, "%d blocks of %d threads", blocks, threads)
	}
	if occupancy(g, p.kernel, threads, 0) < blocks {
		return 0, fail(ErrInvalidValue, "%d blocks of %d threads are not resident", blocks, threads)
	}
	part := int(g.SM.Shared) / blocks / sharedGranule * sharedGranule // the reserved part is not counted (measured)
	free := uint64(max(part-int(p.kernel.StaticShared), 0))
	return min(free, p.context.dynamicLimit(p.function, p.kernel)), nil
}
