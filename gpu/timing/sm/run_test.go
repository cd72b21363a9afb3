package sm

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// mixed writes a random program: half of it single precision, a quarter
// integer, a sixth memory, some special functions and predicates.
func mixed(rng *rand.Rand, n int, scheduled bool) string {
	var b strings.Builder
	r := func() int { return 2 + rng.IntN(60) }
	for i := range n {
		switch k := rng.IntN(100); {
		case k < 50:
			fmt.Fprintf(&b, "ffma R%d, R%d, R%d, R%d", r(), r(), r(), r())
		case k < 75:
			fmt.Fprintf(&b, "iadd R%d, R%d, R%d", r(), r(), r())
		case k < 82:
			fmt.Fprintf(&b, "ldg R%d, R%d", r(), r())
		case k < 88:
			fmt.Fprintf(&b, "lds R%d, R%d", r(), r())
		case k < 92:
			fmt.Fprintf(&b, "stg R%d, R%d", r(), r())
		case k < 95:
			fmt.Fprintf(&b, "mufu R%d, R%d", r(), r())
		case k < 98:
			fmt.Fprintf(&b, "isetp P%d, R%d, R%d", rng.IntN(6), r(), r())
		default:
			fmt.Fprintf(&b, "ffma R%d, R%d, c[%d], R%d", r(), r(), 4*rng.IntN(200), r())
		}
		if scheduled {
			fmt.Fprintf(&b, " ; %d w%d r%d", 1+rng.IntN(4), i%6, (i+3)%6)
			if rng.IntN(3) == 0 {
				fmt.Fprintf(&b, " &%d", rng.IntN(6))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func mixedRig(t testing.TB, seed uint64, scheduled bool, c *Config) *rig {
	rng := rand.New(rand.NewPCG(seed, 1))
	var texts []string
	for range 4 {
		texts = append(texts, mixed(rng, 60, scheduled)+"bar\n"+mixed(rng, 40, scheduled)+"bra 0 x3\n")
	}
	return build(t, c, slices.Concat(texts, texts, texts)...).cold()
}

func TestSkippedCyclesChangeNothing(t *testing.T) {
	for seed := range uint64(20) {
		for _, scheduled := range []bool{false, true} {
			c := defaults(t)
			if seed > 0 {
				c = randomConfig(t, rand.New(rand.NewPCG(seed, 2)))
				c.Limits.Warps = 16 * c.Limits.SubCores
			}
			skip := mixedRig(t, seed, scheduled, c).run(t)
			each := mixedRig(t, seed, scheduled, c)
			for ; each.sm.Resident() > 0; each.now++ {
				each.sm.Tick(each.now)
			}
			if a, b := *skip.sm.Stats(skip.now - 1), *each.sm.Stats(each.now - 1); a != b {
				t.Fatalf("seed %d: statistics differ\n%+v\n%+v", seed, a, b)
			}
			if !reflect.DeepEqual(skip.issues, each.issues) {
				t.Fatalf("seed %d: instructions issue at other times", seed)
			}
		}
	}
}

func TestEveryPolicyEndsEveryProgram(t *testing.T) {
	for _, policy := range Policies() {
		for seed := range uint64(5) {
			c := defaults(t)
			c.Issue.Policy, c.Issue.Active = policy, 2
			mixedRig(t, seed, seed%2 == 0, c).run(t)
		}
	}
}

func TestInstructionsOfAWarpIssueInOrderOnceEach(t *testing.T) {
	g := mixedRig(t, 3, false, defaults(t)).run(t)
	for w := range g.issues {
		if n := len(g.issues[w]); n != 4*102+1 {
			t.Errorf("warp %d issued %d instructions, want %d", w, n, 4*102+1)
		}
		if !slices.IsSorted(g.issues[w]) {
			t.Errorf("warp %d issued out of order", w)
		}
	}
}

func TestEveryStatisticMoves(t *testing.T) {
	var total Stats
	sum := func(s *Stats) {
		a, b := reflect.ValueOf(&total).Elem(), reflect.ValueOf(s).Elem()
		for i := range a.NumField() {
			add(a.Field(i), b.Field(i))
		}
	}
	sum(&mixedRig(t, 1, false, defaults(t)).run(t).sm.stats)
	sum(&mixedRig(t, 1, true, defaults(t)).run(t).sm.stats)
	c := one(t)
	c.Issue.Policy, c.Issue.Active = "two_level_active", 1
	sum(&together(t, c, repeat("ffma R1, R2.reuse, R4, R5 ; 1\n nop ; 8", 10), repeat("ldc R1, c[0] ; 1", 10)).run(t).sm.stats)
	sum(&build(t, one(t), repeat("ldc R1, c[2048] ; 1", 3)).run(t).sm.stats)
	sum(&build(t, one(t), "ldg R2, R4 ; 1 w0\n nop ; 11\n nop ; 10\n fadd R6, R7, R9 ; 1\n nop ; 1 &0").run(t).sm.stats)
	full := one(t)
	full.Register.Results = 1
	sum(&build(t, full, repeat("hmma R8, R12 ; 1\n"+repeat("fadd R1, R2, R3 ; 1", 40), 3)).run(t).sm.stats)
	refused := build(t, one(t), repeat("lds R2, R4 ; 1", 8))
	refused.sm.mem = &refusing{IdealMemory: refused.sm.mem.(*IdealMemory)}
	sum(&refused.run(t).sm.stats)
	wrong := one(t)
	wrong.Issue.Check = true
	sum(&build(t, wrong, "ldg R2, R4 ; 1 w0\n fadd R6, R2, R9 ; 1").run(t).sm.stats)
	check(t, "", reflect.ValueOf(total))
}

func add(a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			add(a.Field(i), b.Field(i))
		}
	case reflect.Array:
		for i := range a.Len() {
			add(a.Index(i), b.Index(i))
		}
	default:
		a.SetUint(a.Uint() + b.Uint())
	}
}

func check(t *testing.T, name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[BulkStats]() {
			return // see tests/perturb
		}
		for i := range v.NumField() {
			check(t, v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Array:
		if v.Len() == 33 {
			return // by lanes: tests/perturb has a kernel for them
		}
		for i := range v.Len() {
			check(t, name+" "+Slot(i).String(), v.Index(i))
		}
	default:
		if v.Uint() == 0 {
			t.Errorf("%s never moved", name)
		}
	}
}

// endless is a Stepper whose warps run a loop for ever.
type endless struct {
	pc     [64]int32
	length int32
	effect isa.Effect
	memory []bool
	lanes  []isa.Access
}

func (e *endless) Next(w int32) (int32, State) { return e.pc[w], Ready }

func (e *endless) Expire(int32) {}

func (e *endless) Step(w int32, _ kit.Cycle) *isa.Effect {
	pc := e.pc[w]
	e.effect.Accesses = e.effect.Accesses[:0]
	if e.memory[pc] {
		e.effect.Accesses = append(e.effect.Accesses, e.lanes...)
	}
	if e.pc[w]++; e.pc[w] == e.length {
		e.pc[w] = 0
	}
	return &e.effect
}

// endlessSM runs a loop of 200 mixed instructions in warps warps.
func endlessSM(t testing.TB, warps int, scheduled bool) *SM {
	c := defaults(t)
	rng := rand.New(rand.NewPCG(7, 7))
	lines := parse(t, c, mixed(rng, 200, scheduled))
	e := &endless{length: int32(len(lines)), lanes: make([]isa.Access, 32)}
	e.effect.Mask = isa.Full
	var insts []Inst
	for i := range lines {
		insts = append(insts, lines[i].Inst)
		e.memory = append(e.memory, lines[i].Mem != NoMem)
	}
	mem := NewIdealMemory()
	m, err := New(c, Parts{Stepper: e, Memory: mem})
	if err != nil {
		t.Fatal(err)
	}
	mem.Attach(m)
	code := NewCode(1<<20, 1<<40, insts)
	for i := range warps / 8 {
		if !m.Launch(0, CTA{First: int32(8 * i), Warps: 8, Registers: 32, Code: code}) {
			t.Fatal("a CTA does not fit")
		}
	}
	return m
}

func TestACycleAllocatesNothing(t *testing.T) {
	for _, scheduled := range []bool{false, true} {
		m := endlessSM(t, 64, scheduled)
		now := kit.Cycle(0)
		step := func() {
			for range 1000 {
				now = m.Tick(now)
			}
		}
		for range 20 {
			step()
		}
		if n := testing.AllocsPerRun(20, step); n > 0 {
			t.Errorf("%v allocations in a thousand cycles", n)
		}
	}
}

// cpuTime is what the process has used; the machine's other load does not count.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSM reports the time for a warp instruction of the mix of mixed.
func BenchmarkSM(b *testing.B) {
	for _, warps := range []int{8, 32, 64} {
		for _, scheduled := range []bool{false, true} {
			b.Run(fmt.Sprintf("warps=%d/control=%v", warps, scheduled), func(b *testing.B) {
				m := endlessSM(b, warps, scheduled)
				now, cpu := kit.Cycle(0), cpuTime(b)
				for m.stats.Warp < uint64(b.N) {
					now = m.Tick(now)
				}
				cpu = cpuTime(b) - cpu
				b.ReportMetric(float64(cpu.Nanoseconds())/float64(m.stats.Warp), "cpu-ns/inst")
				b.ReportMetric(float64(m.stats.Warp)/cpu.Seconds()/1e3, "kinst/cpu-s")
				b.ReportMetric(float64(m.stats.Warp)/float64(now), "ipc")
			})
		}
	}
}
