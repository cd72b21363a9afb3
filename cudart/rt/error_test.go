package rt_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func TestErrorsHaveTheirNamesAndTexts(t *testing.T) {
	for _, c := range []struct {
		code       rt.Error
		major      int
		name, text string
	}{
		{0, 11, "cudaSuccess", "no error"},
		{2, 12, "cudaErrorMemoryAllocation", "out of memory"},
		{98, 13, "cudaErrorInvalidDeviceFunction", "invalid device function"},
		{27, 12, "cudaErrorInvalidNormSetting", "read as normalized float not supported for 32-bit non float type"},
		{27, 13, "cudaErrorInvalidNormSetting", "read as normalized float not supported for data type"},
		{222, 11, "cudaErrorUnsupportedPtxVersion", "the provided PTX was compiled with an unsupported toolchain."},
		{914, 11, "unrecognized error code", "unrecognized error code"},
		{914, 12, "unrecognized error code", "unrecognized error code"},
		{914, 13, "cudaErrorInvalidResourceType", "one or more resources passed in are not valid resource types for the operation"},
		{10, 13, "unrecognized error code", "unrecognized error code"},
		{-1, 13, "unrecognized error code", "unrecognized error code"},
	} {
		if n := rt.Name(c.code, c.major); n != c.name {
			t.Errorf("name of %d in CUDA %d is %q, want %q", c.code, c.major, n, c.name)
		}
		if s := rt.Text(c.code, c.major); s != c.text {
			t.Errorf("text of %d in CUDA %d is %q, want %q", c.code, c.major, s, c.text)
		}
	}
	counts := map[int]int{}
	for i, e := range rt.Errors {
		if i > 0 && e.Code <= rt.Errors[i-1].Code {
			t.Errorf("code %d follows %d", e.Code, rt.Errors[i-1].Code)
		}
		for major := 11; major <= 13; major++ {
			if e.Since <= major {
				counts[major]++
			}
		}
	}
	if counts[11] != 125 || counts[12] != 129 || counts[13] != 134 {
		t.Errorf("codes by major: %v", counts)
	}
}

func TestLastErrorIsEachThreadsOwn(t *testing.T) {
	p := start(t)
	other := p.runtime.NewThread()
	_, err := p.thread.Malloc(1 << 60)
	if code := p.thread.Done("cudaMalloc", err); code != 2 {
		t.Errorf("cudaMalloc returned %d", code)
	}
	if code := p.thread.Done("cudaEventQuery", rt.ErrNotReady); code != 600 {
		t.Errorf("cudaEventQuery returned %d", code)
	}
	if code := p.thread.Done("cudaFree", nil); code != 0 {
		t.Errorf("cudaFree returned %d", code)
	}
	if e := other.PeekAtLastError(); e != 0 {
		t.Errorf("another thread sees %d", e)
	}
	for _, want := range []rt.Error{2, 2, 0} {
		get := p.thread.PeekAtLastError
		if want == 0 {
			p.thread.GetLastError()
		}
		if e := get(); e != want {
			t.Errorf("last error is %d, want %d", e, want)
		}
	}
	if log := p.read(&p.log); log == "" {
		t.Error("nothing was logged")
	}
}

func TestDevicesAndAttributes(t *testing.T) { // C26
	p := start(t, func(c *rt.Config) { c.Devices = 2 })
	n, err := p.thread.GetDeviceCount()
	if err != nil || n != 2 {
		t.Errorf("%d devices, %v", n, err)
	}
	p.want("device 99", p.thread.SetDevice(99), 101)
	p.want("device -1", p.thread.SetDevice(-1), 101)
	p.must(p.thread.SetDevice(1))
	if d, err := p.thread.GetDevice(); d != 1 || err != nil {
		t.Errorf("device %d, %v", d, err)
	}
	props, err := p.thread.GetDeviceProperties(1)
	p.must(err)
	for id, want := range map[int]int32{1: props.MaxThreadsPerBlock, 16: props.MultiProcessorCount, 33: props.PciBusID, 81: int32(props.SharedMemPerMultiprocessor)} {
		if v, err := p.thread.DeviceGetAttribute(id, 1); err != nil || v != want {
			t.Errorf("attribute %d is %d, %v, the property says %d", id, v, err, want)
		}
	}
	for _, id := range []int{0, 148, -5, 1 << 20} {
		_, err := p.thread.DeviceGetAttribute(id, 0)
		p.want("unknown attribute", err, 1)
	}
	id, err := p.thread.DeviceGetPCIBusID(1)
	p.must(err)
	if d, err := p.thread.DeviceGetByPCIBusID(id); d != 1 || err != nil {
		t.Errorf("%s is device %d, %v", id, d, err)
	}
}

func TestWithoutDevicesThereIsOneError(t *testing.T) {
	p := start(t, func(c *rt.Config) { c.Devices = 0 })
	_, err := p.thread.GetDeviceCount()
	p.want("count", err, 100)
	_, err = p.thread.Malloc(1)
	p.want("malloc", err, 100)
}

func TestLimitsAreThoseOfTheDevice(t *testing.T) {
	p := start(t)
	for _, c := range []struct {
		limit    int
		set, get uint64
		code     rt.Error
	}{
		{0, 0, 1024, 0}, {0, 2000, 2000, 0}, {0, 1 << 20, 2000, 1},
		{1, 0, 8650752, 0}, {1, 4096, 524288, 0},
		{2, 0, 8 << 20, 0}, {2, 1, 4 << 20, 0},
		{3, 1, 0, 215}, {4, 0, 2048, 0}, {9, 1, 0, 215}, {10, 1, 0, 1}, {1, 600000, 600064, 0}, {4, 1, 32, 0}, {5, 129, 64, 1}, {6, 1, 3932160, 0}, {7, 1, 232448, 800},
	} {
		if c.set != 0 {
			p.want("set", p.thread.DeviceSetLimit(c.limit, c.set), c.code)
		}
		v, err := p.thread.DeviceGetLimit(c.limit)
		if err == nil && v != c.get {
			t.Errorf("limit %d is %d, want %d", c.limit, v, c.get)
		}
	}
	p.must(p.launch(p.thread, "print", 0))
	p.must(p.thread.DeviceSynchronize())
	p.want("print buffer in use", p.thread.DeviceSetLimit(1, 1<<20), 1)
}

func TestPeersAreOtherDevices(t *testing.T) {
	p := start(t, func(c *rt.Config) { c.Devices = 2 })
	if ok, err := p.thread.DeviceCanAccessPeer(0, 0); ok || err != nil {
		t.Errorf("a device is its own peer: %v, %v", ok, err)
	}
	p.want("enable itself", p.thread.DeviceEnablePeerAccess(0, 0), 217)
	p.want("disable before", p.thread.DeviceDisablePeerAccess(1), 705)
	p.must(p.thread.DeviceEnablePeerAccess(1, 0))
	p.want("enable again", p.thread.DeviceEnablePeerAccess(1, 0), 704)
	p.must(p.thread.DeviceDisablePeerAccess(1))
}
