package sm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Prefetcher chooses the lines of code that a sub-core asks for ahead of its warps.
// They wait in a buffer that gives them up in the order in which they were asked for
// and is emptied by a miss of which it does not have the line first.
type Prefetcher interface {
	// Line is the line to ask for as number n, from 0, after a miss of line missed;
	// false for no more. It is put off while L0 has it or it is on its way.
	Line(missed uint64, n int) (line uint64, ok bool)
}

// prefetchers are the registered policies, by name.
var prefetchers = map[string]Prefetcher{}

// RegisterPrefetcher adds a policy under a name. It is called from init functions.
func RegisterPrefetcher(name string, p Prefetcher) { prefetchers[name] = p }

// Prefetchers lists the registered names.
func Prefetchers() []string { return slices.Sorted(maps.Keys(prefetchers)) }

// newPrefetcher is the policy that a configuration names.
func newPrefetcher(c *Config) (Prefetcher, error) {
	p := prefetchers[c.Front.Prefetch]
	if p == nil {
		return nil, fmt.Errorf("unknown prefetcher of code %q; there are %s", c.Front.Prefetch, strings.Join(Prefetchers(), ", "))
	}
	return p, nil
}

// ahead is the lines that a prefetcher has asked for.
type ahead struct {
	policy Prefetcher
	lines  []aheadLine // ring
	first  int
	n      int
	missed uint64 // line of the miss that emptied the buffer
	asked  int    // lines asked for since
	eager  bool   // there may be more to ask for
}

type aheadLine struct {
	line    uint64
	here    bool
	waiters uint32
}

func (t *ahead) at(i int) *aheadLine {
	if i += t.first; i >= len(t.lines) {
		i -= len(t.lines)
	}
	return &t.lines[i]
}

func (t *ahead) head() *aheadLine {
	if t.n == 0 {
		return nil
	}
	return t.at(0)
}

func (t *ahead) pop() *aheadLine {
	e := t.at(0)
	if t.first++; t.first == len(t.lines) {
		t.first = 0
	}
	t.n--
	t.eager = true
	return e
}

func (t *ahead) find(line uint64) *aheadLine {
	for i := range t.n {
		if e := t.at(i); e.line == line && !e.here {
			return e
		}
	}
	return nil
}

// restart empties the buffer after a miss.
func (t *ahead) restart(missed uint64) {
	t.first, t.n, t.missed, t.asked = 0, 0, missed, 0
	t.eager = len(t.lines) > 0
}

func (t *ahead) forget(set uint32) {
	for i := range t.n {
		t.at(i).waiters &^= set
	}
}

// prefetch asks for the next line that the policy names, if there is room.
func (s *subCore) prefetch(now kit.Cycle) {
	f := &s.front
	t := &f.ahead
	if t.n == len(t.lines) {
		t.eager = false
		return
	}
	line, more := t.policy.Line(t.missed, t.asked)
	if !more || f.l0.holds(line) || slices.ContainsFunc(f.misses, func(m miss) bool { return m.line == line }) {
		t.eager = false
		return
	}
	*t.at(t.n) = aheadLine{line: line}
	t.n++
	t.asked++
	s.sm.stats.Front.Prefetches++
	s.sm.request(now, line*uint64(s.sm.cfg.Front.Line), client(clientCode, s.index))
}
