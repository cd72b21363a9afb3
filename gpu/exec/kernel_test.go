package exec_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// kernelOf is the kernel k of PTX text.
func kernelOf(t *testing.T, file, text string) *isa.Kernel {
	t.Helper()
	u, err := link.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := link.Link(exec.IsBuiltin, u)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	return k
}
