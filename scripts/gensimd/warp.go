package main

// warpOps exchange values between lanes. They do when all lanes of a warp are
// there; otherwise the engine must gather them first.
func warpOps() []kernel {
	all := []kernel{
		{name: "WarpSync", shape: "special", write: together(func(e *emitter) { e.next() })},
		{name: "Ballot", shape: "voteShape", write: together(func(e *emitter) {
			e.votes()
			e.p("VPBROADCASTD AX, Z0")
			e.offset("d", "DX")
			e.putAll("Z0")
			e.next()
		})},
		{name: "VoteAny", shape: "voteShape", write: together(func(e *emitter) { e.verdict("NEGL AX", "SBBL AX, AX") })},
		{name: "VoteAll", shape: "voteShape", write: together(func(e *emitter) { e.verdict("ADDL $1, AX", "SBBL AX, AX") })},
	}
	for _, m := range []struct{ name, index, inside string }{
		{"Up", "VPSUBD {far}, {lane}, {from}", "VPCMPD $5, {bound}, {from}, {k}"},
		{"Down", "VPADDD {far}, {lane}, {from}", "VPCMPD $2, {bound}, {from}, {k}"},
		{"Bfly", "VPXORD {far}, {lane}, {from}", "VPCMPD $2, {bound}, {from}, {k}"},
		{"Idx", "VPANDND {far}, {segment}, {from}\nVPORD {part}, {from}, {from}", "VPCMPD $2, {bound}, {from}, {k}"},
	} {
		all = append(all, kernel{name: "Shfl" + m.name, shape: "shuffleShape", write: together(func(e *emitter) { e.shuffle(m.index, m.inside) })})
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

// shuffle reads row a, held in Z0 to Z3, of other lanes. Of the operands, b
// says how far and c holds the bound in its low bits and the segment's mask
// above; part is the lane's under the mask, from the lane to read.
func (e *emitter) shuffle(index, inside string) {
	e.offset("a", "AX")
	e.offset("b", "BX")
	e.offset("c", "CX")
	e.offset("d", "DX")
	for h := range e.level.vectors() {
		e.load("AX", h, 0, z(h))
	}
	for h := range e.level.vectors() {
		names := registers("far c segment bound part from lane", 4)
		names["k"] = e.level.result(h)
		e.laneNumbers(h, names["lane"])
		e.load("BX", h, 0, names["far"])
		e.load("CX", h, 0, names["c"])
		e.fill("VPANDD.BCST thirtyOne<>(SB), {far}, {far}\nVPSRLD $8, {c}, {segment}\nVPANDD.BCST thirtyOne<>(SB), {segment}, {segment}\n"+
			"VPANDD.BCST thirtyOne<>(SB), {c}, {c}\nVPANDND {c}, {segment}, {bound}\nVPANDD {lane}, {segment}, {part}\nVPORD {part}, {bound}, {bound}", names, "")
		e.fill(index+"\n"+inside+"\nVMOVDQA32 {from}, {k}, {lane}", names, "")
		e.lookup(names)
		e.put(names["far"], h, 0)
		e.collect(h, "AX")
	}
	e.collected()
	e.setPredicate("slot", "R13")
	e.next()
}

// lookup finds in the row that Z0 and the following hold the words that {lane}
// numbers, for {far}.
func (e *emitter) lookup(names map[string]string) {
	if e.level == avx512 {
		e.fill("VMOVDQA32 {lane}, {far}\nVPERMI2D Z1, Z0, {far}", names, "")
		return
	}
	e.fill("VPERMD Z0, {lane}, {far}\nVPERMD Z1, {lane}, {c}\nVPERMD Z2, {lane}, {segment}\nVPERMD Z3, {lane}, {part}\n"+
		"VPSLLD $28, {lane}, {from}\nVBLENDVPS {from}, {c}, {far}, {far}\nVBLENDVPS {from}, {part}, {segment}, {segment}\n"+
		"VPSLLD $27, {lane}, {from}\nVBLENDVPS {from}, {segment}, {far}, {far}", names, "")
}
