package chip

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/lsu"
	"github.com/lockstep-sim/lockstep/gpu/timing/memory"
	"github.com/lockstep-sim/lockstep/gpu/timing/program"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// Config holds the parameters of the timing model of a GPU.
type Config struct {
	Program program.Config
	SM      sm.Config
	LSU     lsu.Config
	Memory  memory.Config
	Launch  Launch
	Copy    Copy
	Limit   Limit
}

// Way is where a copy goes.
type Way uint8

// The ways.
const (
	ToDevice Way = iota
	ToHost
	Within   // device memory, also filling it
	Unpinned // between the device and memory of the host that is not pinned
	Ways     // their number
)

// Copy holds the parameters of copies and fills. Those of one way follow one
// another; ways do not disturb one another, nor kernels.
type Copy struct {
	ToDevice uint64 `opt:"copy.to_device" unit:"MB/s" default:"25000" doc:"Copies from pinned memory of the host." src:"guess: PCIe 4.0 x16"`
	ToHost   uint64 `opt:"copy.to_host" unit:"MB/s" default:"25000" doc:"Copies to pinned memory of the host." src:"guess: PCIe 4.0 x16"`
	Within   uint64 `opt:"copy.within" unit:"MB/s" default:"300000" doc:"Copies within device memory; fills are twice as fast." src:"guess"`
	Unpinned uint64 `opt:"copy.unpinned" unit:"MB/s" default:"8000" doc:"Copies from and to other memory of the host." src:"guess"`
	Latency  uint64 `opt:"copy.latency" unit:"ns" default:"2200" doc:"What a copy between host and device takes beyond that." src:"measured on an H200"`
	Inner    uint64 `opt:"copy.within_latency" unit:"ns" default:"5000" doc:"What a copy within device memory, or a fill, takes beyond that." src:"measured on an H200"`
}

// Transfer is the number of cycles that a copy of so many bytes takes.
func (c *Config) Transfer(w Way, bytes uint64) kit.Cycle {
	rate := [Ways]uint64{c.Copy.ToDevice, c.Copy.ToHost, c.Copy.Within, c.Copy.Unpinned}[w]
	latency := c.Copy.Latency
	if w == Within {
		latency = c.Copy.Inner
	}
	ns := float64(latency) + float64(bytes)*1000/float64(rate)
	return kit.Cycle(ns * float64(c.Memory.Clock.Core) / 1e6)
}

// Launch holds the parameters of grids.
type Launch struct {
	Latency   kit.Cycle `opt:"launch.latency" unit:"cycles" default:"4000" doc:"From the start of a grid to its first CTA." src:"guess: 2 us within a kernel, of 4.9 us of an event's"`
	Placement string    `opt:"launch.placement" default:"turns" doc:"Which SM gets a CTA: a registered policy; clusters go to groups of SMs in turn." src:"measured on an H200: CTAs are dealt out"`
	Rate      int       `opt:"launch.rate" unit:"CTAs/cycle" default:"1" doc:"CTAs that the distributor places in a cycle." src:"guess"`
	Cluster   kit.Cycle `opt:"launch.cluster_barrier" unit:"cycles" default:"156" doc:"From the last arrival at the barrier of a cluster to those who waited on other SMs." src:"FlashGPU-Sim notes, sm_90: 78 cycles from SM to SM, there and back"`
	Refill    kit.Cycle `opt:"launch.refill" unit:"cycles" default:"300" doc:"From the exit of a CTA's last warp to the first CTA in its place." src:"fit on an H200 (launch.refill): 436 cycles"`
	Interval  kit.Cycle `opt:"launch.sm_interval" unit:"cycles" default:"16" doc:"From one CTA to the next on the same SM." src:"measured on an H200 (launch.interval): 18, 21 and 41 cycles for CTAs of 1, 8 and 32 warps"`
	PerWarp   kit.Cycle `opt:"launch.warp_interval" unit:"cycles" default:"1" doc:"The same, more for each warp of the CTA." src:"measured with it"`
	First     kit.Cycle `opt:"launch.first" unit:"cycles" default:"0" doc:"From the arrival of a grid's first CTA on an SM to its first instruction." src:"guess: none"`
	PerCTA    kit.Cycle `opt:"launch.per_cta" unit:"cycles" default:"0" doc:"More for each CTA of the grid before the first one." src:"GPGPU-Sim has it; no card is known to"`
	Nested    kit.Cycle `opt:"launch.nested" unit:"cycles" default:"0" doc:"More for a grid that threads have launched, from the end of theirs." src:"guess"`
}

// Limit ends the simulation of a GPU, in the middle of a grid if need be; 0 is no
// limit.
type Limit struct {
	Cycles       kit.Cycle `opt:"limit.cycles" unit:"cycles" default:"0" doc:"Cycles of the GPU, of all grids together."`
	Instructions uint64    `opt:"limit.instructions" unit:"thread instructions" default:"0" doc:"Instructions of threads."`
	CTAs         uint64    `opt:"limit.ctas" unit:"CTAs" default:"0" doc:"CTAs that have started."`
	Completed    uint64    `opt:"limit.completed_ctas" unit:"CTAs" default:"0" doc:"CTAs that have ended."`
	Standstill   kit.Cycle `opt:"limit.standstill" unit:"cycles" default:"0" doc:"Cycles in which no CTA starts or ends and nothing is stored, so that warps are taken to wait in loops for ever."`
}

// Load reads the parameters of a model from the lines of text, see
// option.Read; file is what errors call it.
func Load(file, text string) (*Config, error) {
	c := &Config{}
	_, err := option.Read(c, file, text)
	return c, err
}

func (c *Config) check(sms int) error {
	l := &c.Launch
	if p := &c.Copy; min(p.ToDevice, p.ToHost, p.Within, p.Unpinned) < 1 {
		return fmt.Errorf("copies of %+v cannot be", *p)
	}
	if sms < 1 || l.Rate < 1 || l.Interval < 1 || l.Refill < 1 {
		return fmt.Errorf("a GPU of %d SMs that launches %d CTAs a cycle, one each %d cycles on an SM, %d after another one's end, cannot be", sms, l.Rate, l.Interval, l.Refill)
	}
	if c.Memory.Network.Lookahead() < 2 {
		return fmt.Errorf("a network whose wires take %d and %d cycles cannot be simulated: two at least", c.Memory.Network.Latency, c.Memory.Network.ReplyLatency)
	}
	return nil
}
