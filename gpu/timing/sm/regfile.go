package sm

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// banks is the number of register banks of a sub-core; a register's bank is its
// number modulo this.
const banks = 2

// ports are the read ports of a sub-core's register banks. Bit i of busy stands
// for cycle at+1+i.
type ports struct {
	at     kit.Cycle
	busy   [4][banks]uint16 // by port
	n      int              // ports of a bank
	window int
	wide   int
	ideal  bool
	reuse  reuseCache
}

// reuseCache keeps register values for a later instruction: for each bank and
// source position one register of one warp. The value zero is an empty entry.
type reuseCache struct {
	entry [banks][3]uint32
	on    bool
	used  bool // some entry may not be empty
}

func reuseKey(warp uint8, reg int) uint32 { return uint32(warp)<<8 | uint32(reg) | 1<<31 }

// claim reads the registers of in: it finds a port for each in the window of
// cycles after now, or changes nothing and returns false.
func (p *ports) claim(in *Inst, warp uint8, now kit.Cycle, s *RegisterStats) bool {
	need := in.need
	hits := uint64(0)
	if p.reuse.used {
		hits = p.reuse.hits(in, warp, &need)
	}
	if !p.ideal && need != [banks]uint8{} && !p.place(in, &need, now) {
		s.Bubbles++
		return false
	}
	s.Reads += uint64(need[0] + need[1])
	s.ReuseHits += hits
	if p.reuse.used || p.reuse.on && in.Bits.Reuse != 0 {
		p.reuse.keep(in, warp)
	}
	return true
}

// hits counts the registers of in that need no port, and takes them from need.
func (c *reuseCache) hits(in *Inst, warp uint8, need *[banks]uint8) (n uint64) {
	for pos := range 3 {
		o := &in.Src[pos]
		if o.File != General {
			continue
		}
		for r := o.first(); r < o.end(); r++ {
			if c.entry[r%banks][pos] == reuseKey(warp, r) {
				need[r%banks]--
				n++
			}
		}
	}
	return n
}

// keep updates the cache: any read of a bank at a position ends the life of
// what is there, and one that asks for reuse stays.
func (c *reuseCache) keep(in *Inst, warp uint8) {
	for pos := range 3 {
		o := &in.Src[pos]
		if o.File != General {
			continue
		}
		for r := o.first(); r < o.end(); r++ {
			c.entry[r%banks][pos] = 0
			if in.Bits.Reuse>>pos&1 != 0 {
				c.entry[r%banks][pos] = reuseKey(warp, r)
			}
		}
	}
	c.used = c.entry != [banks][3]uint32{}
}

// place finds ports for need reads in each bank.
func (p *ports) place(in *Inst, need *[banks]uint8, now kit.Cycle) bool {
	p.shift(now)
	window := p.window
	if in.Wide {
		window = p.wide
	}
	all := uint16(1)<<window - 1
	var most [banks]int
	for b := range banks {
		most[b] = min(int(need[b]), window*p.n)
		free := 0
		for i := range p.n {
			free += bits.OnesCount16(^p.busy[i][b] & all)
		}
		if free < most[b] {
			return false
		}
	}
	for b := range banks {
		p.take(b, most[b], all)
	}
	return true
}

// take marks the earliest n free slots of bank b within the mask all.
func (p *ports) take(b, n int, all uint16) {
	if p.n == 1 {
		f := ^p.busy[0][b] & all
		for ; n > 0; n-- {
			p.busy[0][b] |= f & -f
			f &= f - 1
		}
		return
	}
	for ; n > 0; n-- {
		best, slot := 0, uint16(0)
		for i := range p.n {
			if f := ^p.busy[i][b] & all; f != 0 && (slot == 0 || f&-f < slot) {
				best, slot = i, f&-f
			}
		}
		p.busy[best][b] |= slot
	}
}

// shift moves the windows on to cycle now.
func (p *ports) shift(now kit.Cycle) {
	d := min(now-p.at, 16)
	p.at = now
	for i := range p.n {
		p.busy[i][0] >>= d
		p.busy[i][1] >>= d
	}
}

// results is the result queue of a sub-core, where results of fixed-latency
// instructions wait that complete together: they leave one a cycle. Bit i of
// the masks stands for cycle at+i.
type results struct {
	at     kit.Cycle
	pops   uint64        // cycles in which a result leaves
	writes [banks]uint64 // of these, the ones that write the bank
	size   int
}

func (q *results) shift(now kit.Cycle) {
	d := now - q.at
	q.at = now
	q.pops >>= d
	for b := range banks {
		q.writes[b] >>= d
	}
}

// full reports that a result which completes at cycle at would find no entry.
func (q *results) full(now, at kit.Cycle) bool {
	q.shift(now)
	return bits.TrailingZeros64(^(q.pops >> min(at-now, 63))) >= q.size
}

// finish books the write of in, which completes at cycle at.
func (q *results) finish(in *Inst, now, at kit.Cycle) {
	q.shift(now)
	i := min(int(at-now), 63)
	if free := ^q.pops >> i << i; free != 0 {
		i = bits.TrailingZeros64(free)
	}
	q.pops |= 1 << i
	for b := range banks {
		q.writes[b] |= uint64(in.into>>b&1) << i
	}
}

// load returns the cycle, at or one after at, in which a load can write reg's
// bank: it gives way to a fixed-latency instruction.
func (q *results) load(now, at kit.Cycle, in *Inst) kit.Cycle {
	q.shift(now)
	o := &in.Dst[0]
	if o.File == General && at-now < 64 && q.writes[o.first()%banks]>>(at-now)&1 != 0 {
		return at + 1
	}
	return at
}
