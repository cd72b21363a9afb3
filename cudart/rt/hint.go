package rt

// Hints are checked, kept and have no effect.

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
	c, err := t.context()
	if err != nil {
		return err
	}
	if preference < 0 || preference > 3 {
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
	if _, err := t.context(); err != nil {
		return err
	}
	if config < 0 || config > 2 {
		return fail(ErrInvalidValue, "shared memory configuration %d", config)
	}
	return nil
}

// lastCaptureMode is the highest capture mode: relaxed.
const lastCaptureMode = 2

// ExchangeCaptureMode is cudaThreadExchangeStreamCaptureMode.
func (t *Thread) ExchangeCaptureMode(mode int32) (before int32, err error) {
	if mode < 0 || mode > lastCaptureMode {
		return 0, fail(ErrInvalidValue, "capture mode %d", mode)
	}
	before, t.capture = t.capture, mode
	return before, nil
}
