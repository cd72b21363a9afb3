// Package kit holds the building blocks of the timing simulator.
//
//	Queue   bounded first-in first-out
//	Pipe    the same with a fixed latency
//	Wheel   events by cycle
//	Set     the parts of a whole that have work
//	Slab    records by index, recycled
//
// All are deterministic and allocate only while they grow; a part that is idle
// is in no set and on no wheel, and so costs nothing. Time is a whole number of
// cycles of one clock; a part in another clock domain keeps a clock of its own
// and converts where it meets the others.
package kit
