package isa

import "fmt"

// TrapKind classes what can go wrong when an instruction executes.
type TrapKind uint8

// The kinds, with the CUDA error each becomes.
const (
	NoTrap             TrapKind = iota
	IllegalAddress              // 700
	Misaligned                  // 716
	TrapInstruction             // 719
	AssertFailed                // 710
	IllegalInstruction          // 715
	InvalidSpace                // 717
	InvalidPC                   // 718
	StackOverflow               // 700
	HeapCorruption              // 700: free of a pointer that malloc did not give
	BarrierMisuse               // 719
	ClusterMemory               // 719: shared memory that no running CTA of the cluster has
	Deadlock                    // 702
	LimitReached                // 702: more instructions or time than the user allows
	Internal                    // 999: a mistake of lockstep, not of the program
)

// Trap says which lane failed and where it reached.
type Trap struct {
	Kind  TrapKind
	Lane  int
	Addr  uint64
	Bytes int
	Space Space
	Write bool
	Note  string // what else helps, in words
}

// Unsupported reports program text that lockstep does not execute. What is the
// spelling, Where its place.
type Unsupported struct {
	What, Where string
}

func (u *Unsupported) Error() string {
	return fmt.Sprintf("%s: %s is not supported", u.Where, u.What)
}
