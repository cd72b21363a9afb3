package rt_test

import (
	"math"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func TestEventsMeasureCopiesInSimulatedTime(t *testing.T) {
	r, err := rt.New(rt.Config{Devices: 1, Major: 12, Sources: rt.Sources{Set: "copy.to_device=10000;copy.to_host=20000;copy.within=100000;copy.latency=1000;copy.within_latency=1000"}})
	if err != nil {
		t.Fatal(err)
	}
	thread := r.NewThread()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const bytes = 4 << 20
	device, err := thread.Malloc(2 * bytes)
	must(err)
	host, err := thread.HostAlloc(bytes, 0)
	must(err)
	other, err := thread.StreamCreate(1, 0)
	must(err)
	var events [4]uint64
	for i := range events {
		events[i], err = thread.EventCreate(0)
		must(err)
	}
	// On one stream to the device and back, on the other one within it.
	must(thread.EventRecord(events[0], 0, 0))
	must(thread.Memcpy(device, host, bytes, 1, rt.Order{Async: true}))
	must(thread.EventRecord(events[1], 0, 0))
	must(thread.Memcpy(host, device, bytes, 2, rt.Order{Async: true}))
	must(thread.EventRecord(events[2], 0, 0))
	must(thread.DeviceSynchronize())
	for i, want := range []float64{1 + bytes/10000., 1 + bytes/20000.} { // microseconds
		ms, err := thread.EventElapsedTime(events[i], events[i+1])
		if us := float64(ms) * 1000; err != nil || math.Abs(us-want) > 0.1 {
			t.Errorf("copy %d takes %.3f us, want %.3f; %v", i, us, want, err)
		}
	}
	must(thread.EventRecord(events[0], 0, 0))
	must(thread.Memcpy(device, host, bytes, 1, rt.Order{Async: true}))
	must(thread.Memcpy(device+bytes, device, bytes, 3, rt.Order{Async: true, Stream: other}))
	must(thread.EventRecord(events[3], other, 0))
	must(thread.EventRecord(events[1], 0, 0))
	must(thread.DeviceSynchronize())
	ms, err := thread.EventElapsedTime(events[3], events[1])
	if err != nil || ms <= 0 {
		t.Errorf("the copy within the device, which is faster, ends %v ms before the other; %v", ms, err)
	}
}
