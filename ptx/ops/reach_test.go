package ops

import (
	"math/rand/v2"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// TestRowsAreStraightOnlyIfEveryLaneIs tries rows that are nearly so: a few lanes, chosen at random, hold a
// word that differs in low bits.
func TestRowsAreStraightOnlyIfEveryLaneIs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		start, stride := r.Uint32()&0xff00, []uint32{0, 4, 8, 1024}[r.IntN(4)]
		var row isa.Lanes
		for l := range row {
			row[l] = start + uint32(l)*stride
		}
		for range r.IntN(4) {
			row[r.IntN(isa.WarpSize)] ^= uint32(r.IntN(4) * 4)
		}
		step, equal, even := row[1]-row[0], true, true
		for l := range row {
			equal = equal && row[l] == row[0]
			even = even && row[l] == row[0]+uint32(l)*step
		}
		if same(&row) != equal {
			t.Fatalf("same is %v of %v", !equal, row)
		}
		if got, ok := spaced(&row); ok && !even || ok && got != step || !ok && even && step < 1<<31 {
			t.Fatalf("spaced is %d, %v of %v", got, ok, row)
		}
	}
}
