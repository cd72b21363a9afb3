package alu

import "golang.org/x/sys/cpu"

var haveAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL

//go:noescape
func fuseAVX512(d *Dots)

//go:noescape
func dot8AVX512(a *int32, b *[8]int32, n int, sum *[8]int32)

func (d *Dots) fuse() {
	if haveAVX512 {
		fuseAVX512(d)
		return
	}
	d.plain()
}

// Dot8 adds up the products of the terms of a and of eight columns b. The
// number of terms is even and not zero.
func Dot8(a []int32, b [][8]int32, sum *[8]int32) {
	if haveAVX512 {
		dot8AVX512(&a[0], &b[:len(a)][0], len(a), sum)
		return
	}
	dot8Go(a, b, sum)
}
