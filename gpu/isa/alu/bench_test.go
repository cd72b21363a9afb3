package alu_test

import (
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// The benchmarks run an operation over the 32 lanes of a warp, in the order a
// handler does; ns/op is the time of one warp instruction.

type lanes32 [32]uint32

func warp(f refFormat) (a, b, c lanes32) {
	s := newSource(f)
	for i := range a {
		// Ordinary numbers around one.
		a[i], b[i], c[i] = 0x3f000000|s.Uint32()>>9, 0x3f000000|s.Uint32()>>9, 0x3f000000|s.Uint32()>>9
	}
	return a, b, c
}

func BenchmarkFmaF32RN(b *testing.B) {
	x, y, z := warp(refF32)
	for b.Loop() {
		for l := range z {
			z[l] = FmaF32RN(x[l], y[l], z[l])
		}
	}
}

func BenchmarkFmaF32RNOfZeros(b *testing.B) {
	var x, y, z lanes32
	for b.Loop() {
		for l := range z {
			z[l] = FmaF32RN(x[l], y[l], z[l])
		}
	}
}

func benchmark2(b *testing.B, f func(a, b uint32) uint32) {
	x, y, d := warp(refF32)
	for b.Loop() {
		for l := range d {
			d[l] = f(x[l], y[l])
		}
	}
}

func BenchmarkAddF32RN(b *testing.B) {
	x, y, d := warp(refF32)
	for b.Loop() {
		for l := range d {
			d[l] = AddF32RN(x[l], y[l])
		}
	}
}

func BenchmarkMulFtzF32(b *testing.B) {
	x, y, d := warp(refF32)
	for b.Loop() {
		for l := range d {
			d[l] = FlushF32(MulF32RN(FlushF32(x[l]), FlushF32(y[l])))
		}
	}
}

func BenchmarkAddF32RZ(b *testing.B) {
	benchmark2(b, func(x, y uint32) uint32 { return AddF32(RZ, x, y) })
}

func BenchmarkFmaF32RM(b *testing.B) {
	benchmark2(b, func(x, y uint32) uint32 { return FmaF32(RM, x, y, x) })
}
func BenchmarkMinF32(b *testing.B)   { benchmark2(b, MinF32) }
func BenchmarkDivF32RN(b *testing.B) { benchmark2(b, DivF32RN) }

func BenchmarkAddF16x2(b *testing.B) { benchmark2(b, AddF16x2) }
func BenchmarkFmaF16x2(b *testing.B) {
	benchmark2(b, func(x, y uint32) uint32 { return FmaF16x2(x, y, x) })
}

func BenchmarkFmaBF16x2(b *testing.B) {
	benchmark2(b, func(x, y uint32) uint32 { return FmaBF16x2(x, y, x) })
}

func BenchmarkCvtS32F32(b *testing.B) {
	benchmark2(b, func(x, _ uint32) uint32 { return CvtS32F32(RZ, x) })
}

func BenchmarkCvtF16F32(b *testing.B) {
	benchmark2(b, func(x, _ uint32) uint32 { return uint32(CvtF16F32(RN, x)) })
}

func BenchmarkCvtF32F16(b *testing.B) {
	benchmark2(b, func(x, _ uint32) uint32 { return CvtF32F16(uint16(x)) })
}

func BenchmarkEx2ApproxFtzF32(b *testing.B) {
	benchmark2(b, func(x, _ uint32) uint32 { return Ex2ApproxFtzF32(x) })
}

func BenchmarkPrmt(b *testing.B) {
	benchmark2(b, func(x, y uint32) uint32 { return Prmt(x, y, 0x5410) })
}

func BenchmarkLop3(b *testing.B) {
	benchmark2(b, func(x, y uint32) uint32 { return Lop3(x, y, x, 0x96) })
}

func BenchmarkFmaF64RZ(b *testing.B) {
	const x, y, z = 0x3ff5555555555555, 0x3ff1234567890123, 0xbfe1111111111111
	var d uint64
	for b.Loop() {
		for range 32 {
			d ^= FmaF64(RZ, x, y, z)
		}
	}
}
