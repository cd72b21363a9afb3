package isa

import "testing"

func TestLocalMemoryKeepsItsContentsWhenItGrows(t *testing.T) {
	var m LocalMemory
	for round := range 3 { // the memory of earlier rounds serves later ones
		m.Reset(8)
		for l := range WarpSize {
			for i := range uint32(8) {
				b, ok := m.At(l, i, 1)
				if !ok || b[0] != 0 {
					t.Fatalf("round %d, lane %d, byte %d: %v", round, l, i, b)
				}
				b[0] = byte(l*8) + byte(i) + 1
			}
		}
		m.Grow(20)
		m.Grow(64)
		if m.Stride < 64 {
			t.Fatalf("%d bytes a lane", m.Stride)
		}
		for l := range WarpSize {
			for i := range m.Stride {
				want := byte(0)
				if i < 8 {
					want = byte(l*8) + byte(i) + 1
				}
				b, ok := m.At(l, i, 1)
				if !ok || b[0] != want {
					t.Fatalf("round %d, lane %d, byte %d: %v, want %d", round, l, i, b, want)
				}
				b[0] = 0xff
			}
		}
	}
}
