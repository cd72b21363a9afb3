package kit

// Cycle is a point in time, or a number of clock cycles.
type Cycle uint64

// Never lies after every cycle.
const Never = ^Cycle(0)
