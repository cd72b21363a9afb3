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
	limitNone        = 9 // a number without a limit on this device (measured)
)

// defaultLimits are those of an H200, measured; the others stand in the model.
var defaultLimits = [limitCount]uint64{
	limitPrintf:      8650752,
	limitGranularity: 64,
	limitPersisting:  11796480,
	limitShared:      232448,
}

const (
	maxStack       = 512 << 10 // 1 MiB is refused (measured), 512 KiB is the documented local memory of a thread
	minPrintf      = 512 << 10 // measured
	heapGranule    = 4 << 20   // measured
	maxGranularity = 128
	printfGranule  = 256    // measured
	minPending     = 32     // measured
	maxPending     = 599186 // measured
	// persistingParts is how many parts the persisting share of L2 has (measured).
	persistingParts = 10
)

// DeviceGetLimit is cudaDeviceGetLimit.
func (t *Thread) DeviceGetLimit(limit int) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	if err := c.checkLimit(limit); err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limits[limit], nil
}

// checkLimit refuses limits that do not exist. Devices from sm_90 on have no
// synchronisation depth.
func (c *Context) checkLimit(limit int) error {
	switch {
	case limit == limitNone:
		return fail(ErrUnsupportedLimit, "limit %d does not exist on this device", limit)
	case limit == limitCount: // of later devices (measured)
		return fail(ErrUnsupportedLimit, "limit %d does not exist on this device", limit)
	case limit < 0 || limit >= limitCount:
		return fail(ErrInvalidValue, "limit %d", limit)
	case limit == limitSyncDepth && !c.device.hasSyncDepth():
		return fail(ErrUnsupportedLimit, "synchronisation depth does not exist on this device")
	}
	return nil
}

// How deep grids may wait for those that their threads have launched, at first and
// at most (CUDA C++ programming guide, CDP1).
const (
	syncDepth    = 2
	maxSyncDepth = 24
)

// hasSyncDepth reports that kernels may wait for grids of theirs.
func (d *Device) hasSyncDepth() bool { return d.model.Architecture() < 90 }

// DeviceSetLimit is cudaDeviceSetLimit.
func (t *Thread) DeviceSetLimit(limit int, value uint64) error {
	c, err := t.uncaptured()
	if err != nil {
		return err
	}
	if err := c.checkLimit(limit); err != nil {
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
		value = roundUp(max(value, minPrintf), printfGranule)
		if c.output.resize(int(min(value, 1<<30))) {
			return fail(ErrInvalidValue, "the print buffer is in use")
		}
	case limitHeap:
		value = max((value+heapGranule-1)/heapGranule, 1) * heapGranule
		if c.gpu.SetHeap(value) {
			return fail(ErrInvalidValue, "the device heap is in use")
		}
	case limitSyncDepth:
		if value > maxSyncDepth {
			return fail(ErrInvalidValue, "a synchronisation depth of %d", value)
		}
	case limitPending:
		value = min(max(value, minPending), maxPending)
	case limitGranularity:
		if value > maxGranularity {
			return fail(ErrInvalidValue, "a fetch granularity of %d bytes", value)
		}
	case limitPersisting:
		most := uint64(c.device.model.Memory.L2Persisting)
		if value > most {
			return fail(ErrInvalidValue, "%d bytes of persisting lines, %d are allowed", value, most)
		}
		value = roundUp(value, most/persistingParts)
	case limitShared, limitGraphics:
		return fail(ErrNotPermitted, "limit %d is fixed", limit)
	}
	c.limits[limit] = value
	return nil
}
