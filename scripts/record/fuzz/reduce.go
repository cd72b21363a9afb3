package main

import (
	"bytes"
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

// reduce writes down a kernel whose results differ, as small as it becomes in
// the time that is left.
func (s *session) reduce(worker int, d difference) error {
	k, without := d.kernel, map[int]bool{}
	for step := (k.Statements + 1) / 2; step > 0; step /= 2 {
		for at := 0; at < k.Statements && time.Now().Before(s.until); at += step {
			more := maps.Clone(without)
			for n := at; n < min(at+step, k.Statements); n++ {
				more[n] = true
			}
			if len(more) == len(without) {
				continue
			}
			if _, text, err := s.compare(worker, k.Seed, more, d.level); err == nil && text != "" {
				without = more
			}
		}
	}
	small, text, err := s.compare(worker, k.Seed, without, d.level)
	if err != nil {
		return err
	}
	body := fmt.Sprintf("// seed %d %s: %d of %d statements are left\n%s\n%s", k.Seed, d.level, k.Statements-len(without), k.Statements, text, small.Text)
	return os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("%d%s.ptx", k.Seed, d.level)), []byte(body), 0o644)
}

// compare runs a kernel without some statements on the card and in the engine
// and describes the differences; "" if there are none.
func (s *session) compare(worker int, seed uint64, without map[int]bool, level string) (*fuzz.Kernel, string, error) {
	k := fuzz.Without(seed, without)
	kernels := []*fuzz.Kernel{k}
	cubin, err := s.card.compile(worker, kernels, level)
	if err != nil {
		return k, "", err
	}
	e, err := fuzz.NewEngine(kernels, engineMode(level))
	if err != nil {
		return k, "", err
	}
	defer e.Close()
	got, err := e.Run(k)
	if err != nil {
		return k, "", err
	}
	text := ""
	s.card.run(cubin, kernels, func(k *fuzz.Kernel, want []byte, failure error) {
		if err = failure; err == nil && !bytes.Equal(got, want) {
			text = k.Differences(got, want)
		}
	})
	return k, text, err
}
