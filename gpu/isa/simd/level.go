package simd

import "fmt"

// Level is an instruction set that programs are executed in.
type Level uint8

// The levels. Best is the highest that the processor supports; at Go there is
// no machine code, and handlers execute everything.
const (
	Best Level = iota
	Go
	AVX2
	AVX512
)

var levelNames = [...]string{Best: "best", Go: "go", AVX2: "avx2", AVX512: "avx512"}

func (v Level) String() string { return levelNames[v] }

// ParseLevel reads the name of a level; nothing means Best, as best does. A level that the
// processor does not support is an error.
func ParseLevel(name string) (Level, error) {
	if name == "" {
		return Best, nil
	}
	for v, n := range levelNames {
		if n != name {
			continue
		}
		if !Level(v).Supported() {
			return Best, fmt.Errorf("instruction set %s: this processor does not have it", name)
		}
		return Level(v), nil
	}
	return Best, fmt.Errorf("unknown instruction set %q: want avx512, avx2 or go", name)
}

// Levels are those that the processor supports, Go first.
func Levels() []Level {
	var all []Level
	for v := Go; v <= AVX512; v++ {
		if v.Supported() {
			all = append(all, v)
		}
	}
	return all
}

// resolve is the level that Best stands for.
func (v Level) resolve() Level {
	if v != Best {
		return v
	}
	for v = AVX512; !v.Supported(); v-- {
	}
	return v
}
