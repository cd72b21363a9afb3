package rt

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/gpu/models"
)

// Device is a simulated GPU as a program sees it.
type Device struct {
	runtime *Runtime
	ordinal int
	model   *models.GPU

	mu       sync.Mutex
	current  *Context   // nil before the first use and after a reset
	others   []*Context // of cuCtxCreate
	flags    uint32     // of cudaSetDeviceFlags
	wasReset bool       // and nothing has set its flags since
	handle   *ctx       // of the primary context, nil until somebody asks
	retained int        // by driver programs
	used     bool       // by the runtime
}

func newDevice(r *Runtime, ordinal int) *Device {
	return &Device{runtime: r, ordinal: ordinal, model: r.model}
}

// context is the device's context, made if there is none.
func (d *Device) context() (*Context, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.make()
}

// use is context for the runtime, whose use keeps the context alive.
func (d *Device) use() (*Context, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used = true
	return d.make()
}

// make is context with the lock held.
func (d *Device) make() (*Context, error) {
	if d.current == nil {
		c, err := newContext(d, false)
		if err != nil {
			return nil, err
		}
		d.current = c
	}
	return d.current, nil
}

// existing is the device's context, nil if there is none.
func (d *Device) existing() *Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// GetDeviceCount is cudaGetDeviceCount.
func (t *Thread) GetDeviceCount() (int, error) {
	if len(t.runtime.devices) == 0 {
		return 0, ErrNoDevice
	}
	return len(t.runtime.devices), nil
}

// GetDevice is cudaGetDevice.
func (t *Thread) GetDevice() (int, error) {
	d, err := t.current()
	if err != nil {
		return t.device, err
	}
	return d.ordinal, nil
}

// SetDevice is cudaSetDevice: the device's primary context becomes current. From CUDA
// 12 on it is made, too.
func (t *Thread) SetDevice(ordinal int) error {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return err
	}
	t.device = ordinal
	t.replaceTop(d.primary())
	if t.runtime.config.Major < 12 {
		return nil
	}
	_, err = d.context()
	return err
}

// InitDevice is cudaInitDevice; valid says that the flags count.
func (t *Thread) InitDevice(ordinal int, flags uint32, valid bool) error {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return err
	}
	if valid {
		if err := d.setFlags(flags); err != nil {
			return err
		}
	}
	_, err = d.context()
	return err
}

// deviceFlags are the flags that cudaSetDeviceFlags takes: scheduling, mapping
// of host memory, local memory, synchronous memory operations.
const (
	deviceScheduleMask = 0x07
	deviceMapHost      = 0x08
	deviceFlagsMask    = 0x9f
)

// SetDeviceFlags is cudaSetDeviceFlags. Flags are kept and have no effect: host
// threads always block, and host memory is always mapped.
func (t *Thread) SetDeviceFlags(flags uint32) error {
	d, err := t.current()
	if err != nil {
		return err
	}
	return d.setFlags(flags)
}

// Touch makes the context of the thread's device, and returns the error that has
// stopped it.
func (t *Thread) Touch() error {
	_, err := t.context()
	return err
}

func (d *Device) setFlags(flags uint32) error {
	schedule := flags & deviceScheduleMask
	if flags&^deviceFlagsMask != 0 || schedule&(schedule-1) != 0 {
		return fail(ErrInvalidValue, "device flags %#x", flags)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.flags, d.wasReset = flags, false
	return nil
}

// GetDeviceFlags is cudaGetDeviceFlags.
func (t *Thread) GetDeviceFlags() (uint32, error) {
	d, err := t.current()
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wasReset && d.current == nil {
		return d.flags, nil // as a card says after a reset
	}
	return d.flags | deviceMapHost, nil
}

// DeviceGetAttribute is cudaDeviceGetAttribute.
func (t *Thread) DeviceGetAttribute(id, ordinal int) (int32, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, err
	}
	v, ok := d.attribute(id)
	if !ok {
		return 0, fail(ErrInvalidValue, "device attribute %d", id)
	}
	return v, nil
}

// attrPCIBus is the attribute that tells the devices of a process apart.
const attrPCIBus = 33

// attribute is the model's value, except for the place on the bus.
func (d *Device) attribute(id int) (int32, bool) {
	v, ok := d.model.Attribute(id)
	if id == attrPCIBus {
		v += int32(d.ordinal)
	}
	return v, ok
}

// GetDeviceProperties is cudaGetDeviceProperties.
func (t *Thread) GetDeviceProperties(ordinal int) (*layout.DeviceProp, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return nil, err
	}
	return d.properties(), nil
}

// busID is the device's place as lspci writes it.
func (d *Device) busID() string {
	b := &d.model.Board
	return fmt.Sprintf("%04X:%02X:%02X.0", b.PCIDomain, b.PCIBus+int32(d.ordinal), b.PCIDevice)
}

// DeviceGetPCIBusID is cudaDeviceGetPCIBusId.
func (t *Thread) DeviceGetPCIBusID(ordinal int) (string, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return "", err
	}
	return d.busID(), nil
}

// DeviceGetByPCIBusID is cudaDeviceGetByPCIBusId. The domain and the function
// may be left out.
func (t *Thread) DeviceGetByPCIBusID(id string) (int, error) {
	place, _, _ := strings.Cut(id, ".")
	parts := strings.Split(place, ":")
	if len(parts) == 2 {
		parts = append([]string{"0"}, parts...)
	}
	if len(parts) == 3 && hexadecimal(parts) {
		for _, d := range t.runtime.devices {
			if samePlace(parts, strings.Split(strings.TrimSuffix(d.busID(), ".0"), ":")) {
				return d.ordinal, nil
			}
		}
		return 0, fail(ErrInvalidDevice, "no device has PCI bus id %q", id)
	}
	return 0, fail(ErrInvalidValue, "%q is not a PCI bus id", id)
}

func hexadecimal(parts []string) bool {
	return samePlace(parts, parts)
}

func samePlace(a, b []string) bool {
	for i := range a {
		x, errX := strconv.ParseUint(a[i], 16, 32)
		y, errY := strconv.ParseUint(b[i], 16, 32)
		if errX != nil || errY != nil || x != y {
			return false
		}
	}
	return true
}

// ChooseDevice is cudaChooseDevice. All devices are alike, so the first fits as
// well as any.
func (t *Thread) ChooseDevice() (int, error) {
	_, err := t.runtime.device(0)
	return 0, err
}

// SetValidDevices is cudaSetValidDevices; an empty list restores the default.
func (t *Thread) SetValidDevices(ordinals []int32) error {
	for _, o := range ordinals {
		if _, err := t.runtime.device(int(o)); err != nil {
			return fail(ErrInvalidValue, "%v", err)
		}
	}
	if len(ordinals) > 0 {
		t.device = int(ordinals[0])
	}
	return nil
}

// DeviceReset is cudaDeviceReset: it finishes the device's work and takes
// everything that belongs to its context away. Unlike on hardware, a device that
// was stopped by a fault works again.
func (t *Thread) DeviceReset() error {
	d, err := t.current()
	if err != nil {
		return err
	}
	return d.reset()
}

// reset ends the primary context.
func (d *Device) reset() error {
	d.mu.Lock()
	c := d.current
	d.current = nil
	d.flags, d.wasReset = 0, true
	d.mu.Unlock()
	if c == nil {
		return nil
	}
	return c.close()
}

// DeviceSynchronize is cudaDeviceSynchronize.
func (t *Thread) DeviceSynchronize() error {
	c, err := t.context()
	if err == nil {
		err = t.idle(c)
	}
	if err != nil {
		return err
	}
	defer c.waited()
	return c.engine.Synchronize()
}

// DeviceGetStreamPriorityRange is cudaDeviceGetStreamPriorityRange.
func (t *Thread) DeviceGetStreamPriorityRange() (least, greatest int, err error) {
	_, err = t.context()
	return leastPriority, greatestPriority, err
}
