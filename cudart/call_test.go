package main

import "testing"

func TestPanicBecomesUnknownError(t *testing.T) {
	got := call(func(*Thread) Error { panic("sabotage") })
	if got != 999 {
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
	if got := call(func(*Thread) Error { return ErrorNotReady }); got != 600 {
		t.Errorf("call returned %d", got)
	}
	if last := ls_cudaPeekAtLastError(); last != 0 {
		t.Errorf("last error is %d", last)
	}
}

func TestNullStreamIsTheDefaultStreamOfTheCall(t *testing.T) {
	for _, c := range []struct {
		perThread bool
		want      StreamHandle
	}{{false, legacyStream}, {true, perThreadStream}} {
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
