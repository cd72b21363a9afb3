package lsu

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
	"github.com/lockstep-sim/lockstep/gpu/timing/tma"
)

// bulk joins an SM and its unit for bulk copies.
type bulk struct {
	unit  *tma.Unit
	jobs  kit.Slab[job]
	taken []int32   // requests of the SM that are done with
	next  kit.Cycle // of the unit
	lines []request // scratch
}

// job is a copy as the SM knows it.
type job struct {
	slot  uint8
	kind  sm.Bulk
	group uint32
	late  []isa.Late
}

// Peers finds the memory pipeline of the SM on which a CTA of the same cluster as CTA
// id runs, by its rank; nil if there is none.
type Peers func(id int32, rank int) *Memory

// acceptBulk takes the copies of an instruction's lanes.
func (m *Memory) acceptBulk(now kit.Cycle, r *sm.Request) bool {
	b := &m.bulk
	if !b.unit.Room() {
		return false
	}
	b.taken = append(b.taken, r.ID)
	b.next = min(b.next, now+1)
	accesses, late := r.Accesses, r.Late
	var before []isa.Access
	for l := range r.Mask.All {
		own, told := lane(&accesses, l), 0
		for told < len(late) && int(late[told].Lane) == l {
			told++
		}
		id := b.jobs.New()
		j := b.jobs.At(id)
		*j = job{slot: r.Slot, kind: r.Inst.Bulk, group: r.Group, late: append(j.late[:0], late[:told]...)}
		late = late[told:]
		c := tma.Copy{Kind: copyKinds[r.Inst.Bulk], Token: id, Lines: b.unit.Lines()}
		if r.Inst.Bulk != sm.BulkStore || !alike(before, own) { // one copy does for those that are the same
			m.describe(&c, r, own)
		}
		before = own
		b.unit.Push(now, c)
	}
	return true
}

// copyKinds is what the SM's kinds are for the unit.
var copyKinds = [...]tma.Kind{sm.BulkLoad: tma.Load, sm.BulkStore: tma.Store, sm.BulkReduce: tma.Reduce, sm.BulkAcross: tma.Across, sm.BulkAhead: tma.Ahead}

// lane takes the accesses of lane l off the front of a list.
func lane(list *[]isa.Access, l int) (own []isa.Access) {
	n := 0
	for n < len(*list) && int((*list)[n].Lane) == l {
		n++
	}
	own, *list = (*list)[:n], (*list)[n:]
	return own
}

// alike reports that two lanes have made the same accesses.
func alike(a, b []isa.Access) bool {
	return slices.EqualFunc(a, b, func(x, y isa.Access) bool {
		x.Lane = y.Lane
		return x == y
	})
}

// describe completes a copy by the accesses that it made.
func (m *Memory) describe(c *tma.Copy, r *sm.Request, accesses []isa.Access) {
	b := &m.bulk
	if r.Inst.Map && len(accesses) > 0 {
		c.Tensor, c.Map = true, m.mapLine(&accesses[0])
		accesses = accesses[1:]
	}
	b.lines = b.lines[:0]
	var others uint16
	for i := range accesses {
		switch a := &accesses[i]; {
		case a.Space == isa.Global:
			b.lines = cover(b.lines, max(len(b.lines)-1, 0), a.Addr, int(a.Bytes))
		case a.Space == isa.Shared && a.Write && a.Bytes > barrierBytes:
			if a.Remote {
				others |= 1 << a.Rank
			}
			if c.Kind == tma.Across {
				c.Bytes += int(a.Bytes)
			}
		}
	}
	for i := range b.lines {
		x := &b.lines[i]
		x.finish()
		c.Lines = append(c.Lines, tma.Line{Addr: x.line, Sectors: x.sectors, Full: x.full})
	}
	if others != 0 && c.Kind == tma.Load && m.peers != nil {
		id := m.sm.Resides(r.Slot)
		for rank := range 16 {
			if others>>rank&1 == 0 {
				continue
			}
			if p := m.peers(id, rank); p != nil {
				c.Far = append(c.Far, p.bulk.unit)
			}
		}
	}
}

// barrierBytes is the size of an mbarrier object; copies move 16 bytes at least.
const barrierBytes = 8

// mapLine is the line of a descriptor. Those that are parameters lie where no data do.
func (m *Memory) mapLine(a *isa.Access) uint64 {
	if a.Space == isa.Param {
		return noc.MapWindow + a.Addr&^(lineBytes-1)
	}
	return a.Addr &^ (lineBytes - 1)
}

// tickBulk lets the unit do the work of a cycle.
func (m *Memory) tickBulk(now kit.Cycle) {
	b := &m.bulk
	for _, id := range b.taken {
		m.sm.Done(id)
	}
	b.taken = b.taken[:0]
	b.next = b.unit.Tick(now)
}

// copied tells the SM that a copy is complete.
func (m *Memory) copied(id int32) {
	j := m.bulk.jobs.At(id)
	slot, kind, group, late := j.slot, j.kind, j.group, j.late
	m.sm.Copied(slot, kind, group, late)
	m.bulk.jobs.Free(id)
}

// sendBulk sends a packet of the unit's to L2 if the port is free.
func (m *Memory) sendBulk(now kit.Cycle, p noc.Packet) bool {
	u := m.Unit
	if u.sending.free > now || !u.port.CanSend(now) {
		return false
	}
	p.Tag |= tagBulk
	u.port.Send(now, p)
	u.sending.free = now + kit.Cycle(max(p.Carries(), 1))
	u.Stats.Sent++
	return true
}

// receiveBulk takes a reply to such a packet.
func (m *Memory) receiveBulk(now kit.Cycle, tag uint32) {
	m.bulk.unit.Receive(now, tag&^tagKind)
	m.bulk.next = now
}

// Bulk is the statistics of the unit for bulk copies.
func (m *Memory) Bulk() *tma.Stats { return &m.bulk.unit.Stats }

// Copies is the number of bulk copies under way.
func (m *Memory) Copies() int { return m.bulk.unit.Inside() }
