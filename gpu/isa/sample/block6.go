package sample

// The numbers of a block of BC6: channels of a first color and of three others that
// are differences to it.
const (
	rw = iota
	rx
	ry
	rz
	gw
	gx
	gy
	gz
	bw
	bx
	by
	bz
)

// run is some bits of a number, from a low one on.
type run struct{ number, low, n int8 }

// deepMode is how a block of BC6 is laid out: bits of the first color, of the
// differences of each channel, and where they lie behind the mode.
type deepMode struct {
	bits   int
	deltas [3]int
	whole  bool // the others are no differences
	single bool // one part, two colors
	runs   []run
}

// deepModes are the modes by their number.
var deepModes = map[uint64]*deepMode{
	0:  {10, [3]int{5, 5, 5}, false, false, []run{{gy, 4, 1}, {by, 4, 1}, {bz, 4, 1}, {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}},
	1:  {7, [3]int{6, 6, 6}, false, false, []run{{gy, 5, 1}, {gz, 4, 2}, {rw, 0, 7}, {bz, 0, 2}, {by, 4, 1}, {gw, 0, 7}, {by, 5, 1}, {bz, 2, 1}, {gy, 4, 1}, {bw, 0, 7}, {bz, 3, 1}, {bz, 5, 1}, {bz, 4, 1}, {rx, 0, 6}, {gy, 0, 4}, {gx, 0, 6}, {gz, 0, 4}, {bx, 0, 6}, {by, 0, 4}, {ry, 0, 6}, {rz, 0, 6}}},
	2:  {11, [3]int{5, 4, 4}, false, false, []run{{rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 5}, {rw, 10, 1}, {gy, 0, 4}, {gx, 0, 4}, {gw, 10, 1}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 4}, {bw, 10, 1}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}},
	6:  {11, [3]int{4, 5, 4}, false, false, []run{{rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 4}, {rw, 10, 1}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 5}, {gw, 10, 1}, {gz, 0, 4}, {bx, 0, 4}, {bw, 10, 1}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 4}, {bz, 0, 1}, {bz, 2, 1}, {rz, 0, 4}, {gy, 4, 1}, {bz, 3, 1}}},
	10: {11, [3]int{4, 4, 5}, false, false, []run{{rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 4}, {rw, 10, 1}, {by, 4, 1}, {gy, 0, 4}, {gx, 0, 4}, {gw, 10, 1}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bw, 10, 1}, {by, 0, 4}, {ry, 0, 4}, {bz, 1, 2}, {rz, 0, 4}, {bz, 4, 1}, {bz, 3, 1}}},
	14: {9, [3]int{5, 5, 5}, false, false, []run{{rw, 0, 9}, {by, 4, 1}, {gw, 0, 9}, {gy, 4, 1}, {bw, 0, 9}, {bz, 4, 1}, {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}},
	18: {8, [3]int{6, 5, 5}, false, false, []run{{rw, 0, 8}, {gz, 4, 1}, {by, 4, 1}, {gw, 0, 8}, {bz, 2, 1}, {gy, 4, 1}, {bw, 0, 8}, {bz, 3, 2}, {rx, 0, 6}, {gy, 0, 4}, {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 6}, {rz, 0, 6}}},
	22: {8, [3]int{5, 6, 5}, false, false, []run{{rw, 0, 8}, {bz, 0, 1}, {by, 4, 1}, {gw, 0, 8}, {gy, 5, 1}, {gy, 4, 1}, {bw, 0, 8}, {gz, 5, 1}, {bz, 4, 1}, {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 6}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}},
	26: {8, [3]int{5, 5, 6}, false, false, []run{{rw, 0, 8}, {bz, 1, 1}, {by, 4, 1}, {gw, 0, 8}, {by, 5, 1}, {gy, 4, 1}, {bw, 0, 8}, {bz, 5, 1}, {bz, 4, 1}, {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 6}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}},
	30: {6, [3]int{6, 6, 6}, true, false, []run{{rw, 0, 6}, {gz, 4, 1}, {bz, 0, 2}, {by, 4, 1}, {gw, 0, 6}, {gy, 5, 1}, {by, 5, 1}, {bz, 2, 1}, {gy, 4, 1}, {bw, 0, 6}, {gz, 5, 1}, {bz, 3, 1}, {bz, 5, 1}, {bz, 4, 1}, {rx, 0, 6}, {gy, 0, 4}, {gx, 0, 6}, {gz, 0, 4}, {bx, 0, 6}, {by, 0, 4}, {ry, 0, 6}, {rz, 0, 6}}},
	3:  {10, [3]int{10, 10, 10}, true, true, []run{{rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 10}, {gx, 0, 10}, {bx, 0, 10}}},
	7:  {11, [3]int{9, 9, 9}, false, true, []run{{rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 9}, {rw, 10, 1}, {gx, 0, 9}, {gw, 10, 1}, {bx, 0, 9}, {bw, 10, 1}}},
	11: {12, [3]int{8, 8, 8}, false, true, []run{{rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 8}, {rw, 11, 1}, {rw, 10, 1}, {gx, 0, 8}, {gw, 11, 1}, {gw, 10, 1}, {bx, 0, 8}, {bw, 11, 1}, {bw, 10, 1}}},
	15: {16, [3]int{4, 4, 4}, false, true, []run{{rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 4}, {rw, 15, 1}, {rw, 14, 1}, {rw, 13, 1}, {rw, 12, 1}, {rw, 11, 1}, {rw, 10, 1}, {gx, 0, 4}, {gw, 15, 1}, {gw, 14, 1}, {gw, 13, 1}, {gw, 12, 1}, {gw, 11, 1}, {gw, 10, 1}, {bx, 0, 4}, {bw, 15, 1}, {bw, 14, 1}, {bw, 13, 1}, {bw, 12, 1}, {bw, 11, 1}, {bw, 10, 1}}},
}

// deepColors is element i of a block of BC6: three halves, with a sign or without,
// and nothing of the modes that there are not.
func deepColors(b []byte, i int, signed bool) (v Texel) {
	in := bitsOf(b)
	number := in.take(2)
	if number >= 2 {
		number |= in.take(3) << 2
	}
	mode := deepModes[number]
	if mode == nil {
		return v
	}
	var numbers [12]int32
	for _, r := range mode.runs {
		numbers[r.number] |= int32(in.take(int(r.n))) << r.low
	}
	pattern, parts, depth := -1, 1, 4
	if !mode.single {
		pattern, parts, depth = int(in.take(5)), 2, 3
	}
	part, code := in.code(pattern, parts, depth, i)
	weight := int32(weightsOf(depth)[code])
	for c := range 3 {
		ends := mode.ends((*[4]int32)(numbers[4*c:]), mode.deltas[c], signed)
		v[c] = halfOf(((64-weight)*ends[2*part]+weight*ends[2*part+1]+32)>>6, signed)
	}
	return v
}

// ends are the four numbers of a channel, on the scale of 16 bits.
func (m *deepMode) ends(x *[4]int32, delta int, signed bool) (e [4]int32) {
	extend := func(v int32, bits int) int32 { return v << (32 - bits) >> (32 - bits) }
	e = *x
	if signed {
		e[0] = extend(e[0], m.bits)
	}
	for i := 1; i < 4; i++ {
		if signed || !m.whole {
			e[i] = extend(e[i], delta)
		}
		if !m.whole {
			e[i] = (e[i] + x[0]) & (1<<m.bits - 1)
			if signed {
				e[i] = extend(e[i], m.bits)
			}
		}
	}
	for i := range e {
		e[i] = m.scaled(e[i], signed)
	}
	return e
}

// scaled makes 16 bits of a number, or 15 and a sign.
func (m *deepMode) scaled(x int32, signed bool) int32 {
	switch {
	case !signed && m.bits >= 15, signed && m.bits >= 16, x == 0:
		return x
	case !signed && x == 1<<m.bits-1:
		return 0xffff
	case !signed:
		return (x<<16 + 0x8000) >> m.bits
	case x < 0:
		return -m.scaled(-x, true)
	case x >= 1<<(m.bits-1)-1:
		return 0x7fff
	}
	return (x<<15 + 0x4000) >> (m.bits - 1)
}

// halfOf is the half that a number on the scale of 16 bits stands for.
func halfOf(x int32, signed bool) uint32 {
	switch {
	case !signed:
		return uint32(x * 31 >> 6)
	case x < 0 && -x*31>>5 > 0:
		return 0x8000 | uint32(-x*31>>5)
	}
	return uint32(max(0, x) * 31 >> 5)
}
