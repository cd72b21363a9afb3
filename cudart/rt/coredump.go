package rt

import "sync"

// coredump is what a program has set about core dumps of devices. They are kept
// and none is written: a fault is reported at once instead.
type coredump struct {
	mu    sync.Mutex
	flags map[int]uint32
	texts map[int]string
}

// Attributes of core dumps (CUcoredumpSettings): switches of a byte, texts, and
// flags.
const (
	dumpOnException = 1
	dumpTriggerHost = 2
	dumpLightweight = 3
	dumpUserTrigger = 4
	dumpFile        = 5
	dumpPipe        = 6
	dumpFlags       = 7
	dumpTextBytes   = 1024
)

// CoredumpSize is the size of an attribute's value in bytes, 0 where there is no
// such attribute.
func CoredumpSize(attribute int) int {
	switch {
	case attribute >= dumpOnException && attribute <= dumpUserTrigger:
		return 1
	case attribute == dumpFile || attribute == dumpPipe:
		return dumpTextBytes
	case attribute == dumpFlags:
		return 4
	}
	return 0
}

// CoredumpIsText tells the attributes that are texts.
func CoredumpIsText(attribute int) bool { return attribute == dumpFile || attribute == dumpPipe }

// CoredumpGet returns an attribute: a number, or a text. Without one set, a dump
// would be triggered by the host.
func (t *Thread) CoredumpGet(attribute int) (uint32, string) {
	c := &t.runtime.coredump
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, set := c.flags[attribute]; set || attribute != dumpTriggerHost {
		return v, c.texts[attribute]
	}
	return 1, ""
}

// CoredumpSet sets an attribute.
func (t *Thread) CoredumpSet(attribute int, value uint32, text string) {
	c := &t.runtime.coredump
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flags == nil {
		c.flags, c.texts = map[int]uint32{}, map[int]string{}
	}
	if CoredumpIsText(attribute) {
		c.texts[attribute] = text
	} else {
		c.flags[attribute] = value
	}
	if attribute == dumpOnException && value != 0 {
		t.runtime.sayOnce("core dumps of devices are not written; a fault is reported on stderr")
	}
}
