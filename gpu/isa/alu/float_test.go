package alu_test

import (
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

type (
	unaryOp struct {
		name string
		f    refFormat
		got  func(r Round, a uint64) uint64
		want func(r Round, a uint64) uint64
	}
	binaryOp struct {
		name string
		f    refFormat
		got  func(r Round, a, b uint64) uint64
		want func(r Round, a, b uint64) uint64
	}
)

func f32x2(op func(Round, uint32, uint32) uint32) func(Round, uint64, uint64) uint64 {
	return func(r Round, a, b uint64) uint64 { return uint64(op(r, uint32(a), uint32(b))) }
}

func f32x1(op func(Round, uint32) uint32) func(Round, uint64) uint64 {
	return func(r Round, a uint64) uint64 { return uint64(op(r, uint32(a))) }
}

var binaryOps = []binaryOp{
	{"add", refF32, f32x2(AddF32), refF32.add},
	{"sub", refF32, f32x2(SubF32), refF32.sub},
	{"mul", refF32, f32x2(MulF32), refF32.mul},
	{"div", refF32, f32x2(DivF32), refF32.div},
	{"add", refF64, AddF64, refF64.add},
	{"sub", refF64, SubF64, refF64.sub},
	{"mul", refF64, MulF64, refF64.mul},
	{"div", refF64, DivF64, refF64.div},
}

var oneOf = map[string]uint64{"f32": 0x3f800000, "f64": 0x3ff0000000000000}

var unaryOps = []unaryOp{
	{"sqrt", refF32, f32x1(SqrtF32), refF32.sqrt},
	{"rcp", refF32, f32x1(RcpF32), func(r Round, a uint64) uint64 { return refF32.div(r, oneOf["f32"], a) }},
	{"sqrt", refF64, SqrtF64, refF64.sqrt},
	{"rcp", refF64, RcpF64, func(r Round, a uint64) uint64 { return refF64.div(r, oneOf["f64"], a) }},
}

func volume(t *testing.T, n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func TestBinaryFloatOpsRoundOnce(t *testing.T) {
	for _, op := range binaryOps {
		t.Run(op.name+"."+op.f.name, func(t *testing.T) {
			check := func(r Round, a, b uint64) {
				if got, want := op.got(r, a, b), op.want(r, a, b); got != want {
					t.Fatalf("mode %d of %#x, %#x = %#x, want %#x", r, a, b, got, want)
				}
			}
			edges := op.f.edges()
			for _, r := range directions {
				for _, a := range edges {
					for _, b := range edges {
						check(r, a, b)
					}
				}
			}
			s := newSource(op.f)
			for range volume(t, 8000) {
				check(directions[s.IntN(4)], s.next(), s.next())
			}
		})
	}
}

func TestUnaryFloatOpsRoundOnce(t *testing.T) {
	for _, op := range unaryOps {
		t.Run(op.name+"."+op.f.name, func(t *testing.T) {
			s := newSource(op.f)
			values := op.f.edges()
			for range volume(t, 1500) {
				values = append(values, s.next())
			}
			for _, a := range values {
				for _, r := range directions {
					if got, want := op.got(r, a), op.want(r, a); got != want {
						t.Fatalf("mode %d of %#x = %#x, want %#x", r, a, got, want)
					}
				}
			}
		})
	}
}

func fma32(r Round, a, b, c uint64) uint64 {
	return uint64(FmaF32(r, uint32(a), uint32(b), uint32(c)))
}

func TestFmaRoundsOnce(t *testing.T) {
	for _, op := range []struct {
		f   refFormat
		got func(r Round, a, b, c uint64) uint64
	}{{refF32, fma32}, {refF64, FmaF64}} {
		t.Run(op.f.name, func(t *testing.T) {
			check := func(r Round, a, b, c uint64) {
				if got, want := op.got(r, a, b, c), op.f.fma(r, a, b, c); got != want {
					t.Fatalf("mode %d of %#x, %#x, %#x = %#x, want %#x", r, a, b, c, got, want)
				}
			}
			s := newSource(op.f)
			for range volume(t, 20000) {
				check(directions[s.IntN(4)], s.next(), s.next(), s.next())
			}
			// Sums near cancellation and near half-way cases: c close to
			// minus the product, or far below half a unit of it.
			for range volume(t, 8000) {
				a, b := s.next(), s.next()
				p := op.f.mul(RN, a, b)
				for _, c := range []uint64{p ^ 1<<op.f.signBit(), p ^ 1<<op.f.signBit() ^ 1, s.next()} {
					check(directions[s.IntN(4)], a, b, c)
				}
			}
		})
	}
}

// The double rounding through float64 that motivates FmaF32RN's slow path.
func TestFmaF32IsNotRoundedTwice(t *testing.T) {
	a, b, c := uint32(0x39800008), uint32(0x397ffff0), uint32(0x3f800001)
	if got := FmaF32RN(a, b, c); got != 0x3f800001 {
		t.Errorf("FmaF32RN = %#x, want 0x3f800001", got)
	}
}

func TestDirectedRoundingCase(t *testing.T) {
	for r, want := range map[Round]uint32{RN: 0x3f800000, RZ: 0x3f800000, RP: 0x3f800001, RM: 0x3f800000} {
		if got := AddF32(r, 0x3f800000, 0x33800000); got != want {
			t.Errorf("1 + 2^-24 in mode %d = %#x, want %#x", r, got, want)
		}
	}
	if got := DivF64(RP, 0x3ff0000000000000, 0x4008000000000000); got != 0x3fd5555555555556 {
		t.Errorf("1/3 rounded up = %#x", got)
	}
}
