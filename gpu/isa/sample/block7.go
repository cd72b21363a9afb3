package sample

import (
	"encoding/binary"
	"math/bits"
)

// sharpMode is how a block of BC7 is laid out, in bits.
type sharpMode struct {
	parts              int
	pattern            int
	rotation, selector int
	color, alpha       int
	own, shared        int // bits below those of an end, of each or of both of a part
	depth, further     int // of the codes, and of those of a second list
}

var sharpModes = [8]sharpMode{
	{parts: 3, pattern: 4, color: 4, own: 1, depth: 3},
	{parts: 2, pattern: 6, color: 6, shared: 1, depth: 3},
	{parts: 3, pattern: 6, color: 5, depth: 2},
	{parts: 2, pattern: 6, color: 7, own: 1, depth: 2},
	{parts: 1, rotation: 2, selector: 1, color: 5, alpha: 6, depth: 2, further: 3},
	{parts: 1, rotation: 2, color: 7, alpha: 8, depth: 2, further: 2},
	{parts: 1, color: 7, alpha: 7, own: 1, depth: 4},
	{parts: 2, pattern: 6, color: 5, alpha: 5, own: 1, depth: 2},
}

// sharpColors is element i of a block of BC7; of the mode that there is not, zeros.
func sharpColors(b []byte, i int) (v Texel) {
	if b[0] == 0 {
		return v
	}
	in := bitsOf(b)
	number := bits.TrailingZeros8(b[0])
	in.take(number + 1)
	m := &sharpModes[number]
	pattern := int(in.take(m.pattern))
	rotation, selector := in.take(m.rotation), in.take(m.selector)
	ends := m.ends(&in)
	part, code := in.code(pattern, m.parts, m.depth, i)
	weight, further := weightsOf(m.depth)[code], weightsOf(m.depth)[code]
	if m.further > 0 {
		in.take(16*m.depth - 1)
		_, code = in.code(pattern, 1, m.further, i)
		if further = weightsOf(m.further)[code]; selector == 1 {
			weight, further = further, weight
		}
	}
	for c := range v {
		w := weight
		if c == 3 {
			w = further
		}
		v[c] = ((64-w)*ends[2*part][c] + w*ends[2*part+1][c] + 32) >> 6
	}
	if rotation > 0 {
		v[3], v[rotation-1] = v[rotation-1], v[3]
	}
	return v
}

// ends are the two ends of each part, of eight bits.
func (m *sharpMode) ends(in *bitList) (e [6]Texel) {
	n := 2 * m.parts
	for c := range 4 {
		depth := m.color
		if c == 3 {
			depth = m.alpha
		}
		for i := range n {
			e[i][c] = uint32(in.take(depth))
		}
	}
	low := 0
	for i := range n {
		if m.own > 0 || m.shared > 0 && i%2 == 0 {
			low = int(in.take(1))
		}
		for c := range 4 {
			depth := m.color
			if c == 3 {
				depth = m.alpha
			}
			if depth == 0 {
				e[i][c] = 255
				continue
			}
			if m.own+m.shared > 0 {
				e[i][c] = e[i][c]<<1 | uint32(low)
				depth++
			}
			e[i][c] = e[i][c]<<(8-depth) | e[i][c]>>(2*depth-8)
		}
	}
	return e
}

// bitList is the bits of a block, the lowest first.
type bitList struct{ low, high uint64 }

func bitsOf(b []byte) bitList {
	return bitList{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// take removes bits, at most 63.
func (l *bitList) take(n int) uint64 {
	v := l.low & (1<<n - 1)
	l.low, l.high = l.low>>n|l.high<<1<<(63-n), l.high>>n
	return v
}

// code is the part that element i belongs to and its code. The first element of each
// part, by a rule of its own, has one bit less.
func (l bitList) code(pattern, parts, depth, i int) (part int, code uint64) {
	firsts := [3]int{}
	switch parts {
	case 2:
		firsts = [3]int{0, int(secondOfTwo[pattern]), 0}
		part = int(twoParts[pattern] >> i & 1)
	case 3:
		firsts = [3]int{0, int(secondOfThree[pattern]), int(thirdOfThree[pattern])}
		part = int(threeParts[pattern] >> (2 * i) & 3)
	}
	for element := range 16 {
		n := depth
		for _, first := range firsts[:parts] {
			if element == first {
				n = depth - 1
			}
		}
		if code = l.take(n); element == i {
			break
		}
	}
	return part, code
}

// weightsOf are the shares of the second end in what codes of some bits stand for, of
// 64.
func weightsOf(depth int) []uint32 {
	switch depth {
	case 2:
		return []uint32{0, 21, 43, 64}
	case 3:
		return []uint32{0, 9, 18, 27, 37, 46, 55, 64}
	}
	return []uint32{0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}
}
