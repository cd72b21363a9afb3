package alu_test

import (
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
	"pgregory.net/rapid"
)

// Laws that hold for all operands and need no reference.

func notNaN(t *rapid.T, name string) uint32 {
	return rapid.Uint32().Filter(func(x uint32) bool { return !IsNaNF32(x) }).Draw(t, name)
}

func TestDirectedResultsEncloseTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := notNaN(t, "a"), notNaN(t, "b"), notNaN(t, "c")
		for _, f := range []func(r Round) uint32{
			func(r Round) uint32 { return AddF32(r, a, b) },
			func(r Round) uint32 { return MulF32(r, a, b) },
			func(r Round) uint32 { return DivF32(r, a, b) },
			func(r Round) uint32 { return FmaF32(r, a, b, c) },
		} {
			down, near, up := f(RM), f(RN), f(RP)
			if IsNaNF32(near) {
				continue
			}
			if !LeF32(down, near) || !LeF32(near, up) {
				t.Fatalf("%#x, %#x, %#x are not in order", down, near, up)
			}
			if zero := f(RZ); zero != down && zero != up {
				t.Fatalf("toward zero %#x is neither %#x nor %#x", zero, down, up)
			}
		}
	})
}

func TestFmaOfOneAndOfZeroAreSumAndProduct(t *testing.T) {
	const one = 0x3f800000
	rapid.Check(t, func(t *rapid.T) {
		a, b := notNaN(t, "a"), notNaN(t, "b")
		r := Round(rapid.IntRange(0, 3).Draw(t, "r"))
		if got, want := FmaF32(r, a, one, b), AddF32(r, a, b); got != want {
			t.Fatalf("a*1+b = %#x, a+b = %#x", got, want)
		}
		// A zero of the product's sign leaves the product alone.
		if got, want := FmaF32(r, a, b, (a^b)&0x80000000), MulF32(r, a, b); got != want {
			t.Fatalf("a*b+0 = %#x, a*b = %#x", got, want)
		}
	})
}

func TestDivisionAndRemainderMakeTheDividend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64Min(1).Draw(t, "b")
		if DivS64(a, b)*b+RemS64(a, b) != a || DivU64(a, b)*b+RemU64(a, b) != a {
			t.Fatalf("%#x by %#x", a, b)
		}
	})
}

func TestInsertedFieldIsExtracted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint32().Draw(t, "a"), rapid.Uint32().Draw(t, "b")
		n := rapid.Uint32Range(1, 32).Draw(t, "n")
		pos := rapid.Uint32Range(0, 32-n).Draw(t, "pos")
		if got, want := BfeU32(BfiB32(a, b, pos, n), pos, n), SzextClampU32(a, n); got != want {
			t.Fatalf("%#x, want %#x", got, want)
		}
	})
}
