package cache

import (
	"fmt"
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/hash"
)

// Outcome says how an access went.
type Outcome uint8

// The outcomes. After a stall nothing has changed and the access is tried again.
const (
	Hit    Outcome = iota
	Merged         // waits for sectors that are under way
	Miss           // waits for sectors, some of which must be fetched
	StallMSHR
	StallMerge
	StallWay
)

// Stalled reports that the access must be tried again.
func (o Outcome) Stalled() bool { return o >= StallMSHR }

// Result is the outcome of an access and what its owner must do.
type Result struct {
	Outcome Outcome
	Fetch   uint8    // sectors to ask for below
	Forward bool     // pass the write on
	Evicted Eviction // to be written back if any sector is dirty
}

// Eviction is a line that was thrown out.
type Eviction struct {
	Addr  uint64
	Dirty uint8 // sectors
}

// line is the state of a line's sectors.
type line struct {
	number  uint64 // address over line size
	used    bool
	valid   uint8 // can be read
	dirty   uint8 // must be written back
	pending uint8 // awaited
}

// Cache is the state of one cache.
type Cache struct {
	config Config
	sets   int
	ways   int
	shift  uint
	poly   *hash.Poly
	index  table // line number to slot
	lines  []line
	count  []int32 // used lines of a set
	policy Policy
	mshr   mshr
	held   func(set, way int) bool

	Stats Stats
}

// New returns an empty cache.
func New(c Config) (*Cache, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	k := &Cache{config: c, sets: c.Sets, shift: uint(bits.TrailingZeros(uint(c.Line))), mshr: newMSHR(c.MSHRs)}
	if c.Index == "ipoly" {
		k.poly = hash.NewPoly(min(max(bits.Len(uint(c.Sets-1)), 1), hash.MaxDegree))
	}
	k.held = func(set, way int) bool { return k.lines[set*k.ways+way].pending != 0 }
	return k, k.Resize(c.Ways)
}

// Resize changes the number of ways and empties the cache, as a new carve-out
// does. Nothing may be under way.
func (k *Cache) Resize(ways int) error {
	if k.mshr.used() > 0 {
		return fmt.Errorf("cannot resize a cache that awaits %d lines", k.mshr.used())
	}
	if ways == k.ways {
		k.Invalidate()
		return nil
	}
	policy, err := newPolicy(k.config.Replacement, k.sets, ways, k.config.Seed)
	if err != nil {
		return err
	}
	k.ways, k.policy = ways, policy
	k.lines = make([]line, k.sets*ways)
	k.count = make([]int32, k.sets)
	k.index = newTable(k.sets * ways)
	return nil
}

// Bytes is the capacity.
func (k *Cache) Bytes() int { return k.sets * k.ways * k.config.Line }

// Quiet reports that nothing is under way.
func (k *Cache) Quiet() bool { return k.mshr.used() == 0 }

// set chooses the set of a line.
func (k *Cache) set(number uint64) int {
	switch {
	case k.poly != nil:
		return int((number + uint64(k.poly.Of(number/uint64(k.sets)))) % uint64(k.sets))
	case k.config.Index == "xor":
		q := number / uint64(k.sets)
		return int((number + q ^ q>>5) % uint64(k.sets))
	}
	return int(number % uint64(k.sets))
}

// Read looks sectors of the line at addr up. On a miss or a merge, Fill names the
// waiter when all of them have come.
func (k *Cache) Read(addr uint64, sectors uint8, waiter uint32) Result {
	if k.config.Allocate == "fill" {
		return k.read(addr, sectors, waiter, waits)
	}
	return k.read(addr, sectors, waiter, holds)
}

// ReadLate is Read that takes a line at the fill, whatever the policy, and leaves it to
// others until then, even if some sectors are there.
func (k *Cache) ReadLate(addr uint64, sectors uint8, waiter uint32) Result {
	return k.read(addr, sectors, waiter, yields)
}

func (k *Cache) read(addr uint64, sectors uint8, waiter uint32, c claim) Result {
	number := addr >> k.shift
	slot := k.index.find(number)
	want := sectors
	if slot >= 0 {
		want &^= k.lines[slot].valid
	}
	if want == 0 {
		k.policy.Touch(int(slot)/k.ways, int(slot)%k.ways)
		k.Stats.Reads++
		k.Stats.ReadHits++
		return Result{Outcome: Hit}
	}
	r := k.fetch(number, slot, want, waiter, c)
	if r.Outcome.Stalled() {
		return r
	}
	k.Stats.Reads++
	if r.Outcome == Merged {
		k.Stats.ReadMerged++
		return r
	}
	k.Stats.ReadMisses++
	if slot >= 0 {
		k.Stats.SectorMisses++
	}
	return r
}

// fetch has sectors brought in, or waits for them if they are coming.
func (k *Cache) fetch(number uint64, slot int32, want uint8, waiter uint32, c claim) (r Result) {
	m := k.mshr.index.find(number)
	need := want
	switch {
	case m >= 0 && waiter != NoWaiter && k.mshr.lines[m].n >= k.config.Merges:
		return k.stall(StallMerge)
	case m >= 0:
		need &^= k.mshr.lines[m].pending
	case k.mshr.used() == len(k.mshr.lines):
		return k.stall(StallMSHR)
	}
	if slot < 0 && need != 0 && c == holds {
		if slot, r.Evicted = k.allocate(number); slot < 0 {
			return k.stall(StallWay)
		}
	}
	if m < 0 {
		m = k.mshr.open(number)
		k.mshr.lines[m].claim = c
	}
	if waiter != NoWaiter {
		k.mshr.wait(m, waiter, want)
	}
	r.Outcome = Merged
	if need != 0 {
		r.Outcome, r.Fetch = Miss, k.widen(need, slot)&^k.mshr.lines[m].pending
		k.mshr.lines[m].pending |= r.Fetch
		k.Stats.Fetched += uint64(bits.OnesCount8(r.Fetch))
	}
	if slot >= 0 && c != yields {
		k.lines[slot].pending = k.mshr.lines[m].pending
	}
	return r
}

func (k *Cache) stall(o Outcome) Result {
	switch o {
	case StallMSHR:
		k.Stats.StallMSHR++
	case StallMerge:
		k.Stats.StallMerge++
	case StallWay:
		k.Stats.StallWay++
	}
	return Result{Outcome: o}
}

// widen extends sectors to the pieces that are fetched together, less what is
// there already.
func (k *Cache) widen(sectors uint8, slot int32) uint8 {
	per := k.config.Fetch / k.config.Sector
	if per == 1 {
		return sectors
	}
	var wide uint8
	piece := uint8(1<<per - 1)
	for i := 0; i < k.config.Line/k.config.Sector; i += per {
		if sectors>>i&piece != 0 {
			wide |= piece << i
		}
	}
	if slot >= 0 {
		wide &^= k.lines[slot].valid &^ sectors
	}
	return wide
}

// allocate finds a place for a line, -1 if all are held.
func (k *Cache) allocate(number uint64) (slot int32, e Eviction) {
	set := k.set(number)
	way := int(k.count[set])
	if way < k.ways {
		for k.lines[set*k.ways+way%k.ways].used { // a line dropped earlier left a hole
			way++
		}
		way %= k.ways
		k.count[set]++
	} else if way = k.policy.Victim(set, k.held); way < 0 {
		return -1, e
	} else {
		e = k.drop(set*k.ways + way)
		k.Stats.Evictions++
		k.count[set]++
	}
	slot = int32(set*k.ways + way)
	k.lines[slot] = line{number: number, used: true}
	k.index.insert(number, slot)
	k.policy.Fill(set, way)
	return slot, e
}

// drop empties a slot.
func (k *Cache) drop(slot int) Eviction {
	l := &k.lines[slot]
	e := Eviction{Addr: l.number << k.shift, Dirty: l.dirty}
	k.Stats.WrittenBack += uint64(bits.OnesCount8(l.dirty))
	k.index.remove(l.number)
	k.count[slot/k.ways]--
	*l = line{}
	return e
}

// Write writes sectors of the line at addr; full tells which of them wholly.
// Nobody waits for a write.
func (k *Cache) Write(addr uint64, sectors, full uint8) (r Result) {
	number := addr >> k.shift
	slot := k.index.find(number)
	found := slot >= 0
	switch {
	case found:
		r = k.overwrite(slot, sectors, full)
	case k.config.WriteAllocate == "fetch" && sectors != full && k.mshr.used() == len(k.mshr.lines):
		return k.stall(StallMSHR)
	case k.config.Write == "back" && k.config.WriteAllocate != "none":
		if slot, r.Evicted = k.allocate(number); slot < 0 {
			return k.stall(StallWay)
		}
		evicted := r.Evicted
		r = k.overwrite(slot, sectors, full)
		r.Evicted = evicted
	default:
		r = Result{Outcome: Miss, Forward: true}
	}
	if r.Outcome.Stalled() {
		return r
	}
	k.Stats.Writes++
	if found {
		k.Stats.WriteHits++
	} else {
		k.Stats.WriteMisses++
	}
	return r
}

// overwrite writes into a line that is present.
func (k *Cache) overwrite(slot int32, sectors, full uint8) (r Result) {
	l := &k.lines[slot]
	switch k.config.Write {
	case "through":
		l.valid |= full
		r.Forward = true
	case "evict":
		r.Forward = true
		if l.pending == 0 {
			k.drop(int(slot))
			return r
		}
		l.valid &^= sectors
	default:
		if part := sectors &^ full &^ l.valid; part != 0 && k.config.WriteAllocate == "fetch" {
			if r = k.fetch(l.number, slot, part, NoWaiter, holds); r.Outcome.Stalled() {
				return r
			}
		}
		l.valid |= full
		l.dirty |= sectors
	}
	k.policy.Touch(int(slot)/k.ways, int(slot)%k.ways)
	return r
}

// Fill takes sectors of the line at addr in and appends to woken the waiters that
// have all they wanted.
func (k *Cache) Fill(addr uint64, sectors uint8, woken []uint32) ([]uint32, Eviction) {
	number := addr >> k.shift
	m := k.mshr.index.find(number)
	if m < 0 {
		return woken, Eviction{}
	}
	k.Stats.Filled += uint64(bits.OnesCount8(sectors))
	woken = k.mshr.arrive(m, sectors, woken)
	pending, c := k.mshr.lines[m].pending, k.mshr.lines[m].claim
	if pending == 0 {
		k.mshr.close(m)
	}
	slot, evicted := k.index.find(number), Eviction{}
	if slot < 0 && c != holds {
		slot, evicted = k.allocate(number)
	}
	if slot >= 0 {
		k.lines[slot].valid |= sectors
		if c != yields {
			k.lines[slot].pending = pending
		}
	}
	return woken, evicted
}

// Holds reports whether all sectors of the line at addr can be read.
func (k *Cache) Holds(addr uint64, sectors uint8) bool {
	slot := k.index.find(addr >> k.shift)
	return slot >= 0 && sectors&^k.lines[slot].valid == 0
}

// Install puts clean sectors into the line at addr without any fetch, as a copy
// from the host does.
func (k *Cache) Install(addr uint64, sectors uint8) Eviction {
	slot, evicted := k.index.find(addr>>k.shift), Eviction{}
	if slot < 0 {
		if slot, evicted = k.allocate(addr >> k.shift); slot < 0 {
			return evicted
		}
	}
	k.lines[slot].valid |= sectors
	return evicted
}

// Forget makes sectors of the line at addr unreadable, clean as they are.
func (k *Cache) Forget(addr uint64, sectors uint8) {
	if slot := k.index.find(addr >> k.shift); slot >= 0 {
		k.lines[slot].valid &^= sectors
	}
}

// Invalidate drops all lines that await nothing, dirty or not.
func (k *Cache) Invalidate() { k.Flush(nil) }

// Flush drops all lines that await nothing and tells which held dirty sectors.
func (k *Cache) Flush(dirty func(Eviction)) {
	for slot := range k.lines {
		if !k.lines[slot].used || k.lines[slot].pending != 0 {
			continue
		}
		if dirty == nil {
			k.lines[slot].dirty = 0
		}
		if e := k.drop(slot); e.Dirty != 0 {
			dirty(e)
		}
	}
}
