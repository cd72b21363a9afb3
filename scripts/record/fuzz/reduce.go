package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/lockstep-sim/lockstep/tests/fuzz"
)

// difference is a kernel whose results differ at a level of optimisation.
type difference struct {
	kernel *fuzz.Kernel
	level  string
}

// reduceAll reduces the kernels that a file lists, small ones first.
func (s *session) reduceAll(list string) error {
	b, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var all []difference
	for line := range strings.Lines(string(b)) {
		var d difference
		var seed uint64
		if _, err := fmt.Sscan(line, &seed, &d.level); err != nil {
			return fmt.Errorf("%s: %s: %w", list, line, err)
		}
		d.kernel = fuzz.Generate(seed)
		all = append(all, d)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].kernel.Statements < all[j].kernel.Statements })
	each(s, all, func(worker int, d difference) {
		if err := s.reduce(worker, d); err != nil {
			fmt.Printf("reduce %s %s: %v\n", d.kernel.Name, d.level, err)
		}
	})
	return nil
}

// reducePatience is the time that one kernel may take.
const reducePatience = 25 * time.Second

// reduce writes down a kernel whose results differ, as small as it becomes in
// the time that is left, and beside it what the card made of its memory.
func (s *session) reduce(worker int, d difference) error {
	until := time.Now().Add(reducePatience)
	if s.until.Before(until) {
		until = s.until
	}
	statements := d.kernel.Statements
	without := map[int]bool{}
	shrink(until, statements, func(from, to int) {
		more := maps.Clone(without)
		for n := from; n < to; n++ {
			more[n] = true
		}
		if len(more) > len(without) && s.differs(worker, fuzz.Without(d.kernel.Seed, more), d.level) {
			without = more
		}
	})
	k := fuzz.Without(d.kernel.Seed, without)
	for before := ""; before != k.Text && time.Now().Before(until); {
		before = k.Text
		lines := newListing(k.Text)
		shrink(until, len(lines.lines), func(from, to int) {
			left, some := lines.leave(from, to)
			less := *k
			less.Text = left.String()
			if some && s.differs(worker, &less, d.level) {
				lines, k = left, &less
			}
		})
	}
	got, want, err := s.results(worker, k, d.level)
	what := ""
	if err != nil {
		what = fmt.Sprintf("// %v\n", err)
	} else {
		what = k.Differences(got, want)
	}
	body := fmt.Sprintf("// seed %d %s: %d of %d statements are left\n// %s\n%s\n%s", k.Seed, d.level, statements-len(without), statements, launch(k), what, k.Text)
	name := filepath.Join(s.dir, fmt.Sprintf("%d%s", k.Seed, d.level))
	return errors.Join(os.WriteFile(name+".ptx", []byte(body), 0o644), os.WriteFile(name+".memory", want, 0o644))
}

// shrink asks for ranges of n things to be left out, from long to short ones and from the
// end, as what reads a value comes after what makes it.
func shrink(until time.Time, n int, leaveOut func(from, to int)) {
	for step := (n + 1) / 2; step > 0; step /= 2 {
		for end := n; end > 0 && time.Now().Before(until); end -= step {
			leaveOut(max(end-step, 0), end)
		}
	}
}

// differs reports a kernel that fails or gives other results at a level of
// optimisation and, so that nothing undefined is taken for a difference, not
// without optimisation if it did not before.
func (s *session) differs(worker int, k *fuzz.Kernel, level string) bool {
	got, want, err := s.results(worker, k, level)
	if err == nil && bytes.Equal(got, want) || err != nil && !errors.As(err, &cardError{}) {
		return false
	}
	if level == "-O0" {
		return true
	}
	got, want, err = s.results(worker, k, "-O0")
	return err == nil && bytes.Equal(got, want)
}

// cardError is what a kernel ends with on the card.
type cardError struct{ error }

// results are the engine's and the card's.
func (s *session) results(worker int, k *fuzz.Kernel, level string) (got, want []byte, err error) {
	kernels := []*fuzz.Kernel{k}
	e, err := fuzz.NewEngine(kernels, engineMode(level))
	if err != nil {
		return nil, nil, err
	}
	defer e.Close()
	if got, err = e.Run(k); err != nil {
		return nil, nil, err
	}
	cubin, err := s.card.compile(worker, kernels, level)
	if err != nil {
		return nil, nil, err
	}
	s.card.run(cubin, kernels, func(_ *fuzz.Kernel, memory []byte, failure error) {
		if want = memory; failure != nil {
			err = cardError{failure}
		}
	})
	return got, want, err
}
