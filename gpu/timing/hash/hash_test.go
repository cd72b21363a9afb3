package hash_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/timing/hash"
)

func TestSpreadIsBijectiveAndEvenForEveryCount(t *testing.T) {
	for _, kind := range []string{"none", "xor", "ipoly"} {
		for count := 1; count <= 192; count++ {
			s, err := hash.NewSpread(count, 256, kind)
			if err != nil {
				t.Fatal(err)
			}
			share := make([]int, count)
			const rounds = 64
			for block := range uint64(rounds * count) {
				addr := 0x7f00_0000_0000/256/uint64(count)*uint64(count)*256 + block*256 + 24
				dest, local := s.Of(addr)
				share[dest]++
				if back := s.Join(dest, local); back != addr {
					t.Fatalf("%s over %d: %#x comes back as %#x", kind, count, addr, back)
				}
			}
			for d, n := range share {
				if n != rounds {
					t.Fatalf("%s over %d: destination %d got %d blocks of %d", kind, count, d, n, rounds)
				}
			}
		}
	}
}

func TestPolyTellsPowerOfTwoStridesApart(t *testing.T) {
	for _, count := range []int{32, 64, 94, 96, 188} {
		s, _ := hash.NewSpread(count, 256, "ipoly")
		for shift := 8; shift < 24; shift++ {
			share := make([]int, count)
			for i := range uint64(4096) {
				d, _ := s.Of(i << shift)
				share[d]++
			}
			for d, n := range share {
				if n > 3*4096/count {
					t.Errorf("%d destinations, stride 2^%d: %d of 4096 at %d", count, shift, n, d)
				}
			}
		}
	}
}

func TestUnknownHashNamesThoseThatExist(t *testing.T) {
	if _, err := hash.NewSpread(4, 256, "pae"); err == nil {
		t.Error("accepted")
	}
	if _, err := hash.NewSpread(0, 256, "none"); err == nil {
		t.Error("no destinations accepted")
	}
}
