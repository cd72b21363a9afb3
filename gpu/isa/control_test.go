package isa

import "testing"

func TestSchedulingRoundTrips(t *testing.T) {
	for bits := uint32(0); bits < 1<<21; bits++ {
		if got := DecodeScheduling(bits).Encode(); got != bits {
			t.Fatalf("%#x became %#x", bits, got)
		}
	}
	want := Scheduling{Stall: 4, Yield: true, Write: 3, Read: NoBarrier, Wait: 0b001001, Reuse: 2}
	if got := DecodeScheduling(want.Encode()); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
