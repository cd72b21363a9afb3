package rt

import (
	"os"
	"strings"
)

// NVML is a result code of the management library.
type NVML int32

// Codes of the management library that this package returns.
const (
	NVMLSuccess          NVML = 0
	NVMLUninitialized    NVML = 1
	NVMLInvalidArgument  NVML = 2
	NVMLNotSupported     NVML = 3
	NVMLNotFound         NVML = 6
	NVMLInsufficientSize NVML = 7
	NVMLTimeout          NVML = 10
	NVMLFunctionNotFound NVML = 13
	NVMLUnknown          NVML = 999
)

func (c NVML) Error() string { return "a result of the management library" }

// ManagementInit is nvmlInit: uses are counted.
func (r *Runtime) ManagementInit() { r.managers.Add(1) }

// ManagementShutdown is nvmlShutdown.
func (r *Runtime) ManagementShutdown() error {
	for {
		n := r.managers.Load()
		if n == 0 {
			return NVMLUninitialized
		}
		if r.managers.CompareAndSwap(n, n-1) {
			return nil
		}
	}
}

// Managed reports whether the management library is initialised.
func (r *Runtime) Managed() bool { return r.managers.Load() > 0 }

// deviceHandles begin the handles of devices in the management library.
const deviceHandles = 0x6_0000_0000

// Board is a device as the management library sees it. It needs no context.
type Board struct{ device *Device }

// BoardCount is the number of devices.
func (r *Runtime) BoardCount() int { return len(r.devices) }

// BoardHandle is the handle of a device by its number.
func (r *Runtime) BoardHandle(ordinal int) (uint64, error) {
	if ordinal < 0 || ordinal >= len(r.devices) {
		return 0, NVMLInvalidArgument
	}
	return deviceHandles + uint64(ordinal)*handleStep, nil
}

// Board finds a device by its handle.
func (r *Runtime) Board(handle uint64) (Board, error) {
	n := (handle - deviceHandles) / handleStep
	if handle < deviceHandles || n >= uint64(len(r.devices)) || handle%handleStep != 0 {
		return Board{}, NVMLInvalidArgument
	}
	return Board{r.devices[n]}, nil
}

// FindBoard is the handle of the first device that suits.
func (r *Runtime) FindBoard(suits func(Board) bool) (uint64, error) {
	for i, d := range r.devices {
		if suits(Board{d}) {
			return r.BoardHandle(i)
		}
	}
	return 0, NVMLNotFound
}

// BoardAt is the handle of the device at a place on the bus.
func (r *Runtime) BoardAt(t *Thread, place string) (uint64, error) {
	n, err := t.DeviceGetByPCIBusID(place)
	switch {
	case CodeOf(err) == ErrInvalidValue:
		return 0, NVMLInvalidArgument
	case err != nil:
		return 0, NVMLNotFound
	}
	return r.BoardHandle(n)
}

// Index is the number of the device.
func (b Board) Index() int { return b.device.ordinal }

// Name is the name of the model.
func (b Board) Name() string { return b.device.model.Name }

// UUID tells the device from all others.
func (b Board) UUID() [16]byte { return b.device.model.UUID(b.device.ordinal) }

// Place is the place on the bus: domain, bus, device; ID and Subsystem say what
// card it is.
type Place struct {
	Domain, Bus, Device uint32
	ID, Subsystem       uint32
}

// Place is the device's place on the bus.
func (b Board) Place() Place {
	m := &b.device.model.Board
	return Place{
		uint32(m.PCIDomain), uint32(m.PCIBus) + uint32(b.device.ordinal), uint32(m.PCIDevice),
		uint32(m.PCIID), uint32(m.PCISubsystem),
	}
}

// Memory is the device's memory and what this process uses of it, in bytes.
func (b Board) Memory() (total, used uint64) {
	total = b.device.model.TotalMemory
	for _, c := range b.device.runtime.contexts() {
		if c.device == b.device {
			free, all := c.memory.Info()
			used += all - free
		}
	}
	return total, min(used, total)
}

// InUse reports whether this process has a context on the device, and its number.
func (b Board) InUse() (process uint32, yes bool) {
	for _, c := range b.device.runtime.contexts() {
		if c.device == b.device {
			return uint32(os.Getpid()), true
		}
	}
	return 0, false
}

// Capability is the compute capability.
func (b Board) Capability() (major, minor int32) {
	return b.device.model.SM.Major, b.device.model.SM.Minor
}

// Clocks of the management library.
const (
	ClockGraphics = 0
	ClockSM       = 1
	ClockMemory   = 2
	ClockVideo    = 3
)

// brands are those of the products' names (nvmlBrandType_t): the first that a name begins with, after the maker's, counts.
var brands = []struct {
	name  string
	brand uint32
}{{"Quadro RTX", 12}, {"Quadro", 1}, {"Tesla", 2}, {"TITAN", 6}, {"GeForce", 5}, {"RTX", 13}}

// Brand is the brand: that of the maker for what has no other.
func (b Board) Brand() uint32 {
	const maker = 14
	name := strings.TrimPrefix(b.Name(), "NVIDIA ")
	for _, x := range brands {
		if strings.HasPrefix(name, x.name) {
			return x.brand
		}
	}
	return maker
}

// Clock is a clock in MHz: the model runs at one speed.
func (b Board) Clock(kind int) (uint32, error) {
	const kHz = 1000
	switch kind {
	case ClockGraphics, ClockSM:
		return uint32(b.device.model.Board.ClockRate / kHz), nil
	case ClockMemory:
		return uint32(b.device.model.Memory.ClockRate / kHz), nil
	case ClockVideo:
		return 0, NVMLNotSupported
	}
	return 0, NVMLInvalidArgument
}

// BusWidth is the width of the memory bus in bits.
func (b Board) BusWidth() uint32 { return uint32(b.device.model.Memory.BusWidth) }

// ComputeMode is who may use the device.
func (b Board) ComputeMode() uint32 { return uint32(b.device.model.Board.ComputeMode) }

// ECC reports whether memory is protected.
func (b Board) ECC() bool { return b.device.model.Memory.ECC != 0 }

// generations are the architectures of the management library, by the first SM
// number of each.
var generations = []struct{ sm, number, cores int }{
	{100, 10, 128}, // Blackwell
	{90, 9, 128},   // Hopper
	{89, 8, 128},   // Ada
	{86, 7, 128},   // Ampere with doubled float units
	{80, 7, 64},    // Ampere
	{75, 6, 64},    // Turing
	{70, 5, 64},    // Volta
}

// Generation is the architecture's number and its cores on a multiprocessor (CUDA
// C++ Programming Guide, "Compute Capabilities").
func (b Board) Generation() (number, cores uint32) {
	sm := b.device.model.Architecture()
	for _, g := range generations {
		if sm >= g.sm {
			return uint32(g.number), uint32(g.cores) * uint32(b.device.model.SM.Count)
		}
	}
	return 0xffffffff, 0
}
