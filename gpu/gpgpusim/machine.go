package gpgpusim

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// What GPGPU-Sim's latencies leave out of the way that a load takes here, in
// cycles, so that a load takes as long as under GPGPU-Sim.
const (
	beyondL1     = 12 // l1.latency: a hit of 28 cycles with -gpgpu_l1_latency 20
	beyondShared = 14 // shared.latency, by the same load
	beyondL2     = 53 // l2.latency: a hit of 188 cycles with -gpgpu_l2_rop_latency 160
	wire         = 25 // noc.latency and noc.reply_latency, parts of it
)

// newestPTX is the newest architecture whose PTX is executed.
const newestPTX = 121

// rop is the rule of the delay before L2.
var rop = as(fmt.Sprintf("l2.latency, noc.latency, noc.reply_latency: %d less, in cycles of L2, for the way there and back", beyondL2), func(c *conversion, v *Value) error {
	c.set("noc.latency", wire)
	c.set("noc.reply_latency", wire)
	c.set("l2.latency", max(c.fabric(c.int(v.Option.Name)-beyondL2), 1))
	return nil
})

// multiprocessors converts the number of SMs. A cluster shares its link from the
// network.
func multiprocessors(c *conversion, v *Value) error {
	clusters, each := c.int("-gpgpu_n_clusters"), c.int("-gpgpu_n_cores_per_cluster")
	n := clusters * each
	if clusters < 1 || each < 1 || n > 1<<12 {
		return fmt.Errorf("%d clusters of %d SMs cannot be", clusters, each)
	}
	c.set("sm.count", n)
	c.set("sm.groups", strings.TrimSuffix(strings.Repeat(strconv.Itoa(each)+",", clusters), ","))
	groups, link := 1, 0
	if each > 1 {
		groups, link = clusters, c.int("-icnt_flit_size")
	}
	c.set("noc.groups", groups)
	c.set("noc.group_in", link)
	return nil
}

// threads converts "threads:warp size".
func threads(c *conversion, v *Value) error {
	n, err := ints(v.Text, ":")
	if err != nil {
		return err
	}
	if len(n) != 2 || n[1] != 32 || n[0] < 32 || n[0]%32 != 0 {
		return fmt.Errorf("%q is not threads:32", v.Text)
	}
	subCores := max(c.int("-gpgpu_num_sched_per_core"), 1)
	if n[0]/32%subCores != 0 || n[0]/32/subCores > 32 {
		return fmt.Errorf("%d warps cannot be shared by %d schedulers, each of which takes 32 at most", n[0]/32, subCores)
	}
	c.set("sm.threads", n[0])
	c.set("sm.warps", n[0]/32)
	return nil
}

// clocks converts "core:interconnect:L2:DRAM" in MHz. Crossbars and L2 have one
// clock here, that of L2.
func clocks(c *conversion, v *Value) error {
	part := strings.Split(v.Text, ":")
	if len(part) != 4 {
		return fmt.Errorf("%q is not core:interconnect:L2:DRAM", v.Text)
	}
	var kHz [4]int
	for i, p := range part {
		mhz, err := strconv.ParseFloat(p, 64)
		if err != nil || mhz < 0.001 || mhz > 1e6 {
			return fmt.Errorf("%q is not a frequency in MHz", p)
		}
		kHz[i] = int(math.Round(mhz * 1000))
	}
	c.set("clock.core", kHz[0])
	c.set("clock.fabric", kHz[2])
	c.set("clock.dram", kHz[3])
	c.set("board.clock_rate", kHz[0])
	c.set("memory.clock_rate", kHz[3]*max(c.int("-dram_data_command_freq_ratio"), 1)/2)
	return nil
}

// fabric converts core cycles, in which GPGPU-Sim counts its fixed delays, to
// cycles of the clock of L2.
func (c *conversion) fabric(core int) int {
	part := strings.Split(c.text("-gpgpu_clock_domains"), ":")
	if len(part) != 4 {
		return core // reported there
	}
	from, err := strconv.ParseFloat(part[0], 64)
	to, err2 := strconv.ParseFloat(part[2], 64)
	if err != nil || err2 != nil || from <= 0 {
		return core
	}
	return int(math.Round(float64(core) * to / from))
}

// latency makes a parameter of a latency of which part passes elsewhere.
func latency(name string, elsewhere, least int) Rule {
	doc := fmt.Sprintf("%s, less %d", name, elsewhere)
	return as(doc, func(c *conversion, v *Value) error {
		c.set(name, max(c.int(v.Option.Name)-elsewhere, least))
		return nil
	})
}

// scheduler converts the policy of issue.
func scheduler(c *conversion, v *Value) error {
	name, rest, _ := strings.Cut(v.Text, ":")
	switch name {
	case "lrr", "gto", "rrr":
		c.set("issue.policy", name)
	case "old":
		c.set("issue.policy", "oldest")
	case "two_level_active":
		n, err := ints(rest, ":")
		if err != nil || len(n) != 3 {
			return fmt.Errorf("%q is not two_level_active:warps:inner:outer", v.Text)
		}
		c.set("issue.policy", name)
		c.set("issue.active", n[0])
	case "warp_limiting":
		n, err := ints(rest, ":")
		if err != nil || len(n) != 2 || n[0] != 2 {
			return fmt.Errorf("%q is not warp_limiting:2:warps", v.Text)
		}
		c.set("issue.policy", "limited")
		c.set("issue.active", n[1])
	default:
		return fmt.Errorf("%q is none of lrr, gto, rrr, old, two_level_active:n:i:o, warp_limiting:2:n", v.Text)
	}
	return nil
}

// The kinds of instruction of a list of latencies.
const (
	opAdd = iota
	opMax
	opMul
	opMad
)

// operations reads a list of latencies or intervals by operation, of which there
// may be fewer than five.
func operations(v *Value) ([5]int, error) {
	n, err := ints(v.Text, ",")
	var all [5]int
	for i := range all {
		if len(n) > 0 {
			all[i] = n[min(i, len(n)-1)]
		}
	}
	return all, err
}

// interval is the number of cycles for which an instruction takes the pipe of a
// sub-core, if an SM has so many units.
func (c *conversion) interval(initiation int, units string) int {
	subCores, n := max(c.int("-gpgpu_num_sched_per_core"), 1), c.int(units)
	if n < 1 {
		n = subCores
	}
	return max(initiation*((subCores+n-1)/n), 1)
}

func intLatency(c *conversion, v *Value) error {
	n, err := operations(v)
	if err != nil {
		return err
	}
	c.set("int.latency", n[opAdd])
	c.set("imad.latency", n[opMad])
	return nil
}

func intInterval(c *conversion, v *Value) error {
	n, err := operations(v)
	if err != nil {
		return err
	}
	units := "-gpgpu_num_int_units"
	if c.int(units) == 0 {
		units = "-gpgpu_num_sp_units"
	}
	c.set("int.interval", c.interval(n[opAdd], units))
	c.set("imad.interval", c.interval(n[opMad], units))
	return nil
}

func floatLatency(c *conversion, v *Value) error {
	n, err := operations(v)
	if err != nil {
		return err
	}
	c.set("fp32.latency", n[opAdd])
	c.set("half.latency", n[opAdd])
	return nil
}

func floatInterval(c *conversion, v *Value) error {
	n, err := operations(v)
	if err != nil {
		return err
	}
	interval := c.interval(n[opAdd], "-gpgpu_num_sp_units")
	c.set("fp32.interval", interval)
	c.set("half.interval", interval)
	return nil
}

func doubleLatency(c *conversion, v *Value) error {
	n, err := operations(v)
	if err != nil {
		return err
	}
	c.set("fp64.latency", n[opAdd])
	return nil
}

// doubleInterval also says whether sub-cores share one unit.
func doubleInterval(c *conversion, v *Value) error {
	n, err := operations(v)
	if err != nil {
		return err
	}
	shared := c.int("-gpgpu_num_dp_units") == 1 && c.int("-gpgpu_num_sched_per_core") > 1
	interval := n[opAdd]
	if !shared {
		interval = c.interval(interval, "-gpgpu_num_dp_units")
	}
	c.set("fp64.interval", max(interval, 1))
	c.set("fp64.shared", shared)
	c.set("sm.single_per_double", max(interval/max(c.interval(1, "-gpgpu_num_sp_units"), 1), 1))
	return nil
}

func specialInterval(c *conversion, v *Value) error {
	n, err := ints(v.Text, ",")
	if err != nil {
		return err
	}
	c.set("sfu.interval", c.interval(n[0], "-gpgpu_num_sfu_units"))
	return nil
}

// fragment is M*N*K*bits of the wmma instruction that GPGPU-Sim knows.
const fragment = 16 * 16 * 16 * 16

// tensor converts the interval and the latency of a wmma instruction. An
// operation takes its pipe for half of M*N*K*bits/tensor.rate cycles.
func tensor(c *conversion, v *Value) error {
	interval, err := strconv.Atoi(c.text("-ptx_opcode_initiation_tensor"))
	late, err2 := strconv.Atoi(c.text("-ptx_opcode_latency_tesnor"))
	if err != nil || err2 != nil || interval < 1 {
		return fmt.Errorf("an interval of %q and a latency of %q cycles cannot be", c.text("-ptx_opcode_initiation_tensor"), c.text("-ptx_opcode_latency_tesnor"))
	}
	interval = c.interval(interval, "-gpgpu_num_tensor_core_units")
	c.set("tensor.rate", max(fragment/(2*interval), 1))
	c.set("tensor.latency", max(late-2*interval, 0))
	return nil
}

// nested converts the latencies of launches by kernels.
func nested(c *conversion, v *Value) error {
	n, err := ints(v.Text, ",")
	if err != nil || len(n) != 5 {
		return fmt.Errorf("%q is not five numbers of cycles", v.Text)
	}
	c.set("launch.nested", n[3])
	return nil
}

// partitioning converts the order in which slices take turns.
func partitioning(c *conversion, v *Value) error {
	hash, ok := map[string]string{"0": "none", "1": "xor", "2": "ipoly", "4": "ipoly"}[v.Text]
	if !ok {
		return fmt.Errorf("%s is none of 0, 1, 2 and 4", v.Text)
	}
	c.set("l2.hash", hash)
	return nil
}

// queues converts the depths of a partition's queues.
func queues(c *conversion, v *Value) error {
	n, err := ints(v.Text, ":")
	if err != nil || len(n) != 4 {
		return fmt.Errorf("%q is not four depths", v.Text)
	}
	c.set("l2.queue", max(n[0], 1))
	return nil
}

// unlimited is a queue that is never full.
const unlimited = 4096

// writes converts the separate queue of writes; without one both have the depth of
// the scheduler's queue.
func writes(c *conversion, v *Value) error {
	size := c.int("-gpgpu_frfcfs_dram_sched_queue_size")
	if size <= 0 {
		size = unlimited
	}
	c.set("dram.queue", size)
	high, low := size*3/4, size/4
	if c.int("-dram_seperate_write_queue_enable") != 0 {
		n, err := ints(c.text("-dram_write_queue_size"), ":")
		if err != nil || len(n) != 3 || n[0] < n[1] || n[1] <= n[2] {
			return fmt.Errorf("-dram_write_queue_size %q is not size:high:low, in falling order", c.text("-dram_write_queue_size"))
		}
		size, high, low = n[0], n[1], n[2]
	}
	c.set("dram.write_queue", size)
	c.set("dram.write_high", max(high, 1))
	c.set("dram.write_low", low)
	return nil
}

// shared converts the size of shared memory, the largest of what an SM can have.
func shared(c *conversion, v *Value) error {
	size := c.int("-gpgpu_shmem_size")
	if c.int("-gpgpu_adaptive_cache_config") != 0 {
		options, err := ints(c.text("-gpgpu_shmem_option"), ",")
		if err != nil {
			return fmt.Errorf("-gpgpu_shmem_option: %w", err)
		}
		size = 1024 * options[len(options)-1]
	}
	c.set("sm.shared", size)
	c.set("sm.shared_bytes", size)
	c.set("sm.shared_reserved", 0)
	c.set("launch.shared_reserved", 0)
	c.set("launch.shared_per_block_optin", size)
	return nil
}

// errNetwork is the error of an interconnect that does not exist.
var errNetwork = errors.New("there are 1 (BookSim) and 2 (local crossbar)")

// choice makes a parameter of one of several words, in the order of their numbers.
func choice(name string, words ...string) Rule {
	return as(name+": "+strings.Join(words, ", "), func(c *conversion, v *Value) error {
		n := c.int(v.Option.Name)
		if n < 0 || n >= len(words) {
			return fmt.Errorf("there are 0 to %d", len(words)-1)
		}
		c.set(name, words[n])
		return nil
	})
}
