package rt

// Codes that only the driver gives.
const (
	ErrInvalidContext   Error = 201
	ErrAlreadyMapped    Error = 208
	ErrInvalidSource    Error = 300
	ErrContextDestroyed Error = 709
)

// Initialize is cuInit. The runtime's calls make it unnecessary.
func (r *Runtime) Initialize() {
	if !r.initialized.Load() {
		r.initialized.Store(true)
	}
}

// Initialize is cuInit, which has no flags.
func (t *Thread) Initialize(flags uint32) error {
	if flags != 0 {
		return fail(ErrInvalidValue, "flags %#x", flags)
	}
	if len(t.runtime.devices) == 0 {
		return ErrNoDevice
	}
	t.runtime.Initialize()
	return nil
}

// InDriver runs the body of a driver call: it needs cuInit, and counts the
// thread's current context where the runtime makes one of the thread's device.
func (t *Thread) InDriver(f func() error) error {
	if !t.runtime.initialized.Load() {
		return ErrInitialization
	}
	t.driver = true
	defer func() { t.driver = false }()
	return f()
}

// DriverDone ends a driver call: it returns the driver's code for err.
func (t *Thread) DriverDone(call string, err error) Error {
	code := DriverCode(err)
	if code != Success && code != ErrNotReady {
		t.runtime.note(call, code, err)
	}
	return code
}

// driverCodes are the driver's codes for those that only the runtime has.
var driverCodes = map[Error]Error{
	ErrInvalidConfiguration:     ErrInvalidValue,
	ErrInvalidPitchValue:        ErrInvalidValue,
	ErrInvalidSymbol:            ErrSymbolNotFound,
	ErrInvalidDevicePointer:     ErrInvalidValue,
	ErrInvalidTexture:           ErrInvalidValue,
	ErrInvalidTextureBinding:    ErrInvalidValue,
	ErrInvalidChannelDescriptor: ErrInvalidValue,
	ErrInvalidMemcpyDirection:   ErrInvalidValue,
	ErrInvalidSurface:           ErrInvalidValue,
	ErrMissingConfiguration:     ErrInvalidValue,
	ErrInvalidDeviceFunction:    ErrInvalidResourceHandle,
}

// DriverCode is the code that a caller of the driver sees for an error.
func DriverCode(err error) Error {
	code := CodeOf(err)
	if d, ok := driverCodes[code]; ok {
		return d
	}
	return code
}

// invalidHandle is the failure of a handle that names nothing.
func invalidHandle(what string, handle uint64) error {
	return fail(ErrInvalidResourceHandle, "no %s has handle %#x", what, handle)
}

// SayPrivateTable tells the user once about a caller of cuGetExportTable.
func (t *Thread) SayPrivateTable() {
	t.runtime.sayOnce("the program asks for a private table of NVIDIA's driver, which is not here. " +
		"If it contains the static runtime, start it with \"lockstep run\"")
}

// DeviceGet is cuDeviceGet.
func (t *Thread) DeviceGet(ordinal int) (int, error) {
	_, err := t.runtime.device(ordinal)
	return ordinal, err
}

// DeviceGetName is cuDeviceGetName.
func (t *Thread) DeviceGetName(ordinal int) (string, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return "", err
	}
	return d.model.Name, nil
}

// DeviceTotalMemory is cuDeviceTotalMem, in bytes.
func (t *Thread) DeviceTotalMemory(ordinal int) (uint64, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, err
	}
	return d.model.TotalMemory, nil
}

// DeviceUUID is cuDeviceGetUuid.
func (t *Thread) DeviceUUID(ordinal int) ([16]byte, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return [16]byte{}, err
	}
	return d.model.UUID(ordinal), nil
}

// LinearTextureWidth is cuDeviceGetTexture1DLinearMaxWidth, in elements.
func (t *Thread) LinearTextureWidth(format int32, channels, ordinal int) (uint64, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, err
	}
	desc, err := ChannelsOf(format, channels)
	if err != nil {
		return 0, err
	}
	// The attribute of the device holds for the largest elements, of 16 bytes (measured).
	const largest = 16 * 8
	return uint64(d.model.Texture.LinearWidth1D) * largest / uint64(int(desc.Bits[0])*channels), nil
}

// TensorMaps tells what tensor maps the device has: none before compute capability 9.0,
// which is an error, newer forms of them from 10.0 on.
func (t *Thread) TensorMaps() (newer bool, err error) {
	sm := t.runtime.model.Architecture()
	if sm < 90 {
		return false, unsupported("tensor maps on sm_%d", sm)
	}
	return sm >= 100, nil
}
