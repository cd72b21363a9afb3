package exec

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Fault is what ended a grid: a program's mistake, with its place. Its Error is
// a report of several lines.
type Fault struct {
	Kind   isa.TrapKind
	Kernel string // mangled
	CTA    [3]uint32
	Thread [3]uint32
	Trap   isa.Trap
	report string
	index  int
}

func (f *Fault) Error() string { return f.report }

var trapTexts = map[isa.TrapKind]string{
	isa.IllegalAddress:     "illegal memory access",
	isa.Misaligned:         "misaligned address",
	isa.TrapInstruction:    "trap instruction",
	isa.AssertFailed:       "device-side assert",
	isa.IllegalInstruction: "illegal instruction",
	isa.InvalidSpace:       "operation not supported on this address space",
	isa.InvalidPC:          "invalid program counter",
	isa.StackOverflow:      "call stack overflow",
	isa.HeapCorruption:     "free of a pointer that the device heap did not give",
	isa.BarrierMisuse:      "barrier misuse",
	isa.ClusterMemory:      "access to shared memory that no running block of the cluster has",
	isa.Deadlock:           "deadlock",
	isa.Internal:           "bug of lockstep, please report it",
}

// fault ends the CTA with the trap that w raised at p.
func (c *cta) fault(w *warp, p *path) {
	t := w.Trap
	lane := t.Lane
	f := &Fault{
		Kind: t.Kind, Trap: t, Kernel: c.grid.launch.Kernel.Name, CTA: c.Ctaid, index: c.index,
		Thread: [3]uint32{w.Tid[0][lane], w.Tid[1][lane], w.Tid[2][lane]},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "lockstep: %s%s in kernel %s\n", trapTexts[t.Kind], c.describe(t), demangled(f.Kernel))
	fmt.Fprintf(&b, "  at block (%s), thread (%s)\n", triple(f.CTA), triple(f.Thread))
	b.WriteString(place(p.frame.fn, p.pc))
	for up, pc := p.frame.caller, p.frame.ret-1; up != nil; up, pc = up.caller, up.ret-1 {
		fmt.Fprintf(&b, "  called%s", strings.TrimPrefix(place(up.fn, pc), "  in"))
	}
	if t.Kind == isa.IllegalAddress && t.Space == isa.Global {
		if block, distance, ok := c.grid.engine.memory.Nearest(t.Addr); ok {
			fmt.Fprintf(&b, "  nearest allocation: %v%s\n", block, apart(distance))
		}
	}
	f.report = b.String()
	c.err = f
}

// describe says what the access was, for traps that have one.
func (c *cta) describe(t isa.Trap) string {
	var s string
	if t.Bytes > 0 {
		verb := "read"
		if t.Write {
			verb = "write"
		}
		s = fmt.Sprintf(": %s of %d bytes at %s address %#x", verb, t.Bytes, t.Space, t.Addr)
		if t.Kind == isa.IllegalAddress && t.Space == isa.Shared {
			s += fmt.Sprintf(" (the block has %d bytes of shared memory)", len(c.Shared)-isa.SharedReserved)
		}
	}
	if t.Note != "" {
		s += ": " + t.Note
	}
	return s
}

func apart(distance int64) string {
	switch {
	case distance > 0:
		return fmt.Sprintf(", %d bytes past its end", distance)
	case distance < 0:
		return fmt.Sprintf(", %d bytes before its start", -distance)
	}
	return ""
}

func triple(v [3]uint32) string { return fmt.Sprintf("%d,%d,%d", v[0], v[1], v[2]) }

func demangled(name string) string { return demangle.Filter(name) }

// place names the source line and the PTX line of an instruction.
func place(fn *isa.Function, pc int32) string {
	if pc < 0 || int(pc) >= len(fn.Code) {
		return fmt.Sprintf("  in %s\n", demangled(fn.Name))
	}
	in := &fn.Code[pc]
	var b strings.Builder
	fmt.Fprintf(&b, "  in %s", demangled(fn.Name))
	for i := in.Line; i >= 0; i = fn.Lines[i].Inlined {
		l := &fn.Lines[i]
		fmt.Fprintf(&b, " at %s:%d", l.File, l.Line)
		if l.Inlined >= 0 {
			fmt.Fprintf(&b, " (%s), inlined", demangled(l.Function))
		}
	}
	b.WriteByte('\n')
	if s := fn.Source; s != nil {
		number, text := s.Line(int(in.Pos))
		fmt.Fprintf(&b, "  %s:%d: %s\n", s.Name, number, strings.TrimSpace(text))
	}
	return b.String()
}

// deadlock ends the CTA because no thread of it can go on.
func (c *cta) deadlock() {
	name := c.grid.launch.Kernel.Name
	c.err = &Fault{Kind: isa.Deadlock, Kernel: name, CTA: c.Ctaid, index: c.index, report: fmt.Sprintf(
		"lockstep: deadlock in kernel %s: no thread of block (%s) can go on\n%s", demangled(name), triple(c.Ctaid), c.whereabouts(nil))}
}

// guard, deferred, ends the CTA when executing it panicked: in lockstep itself,
// or at memory of the program that is registered and no longer mapped.
func (c *cta) guard() {
	problem := recover()
	if problem == nil {
		return
	}
	w := c.running
	p := w.current
	w.Trap = isa.Trap{Kind: isa.Internal, Lane: p.mask.First(), Note: fmt.Sprint(problem) + origin()}
	if f, ok := problem.(interface{ Addr() uintptr }); ok {
		w.Trap.Kind, w.Trap.Note = isa.IllegalAddress, fmt.Sprintf("host memory at %#x is not mapped", f.Addr())
	}
	c.fault(w, p)
}

// origin names the line that panicked; it is called from a deferred function.
func origin() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for panicked := false; ; {
		f, more := frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
