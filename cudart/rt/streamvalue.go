package rt

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/stream"
)

// StreamGetCtx is cuStreamGetCtx.
func (t *Thread) StreamGetCtx(h StreamHandle) (uint64, error) {
	c, _, err := t.stream(h)
	if err != nil {
		return 0, err
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
// all bits of the two set. Another bit asks for a flush of remote writes, of
// which there are none.
const (
	waitNotBelow = 0
	waitEqual    = 1
	waitAnd      = 2
	waitNor      = 3
	waitFlush    = 1 << 30
)

// StreamWriteValue is cuStreamWriteValue32 and 64: size bytes of value.
func (t *Thread) StreamWriteValue(h StreamHandle, addr, value uint64, size int, flags uint32) error {
	const noBarrier = 1
	c, s, err := t.stream(h)
	if err != nil {
		return err
	}
	if flags&^noBarrier != 0 {
		return fail(ErrInvalidValue, "flags %#x", flags)
	}
	if err := c.checkValue(addr, size); err != nil {
		return err
	}
	bytes := binary.LittleEndian.AppendUint64(nil, value)[:size]
	return c.submit(s, false, func() error { return c.memory.Write(addr, bytes) })
}

// checkValue refuses places where no aligned value can be.
func (c *Context) checkValue(addr uint64, size int) error {
	if addr%uint64(size) != 0 {
		return fail(ErrInvalidValue, "%#x is no multiple of %d", addr, size)
	}
	if c.side(addr) == plain {
		return fail(ErrInvalidValue, "%#x is not memory of a device", addr)
	}
	_, err := c.memory.Bytes(addr, uint64(size))
	return err
}

// StreamWaitValue is cuStreamWaitValue32 and 64.
func (t *Thread) StreamWaitValue(h StreamHandle, addr, value uint64, size int, flags uint32) error {
	c, s, err := t.stream(h)
	if err != nil {
		return err
	}
	condition := flags &^ waitFlush
	if condition > waitNor {
		return fail(ErrInvalidValue, "flags %#x", flags)
	}
	if err := c.checkValue(addr, size); err != nil {
		return err
	}
	_, err = s.Submit(stream.Kernel(func() (stream.Grid, error) {
		return &valueWait{context: c, addr: addr, value: value, size: size, condition: condition}, nil
	}))
	return err
}

// valueWait is a wait as work that is done when the value is there: it lets other
// streams go on meanwhile.
type valueWait struct {
	context     *Context
	addr, value uint64
	size        int
	condition   uint32
}

// Advance implements stream.Grid.
func (w *valueWait) Advance(int) (done bool, err error) {
	var b [8]byte
	if err := w.context.memory.Read(w.addr, b[:w.size]); err != nil {
		return false, err
	}
	return w.holds(binary.LittleEndian.Uint64(b[:])), nil
}

func (w *valueWait) holds(now uint64) bool {
	mask := ^uint64(0) >> (64 - 8*w.size)
	switch w.condition {
	case waitNotBelow:
		return (now-w.value)&(mask>>1+1) == 0
	case waitEqual:
		return now == w.value&mask
	case waitAnd:
		return now&w.value != 0
	}
	return ^(now|w.value)&mask != 0
}
