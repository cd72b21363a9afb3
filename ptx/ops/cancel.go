package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

const tryCancel = "try_cancel async {shared::cta} " + byTx

// cancels is PTX ISA 9.7.13.17: a cluster asks for the place of one that has not
// started. The response is ours: the first CTA of the cluster in its x, y and z
// and, in the fourth word, 1 if there was one. It needs sm_100; what a card
// answers was not recorded.
var cancels = []isa.Op{
	{Name: "clusterlaunchcontrol", Mods: tryCancel, Types: "b128", Args: "[a], [m]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 86, SM: 100, Doc: "9.7.13.17.1", Bind: bindTryCancel},
	{Name: "clusterlaunchcontrol", Mods: tryCancel + "multicast::cluster::all", Types: "b128", Args: "[a], [m]", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 86, SM: 100, Doc: "9.7.13.17.1", Bind: bindTryCancel},
	{Name: "clusterlaunchcontrol", Mods: "query_cancel is_canceled", Types: "pred / b128", Args: "p, a:1", Since: 86, SM: 100, Doc: "9.7.13.17.2", Bind: bindIsCancelled},
	{Name: "clusterlaunchcontrol", Mods: "query_cancel get_first_ctaid v4", Types: "b32 / b128", Args: "D, a:1", Since: 86, SM: 100, Doc: "9.7.13.17.2", Bind: bindFirstCTAs},
	{Name: "clusterlaunchcontrol", Mods: "query_cancel get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z", Types: "b32 / b128", Args: "d, a:1", Since: 86, SM: 100, Doc: "9.7.13.17.2", Bind: bindFirstCTA},
}

const responseBytes = 16

func bindTryCancel(f *isa.Form) isa.Handler {
	all := f.Has("multicast::cluster::all")
	return func(w *isa.Warp, in *isa.Inst) {
		target := pointer{in.A, isa.Shared, in.Imm}
		for l := range w.Mask.All {
			places := []landing{{uint32(target.address(w, l)), w.Row(in.M)[l]}}
			if all {
				places = several(1<<len(w.CTA.Cluster.CTAs)-1, places[0])
			}
			var response quad
			if first, ok := w.CTA.Cancel(); ok {
				response = quad{first[0], first[1], first[2], 1}
			}
			for _, x := range places {
				p := w.Bytes(isa.SharedCluster, l, uint64(x.data), responseBytes, responseBytes, true)
				if p == nil {
					return
				}
				response.store(p)
				if !completeTx(w, l, x.barrier, responseBytes) {
					return
				}
			}
		}
	}
}

func bindIsCancelled(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		var is isa.Mask
		for l := range w.Mask.All {
			if quadAt(w, in.A, l)[3] != 0 {
				is |= isa.Lane(l)
			}
		}
		w.SetPred(in.P, is)
	}
}

func bindFirstCTA(f *isa.Form) isa.Handler {
	i := map[string]int{"get_first_ctaid::x": 0, "get_first_ctaid::y": 1, "get_first_ctaid::z": 2}[f.Any("get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z")]
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			w.Regs[in.D][l] = quadAt(w, in.A, l)[i]
		}
	}
}

func bindFirstCTAs(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			response := quadAt(w, in.A, l)
			response[3] = 0
			for i, d := range in.Vec[:min(4, len(in.Vec))] {
				w.Regs[d][l] = response[i]
			}
		}
	}
}
