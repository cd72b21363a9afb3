package exec

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Limit bounds a grid. What is zero is not bounded.
type Limit struct {
	Instructions uint64        // of warps
	Time         time.Duration // of the host, spent executing the grid
}

// allowed is the part of a budget that the limit leaves.
func (g *Grid) allowed(budget int) int {
	if most := g.engine.limit.Instructions; most > 0 {
		return int(min(uint64(budget), most-min(g.ticks.Load(), most)+1))
	}
	return budget
}

// watch starts to measure a turn of the grid; the result ends it, and the grid
// too when it has passed a limit.
func (g *Grid) watch() (stop func()) {
	limit := g.engine.limit
	if limit == (Limit{}) {
		return func() {}
	}
	began := time.Now()
	return func() {
		g.spent += time.Since(began)
		switch {
		case g.fault != nil || g.ended():
		case limit.Instructions > 0 && g.ticks.Load() > limit.Instructions:
			g.exceed(fmt.Sprintf("%d warp instructions", limit.Instructions))
		case limit.Time > 0 && g.spent > limit.Time:
			g.exceed(fmt.Sprintf("%v", limit.Time))
		}
	}
}

// reported is the number of CTAs that a report describes.
const reported = 8

// exceed ends the grid because it has passed a limit.
func (g *Grid) exceed(limit string) {
	active := g.running()
	k := g.launch.Kernel
	g.fault = &Fault{Kind: isa.LimitReached, Kernel: k.Name}
	if len(active) > 0 {
		g.fault.CTA, g.fault.index = active[0].Ctaid, active[0].index
	}
	var b strings.Builder
	fmt.Fprintf(&b, "lockstep: kernel %s passed the limit of %s: %d of %d blocks have ended, %d are running\n",
		demangled(k.Name), limit, g.next-len(active), g.total, len(active))
	for i, c := range active {
		if i == reported {
			fmt.Fprintf(&b, "  and %d blocks more\n", len(active)-reported)
			break
		}
		reads := c.observeReads()
		fmt.Fprintf(&b, "  block (%s)\n%s", triple(c.Ctaid), c.whereabouts(reads))
	}
	g.fault.report = b.String()
}

// running lists the CTAs that have started and not ended.
func (g *Grid) running() []*cta {
	var all []*cta
	for _, x := range g.active {
		for _, c := range x.ctas {
			if !c.finished() {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b *cta) int { return a.index - b.index })
	return all
}

// glance is the number of instructions of a warp that show what it waits for.
const glance = 64

// reads holds what each lane of a CTA read last, by warp.
type reads [][isa.WarpSize]isa.Access

// Executed implements InstObserver.
func (r reads) Executed(at Place, e *isa.Effect) {
	for _, a := range e.Accesses {
		r[at.Warp][a.Lane] = a
	}
}

// observeReads runs the warps of a CTA that will not go on a little further, to
// see which memory they look at.
func (c *cta) observeReads() reads {
	r := make(reads, len(c.warps))
	e := c.grid.engine
	others := e.instObservers
	core := c.core
	e.instObservers, c.core = []InstObserver{r}, nil
	defer func() { e.instObservers, c.core = others, core }()
	for i := range c.warps {
		c.glance(&c.warps[i])
	}
	return r
}

func (c *cta) glance(w *warp) {
	defer c.guard()
	defer func(e *isa.Effect, core *Core) { w.Effect, c.core = e, core }(w.Effect, c.core)
	w.Effect, w.lived, c.running, c.core = new(isa.Effect), w.Live, w, nil
	w.run(glance)
}

// whereabouts describes the paths of all warps, those that are alike in one
// entry. last, which may be nil, says what they read.
func (c *cta) whereabouts(last reads) string {
	var b strings.Builder
	for i := 0; i < len(c.warps); {
		text, end := c.warps[i].whereabouts(last), i+1
		for end < len(c.warps) && c.warps[end].whereabouts(last) == text {
			end++
		}
		warps := fmt.Sprintf("warp %d", i)
		if end > i+1 {
			warps = fmt.Sprintf("warps %d to %d, each", i, end-1)
		}
		for entry := range strings.SplitSeq(text, "\x00") {
			if entry != "" {
				fmt.Fprintf(&b, "  %s, %s", warps, entry)
			}
		}
		i = end
	}
	return b.String()
}

// whereabouts describes the warp's paths, each ended by a zero byte.
func (w *warp) whereabouts(last reads) string {
	var b strings.Builder
	for _, p := range w.paths {
		does := "runs"
		switch p.state {
		case atBarrier:
			does = fmt.Sprintf("waits at barrier %d", p.bar)
		case atCluster:
			does = "waits at the barrier of the cluster"
		case atSync:
			does = fmt.Sprintf("waits for lanes %08x", uint32(p.need&^p.mask))
		}
		fmt.Fprintf(&b, "lanes %08x, %s%s", uint32(p.mask), does, place(p.frame.fn, p.pc)[1:])
		if last != nil && p.state == ready {
			b.WriteString(w.describeRead(last[w.Index][p.mask.First()]))
		}
		b.WriteByte(0)
	}
	return b.String()
}

// describeRead says what a waiting lane looked at last.
func (w *warp) describeRead(a isa.Access) string {
	var at []byte
	shared, _ := w.CTA.SharedAt(uint32(a.Rank)<<isa.ClusterShift, true)
	offset := uint64(uint32(a.Addr))
	switch s, _ := w.CTA.Memory.Span(a.Addr); {
	case a.Bytes == 0:
		return ""
	case a.Space == isa.Shared && offset+uint64(a.Bytes) <= uint64(len(shared)):
		at = shared[offset:]
	case a.Space == isa.Global && a.Addr+uint64(a.Bytes) <= s.Hi:
		at = s.Bytes[a.Addr-s.Lo:]
	default:
		return ""
	}
	var value uint64
	for i := range min(a.Bytes, 8) {
		value |= uint64(at[i]) << (8 * i)
	}
	return fmt.Sprintf("    it looks at %d bytes at %s address %#x, which hold %#x\n", a.Bytes, a.Space, a.Addr, value)
}
