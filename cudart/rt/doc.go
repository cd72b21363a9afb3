// Package rt is the CUDA runtime's semantics in plain Go: what each API call
// means, which error it returns, and what sticks.
//
//	call (cudart) --> Thread --> Context --> stream.Engine --> GPU
//	                     |          |
//	                 last error   Module <-- Image (registered fat binary)
//
// A Runtime is one process's. It has Devices; a Device gets a Context at the
// first call that needs one and loses it at a reset. A host thread is a Thread:
// its methods are the API calls. Images are registered before anything runs and
// become Modules of a context when one of their kernels or variables is first
// used, as under lazy loading.
//
// Addresses and handles are uint64, structures whose layout depends on the CUDA
// major are those of cudart/layout, errors are Error codes or wrap one. Rules
// come from the CUDA Runtime API reference; where programs can tell more than it
// says, from measurements on an H200 with CUDA 11.8, 12.4 and 13.0.
//
// Graphs and the capture of streams: what a graph is, rt/graph has; what its nodes
// do is a task (task.go), which a call for a captured stream makes too.
package rt
