package main

// windowBytes is the size of a window: the two vectors that a permutation picks
// words from.
const windowBytes = 128

// windowed loads words that lie within a window from the first lane's on, in any
// order, by a permutation: what is uniform, contiguous, in rows of half a warp or
// reversed in pairs. AVX2 picks from too few words for that. It jumps to edge where the window is not inside, and to apart
// where some lane's word is outside of it. Z0 holds the first lane's address.
func (m *mover) windowed(edge, apart string) {
	m.withinWindow(0, "Z0", 3)
	m.withinWindow(1, "Z0", 4)
	m.ps("KORTESTW K3, K4")
	m.p("JNE %s", apart)
	m.p("LEAQ %d(DX), R14", windowBytes-4)
	m.ps("CMPQ R14, R13")
	m.p("JHI %s", edge)
	m.noWrap("(AX)(CX*4)", edge)
	m.p("ADDQ DX, BX")
	m.offset("d", "DX")
	m.ps("VMOVDQU32 (BX), Z5", "VMOVDQU32 64(BX), Z6")
	for h := range 2 {
		m.p("VPERMI2D Z6, Z5, Z%d", 3+h)
		m.put(z(3+h), h, 0)
	}
	m.next()
}

// withinWindow makes of half h of the addresses the numbers of the words in the
// window that begins at base, and finds in K3 or K4 the lanes outside.
func (m *mover) withinWindow(h int, base string, to int) {
	m.p("VMOVDQU32 %d(AX), Z%d", 64*h, to)
	m.p("VPSUBD %s, Z%d, Z%d", base, to, to)
	m.p("VPRORD $2, Z%d, Z%d", to, to) // a word that is not aligned has a large number
	m.p("VPCMPUD.BCST $5, thirtyTwo<>(SB), Z%d, K%d, K%d", to, 1+h, 3+h)
}

// noWrap jumps to l where the lower address word overflows within a window, which
// matters where there is an upper one.
func (m *mover) noWrap(word, l string) {
	if m.space == 'G' {
		m.p("MOVL %s, R14", word)
		m.p("ADDL $%d, R14", windowBytes-1)
		m.p("JCS %s", l)
	}
}

// halves loads words each half of which lies within a window of its own.
func (m *mover) halves(apart string) {
	m.ps("VPBROADCASTD 64(AX), Z1")
	m.withinWindow(0, "Z0", 3)
	m.withinWindow(1, "Z1", 4)
	m.ps("KORTESTW K3, K4")
	m.p("JNE %s", apart)
	m.noWrap("(AX)", apart)
	m.noWrap("64(AX)", apart)
	if m.space == 'G' {
		m.ps("MOVL 64(AX), CX", "MOVL (AX), R14", "SUBQ R14, CX", "ADDQ DX, CX") // CX: the second window
	} else {
		m.ps("MOVL 64(AX), CX", "SUBL (AX), CX", "ADDL DX, CX")
	}
	for _, at := range []string{"DX", "CX"} {
		m.p("MOVQ %s, R14", at)
		m.p("ADDQ $%d, R14", windowBytes-4)
		m.p("JCS %s", apart)
		m.ps("CMPQ R14, R13")
		m.p("JHI %s", apart)
	}
	m.ps("VMOVDQU32 (BX)(DX*1), Z5", "VMOVDQU32 64(BX)(DX*1), Z6", "VMOVDQU32 (BX)(CX*1), Z7", "VMOVDQU32 64(BX)(CX*1), Z8",
		"VPERMI2D Z6, Z5, Z3", "VPERMI2D Z8, Z7, Z4")
	m.offset("d", "DX")
	m.put("Z3", 0, 0)
	m.put("Z4", 1, 0)
	m.next()
}
