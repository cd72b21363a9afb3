package isa

import "strings"

// Function is a decoded function or kernel body.
type Function struct {
	Name   string
	Code   []Inst
	Consts []Lanes // rows of immediates
	// SharedConsts are the rows of Consts that hold addresses in shared memory,
	// as the CTA of rank 0 in a cluster has them.
	SharedConsts []int32

	NumRegs  int    // rows of a frame
	NumPreds int    // predicates of a frame, PT and PSink included
	Local    uint32 // bytes of local memory of a frame, in each lane, parameters included

	Params []Slot // where a function's own parameters lie in its frame
	Rets   []Slot

	// Builtin, when set, is the name of a function that the engine itself
	// provides (vprintf, malloc, ...); there is no Code then.
	Builtin string

	Operands Operands // by instruction
	Lines    []Line
	Source   *Source

	// Program is the code in the form of a faster engine, a *simd.Program;
	// nil if there is none.
	Program any
}

// Line is a place in the program's own source.
type Line struct {
	File         string
	Line, Column int32
	Inlined      int32  // index of the place this was inlined at, -1 if none
	Function     string // name of the inlined function, if any
}

// Source is the text that functions were decoded from.
type Source struct {
	Name string
	Text string
}

// KernelParam is a kernel parameter.
type KernelParam struct {
	Name                string
	Offset, Size, Align uint32
}

// Kernel is an entry point, ready to launch.
type Kernel struct {
	Name   string
	Entry  *Function
	Params []KernelParam
	// ParamBytes is the size of the parameter block.
	ParamBytes uint32
	// StaticShared is the size in bytes of the kernel's own shared variables,
	// the reserved part not included; DynamicAlign the alignment of the
	// dynamic part, which follows them.
	StaticShared, DynamicAlign uint32
	// LocalBytes is the local memory of a lane along the deepest call chain
	// that is known statically, Depth its length.
	LocalBytes uint32
	Depth      int
	Recursive  bool // the chain is not bounded statically

	MaxThreads int       // .maxntid product or .reqntid product, 0 if none
	ReqThreads [3]uint32 // .reqntid, zero if none
	Cluster    ClusterBounds
	Registers  int // hardware registers of a thread, from the cubin or estimated
	Barriers   int

	// Shares reports that CTAs may communicate through memory (atomics,
	// volatile or ordered accesses, fences, device heap), so that they must
	// run in a fixed order to give fixed results.
	Shares bool
	// Grid reports that the kernel may wait for other CTAs of its grid.
	Spins bool
	// LaunchesGraphs reports that the kernel can ask for the launch of graphs.
	LaunchesGraphs bool

	// Samplers are the samplers of the kernel's module by handle, the address of
	// the variable.
	Samplers map[uint64]*Sampler
	// Constants are the ranges of device memory that hold the constant variables
	// of the kernel's module.
	Constants []Range

	// Function finds the function at a code address, nil if there is none.
	Function func(addr uint64) *Function
	// Kernel finds the kernel at a code address, for launches by threads; nil if
	// there is none.
	Kernel func(addr uint64) *Kernel
}

// Range is a range of addresses [Lo, Hi).
type Range struct{ Lo, Hi uint64 }

// ClusterBounds is what a kernel says about the clusters that it runs in.
type ClusterBounds struct {
	Dim      [3]uint32 // .reqnctapercluster, zero if none
	MaxRank  uint32    // .maxclusterrank, the largest number of CTAs; 0 if none
	Explicit bool      // .explicitcluster: a launch must have clusters
	InBlocks bool      // .blocksareclusters: a launch counts clusters where it says CTAs
}

// DynamicOffset is the offset of dynamic shared memory in the CTA's shared memory.
func (k *Kernel) DynamicOffset() uint32 {
	end := uint32(SharedReserved) + k.StaticShared
	if a := k.DynamicAlign; a > 1 {
		end = (end + a - 1) / a * a
	}
	return end
}

// Line returns the number, from 1, and the text of the line at an offset.
func (s *Source) Line(offset int) (number int, text string) {
	if offset < 0 || offset > len(s.Text) {
		return 0, ""
	}
	start := strings.LastIndexByte(s.Text[:offset], '\n') + 1
	text, _, _ = strings.Cut(s.Text[start:], "\n")
	return strings.Count(s.Text[:start], "\n") + 1, text
}
