package stream

import (
	"errors"
	"time"
)

// Reasons why two events have no distance in time.
var (
	ErrNotRecorded = errors.New("the event was never recorded")
	ErrNotReady    = errors.New("the event is not complete")
)

// Event is a mark in a stream. The zero Event was never recorded.
type Event struct {
	record *node // the latest record
}

// Recorded reports that the event is a mark of some work, complete or not.
func (ev *Event) Recorded() bool { return ev.record != nil }

// Record puts the mark behind the work of s, in place of the mark before.
func (s *Stream) Record(ev *Event) error {
	mu := &s.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	n, err := s.submit(Command{stamped: true})
	if err == nil {
		ev.record = n
	}
	return err
}

// Wait makes later work of s, on any device, wait for the mark as it stands
// now. An event that was never recorded has no effect.
func (s *Stream) Wait(ev *Event) error {
	mu := &s.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	if ev.record == nil || ev.record.done {
		return s.engine.err
	}
	_, err := s.submit(Command{}, ev.record)
	return err
}

// Query reports whether the work before the latest mark is complete. An event
// that was never recorded is.
func (y *System) Query(ev *Event) (done bool, err error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if ev.record == nil {
		return true, nil
	}
	ev.record.ask()
	return ev.record.done, ev.record.err
}

// Synchronize waits for the work before the latest mark.
func (y *System) Synchronize(ev *Event) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	if n := ev.record; n != nil {
		n.wait(&y.mu)
		return n.err
	}
	return nil
}

// Elapsed is the time from one mark to another. It is negative when they were
// passed in the other order, and never zero for different marks.
func (y *System) Elapsed(from, to *Event) (time.Duration, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if from.record == nil || to.record == nil {
		return 0, ErrNotRecorded
	}
	for _, ev := range []*Event{from, to} {
		switch n := ev.record; {
		case n.err != nil:
			return 0, n.err
		case !n.done:
			return 0, ErrNotReady
		}
	}
	return to.record.at - from.record.at, nil
}
