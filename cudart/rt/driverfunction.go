package rt

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Attributes of functions that can only be read, as the driver numbers them.
const (
	funcMaxThreads    = 0
	funcSharedSize    = 1
	funcConstSize     = 2
	funcLocalSize     = 3
	funcRegisters     = 4
	funcPTXVersion    = 5
	funcBinaryVersion = 6
	funcCacheModeCA   = 7
	funcClusterIsSet  = 10
	funcClusterHeight = 12
	funcLastAttribute = 15
)

// FunctionAttribute is cuFuncGetAttribute.
func (t *Thread) FunctionAttribute(handle uint64, attribute int) (int, error) {
	if attribute < 0 || attribute > funcLastAttribute {
		return 0, fail(ErrInvalidValue, "function attribute %d", attribute)
	}
	a, err := t.FuncGetAttributes(handle)
	if err != nil {
		return 0, err
	}
	values := [funcLastAttribute + 1]int{
		funcMaxThreads: int(a.MaxThreadsPerBlock), funcSharedSize: int(a.SharedSizeBytes), funcConstSize: int(a.ConstSizeBytes),
		funcLocalSize: int(a.LocalSizeBytes), funcRegisters: int(a.NumRegs), funcPTXVersion: int(a.PtxVersion),
		funcBinaryVersion: int(a.BinaryVersion), funcMaxDynamicShared: int(a.MaxDynamicSharedSizeBytes),
		funcCarveout: int(a.PreferredShmemCarveout), funcCacheModeCA: int(a.CacheModeCA),
		funcClusterIsSet: int(a.ClusterDimMustBeSet), funcClusterWidth: int(a.RequiredClusterWidth),
		funcClusterHeight: int(a.RequiredClusterHeight), funcClusterDepth: int(a.RequiredClusterDepth),
		funcNonPortable: int(a.NonPortableClusterSizeAllowed), funcClusterPolicy: int(a.ClusterSchedulingPolicyPreference),
	}
	return values[attribute], nil
}

// OnDevice calls f with a device's context current: the thread's own if it is of
// that device, else the primary one.
func (t *Thread) OnDevice(ordinal int, f func() error) error {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return err
	}
	if b := t.top(); b == nil || b.device != d {
		if _, err := d.context(); err != nil {
			return err
		}
		t.stack = append(t.stack, d.primary())
		defer func() { t.stack = t.stack[:len(t.stack)-1] }()
	}
	return f()
}

// The marks in the list that cuLaunchKernel takes instead of arguments.
const (
	extraEnd     = 0
	extraBuffer  = 1
	extraSize    = 2
	maxExtra     = 16
	extraMaximum = 1 << 16
)

// LaunchExtra is cuLaunchKernel: arguments come in an array, or packed in a
// buffer that a list at the address extra names.
func (t *Thread) LaunchExtra(l Launch, extra uint64) error {
	if err := t.TakeExtra(&l, extra); err != nil {
		return err
	}
	return t.LaunchKernel(l)
}

// TakeExtra reads such a list into a launch.
func (t *Thread) TakeExtra(l *Launch, extra uint64) error {
	if extra == 0 {
		return nil
	}
	if l.Args != 0 {
		return fail(ErrInvalidValue, "arguments both in an array and in a buffer")
	}
	word := func(addr uint64) uint64 { return binary.LittleEndian.Uint64(mem.Host(addr, 8)) }
	var buffer, size uint64
	for i := uint64(0); i < maxExtra; i += 2 {
		switch mark := word(extra + 8*i); mark {
		case extraEnd:
			return l.pack(buffer, size)
		case extraBuffer:
			buffer = word(extra + 8*i + 8)
		case extraSize:
			size = word(word(extra + 8*i + 8))
		default:
			return fail(ErrInvalidValue, "mark %d in the list of launch parameters", mark)
		}
	}
	return fail(ErrInvalidValue, "a list of launch parameters without end")
}

// pack takes the arguments from a buffer of the program.
func (l *Launch) pack(buffer, size uint64) error {
	if size > extraMaximum || size > 0 && buffer == 0 {
		return fail(ErrInvalidValue, "%d bytes of arguments at %#x", size, buffer)
	}
	l.Packed = append([]byte{}, mem.Host(buffer, size)...)
	return nil
}

// OccupancyMaxPotentialBlock is cuOccupancyMaxPotentialBlockSize: the block with
// which most threads are resident, the larger of equals, and the grid that fills
// the device. limit 0 is no limit; shared gives the dynamic shared memory of a
// block.
func (t *Thread) OccupancyMaxPotentialBlock(handle uint64, limit int, shared func(threads int) uint64) (grid, block int, err error) {
	p, err := t.prepareHere(handle)
	if err != nil {
		return 0, 0, err
	}
	g := t.runtime.model
	most := maxThreads(g, p.kernel)
	if limit > 0 {
		most = min(most, limit)
	}
	warp, sms := int(g.Launch.WarpSize), int(g.SM.Count)
	if x := t.greenOf(LegacyStream); x != nil {
		sms = int(x.sms.Count)
	}
	best := 0
	for threads := roundUp(most, warp); threads > 0; threads -= warp {
		n := min(threads, most)
		blocks := occupancy(g, p.kernel, n, shared(n))
		if blocks*n > best {
			best, block, grid = blocks*n, n, blocks*sms
		}
		if best >= int(g.SM.Threads) {
			break
		}
	}
	return grid, block, nil
}
