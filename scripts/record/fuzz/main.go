// Fuzz runs seeds of package tests/fuzz on a card and compares with the engine.
//
//	fuzz run RUNNER DIR SECONDS LEVELS SEEDS...   on the machine with the card
//	fuzz reduce RUNNER DIR SECONDS DIFFER         there too: what differed
//	fuzz file CARD RECORD DIFFERENT HASHES...     what came back, into a record
//	fuzz compare HASHES...                        the lines of what came back that the engine does not agree with
//	fuzz text OPERANDS SEEDS...                   a module, each kernel after its launch, and its operands
//	fuzz forms LIST                               the list of forms that kernels are made of, anew
//
// LEVELS are levels of optimisation, "-O3,-O0"; SEEDS are numbers and ranges, 13 and
// 7500-7999. The first writes DIR/hashes, a line for each seed and level of optimisation
// with the hash of the card's result, and DIR/differ, the lines of those whose
// results the engine does not have or that fail. The second writes DIR/SEED-LEVEL.ptx for as
// many of these as there is time for: what is left of the kernel when all
// statements, and then lines, are left out that the difference does not need, and
// DIR/SEED-LEVEL.memory, what the card made of it. RUNNER is
// runner.cu, built by nvcc; ptxas must be in PATH.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstep-sim/lockstep/tests/fuzz"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 6 && args[0] == "run":
		s, err := newSession(args[1], args[2], args[3])
		if err != nil {
			return err
		}
		defer s.card.close()
		return s.seeds(strings.Split(args[4], ","), args[5:])
	case len(args) == 5 && args[0] == "reduce":
		s, err := newSession(args[1], args[2], args[3])
		if err != nil {
			return err
		}
		defer s.card.close()
		return s.reduceAll(args[4])
	case len(args) >= 5 && args[0] == "file":
		return file(args[1], args[2], args[3], args[4:])
	case len(args) >= 2 && args[0] == "compare":
		return compare(args[1:])
	case len(args) >= 3 && args[0] == "text":
		return text(args[1], args[2:])
	case len(args) == 2 && args[0] == "forms":
		return list(args[1])
	}
	return fmt.Errorf("usage: fuzz run RUNNER DIR SECONDS LEVELS SEEDS... | fuzz reduce RUNNER DIR SECONDS DIFFER | fuzz file CARD RECORD DIFFERENT HASHES... | fuzz compare HASHES... | fuzz text OPERANDS SEEDS... | fuzz forms LIST")
}

// perModule is the number of kernels that are compiled at once.
const perModule = 50

// session is one visit to a card.
type session struct {
	card  *card
	dir   string
	until time.Time

	mu             sync.Mutex
	hashes, differ *os.File // written line by line, as a visit may end at any time
}

func newSession(program, dir, seconds string) (*session, error) {
	n, err := strconv.Atoi(seconds)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	c, err := newCard(program)
	return &session{card: c, dir: dir, until: time.Now().Add(time.Duration(n) * time.Second)}, err
}

// forever is a time that does not come.
var forever = time.Now().AddDate(1, 0, 0)

// each calls f for all items on all cores, until time is up.
func each[T any](s *session, items []T, f func(worker int, item T)) {
	queue := make(chan T)
	var all sync.WaitGroup
	for worker := range runtime.NumCPU() {
		all.Add(1)
		go func() {
			defer all.Done()
			for item := range queue {
				if time.Now().Before(s.until) {
					f(worker, item)
				}
			}
		}()
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	all.Wait()
}

// generate makes the kernels of seeds and ranges of seeds.
func generate(ranges []string) ([]*fuzz.Kernel, error) {
	var kernels []*fuzz.Kernel
	for _, text := range ranges {
		from, to, many := strings.Cut(text, "-")
		first, err := strconv.ParseUint(from, 10, 64)
		last := first
		if err == nil && many {
			last, err = strconv.ParseUint(to, 10, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("seeds %s: %w", text, err)
		}
		for ; first <= last; first++ {
			kernels = append(kernels, fuzz.Generate(first))
		}
	}
	return kernels, nil
}

// text prints a module and writes what its kernels read.
func text(operands string, ranges []string) error {
	kernels, err := generate(ranges)
	if err != nil {
		return err
	}
	fmt.Print(fuzz.Head())
	for _, k := range kernels {
		fmt.Printf("// %s\n%s", launch(k), k.Text)
	}
	return os.WriteFile(operands, fuzz.InputBytes(), 0o644)
}

// seeds compares the kernels of some seeds at some levels of optimisation.
func (s *session) seeds(levels, ranges []string) error {
	kernels, err := generate(ranges)
	if err != nil {
		return err
	}
	if s.hashes, err = os.Create(filepath.Join(s.dir, "hashes")); err != nil {
		return err
	}
	if s.differ, err = os.Create(filepath.Join(s.dir, "differ")); err != nil {
		return err
	}
	each(s, slices.Collect(slices.Chunk(kernels, perModule)), func(worker int, kernels []*fuzz.Kernel) {
		for _, level := range levels {
			s.level(worker, kernels, level)
		}
	})
	return errors.Join(s.hashes.Close(), s.differ.Close())
}

// level compares kernels at a level of optimisation. A module that ptxas cannot
// compile is divided.
func (s *session) level(worker int, kernels []*fuzz.Kernel, level string) {
	cubin, err := s.card.compile(worker, kernels, level)
	if n := len(kernels) / 2; err != nil && n > 0 {
		s.level(worker, kernels[:n], level)
		s.level(worker, kernels[n:], level)
		return
	}
	if err != nil {
		fmt.Printf("%s: %v\n", kernels[0].Name, err)
		return
	}
	e, err := fuzz.NewEngine(kernels, engineMode(level))
	if err != nil {
		fmt.Printf("kernels from %s: %v\n", kernels[0].Name, err)
		return
	}
	defer e.Close()
	s.card.run(cubin, kernels, func(k *fuzz.Kernel, want []byte, err error) {
		if err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			fmt.Fprintf(s.differ, "%d %s %s\n", k.Seed, level, strings.ReplaceAll(err.Error(), " ", "-"))
			return
		}
		got, err := e.Run(k)
		if err != nil {
			fmt.Printf("engine %s: %v\n", k.Name, err)
		}
		line := fmt.Sprintf("%d %s %016x\n", k.Seed, level, fuzz.Hash(want))
		s.mu.Lock()
		defer s.mu.Unlock()
		fmt.Fprint(s.hashes, line)
		if !bytes.Equal(got, want) {
			fmt.Fprint(s.differ, line)
		}
	})
}

// engineMode is how the engine executes what ptxas makes at a level: without
// optimisation it fuses nothing.
func engineMode(level string) fuzz.Mode { return fuzz.Mode{Unfused: level == "-O0"} }
