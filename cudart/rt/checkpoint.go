package rt

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// States of a process (CUprocessState).
const (
	processRunning      = 0
	processLocked       = 1
	processCheckpointed = 2
)

// checkpoint holds calls back while the process is locked. What devices have is memory
// of the process, so that taking a checkpoint and restoring it need not move anything:
// whoever freezes the process has it.
type checkpoint struct {
	state atomic.Int32
	mu    sync.Mutex
	open  chan struct{} // closed when the process runs again; nil while it does
}

// Admit waits until the process is not locked.
func (r *Runtime) Admit() {
	if r.checkpoint.state.Load() == processRunning {
		return
	}
	r.checkpoint.mu.Lock()
	open := r.checkpoint.open
	r.checkpoint.mu.Unlock()
	if open != nil {
		<-open
	}
}

// checkProcess refuses other processes, which no driver is there to ask about.
func checkProcess(id int) error {
	if id != os.Getpid() {
		return fail(ErrOperatingSystem, "process %d is not the calling one", id)
	}
	return nil
}

// ProcessState is cuCheckpointProcessGetState.
func (t *Thread) ProcessState(id int) (int32, error) {
	if err := checkProcess(id); err != nil {
		return 0, err
	}
	return t.runtime.checkpoint.state.Load(), nil
}

// ProcessThread is cuCheckpointProcessGetRestoreThreadId: the first thread does.
func (t *Thread) ProcessThread(id int) (int, error) {
	return id, checkProcess(id)
}

// move goes from one state to another.
func (c *checkpoint) move(from, to int32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.Load() != from {
		return fail(ErrIllegalState, "the process is in state %d", c.state.Load())
	}
	if from == processRunning {
		c.open = make(chan struct{})
	}
	c.state.Store(to)
	if to == processRunning {
		close(c.open)
		c.open = nil
	}
	return nil
}

// ProcessLock is cuCheckpointProcessLock: calls wait from now on, and devices come to
// rest; timeout 0 is none.
func (t *Thread) ProcessLock(id int, timeout time.Duration) error {
	if err := checkProcess(id); err != nil {
		return err
	}
	c := &t.runtime.checkpoint
	if err := c.move(processRunning, processLocked); err != nil {
		return err
	}
	rest := make(chan struct{})
	go func() {
		defer close(rest)
		for _, x := range t.runtime.contexts() {
			_ = x.engine.Synchronize() // what stopped the device, later calls say
		}
	}()
	var late <-chan time.Time
	if timeout > 0 {
		late = time.After(timeout)
	}
	select {
	case <-rest:
		return nil
	case <-late:
		return errors.Join(c.move(processLocked, processRunning), ErrNotReady)
	}
}

// ProcessCheckpoint is cuCheckpointProcessCheckpoint.
func (t *Thread) ProcessCheckpoint(id int) error {
	return t.moveProcess(id, processLocked, processCheckpointed)
}

// ProcessRestore is cuCheckpointProcessRestore.
func (t *Thread) ProcessRestore(id int) error {
	return t.moveProcess(id, processCheckpointed, processLocked)
}

// ProcessUnlock is cuCheckpointProcessUnlock.
func (t *Thread) ProcessUnlock(id int) error {
	return t.moveProcess(id, processLocked, processRunning)
}

func (t *Thread) moveProcess(id int, from, to int32) error {
	if err := checkProcess(id); err != nil {
		return err
	}
	return t.runtime.checkpoint.move(from, to)
}
