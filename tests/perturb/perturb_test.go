// Package perturb changes every parameter of the timing model and looks whether
// anything changes with it, and whether every counter counts.
package perturb

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

//go:embed kernels.ptx
var kernels string

// straight is a kernel of so many instructions without a branch.
func straight(instructions int) string {
	var b strings.Builder
	b.WriteString("\n.visible .entry straight(.param .u64 p)\n{\n.reg .f32 %f<4>;\n.reg .b64 %a<2>;\nld.param.u64 %a0, [p];\nld.global.f32 %f0, [%a0];\nmov.f32 %f1, %f0;\n")
	for i := range instructions {
		fmt.Fprintf(&b, "fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", i%2, i%2, (i+1)%2, i%2)
	}
	b.WriteString("st.global.f32 [%a0], %f0;\nret;\n}\n")
	return b.String()
}

// launch is a run of one kernel.
type launch struct {
	kernel  string
	grid    uint32
	block   uint32
	cluster uint32
	shared  uint32 // dynamic
}

// suite uses every part of the model; the cheapest come first.
var suite = []launch{
	{kernel: "chains", grid: 4, block: 64},
	{kernel: "chases", grid: 1, block: 1},
	{kernel: "shares", grid: 6, block: 256},
	{kernel: "lanes", grid: 1, block: 32},
	{kernel: "parts", grid: 2, block: 64},
	{kernel: "constants", grid: 2, block: 64},
	{kernel: "atomics", grid: 8, block: 128},
	{kernel: "overwrites", grid: 2, block: 64},
	{kernel: "operands", grid: 2, block: 64},
	{kernel: "hits", grid: 4, block: 512},
	{kernel: "copies", grid: 2, block: 256},
	{kernel: "matrices", grid: 2, block: 128},
	{kernel: "phases", grid: 2, block: 128},
	{kernel: "parents", grid: 1, block: 1},
	{kernel: "clusters", grid: 4, block: 128, cluster: 2},
	{kernel: "bulks", grid: 3, block: 64},
	{kernel: "tensors", grid: 1, block: 1},
	{kernel: "messages", grid: 4, block: 32, cluster: 2},
	{kernel: "straight", grid: 4, block: 32},
	{kernel: "floods", grid: 4, block: 256},
	{kernel: "streams", grid: 16, block: 256},
	{kernel: "scatters", grid: 12, block: 64},
	{kernel: "chains", grid: 40, block: 32, shared: 22272},
	{kernel: "chains", grid: 8, block: 1024},
}

// strained is a GPU so small that its limits bind.
const strained = `
l2.channels 2
l2.slices_per_channel 2
l2.sets 16
l2.ways 8
l2.mshrs 12
l2.merges 4
l2.queue 4
noc.buffer 2
noc.groups 2
noc.group_in 2
l2.latency 8
l2.far 4
l1.unified 65536
l1.carveouts 0,16,32,48,64
lsu.prt 12
lsu.misses 4
l1.mshrs 10
l1.merges 2
l1.lookups 1
dram.queue 12
dram.write_queue 10
dram.write_high 8
dram.write_low 2
dram.trefi 2000
dram.trfc 200
dram.starve 100
icache.preload 4096
icache.l0_sets 2
icache.l0_ways 4
icache.l1_sets 4
icache.l1_ways 4
icache.stream 4
const.vl_ways 2
regfile.results 1
scoreboard.consumers 2
launch.latency 50
tma.queue 2
tma.maps 2
tma.maps_cached 6
tma.outstanding 24
limit.cycles 2000000
`

const sms = 4

// machine is the strained GPU with further lines.
func machine(lines string) (*chip.Config, error) {
	c := &chip.Config{}
	settings, err := models.Read("", c)
	if err != nil {
		return nil, err
	}
	return c, option.Override(settings, "perturbed", strained+lines)
}

// run is what the GPU takes and counts for each launch of the suite, until enough
// says so.
func run(c *chip.Config, enough func(i int, r *chip.Report) bool) error {
	return runOn(c, sms, 1, suite, enough)
}

// runOn is run with so many SMs, simulated by so many threads, for some launches.
func runOn(c *chip.Config, sms, workers int, launches []launch, enough func(i int, r *chip.Report) bool) error {
	var last *chip.Report
	p, err := solo.Load(gpu.Config{
		Memory: mem.Config{DeviceBytes: 1 << 28}, SMs: sms, ThreadsPerSM: 2048, Workers: workers,
		Timing: c, Report: func(r *chip.Report) { last = r },
	}, "kernels.ptx", text)
	if err != nil {
		return err
	}
	defer p.Close()
	const bytes = 4 << 20
	buffer, err := p.Alloc(bytes)
	if err != nil {
		return err
	}
	words := make([]byte, bytes)
	for i := 0; i < bytes; i += 4 {
		binary.LittleEndian.PutUint32(words[i:], uint32(i))
	}
	for i, l := range launches {
		if err := p.Write(buffer, words); err != nil {
			return err
		}
		last = nil
		_, err := p.Run(solo.Launch{
			Kernel: l.kernel, Grid: [3]uint32{l.grid, 1, 1}, Block: [3]uint32{l.block, 1, 1}, Cluster: clusterOf(l), Shared: l.shared,
		}, append(binary.LittleEndian.AppendUint64(nil, buffer), make([]byte, parameters)...))
		switch {
		case last == nil:
			last = &chip.Report{Broken: true} // it cannot run at all
		case err != nil && !last.Broken:
			return err
		}
		if enough(i, last) || last.Broken {
			return nil
		}
	}
	return p.Check()
}

// parameters is the size of the largest kernel's further parameters.
const parameters = 2048

var text = kernels + straight(1500)

func clusterOf(l launch) [3]uint32 {
	if l.cluster == 0 {
		return [3]uint32{}
	}
	return [3]uint32{l.cluster, 1, 1}
}

// signature is all that can be observed of a launch.
func signature(r *chip.Report) []uint64 {
	s := stat.Values(stat.List(&r.Totals), nil)
	broken := uint64(0)
	if r.Broken {
		broken = 1
	}
	return append(s, uint64(r.Cycles()), uint64(r.Occupancy), broken)
}

// words are the values of options that are text or choices.
var words = map[string][]string{
	"issue.policy":      {"gto", "lrr", "two_level_active", "oldest", "rrr", "limited"},
	"icache.prefetch":   {"none", "next_line"},
	"l1.carveouts":      {"64", "0"},
	"l1.index":          {"xor", "ipoly"},
	"l1.replacement":    {"fifo", "plru", "random"},
	"l1.allocate":       {"miss"},
	"l1.write":          {"back", "evict"},
	"l1.write_allocate": {"fetch", "lazy"},
	"noc.arbiter":       {"rr"},
	"l2.hash":           {"none", "xor"},
	"l2.index":          {"linear", "xor"},
	"l2.replacement":    {"fifo", "plru", "random"},
	"l2.allocate":       {"fill"},
	"l2.write":          {"through", "evict"},
	"l2.write_allocate": {"none", "fetch"},
	"dram.map":          {"column,bank,group,row", "bank,group,column,row"},
	"dram.scheduler":    {"fcfs"},
	"dram.refresh":      {"none", "bank"},
	"launch.placement":  {"fewest", "fill"},
}

// with are the lines that an option needs to matter.
var with = map[string]string{
	"issue.active":      "issue.policy two_level_active",
	"l1.seed":           "l1.replacement random",
	"l2.seed":           "l2.replacement random",
	"l1.write_allocate": "l1.write back",
	"dram.tccds":        "dram.tccdl 16",
	"limit.cycles":      "limit.cycles 20000", // one that binds
	"half.interval":     "half.other 0",
	"fp32.in_int":       "fp32.parts false",
}

// inert lists the parameters that change nothing, each with the reason.
var inert = map[string]string{
	"icache.below":        "a chip has memory below its instruction caches; SMs alone have not",
	"issue.long_stall":    control,
	"issue.short_stall":   control,
	"issue.yield_stall":   control,
	"issue.depbar_delay":  control,
	"issue.check":         control,
	"regfile.window_wide": "no PTX instruction reads four adjacent registers: fragments of matrices have registers apart",
	"local.const_imm_war": "a constant load by immediate reads no register",
	"uniform.latency":     "PTX has no uniform datapath",
	"uniform.interval":    "PTX has no uniform datapath",
	"l1.ways":             "they follow from l1.unified and the carve-out",
	"l1.line":             only,
	"l1.sector":           only,
	"copy.to_device":      copies,
	"copy.to_host":        copies,
	"copy.within":         copies,
	"copy.unpinned":       copies,
	"copy.latency":        copies,
	"copy.within_latency": copies,
	"limit.standstill":    "kernels that wait for ever are tested in package gpu",
}

const (
	control = "control bits of machine code, which is not executed yet; the SM's own tests change it"
	copies  = "copies of the host are tested in package gpu"
	only    = "requests are made of this size: there is no other value"
)

// variants are the lines that change an option.
func variants(s *option.Setting) []string {
	var lines []string
	values, isText := words[s.Name]
	if !isText {
		switch v := s.Value(); v {
		case "true":
			values = []string{"false"}
		case "false":
			values = []string{"true"}
		default:
			n := s.Int()
			for _, m := range []int64{2*n + 1, n / 2, 0, 4 * n, n - 1, n + 1} {
				values = append(values, strconv.FormatInt(m, 10))
			}
		}
	}
	for _, v := range values {
		lines = append(lines, s.Name+" "+v+"\n")
	}
	return lines
}

// observe is the signature of each launch under a configuration.
func observe(lines string) ([][]uint64, error) {
	c, err := machine(lines)
	if err != nil {
		return nil, err
	}
	var all [][]uint64
	err = run(c, func(_ int, r *chip.Report) bool {
		all = append(all, signature(r))
		return false
	})
	return all, err
}

// differs reports whether lines change anything against a baseline.
func differs(lines string, base [][]uint64) (bool, error) {
	c, err := machine(lines)
	if err != nil {
		return false, err
	}
	found := false
	err = run(c, func(i int, r *chip.Report) bool {
		found = !slices.Equal(signature(r), base[i])
		return found
	})
	return found, err
}

func TestEveryOptionChangesSomething(t *testing.T) {
	t.Parallel()
	c, err := machine("")
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string][][]uint64{}
	base := func(lines string) [][]uint64 {
		if bases[lines] == nil {
			if bases[lines], err = observe(lines); err != nil {
				t.Fatal(err)
			}
		}
		return bases[lines]
	}
	for _, s := range option.List(c) {
		context := with[s.Name]
		if context != "" {
			context += "\n"
		}
		changed, tried := false, 0
		var refused error
		lines := variants(s)
		if inert[s.Name] != "" {
			lines = lines[:min(len(lines), 2)] // that it is still inert
		}
		for _, line := range lines {
			d, err := differs(context+line, base(context))
			if err != nil { // such a GPU cannot be
				refused = err
				continue
			}
			tried++
			if changed = d; changed {
				break
			}
		}
		switch reason := inert[s.Name]; {
		case tried == 0 && reason == "":
			t.Errorf("%s: no other value is possible: %v", s.Name, refused)
		case !changed && reason == "":
			t.Errorf("%s %s: nothing changes with it", s.Name, s.Value())
		case changed && reason != "":
			t.Errorf("%s is listed as inert (%s) and is not", s.Name, reason)
		}
	}
}

// machines are the GPUs on which counters must count.
var machines = []string{
	"",
	"limit.cycles 4000000\nissue.policy rrr\nl1.write back\nl1.write_allocate lazy\nl1.allocate miss\nl1.sets 1\nl1.unified 16384\nl1.carveouts 16\nl2.sets 1\nl2.ways 2\n",
}

// silent lists the counters that stay 0, each with the reason.
var silent = map[string]string{
	"sm.inst.early":    control,
	"noc.up.grouped":   "only replies pass the link of a group",
	"noc.down.blocked": "an SM takes what comes",
}

func TestEveryCounterCounts(t *testing.T) {
	t.Parallel()
	var sum chip.Totals
	for _, lines := range machines {
		c, err := machine(lines)
		if err != nil {
			t.Fatal(err)
		}
		err = run(c, func(_ int, r *chip.Report) bool {
			stat.Add(stat.List(&sum), stat.List(&r.Totals))
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range stat.List(&sum) {
		if counts, reason := *n.Value > 0, silent[n.Name]; counts == (reason != "") {
			t.Errorf("%s is %d: %s %s", n.Name, *n.Value, n.Doc, reason)
		}
	}
}

func TestCountersOfEachGridObeyTheirLaws(t *testing.T) {
	t.Parallel()
	for _, lines := range machines {
		c, err := machine(lines + alone)
		if err != nil {
			t.Fatal(err)
		}
		err = run(c, func(i int, r *chip.Report) bool {
			if r.Broken {
				t.Errorf("%s does not end: %d cycles so far", suite[i].kernel, r.End)
				return true
			}
			for _, law := range laws(r, c) {
				if law.left != law.right {
					t.Errorf("%s: %s: %d and %d", suite[i].kernel, law.what, law.left, law.right)
				}
			}
			return false
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestThreadsDecideNothing(t *testing.T) {
	t.Parallel()
	across := []launch{
		{kernel: "clusters", grid: 128, block: 128, cluster: 2},
		{kernel: "bulks", grid: 128, block: 64},
		{kernel: "messages", grid: 128, block: 32, cluster: 2},
	}
	var first [][]uint64
	for workers := 1; workers <= 3; workers++ {
		c := &chip.Config{}
		if _, err := models.Read("", c); err != nil {
			t.Fatal(err)
		}
		var all [][]uint64
		err := runOn(c, 64, workers, across, func(i int, r *chip.Report) bool {
			if r.Broken {
				t.Errorf("%s does not end", across[i].kernel)
			}
			all = append(all, signature(r))
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
		if workers == 1 {
			first = all
		}
		for i := range all {
			if !slices.Equal(all[i], first[i]) {
				t.Errorf("%s counts on %d threads\n%d, on one\n%d", across[i].kernel, workers, all[i], first[i])
			}
		}
	}
}

// alone has everything that a grid leaves under way end before the next one starts.
const alone = "launch.latency 4000\n"

// law is an equation between counters.
type law struct {
	what        string
	left, right uint64
}

func laws(r *chip.Report, c *chip.Config) []law {
	slots := uint64(0)
	for _, n := range r.SM.Slots {
		slots += n
	}
	f, l1, l2, m, d := &r.SM.Front, &r.L1, &r.L2, &r.Memory, &r.DRAM
	requests, replies := uint64(0), uint64(0)
	for kind := range m.Requests {
		requests += m.Requests[kind]
		replies += m.Replies[kind]
	}
	return []law{
		{"issue slots are what became of them", r.SM.Cycles * uint64(c.SM.Limits.SubCores), slots},
		{"issued slots are instructions", r.SM.Warp, r.SM.Slots[0]},
		{"CTAs end", r.SM.CTAs, r.SM.CTAsEnded},
		{"instructions fetched hit L0 in the end", f.Fetches, f.L0Hits},
		{"memory instructions are answered", r.LSU.Accepted, r.LSU.Done},
		{"reads of L1", l1.Reads, l1.ReadHits + l1.ReadMerged + l1.ReadMisses},
		{"writes of L1", l1.Writes, l1.WriteHits + l1.WriteMisses},
		{"reads of L2", l2.Reads, l2.ReadHits + l2.ReadMerged + l2.ReadMisses},
		{"writes of L2", l2.Writes, l2.WriteHits + l2.WriteMisses},
		{"packets that SMs send are requests", r.LSU.Sent, requests},
		{"requests are answered", requests, replies},
		{"replies reach SMs", replies, r.LSU.Received},
		{"packets leave the network to L2", r.Up.Accepted, r.Up.Moved},
		{"packets leave the network to SMs", r.Down.Accepted, r.Down.Moved},
		{"sectors that L2 fetches come", l2.Fetched, l2.Filled},
		{"reads of memory end", d.Requests[0], d.Finished[0]},
		{"writes of memory end", d.Requests[1], d.Finished[1]},
	}
}
