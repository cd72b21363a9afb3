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
	mark    *mark        // its place in a capture; nil after a record outside
	shared  *sharedEvent // with other processes, or nil
}

// Flags of events.
const (
	eventBlockingSync  = 1
	eventDisableTiming = 2
	eventInterprocess  = 4
	eventFlagsMask     = eventBlockingSync | eventDisableTiming | eventInterprocess
)

// eventExternal makes a record or a wait under capture a node of its own.
const eventExternal = 1

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
	e := &Event{context: c, flags: flags}
	if interprocess {
		if e.shared, err = newSharedEvent(c.device.ordinal); err != nil {
			return 0, err
		}
	}
	return t.runtime.events.add(e), nil
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
	e.close()
	return e.context.check()
}

// close lets go of what the event shares with other processes.
func (e *Event) close() {
	if e.shared != nil {
		e.shared.close()
	}
}

// EventRecord is cudaEventRecordWithFlags; the external flag only matters under capture.
func (t *Thread) EventRecord(handle uint64, h StreamHandle, flags uint32) error {
	if flags > eventExternal {
		return fail(ErrInvalidValue, "record flags %#x", flags)
	}
	e, err := t.event(handle)
	if err != nil {
		return err
	}
	c, s, m, err := t.work(h)
	if err != nil {
		return err
	}
	if c != e.context {
		return fail(ErrInvalidResourceHandle, "the event and the stream belong to different devices")
	}
	if m != nil && flags == eventExternal {
		return t.add(m, &eventTask{e, handle, true})
	}
	if m != nil {
		t.recordCaptured(m, e)
		return nil
	}
	e.mark = nil
	if flags == eventExternal {
		return fail(ErrIllegalState, "an external record in a stream that is not captured")
	}
	if e.shared != nil {
		if err := c.recordShared(e.shared, s); err != nil {
			return err
		}
	}
	return s.Record(&e.event)
}

// StreamWaitEvent is cudaStreamWaitEvent; the external flag only matters under capture.
func (t *Thread) StreamWaitEvent(h StreamHandle, handle uint64, flags uint32) error {
	if flags > eventExternal {
		return fail(ErrInvalidValue, "wait flags %#x", flags)
	}
	e, err := t.event(handle)
	if err != nil {
		return err
	}
	if e.mark != nil && (flags != eventExternal || e.mark.capture.ended) {
		c, s, err := t.stream(h)
		if err != nil {
			return err
		}
		return t.waitMarked(c, s, e)
	}
	_, s, m, err := t.work(h)
	switch {
	case err != nil:
		return err
	case m != nil && flags == eventExternal:
		return t.add(m, &eventTask{e, handle, false})
	case m != nil && e.recorded():
		return t.isolated(m)
	case m != nil:
		return nil
	case flags == eventExternal:
		return fail(ErrIllegalState, "an external wait in a stream that is not captured")
	case e.shared != nil:
		return waitShared(e.shared, s)
	}
	return s.Wait(&e.event)
}

// recorded reports that the event was recorded at all.
func (e *Event) recorded() bool { return e.shared != nil || e.event.Recorded() }

// EventQuery is cudaEventQuery.
func (t *Thread) EventQuery(handle uint64) error {
	e, err := t.event(handle)
	if err != nil {
		return err
	}
	if err := t.askable(e); err != nil {
		return err
	}
	if e.shared != nil {
		if _, done := e.shared.mark(); !done {
			return ErrNotReady
		}
		return nil
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
	if err := t.askable(e); err != nil {
		return err
	}
	defer e.context.waited()
	if e.shared != nil {
		number, _ := e.shared.mark()
		err = e.shared.wait(number, e.context.engine.Stopped())
	} else {
		err = t.runtime.system.Synchronize(&e.event)
	}
	if err != nil {
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
	if err := errors.Join(t.captured(a), t.captured(b)); err != nil {
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
