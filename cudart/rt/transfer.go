package rt

import (
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/stream"
)

// transfer is a copy or a fill: what it does, and how long that takes on a device
// with simulated time.
type transfer struct {
	move  func() error
	begin func() *gpu.Transfer // nil for no time
}

// transfers is a GPU whose copies can take time.
type transfers interface {
	Transfer(way chip.Way, bytes uint64) *gpu.Transfer
}

// bytes is the number of bytes of a box.
func (b box) bytes() uint64 { return b.width * max(b.height, 1) * max(b.depth, 1) }

// filling is a fill of a box that fill makes. It takes the time of a copy of half of
// the bytes: nothing is read.
func (c *Context) filling(b box, fill func() error) transfer {
	return c.transfer(chip.Within, b.bytes()/2, fill)
}

// transfer is a copy of so many bytes that move makes. They are there when it
// begins: what could see the difference races with it.
func (c *Context) transfer(way chip.Way, bytes uint64, move func() error) transfer {
	x := transfer{move: move}
	if g, ok := c.gpu.(transfers); ok && c.device.runtime.timing.model != nil && way != chip.Ways {
		x.begin = func() *gpu.Transfer { return g.Transfer(way, bytes) }
	}
	return x
}

// wayOf is the way of a copy; chip.Ways if the device has no part in it.
func wayOf(to, from side) chip.Way {
	switch {
	case to == device && from == device:
		return chip.Within
	case to == plain && from == device || to == device && from == plain:
		return chip.Unpinned
	case to == device:
		return chip.ToDevice
	case from == device:
		return chip.ToHost
	}
	return chip.Ways
}

// command is the transfer as work of a stream.
func (x transfer) command() stream.Command {
	if x.begin == nil {
		return stream.Do(x.move)
	}
	return stream.Copy(func() (stream.Grid, error) {
		if err := x.move(); err != nil {
			return nil, err
		}
		return x.begin(), nil
	})
}
