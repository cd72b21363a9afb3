package vectors

import (
	"fmt"
	"slices"
	"strings"
)

// Batch is the forms whose kernels stand in one module.
type Batch []*Form

// batchSize is the number of forms in a module.
const batchSize = 64

// Batches divides all forms into modules.
func Batches() []Batch { return BatchesOf(Forms()) }

// BatchesOf divides some forms into modules, old ones apart.
func BatchesOf(forms []*Form) []Batch {
	var all []Batch
	for _, old := range []bool{false, true} {
		of := slices.DeleteFunc(slices.Clone(forms), func(f *Form) bool { return f.Old != old })
		for b := range slices.Chunk(of, batchSize) {
			all = append(all, b)
		}
	}
	return all
}

// KernelName is the name of form i of a batch in its module.
func KernelName(i int) string { return fmt.Sprintf("k%02d", i) }

// Text is the module.
func (b Batch) Text() string {
	var s strings.Builder
	s.WriteString(Head(b[0].Old))
	for i, f := range b {
		s.WriteString(f.Kernel(KernelName(i)))
		s.WriteString("\n")
	}
	return s.String()
}
