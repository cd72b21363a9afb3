// Fuzz runs seeds of package tests/fuzz on a card and compares with the engine.
//
//	fuzz run RUNNER DIR SECONDS FROM TO      on the machine with the card
//	fuzz reduce RUNNER DIR SECONDS DIFFER    there too: what differed
//	fuzz file DIR CARD RECORD                what came back, as a record
//	fuzz forms LIST                          the list of forms that kernels are made of, anew
//
// The first writes DIR/hashes, a line for each seed and level of optimisation
// with the hash of the card's result, and DIR/differ, the lines of those whose
// results the engine does not have. The second writes DIR/SEED-LEVEL.ptx for as
// many of these as there is time for: what is left of the kernel when all
// statements are left out that the difference does not need. RUNNER is
// runner.cu, built by nvcc; ptxas must be in PATH.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
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
	case len(args) == 6 && args[0] == "run":
		s, err := newSession(args[1], args[2], args[3])
		if err != nil {
			return err
		}
		defer s.card.close()
		return s.seeds(args[4], args[5])
	case len(args) == 5 && args[0] == "reduce":
		s, err := newSession(args[1], args[2], args[3])
		if err != nil {
			return err
		}
		defer s.card.close()
		return s.reduceAll(args[4])
	case len(args) == 4 && args[0] == "file":
		return file(args[1], args[2], args[3])
	case len(args) == 2 && args[0] == "forms":
		return list(args[1])
	}
	return fmt.Errorf("usage: fuzz run RUNNER DIR SECONDS FROM TO | fuzz reduce RUNNER DIR SECONDS DIFFER | fuzz file DIR CARD RECORD | fuzz forms LIST")
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

// seeds compares the kernels of some seeds.
func (s *session) seeds(first, end string) error {
	from, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	to, err := strconv.Atoi(end)
	if err != nil {
		return err
	}
	if s.hashes, err = os.Create(filepath.Join(s.dir, "hashes")); err != nil {
		return err
	}
	if s.differ, err = os.Create(filepath.Join(s.dir, "differ")); err != nil {
		return err
	}
	var modules []int
	for ; from < to; from += perModule {
		modules = append(modules, from)
	}
	each(s, modules, func(worker, from int) { s.module(worker, from, min(from+perModule, to)) })
	return errors.Join(s.hashes.Close(), s.differ.Close())
}

// module compares the kernels of some seeds, of every fourth module without
// optimisation too.
func (s *session) module(worker, from, to int) {
	var kernels, strict []*fuzz.Kernel
	for seed := from; seed < to; seed++ {
		k := fuzz.Generate(uint64(seed))
		kernels = append(kernels, k)
		if !k.Loose {
			strict = append(strict, k)
		}
	}
	s.level(worker, kernels, "-O3")
	if from/perModule%4 == 0 {
		s.level(worker, strict, "-O0")
	}
}

func (s *session) level(worker int, kernels []*fuzz.Kernel, level string) {
	cubin, err := s.card.compile(worker, kernels, level)
	if err != nil {
		fmt.Printf("kernels from %s: %v\n", kernels[0].Name, err)
		return
	}
	e, err := fuzz.NewEngine(kernels, false)
	if err != nil {
		fmt.Printf("kernels from %s: %v\n", kernels[0].Name, err)
		return
	}
	defer e.Close()
	s.card.run(cubin, kernels, func(k *fuzz.Kernel, want []byte, err error) {
		if err != nil {
			fmt.Printf("card %s %s: %v\n", k.Name, level, err)
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
