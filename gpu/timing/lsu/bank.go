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
		shift := partShift(accesses[at].Bytes)
		end := partEnd(accesses, at, shift)
		n := s.degree(b, accesses[at:end], atomic)
		if s.Merge && 1<<shift < isa.WarpSize && !atomic && !accesses[at].Write && end < len(accesses) {
			both := partEnd(accesses, end, shift)
			if m := s.degree(b, accesses[at:both], false); m <= max(n, s.degree(b, accesses[end:both], false)) {
				n, end = m, both
			}
		}
		total += n
		at = end
	}
	return max(total, 1)
}

// partShift is the binary logarithm of the number of lanes that are served together.
func partShift(bytes uint8) uint {
	switch {
	case bytes > 8:
		return 3
	case bytes > 4:
		return 4
	}
	return 5
}

// partEnd is the end of the part that begins at access i.
func partEnd(accesses []isa.Access, i int, shift uint) int {
	part := accesses[i].Lane >> shift
	for i < len(accesses) && accesses[i].Lane>>shift == part {
		i++
	}
	return i
}

// banks is what a part wants of each bank.
type banks struct {
	count [maxBanks]uint16
	words [2 * maxBanks][maxBanks]uint32 // the first of all banks, the second of all, and so on
}

// degree is the largest number of different words that one bank must deliver, or
// of operations if they take turns.
func (s *Shared) degree(b *banks, part []isa.Access, atomic bool) int {
	clear(b.count[:])
	most := uint16(0)
	for i := range part {
		first := uint32(part[i].Addr) / wordBytes
		last := (uint32(part[i].Addr) + uint32(part[i].Bytes) - 1) / wordBytes
		for word := first; word <= last; word++ {
			n := word & uint32(s.Banks-1)
			if !atomic && b.has(n, word) {
				continue
			}
			if k := b.count[n]; int(k) < len(b.words) {
				b.words[k][n] = word
			}
			b.count[n]++
			most = max(most, b.count[n])
		}
	}
	return int(most)
}

// has reports that a bank delivers a word already.
func (b *banks) has(n, word uint32) bool {
	for i := range min(int(b.count[n]), len(b.words)) {
		if b.words[i][n] == word {
			return true
		}
	}
	return false
}
