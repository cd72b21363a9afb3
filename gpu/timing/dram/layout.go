package dram

import (
	"fmt"
	"math/bits"
	"strings"
)

// place is where an address lies in a channel.
type place struct {
	bank int // group * banks + bank of the group
	row  uint64
}

// layout takes addresses apart.
type layout struct {
	bank    []uint8 // bits of an address that number the bank, from its lowest
	row     uint    // lowest bit of the row
	columns uint64  // bits above it that are not the row's
	hashing int
}

// newLayout reads Config.Map for lines of line bytes.
func newLayout(c *Config, line int) (layout, error) {
	read := named
	if !strings.Contains(c.Map, ",") {
		read = lettered
	}
	l, err := read(c, line)
	if err != nil {
		return l, fmt.Errorf("address map %q: %w", c.Map, err)
	}
	if c.BankHash {
		l.hashing = c.Groups*c.Banks - 1
	}
	return l, nil
}

// named reads a map of whole fields: group, column, bank and row, from the line up.
func named(c *Config, line int) (l layout, err error) {
	widths := map[string]uint{"group": log(c.Groups), "bank": log(c.Banks), "column": log(max(c.Row/line, 1))}
	at := log(line)
	var group, bank []uint8
	for rest, name := c.Map, ""; rest != ""; {
		name, rest, _ = strings.Cut(rest, ",")
		width, known := widths[name]
		field := make([]uint8, width)
		for i := range field {
			field[i] = uint8(at) + uint8(i)
		}
		switch {
		case name == "row" && rest == "" && len(widths) == 0:
			l.bank, l.row = append(bank, group...), at
			return l, nil
		case !known:
			return l, fmt.Errorf("%q is no field, named twice or out of place", name)
		case name == "group":
			group = field
		case name == "bank":
			bank = field
		}
		delete(widths, name)
		at += width
	}
	return l, fmt.Errorf("it does not name group, column, bank and, last, row")
}

// lettered reads a map of bits, the highest first. Bits above are the row's.
func lettered(c *Config, _ int) (l layout, err error) {
	var group, bank []uint8
	columns, row := 0, -1
	for i := range len(c.Map) {
		at := len(c.Map) - 1 - i
		switch c.Map[at] {
		case 'C':
			columns++
			l.columns |= 1 << i
		case 'G':
			group = append(group, uint8(i))
			l.columns |= 1 << i
		case 'B':
			bank = append(bank, uint8(i))
			l.columns |= 1 << i
		case 'R':
			if row < 0 {
				row = i
			}
		default:
			return l, fmt.Errorf("%q is none of R, G, B, C", c.Map[at:at+1])
		}
	}
	switch {
	case len(c.Map) > 64 || row < 0:
		return l, fmt.Errorf("it has %d bits, or none of the row", len(c.Map))
	case 1<<columns != c.Row || 1<<len(group) != c.Groups || 1<<len(bank) != c.Banks:
		return l, fmt.Errorf("it has %d bits of %d groups, %d of %d banks and %d of rows of %d bytes", len(group), c.Groups, len(bank), c.Banks, columns, c.Row)
	}
	l.bank, l.row = append(bank, group...), uint(row)
	return l, nil
}

func log(n int) uint { return uint(bits.Len(uint(n)) - 1) }

// of finds the place of an address. It is one to one with the columns' bits.
func (l *layout) of(addr uint64) place {
	row := addr &^ l.columns >> l.row
	bank := 0
	for i, at := range l.bank {
		bank |= int(addr>>at&1) << i
	}
	return place{bank ^ int(row^row>>5)&l.hashing, row}
}
