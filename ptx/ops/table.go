package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// tables lists the table's chapters in the manual's order.
func tables() [][]isa.Op {
	return [][]isa.Op{
		integer,
		extended,
		float,
		approx,
		half,
		compare,
		logic,
		move,
		convert,
		convertTiny,
		convertScaled,
		memory,
		texture,
		surface,
		warp,
		atomics,
		async,
		bulk,
		tensors,
		tensorMaps,
		multimem,
		cancels,
		matrix,
		sparseMatrix,
		blockMma,
		warpgroup,
		tcgen05,
		control,
		stack,
		video,
		videoSIMD,
	}
}
