package lsu

import "github.com/lockstep-sim/lockstep/gpu/isa"

// Requests go by lines and sectors of these sizes.
const (
	lineBytes   = 128
	sectorBytes = 32
)

// request is what a warp instruction wants of one line.
type request struct {
	line    uint64
	bytes   [lineBytes / sectorBytes]uint32 // by sector
	lanes   uint8                           // of atomics
	depths  [lineBytes / sectorBytes]uint8  // most of them on one address
	sectors uint8
	full    uint8 // sectors that are wanted wholly
}

// coalesce appends the requests of a warp's global and local accesses to list.
// Lanes that are served together share requests; those of different parts of a
// wide access do not.
func coalesce(accesses []isa.Access, local func(isa.Access) uint64, list []request) []request {
	from, part := len(list), -1
	var run, end uint64 // bytes of neighbouring lanes, not yet covered
	for i := range accesses {
		a := &accesses[i]
		switch a.Space {
		case isa.Shared, isa.Param, isa.Const:
			continue
		case isa.Local, isa.Frame:
			list = localWords(list, a, local)
			continue
		}
		p := int(a.Lane) >> partShift(a.Bytes)
		if p == part && a.Addr >= run && a.Addr <= end {
			end = max(end, a.Addr+uint64(a.Bytes))
			continue
		}
		list = cover(list, from, run, int(end-run))
		run, end = a.Addr, a.Addr+uint64(a.Bytes)
		if p != part {
			from, part = len(list), p
		}
	}
	list = cover(list, from, run, int(end-run))
	for i := range list {
		list[i].finish()
	}
	return list
}

// localWords covers a lane's access to local memory, whose words lie apart, the
// lanes side by side.
func localWords(list []request, a *isa.Access, local func(isa.Access) uint64) []request {
	for done := 0; done < int(a.Bytes); {
		word := *a
		word.Addr += uint64(done)
		n := min(wordBytes-int(word.Addr%wordBytes), int(a.Bytes)-done)
		list = cover(list, 0, local(word), n)
		done += n
	}
	return list
}

// cover adds n bytes at addr to the requests from list[from] on.
func cover(list []request, from int, addr uint64, n int) []request {
	for n > 0 {
		line, offset := addr&^(lineBytes-1), int(addr%lineBytes)
		k := min(n, lineBytes-offset)
		r := find(list, from, line)
		if r < 0 {
			r = len(list)
			list = append(list, request{line: line})
		}
		list[r].add(offset, k)
		addr, n = addr+uint64(k), n-k
	}
	return list
}

// find returns the request of a line, looking at the latest first.
func find(list []request, from int, line uint64) int {
	for i := len(list) - 1; i >= from; i-- {
		if list[i].line == line {
			return i
		}
	}
	return -1
}

// add notes n bytes from offset on.
func (r *request) add(offset, n int) {
	for n > 0 {
		at := offset % sectorBytes
		k := min(n, sectorBytes-at)
		r.bytes[offset/sectorBytes] |= uint32(1<<k-1) << at
		offset, n = offset+k, n-k
	}
}

// finish derives the sectors from the bytes.
func (r *request) finish() {
	for i, b := range r.bytes {
		if b != 0 {
			r.sectors |= 1 << i
		}
		if b == ^uint32(0) {
			r.full |= 1 << i
		}
	}
}

// depths notes for each request how many lanes work in it and how many of them on
// the same address.
func depths(accesses []isa.Access, list []request) {
	for i := range accesses {
		var same uint8
		for j := range accesses {
			if accesses[j].Addr == accesses[i].Addr {
				same++
			}
		}
		if r := find(list, 0, accesses[i].Addr&^(lineBytes-1)); r >= 0 {
			list[r].lanes++
			d := &list[r].depths[accesses[i].Addr%lineBytes/sectorBytes]
			*d = max(*d, same)
		}
	}
}
