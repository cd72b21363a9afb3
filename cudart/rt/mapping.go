package rt

import (
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// mappingGranule is the unit of addresses and of memory that is mapped, in bytes
// (measured).
const mappingGranule = 2 << 20

// mappings are the process's reserved addresses, and what is mapped there.
type mappings struct {
	mu       sync.Mutex
	reserved []*reservation
	memory   table[*physical]
}

// reservation is a range of addresses of a device's window.
type reservation struct {
	space      *mem.Space
	base, size uint64
	parts      []*part
}

// part is memory that is mapped in a reservation.
type part struct {
	base, size uint64
	memory     *physical
	access     map[int]int32 // of devices, by number, and of the host
}

// physical is memory as cuMemCreate makes it.
type physical struct {
	memory     *mem.Physical
	properties AllocationProperties
	handle     uint64
	holds      int // handles of the program
	maps       int
	place      uint64 // where arrays find it, or 0
}

// AllocationProperties is CUmemAllocationProp. What compresses is kept as it is:
// compression is not seen in values.
type AllocationProperties struct {
	Type, Handles int32
	Location
	Compression, RDMA uint8
	Usage             uint16
	Reserved          uint32
}

// The ways to share physical memory that are known; a file descriptor is the one that
// there is.
const (
	posixDescriptor = 1
	windowsHandle   = 2
	windowsShared   = 4
	windowsHandles  = windowsHandle | windowsShared
	fabricHandle    = 8
)

// host reports whether the memory is the host's.
func (p *AllocationProperties) host() bool { return p.Location.Type != locationDevice }

// settle refuses what cannot be, with the codes of a card, and names the node of the
// host's memory.
func (p *AllocationProperties) settle() error {
	switch {
	case p.Type != allocationPinned || p.Handles&windowsHandles != 0 || p.Compression > 1 || p.Reserved != 0:
		return fail(ErrInvalidValue, "memory of type %d, handle types %#x, compression %d", p.Type, p.Handles, p.Compression)
	case p.Handles&fabricHandle != 0:
		return fail(ErrNotPermitted, "no fabric shares memory")
	}
	switch p.Location.Type {
	case locationDevice:
		return nil
	case locationHost:
		if p.Handles != 0 {
			return fail(ErrInvalidValue, "memory of any node of the host, with handle types %#x", p.Handles)
		}
		p.Location = Location{Type: locationNUMA}
		return nil
	case locationNUMA:
		if p.ID == 0 {
			return nil
		}
	}
	return fail(ErrInvalidValue, "physical memory at location %d of type %d", p.ID, p.Location.Type)
}

// AllocationGranularity is cuMemGetAllocationGranularity.
func (t *Thread) AllocationGranularity(option int) (uint64, error) {
	if option != 0 && option != 1 {
		return 0, fail(ErrInvalidValue, "granularity option %d", option)
	}
	return mappingGranule, nil
}

// space is the memory that holds mapped memory of a device: that of the current
// context if it is of that device, else of the primary one. No context need be
// current, and the current one may be destroyed.
func (t *Thread) space(d *Device) (*mem.Space, error) {
	if b := t.top(); b != nil && b.device == d && !b.gone && b != d.primary() {
		c, err := b.context()
		if err != nil {
			return nil, err
		}
		return c.memory, c.check()
	}
	c, err := d.context()
	if err != nil {
		return nil, err
	}
	return c.memory, c.check()
}

// addressTop is where addresses end on a card.
const addressTop = 1 << 47

// AddressReserve is cuMemAddressReserve, where wish is an address that it takes if it is free.
func (t *Thread) AddressReserve(size, align, wish, flags uint64) (uint64, error) {
	if size == 0 || size%mappingGranule != 0 || align&(align-1) != 0 || flags != 0 || wish%max(align, mappingGranule) != 0 {
		return 0, fail(ErrInvalidValue, "reserve %d bytes at a multiple of %d, best at %#x, with flags %#x", size, align, wish, flags)
	}
	if wish >= addressTop {
		return 0, fail(ErrMemoryAllocation, "no addresses at %#x", wish)
	}
	d, err := t.current()
	if err != nil {
		return 0, err
	}
	s, err := t.space(d)
	if err != nil {
		return 0, err
	}
	addr, err := s.Reserve(size, align, wish)
	if err != nil {
		return 0, err
	}
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved = append(m.reserved, &reservation{space: s, base: addr, size: size})
	return addr, nil
}

// reservation finds the reservation that holds a range. The lock is held.
func (m *mappings) reservation(addr, size uint64) (*reservation, error) {
	for _, r := range m.reserved {
		if addr >= r.base && addr-r.base < r.size && size <= r.size-(addr-r.base) {
			return r, nil
		}
	}
	return nil, fail(ErrInvalidValue, "%d bytes at %#x are not reserved", size, addr)
}

// AddressFree is cuMemAddressFree.
func (t *Thread) AddressFree(addr, size uint64) error {
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.reservation(addr, size)
	if err != nil {
		return err
	}
	if r.base != addr || r.size != size || len(r.parts) > 0 {
		return fail(ErrInvalidValue, "%d bytes at %#x are no whole reservation, or are in use", size, addr)
	}
	r.space.Unreserve(addr, size)
	m.reserved = slices.DeleteFunc(m.reserved, func(x *reservation) bool { return x == r })
	return nil
}

// MemCreate is cuMemCreate.
func (t *Thread) MemCreate(size uint64, p AllocationProperties, flags uint64) (uint64, error) {
	if size == 0 || size%mappingGranule != 0 || flags != 0 {
		return 0, fail(ErrInvalidValue, "create %d bytes with flags %#x", size, flags)
	}
	if err := p.settle(); err != nil {
		return 0, err
	}
	d, err := t.home(&p)
	if err != nil {
		return 0, err
	}
	s, err := t.space(d)
	if err != nil {
		return 0, err
	}
	if d.model.Memory.Compression == 0 {
		p.Compression = 0
	}
	create := s.Create
	if p.host() {
		create = s.CreateHost
	}
	memory, err := create(size)
	if err != nil {
		return 0, err
	}
	return t.runtime.mappings.hold(&physical{memory: memory, properties: p}), nil
}

// hold makes a handle of memory.
func (m *mappings) hold(p *physical) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.holds, p.handle = 1, m.memory.add(p)
	return p.handle
}

// home is the device that memory lies in, for memory of the host the current one.
func (t *Thread) home(p *AllocationProperties) (*Device, error) {
	if p.host() {
		return t.current()
	}
	return t.runtime.device(int(p.ID))
}

// physical finds memory by its handle. The lock is held.
func (m *mappings) physical(handle uint64) (*physical, error) {
	p, ok := m.memory.get(handle)
	if !ok || p.holds == 0 {
		return nil, fail(ErrInvalidValue, "no physical memory has handle %#x", handle)
	}
	return p, nil
}

// MemRelease is cuMemRelease. The memory stays while it is mapped.
func (t *Thread) MemRelease(handle uint64) error {
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.physical(handle)
	if err != nil {
		return err
	}
	p.holds--
	return m.settle(p)
}

// settle lets go of memory that nobody holds and that is mapped nowhere. Until then
// its handle may come back (see RetainAllocation).
func (m *mappings) settle(p *physical) error {
	if p.holds > 0 || p.maps > 0 {
		return nil
	}
	m.memory.take(p.handle)
	if p.place != 0 {
		s, size := p.memory.Owner(), p.memory.Size()
		_ = s.Unmap(p.place, size) // its addresses are given back in any case
		s.Unreserve(p.place, size)
	}
	return p.memory.Release()
}

// MemMap is cuMemMap: all of the memory, at an address that is reserved.
func (t *Thread) MemMap(addr, size, offset, handle, flags uint64) error {
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.physical(handle)
	if err != nil {
		return err
	}
	if flags != 0 || p.properties.Usage&usageTiles != 0 {
		return fail(ErrInvalidValue, "memory for use %#x with flags %#x", p.properties.Usage, flags)
	}
	if offset != 0 || size != p.memory.Size() {
		return unsupported("mapping %d bytes at offset %d of %d", size, offset, p.memory.Size())
	}
	r, err := m.reservation(addr, size)
	if err != nil {
		return err
	}
	if addr%mappingGranule != 0 || len(r.within(addr, size)) > 0 {
		return fail(ErrInvalidValue, "%#x is in use, or no multiple of %d", addr, mappingGranule)
	}
	if err := r.space.Map(addr, p.memory); err != nil {
		return err
	}
	p.maps++
	r.parts = append(r.parts, &part{base: addr, size: size, memory: p, access: map[int]int32{}})
	return nil
}

// within are the parts that share bytes with a range.
func (r *reservation) within(addr, size uint64) []*part {
	var all []*part
	for _, p := range r.parts {
		if p.base < addr+size && addr < p.base+p.size {
			all = append(all, p)
		}
	}
	return all
}

// whole are the parts that a range consists of; covered tells whether they fill it.
func (r *reservation) whole(addr, size uint64) (all []*part, covered bool, err error) {
	filled := uint64(0)
	all = r.within(addr, size)
	for _, p := range all {
		if p.base < addr || p.base+p.size > addr+size {
			return nil, false, fail(ErrInvalidValue, "%d bytes at %#x are a part of what is mapped there", size, addr)
		}
		filled += p.size
	}
	return all, filled == size, nil
}

// settled waits for all devices.
func (r *Runtime) settled() {
	for _, c := range r.contexts() {
		_ = c.engine.Synchronize() // what stopped the device, other calls say
	}
}

// MemUnmap is cuMemUnmap. It waits for the devices.
func (t *Thread) MemUnmap(addr, size uint64) error {
	t.runtime.settled()
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.reservation(addr, size)
	if err != nil {
		return err
	}
	parts, _, err := r.whole(addr, size)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := r.space.Unmap(p.base, p.size); err != nil {
			return err
		}
		p.memory.maps--
		_ = m.settle(p.memory) // the bytes are gone with the mapping
	}
	r.parts = slices.DeleteFunc(r.parts, func(p *part) bool { return slices.Contains(parts, p) })
	return nil
}

// Access says who may do what.
type Access struct {
	Location
	Flags int32
}

// Kinds of access.
const (
	accessNone      = 0
	accessRead      = 1
	accessReadWrite = 3
)

// MemSetAccess is cuMemSetAccess. It waits for the devices.
func (t *Thread) MemSetAccess(addr, size uint64, list []Access) error {
	t.runtime.settled()
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.reservation(addr, size)
	if err != nil {
		return err
	}
	parts, covered, err := r.whole(addr, size)
	if err != nil {
		return err
	}
	if !covered || len(list) == 0 {
		return fail(ErrInvalidValue, "access for %d devices to %d bytes at %#x, of which not all are mapped", len(list), size, addr)
	}
	for _, a := range list {
		if a.Flags != accessNone && a.Flags != accessRead && a.Flags != accessReadWrite {
			return fail(ErrInvalidValue, "access flags %d", a.Flags)
		}
		who, err := t.accessor(a.Location, parts)
		if err != nil {
			return err
		}
		for _, p := range parts {
			p.access[who] = a.Flags
			if err := r.apply(p); err != nil {
				return err
			}
		}
		if who != byHost {
			t.runtime.devices[who].see(r.space, a.Flags != accessNone)
		}
	}
	return nil
}

// byHost is the host among those who have access to a part.
const byHost = -1

// accessor is the number of the device at a location, or byHost. The host reaches
// only memory that is its own.
func (t *Thread) accessor(l Location, parts []*part) (int, error) {
	switch l.Type {
	case locationDevice:
		if d, err := t.runtime.device(int(l.ID)); err == nil {
			return d.ordinal, nil
		}
	case locationHost, locationNUMA:
		for _, p := range parts {
			if !p.memory.properties.host() {
				return 0, fail(ErrNotSupported, "the host cannot reach memory of a device")
			}
		}
		return byHost, nil
	}
	return 0, fail(ErrInvalidValue, "access from location %d of type %d", l.ID, l.Type)
}

// apply lets devices and the host reach a part as they may.
func (r *reservation) apply(p *part) error {
	var a mem.Access
	for device, flags := range p.access {
		if device == byHost {
			continue
		}
		if flags&accessRead != 0 {
			a.Read |= 1 << device
		}
		if flags == accessReadWrite {
			a.Write |= 1 << device
		}
	}
	if a == (mem.Access{}) {
		r.space.Deny(p.base, p.size)
	} else {
		r.space.Grant(p.base, p.memory.memory, a)
	}
	if flags, ok := p.access[byHost]; ok {
		return r.space.GrantHost(p.base, p.memory.memory, flags&accessRead != 0, flags == accessReadWrite)
	}
	return nil
}

// see lets the contexts of a device access memory of another.
func (d *Device) see(s *mem.Space, on bool) {
	for _, c := range d.runtime.contexts() {
		if on && c.device == d && c.memory != s {
			c.memory.EnablePeer(s)
		}
	}
}

// MemGetAccess is cuMemGetAccess.
func (t *Thread) MemGetAccess(where Location, addr uint64) (uint64, error) {
	if where.Type < locationDevice || where.Type > locationNUMA {
		return 0, fail(ErrInvalidDevice, "access from location type %d", where.Type)
	}
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.part(addr)
	if err == nil && (where.Type == locationNUMA || where.Type == locationHost && p.memory.properties.host()) {
		return uint64(p.access[byHost]), nil
	}
	d, wrong := t.runtime.device(int(where.ID))
	if wrong != nil {
		return 0, wrong
	}
	if err == nil {
		return uint64(p.access[d.ordinal]), nil
	}
	if c, lost := t.anyContext(); lost == nil && c.side(addr) == device {
		return accessNone, nil // what an allocation answers (measured)
	}
	return 0, err
}

// part finds what is mapped at an address.
func (m *mappings) part(addr uint64) (*part, error) {
	r, err := m.reservation(addr, 1)
	if err != nil {
		return nil, err
	}
	if all := r.within(addr, 1); len(all) > 0 {
		return all[0], nil
	}
	return nil, fail(ErrInvalidValue, "nothing is mapped at %#x", addr)
}

// RetainAllocation is cuMemRetainAllocationHandle.
func (t *Thread) RetainAllocation(addr uint64) (uint64, error) {
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.part(addr)
	if err != nil {
		return 0, err
	}
	p.memory.holds++
	return p.memory.handle, nil
}

// AllocationProperties is cuMemGetAllocationPropertiesFromHandle.
func (t *Thread) AllocationProperties(handle uint64) (AllocationProperties, error) {
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.physical(handle)
	if err != nil {
		return AllocationProperties{}, err
	}
	return p.properties, nil
}

// MemExport is cuMemExportToShareableHandle: a file descriptor, which the program
// closes.
func (t *Thread) MemExport(handle uint64, kind int32, flags uint64) (int, error) {
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.physical(handle)
	if err != nil {
		return 0, err
	}
	if kind != posixDescriptor || flags != 0 || p.properties.Handles&posixDescriptor == 0 {
		return 0, fail(ErrInvalidValue, "a handle of type %d of memory with handle types %#x", kind, p.properties.Handles)
	}
	return unix.FcntlInt(p.memory.Descriptor(), unix.F_DUPFD_CLOEXEC, 0)
}

// MemImport is cuMemImportFromShareableHandle.
func (t *Thread) MemImport(fd int, kind int32) (uint64, error) {
	switch kind {
	case posixDescriptor:
	case windowsHandle, windowsShared, fabricHandle:
		return 0, fail(ErrNotSupported, "a handle of type %d", kind)
	default:
		return 0, fail(ErrInvalidValue, "a handle of type %d", kind)
	}
	d, err := t.current()
	if err != nil {
		return 0, err
	}
	s, err := t.space(d)
	if err != nil {
		return 0, err
	}
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return 0, fail(ErrUnknown, "file descriptor %d: %v", fd, err)
	}
	memory, err := s.Adopt(os.NewFile(uintptr(own), "device memory"))
	if err != nil {
		return 0, err
	}
	q := AllocationProperties{Type: allocationPinned, Handles: posixDescriptor, Location: Location{locationDevice, int32(d.ordinal)}}
	return t.runtime.mappings.hold(&physical{memory: memory, properties: q}), nil
}
