package rt

import (
	"errors"
	"slices"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Managed memory is one memory for the host and all devices here, so advice and
// prefetches move nothing. What the program said is kept for those who ask.

// The advice of cudaMemAdvise.
const (
	adviseReadMostly   = 1
	adviseNotRead      = 2
	advisePreferred    = 3
	adviseNotPreferred = 4
	adviseAccessed     = 5
	adviseNotAccessed  = 6
)

// The host and no device at all, where devices are numbered.
const (
	hostDevice    = -1
	invalidDevice = -2
)

// advice is what was said about pages.
type advice struct {
	readMostly            bool
	preferred, prefetched int32  // device
	accessed              uint64 // bit per device, the host's is hostBit
}

const hostBit = 63

func bitOf(device int) uint64 {
	if device == hostDevice {
		return 1 << hostBit
	}
	return 1 << (device % hostBit)
}

// stretch is a run of bytes about which the same was said; it ends where the next
// begins.
type stretch struct {
	from uint64
	advice
}

// managed is the advice about all managed memory, by the start of the allocation.
type managed struct {
	mu     sync.Mutex
	blocks map[uint64][]stretch
}

var nothingSaid = advice{preferred: invalidDevice, prefetched: invalidDevice}

// stretches are those of a block. The lock is held.
func (m *managed) stretches(b mem.Block) []stretch {
	if l := m.blocks[b.Base]; l != nil {
		return l
	}
	return []stretch{{b.Base, nothingSaid}}
}

// change applies f to what was said about [lo, hi) of a block.
func (m *managed) change(b mem.Block, lo, hi uint64, f func(*advice)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.blocks == nil {
		m.blocks = map[uint64][]stretch{}
	}
	l := cut(cut(slices.Clone(m.stretches(b)), lo), hi)
	for i := range l {
		if l[i].from >= lo && l[i].from < hi {
			f(&l[i].advice)
		}
	}
	m.blocks[b.Base] = slices.CompactFunc(l, func(a, b stretch) bool { return a.advice == b.advice })
}

// cut makes a stretch begin at an address.
func cut(l []stretch, at uint64) []stretch {
	i, found := slices.BinarySearchFunc(l, at, func(s stretch, at uint64) int { return int(int64(s.from - at)) })
	if found || i == 0 {
		return l
	}
	return slices.Insert(l, i, stretch{at, l[i-1].advice})
}

// about is what was said about the stretches that touch [lo, hi) of a block.
func (m *managed) about(b mem.Block, lo, hi uint64) []advice {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := cut(cut(slices.Clone(m.stretches(b)), lo), hi)
	var said []advice
	for _, s := range l {
		if s.from >= lo && s.from < hi {
			said = append(said, s.advice)
		}
	}
	return said
}

// forget drops what was said about an allocation that is gone.
func (m *managed) forget(base uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.blocks, base)
}

// Location is cudaMemLocation.
type Location struct{ Type, ID int32 }

// The types of locations.
const (
	locationNone    = 0
	locationDevice  = 1
	locationHost    = 2
	locationNUMA    = 3
	locationCurrent = 4 // NUMA node of the calling thread
)

// DeviceLocation is the location of a device, or of the host, -1.
func DeviceLocation(device int32) Location {
	if device == hostDevice {
		return Location{Type: locationHost}
	}
	return Location{locationDevice, device}
}

// at is the number of the device at a location, -1 for the host.
func (t *Thread) at(l Location) (int, error) {
	switch l.Type {
	case locationDevice:
		_, err := t.runtime.device(int(l.ID))
		return int(l.ID), err
	case locationHost, locationNUMA, locationCurrent:
		return hostDevice, nil
	}
	return 0, fail(ErrInvalidValue, "location of type %d", l.Type)
}

// managedRange finds the managed allocation that holds a range.
func (t *Thread) managedRange(addr, size uint64) (mem.Block, error) {
	c, err := t.context()
	if err != nil {
		return mem.Block{}, err
	}
	b, ok := c.memory.Lookup(addr)
	if !ok || b.Kind != mem.Managed {
		return b, fail(ErrInvalidValue, "%#x is not managed memory", addr)
	}
	if size == 0 || size > b.End()-addr {
		return b, fail(ErrInvalidValue, "%d bytes at %#x of %v", size, addr, b)
	}
	return b, nil
}

// MemAdvise is cudaMemAdvise.
func (t *Thread) MemAdvise(addr, size uint64, said int, where Location) error {
	if said < adviseReadMostly || said > adviseNotAccessed {
		return fail(ErrInvalidValue, "memory advice %d", said)
	}
	if err := t.unsafe(); err != nil {
		return err
	}
	b, err := t.managedRange(addr, size)
	if err != nil {
		return err
	}
	device := hostDevice
	if said == advisePreferred || said >= adviseAccessed { // others have no use for a place
		if device, err = t.at(where); err != nil {
			if t.runtime.config.Major >= 13 { // measured
				err = fail(ErrInvalidValue, "%v", err)
			}
			return err
		}
	}
	t.runtime.managed.change(b, addr, addr+size, func(a *advice) {
		switch said {
		case adviseReadMostly, adviseNotRead:
			a.readMostly = said == adviseReadMostly
		case advisePreferred:
			a.preferred = int32(device)
		case adviseNotPreferred:
			a.preferred = invalidDevice
		case adviseAccessed:
			a.accessed |= bitOf(device)
		case adviseNotAccessed:
			a.accessed &^= bitOf(device)
		}
	})
	return nil
}

// MemPrefetch is cudaMemPrefetchAsync.
func (t *Thread) MemPrefetch(addr, size uint64, where Location, flags uint32, h StreamHandle) error {
	if _, _, err := t.uncapturable(h); err != nil {
		return err
	}
	if flags != 0 {
		return fail(ErrInvalidValue, "prefetch flags %#x", flags)
	}
	device, err := t.at(where)
	if err != nil {
		return err
	}
	b, err := t.managedRange(addr, size)
	if err != nil {
		return err
	}
	t.runtime.managed.change(b, addr, addr+size, func(a *advice) { a.prefetched = int32(device) })
	return nil
}

// Range is a piece of managed memory.
type Range struct{ Addr, Size uint64 }

// Target is where the ranges of a batch from First on shall go.
type Target struct {
	Location
	First uint64
}

// MemPrefetchBatch is cudaMemPrefetchBatchAsync.
func (t *Thread) MemPrefetchBatch(list []Range, targets []Target, flags uint64, h StreamHandle) error {
	if err := t.checkBatch(list, flags, h); err != nil {
		return err
	}
	if len(targets) == 0 || len(targets) > len(list) || targets[0].First != 0 {
		return fail(ErrInvalidValue, "%d ranges with %d locations", len(list), len(targets))
	}
	for i, r := range list {
		for len(targets) > 1 && targets[1].First <= uint64(i) {
			targets = targets[1:]
		}
		err := t.MemPrefetch(r.Addr, r.Size, targets[0].Location, 0, h)
		if errors.Is(err, ErrInvalidDevice) {
			err = fail(ErrInvalidValue, "%v", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// MemDiscardBatch is cudaMemDiscardBatchAsync: the program says that it has no use
// for the bytes, which stay as they are.
func (t *Thread) MemDiscardBatch(list []Range, flags uint64, h StreamHandle) error {
	return t.checkBatch(list, flags, h)
}

// checkBatch checks what batches over managed memory have in common.
func (t *Thread) checkBatch(list []Range, flags uint64, h StreamHandle) error {
	if err := t.needStream(h); err != nil {
		return err
	}
	if _, _, err := t.stream(h); err != nil {
		return err
	}
	if len(list) == 0 || flags != 0 {
		return fail(ErrInvalidValue, "%d ranges with flags %#x", len(list), flags)
	}
	for _, r := range list {
		if _, err := t.managedRange(r.Addr, r.Size); err != nil {
			return err
		}
	}
	return nil
}

// The attributes of cudaMemRangeGetAttribute.
const (
	rangeReadMostly    = 1
	rangePreferred     = 2
	rangeAccessed      = 3
	rangePrefetched    = 4
	rangePreferredType = 5
	rangePreferredID   = 6
	rangePrefetchType  = 7
	rangePrefetchID    = 8
)

// MemRangeGetAttribute is cudaMemRangeGetAttribute: the words of the answer.
func (t *Thread) MemRangeGetAttribute(attribute int, words int, addr, size uint64) ([]int32, error) {
	if attribute < rangeReadMostly || attribute > rangePrefetchID || words == 0 || attribute != rangeAccessed && words != 1 {
		return nil, fail(ErrInvalidValue, "range attribute %d in %d words", attribute, words)
	}
	b, err := t.managedRange(addr, size)
	if err != nil {
		return nil, err
	}
	said := t.runtime.managed.about(b, addr, addr+size)
	switch attribute {
	case rangeReadMostly:
		for _, a := range said {
			if !a.readMostly {
				return []int32{0}, nil
			}
		}
		return []int32{1}, nil
	case rangeAccessed:
		return accessors(said, words), nil
	}
	device := common(said, func(a advice) int32 {
		if attribute == rangePreferred || attribute == rangePreferredType || attribute == rangePreferredID {
			return a.preferred
		}
		return a.prefetched
	})
	switch attribute {
	case rangePreferredType, rangePrefetchType:
		device = locationType(device)
	}
	return []int32{device}, nil
}

func locationType(device int32) int32 {
	switch device {
	case invalidDevice:
		return locationNone
	case hostDevice:
		return locationHost
	}
	return locationDevice
}

// common is what holds for all of a range, or no device.
func common(said []advice, of func(advice) int32) int32 {
	device := of(said[0])
	for _, a := range said {
		if of(a) != device {
			return invalidDevice
		}
	}
	return device
}

// accessors lists the devices that access all of a range, and fills up with none.
func accessors(said []advice, words int) []int32 {
	all := ^uint64(0)
	for _, a := range said {
		all &= a.accessed
	}
	var list []int32
	for i := range int32(hostBit) {
		if all&bitOf(int(i)) != 0 {
			list = append(list, i)
		}
	}
	if all&bitOf(hostDevice) != 0 {
		list = append(list, hostDevice)
	}
	for len(list) < words {
		list = append(list, invalidDevice)
	}
	return list[:words]
}
