// Package gpu is a simulated device: memory, and an engine that runs grids.
//
//	Device --Start--> Grid --Advance--> ... --> done
//	  |                 |
//	gpu/mem         gpu/exec (data), later gpu/timing (cycles)
//
// It knows neither CUDA's rules nor PTX: cudart/rt checks launches, ptx/link
// makes kernels.
package gpu
