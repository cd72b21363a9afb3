package rt

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/lockstep-sim/lockstep/stream"
)

// DeviceGetCacheConfig is cudaDeviceGetCacheConfig.
func (t *Thread) DeviceGetCacheConfig() (int32, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cache, nil
}

// DeviceSetCacheConfig is cudaDeviceSetCacheConfig: none, shared memory, L1, equal.
func (t *Thread) DeviceSetCacheConfig(preference int) error {
	c, err := t.uncaptured()
	if err != nil {
		return err
	}
	if preference < cacheNone || preference > cacheEqual {
		return fail(ErrInvalidValue, "cache preference %d", preference)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cache = int32(preference)
	return nil
}

// DeviceSetSharedMemConfig is cudaDeviceSetSharedMemConfig: default, four or
// eight bytes a bank. Banks have four on all devices that still exist.
func (t *Thread) DeviceSetSharedMemConfig(config int) error {
	if _, err := t.uncaptured(); err != nil {
		return err
	}
	if config < 0 || config > 2 {
		return fail(ErrInvalidValue, "shared memory configuration %d", config)
	}
	return nil
}

// ExchangeCaptureMode is cudaThreadExchangeStreamCaptureMode. It takes any number;
// those that are no mode refuse nothing (measured).
func (t *Thread) ExchangeCaptureMode(mode int32) (before int32, err error) {
	before, t.capture = t.capture, mode
	return before, nil
}

// hints are the attributes that were set on a stream, by number.
type hints map[int32][AttributeBytes]byte

// AttributeBytes is the size of an attribute's value.
const AttributeBytes = 64

// streamAttributes are the attributes that streams have: access policy window,
// synchronisation policy, priority, memory synchronisation domain map and domain.
var streamAttributes = []int32{1, 3, 8, 9, 10}

const (
	attributeWindow   = 1
	attributePolicy   = 3
	attributePriority = 8
	attributeDomains  = 9
)

// unset is the value of an attribute that was never set: no policy, and each of
// two memory domains for itself (measured).
func unset(s *stream.Stream, id int32) (value [AttributeBytes]byte) {
	switch id {
	case attributePolicy:
		binary.LittleEndian.PutUint32(value[:], ^uint32(0))
	case attributePriority:
		binary.LittleEndian.PutUint32(value[:], uint32(int32(s.Priority())))
	case attributeDomains:
		value[1] = 1
	}
	return value
}

// checkAttribute refuses values that attributes cannot have.
func (c *Context) checkAttribute(id int32, value *[AttributeBytes]byte) error {
	word := func(at int) int32 { return int32(binary.LittleEndian.Uint32(value[at:])) }
	switch id {
	case attributePolicy:
		if p := word(0); p < 1 || p > lastPolicy {
			return fail(ErrInvalidValue, "synchronisation policy %d", p)
		}
	case attributeWindow:
		const persisting = 2
		size, ratio := binary.LittleEndian.Uint64(value[8:]), math.Float32frombits(uint32(word(16)))
		if size > uint64(c.device.model.Memory.AccessWindow) || !(ratio >= 0 && ratio <= 1) || word(24) == persisting {
			return fail(ErrInvalidValue, "a window of %d bytes with ratio %g", size, ratio)
		}
	}
	return nil
}

// StreamSetAttribute is cudaStreamSetAttribute.
func (t *Thread) StreamSetAttribute(h StreamHandle, id int32, value [AttributeBytes]byte) error {
	c, s, err := t.stream(h)
	if err != nil {
		return err
	}
	if !slices.Contains(streamAttributes, id) {
		return fail(ErrInvalidValue, "stream attribute %d", id)
	}
	if err := c.checkAttribute(id, &value); err != nil {
		return err
	}
	if id == attributePriority {
		priority := int(int32(binary.LittleEndian.Uint32(value[:])))
		s.SetPriority(min(max(priority, greatestPriority), leastPriority))
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hintsOf(s)[id] = value
	return nil
}

// hintsOf are the attributes of a stream. The lock of the context is held.
func (c *Context) hintsOf(s *stream.Stream) hints {
	if c.hints == nil {
		c.hints = map[*stream.Stream]hints{}
	}
	if c.hints[s] == nil {
		c.hints[s] = hints{}
	}
	return c.hints[s]
}

// StreamGetAttribute is cudaStreamGetAttribute; an attribute that was never set
// is zero.
func (t *Thread) StreamGetAttribute(h StreamHandle, id int32) (value [AttributeBytes]byte, err error) {
	c, s, err := t.stream(h)
	if err != nil {
		return value, err
	}
	if !slices.Contains(streamAttributes, id) {
		return value, fail(ErrInvalidValue, "stream attribute %d", id)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	value, set := c.hintsOf(s)[id]
	if !set {
		value = unset(s, id)
	}
	return value, nil
}

// StreamCopyAttributes is cudaStreamCopyAttributes.
func (t *Thread) StreamCopyAttributes(dst, src StreamHandle) error {
	to, d, err := t.stream(dst)
	if err != nil {
		return err
	}
	from, s, err := t.stream(src)
	if err != nil {
		return err
	}
	if to != from {
		return fail(ErrInvalidValue, "the streams belong to different devices")
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	maps.Copy(to.hintsOf(d), to.hintsOf(s))
	return nil
}
