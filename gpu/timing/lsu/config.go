package lsu

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/tma"
)

// Config is the shared part of an SM's memory pipeline.
type Config struct {
	Pipeline Pipeline     `prefix:"lsu."`
	Data     Data         `prefix:"l1."`
	L1       cache.Config `prefix:"l1."`
	Shared   Shared       `prefix:"shared."`
	Bulk     tma.Config   `prefix:"tma."`
}

// Pipeline is what all accesses pass.
type Pipeline struct {
	Front      kit.Cycle `opt:"front" unit:"cycles" default:"6" doc:"Stages between the sub-cores and the shared part." src:"MICRO 2025 artefact"`
	Pending    int       `opt:"prt" unit:"instructions" default:"128" doc:"Entries of the pending request table." src:"MICRO 2025 artefact"`
	Coalescers int       `opt:"coalescers" unit:"requests/cycle" default:"4" doc:"Instructions whose requests go to L1 at a time, one a cycle each." src:"MICRO 2025 artefact"`
	Misses     int       `opt:"misses" unit:"requests" default:"64" doc:"Requests that wait for the network." src:"guess"`
	Return     int       `opt:"return_width" unit:"bytes/cycle" default:"64" doc:"Link of global data to each sub-core." src:"MICRO 2025 table 2: two cycles more for each further register"`
	Least      kit.Cycle `opt:"return_least" unit:"cycles" default:"2" doc:"Shortest use of a return link." src:"MICRO 2025 artefact: a register takes two cycles"`
	Perfect    bool      `opt:"perfect" default:"false" doc:"Every access to global and local memory hits in L1."`
	Copy       kit.Cycle `opt:"copy" unit:"cycles" default:"9" doc:"What a copy from global to shared memory takes beyond a load's L1 time." src:"MICRO 2025 table 2: 39"`
}

// Data is what surrounds the tags of L1.
type Data struct {
	Unified   int       `opt:"unified" unit:"bytes" default:"262144" doc:"Memory that L1 and shared memory divide." src:"CUDA programming guide, cc 9.0"`
	Carveouts string    `opt:"carveouts" unit:"KiB" default:"0,8,16,32,64,100,132,164,196,228" doc:"Sizes that shared memory can have; L1 gets the rest." src:"CUDA programming guide, cc 9.0"`
	Latency   kit.Cycle `opt:"latency" unit:"cycles" default:"12" doc:"Lookup to the return link, of lane addresses; a uniform one takes a cycle less." src:"MICRO 2025 table 2: 32 and 29"`
	Banks     int       `opt:"banks" default:"4" doc:"Tag banks." src:"MICRO 2025 artefact"`
	Lookups   int       `opt:"lookups" unit:"requests/cycle" default:"4" doc:"Lookups of a bank." src:"MICRO 2025 artefact"`
	Width     int       `opt:"width" unit:"bytes/cycle" default:"128" doc:"What the data array delivers, by whole sectors." src:"Luo 2024: 124.1 on H800"`
	Miss      kit.Cycle `opt:"miss" unit:"cycles" default:"4" doc:"Lookup to the network." src:"guess"`
	Fill      kit.Cycle `opt:"fill" unit:"cycles" default:"4" doc:"Arrival from the network to the return link." src:"guess"`
	Cached    bool      `opt:"cached" default:"true" doc:"Global loads are cached in L1." src:"CUDA programming guide"`
	Flush     bool      `opt:"flush" default:"true" doc:"L1 is emptied when a kernel begins." src:"CUDA programming guide: L1 is not coherent"`
}

// Shared is the shared memory.
type Shared struct {
	Latency  kit.Cycle `opt:"latency" unit:"cycles" default:"6" doc:"First pass to the return link, of lane addresses; a uniform one takes a cycle less." src:"MICRO 2025 table 2: 24 and 23"`
	Banks    int       `opt:"banks" default:"32" doc:"Banks of one word; a power of two." src:"CUDA programming guide"`
	Pass     kit.Cycle `opt:"pass" unit:"cycles" default:"1" doc:"Time that one conflict-free pass takes the banks." src:"MICRO 2025 table 2: 128 B a cycle"`
	Late     kit.Cycle `opt:"late" unit:"cycles" default:"2" doc:"From the data of a pass to those of the next one of the same instruction." src:"measured on an H200: shared.stride_2 to 32"`
	Return   int       `opt:"return_width" unit:"bytes/cycle" default:"128" doc:"Link of shared-memory data to the sub-cores." src:"MICRO 2025 artefact"`
	Merge    bool      `opt:"merge" default:"true" doc:"Parts of a wide load that do not conflict share a pass; stores never do." src:"FlashGPU-Sim notes, sm_120"`
	Exchange kit.Cycle `opt:"exchange" unit:"cycles" default:"0" doc:"What an exchange between lanes takes longer than a load." src:"MICRO 2025 artefact: the same path"`
	Remote   kit.Cycle `opt:"remote" unit:"cycles" default:"156" doc:"What a load or an atomic operation takes longer in the shared memory of another SM of the cluster." src:"FlashGPU-Sim notes, sm_90: 78 cycles one way"`
	Window   kit.Cycle `opt:"window" unit:"cycles" default:"108" doc:"What a load or an atomic operation by an address of the cluster's takes longer in the SM's own shared memory." src:"measured on an H200: dsm.load_1 of 131 cycles, against 23"`
	Network  int       `opt:"network" unit:"bytes/cycle" default:"21" doc:"What an SM reads from and writes to the shared memory of others." src:"measured on an H200: dsm.load_rate, dsm.store_rate"`
	Message  kit.Cycle `opt:"message" unit:"cycles" default:"45" doc:"From the departure of an asynchronous store or reduction to its end at an mbarrier object." src:"fit on an H200: answer.store_v4, answer.reduce"`
	Backlog  kit.Cycle `opt:"backlog" unit:"cycles" default:"16" doc:"Passes for which an instruction may wait behind the sub-cores; more keep it there." src:"guess"`
	Atomic   kit.Cycle `opt:"atomic" unit:"cycles" default:"18" doc:"What an atomic operation adds to a load." src:"guess: 47 cycles on RTX 5090 less a load"`
}

// carveouts reads Data.Carveouts: bytes, ascending.
func (d *Data) carveouts() (sizes []int, err error) {
	for _, s := range strings.Split(d.Carveouts, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n*1024 > d.Unified || len(sizes) > 0 && n*1024 <= sizes[len(sizes)-1] {
			return nil, fmt.Errorf("carve-outs %q of %d bytes: %q is no ascending number of KiB within", d.Carveouts, d.Unified, s)
		}
		sizes = append(sizes, n*1024)
	}
	return sizes, nil
}

func (c *Config) check() error {
	p, d, s := &c.Pipeline, &c.Data, &c.Shared
	switch {
	case p.Pending < 1 || p.Coalescers < 1 || p.Misses < 1 || p.Return < 1 || p.Front < 1:
		return fmt.Errorf("a memory pipeline of %+v cannot be", *p)
	case d.Banks < 1 || d.Lookups < 1 || d.Width < c.L1.Sector || d.Latency < 1 || d.Miss < 1 || d.Fill < 1:
		return fmt.Errorf("an l1 of %+v cannot be", *d)
	case c.L1.Line != lineBytes || c.L1.Sector != sectorBytes:
		return fmt.Errorf("l1 has lines of %d bytes with sectors of %d; the coalescer makes requests of %d and %d", c.L1.Line, c.L1.Sector, lineBytes, sectorBytes)
	case s.Banks < 1 || s.Banks > maxBanks || s.Banks&(s.Banks-1) != 0 || s.Return < 1 || s.Latency < 2 || s.Pass < 1 || s.Network < 1:
		return fmt.Errorf("a shared memory of %+v cannot be", *s)
	}
	return nil
}
