package abi

import (
	"testing"

	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

const storesItsArgument = "  st.global.u64 [%rd1], %rd2;"

func TestMistakesInCallsAreErrorsAndNothingBreaks(t *testing.T) {
	image := write(t, ptxEntry(kernel("", storesItsArgument)))
	for _, d := range deliveries[:4] {
		t.Run(d.name, func(t *testing.T) {
			r := execute(t, quiet(d), compile(t, d, "misuse"), image)
			r.wantOK(t)
			if r.stderr != "" {
				t.Errorf("stderr %q", r.stderr)
			}
		})
	}
}

func TestManagedVariablesWithoutUsableCodeAreMemory(t *testing.T) {
	d := deliveries[2]
	program := compile(t, d, "managed")
	for name, c := range map[string]struct {
		entry fatbin.Entry
		code  string
	}{
		"PTX":               {ptxEntry(kernel(".global .attribute(.managed) .align 4 .b8 managed[64] = {5, 1};", "")), "261, launch 0\n"},
		"machine code only": {fatbin.New(fatbin.ELF, 90, "", []byte("\x7fELF")), "0, launch 209\n"},
		"damaged PTX":       {ptxEntry("nonsense"), "0, launch 218\n"},
	} {
		r := execute(t, quiet(d), program, write(t, c.entry))
		if r.code != 0 || r.stdout != c.code {
			t.Errorf("%s: status %d, output %q", name, r.code, r.stdout)
		}
		if c.code != "261, launch 0\n" {
			r.reports(t)
		}
	}
}
