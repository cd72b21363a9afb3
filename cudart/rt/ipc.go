package rt

import (
	"encoding/binary"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// HandleBytes is the size of what names memory and events for other processes.
const HandleBytes = 64

// Handle is cudaIpcMemHandle_t, cudaIpcEventHandle_t, or what names an allocation
// of a pool.
type Handle [HandleBytes]byte

// Marks of handles, so that one is not taken for another.
const (
	memoryMark = 0x4d_6c_73_31
	eventMark  = 0x45_6c_73_31
)

// memoryHandle is what a Handle says about memory.
type memoryHandle struct {
	Mark, Device uint32
	mem.Shared
	Pool uint64 // inode of the pool's identity, 0 for memory of no pool
}

func (m *memoryHandle) encode() (h Handle) {
	n, err := binary.Encode(h[:], binary.LittleEndian, m)
	if err != nil || n > HandleBytes {
		panic("a memory handle does not fit")
	}
	return h
}

func decodeMemory(h Handle) (m memoryHandle, err error) {
	if _, err := binary.Decode(h[:], binary.LittleEndian, &m); err != nil || m.Mark != memoryMark {
		return m, fail(ErrInvalidValue, "this handle names no memory")
	}
	return m, nil
}

// opened are the allocations of other processes that a context has mapped.
type opened struct {
	mu     sync.Mutex
	blocks map[uint64]*foreign // by address here
}

// foreign is an allocation of another process.
type foreign struct {
	name  mem.Shared
	base  uint64 // of its blocks here
	count int    // how often it was opened
}

// share names an allocation of device memory for other processes.
func (c *Context) share(addr, pool uint64) (Handle, error) {
	m := memoryHandle{Mark: memoryMark, Device: uint32(c.device.ordinal), Pool: pool}
	err := c.aside(func() (err error) { m.Shared, err = c.memory.Share(addr); return err })
	return m.encode(), err
}

// aside runs f when no kernel is executing, in the order of no stream.
func (c *Context) aside(f func() error) error {
	s := c.engine.NewStream(stream.NonBlocking, greatestPriority)
	defer s.Destroy()
	var failed error
	ticket, err := s.Submit(stream.Do(func() error { failed = f(); return nil }))
	if err == nil {
		err = ticket.Wait()
	}
	if err == nil {
		err = failed
	}
	return err
}

// IPCGetMemHandle is cudaIpcGetMemHandle.
func (t *Thread) IPCGetMemHandle(addr uint64) (Handle, error) {
	c, err := t.owner(addr)
	if err != nil {
		return Handle{}, err
	}
	b, _ := c.memory.Lookup(addr)
	if b.Kind != mem.Device {
		return Handle{}, fail(ErrInvalidValue, "%v cannot be shared", b)
	}
	c.pools.mu.Lock()
	_, isPooled := c.pools.blocks[b.Base]
	c.pools.mu.Unlock()
	if isPooled || c.isForeign(b.Base) {
		return Handle{}, fail(ErrInvalidValue, "%v is memory of a pool or of another process", b)
	}
	return c.share(b.Base, 0)
}

// lazyPeer is the flag that cudaIpcOpenMemHandle has to be given.
const lazyPeer = 1

// IPCOpenMemHandle is cudaIpcOpenMemHandle. Opening again gives the same address.
func (t *Thread) IPCOpenMemHandle(h Handle, flags uint32) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	if flags != lazyPeer {
		return 0, fail(ErrInvalidValue, "flags %#x", flags)
	}
	m, err := decodeMemory(h)
	if err != nil {
		return 0, err
	}
	if m.Process == uint32(os.Getpid()) {
		return 0, fail(ErrDeviceUninitialized, "the memory belongs to this process")
	}
	if m.Pool != 0 {
		return 0, fail(ErrInvalidValue, "the handle names memory of a pool")
	}
	return c.open(m.Shared)
}

// open maps memory of another process.
func (c *Context) open(name mem.Shared) (uint64, error) {
	o := &c.opened
	o.mu.Lock()
	defer o.mu.Unlock()
	for addr, f := range o.blocks {
		if f.name == name {
			f.count++
			return addr, nil
		}
	}
	addr, err := c.memory.Import(name)
	if err != nil {
		return 0, err
	}
	if o.blocks == nil {
		o.blocks = map[uint64]*foreign{}
	}
	o.blocks[addr] = &foreign{name: name, base: addr - name.Offset, count: 1}
	return addr, nil
}

// isForeign reports that addr lies in memory of another process.
func (c *Context) isForeign(addr uint64) bool {
	c.opened.mu.Lock()
	defer c.opened.mu.Unlock()
	for _, f := range c.opened.blocks {
		if addr-f.base < f.name.Reach {
			return true
		}
	}
	return false
}

// IPCCloseMemHandle is cudaIpcCloseMemHandle. It waits for the device.
func (t *Thread) IPCCloseMemHandle(addr uint64) error {
	c, err := t.context()
	if err != nil {
		return err
	}
	c.opened.mu.Lock()
	f := c.opened.blocks[addr]
	if f != nil {
		if f.count--; f.count == 0 {
			delete(c.opened.blocks, addr)
		}
	}
	c.opened.mu.Unlock()
	if f == nil {
		return fail(ErrInvalidValue, "%#x was not opened", addr)
	}
	if f.count > 0 {
		return nil
	}
	if err := c.engine.Synchronize(); err != nil {
		return err
	}
	return c.memory.Free(f.base)
}

// identity is a file whose descriptors stand for a pool in all processes.
type identity struct {
	file  *os.File // nil for none
	inode uint64
}

// poolMark begins the content of such a file, and its device follows.
const poolMark = 0x50_6c_73_31

func newIdentity(device int) (identity, error) {
	fd, err := unix.MemfdCreate("lockstep pool", unix.MFD_CLOEXEC)
	if err != nil {
		return identity{}, fail(ErrOperatingSystem, "make a file for a memory pool: %v", err)
	}
	f := os.NewFile(uintptr(fd), "memory pool")
	text := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, poolMark), uint32(device))
	if _, err := f.WriteAt(text, 0); err != nil {
		f.Close()
		return identity{}, fail(ErrOperatingSystem, "write the file of a memory pool: %v", err)
	}
	return identityOf(f)
}

func identityOf(f *os.File) (identity, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		f.Close()
		return identity{}, fail(ErrInvalidValue, "look at the descriptor of a memory pool: %v", err)
	}
	return identity{f, st.Ino}, nil
}

func (i *identity) close() {
	if i.file != nil {
		i.file.Close()
		i.file = nil
	}
}

// MemPoolExport is cudaMemPoolExportToShareableHandle: a file descriptor.
func (t *Thread) MemPoolExport(handle uint64, kind int32, flags uint32) (fd int, err error) {
	p, err := t.pool(handle)
	if err != nil {
		return 0, err
	}
	if kind != handleDescriptor || flags != 0 || !p.shares {
		return 0, fail(ErrInvalidValue, "handle type %d with flags %#x of a pool made for %t", kind, flags, p.shares)
	}
	fd, err = unix.FcntlInt(p.identity.file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return 0, fail(ErrOperatingSystem, "copy the descriptor of a memory pool: %v", err)
	}
	return fd, nil
}

// MemPoolImport is cudaMemPoolImportFromShareableHandle. The descriptor stays the
// program's.
func (t *Thread) MemPoolImport(fd int, kind int32, flags uint32) (uint64, error) {
	if kind != handleDescriptor || flags != 0 {
		return 0, fail(ErrInvalidValue, "handle type %d with flags %#x", kind, flags)
	}
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return 0, fail(ErrInvalidValue, "descriptor %d: %v", fd, err)
	}
	id, err := identityOf(os.NewFile(uintptr(own), "memory pool"))
	if err != nil {
		return 0, err
	}
	var text [8]byte
	if _, err := id.file.ReadAt(text[:], 0); err != nil || binary.LittleEndian.Uint32(text[:]) != poolMark {
		id.close()
		return 0, fail(ErrInvalidValue, "descriptor %d is not one of a memory pool", fd)
	}
	device := binary.LittleEndian.Uint32(text[4:])
	c, err := t.contextOf(int(device))
	if err != nil {
		id.close()
		return 0, err
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	return t.newPool(&Pool{context: c, where: Location{locationDevice, int32(device)}, identity: id, imported: true}), nil
}

// MemPoolExportPointer is cudaMemPoolExportPointer.
func (t *Thread) MemPoolExportPointer(addr uint64) (Handle, error) {
	c, err := t.owner(addr)
	if err != nil {
		return Handle{}, err
	}
	block, _ := c.memory.Lookup(addr)
	c.pools.mu.Lock()
	b := c.pools.blocks[block.Base]
	c.pools.mu.Unlock()
	if b == nil || b.freedIn != nil || !b.pool.shares {
		return Handle{}, fail(ErrInvalidValue, "%#x is not memory of a pool that is shared", addr)
	}
	return c.share(block.Base, b.pool.identity.inode)
}

// MemPoolImportPointer is cudaMemPoolImportPointer.
func (t *Thread) MemPoolImportPointer(handle uint64, h Handle) (uint64, error) {
	p, err := t.pool(handle)
	if err != nil {
		return 0, err
	}
	m, err := decodeMemory(h)
	if err != nil {
		return 0, err
	}
	if !p.imported || m.Pool != p.identity.inode {
		return 0, fail(ErrInvalidValue, "the memory is not one of this pool")
	}
	c := p.context
	addr, err := c.open(m.Shared)
	if err != nil {
		return 0, err
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	if c.pools.blocks == nil {
		c.pools.blocks = map[uint64]*pooled{}
	}
	c.pools.blocks[addr] = &pooled{pool: p, addr: addr, size: m.Size}
	p.used += m.Size
	return addr, nil
}
