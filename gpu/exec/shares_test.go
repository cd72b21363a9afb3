package exec_test

import (
	"testing"
)

// Only kernels whose CTAs cannot see one another run on several threads of the host.
func TestAKernelSharesIfItsCTAsSeeOneAnother(t *testing.T) {
	for line, want := range map[string]bool{
		"ld.global.u32 r, [a];":                                    false,
		"ld.volatile.global.u32 r, [a];":                           true,
		"atom.shared.add.u32 r, [s], r;":                           false,
		"atom.global.add.u32 r, [a], r;":                           true,
		"atom.add.u32 r, [a], r;":                                  true,
		"mov.u32 r, %clock;":                                       true,
		"fence.acq_rel.gpu;":                                       true,
		"cp.async.bulk.global.shared::cta.bulk_group [a], [s], r;": false,
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [a], [s], r;":                       true,
		"mbarrier.arrive.shared.b64 _, [s];":                                                            false,
		"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [s], [s];": true,
	} {
		k := kernelOf(t, "x.ptx", ".version 8.7 .target sm_100 .address_size 64 .visible .entry k() { .reg .u32 r, s; .reg .u64 a; "+line+" ret; }")
		if k.Shares != want {
			t.Errorf("%s: shares %v, want %v", line, k.Shares, want)
		}
	}
}
