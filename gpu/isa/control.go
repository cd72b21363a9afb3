package isa

// NoBarrier is the dependence counter number that means none.
const NoBarrier = 7

// Scheduling is the control part of a machine instruction, with which the
// assembler says when the warp may go on (sm_70 and later).
type Scheduling struct {
	Stall uint8 // cycles until the warp may issue again
	Yield bool  // another warp goes first
	Write uint8 // dependence counter held until the results are written; NoBarrier if none
	Read  uint8 // dependence counter held until the sources are read; NoBarrier if none
	Wait  uint8 // set of counters that must be zero, bit i for counter i
	Reuse uint8 // source positions whose register stays in the reuse cache, bit i for position i
}

// DecodeScheduling unpacks the 21 control bits, 105 to 125 of a 128-bit instruction. The
// yield bit is stored inverted.
func DecodeScheduling(bits uint32) Scheduling {
	return Scheduling{
		Stall: uint8(bits & 15),
		Yield: bits>>4&1 == 0,
		Write: uint8(bits >> 5 & 7),
		Read:  uint8(bits >> 8 & 7),
		Wait:  uint8(bits >> 11 & 63),
		Reuse: uint8(bits >> 17 & 15),
	}
}

// Encode is the inverse of DecodeScheduling.
func (s Scheduling) Encode() uint32 {
	bits := uint32(s.Stall&15) | uint32(s.Write&7)<<5 | uint32(s.Read&7)<<8 | uint32(s.Wait&63)<<11 | uint32(s.Reuse&15)<<17
	if !s.Yield {
		bits |= 1 << 4
	}
	return bits
}
