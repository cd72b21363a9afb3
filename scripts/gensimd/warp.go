package main

import "fmt"

// warpOps exchange values between lanes. They do when all lanes of a warp are
// there; otherwise the engine must gather them first.
func warpOps() []kernel {
	all := []kernel{
		{"WarpSync", "special", together(func(e *emitter) { e.next() })},
		{"Ballot", "voteShape", together(func(e *emitter) {
			e.votes()
			e.p("VPBROADCASTD AX, Z0")
			e.offset("d", "DX")
			e.put("Z0", 0, 0)
			e.put("Z0", 1, 0)
			e.next()
		})},
		{"VoteAny", "voteShape", together(func(e *emitter) { e.verdict("NEGL AX", "SBBL AX, AX") })},
		{"VoteAll", "voteShape", together(func(e *emitter) { e.verdict("ADDL $1, AX", "SBBL AX, AX") })},
	}
	for _, m := range []struct{ name, index, inside string }{
		{"Up", "VPSUBD Z2, {lane}, Z7", "VPCMPD $5, Z5, Z7, {k}"},
		{"Down", "VPADDD Z2, {lane}, Z7", "VPCMPD $2, Z5, Z7, {k}"},
		{"Bfly", "VPXORD Z2, {lane}, Z7", "VPCMPD $2, Z5, Z7, {k}"},
		{"Idx", "VPANDND Z2, Z4, Z7\nVPORD Z6, Z7, Z7", "VPCMPD $2, Z5, Z7, {k}"},
	} {
		all = append(all, kernel{"Shfl" + m.name, "shuffleShape", together(func(e *emitter) { e.shuffle(m.index, m.inside) })})
	}
	return all
}

// together leaves when lanes are missing.
func together(write func(e *emitter)) func(e *emitter) {
	return func(e *emitter) {
		if e.full {
			write(e)
			return
		}
		e.p("JMP leave<>(SB)")
	}
}

// votes loads the source predicate into AX.
func (e *emitter) votes() {
	e.offset("c", "AX")
	e.ps("MOVL (R9)(AX*1), AX", "XORL Op_slot(SI), AX")
}

// verdict writes all lanes' predicate: what the code makes of the votes.
func (e *emitter) verdict(code ...string) {
	e.votes()
	e.ps(code...)
	e.setPredicate("b", "AX")
	e.next()
}

// shuffle reads row a of other lanes. Of the operands, b (Z2) says how far and
// c holds the bound in its low bits and the segment's mask above; Z4 is the
// mask, Z5 the bound, Z6 the lane's part under the mask, Z7 the lane to read.
func (e *emitter) shuffle(index, inside string) {
	e.offset("a", "AX")
	e.offset("b", "BX")
	e.offset("c", "CX")
	e.offset("d", "DX")
	e.ps("VMOVDQU32 (R8)(AX*1), Z0", "VMOVDQU32 64(R8)(AX*1), Z1", "VPBROADCASTD thirtyOne<>(SB), Z20")
	for h := range 2 {
		names := map[string]string{"lane": [2]string{"Z28", "Z27"}[h], "k": fmt.Sprintf("K%d", 5+h)}
		e.p("VPANDD %d(R8)(BX*1), Z20, Z2", 64*h)
		e.p("VMOVDQU32 %d(R8)(CX*1), Z3", 64*h)
		e.fill("VPSRLD $8, Z3, Z4\nVPANDD Z20, Z4, Z4\nVPANDD Z20, Z3, Z3\nVPANDND Z3, Z4, Z5\nVPANDD {lane}, Z4, Z6\nVPORD Z6, Z5, Z5", names, "")
		e.fill(index+"\n"+inside, names, "")
		e.fill("VMOVDQA32 {lane}, Z8\nVMOVDQA32 Z7, {k}, Z8\nVPERMI2D Z1, Z0, Z8", names, "")
		e.put("Z8", h, 0)
	}
	e.ps("KUNPCKWD K5, K6, K5", "KMOVD K5, AX")
	e.setPredicate("slot", "AX")
	e.next()
}
