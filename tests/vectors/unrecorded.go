package vectors

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// without are the instructions of which no results are recorded on an sm_90a card, by
// the beginning of mnemonic, modifiers and types, and why.
var without = []struct{ row, why string }{
	{"multimem ", "no: an address of several devices' memory is needed (9.7.9.14), and an H200 by itself has no multicast objects"},
	{"trap", "no: it ends the program (9.7.19.4)"},
	{"brkpt", "no: it stops for a debugger (9.7.19.1)"},
	{"tex {base} 2dms", "no: CUDA makes no multi-sample images (9.7.10.3)"},
	{"tld4 r|g|b|a 2d|a2d|cube|acube v4 f32", "no: what is compared with has no effect, as no sampler of CUDA compares (9.7.10.4)"},
	{"tld4 r|g|b|a 2d|a2d v4 f32", "no: what is compared with has no effect, as no sampler of CUDA compares (9.7.10.4)"},
	{"txq force_unnormalized_coords", "no: the driver finds no kernel that asks so (CUDA_ERROR_NOT_FOUND); samplers apart from textures are not made by CUDA (9.7.10.5)"},
}

// Unrecorded says why a row has no form with a record: "" if nothing does.
func Unrecorded(op *isa.Op) string {
	row := strings.Join(strings.Fields(op.Name+" "+op.Mods+" "+op.Types), " ")
	if op.SM > Target || op.Since > Version || op.Only != "" && !strings.Contains(op.Only, "90a") {
		return "no: needs a newer card" + refused(row)
	}
	for _, w := range without {
		if strings.HasPrefix(row, w.row) {
			return w.why
		}
	}
	return ""
}

// refused is what a row of a newer card does not execute.
func refused(row string) string {
	switch {
	case strings.HasPrefix(row, "tcgen05 mma") && strings.Contains(row, "block_scale"):
		return "; K = 96 and absolute addresses in matrix descriptors, of sm_103 alone, are refused"
	case strings.HasPrefix(row, "tcgen05 mma"):
		return "; absolute addresses in matrix descriptors, of sm_103 alone, are refused"
	}
	return ""
}
