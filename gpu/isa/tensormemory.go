package isa

// The size of a CTA's tensor memory: lanes, columns of 32 bits, and the fewest
// columns that are allocated.
const (
	TensorLanes   = 128
	TensorColumns = 512
	TensorUnit    = 32
)

// TensorMemory is the tensor memory that a CTA sees (sm_100).
type TensorMemory struct {
	cells [TensorColumns][TensorLanes]uint32
	taken [TensorColumns / TensorUnit]uint16 // units of the allocation that begins here or covers this, 0 if free
	Sold  bool                               // the CTA has given up its right to allocate
}

// Allocate takes n columns, a multiple of TensorUnit, and returns the first.
func (m *TensorMemory) Allocate(n uint32) (first uint32, ok bool) {
	units := int(n / TensorUnit)
	for at := 0; at+units <= len(m.taken); at += units {
		free := true
		for _, t := range m.taken[at : at+units] {
			free = free && t == 0
		}
		if free {
			for i := range units {
				m.taken[at+i] = uint16(units)
			}
			return uint32(at * TensorUnit), true
		}
	}
	return 0, false
}

// Free gives back n columns from first on. It reports whether they were an
// allocation.
func (m *TensorMemory) Free(first, n uint32) bool {
	at, units := int(first/TensorUnit), int(n/TensorUnit)
	if first%TensorUnit != 0 || units == 0 || at+units > len(m.taken) || at%units != 0 {
		return false
	}
	for _, t := range m.taken[at : at+units] {
		if int(t) != units {
			return false
		}
	}
	clear(m.taken[at : at+units])
	return true
}

// Cell is the cell of a lane and a column, nil if it is not allocated.
func (m *TensorMemory) Cell(lane, column uint32) *uint32 {
	if lane >= TensorLanes || column >= TensorColumns || m.taken[column/TensorUnit] == 0 {
		return nil
	}
	return &m.cells[column][lane]
}
