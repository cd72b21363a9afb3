// Command cudart is the core of lockstep: built with -buildmode=c-shared it is libcudart.so, the CUDA runtime's C
// interface over a simulated GPU.
//
//	program -> trampoline (zsymbols.S) -> slot -> ls_<name>: convert, call rt, convert
//
// It is the only package with cgo, and holds no semantics: those are in cudart/rt. An API function is one exported Go
// function ls_<name> whose body is one call, callStream or callDefault (call.go). What must work before the Go runtime
// has started, in a forked child or without the core (registration, launch configuration, error texts, exit, signals)
// is C; lockstep.h describes it. The fronts (front/) are that same C without Go.
package main

func main() {}
