package rt

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lockstep-sim/lockstep/stream"
)

// sharedEvent is an event of several processes: a file that they map, with the
// number of the latest record and of the latest that is complete.
type sharedEvent struct {
	file *os.File
	name eventHandle
	page []byte
}

// eventHandle is what a Handle says about an event.
type eventHandle struct {
	Mark, Process, Descriptor, Device uint32
	Inode                             uint64
}

// The words of the page.
const (
	wordRecorded = 0
	wordComplete = 8
	wordRecorder = 16 // process that recorded last
	pageBytes    = 4096
)

func (e *sharedEvent) word(at int) *atomic.Uint64 { return atomicWord(e.page, at) }

// newSharedEvent makes the file of an event.
func newSharedEvent(device int) (*sharedEvent, error) {
	fd, err := unix.MemfdCreate("lockstep event", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fail(ErrOperatingSystem, "make the file of an event: %v", err)
	}
	f := os.NewFile(uintptr(fd), "event")
	if err := f.Truncate(pageBytes); err != nil {
		f.Close()
		return nil, fail(ErrOperatingSystem, "make the file of an event: %v", err)
	}
	return mapEvent(f, eventHandle{Mark: eventMark, Process: uint32(os.Getpid()), Descriptor: uint32(fd), Device: uint32(device)})
}

// mapEvent maps the file of an event; it is closed with the event.
func mapEvent(f *os.File, name eventHandle) (*sharedEvent, error) {
	var st unix.Stat_t
	err := unix.Fstat(int(f.Fd()), &st)
	if err == nil && (name.Inode != 0 && st.Ino != name.Inode || st.Size != pageBytes) {
		err = os.ErrNotExist
	}
	var page []byte
	if err == nil {
		page, err = unix.Mmap(int(f.Fd()), 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		f.Close()
		return nil, fail(ErrInvalidResourceHandle, "map an event of process %d: %v", name.Process, err)
	}
	name.Inode = st.Ino
	return &sharedEvent{file: f, name: name, page: page}, nil
}

func openSharedEvent(h Handle) (*sharedEvent, error) {
	var name eventHandle
	if _, err := binary.Decode(h[:], binary.LittleEndian, &name); err != nil || name.Mark != eventMark {
		return nil, fail(ErrInvalidValue, "this handle names no event")
	}
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", name.Process, name.Descriptor), os.O_RDWR, 0)
	if err != nil {
		return nil, fail(ErrInvalidResourceHandle, "open an event of process %d: %v", name.Process, err)
	}
	return mapEvent(f, name)
}

// record counts a record and returns what tells that it is complete.
func (e *sharedEvent) record() (complete func()) {
	e.word(wordRecorder).Store(uint64(os.Getpid()))
	n := e.word(wordRecorded).Add(1)
	return func() {
		for w := e.word(wordComplete); ; {
			was := w.Load()
			if was >= n || w.CompareAndSwap(was, n) {
				return
			}
		}
	}
}

// mark is the latest record, which is complete or not.
func (e *sharedEvent) mark() (number uint64, complete bool) {
	number = e.word(wordRecorded).Load()
	return number, e.word(wordComplete).Load() >= number
}

// eventPoll is how often an event of another process is looked at.
const eventPoll = 50 * time.Microsecond

// wait waits until a record is complete, the device stops, or the process that
// recorded it has ended.
func (e *sharedEvent) wait(number uint64, stop <-chan struct{}) error {
	tick := time.NewTicker(eventPoll)
	defer tick.Stop()
	for looks := 0; e.word(wordComplete).Load() < number; looks++ {
		select {
		case <-stop:
			return nil
		case <-tick.C:
		}
		recorder := int(e.word(wordRecorder).Load())
		if looks%1000 == 999 && unix.Kill(recorder, 0) == unix.ESRCH {
			return fail(ErrLaunchFailure, "process %d ended before the event that it recorded was complete", recorder)
		}
	}
	return nil
}

func (e *sharedEvent) close() {
	_ = unix.Munmap(e.page) // the page is ours and whole
	e.file.Close()
}

// IPCGetEventHandle is cudaIpcGetEventHandle.
func (t *Thread) IPCGetEventHandle(handle uint64) (h Handle, err error) {
	e, err := t.event(handle)
	if err != nil {
		return h, err
	}
	if e.shared == nil {
		return h, fail(ErrInvalidResourceHandle, "the event was not made for other processes")
	}
	_, err = binary.Encode(h[:], binary.LittleEndian, &e.shared.name)
	return h, err
}

// IPCOpenEventHandle is cudaIpcOpenEventHandle.
func (t *Thread) IPCOpenEventHandle(h Handle) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	s, err := openSharedEvent(h)
	if err != nil {
		return 0, err
	}
	return t.runtime.events.add(&Event{context: c, flags: eventDisableTiming | eventInterprocess, shared: s}), nil
}

// recordShared records an event of several processes.
func (c *Context) recordShared(e *sharedEvent, s *stream.Stream) error {
	complete := e.record()
	// Others go on waiting when the device stops, unless they are told then, too.
	_, err := s.Submit(stream.Callback(func(error) { complete() }))
	return err
}

// waitShared makes later work of a stream wait for such an event as it is now.
func waitShared(e *sharedEvent, s *stream.Stream) error {
	number, done := e.mark()
	if done {
		return nil
	}
	_, err := s.Submit(stream.Await(func(stop <-chan struct{}) error { return e.wait(number, stop) }))
	return err
}
