package main

import (
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

func TestPanicBecomesUnknownError(t *testing.T) {
	if got := call(func(*rt.Thread) error { panic("sabotage") }); got != 999 {
		t.Errorf("a panicking call returned %d, want cudaErrorUnknown", got)
	}
	if last := ls_cudaGetLastError(); last != 999 {
		t.Errorf("last error is %d, want 999", last)
	}
	if last := ls_cudaGetLastError(); last != 0 {
		t.Errorf("cudaGetLastError left %d behind", last)
	}
}

func TestNotReadyIsNotALastError(t *testing.T) {
	if got := call(func(*rt.Thread) error { return rt.ErrNotReady }); got != 600 {
		t.Errorf("call returned %d", got)
	}
	if last := ls_cudaPeekAtLastError(); last != 0 {
		t.Errorf("last error is %d", last)
	}
}

func TestNullStreamIsTheDefaultStreamOfTheCall(t *testing.T) {
	for _, c := range []struct {
		perThread bool
		want      rt.StreamHandle
	}{{false, rt.LegacyStream}, {true, rt.PerThreadStream}} {
		if got := streamHandle(nil, c.perThread); got != c.want {
			t.Errorf("per-thread %v: stream %#x, want %#x", c.perThread, got, c.want)
		}
	}
}

func TestThreadTableKeepsEntriesWhenItGrows(t *testing.T) {
	var tt threadTable
	first := tt.get(1)
	tt.get(1000)
	if tt.get(1) != first {
		t.Error("growing replaced a thread")
	}
	tt.remove(1)
	if tt.get(1) == first {
		t.Error("a reused number met the old thread")
	}
}

func TestVisibleDevicesAreThoseBeforeTheFirstUnknown(t *testing.T) {
	for _, c := range []struct {
		list string
		want int
	}{{"0", 1}, {"1,0", 2}, {"", 0}, {"-1", 0}, {"0,7,1", 1}, {"2,2", 1}, {"GPU-1234", 0}} {
		t.Setenv("CUDA_VISIBLE_DEVICES", c.list)
		if got := visibleDevices(4); got != c.want {
			t.Errorf("%q: %d devices, want %d", c.list, got, c.want)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		call(func(*rt.Thread) error { return nil })
	}
}

func TestBoundsAreThePagesUnlessTheAllocationIsNamed(t *testing.T) {
	for setting, exact := range map[string]bool{"": false, "page": false, "allocation": true, "byte": false} {
		if exactBounds(setting) != exact {
			t.Errorf("LOCKSTEP_BOUNDS=%s: exact is not %v", setting, exact)
		}
	}
}

func TestAnInstructionSetThatIsNotThereIsTheBest(t *testing.T) {
	for setting, want := range map[string]simd.Level{"": simd.Best, "best": simd.Best, "go": simd.Go, "sse": simd.Best} {
		if got := instructionSet(setting); got != want {
			t.Errorf("LOCKSTEP_ISA=%s is %v, want %v", setting, got, want)
		}
	}
}
