package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/tests/fuzz"
)

// file puts hashes of seeds of one record into it: of each seed what optimised code gives, or the
// other if the list of differences says that the optimised code is wrong. It
// names seeds outside the list whose results depend on the level although they
// have nothing to fuse.
func file(card, record, different string, hashes []string) error {
	who, err := os.ReadFile(card)
	if err != nil {
		return err
	}
	r := &fuzz.Record{}
	if b, err := os.ReadFile(record); err == nil {
		if r, err = fuzz.ReadRecord(b); err != nil {
			return fmt.Errorf("%s: %w", record, err)
		}
	}
	r.Card = strings.Join(strings.Fields(string(who)), " ")
	text, err := os.ReadFile(different)
	if err != nil {
		return err
	}
	known, err := fuzz.ReadDifferences(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", different, err)
	}
	results, err := readHashes(hashes)
	if err != nil {
		return err
	}
	for _, seed := range slices.Sorted(maps.Keys(results)) {
		level := "-O3"
		if known[seed].OnlyOptimised() {
			level = "-O0"
		}
		k, levels := fuzz.Generate(seed), results[seed]
		if first, second := levels["-O3"], levels["-O0"]; len(levels) == 2 && first != second && !k.Loose && known[seed].Why == "" {
			fmt.Printf("seed %d gives two results on the card\n", seed)
		}
		hash, ok := levels[level]
		if !ok {
			continue
		}
		at := fuzz.Index(seed)
		for uint64(len(r.Kernels)) <= at {
			r.Kernels = append(r.Kernels, fuzz.Entry{})
		}
		r.Kernels[at] = fuzz.Entry{Text: uint32(fuzz.Hash([]byte(k.Text))), Result: uint32(hash)}
	}
	return os.WriteFile(record, r.Bytes(), 0o644)
}

// readHashes is the hash of each seed and level in some files.
func readHashes(names []string) (map[uint64]map[string]uint64, error) {
	results := map[uint64]map[string]uint64{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(b)) {
			var seed, hash uint64
			var level string
			if _, err := fmt.Sscanf(line, "%d %s %x", &seed, &level, &hash); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, strings.TrimSpace(line), err)
			}
			if results[seed] == nil {
				results[seed] = map[string]uint64{}
			}
			results[seed][level] = hash
		}
	}
	return results, nil
}
