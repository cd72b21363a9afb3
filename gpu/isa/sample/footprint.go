package sample

import "math"

// footprint is what an access reads of a level: samples along the longer axis of what
// its derivatives span.
type footprint struct {
	lod   int32    // the level of detail, a fixed-point number
	ratio int32    // the logarithm of how long the axis is, in widths of a sample
	along [2]int32 // the direction of the axis, of length 64
}

// mostSamples is the number of samples of the longest footprint.
const mostSamples = 16

// widest is the logarithm of the longest ratio that a sampler allows, one of eight.
func widest(anisotropy int) int32 {
	switch {
	case anisotropy >= 16:
		return 4 * one
	case anisotropy >= 12:
		return 57 * one / 16
	case anisotropy >= 10:
		return 53 * one / 16
	case anisotropy >= 8:
		return 3 * one
	case anisotropy >= 6:
		return 41 * one / 16
	case anisotropy >= 4:
		return 2 * one
	case anisotropy >= 2:
		return one
	}
	return 0
}

// footprintOf is that of derivatives: of an ellipse whose longer axis is about the
// longest that they span, and whose shorter one follows from the area. The level of
// detail is that of the shorter axis, which counts as one element at least, or what the
// limit leaves.
func footprintOf(x, y slope, limit int32) footprint {
	axis, length := longest(x, y)
	long := length.logarithm()
	if limit == 0 {
		return footprint{lod: long}
	}
	area := x[0].times(y[1]).minus(x[1].times(y[0])).logarithm()
	lod := max(min(long, area-long), long-limit)
	return footprint{lod, long - max(lod, min(long, 0)), axis.direction()}
}

// acrossEdges is the footprint of derivatives of which one reaches another face of a
// cube: as large as the longer one.
func acrossEdges(x, y slope) footprint {
	length := x.length()
	if l := y.length(); length.less(l) {
		length = l
	}
	return footprint{lod: length.logarithm()}
}

// direction is the direction of a vector, in 64ths. Of its components the upper four and
// six bits count.
func (v slope) direction() [2]int32 {
	a, b := v[0], v[1]
	turned := a.less(b)
	if turned {
		a, b = b, a
	}
	long, short := int32(64), int32(0)
	if lower := a.after(b.size>>4, b.exponent); lower != 0 {
		x, y := float64(a.size>>6)+0.5, float64(lower>>2)+0.5
		length := math.Hypot(x, y)
		long, short = int32(math.Round(64*x/length)), int32(math.Round(64*y/length))
	}
	if a.negative {
		long = -long
	}
	if b.negative {
		short = -short
	}
	if turned {
		return [2]int32{short, long}
	}
	return [2]int32{long, short}
}

// probe is a sample of a footprint: where it lies from the middle, in 256ths of an
// element, and its weight.
type probe struct {
	x, y   int32
	weight int32
}

// offset is where it lies along coordinate i.
func (p *probe) offset(i int) int32 { return [3]int32{p.x, p.y}[i] }

// probes are the samples of a footprint in a level, that together weigh as much as said;
// their weights count 2^-(8+more). Those in the middle lie as far apart as they are
// wide, in 64ths of an element, and weigh as much as they cover, the outermost two the
// rest. Two alone lie closer and weigh the same.
func (f *footprint) probes(all *[mostSamples]probe, ratio, width, weight int32) (samples []probe, more uint) {
	if ratio <= 0 {
		all[0] = probe{weight: weight}
		return all[:1], 0
	}
	octave, share := ratio>>fixedBits, inverses[ratio&fixedMask]
	if share == one/2 {
		octave, share = octave+1, one
	}
	if octave == 0 {
		apart := func(along int32) int32 { return (along*(one-share) + one/4) >> 7 * width >> 6 * 2 }
		x, y := apart(f.along[0]), apart(f.along[1])
		all[0], all[1] = probe{x, y, weight}, probe{-x, -y, weight}
		return all[:2], 1
	}
	if more = uint(octave); octave > 2 {
		more, share = 2, share>>(octave-2)
	}
	half := int32(one) << more / 2
	pairs := int((half + share - 1) / share)
	x, y := f.along[0]*width>>6, f.along[1]*width>>6
	covered := func(n int) int32 { return (min(int32(n)*share, half)*weight + one/2) >> fixedBits }
	// The other side is covered from the outermost one.
	beyond := func(n int) int32 { return ((2*half-min(int32(n)*share, half))*weight + one/2) >> fixedBits }
	for i := range pairs {
		out := int32(4*i + 2)
		all[i] = probe{out * x, out * y, covered(i+1) - covered(i)}
		all[2*pairs-1-i] = probe{-out * x, -out * y, beyond(i) - beyond(i+1)}
	}
	return all[:2*pairs], more
}

// inverses are 2^-x, with eight fraction bits, for x up to one of as many.
var inverses = func() (all [one + 1]int32) {
	for x := range all {
		all[x] = int32(math.Round(one * math.Exp2(-float64(x)/one)))
	}
	return all
}()

// sharpened is a level of detail that lies nearer to one level than it does, as is done
// for samplers that allow footprints longer than wide: the weight of the other level
// begins later and grows faster. Of a level that the program chose it begins later still.
func sharpened(lod, limit int32, chosen bool) int32 {
	part, quarters := lod&fixedMask, int32(8)
	from := 4 * 128
	switch {
	case limit == 0:
		return lod
	case limit < 2*one:
		from, quarters = 4*63, 6
	case limit < 3*one && chosen:
		from, quarters = 4*97-3, 7
	case limit < 3*one:
		from, quarters = 4*94+2, 7
	}
	return lod&^fixedMask + max(0, min(one, (part*quarters-int32(from))>>2))
}
