package policy

import (
	"os/exec"
	"strings"
	"testing"
)

// mustInline lists the functions on the hot path that every handler calls.
var mustInline = map[string][]string{
	"./gpu/isa": {"Mask.All", "Mask.Count", "(*Warp).Args", "(*Warp).Args1", "(*Warp).Args3", "(*Warp).Row", "(*Warp).Get64", "(*Warp).Set64", "(*Warp).Raise", "SpaceOf"},
}

func TestHotFunctionsInline(t *testing.T) {
	for pkg, names := range mustInline {
		cmd := exec.Command("go", "build", "-gcflags=-m", pkg)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, name := range names {
			if !strings.Contains(string(out), "can inline "+name+"\n") {
				t.Errorf("%s: %s no longer inlines", pkg, name)
			}
		}
	}
}
