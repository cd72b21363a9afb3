package rt

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// StreamGetCtx is cuStreamGetCtx.
func (t *Thread) StreamGetCtx(h StreamHandle) (uint64, error) {
	c, _, err := t.stream(h)
	if err != nil {
		return 0, err
	}
	if x := t.greenOf(h); x != nil {
		return t.ctxOfGreen(x), nil
	}
	return t.ctxOf(c), nil
}

// ctxOf is the handle of a context.
func (t *Thread) ctxOf(c *Context) uint64 {
	if c.device.existing() == c {
		return c.device.primary().handle
	}
	return t.runtime.ctxs.find(func(b *ctx) bool { return b.own == c })
}

// What a stream may wait for (CUstreamWaitValue_flags): the value in memory is not
// below the given one as numbers that wrap, equal to it, has a bit of it, has not
// all bits of the two set. Another bit asks for a flush of remote writes.
const (
	waitNotBelow = 0
	waitEqual    = 1
	waitAnd      = 2
	waitNor      = 3
	waitFlush    = 1 << 30
)

// Operations on memory in stream order (CUstreamBatchMemOpType).
const (
	opWait32  = 1
	opWrite32 = 2
	opFlush   = 3 // of remote writes, which no device here can ask for
	opWait64  = 4
	opWrite64 = 5
	opBarrier = 6 // commands are in order anyway
)

// MemOp is an operation of cuStreamBatchMemOp.
type MemOp struct {
	Operation   int32
	Addr, Value uint64
	Flags       uint32
}

// size is the number of bytes of the operation's value, 0 for none.
func (o *MemOp) size() int {
	switch o.Operation {
	case opWait32, opWrite32:
		return 4
	case opWait64, opWrite64:
		return 8
	}
	return 0
}

// HasValue reports an operation that has a value, and flags behind it.
func (o *MemOp) HasValue() bool { return o.size() > 0 }

// writes reports an operation that writes, and not waits.
func (o *MemOp) writes() bool { return o.Operation == opWrite32 || o.Operation == opWrite64 }

// check refuses operations that cannot be.
func (o *MemOp) check(c *Context) error {
	const barrierOfDevice = 1
	most := uint32(0)
	switch o.Operation {
	case opWait32, opWait64:
		most = waitNor
	case opWrite32, opWrite64:
	case opBarrier:
		most = barrierOfDevice
	case opFlush:
		return unsupported("flushing remote writes")
	default:
		return fail(ErrInvalidValue, "operation %d on memory", o.Operation)
	}
	if most == waitNor && o.Flags&waitFlush != 0 && o.Flags&^waitFlush <= most {
		return unsupported("flushing remote writes")
	}
	if o.Flags > most {
		return fail(ErrInvalidValue, "flags %#x", o.Flags)
	}
	if o.size() == 0 {
		return nil
	}
	return c.checkValue(o.Addr, o.size())
}

// memOpsTask are operations one after another.
type memOpsTask struct {
	context *Context
	list    []MemOp
	flags   uint32
	told    []byte // the list as the program may read it, nil until it asks
}

// mostMemOps is the largest number of operations that go together.
const mostMemOps = 256

// memOpsTask checks operations.
func (c *Context) memOpsTask(list []MemOp, flags uint32) (*memOpsTask, error) {
	if len(list) > mostMemOps || flags != 0 {
		return nil, fail(ErrInvalidValue, "%d operations on memory with flags %#x", len(list), flags)
	}
	for i := range list {
		if err := list[i].check(c); err != nil {
			return nil, err
		}
	}
	return &memOpsTask{context: c, list: list, flags: flags}, nil
}

func (k *memOpsTask) kind() int32 { return NodeBatchMemOp }

func (k *memOpsTask) step() stream.Step { return k.context.step(k.command()) }

func (k *memOpsTask) command() stream.Command {
	return stream.Kernel(func() (stream.Grid, error) { return &memOps{k.context, k.list}, nil })
}

// memOps are the operations that are left. They are work that is done when the
// values are there, and lets other streams go on meanwhile.
type memOps struct {
	context *Context
	left    []MemOp
}

// Advance implements stream.Grid.
func (m *memOps) Advance(int) (done bool, err error) {
	for ; len(m.left) > 0; m.left = m.left[1:] {
		o := &m.left[0]
		switch {
		case o.size() == 0:
		case o.writes():
			err = m.context.memory.Write(o.Addr, binary.LittleEndian.AppendUint64(nil, o.Value)[:o.size()])
		default:
			if done, err := m.context.holds(o); !done || err != nil {
				return false, err
			}
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// StreamMemOps is cuStreamBatchMemOp and, with one operation,
// cuStreamWaitValue32, cuStreamWriteValue64 and their relatives.
func (t *Thread) StreamMemOps(h StreamHandle, list []MemOp, flags uint32) error {
	c, s, m, err := t.work(h)
	if err != nil {
		return err
	}
	k, err := c.memOpsTask(list, flags)
	if err != nil {
		return err
	}
	if m != nil {
		return t.add(m, k)
	}
	_, err = s.Submit(k.command())
	return err
}

// StreamWriteValue is cuStreamWriteValue32 and 64: size bytes of value.
func (t *Thread) StreamWriteValue(h StreamHandle, addr, value uint64, size int, flags uint32) error {
	return t.StreamMemOps(h, []MemOp{{opOf(size, opWrite32, opWrite64), addr, value, flags}}, 0)
}

// StreamWaitValue is cuStreamWaitValue32 and 64.
func (t *Thread) StreamWaitValue(h StreamHandle, addr, value uint64, size int, flags uint32) error {
	return t.StreamMemOps(h, []MemOp{{opOf(size, opWait32, opWait64), addr, value, flags}}, 0)
}

func opOf(size int, narrow, wide int32) int32 {
	if size == 4 {
		return narrow
	}
	return wide
}

// checkValue refuses places where no aligned value can be.
func (c *Context) checkValue(addr uint64, size int) error {
	if addr%uint64(size) != 0 {
		return fail(ErrInvalidValue, "%#x is no multiple of %d", addr, size)
	}
	if b, ok := c.memory.Lookup(addr); !ok || b.Kind == mem.Managed {
		return fail(ErrInvalidValue, "%#x is neither memory of a device nor pinned", addr)
	}
	_, err := c.memory.Bytes(addr, uint64(size))
	return err
}

// holds reports that the value that an operation waits for is there.
func (c *Context) holds(o *MemOp) (bool, error) {
	var b [8]byte
	if err := c.memory.Read(o.Addr, b[:o.size()]); err != nil {
		return false, err
	}
	now, mask := binary.LittleEndian.Uint64(b[:]), ^uint64(0)>>(64-8*o.size())
	switch o.Flags &^ waitFlush {
	case waitNotBelow:
		return (now-o.Value)&(mask>>1+1) == 0, nil
	case waitEqual:
		return now == o.Value&mask, nil
	case waitAnd:
		return now&o.Value&mask != 0, nil
	}
	return ^(now|o.Value)&mask != 0, nil
}

// GraphAddMemOpsNode is cuGraphAddBatchMemOpNode.
func (t *Thread) GraphAddMemOpsNode(g uint64, after []Dependency, list []MemOp, flags uint32) (uint64, error) {
	k, err := t.memOpsHere(list, flags)
	if err != nil {
		return 0, err
	}
	return t.addNode(g, after, k)
}

func (t *Thread) memOpsHere(list []MemOp, flags uint32) (*memOpsTask, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	return c.memOpsTask(list, flags)
}

// memOpBytes is the size of CUstreamBatchMemOpParams.
const memOpBytes = 48

// GraphMemOpsNodeGetParams is cuGraphBatchMemOpNodeGetParams. The operations are
// as the driver lays them out, and stay as long as the node has them.
func (t *Thread) GraphMemOpsNodeGetParams(node uint64) (list []byte, count int, flags uint32, err error) {
	defer t.lock()()
	_, k, err := taskOf[*memOpsTask](t, node)
	if err != nil {
		return nil, 0, 0, err
	}
	if k.told == nil {
		k.told = make([]byte, memOpBytes*len(k.list))
		for i, o := range k.list {
			b := k.told[memOpBytes*i:]
			binary.LittleEndian.PutUint32(b, uint32(o.Operation))
			binary.LittleEndian.PutUint64(b[8:], o.Addr)
			binary.LittleEndian.PutUint64(b[16:], o.Value)
			binary.LittleEndian.PutUint32(b[24:], o.Flags)
		}
	}
	return k.told, len(k.list), k.flags, nil
}

// GraphMemOpsNodeSetParams is cuGraphBatchMemOpNodeSetParams.
func (t *Thread) GraphMemOpsNodeSetParams(node uint64, list []MemOp, flags uint32) error {
	k, err := t.memOpsHere(list, flags)
	if err != nil {
		return err
	}
	return replace[*memOpsTask](t, node, k)
}

// GraphExecMemOpsNodeSetParams is cuGraphExecBatchMemOpNodeSetParams.
func (t *Thread) GraphExecMemOpsNodeSetParams(exec, node uint64, list []MemOp, flags uint32) error {
	k, err := t.memOpsHere(list, flags)
	if err != nil {
		return err
	}
	old, err := t.memOpsOf(node)
	if err != nil {
		return err
	}
	if len(old.list) != len(list) {
		return fail(ErrInvalidValue, "%d operations in place of %d", len(list), len(old.list))
	}
	return t.execReplace(exec, node, k)
}

// memOpsOf is the work of a node of operations on memory.
func (t *Thread) memOpsOf(node uint64) (*memOpsTask, error) {
	defer t.lock()()
	_, k, err := taskOf[*memOpsTask](t, node)
	return k, err
}
