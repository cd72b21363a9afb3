package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lockstep-sim/lockstep/tests/fuzz"
)

// file makes a record of DIR/hashes. A seed whose results depend on the level of
// optimisation is left out, as its kernel is not defined; it says so.
func file(dir, card, record string) error {
	b, err := os.ReadFile(filepath.Join(dir, "hashes"))
	if err != nil {
		return err
	}
	who, err := os.ReadFile(card)
	if err != nil {
		return err
	}
	r := &fuzz.Record{Card: strings.Join(strings.Fields(string(who)), " ")}
	undefined := map[uint64]bool{}
	for line := range strings.Lines(string(b)) {
		var seed, hash uint64
		var level string
		if _, err := fmt.Sscanf(line, "%d %s %x", &seed, &level, &hash); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
		}
		for uint64(len(r.Kernels)) <= seed {
			r.Kernels = append(r.Kernels, fuzz.Entry{})
		}
		e := &r.Kernels[seed]
		if *e != (fuzz.Entry{}) && e.Result != uint32(hash) {
			undefined[seed] = true
		}
		*e = fuzz.Entry{Text: uint32(fuzz.Hash([]byte(fuzz.Generate(seed).Text))), Result: uint32(hash)}
	}
	for seed := range r.Kernels {
		if undefined[uint64(seed)] {
			fmt.Printf("seed %d gives two results on the card\n", seed)
			r.Kernels[seed] = fuzz.Entry{}
		}
	}
	return os.WriteFile(record, r.Bytes(), 0o644)
}
