// Package report writes what grids did and took.
//
//	chip.Report --Writer--> text, blocks in GPGPU-Sim's spelling, CSV, JSON, a page of ncu
//
// Text has a line for each counter, JSON an object and CSV a line for each grid,
// with every counter under the name of its tag, for the grid alone; sums of each
// stream and of all come at the end. The page has the columns of ncu --csv --page
// raw whose meaning is the same.
// Blocks in GPGPU-Sim's spelling hold what this model counts too, with its
// meaning: gpu_sim_* are of the grid, all else of the run so far.
package report
