package rt

import (
	"slices"

	"github.com/lockstep-sim/lockstep/cudart/rt/graph"
	"github.com/lockstep-sim/lockstep/stream"
)

// graphBlock is memory that a node allocates. Its address is the graph's as long
// as the graph or an executable of it is there; whether the program may use it
// changes with launches.
type graphBlock struct {
	context *Context
	addr    uint64
	size    uint64 // in bytes, as taken from the device
	live    bool   // allocated by a launch and not freed
	backing backing
	freedBy *graph.Node
}

// graphMemory is the memory of a graph and of its executables.
type graphMemory struct {
	blocks []*graphBlock
	uses   int
}

// graphUse is the memory of graphs on a device. What they use is counted as on
// hardware, where launches that cannot be under way at the same time share
// memory behind different addresses; it is only counted, since here each address
// has memory of its own.
type graphUse struct {
	blocks                       map[uint64]*graphBlock
	idle                         []backing
	kept, usedMost, reservedMost uint64 // bytes
}

// backing is memory behind the addresses of a launch, and after which launch in
// which stream it can serve another.
type backing struct {
	size   uint64
	stream *stream.Stream
	last   stream.Ticket
}

// backingGranule is the unit in which graphs reserve memory (measured).
const backingGranule = 32 << 20

// take finds memory for a launch in a stream.
func (u *graphUse) take(size uint64, s *stream.Stream) backing {
	size = roundUp(size, backingGranule)
	for i, b := range u.idle {
		if done, _ := b.last.Query(); b.size >= size && (b.stream == s || done) {
			u.idle = slices.Delete(u.idle, i, i+1)
			return b
		}
	}
	u.kept += size
	u.usedMost, u.reservedMost = max(u.usedMost, u.kept), max(u.reservedMost, u.kept)
	return backing{size: size}
}

// give takes memory back after a launch.
func (u *graphUse) give(b backing, s *stream.Stream, last stream.Ticket) {
	if b.size > 0 {
		u.idle = append(u.idle, backing{b.size, s, last})
	}
}

// trim gives up what no launch has.
func (u *graphUse) trim() {
	u.idle = slices.DeleteFunc(u.idle, func(b backing) bool {
		done, _ := b.last.Query()
		if done {
			u.kept -= b.size
		}
		return done
	})
}

// MemAlloc is an allocation of a graph.
type MemAlloc struct {
	Pool          PoolProperties
	Access        []Access // what devices reach it
	Bytes, Result uint64
}

// graphGranule is the unit of a graph's memory in bytes.
const graphGranule = 2 << 20

// GraphAddMemAllocNode is cudaGraphAddMemAllocNode. The address is known at once.
func (t *Thread) GraphAddMemAllocNode(handle uint64, after []Dependency, m MemAlloc) (node, addr uint64, err error) {
	c, err := t.graphPlace(m)
	if err != nil {
		return 0, 0, err
	}
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return 0, 0, err
	}
	edges, err := t.runtime.edges(g, after)
	if err != nil {
		return 0, 0, err
	}
	k, err := t.allocTask(c, g, edges, m.Bytes)
	if err != nil {
		return 0, 0, err
	}
	n, err := g.Add(k, edges...)
	if err != nil {
		return 0, 0, err
	}
	t.runtime.name(n)
	k.access = slices.Clone(m.Access)
	return n.Handle, k.block.addr, nil
}

// graphPlace checks an allocation and finds its device.
func (t *Thread) graphPlace(m MemAlloc) (*Context, error) {
	p := m.Pool
	if p.Allocation != allocationPinned || p.Type != locationDevice || m.Bytes == 0 {
		return nil, fail(ErrInvalidValue, "%d bytes of allocation type %d at location type %d", m.Bytes, p.Allocation, p.Type)
	}
	if p.Handles != 0 {
		return nil, fail(ErrNotSupported, "memory of graphs cannot be shared with other processes")
	}
	for _, a := range m.Access {
		if a.Type != locationDevice || a.Flags != readWrite {
			return nil, fail(ErrInvalidValue, "access %d at location type %d", a.Flags, a.Type)
		}
		if _, err := t.runtime.device(int(a.ID)); err != nil {
			return nil, err
		}
	}
	c, err := t.contextOf(int(p.ID))
	if CodeOf(err) == ErrInvalidDevice {
		err = fail(ErrInvalidValue, "%v", err)
	}
	return c, err
}

// allocTask finds memory for a node behind others. Memory that one of those has
// freed is used again.
func (t *Thread) allocTask(c *Context, g *graph.Graph, after []graph.Edge, bytes uint64) (*allocTask, error) {
	r := t.runtime
	m := r.memoryOf(g)
	size := roundUp(bytes, graphGranule)
	var ends []*graph.Node
	for _, e := range after {
		ends = append(ends, e.From)
	}
	for _, b := range m.blocks {
		if b.context == c && b.freedBy != nil && b.size >= size && graph.Reaches(ends, b.freedBy) {
			b.freedBy = nil
			return &allocTask{block: b, bytes: bytes}, nil
		}
	}
	if size < bytes || size > t.runtime.model.TotalMemory {
		return nil, fail(ErrMemoryAllocation, "%d bytes for a graph", bytes)
	}
	addr, err := c.memory.Alloc(size, 0)
	if err != nil {
		return nil, err
	}
	b := &graphBlock{context: c, addr: addr, size: size}
	m.blocks = append(m.blocks, b)
	if c.graphs.blocks == nil {
		c.graphs.blocks = map[uint64]*graphBlock{}
	}
	c.graphs.blocks[addr] = b
	return &allocTask{block: b, bytes: bytes}, nil
}

// memoryOf is the memory of a graph.
func (r *Runtime) memoryOf(g *graph.Graph) *graphMemory {
	if r.graphs.memory == nil {
		r.graphs.memory = map[*graph.Graph]*graphMemory{}
	}
	if r.graphs.memory[g] == nil {
		r.graphs.memory[g] = &graphMemory{uses: 1}
	}
	return r.graphs.memory[g]
}

// captureAlloc makes an allocation of a captured stream a node.
func (t *Thread) captureAlloc(m *member, p *Pool, bytes uint64) (uint64, error) {
	if bytes == 0 {
		return 0, nil
	}
	unlock := t.lock()
	k, err := t.allocTask(p.context, m.capture.graph, m.tips, bytes)
	unlock()
	if err != nil {
		return 0, err
	}
	return k.block.addr, t.add(m, k)
}

// captureFree makes a deallocation of a captured stream a node.
func (t *Thread) captureFree(m *member, c *Context, addr uint64) error {
	unlock := t.lock()
	k, err := t.freeTask(c, m.capture.graph, addr)
	unlock()
	if err != nil {
		return err
	}
	if err := t.add(m, k); err != nil {
		return err
	}
	k.block.freedBy = m.tips[0].From
	return nil
}

// releaseMemory lets go of a destroyed graph's memory.
func (r *Runtime) releaseMemory(g *graph.Graph) {
	if m := r.graphs.memory[g]; m != nil {
		delete(r.graphs.memory, g)
		m.release()
	}
}

// release ends one use. Memory that nobody has left is the device's again, except
// for what the program did not free.
func (m *graphMemory) release() {
	m.uses--
	if m.uses > 0 {
		return
	}
	for _, b := range m.blocks {
		if b.live {
			continue
		}
		b.discard()
	}
}

// discard gives the block back to the device.
func (b *graphBlock) discard() {
	delete(b.context.graphs.blocks, b.addr)
	_ = b.context.memory.Free(b.addr) // the block is the graph's own
}

// GraphMemAllocNodeGetParams is cudaGraphMemAllocNodeGetParams.
func (t *Thread) GraphMemAllocNodeGetParams(handle uint64) (MemAlloc, error) {
	defer t.lock()()
	_, k, err := taskOf[*allocTask](t, handle)
	if err != nil {
		return MemAlloc{}, err
	}
	p := PoolProperties{Allocation: allocationPinned, Location: DeviceLocation(int32(k.block.context.device.ordinal))}
	return MemAlloc{Pool: p, Access: k.access, Bytes: k.bytes, Result: k.block.addr}, nil
}

// GraphAddMemFreeNode is cudaGraphAddMemFreeNode.
func (t *Thread) GraphAddMemFreeNode(handle uint64, after []Dependency, addr uint64) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	defer t.lock()()
	g, err := t.runtime.graph(handle)
	if err != nil {
		return 0, err
	}
	k, err := t.freeTask(c, g, addr)
	if err != nil {
		return 0, err
	}
	h, err := t.insert(g, after, k)
	if err == nil {
		k.block.freedBy, _ = t.runtime.node(h)
	}
	return h, err
}

// freeTask checks that memory is a graph's, and not freed in this graph already.
func (t *Thread) freeTask(c *Context, g *graph.Graph, addr uint64) (*freeTask, error) {
	b := t.graphBlock(addr)
	if b == nil {
		return nil, fail(ErrInvalidValue, "%#x is not memory that a graph allocates", addr)
	}
	if b.freedBy != nil && b.freedBy.Graph() == g {
		return nil, fail(ErrInvalidValue, "the graph frees %#x already", addr)
	}
	return &freeTask{addr, b}, nil
}

// graphBlock finds memory of a graph by its address, on any device.
func (t *Thread) graphBlock(addr uint64) *graphBlock {
	for _, c := range t.runtime.contexts() {
		if b := c.graphs.blocks[addr]; b != nil {
			return b
		}
	}
	return nil
}

// GraphMemFreeNodeGetParams is cudaGraphMemFreeNodeGetParams.
func (t *Thread) GraphMemFreeNodeGetParams(handle uint64) (uint64, error) {
	defer t.lock()()
	_, k, err := taskOf[*freeTask](t, handle)
	if err != nil {
		return 0, err
	}
	return k.addr, nil
}

// freeGraphBlock gives memory back that a graph has allocated and the program
// frees; mine reports that it is a graph's.
func (t *Thread) freeGraphBlock(addr uint64) (mine bool, err error) {
	defer t.lock()()
	b := t.graphBlock(addr)
	if b == nil {
		return false, nil
	}
	if !b.live {
		return true, fail(ErrInvalidValue, "%#x is not allocated", addr)
	}
	b.live = false
	b.context.graphs.give(b.backing, nil, stream.Ticket{})
	if !t.runtime.owned(b) {
		b.discard()
	}
	return true, nil
}

// owned reports that a graph or an executable still has the block.
func (r *Runtime) owned(b *graphBlock) bool {
	for _, m := range r.graphs.memory {
		if slices.Contains(m.blocks, b) {
			return true
		}
	}
	owned := false
	r.graphs.execs.each(func(x *executable) {
		for _, m := range x.memory {
			owned = owned || slices.Contains(m.blocks, b)
		}
	})
	return owned
}

// Attributes of the memory of graphs.
const (
	graphUsed         = 0
	graphUsedHigh     = 1
	graphReserved     = 2
	graphReservedHigh = 3
)

// DeviceGetGraphMemAttribute is cudaDeviceGetGraphMemAttribute, in bytes.
func (t *Thread) DeviceGetGraphMemAttribute(ordinal int, attribute int32) (uint64, error) {
	c, err := t.contextOf(ordinal)
	if err != nil {
		return 0, err
	}
	defer t.lock()()
	u := &c.graphs
	switch attribute {
	case graphUsed, graphReserved:
		return u.kept, nil
	case graphUsedHigh:
		return u.usedMost, nil
	case graphReservedHigh:
		return u.reservedMost, nil
	}
	return 0, fail(ErrInvalidValue, "graph memory attribute %d", attribute)
}

// DeviceSetGraphMemAttribute is cudaDeviceSetGraphMemAttribute: the high marks
// can be reset.
func (t *Thread) DeviceSetGraphMemAttribute(ordinal int, attribute int32, value uint64) error {
	c, err := t.contextOf(ordinal)
	if err != nil {
		return err
	}
	defer t.lock()()
	u := &c.graphs
	switch {
	case value != 0:
	case attribute == graphUsedHigh:
		u.usedMost = u.kept
		return nil
	case attribute == graphReservedHigh:
		u.reservedMost = u.kept
		return nil
	}
	return fail(ErrInvalidValue, "graph memory attribute %d to %d", attribute, value)
}

// DeviceGraphMemTrim is cudaDeviceGraphMemTrim: memory that no launch has in use
// is no longer reserved.
func (t *Thread) DeviceGraphMemTrim(ordinal int) error {
	c, err := t.contextOf(ordinal)
	if err != nil {
		return err
	}
	defer t.lock()()
	c.graphs.trim()
	return nil
}
