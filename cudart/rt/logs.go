package rt

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// logs are the messages about failed calls that the program can read
// (cudaLogs...). The oldest go when there are too many.
type logs struct {
	mu        sync.Mutex
	messages  []string // each a line
	first     uint32   // number of the first of them
	bytes     int
	listeners table[func(message string)]
}

// logBytes is how much a program can read (CUDA runtime API, cudaLogsDumpToMemory).
const logBytes = 25600

// missing stands before messages when earlier ones are lost.
const missing = "[lockstep] earlier messages are not here\n"

// add notes what a failed call has to say, line by line.
func (l *logs) add(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		l.addLine(fmt.Sprintf("[%s][%d][CUDA][E] %s\n", time.Now().Format("15:04:05.000"), unix.Gettid(), line))
	}
}

func (l *logs) addLine(line string) {
	l.mu.Lock()
	l.messages = append(l.messages, line)
	l.bytes += len(line)
	for l.bytes > logBytes && len(l.messages) > 1 {
		l.bytes -= len(l.messages[0])
		l.messages = l.messages[1:]
		l.first++
	}
	l.mu.Unlock()
	for _, listen := range l.listeners.all() {
		listen(line)
	}
}

// from are the messages from a number on; whole reports that none of them is lost.
func (l *logs) from(n uint32) (messages []string, next uint32, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	skip := min(max(int(int32(n-l.first)), 0), len(l.messages))
	return l.messages[skip:], l.first + uint32(len(l.messages)), n >= l.first
}

// LogsCurrent is cudaLogsCurrent: the number of the next message.
func (t *Thread) LogsCurrent() uint32 {
	_, next, _ := t.runtime.logs.from(0)
	return next
}

// LogsDump is cudaLogsDumpToMemory: the messages from a number on that fit into
// room bytes, the latest if not all do, and the number of the next message.
func (t *Thread) LogsDump(from uint32, room int) (text string, next uint32, err error) {
	messages, next, whole := t.runtime.logs.from(from)
	total := 0
	for _, m := range messages {
		total += len(m)
	}
	if !whole {
		total += len(missing)
	}
	for len(messages) > 0 && total > room {
		if whole {
			whole, total = false, total+len(missing)
			continue
		}
		total -= len(messages[0])
		messages = messages[1:]
	}
	if len(messages) == 0 && next != from && total > 0 {
		return "", from, fail(ErrInvalidValue, "no message fits into %d bytes", room)
	}
	text = strings.Join(messages, "")
	if !whole {
		text = missing + text
	}
	return text, next, nil
}

// LogsDumpFile is cudaLogsDumpToFile; it returns the number of the next message.
func (t *Thread) LogsDumpFile(from uint32, path string) (next uint32, err error) {
	messages, next, _ := t.runtime.logs.from(from)
	if err := os.WriteFile(path, []byte(strings.Join(messages, "")), 0o666); err != nil {
		return from, fail(ErrInvalidValue, "%v", err)
	}
	return next, nil
}

// LogsRegister is cudaLogsRegisterCallback: f gets each later message.
func (t *Thread) LogsRegister(f func(message string)) uint64 {
	return t.runtime.logs.listeners.add(f)
}

// LogsUnregister is cudaLogsUnregisterCallback.
func (t *Thread) LogsUnregister(handle uint64) error {
	if _, ok := t.runtime.logs.listeners.take(handle); !ok {
		return fail(ErrInvalidValue, "no log callback has handle %#x", handle)
	}
	return nil
}
