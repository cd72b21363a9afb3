package vectors

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Operands are the source words of a form: source s of thread i is word
// s*Threads+i.
func (f *Form) Operands() []byte {
	words := make([]uint64, len(f.Sources)*f.words())
	switch {
	case f.Pool:
		f.fillPools(words)
	case f.Edge:
		f.fillEdges(words)
	case len(f.Sources) == 1 && f.Threads == 1<<16:
		for i := range words {
			words[i] = uint64(i)
		}
	default:
		f.fill(words)
	}
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// words is the number of words of each source.
func (f *Form) words() int {
	if f.Pool {
		return poolWords
	}
	return f.Threads
}

// SetName names the operands: forms of one name have the same.
func (f *Form) SetName() string {
	var names []string
	for _, k := range f.Sources {
		names = append(names, string(k))
	}
	if f.Pool {
		names = append(names, "pool")
	}
	if f.Edge {
		names = append(names, "edge")
	}
	return strings.Join(append(names, strconv.Itoa(f.words())), "-")
}

// crossed is how many specials of each of two sources are paired, every one
// with every other.
const crossed = 36

// fill draws operands: specials first, crossed if two sources have few enough,
// then random ones.
func (f *Form) fill(words []uint64) {
	r := newRandom(f.SetName())
	specials := make([][]uint64, len(f.Sources))
	for s, k := range f.Sources {
		specials[s] = k.specials()
	}
	for i := range f.Threads {
		centre := (r.below(3) - 1) * r.below(12)
		if r.below(3) == 0 {
			centre = wild
		}
		for s, k := range f.Sources {
			w := &words[s*f.Threads+i]
			switch n := len(specials[s]); {
			case len(f.Sources) == 1 && i < n:
				*w = specials[s][i]
			case len(f.Sources) == 2 && i < crossed*crossed && f.Threads >= 2*1024:
				*w = specials[s][[2]int{i / crossed, i % crossed}[s]%n]
			case i < f.Threads/2:
				*w = r.pick(specials[s])
			default:
				*w = k.random(r, centre)
			}
			if k == Members {
				*w = f.member(r, words[s*f.Threads:], i)
			}
		}
	}
}

// member draws a word that most lanes of a warp have in common.
func (f *Form) member(r *random, words []uint64, i int) uint64 {
	if i%32 == 0 || r.below(200) == 0 {
		return r.pick(Members.specials())
	}
	return words[i-1]
}
