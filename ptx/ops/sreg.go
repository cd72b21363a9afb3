package ops

import (
	"strconv"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// maxWarps is what %nwarpid reads: the warps that an SM of sm_80 or sm_90 holds.
const maxWarps = 64

// Special returns the operation that reads a special register (PTX ISA chapter
// 10) into register D, of one row or, for a form of 64 bits, two. The name has
// its percent sign and, for a vector register, the component: "%tid.x".
// "%is_explicit_cluster" is read into predicate P.
func Special(name string) (*isa.Op, bool) {
	op, ok := specials()[name]
	return op, ok
}

// specials holds the special registers by name. It is built on first use.
var specials = sync.OnceValue(func() map[string]*isa.Op {
	t := specialTable{}
	t.places()
	t.clusters()
	t.lanemasks()
	t.counters()
	t.sharedMemory()
	for i := range 32 {
		t.warp("%envreg"+strconv.Itoa(i), "10.27", 21, 0, environment(i))
	}
	t.warp("%current_graph_exec", "10.33", 80, 50, func(w *isa.Warp) uint64 { return w.CTA.GraphExec })
	t.warp("%locality_domain_id", "10", 95, 0, zero)
	return t
})

type specialTable map[string]*isa.Op

// lanes adds a register whose value depends on the lane.
func (t specialTable) lanes(name, doc string, since, sm int, f func(w *isa.Warp, l int) uint32) {
	t[name] = &isa.Op{Name: name, Since: since, SM: sm, Doc: doc, Args: "d", Bind: func(form *isa.Form) isa.Handler {
		double := form.DBits == 64
		return func(w *isa.Warp, in *isa.Inst) {
			for l := range w.Mask.All {
				w.Regs[in.D][l] = f(w, l)
				if double {
					w.Regs[in.D+1][l] = 0
				}
			}
		}
	}}
}

// warp adds a register that has one value for the warp.
func (t specialTable) warp(name, doc string, since, sm int, f func(w *isa.Warp) uint64) {
	t.uniform(name, doc, since, sm, func(w *isa.Warp, _ *isa.Inst) uint64 { return f(w) })
}

// uniform adds a register that has one value for the warp, which depends on the instruction that reads it.
func (t specialTable) uniform(name, doc string, since, sm int, f func(w *isa.Warp, in *isa.Inst) uint64) {
	t[name] = &isa.Op{Name: name, Since: since, SM: sm, Doc: doc, Args: "d", Bind: func(form *isa.Form) isa.Handler {
		double := form.DBits == 64
		return func(w *isa.Warp, in *isa.Inst) {
			v := f(w, in)
			fillRow(w.Mask, &w.Regs[in.D], uint32(v))
			if double {
				fillRow(w.Mask, &w.Regs[in.D+1], uint32(v>>32))
			}
		}
	}}
}

// vector adds the components of a register that is the same in all lanes; the
// fourth is always zero.
func (t specialTable) vector(name, doc string, since, sm int, f func(c *isa.CTA) [3]uint32) {
	for i, component := range [3]string{".x", ".y", ".z"} {
		t.warp(name+component, doc, since, sm, func(w *isa.Warp) uint64 { return uint64(f(w.CTA)[i]) })
	}
	t.warp(name+".w", doc, since, sm, zero)
}

func zero(*isa.Warp) uint64 { return 0 }

func (t specialTable) places() {
	for i, component := range [3]string{".x", ".y", ".z"} {
		t["%tid"+component] = &isa.Op{Name: "%tid" + component, Since: 10, Doc: "10.1", Args: "d", Bind: bindTid(i)}
	}
	t.warp("%tid.w", "10.1", 10, 0, zero)
	t.vector("%ntid", "10.2", 10, 0, func(c *isa.CTA) [3]uint32 { return c.Ntid })
	t.lanes("%laneid", "10.3", 13, 0, func(_ *isa.Warp, l int) uint32 { return uint32(l) })
	t.warp("%warpid", "10.4", 13, 0, func(w *isa.Warp) uint64 { return uint64(w.Index) })
	t.warp("%nwarpid", "10.5", 20, 20, func(*isa.Warp) uint64 { return maxWarps })
	t.vector("%ctaid", "10.6", 10, 0, func(c *isa.CTA) [3]uint32 { return c.Ctaid })
	t.vector("%nctaid", "10.7", 10, 0, func(c *isa.CTA) [3]uint32 { return c.Nctaid })
	t.warp("%smid", "10.8", 13, 0, func(w *isa.Warp) uint64 { return uint64(w.CTA.SM) })
	t.warp("%nsmid", "10.9", 20, 20, func(w *isa.Warp) uint64 { return uint64(w.CTA.NumSM) })
	t.warp("%gridid", "10.10", 10, 0, func(w *isa.Warp) uint64 { return w.CTA.GridID })
}

func bindTid(i int) func(*isa.Form) isa.Handler {
	return func(form *isa.Form) isa.Handler {
		double := form.DBits == 64
		return func(w *isa.Warp, in *isa.Inst) {
			copyRow(w.Mask, &w.Regs[in.D], &w.Tid[i])
			if double {
				copyRow(w.Mask, &w.Regs[in.D+1], &isa.Lanes{})
			}
		}
	}
}

// clusters adds the registers that place a CTA in its cluster.
func (t specialTable) clusters() {
	t["%is_explicit_cluster"] = &isa.Op{Name: "%is_explicit_cluster", Since: 78, SM: 90, Doc: "10.11", Args: "p", Bind: func(*isa.Form) isa.Handler {
		return func(w *isa.Warp, in *isa.Inst) {
			explicit := isa.Mask(0)
			if w.CTA.Cluster.Explicit {
				explicit = isa.Full
			}
			w.SetPred(in.P, explicit)
		}
	}}
	t.vector("%clusterid", "10.12", 78, 90, func(c *isa.CTA) [3]uint32 { return c.Cluster.ID })
	t.vector("%nclusterid", "10.13", 78, 90, func(c *isa.CTA) [3]uint32 { return c.Cluster.Count })
	t.vector("%cluster_ctaid", "10.14", 78, 90, func(c *isa.CTA) (at [3]uint32) {
		for i := range at {
			at[i] = c.Ctaid[i] - c.Cluster.ID[i]*c.Cluster.Dim[i]
		}
		return at
	})
	t.vector("%cluster_nctaid", "10.15", 78, 90, func(c *isa.CTA) [3]uint32 { return c.Cluster.Dim })
	t.warp("%cluster_ctarank", "10.16", 78, 90, func(w *isa.Warp) uint64 { return uint64(w.CTA.Rank) })
	t.warp("%cluster_nctarank", "10.17", 78, 90, func(w *isa.Warp) uint64 { return uint64(len(w.CTA.Cluster.CTAs)) })
}

func (t specialTable) lanemasks() {
	t.lanes("%lanemask_eq", "10.18", 20, 20, func(_ *isa.Warp, l int) uint32 { return 1 << l })
	t.lanes("%lanemask_le", "10.19", 20, 20, func(_ *isa.Warp, l int) uint32 { return 2<<l - 1 })
	t.lanes("%lanemask_lt", "10.20", 20, 20, func(_ *isa.Warp, l int) uint32 { return 1<<l - 1 })
	t.lanes("%lanemask_ge", "10.21", 20, 20, func(_ *isa.Warp, l int) uint32 { return -(1 << l) })
	t.lanes("%lanemask_gt", "10.22", 20, 20, func(_ *isa.Warp, l int) uint32 { return -(2 << l) })
}

// counters adds the registers that read the CTA's clock; the performance
// counters read zero. The global timer tells simulated time or, without any, ticks
// with the clock, so that results do not depend on the wall clock.
func (t specialTable) counters() {
	low := func(f counter) counter {
		return func(c *isa.CTA, waits bool) uint64 { return f(c, waits) & 0xffffffff }
	}
	high := func(f counter) counter { return func(c *isa.CTA, waits bool) uint64 { return f(c, waits) >> 32 } }
	t.counter("%clock", "10.23", 10, 0, low(now))
	t.counter("%clock_hi", "10.23", 50, 20, high(now))
	t.counter("%clock64", "10.24", 20, 20, now)
	t.counter("%globaltimer", "10.28", 31, 30, elapsed)
	t.counter("%globaltimer_lo", "10.28", 31, 30, low(elapsed))
	t.counter("%globaltimer_hi", "10.28", 31, 30, high(elapsed))
	for i := range 8 {
		t.warp("%pm"+strconv.Itoa(i), "10.25", 13, 0, zero)
		t.warp("%pm"+strconv.Itoa(i)+"_64", "10.26", 40, 50, zero)
	}
}

// counter reads a counter of a CTA, for a reader that only waits or for another.
type counter func(c *isa.CTA, waits bool) uint64

// Waits is the Imm of an instruction that reads a counter in a loop that does nothing but wait for it.
const Waits = 1

func (t specialTable) counter(name, doc string, since, sm int, f counter) {
	t.uniform(name, doc, since, sm, func(w *isa.Warp, in *isa.Inst) uint64 { return f(w.CTA, in.Imm == Waits) })
}

func now(c *isa.CTA, waits bool) uint64 {
	if c.Clock == nil {
		return 0
	}
	return c.Clock(waits)
}

func elapsed(c *isa.CTA, waits bool) uint64 {
	if c.Timer == nil {
		return now(c, waits)
	}
	return c.Timer()
}

// environment reads %envreg: 1 and 2 hold the upper and lower word of the
// cooperative workspace, the others zero.
func environment(i int) func(w *isa.Warp) uint64 {
	switch i {
	case 1:
		return func(w *isa.Warp) uint64 { return w.CTA.Workspace >> 32 }
	case 2:
		return func(w *isa.Warp) uint64 { return w.CTA.Workspace & 0xffffffff }
	}
	return zero
}

func (t specialTable) sharedMemory() {
	const reserved = isa.SharedReserved
	const reservedUsed = 288 // bytes of it, with clusters and without (measured, sm_90)
	t.warp("%reserved_smem_offset_begin", "10.29", 76, 80, zero)
	t.warp("%reserved_smem_offset_end", "10.29", 76, 80, func(*isa.Warp) uint64 { return reservedUsed })
	t.warp("%reserved_smem_offset_cap", "10.29", 76, 80, func(*isa.Warp) uint64 { return reserved })
	t.warp("%reserved_smem_offset_0", "10.29", 76, 80, zero)
	t.warp("%reserved_smem_offset_1", "10.29", 76, 80, zero)
	t.warp("%total_smem_size", "10.30", 41, 20, totalShared)
	t.warp("%aggr_smem_size", "10.31", 81, 90, func(w *isa.Warp) uint64 { return uint64(ownShared(w)) + reserved })
	t.warp("%dynamic_smem_size", "10.32", 41, 20, func(w *isa.Warp) uint64 { return uint64(w.CTA.DynamicShared) })
}

// totalShared is the shared memory of the program in units of 128 bytes, as on
// sm_80 and later.
func totalShared(w *isa.Warp) uint64 { return uint64(ownShared(w)+127) &^ 127 }

// ownShared is the CTA's shared memory in bytes, without the system's part.
func ownShared(w *isa.Warp) int { return max(len(w.CTA.Shared)-isa.SharedReserved, 0) }
