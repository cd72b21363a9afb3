package gpu

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// still is what is known of whether a grid goes on.
type still struct {
	mark  uint64 // changes with what the chip has achieved
	since kit.Cycle
	told  bool
}

// noticed is the number of cycles without a CTA's start or end and without a store
// after which standing still is reported once.
const noticed = 1 << 24

// Leave says that the program ends: kernels that stand still end then, where they are only reported before.
func (d *Device) Leave() {
	if d.timed != nil {
		d.timed.leaving.Store(true)
	}
}

// note tells who wants to know how far the grid is. The error ends a grid whose
// warps wait in loops for longer than the configuration allows.
func (r *run) note() error {
	t, g, now := r.timed, r.grid, r.timed.chip.Now()
	if t.progress != nil {
		t.progress(g, now)
	}
	if t.tracer != nil {
		t.tracer.alive(now, g)
	}
	s, limit := &r.still, t.config.Limit.Standstill
	if limit == 0 && t.leaving.Load() {
		limit = noticed
	}
	if mark := t.chip.Achieved(); mark != s.mark || s.since == 0 {
		s.mark, s.since = mark, now
		return nil
	}
	switch {
	case limit > 0 && now-s.since > limit:
		return r.stepping.Exceed(fmt.Sprintf("%d cycles, since cycle %d, in which no block starts or ends and nothing is stored", limit, s.since))
	case !s.told && now-s.since > noticed && t.warn != nil:
		s.told = true
		t.warn(fmt.Sprintf("lockstep: kernel %s: since cycle %d no block has started or ended and nothing was stored; it may wait for ever (limit.standstill ends it)\n%s", g.Name, s.since, r.stepping.Standing()))
	}
	return nil
}

// why says what a warp waits for, by the fate of its issue slots.
var why = map[sm.Slot]string{
	sm.WaitBarrier: "waits for other warps", sm.WaitMemory: "waits for memory", sm.WaitExecution: "waits for a result",
	sm.WaitFetch: "waits for its code", sm.WaitConst: "waits for a constant",
}

// deadlocked is the fault of the CTA that a deadlocked chip names first.
func (s *steps) deadlocked(d *chip.Deadlock) error {
	if len(d.Waits) == 0 {
		return fmt.Errorf("lockstep: bug in the timing model: %w", d)
	}
	const most = 16
	var b strings.Builder
	for i, w := range d.Waits {
		if i == most {
			fmt.Fprintf(&b, "  and %d warps more\n", len(d.Waits)-most)
			break
		}
		r := s.runs[w.Warp>>slotShift]
		cta, warp := r.stepping.Where(w.Warp & warpMask)
		does, known := why[w.Why]
		if !known {
			does = "is held by " + w.Why.String()
		}
		fmt.Fprintf(&b, "  SM %d: warp %d of block (%d,%d,%d) %s since cycle %d\n", w.SM, warp, cta[0], cta[1], cta[2], does, w.Since)
	}
	w := d.Waits[0].Warp
	return s.runs[w>>slotShift].stepping.Deadlocked(w&warpMask, b.String())
}
