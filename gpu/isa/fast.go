package isa

// Fast is the number of the micro-operation of package simd that does the same
// as a handler; zero if there is none.
type Fast uint16
