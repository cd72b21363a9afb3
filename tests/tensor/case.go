package tensor

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

// Case is one copy.
type Case struct {
	Name    string
	Kernel  string
	Im2col  bool // how the map is encoded
	NoMap   bool
	Request tensormap.Request // Address is the distance from the tensor's buffer

	Coord  [5]int32
	Offset [3]uint16
	Place  uint32 // distance of the copy in shared memory, in bytes
	Expect uint32 // bytes of the copy
	Dump   uint32 // bytes of shared memory that are written first, and kept of a load
}

const (
	// SourceBytes is the size of the buffer that loads read a tensor from and
	// stores fill shared memory from, TargetBytes of the one that stores write.
	SourceBytes = 1 << 18
	TargetBytes = 1 << 17
)

// Store reports a case whose result is the target buffer.
func (c *Case) Store() bool {
	return !strings.HasPrefix(c.Kernel, "load_") && !strings.HasPrefix(c.Kernel, "bulk_shared_")
}

// ResultBytes is the length of the result.
func (c *Case) ResultBytes() int {
	switch {
	case c.Kernel == EncodeOnly:
		return 0
	case c.Store():
		return TargetBytes
	}
	return c.CTAs() * (StatusBytes + int(c.Dump))
}

// CTAs is the number of CTAs that copy or are copied to.
func (c *Case) CTAs() int {
	if strings.Contains(c.Kernel, "_cast") {
		return 2
	}
	return 1
}

// Pattern is what a buffer of n bytes holds at first: each word a number of its
// own. seed is 1 for sources and 2 for targets.
func Pattern(seed uint32, n int) []byte {
	b := make([]byte, n)
	for i := range n / 4 {
		x := (uint32(i) + seed<<20) * 0x9e3779b1
		x ^= x >> 15
		x *= 0x85ebca77
		x ^= x >> 13
		binary.LittleEndian.PutUint32(b[4*i:], x)
	}
	return b
}

// Digest stands for a result in the record.
func Digest(result []byte) string {
	if len(result) == 0 {
		return "-"
	}
	sum := sha256.Sum256(result)
	return hex.EncodeToString(sum[:12])
}

// Line is the case in words for the program that runs it on a card: kernel,
// encoding, the request's fields, the parameter's words.
func (c *Case) Line() string {
	r := &c.Request
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %d %d %d %d", c.Name, c.Kernel, mode(c), r.Type, r.Rank, r.Address)
	list := func(n int, at func(i int) any, have int) {
		for i := range n {
			if i < have {
				fmt.Fprintf(&b, " %v", at(i))
			} else {
				b.WriteString(" 0")
			}
		}
	}
	list(5, func(i int) any { return r.Dims[i] }, len(r.Dims))
	list(4, func(i int) any { return r.Strides[i] }, len(r.Strides))
	list(5, func(i int) any { return r.Box[i] }, len(r.Box))
	list(5, func(i int) any { return r.Steps[i] }, len(r.Steps))
	list(3, func(i int) any { return r.Lower[i] }, len(r.Lower))
	list(3, func(i int) any { return r.Upper[i] }, len(r.Upper))
	fmt.Fprintf(&b, " %d %d %d %d %d %d", r.Channels, r.Pixels, r.Interleave, r.Swizzle, r.Promotion, r.Fill)
	for _, v := range c.Coord {
		fmt.Fprintf(&b, " %d", v)
	}
	for _, v := range c.Offset {
		fmt.Fprintf(&b, " %d", v)
	}
	fmt.Fprintf(&b, " %d %d %d", c.Place, c.Expect, c.Dump)
	return b.String()
}

func mode(c *Case) int {
	switch {
	case c.NoMap:
		return 0
	case c.Im2col:
		return 2
	}
	return 1
}

// Param is the kernel's parameter; object is the address of the tensor map.
func (c *Case) Param(object, out, source uint64) []byte {
	p := make([]byte, ParamBytes)
	binary.LittleEndian.PutUint64(p[atMap:], object)
	binary.LittleEndian.PutUint64(p[atOut:], out)
	binary.LittleEndian.PutUint64(p[atSource:], source)
	word := func(i int, v uint32) { binary.LittleEndian.PutUint32(p[atWords+4*i:], v) }
	for i, v := range c.Coord {
		word(wordCoord+i, uint32(v))
	}
	for i, v := range c.Offset {
		word(wordOffset+i, uint32(v))
	}
	word(wordPlace, c.Place)
	word(wordExpect, c.Expect)
	word(wordDump, c.Dump)
	return p
}
