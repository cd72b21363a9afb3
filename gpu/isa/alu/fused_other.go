//go:build !amd64

package alu

func (d *Dots) fuse() { d.plain() }

// Dot8 adds up the products of the terms of a and of eight columns b. The
// number of terms is even and not zero.
func Dot8(a []int32, b [][8]int32, sum *[8]int32) { dot8Go(a, b, sum) }
