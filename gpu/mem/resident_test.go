package mem

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func resident(t *testing.T) int64 {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc here:", err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

func TestOnlyTouchedMemoryCosts(t *testing.T) {
	s := newSpace(t, Config{DeviceBytes: 141 << 30})
	before := resident(t)
	big := alloc(t, s, 100<<30)
	part := alloc(t, s, 64*mib)
	if err := s.Set(part, 1, 4, 8*mib); err != nil {
		t.Fatal(err)
	}
	if got := resident(t) - before; got < 30*mib || got > 60*mib {
		t.Errorf("%d MiB resident after touching 32 of 64", got/mib)
	}
	free(t, s, part)
	free(t, s, big)
	part = alloc(t, s, 96*mib)
	if err := s.Set(part, 1, 4, 24*mib); err != nil {
		t.Fatal(err)
	}
	free(t, s, part)
	if got := resident(t) - before; got > 80*mib {
		t.Errorf("%d MiB resident after the free of 96", got/mib)
	}
}

func TestManyAllocationsAndFreesDoNotGrow(t *testing.T) {
	s := newSpace(t, Config{DeviceBytes: 141 << 30})
	sizes := []uint64{100, 5000, 1 * mib, 3 * mib}
	var before int64
	for i := range 10000 {
		addr := alloc(t, s, sizes[i%len(sizes)])
		if err := s.Write(addr, []byte{1}); err != nil {
			t.Fatal(err)
		}
		free(t, s, addr)
		if i == 1000 {
			before = resident(t)
		}
	}
	if got := resident(t) - before; got > 16*mib {
		t.Errorf("grew by %d MiB", got/mib)
	}
	if open := s.dev.Load().win.open; open > 8*mib {
		t.Errorf("%d MiB opened", open/mib)
	}
}
