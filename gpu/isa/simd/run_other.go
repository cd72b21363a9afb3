//go:build !amd64

package simd

func (Level) run(*State, *Op) {}

func (Level) body(int) (full, part uintptr) { return 0, 0 }

// Supported reports whether this processor can execute a level.
func (v Level) Supported() bool { return v <= Go }
