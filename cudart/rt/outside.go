package rt

// SetGLDevice is cudaGLSetGLDevice, which has to come before all other calls.
func (t *Thread) SetGLDevice(ordinal int) error {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return err
	}
	if d.existing() != nil {
		return fail(ErrSetOnActiveProcess, "device %d is in use", ordinal)
	}
	return t.SetDevice(ordinal)
}

// notification is a function that wants to know when the process has more memory
// than its share of the device. It has all of it, so the function is never called.
type notification struct{ device int }

// RegisterNotification is cudaDeviceRegisterAsyncNotification.
func (t *Thread) RegisterNotification(device int) (uint64, error) {
	if _, err := t.contextOf(device); err != nil {
		return 0, err
	}
	return t.runtime.notifications.add(notification{device}), nil
}

// UnregisterNotification is cudaDeviceUnregisterAsyncNotification.
func (t *Thread) UnregisterNotification(device int, handle uint64) error {
	if _, err := t.runtime.device(device); err != nil {
		return err
	}
	n, ok := t.runtime.notifications.get(handle)
	if !ok || n.device != device {
		return fail(ErrInvalidValue, "no notification of device %d has handle %#x", device, handle)
	}
	t.runtime.notifications.take(handle)
	return nil
}

// Scopes of cudaDeviceFlushGPUDirectRDMAWrites.
const (
	flushToOwner = 100
	flushToAll   = 200
)

// FlushWrites is cudaDeviceFlushGPUDirectRDMAWrites: there are no writes by others
// that could be under way.
func (t *Thread) FlushWrites(target, scope int) error {
	if _, err := t.context(); err != nil {
		return err
	}
	if target != 0 || scope != flushToOwner && scope != flushToAll {
		return fail(ErrInvalidValue, "flush target %d, scope %d", target, scope)
	}
	return nil
}

// atomicOperations is the number of operations of cudaAtomicOperation.
const atomicOperations = 13

// allAtomics are the capabilities of every operation between simulated devices:
// signed, unsigned, reduction, scalars of 32 and 64 bits.
const allAtomics = 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<4

// HostAtomics is cudaDeviceGetHostAtomicCapabilities: none over PCI (measured).
func (t *Thread) HostAtomics(device int, operations []int32) ([]uint32, error) {
	if _, err := t.runtime.device(device); err != nil {
		return nil, err
	}
	return capabilities(operations, 0)
}

// PeerAtomics is cudaDeviceGetP2PAtomicCapabilities.
func (t *Thread) PeerAtomics(src, dst int, operations []int32) ([]uint32, error) {
	same, err := t.peers(src, dst)
	if err != nil {
		return nil, err
	}
	if same {
		return nil, fail(ErrInvalidDevice, "device %d to itself", src)
	}
	return capabilities(operations, allAtomics)
}

func capabilities(operations []int32, of uint32) ([]uint32, error) {
	caps := make([]uint32, len(operations))
	for i, o := range operations {
		if o < 0 || o >= atomicOperations {
			return nil, fail(ErrInvalidValue, "atomic operation %d", o)
		}
		caps[i] = of
	}
	return caps, nil
}
