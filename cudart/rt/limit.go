package rt

// The limits of cudaDeviceSetLimit.
const (
	limitStack       = 0
	limitPrintf      = 1
	limitHeap        = 2
	limitSyncDepth   = 3
	limitPending     = 4
	limitGranularity = 5
	limitPersisting  = 6
	limitShared      = 7 // shared memory of a block, fixed
	limitGraphics    = 8 // sharing with graphics, off
	limitCount       = 9
)

// defaultLimits are those of an H200, measured.
var defaultLimits = [limitCount]uint64{
	limitStack:       1024,
	limitPrintf:      8650752,
	limitHeap:        8 << 20,
	limitPending:     2048,
	limitGranularity: 64,
	limitPersisting:  11796480,
	limitShared:      232448,
}

const (
	maxStack       = 512 << 10 // 1 MiB is refused (measured), 512 KiB is the documented local memory of a thread
	minPrintf      = 512 << 10 // measured
	heapGranule    = 4 << 20   // measured
	maxGranularity = 128
)

// DeviceGetLimit is cudaDeviceGetLimit.
func (t *Thread) DeviceGetLimit(limit int) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	if err := checkLimit(limit); err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limits[limit], nil
}

// checkLimit refuses limits that do not exist. Devices from sm_90 on have no
// synchronisation depth.
func checkLimit(limit int) error {
	switch {
	case limit < 0 || limit >= limitCount:
		return fail(ErrInvalidValue, "limit %d", limit)
	case limit == limitSyncDepth:
		return fail(ErrUnsupportedLimit, "synchronisation depth does not exist on this device")
	}
	return nil
}

// DeviceSetLimit is cudaDeviceSetLimit.
func (t *Thread) DeviceSetLimit(limit int, value uint64) error {
	c, err := t.context()
	if err != nil {
		return err
	}
	if err := checkLimit(limit); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch limit {
	case limitStack:
		if value > maxStack {
			return fail(ErrInvalidValue, "stack of %d bytes", value)
		}
		value = (value + 15) &^ 15
		c.gpu.SetStack(uint32(value))
	case limitPrintf:
		value = max(value, minPrintf)
		if c.output.resize(int(min(value, 1<<30))) {
			return fail(ErrInvalidValue, "the print buffer is in use")
		}
	case limitHeap:
		value = max((value+heapGranule-1)/heapGranule, 1) * heapGranule
		if c.gpu.SetHeap(value) {
			return fail(ErrInvalidValue, "the device heap is in use")
		}
	case limitGranularity:
		value = min(value, maxGranularity)
	case limitPersisting:
		value = min(value, uint64(c.device.model.Memory.L2Persisting))
	case limitShared, limitGraphics:
		return fail(ErrInvalidValue, "limit %d is fixed", limit)
	}
	c.limits[limit] = value
	return nil
}
