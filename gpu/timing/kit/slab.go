package kit

// Slab holds records that are named by index and recycled. A record keeps its
// content when it is freed, so that slices inside it keep their room.
type Slab[T any] struct {
	records []T
	free    []int32
}

// New returns the index of a record that nobody uses, last freed first. At
// pointers taken before may then point to a stale copy.
func (s *Slab[T]) New() int32 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		return i
	}
	var zero T
	s.records = append(s.records, zero)
	return int32(len(s.records) - 1)
}

// At is record i.
func (s *Slab[T]) At(i int32) *T { return &s.records[i] }

// Free gives record i back.
func (s *Slab[T]) Free(i int32) { s.free = append(s.free, i) }

// Used is the number of records in use.
func (s *Slab[T]) Used() int { return len(s.records) - len(s.free) }
