package gpu

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// Trace asks for a stream of events of the timing model, one a line in GPGPU-Sim's
// form. Core and Partition are the SM and the memory channel whose events are
// wanted, -1 for all.
type Trace struct {
	Components      []string // of Components
	Core, Partition int
	Out             io.Writer
}

// The components of traces, as GPGPU-Sim spells them.
const (
	traceScheduler    = "WARP_SCHEDULER"
	traceScoreboard   = "SCOREBOARD"
	tracePartition    = "MEMORY_PARTITION_UNIT"
	traceSubpartition = "MEMORY_SUBPARTITION_UNIT"
	traceInterconnect = "INTERCONNECT"
	traceLiveness     = "LIVENESS"
)

// Components are the components that a Trace can ask for.
var Components = []string{traceScheduler, traceScoreboard, tracePartition, traceSubpartition, traceInterconnect, traceLiveness}

// tracer is the observer of a chip that writes a Trace. Parts of the model run
// ahead of one another by less than slack cycles, so that events are put in order
// before they are written.
type tracer struct {
	trace  *Trace
	timed  *timed
	events []event
	newest kit.Cycle
}

type event struct {
	at   kit.Cycle
	text string
}

// slack is more than a quantum, pending the number of events that are kept back.
const (
	slack   = 1 << 12
	pending = 1 << 10
)

func (t *tracer) wants(component string) bool { return slices.Contains(t.trace.Components, component) }

func (t *tracer) add(at kit.Cycle, component, format string, args ...any) {
	t.events = append(t.events, event{at, fmt.Sprintf("GPGPU-Sim Cycle %d: %s - %s\n", at, component, fmt.Sprintf(format, args...))})
	if t.newest = max(t.newest, at); len(t.events) >= pending {
		t.flush(t.newest - min(t.newest, slack))
	}
}

// flush writes the events before a cycle.
func (t *tracer) flush(before kit.Cycle) {
	slices.SortStableFunc(t.events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	n := 0
	for n < len(t.events) && t.events[n].at < before {
		io.WriteString(t.trace.Out, t.events[n].text)
		n++
	}
	t.events = append(t.events[:0], t.events[n:]...)
}

// SM implements chip.Observer.
func (t *tracer) SM(n int) sm.Observer {
	if t.trace.Core >= 0 && t.trace.Core != n || !t.wants(traceScheduler) && !t.wants(traceScoreboard) {
		return nil
	}
	return &coreTracer{tracer: t, sm: n, issues: t.wants(traceScheduler), scoreboard: t.wants(traceScoreboard)}
}

// coreTracer writes the events of an SM.
type coreTracer struct {
	*tracer
	sm                 int
	issues, scoreboard bool
}

// Issued implements sm.Observer.
func (t *coreTracer) Issued(now kit.Cycle, slot int, warp, pc int32) {
	if t.issues {
		t.add(now, traceScheduler, "Core %d - Scheduler %d - warp %d issues instruction %d: %s",
			t.sm, slot%t.timed.config.SM.Limits.SubCores, slot, pc, t.timed.steps.text(warp))
	}
}

// Reserved implements sm.Observer.
func (t *coreTracer) Reserved(now kit.Cycle, slot int, registers *sm.RegSet) {
	t.registers(now, slot, "reserves", registers)
}

// Released implements sm.Observer.
func (t *coreTracer) Released(now kit.Cycle, slot int, registers *sm.RegSet) {
	t.registers(now, slot, "releases", registers)
}

func (t *coreTracer) registers(now kit.Cycle, slot int, verb string, registers *sm.RegSet) {
	if t.scoreboard {
		t.add(now, traceScoreboard, "Core %d - Scheduler %d - warp %d %s %v", t.sm, slot%t.timed.config.SM.Limits.SubCores, slot, verb, registers)
	}
}

// Sent implements memory.Observer.
func (t *tracer) Sent(now kit.Cycle, slice int, p *noc.Packet) {
	if !t.wants(traceInterconnect) || t.trace.Core >= 0 && t.trace.Core != int(p.Src) {
		return
	}
	way := "to"
	if p.Reply {
		way = "answered by"
	}
	t.add(now, traceInterconnect, "Core %d - %v %s slice %d: address %#x, sectors %04b", p.Src, p.Kind, way, slice, p.Addr, p.Sectors)
}

// Arrived implements memory.Observer.
func (t *tracer) Arrived(now kit.Cycle, slice int, p *noc.Packet) { t.slice(now, slice, "arrives", p) }

// Served implements memory.Observer.
func (t *tracer) Served(now kit.Cycle, slice int, p *noc.Packet) {
	t.slice(now, slice, "has passed the tags", p)
}

func (t *tracer) slice(now kit.Cycle, slice int, verb string, p *noc.Packet) {
	per := t.timed.config.Memory.Slice.PerChannel
	if t.partition(slice/per) && (t.wants(tracePartition) || t.wants(traceSubpartition)) {
		t.add(now, traceSubpartition, "Partition %d - Slice %d - %v of core %d %s: address %#x, sectors %04b", slice/per, slice%per, p.Kind, p.Src, verb, p.Addr, p.Sectors)
	}
}

// Asked implements memory.Observer.
func (t *tracer) Asked(now kit.Cycle, channel int, q *dram.Request) {
	if !t.partition(channel) || !t.wants(tracePartition) {
		return
	}
	verb := "read"
	if q.Write {
		verb = "write"
	}
	t.add(now, tracePartition, "Partition %d - %s of memory: address %#x, %d bursts", channel, verb, q.Addr, q.Atoms)
}

func (t *tracer) partition(n int) bool { return t.trace.Partition < 0 || t.trace.Partition == n }

// alive notes how far a grid is.
func (t *tracer) alive(now kit.Cycle, g *chip.Grid) {
	if t.wants(traceLiveness) {
		t.add(now, traceLiveness, "kernel %s: %d of %d CTAs have ended, %d are running", g.Name, g.Ended(), g.Total, g.Running())
	}
}

// text is the line of PTX that a warp has executed last.
func (s *steps) text(warp int32) string {
	w := &s.runs[warp>>slotShift].warps[warp&warpMask]
	if w.function == nil || w.function.Source == nil || int(w.done) >= len(w.function.Code) {
		return ""
	}
	_, text := w.function.Source.Line(int(w.function.Code[w.done].Pos))
	return strings.TrimSpace(text)
}
