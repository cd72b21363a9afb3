// Package report writes what grids did and took.
//
//	chip.Report --Writer--> blocks in GPGPU-Sim's spelling, CSV, or JSON
//
// JSON is one object a line and CSV one line a grid, both with every counter
// under the name of its tag, for the grid alone.
// Blocks in GPGPU-Sim's spelling hold what this model counts too, with its
// meaning: gpu_sim_* are of the grid, all else of the run so far.
package report
