package main

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/tests/fuzz"
)

// compare prints the lines of what came back that the engine does not agree with.
func compare(hashes []string) error {
	results, err := readHashes(hashes)
	if err != nil {
		return err
	}
	byLevel := map[string][]*fuzz.Kernel{}
	for _, seed := range slices.Sorted(maps.Keys(results)) {
		k := fuzz.Generate(seed)
		for level := range results[seed] {
			byLevel[level] = append(byLevel[level], k)
		}
	}
	var mu sync.Mutex
	var lines []string
	s := &session{until: forever}
	for level, kernels := range byLevel {
		each(s, slices.Collect(slices.Chunk(kernels, perModule)), func(_ int, kernels []*fuzz.Kernel) {
			e, err := fuzz.NewEngine(kernels, engineMode(level))
			if err != nil {
				fmt.Printf("kernels from %s: %v\n", kernels[0].Name, err)
				return
			}
			defer e.Close()
			for _, k := range kernels {
				got, err := e.Run(k)
				if want := results[k.Seed][level]; err != nil || fuzz.Hash(got) != want {
					mu.Lock()
					lines = append(lines, fmt.Sprintf("%d %s %016x\n", k.Seed, level, want))
					mu.Unlock()
				}
			}
		})
	}
	sort.Strings(lines)
	fmt.Print(strings.Join(lines, ""))
	return nil
}
