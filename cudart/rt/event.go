package rt

import (
	"errors"

	"github.com/lockstep-sim/lockstep/stream"
)

// Event is an event that a program made.
type Event struct {
	context *Context
	event   stream.Event
	flags   uint32
}

// Flags of events.
const (
	eventBlockingSync  = 1
	eventDisableTiming = 2
	eventInterprocess  = 4
	eventFlagsMask     = eventBlockingSync | eventDisableTiming | eventInterprocess
)

// EventCreate is cudaEventCreateWithFlags.
func (t *Thread) EventCreate(flags uint32) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	interprocess := flags&eventInterprocess != 0
	if flags&^eventFlagsMask != 0 || interprocess && flags&eventDisableTiming == 0 {
		return 0, fail(ErrInvalidValue, "event flags %#x", flags)
	}
	return t.runtime.events.add(&Event{context: c, flags: flags}), nil
}

func (t *Thread) event(handle uint64) (*Event, error) {
	e, ok := t.runtime.events.get(handle)
	if !ok {
		return nil, fail(ErrInvalidResourceHandle, "no event has handle %#x", handle)
	}
	return e, e.context.check()
}

// EventDestroy is cudaEventDestroy. Streams that wait for the event go on
// waiting.
func (t *Thread) EventDestroy(handle uint64) error {
	e, ok := t.runtime.events.take(handle)
	if !ok {
		return fail(ErrInvalidResourceHandle, "no event has handle %#x", handle)
	}
	return e.context.check()
}

// EventRecord is cudaEventRecordWithFlags; flag 1 only matters under capture.
func (t *Thread) EventRecord(handle uint64, h StreamHandle, flags uint32) error {
	if flags > 1 {
		return fail(ErrInvalidValue, "record flags %#x", flags)
	}
	e, err := t.event(handle)
	if err != nil {
		return err
	}
	c, s, err := t.stream(h)
	if err != nil {
		return err
	}
	if c != e.context {
		return fail(ErrInvalidResourceHandle, "the event and the stream belong to different devices")
	}
	return s.Record(&e.event)
}

// StreamWaitEvent is cudaStreamWaitEvent; flag 1 only matters under capture.
func (t *Thread) StreamWaitEvent(h StreamHandle, handle uint64, flags uint32) error {
	if flags > 1 {
		return fail(ErrInvalidValue, "wait flags %#x", flags)
	}
	e, err := t.event(handle)
	if err != nil {
		return err
	}
	_, s, err := t.stream(h)
	if err != nil {
		return err
	}
	return s.Wait(&e.event)
}

// EventQuery is cudaEventQuery.
func (t *Thread) EventQuery(handle uint64) error {
	e, err := t.event(handle)
	if err != nil {
		return err
	}
	done, err := t.runtime.system.Query(&e.event)
	if err == nil && !done {
		return ErrNotReady
	}
	return err
}

// EventSynchronize is cudaEventSynchronize.
func (t *Thread) EventSynchronize(handle uint64) error {
	e, err := t.event(handle)
	if err != nil {
		return err
	}
	defer e.context.flush()
	if err := t.runtime.system.Synchronize(&e.event); err != nil {
		return err
	}
	return e.context.check()
}

// EventElapsedTime is cudaEventElapsedTime, in milliseconds.
func (t *Thread) EventElapsedTime(from, to uint64) (float32, error) {
	a, err := t.event(from)
	if err != nil {
		return 0, err
	}
	b, err := t.event(to)
	if err != nil {
		return 0, err
	}
	if a.context != b.context || (a.flags|b.flags)&eventDisableTiming != 0 {
		return 0, fail(ErrInvalidResourceHandle, "events without timing or of different devices")
	}
	d, err := t.runtime.system.Elapsed(&a.event, &b.event)
	switch {
	case errors.Is(err, stream.ErrNotRecorded):
		return 0, fail(ErrInvalidResourceHandle, "%v", err)
	case errors.Is(err, stream.ErrNotReady):
		return 0, ErrNotReady
	}
	return float32(d.Seconds() * 1000), err
}
