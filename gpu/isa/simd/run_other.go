//go:build !amd64

package simd

func run(*State, *Op) {}

func body(int) (full, part uintptr) { return 0, 0 }

// Supported reports whether this processor has what the bodies need.
func Supported() bool { return false }
