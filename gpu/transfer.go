package gpu

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Transfer is a copy under way in simulated time. It is advanced in turns with the
// grids of its device; one goroutine at a time may use it.
type Transfer struct {
	timed *timed
	end   kit.Cycle
}

// Transfer begins a copy of so many bytes; nil on a device without time. The bytes
// themselves are the caller's to move. Copies of one way follow one another.
func (d *Device) Transfer(way chip.Way, bytes uint64) *Transfer {
	t := d.timed
	if t == nil {
		return nil
	}
	x := &Transfer{timed: t, end: max(t.chip.Now(), t.lanes[way]) + t.config.Transfer(way, bytes)}
	t.lanes[way] = x.end
	t.transfers = append(t.transfers, x)
	t.pause()
	return x
}

// Now is the present cycle of a device with time.
func (d *Device) Now() kit.Cycle { return d.timed.chip.Now() }

// Advance lets time pass on an otherwise idle device, and reports whether the copy
// has ended.
func (x *Transfer) Advance(int) (done bool, err error) {
	t := x.timed
	if t.fault != nil {
		return true, t.fault
	}
	if now := t.chip.Now(); now < x.end && t.chip.Idle() {
		first := x.end
		for _, other := range t.transfers {
			first = min(first, other.end)
		}
		t.chip.Wait(first - min(first, now))
	}
	if t.chip.Now() < x.end {
		return false, nil
	}
	if t.elapsed != nil {
		t.elapsed(t.config.Time(t.chip.Now()))
	}
	t.transfers = slices.DeleteFunc(t.transfers, func(y *Transfer) bool { return x == y })
	t.pause()
	return true, nil
}

// pause makes the chip stop where the next copy ends, so that what follows it
// begins then.
func (t *timed) pause() {
	at := kit.Never
	for _, x := range t.transfers {
		at = min(at, x.end)
	}
	t.chip.Pause(at)
}
