package sm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Traces are written one instruction a line:
//
//	name[.u][.64|.128] destination, source, ... ; control
//
// Registers are R, P and UR with a number and, after a colon, a count; a source
// may end in .reuse; c[n] is a constant operand; - is none. .u makes an address
// uniform. The control part lists the stall count, y for yield, wN and rN for
// the write and read counter, &N for each counter to wait for; a line without
// it goes through the scoreboard. "depbar N M &K" waits for SBN <= M and SBK =
// 0; "bra L xN" jumps N times to line L, counted from 0.

type mnemonic struct {
	timing func(c *Config) Timing
	result bool
	mem    Mem
}

func unit(u isa.Unit, t isa.Type) func(c *Config) Timing {
	return func(c *Config) Timing { return c.Timing(u, isa.Fixed, t) }
}

func memory(c *Config) Timing { return c.Timing(isa.LSU, isa.Variable, isa.B32) }

func nothing(*Config) Timing { return Timing{Fixed: true, Interval: 1} }

var mnemonics = map[string]mnemonic{
	"ffma": {unit(isa.FMA, isa.F32), true, NoMem}, "fadd": {unit(isa.FMA, isa.F32), true, NoMem},
	"fmul": {unit(isa.FMA, isa.F32), true, NoMem}, "imad": {unit(isa.FMA, isa.S32), true, NoMem},
	"hadd": {unit(isa.FMA, isa.F16x2), true, NoMem}, "dfma": {unit(isa.FP64, isa.F64), true, NoMem},
	"iadd": {unit(isa.ALU, isa.S32), true, NoMem}, "mov": {unit(isa.FMA, isa.F32), true, NoMem},
	"isetp": {unit(isa.ALU, isa.S32), true, NoMem}, "uiadd": {unit(isa.Uniform, isa.S32), true, NoMem},
	"mufu": {unit(isa.XU, isa.F32), true, NoMem}, "hmma": {unit(isa.Tensor, isa.F16), true, NoMem},
	"nop": {nothing, false, NoMem}, "clock": {nothing, true, NoMem}, "depbar": {nothing, false, NoMem},
	"exit": {nothing, false, NoMem}, "bar": {nothing, false, NoMem}, "arrive": {nothing, false, NoMem},
	"bra": {unit(isa.Branch, isa.S32), false, NoMem}, "membar": {nothing, false, NoMem},
	"ldg": {memory, true, LoadGlobal}, "stg": {memory, false, StoreGlobal}, "lds": {memory, true, LoadShared},
	"sts": {memory, false, StoreShared}, "ldc": {memory, true, LoadConst}, "ldgsts": {memory, false, AsyncCopy},
	"shfl": {memory, true, Lanes}, "atomg": {memory, true, AtomGlobal},
}

// line is an instruction of a trace.
type line struct {
	Inst
	name   string
	target int32
	times  int
}

// parse reads a trace; exit is added at the end.
func parse(t testing.TB, c *Config, text string) []line {
	t.Helper()
	var all []line
	for _, s := range strings.Split(text, "\n") {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, parseLine(t, c, s))
		}
	}
	return append(all, parseLine(t, c, "exit"))
}

func parseLine(t testing.TB, c *Config, s string) line {
	body, control, scheduled := strings.Cut(s, ";")
	words := strings.FieldsFunc(body, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	parts := strings.Split(words[0], ".")
	m, ok := mnemonics[parts[0]]
	if !ok {
		t.Fatalf("trace: unknown instruction in %q", s)
	}
	l := line{name: parts[0]}
	l.Timing, l.Mem, l.Words = m.timing(c), m.mem, 1
	for _, p := range parts[1:] {
		switch p {
		case "u":
			l.Uniform = true
		case "64":
			l.Words = 2
		case "128":
			l.Words = 4
		}
	}
	l.Bits = isa.Scheduling{Stall: 1, Write: isa.NoBarrier, Read: isa.NoBarrier}
	switch operands := words[1:]; parts[0] {
	case "depbar":
		l.Depbar = &Depbar{SB: uint8(number(operands[0])), N: uint8(number(operands[1]))}
		for _, o := range operands[2:] {
			l.Depbar.Zero |= 1 << number(o[1:])
		}
	case "bra":
		l.Branch, l.target, l.times = true, int32(number(operands[0])), number(operands[1][1:])
	case "membar":
		l.Fence = FenceCTA
	case "arrive":
		l.Arrive = true
	default:
		l.operands(operands, m.result)
	}
	if scheduled {
		l.Scheduled = true
		l.control(control)
	}
	return l
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("trace: " + s + " is not a number")
	}
	return n
}

func (l *line) operands(words []string, result bool) {
	for i, w := range words {
		pos := i
		if result {
			pos--
		}
		w, reuse := strings.CutSuffix(w, ".reuse")
		if reuse {
			l.Bits.Reuse |= 1 << pos
		}
		var o Operand
		name, count, counted := strings.Cut(w, ":")
		o.N = 1
		if counted {
			o.N = uint8(number(count))
		}
		switch {
		case w == "-":
			continue
		case strings.HasPrefix(w, "c["):
			l.Constant, l.Offset = true, uint32(number(strings.Trim(w[1:], "[]")))
			l.Uniform = l.Uniform || l.Mem == LoadConst
			continue
		case name[0] == 'R':
			o.File, o.Reg = General, uint8(number(name[1:]))
		case name[0] == 'P':
			o.File, o.Reg = Predicate, uint8(number(name[1:]))
		default:
			o.File, o.Reg = UniformReg, uint8(number(name[2:]))
		}
		if pos < 0 {
			l.Dst[0] = o
		} else {
			l.Src[pos] = o
		}
	}
}

func (l *line) control(s string) {
	for _, w := range strings.Fields(s) {
		switch w[0] {
		case 'y':
			l.Bits.Yield = true
		case 'w':
			l.Bits.Write = uint8(number(w[1:]))
		case 'r':
			l.Bits.Read = uint8(number(w[1:]))
		case '&':
			l.Bits.Wait |= 1 << number(w[1:])
		default:
			l.Bits.Stall = uint8(number(w))
		}
	}
}

// trace is a Stepper that follows traces, and an Observer that notes when. Its
// warps are those of one CTA.
type trace struct {
	lines  []line  // all texts, one after the other
	start  []int32 // where a warp's begins
	pc     []int32
	state  []State
	taken  []map[int32]int
	atBar  []bool
	effect isa.Effect
	issues [][]kit.Cycle // by warp, in order
	clocks [][]kit.Cycle // values read by clock
	order  []int32       // warps, in order of issue
}

func (tr *trace) Next(w int32) (int32, State) { return tr.pc[w], tr.state[w] }

func (tr *trace) Expire(int32) {}

func (tr *trace) Step(w int32, clock kit.Cycle) *isa.Effect {
	l := &tr.lines[tr.pc[w]]
	tr.effect = isa.Effect{Mask: isa.Full}
	next := tr.pc[w] + 1
	switch l.name {
	case "exit":
		tr.state[w] = Ended
		tr.effect.Exited = isa.Full
		tr.settle()
	case "bra":
		if tr.taken[w] == nil {
			tr.taken[w] = map[int32]int{}
		}
		if tr.taken[w][tr.pc[w]] < l.times {
			tr.taken[w][tr.pc[w]]++
			next = tr.start[w] + l.target
		}
	case "clock":
		tr.clocks[w] = append(tr.clocks[w], clock)
	case "bar", "arrive":
		tr.effect.Barrier = true
		tr.atBar[w] = true
		if l.name == "bar" {
			tr.state[w] = Blocked
			tr.settle()
			return &tr.effect
		}
		tr.settle()
	}
	tr.pc[w] = next
	return &tr.effect
}

// settle releases the warps at the barrier if all that live have arrived.
func (tr *trace) settle() {
	for i := range tr.pc {
		if tr.state[i] != Ended && !tr.atBar[i] {
			return
		}
	}
	for i := range tr.pc {
		tr.atBar[i] = false
		if tr.state[i] == Blocked {
			tr.state[i] = Ready
			tr.pc[i]++
		}
	}
}

func (*trace) Reserved(kit.Cycle, int, *RegSet) {}
func (*trace) Released(kit.Cycle, int, *RegSet) {}

func (tr *trace) Issued(now kit.Cycle, _ int, warp, pc int32) {
	tr.issues[warp] = append(tr.issues[warp], now)
	tr.order = append(tr.order, warp)
}

// rig is an SM with its traces.
type rig struct {
	*trace
	sm   *SM
	cfg  *Config
	code *Code
	now  kit.Cycle // one past the last cycle
}

func defaults(t testing.TB) *Config {
	t.Helper()
	c, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// build makes a rig of one CTA with a warp for each text; the same text shares
// code. Instruction and constant caches are warm.
func build(t testing.TB, c *Config, texts ...string) *rig {
	t.Helper()
	tr := new(trace)
	mem := NewIdealMemory()
	m, err := New(c, Parts{Stepper: tr, Memory: mem, Observer: tr})
	if err != nil {
		t.Fatal(err)
	}
	mem.Attach(m)
	starts := map[string]int32{}
	for _, text := range texts {
		start, ok := starts[text]
		if !ok {
			start = int32(len(tr.lines))
			starts[text] = start
			tr.lines = append(tr.lines, parse(t, c, text)...)
		}
		tr.start = append(tr.start, start)
	}
	n := len(texts)
	tr.pc, tr.state, tr.taken = slices.Clone(tr.start), make([]State, n), make([]map[int32]int, n)
	tr.atBar, tr.issues, tr.clocks = make([]bool, n), make([][]kit.Cycle, n), make([][]kit.Cycle, n)
	insts := make([]Inst, len(tr.lines))
	for i := range insts {
		insts[i] = tr.lines[i].Inst
	}
	g := &rig{trace: tr, sm: m, cfg: c, code: NewCode(1<<20, 1<<40, insts)}
	g.warm(g.code)
	if !m.Launch(0, CTA{Warps: n, Registers: 32, Code: g.code}) {
		t.Fatal("the CTA does not fit")
	}
	return g
}

// together is build for warps that all start at the same time, with full
// buffers, after a barrier; see after.
func together(t testing.TB, c *Config, texts ...string) *rig {
	t.Helper()
	for i := range texts {
		texts[i] = "bar\n" + texts[i]
	}
	g := build(t, c, texts...)
	for len(g.order) < len(texts) {
		g.now = g.sm.Tick(g.now)
	}
	for i := range g.sm.subs {
		g.sm.subs[i].sched.view.Last = 31
	}
	return g
}

// after drops what the warps issued up to the barrier.
func (g *rig) after() *rig {
	g.order = g.order[len(g.issues):]
	for i := range g.issues {
		g.issues[i] = g.issues[i][1:]
	}
	return g
}

// warm fills the caches of all sub-cores with code and the first constants.
func (g *rig) warm(code *Code) {
	size := uint64(g.cfg.Front.Line)
	last := code.Base/size + uint64(len(code.Insts)*g.cfg.Front.Bytes)/size
	for i := range g.sm.subs {
		for line := code.Base / size; line <= last; line++ {
			g.sm.subs[i].front.l0.fill(line)
			g.sm.level1.tags.fill(line)
		}
		g.sm.subs[i].mem.constant.fill(code.Consts / uint64(g.cfg.Constant.Line))
		g.sm.loads.tags.fill(code.Consts / uint64(g.cfg.Constant.Line))
	}
}

// cold empties all caches again.
func (g *rig) cold() *rig {
	g.sm.Invalidate()
	return g
}

// run ticks until all CTAs have ended and checks the statistics.
func (g *rig) run(t testing.TB) *rig {
	t.Helper()
	for g.sm.Resident() > 0 {
		if g.now > 1e6 {
			t.Fatalf("no end; waiting: %v", g.sm.Waits())
		}
		next := g.sm.Tick(g.now)
		if next <= g.now {
			t.Fatalf("cycle %d: next is %d", g.now, next)
		}
		if next == kit.Never && g.sm.Resident() > 0 {
			t.Fatalf("cycle %d: stuck; waiting: %v", g.now, g.sm.Waits())
		}
		if g.sm.Resident() > 0 {
			g.now = next
		} else {
			g.now++
		}
	}
	s := g.sm.Stats(g.now - 1)
	if err := s.Check(g.cfg); err != nil {
		t.Errorf("%v: %+v", err, *s)
	}
	if err := s.Settle(); err != nil {
		t.Error(err)
	}
	return g
}

// since returns the issue cycles of a warp from its first issue on.
func (g *rig) since(warp int) []int {
	var all []int
	for _, c := range g.issues[warp] {
		all = append(all, int(c-g.issues[warp][0]))
	}
	return all
}

// gap is the number of cycles between the issues of two lines of warp 0.
func (g *rig) gap(from, to int) int { return int(g.issues[0][to] - g.issues[0][from]) }

// runs describes the order of issue as warps and how often each issued in a row.
func (g *rig) runs() string {
	var b strings.Builder
	for i := 0; i < len(g.order); {
		j := i
		for j < len(g.order) && g.order[j] == g.order[i] {
			j++
		}
		fmt.Fprintf(&b, "W%d*%d ", g.order[i], j-i)
		i = j
	}
	return strings.TrimSpace(b.String())
}

func repeat(s string, n int) string { return strings.Repeat(s+"\n", n) }
