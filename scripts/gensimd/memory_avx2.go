package main

// packedLine moves 32 bytes or half words that follow one another.
func (m *mover) packedLine() {
	m.offset("d", "DX")
	m.each(false, func(h int) {
		at := 8 * m.size * h
		switch {
		case !m.store:
			op := map[bool]string{false: "VPMOVZX", true: "VPMOVSX"}[m.signed] + map[int]string{1: "BD", 2: "WD"}[m.size]
			m.p("%s %d(BX), Z0", op, at)
			m.put("Z0", h, 0)
		case m.size == 1:
			m.load("DX", h, 0, "Z0")
			m.ps("VPSHUFB packBytes<>(SB), Z0, Z0", "VEXTRACTI128 $1, Z0, X1", "VPUNPCKLDQ X1, X0, X0")
			m.p("VMOVQ X0, %d(BX)", at)
		default:
			m.load("DX", h, 0, "Z0")
			m.ps("VPSHUFB packWords<>(SB), Z0, Z0", "VEXTRACTI128 $1, Z0, X1", "VPUNPCKLQDQ X1, X0, X0")
			m.p("VMOVDQU X0, %d(BX)", at)
		}
	})
}

// transposed moves two or four words for each of 32 lanes.
func (m *mover) transposed() {
	for h := range m.level.vectors() {
		if m.store {
			for i := range m.count {
				m.offset(rowFields[i], "DX")
				m.load("DX", h, 0, z(i))
			}
		}
		if m.count == 2 {
			m.pairs(64 * h)
		} else {
			m.fours(128 * h)
		}
		if !m.store {
			for i := range m.count {
				m.offset(rowFields[i], "DX")
				m.put(z(4+i), h, 0)
			}
		}
	}
}

// pairs moves eight lanes' pairs at a distance.
func (m *mover) pairs(at int) {
	if m.store {
		m.ps("VPUNPCKLDQ Z1, Z0, Z2", "VPUNPCKHDQ Z1, Z0, Z3", "VPERM2I128 $0x20, Z3, Z2, Z4", "VPERM2I128 $0x31, Z3, Z2, Z5")
		m.p("VMOVDQU Z4, %d(BX)", at)
		m.p("VMOVDQU Z5, %d(BX)", at+32)
		return
	}
	m.p("VMOVDQU %d(BX), Z0", at)
	m.p("VMOVDQU %d(BX), Z1", at+32)
	m.ps("VSHUFPS $0x88, Z1, Z0, Z4", "VPERMQ $0xd8, Z4, Z4", "VSHUFPS $0xdd, Z1, Z0, Z5", "VPERMQ $0xd8, Z5, Z5")
}

// fours moves eight lanes' fours at a distance; a vector holds those of two
// lanes that are four apart.
func (m *mover) fours(at int) {
	if !m.store {
		for i := range 4 {
			m.p("VMOVDQU %d(BX), X%d", at+16*i, i)
			m.p("VINSERTI128 $1, %d(BX), Z%d, Z%d", at+64+16*i, i, i)
		}
	}
	m.ps("VPUNPCKLDQ Z1, Z0, Z8", "VPUNPCKLDQ Z3, Z2, Z9", "VPUNPCKHDQ Z1, Z0, Z10", "VPUNPCKHDQ Z3, Z2, Z3",
		"VPUNPCKLQDQ Z9, Z8, Z4", "VPUNPCKHQDQ Z9, Z8, Z5", "VPUNPCKLQDQ Z3, Z10, Z6", "VPUNPCKHQDQ Z3, Z10, Z7")
	if m.store {
		for i := range 4 {
			m.p("VMOVDQU X%d, %d(BX)", 4+i, at+16*i)
			m.p("VEXTRACTI128 $1, Z%d, %d(BX)", 4+i, at+64+16*i)
		}
	}
}

// apart gathers words; all else is moved lane by lane.
func (m *mover) apart() {
	if m.space == 'G' {
		m.far()
		m.exchangeFar()
		return
	}
	m.near("R13")
	m.exchangeNear()
}

// far leaves unless all lanes' operands are inside and aligned: as the upper
// address words are equal, the least and the greatest lower word tell. DX
// becomes what must be added to those to make distances.
func (m *mover) far() {
	m.first()
	m.ps("MOVL (AX)(CX*4), R14", "SUBQ R14, DX", "VPBROADCASTD R14, Z5", "VMOVDQU Z5, Z1", "VMOVDQU Z5, Z2", "VPXOR Z3, Z3, Z3")
	for h := range m.level.vectors() {
		m.p("VMOVDQU %d(AX), Z0", 32*h)
		if !m.full {
			m.executing(h, "Z13")
			m.ps("VBLENDVPS Z13, Z0, Z5, Z0")
		}
		m.ps("VPMINUD Z0, Z1, Z1", "VPMAXUD Z0, Z2, Z2")
		if m.bytes() > 1 {
			m.ps("VPXOR Z0, Z5, Z0", "VPOR Z0, Z3, Z3")
		}
	}
	if m.bytes() > 1 { // as the first lane's operand is
		m.p("MOVL $%d, R14", m.bytes()-1)
		m.ps("VPBROADCASTD R14, Z4", "VPTEST Z4, Z3")
		m.leaveIf("JNE")
	}
	for i, op := range []string{"VPMINUD", "VPMAXUD"} {
		x := []string{"1", "2"}[i]
		m.p("VEXTRACTI128 $1, Z%s, X4", x)
		m.p("%s X4, X%s, X4", op, x)
		for _, turn := range []string{"$0x4e", "$0xb1"} {
			m.p("VPSHUFD %s, X4, X5", turn)
			m.p("%s X5, X4, X4", op)
		}
		m.ps("VMOVD X4, R14", "ADDQ DX, R14", "CMPQ R14, R13")
		m.leaveIf("JHI")
	}
	m.ps("ADDQ DX, BX")
}

func (m *mover) gathers() bool { return m.size == 4 && !m.store }

// exchangeFar moves the elements at BX and the lower address words. Indices of
// a gather are signed, so zero is moved to the middle of the words.
func (m *mover) exchangeFar() {
	if !m.gathers() {
		m.eachLane(m.farDistance)
		return
	}
	for h := range m.level.vectors() {
		m.p("VMOVDQU %d(AX), Z0", 32*h)
		m.p("VPXORD.BCST sign32<>(SB), Z0, Z%d", 4+h)
	}
	m.ps("MOVL $0x80000000, R14", "ADDQ R14, BX")
	m.gatherRows()
}

// near makes the distances of operands in Z4 to Z7 and leaves unless they are
// inside and aligned. Local memory has a piece for each lane, its size in CX.
func (m *mover) near(limit string) {
	m.p("VPBROADCASTD %s, Z2", limit)
	m.ps("MOVL Op_imm(SI), R14")
	switch m.space {
	case 'S':
		m.ps("SUBL State_sharedBase(R11), R14")
	case 'F':
		m.ps("ADDL State_base(R11), R14")
	}
	m.ps("VPBROADCASTD R14, Z1")
	m.any(func(h int, to string) {
		m.p("VPADDD %d(AX), Z1, Z%d", 32*h, 4+h)
		m.p("VPMINUD Z%d, Z2, %s", 4+h, to)
		m.p("VPCMPEQD Z%d, %s, %s", 4+h, to, to)
	})
	m.leaveIf("JNE")
	if m.bytes() > 1 {
		m.p("MOVL $%d, R14", m.bytes()-1)
		m.ps("VPBROADCASTD R14, Z3")
		m.any(func(h int, to string) {
			m.p("VPAND Z%d, Z3, %s", 4+h, to)
			m.p("VPCMPEQD.BCST zero<>(SB), %s, %s", to, to)
		})
		m.leaveIf("JNE")
	}
	if m.space == 'S' || !m.gathers() {
		return
	}
	m.ps("VPBROADCASTD CX, Z1")
	for h := range m.level.vectors() {
		m.p("VPMULLD lanes<>+%d(SB), Z1, Z2", 32*h)
		m.p("VPADDD Z2, Z%d, Z%d", 4+h, 4+h)
	}
}

// exchangeNear moves the elements at BX and the distances.
func (m *mover) exchangeNear() {
	if m.gathers() {
		m.gatherRows()
		return
	}
	m.eachLane(m.nearDistance)
}

// gatherRows loads rows from BX and the distances in Z4 to Z7.
func (m *mover) gatherRows() {
	for i := range m.count {
		m.offset(rowFields[i], "DX")
		for h := range m.level.vectors() {
			if m.full {
				m.ps("VPCMPEQD Z13, Z13, Z13")
			} else {
				m.executing(h, "Z13")
			}
			m.ps("VPXOR Z0, Z0, Z0")
			m.p("VPGATHERDD Z13, %d(BX)(Y%d*1), Z0", 4*i, 4+h)
			m.put("Z0", h, 0)
		}
	}
	m.next()
}

// quarters loads words that lie, eight lanes each, in a vector from the first of
// these on, in any order, by permutations: rows of eight or sixteen, and what is
// uniform in them. Otherwise it goes on.
func (m *mover) quarters() {
	far := m.label()
	m.ps("VPXOR Z8, Z8, Z8")
	for h := range m.level.vectors() {
		m.p("VPBROADCASTD %d(AX), Z0", 32*h)
		m.p("VMOVDQU %d(AX), Z%d", 32*h, 4+h)
		m.p("VPSUBD Z0, Z%d, Z%d", 4+h, 4+h)
		m.p("VPOR Z%d, Z8, Z8", 4+h)
	}
	m.ps("VPTEST outside<>(SB), Z8")
	m.p("JNE %s", far)
	for h := range m.level.vectors() {
		m.p("MOVL %d(AX), R14", 32*h)
		if m.space == 'G' {
			m.ps("LEAL 28(R14), CX", "CMPL CX, R14")
			m.p("JCS %s", far) // the lower word overflows
			m.ps("MOVL (AX), CX", "SUBQ CX, R14", "ADDQ DX, R14")
		} else {
			m.ps("SUBL (AX), R14", "ADDL DX, R14")
		}
		m.ps("CMPQ R14, R13")
		m.p("JHI %s", far)
		m.ps("LEAQ 28(R14), CX", "CMPQ CX, R13")
		m.p("JHI %s", far)
		m.p("VPSRLD $2, Z%d, Z%d", 4+h, 4+h)
		m.p("VPERMD (BX)(R14*1), Z%d, Z%d", 4+h, 4+h)
	}
	m.offset("d", "DX")
	for h := range m.level.vectors() {
		m.put(z(4+h), h, 0)
	}
	m.next()
	m.at(far)
}
