package fuzz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Records are the files in testdata with what a card made of kernels, and the seed
// that each begins with.
var Records = []struct {
	Name  string
	First uint64
}{{"h200.kernels", 0}, {"h200.wide.kernels", Wide}, {"h200.joint.kernels", Joint}}

// Index is the place of a seed in its record.
func Index(seed uint64) uint64 {
	first := uint64(0)
	for _, r := range Records {
		if r.First <= seed {
			first = r.First
		}
	}
	return seed - first
}

// Record is what a card made of the kernels of some seeds that follow one another: of
// each the lower halves of the hash of its text and of the memory after it.
type Record struct {
	Card    string
	Kernels []Entry
}

// Entry is the record of one seed.
type Entry struct{ Text, Result uint32 }

// Bytes is the record as a file holds it.
func (r *Record) Bytes() []byte {
	b := binary.AppendUvarint(nil, uint64(len(r.Card)))
	b = append(b, r.Card...)
	for _, e := range r.Kernels {
		b = binary.LittleEndian.AppendUint32(b, e.Text)
		b = binary.LittleEndian.AppendUint32(b, e.Result)
	}
	return b
}

var errShort = errors.New("the record ends too early")

// ReadRecord reads what Bytes wrote.
func ReadRecord(b []byte) (*Record, error) {
	n, head := binary.Uvarint(b)
	if head <= 0 || n > uint64(len(b)-head) {
		return nil, errShort
	}
	r := &Record{Card: string(b[head:][:n])}
	if b = b[head+int(n):]; len(b)%8 != 0 {
		return nil, fmt.Errorf("read kernel %d: %w", len(b)/8, errShort)
	}
	for ; len(b) > 0; b = b[8:] {
		r.Kernels = append(r.Kernels, Entry{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])})
	}
	return r, nil
}

// Difference says why a card gives another result of a kernel than the engine.
type Difference struct {
	Levels string // of optimisation at which it does: "-O3" or "-O3,-O0"
	Why    string
}

// OnlyOptimised reports a difference that is gone without optimisation.
func (d Difference) OnlyOptimised() bool { return d.Levels == "-O3" }

// ReadDifferences reads a list like testdata/different.txt: a seed, levels and
// the reason on each line.
func ReadDifferences(text string) (map[uint64]Difference, error) {
	list := map[uint64]Difference{}
	for line := range strings.Lines(text) {
		seed, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		levels, why, ok := strings.Cut(rest, " ")
		n, err := strconv.ParseUint(seed, 10, 64)
		if !ok || err != nil || levels != "-O3" && levels != "-O3,-O0" {
			return nil, fmt.Errorf("read differences: %q has no seed, levels and reason", strings.TrimSpace(line))
		}
		list[n] = Difference{levels, why}
	}
	return list, nil
}
