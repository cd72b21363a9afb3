package vectors

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// without are the instructions of which no results are recorded on an sm_90a card, by
// the beginning of mnemonic, modifiers and types, and why.
var without = []struct{ row, why string }{
	{"multimem ", "no: an address of several devices' memory is needed (9.7.9.14)"},
	{"discard ", "no: the contents are undefined afterwards (9.7.9.17)"},
	{"trap", "no: it ends the program (9.7.19.4)"},
	{"brkpt", "no: it stops for a debugger (9.7.19.1)"},
	{"setmaxnreg", "no: it moves registers between warps and has no result (9.7.19.5)"},
	{"stacksave", "no: the stack pointer is opaque (9.7.16.1)"},
	{"stackrestore", "no: the stack pointer is opaque (9.7.16.2)"},
	{"tex {base} 2dms", "no: CUDA makes no multi-sample images (9.7.10.3)"},
	{"shfl up|down|bfly|idx b32", "no: not for sm_70 and newer (9.7.9.5)"},
	{"vote ballot b32", "no: not for sm_70 and newer (9.7.13.7)"},
	{"vote all|any|uni pred", "no: not for sm_70 and newer (9.7.13.7)"},
	{"tld4 r|g|b|a ", "no: what is compared with has no effect, as no sampler of CUDA compares (9.7.10.4)"},
	{"wmma load ", "no: the same as with the stride of a dense matrix (9.7.14.4.3)"},
	{"wmma store ", "no: the same as with the stride of a dense matrix (9.7.14.4.4)"},
	{"txq force_unnormalized_coords", "no: samplers apart from textures are not made by CUDA (9.7.10.5)"},
	{"tensormap ", "no: the words of a tensor map are opaque (5.5.8); tests/tensor compares them with the driver's"},
	{"st async", "no: tests/apps runs it, a card's results are in the program's output"},
	{"red async", "no: tests/apps runs it, a card's results are in the program's output"},
	{"cp async bulk tensor", "no: the same copy as without its modifiers"},
	{"cp reduce async bulk tensor", "no: the same reduction as without its modifiers"},
	{"cp async bulk", "no: the same copy as without its modifiers"},
	{"cp reduce async bulk", "no: the same reduction as without its modifiers"},
}

// Unrecorded says why a row has no form with a record: "" if nothing does.
func Unrecorded(op *isa.Op) string {
	if op.SM > Target || op.Since > Version || op.Only != "" && !strings.Contains(op.Only, "90a") {
		return "no: needs a newer card"
	}
	row := strings.Join(strings.Fields(op.Name+" "+op.Mods+" "+op.Types), " ")
	for _, w := range without {
		if strings.HasPrefix(row, w.row) {
			return w.why
		}
	}
	return ""
}
