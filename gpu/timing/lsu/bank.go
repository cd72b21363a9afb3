package lsu

import "github.com/lockstep-sim/lockstep/gpu/isa"

const (
	wordBytes = 4
	maxBanks  = 32
)

// passes counts the passes that a warp's accesses need through the banks of
// shared memory. Wide accesses go in parts: 64 bits by half-warps, 128 bits by
// quarters. Within a part a bank delivers one word a pass to all who want it.
// Lanes of an atomic operation on one word take turns.
func (s *Shared) passes(b *banks, accesses []isa.Access, atomic bool) int {
	total, at := 0, 0
	for at < len(accesses) {
		lanes := lanesOfPart(accesses[at].Bytes)
		end := partEnd(accesses, at, lanes)
		n := s.degree(b, accesses[at:end], atomic)
		if s.Merge && lanes < isa.WarpSize && !atomic && !accesses[at].Write && end < len(accesses) {
			both := partEnd(accesses, end, lanes)
			if m := s.degree(b, accesses[at:both], false); m <= max(n, s.degree(b, accesses[end:both], false)) {
				n, end = m, both
			}
		}
		total += n
		at = end
	}
	return max(total, 1)
}

// lanesOfPart is the number of lanes that are served together.
func lanesOfPart(bytes uint8) int {
	switch {
	case bytes > 8:
		return isa.WarpSize / 4
	case bytes > 4:
		return isa.WarpSize / 2
	}
	return isa.WarpSize
}

// partEnd is the end of the part that begins at access i.
func partEnd(accesses []isa.Access, i, lanes int) int {
	part := int(accesses[i].Lane) / lanes
	for i < len(accesses) && int(accesses[i].Lane)/lanes == part {
		i++
	}
	return i
}

// banks is what a part wants of each bank.
type banks struct {
	count [maxBanks]int
	words [maxBanks][2 * maxBanks]uint32
}

// degree is the largest number of different words that one bank must deliver, or
// of operations if they take turns.
func (s *Shared) degree(b *banks, part []isa.Access, atomic bool) int {
	clear(b.count[:])
	most := 0
	for i := range part {
		first := uint32(part[i].Addr) / wordBytes
		last := (uint32(part[i].Addr) + uint32(part[i].Bytes) - 1) / wordBytes
		for word := first; word <= last; word++ {
			n := word & uint32(s.Banks-1)
			if !atomic && b.has(n, word) {
				continue
			}
			if b.count[n] < len(b.words[n]) {
				b.words[n][b.count[n]] = word
			}
			b.count[n]++
			most = max(most, b.count[n])
		}
	}
	return most
}

// has reports that a bank delivers a word already.
func (b *banks) has(n, word uint32) bool {
	words := &b.words[n]
	for i := range min(b.count[n], len(words)) {
		if words[i] == word {
			return true
		}
	}
	return false
}
