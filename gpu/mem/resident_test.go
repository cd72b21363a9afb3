package mem

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// resident is how much of the device window the host has backed, in bytes.
func resident(t *testing.T, s *Space) int64 {
	t.Helper()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip("no /proc here:", err)
	}
	w := s.dev.Load().win
	lo, n := addressOf(w.bytes), uint64(len(w.bytes))
	inside, total := false, int64(0)
	for line := range strings.Lines(string(smaps)) {
		f := strings.Fields(line)
		if from, _, ok := strings.Cut(f[0], "-"); ok {
			if at, err := strconv.ParseUint(from, 16, 64); err == nil {
				inside = at-lo < n
			}
		}
		if !inside || f[0] != "Rss:" {
			continue
		}
		kib, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		total += kib << 10
	}
	return total
}

func TestOnlyTouchedMemoryCosts(t *testing.T) {
	s := newSpace(t, Config{DeviceBytes: 141 << 30})
	big := alloc(t, s, 100<<30)
	part := alloc(t, s, 64*mib)
	if err := s.Set(part, 1, 4, 8*mib); err != nil {
		t.Fatal(err)
	}
	if got := resident(t, s); got < 32*mib || got > 34*mib {
		t.Errorf("%d MiB resident after touching 32 of 64", got/mib)
	}
	free(t, s, part)
	free(t, s, big)
	part = alloc(t, s, 96*mib)
	if err := s.Set(part, 1, 4, 24*mib); err != nil {
		t.Fatal(err)
	}
	free(t, s, part)
	if got := resident(t, s); got > keepFree {
		t.Errorf("%d MiB resident after the free of 96", got/mib)
	}
}

func TestManyAllocationsAndFreesDoNotGrow(t *testing.T) {
	s := newSpace(t, Config{DeviceBytes: 141 << 30})
	sizes := []uint64{100, 5000, 1 * mib, 3 * mib}
	for i := range 10000 {
		addr := alloc(t, s, sizes[i%len(sizes)])
		if err := s.Write(addr, []byte{1}); err != nil {
			t.Fatal(err)
		}
		free(t, s, addr)
	}
	if got := resident(t, s); got > 8*mib {
		t.Errorf("%d MiB resident", got/mib)
	}
	if open := s.dev.Load().win.open; open > 8*mib {
		t.Errorf("%d MiB opened", open/mib)
	}
}
