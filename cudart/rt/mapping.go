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
	handle     uint64
	access     map[int]int32 // of devices, by number
}

// physical is memory as cuMemCreate makes it.
type physical struct {
	memory     *mem.Physical
	properties AllocationProperties
	holds      int // handles
	maps       int
}

// AllocationProperties is the beginning of CUmemAllocationProp.
type AllocationProperties struct {
	Type, Handles int32
	Location
	Compression uint8
}

// genericCompression asks for memory that the hardware may compress, which a program cannot tell from other memory but by
// asking for its properties.
const genericCompression = 1

// handleTypes are the ways to share physical memory; a file descriptor is the one
// that there is.
const posixDescriptor = 1

func (p AllocationProperties) check() error {
	if p.Type != allocationPinned || p.Handles&^0xf != 0 {
		return fail(ErrInvalidValue, "allocation type %d, handle types %#x", p.Type, p.Handles)
	}
	if p.Location.Type != locationDevice {
		return unsupported("physical memory at location type %d", p.Location.Type)
	}
	return nil
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

// AddressReserve is cuMemAddressReserve. The wish for an address is not heard.
func (t *Thread) AddressReserve(size, align, flags uint64) (uint64, error) {
	if size == 0 || size%mappingGranule != 0 || align&(align-1) != 0 || flags != 0 {
		return 0, fail(ErrInvalidValue, "reserve %d bytes at a multiple of %d with flags %#x", size, align, flags)
	}
	d, err := t.current()
	if err != nil {
		return 0, err
	}
	s, err := t.space(d)
	if err != nil {
		return 0, err
	}
	addr, err := s.Reserve(size, align)
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
	if err := p.check(); err != nil {
		return 0, err
	}
	d, err := t.runtime.device(int(p.ID))
	if err != nil {
		return 0, err
	}
	s, err := t.space(d)
	if err != nil {
		return 0, err
	}
	switch {
	case p.Compression > genericCompression:
		return 0, fail(ErrInvalidValue, "compression of kind %d", p.Compression)
	case d.model.Memory.Compression == 0:
		p.Compression = 0
	}
	memory, err := s.Create(size)
	if err != nil {
		return 0, err
	}
	return t.runtime.mappings.memory.add(&physical{memory: memory, properties: p, holds: 1}), nil
}

// physical finds memory by its handle.
func (m *mappings) physical(handle uint64) (*physical, error) {
	p, ok := m.memory.get(handle)
	if !ok {
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
	return m.settle(handle, p)
}

// settle lets go of memory that nobody holds, and takes its handle back.
func (m *mappings) settle(handle uint64, p *physical) error {
	if p.holds > 0 {
		return nil
	}
	m.memory.take(handle)
	if p.maps > 0 {
		return nil
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
	if flags != 0 {
		return fail(ErrInvalidValue, "flags %#x", flags)
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
	r.parts = append(r.parts, &part{base: addr, size: size, memory: p, handle: handle, access: map[int]int32{}})
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

// MemUnmap is cuMemUnmap. It waits for the devices.
func (t *Thread) MemUnmap(addr, size uint64) error {
	for _, c := range t.runtime.contexts() {
		_ = c.engine.Synchronize() // what stopped the device, other calls say
	}
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
		if p.memory.holds == 0 && p.memory.maps == 0 {
			_ = p.memory.memory.Release() // the bytes are gone with the mapping
		}
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

// MemSetAccess is cuMemSetAccess. Reading alone is not told from writing.
func (t *Thread) MemSetAccess(addr, size uint64, list []Access) error {
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
		if a.Type != locationDevice {
			return unsupported("access from location type %d", a.Type)
		}
		d, err := t.runtime.device(int(a.ID))
		if err != nil {
			return err
		}
		for _, p := range parts {
			p.access[d.ordinal] = a.Flags
			r.apply(p)
		}
		d.see(r.space, a.Flags != accessNone)
	}
	return nil
}

// apply lets accesses reach a part if any device may access it.
func (r *reservation) apply(p *part) {
	for _, flags := range p.access {
		if flags != accessNone {
			r.space.Grant(p.base, p.size)
			return
		}
	}
	r.space.Deny(p.base, p.size)
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
	if _, err := t.runtime.device(int(where.ID)); err != nil {
		return 0, err
	}
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.part(addr)
	if err != nil {
		return 0, err
	}
	return uint64(p.access[int(where.ID)]), nil
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
	if p.memory.holds == 0 {
		p.handle = m.memory.add(p.memory)
	}
	p.memory.holds++
	return p.handle, nil
}

// AllocationProperties is cuMemGetAllocationPropertiesFromHandle.
func (t *Thread) AllocationProperties(handle uint64) (AllocationProperties, error) {
	p, err := t.runtime.mappings.physical(handle)
	if err != nil {
		return AllocationProperties{}, err
	}
	return p.properties, nil
}

// MemExport is cuMemExportToShareableHandle: a file descriptor, which the program
// closes.
func (t *Thread) MemExport(handle uint64, kind int32, flags uint64) (int, error) {
	p, err := t.runtime.mappings.physical(handle)
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
	if kind != posixDescriptor {
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
		return 0, fail(ErrInvalidValue, "file descriptor %d: %v", fd, err)
	}
	memory, err := s.Adopt(os.NewFile(uintptr(own), "device memory"))
	if err != nil {
		return 0, err
	}
	q := AllocationProperties{Type: allocationPinned, Handles: posixDescriptor, Location: Location{locationDevice, int32(d.ordinal)}}
	return t.runtime.mappings.memory.add(&physical{memory: memory, properties: q, holds: 1}), nil
}
