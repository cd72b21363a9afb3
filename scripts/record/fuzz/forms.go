package main

import (
	"os"

	"github.com/lockstep-sim/lockstep/tests/fuzz"
)

// list writes the list of forms anew. Seeds then stand for other kernels.
func list(path string) error { return os.WriteFile(path, []byte(fuzz.ListForms()), 0o644) }
