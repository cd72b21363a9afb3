package main

import "fmt"

// access is a load or store of count elements of size bytes; signed elements
// of less than a word are extended by their sign. Double words count as two.
//
// The spaces: G is global memory through a cached span, S the shared memory of
// the CTA, L local memory and F the same from the frame's base, P the kernel's
// parameters at an address that is the same in all lanes.
type access struct {
	space       byte
	store       bool
	size, count int
	signed      bool
}

func memory() []kernel {
	var all []kernel
	for _, space := range []byte("GSLF") {
		for _, store := range []bool{false, true} {
			for _, a := range []access{{size: 1, count: 1}, {size: 1, count: 1, signed: true}, {size: 2, count: 1}, {size: 2, count: 1, signed: true},
				{size: 4, count: 1}, {size: 4, count: 2}, {size: 4, count: 4}} {
				a.space, a.store = space, store
				if store && a.signed {
					continue
				}
				all = append(all, a.kernel())
			}
		}
	}
	for _, count := range []int{1, 2, 4} {
		all = append(all, access{space: 'P', size: 4, count: count}.kernel())
	}
	for _, signed := range []bool{false, true} {
		all = append(all, access{space: 'P', size: 1, count: 1, signed: signed}.kernel(), access{space: 'P', size: 2, count: 1, signed: signed}.kernel())
	}
	return all
}

func (a access) bytes() int { return a.size * a.count }

func (a access) kernel() kernel {
	verb, sign := "Load", ""
	if a.store {
		verb = "Store"
	}
	if a.signed {
		sign = "S"
	}
	name := fmt.Sprintf("%s%c%d%s", verb, a.space, a.bytes(), sign)
	shape := fmt.Sprintf("shape{kind: memoryKind, space: '%c', rows: %d, store: %t}", a.space, a.count, a.store)
	return kernel{name: name, shape: shape, write: func(e *emitter) {
		m := &mover{emitter: e, access: a}
		switch a.space {
		case 'P':
			m.parameter()
		case 'L', 'F':
			m.local()
		default:
			m.move()
		}
	}}
}

// mover writes the body of an access. In it AX points to the row of lower
// address words, BX to the memory, CX is the first lane, DX the distance of
// its operand in memory and R13 the last distance that is inside.
type mover struct {
	*emitter
	access
}

// rowFields are the operand fields of the data rows.
var rowFields = [4]string{"d", "b", "bh", "c"}

func (m *mover) move() {
	if m.space == 'G' {
		m.global()
	} else {
		m.window("shared")
	}
	uneven, apart := m.label(), m.label()
	m.ps("VPBROADCASTD (AX)(CX*4), Z0")
	if m.level == avx512 && m.size == 4 && m.count == 1 && !m.store {
		edge, far := m.label(), m.label()
		m.windowed(edge, far)
		m.at(far)
		if m.full {
			m.halves(apart)
		} else {
			m.p("JMP %s", apart)
		}
		m.at(edge)
	}
	m.different(m.rowAt("AX"), "Z0")
	m.p("JNE %s", uneven)
	m.uniform()
	m.next()
	m.at(uneven)
	m.contiguous(apart)
	m.next()
	m.at(apart)
	if m.level == avx2 && m.full && m.size == 4 && m.count == 1 && !m.store {
		m.quarters()
	}
	m.scattered()
}

// rowAt names the vectors of the row that a register points to.
func (m *mover) rowAt(base string) func(h int) string {
	return func(h int) string { return fmt.Sprintf("%d(%s)", m.level.width()*h, base) }
}

// different compares the vectors of a row with one vector, in executing lanes;
// the condition NE is that there is a difference.
func (m *mover) different(value func(h int) string, with string) {
	if m.level == avx512 {
		for h := range 2 {
			m.p("VPCMPD $4, %s, %s, K%d, K%d", value(h), with, 1+h, 3+h)
		}
		m.p("KORTESTW K3, K4")
		return
	}
	m.any(func(h int, to string) {
		m.p("VPCMPEQD %s, %s, %s", value(h), with, to)
	})
}

// any asks, with AVX2, whether a lane that executes has a sign of zero among
// the words that test makes; the condition is NE.
func (m *mover) any(test func(h int, to string)) {
	for h := range m.level.vectors() {
		test(h, "Z12")
		switch {
		case m.full && h == 0:
			m.ps("VMOVDQU Z12, Z11")
		case m.full:
			m.ps("VPAND Z12, Z11, Z11")
		case h == 0:
			m.executing(h, "Z13")
			m.ps("VPANDN Z13, Z12, Z11")
		default:
			m.executing(h, "Z13")
			m.ps("VPANDN Z13, Z12, Z12", "VPOR Z12, Z11, Z11")
		}
	}
	if m.full {
		m.ps("VMOVMSKPS Z11, R14", "CMPL R14, $0xff")
		return
	}
	m.ps("VTESTPS Z11, Z11")
}

func (m *mover) first() {
	if m.full {
		m.p("XORL CX, CX")
		return
	}
	m.p("TZCNTL R10, CX")
}

// aligned leaves when the first address is not aligned.
func (m *mover) aligned() {
	if m.bytes() > 1 {
		m.p("TESTL $%d, DX", m.bytes()-1)
		m.leaveIf("JNE")
	}
}

// inside leaves when the first operand is not inside; one of global memory
// looks for another span then.
func (m *mover) inside() {
	out := m.leaveIf
	if m.space == 'G' {
		out = func(jump string) { m.p("%s miss", jump) }
	}
	m.p("SUBQ $%d, R13", m.bytes())
	out("JCS")
	m.p("CMPQ DX, R13")
	out("JHI")
}

// global finds the first operand in the cached span. All lanes have the same
// upper address word.
func (m *mover) global() {
	m.ps("MOVLQSX Op_a(SI), AX", "ADDQ R8, AX", "MOVLQSX Op_ah(SI), BX", "ADDQ R8, BX")
	m.first()
	m.ps("MOVL (BX)(CX*4), DX", "SHLQ $32, DX", "MOVL (AX)(CX*4), R13", "ORQ R13, DX", "ADDQ Op_imm(SI), DX")
	m.aligned()
	m.ps("VPBROADCASTD (BX)(CX*4), Z0")
	m.different(m.rowAt("BX"), "Z0")
	m.leaveIf("JNE")
	m.ps("MOVLQSX Op_slot(SI), BX", "LEAQ State_spans(R11)(BX*1), BX", "SUBQ Span_lo(BX), DX", "MOVQ Span_size(BX), R13")
	m.inside()
	m.p("MOVQ Span_base(BX), BX")
}

// window finds the first operand in a piece of memory that starts at zero, or
// at the base of a CTA's shared memory in its cluster's.
func (m *mover) window(name string) {
	m.ps("MOVLQSX Op_a(SI), AX", "ADDQ R8, AX")
	m.first()
	m.ps("MOVL (AX)(CX*4), DX", "ADDL Op_imm(SI), DX")
	if m.space == 'S' {
		m.ps("SUBL State_sharedBase(R11), DX")
	}
	m.aligned()
	m.p("MOVQ State_%sSize(R11), R13", name)
	m.inside()
	m.p("MOVQ State_%s(R11), BX", name)
}

// uniform moves one operand for all lanes; of a store the last lane's stays.
func (m *mover) uniform() {
	m.ps("ADDQ DX, BX")
	if !m.store {
		m.spreadOne()
		return
	}
	m.ps("MOVL R10, AX", "BSRL AX, AX")
	for i := range m.count {
		m.offset(rowFields[i], "DX")
		m.ps("ADDQ R8, DX", "MOVL (DX)(AX*4), R13")
		m.p("%s R13, %d(BX)", map[int]string{1: "MOVB", 2: "MOVW", 4: "MOVL"}[m.size], i*m.size)
	}
}

// spreadOne gives all lanes the operand at BX.
func (m *mover) spreadOne() {
	for i := range m.count {
		m.offset(rowFields[i], "DX")
		if m.size == 4 {
			m.p("VPBROADCASTD %d(BX), Z0", 4*i)
		} else {
			m.p("%s (BX), R13", m.widening())
			m.p("VPBROADCASTD R13, Z0")
		}
		m.putAll("Z0")
	}
}

// widening loads an element of less than a word.
func (m *mover) widening() string {
	if m.signed {
		return map[int]string{1: "MOVBLSX", 2: "MOVWLSX"}[m.size]
	}
	return map[int]string{1: "MOVBLZX", 2: "MOVWLZX"}[m.size]
}

// shift is the binary logarithm of the operand's size.
func (m *mover) shift() int {
	return map[int]int{1: 0, 2: 1, 4: 2, 8: 3, 16: 4}[m.bytes()]
}

// contiguous moves operands that follow one another, lane by lane; if they do
// not it jumps to apart. Vectors do so when all lanes execute.
func (m *mover) contiguous(apart string) {
	if !m.full && (m.count > 1 || m.size < 4 && m.level == avx2) {
		m.p("JMP %s", apart)
		return
	}
	if m.full {
		m.ps("VPBROADCASTD (AX), Z5")
	} else {
		m.ps("MOVL (AX)(CX*4), R14")
		m.p("SHLL $%d, CX", m.shift())
		m.ps("SUBL CX, R14", "VPBROADCASTD R14, Z5")
	}
	m.different(func(h int) string {
		m.laneNumbers(h, "Z1")
		m.p("VPSLLD $%d, Z1, Z1", m.shift())
		m.p("VMOVDQU32 %d(AX), Z3", m.level.width()*h)
		m.ps("VPSUBD Z1, Z3, Z3")
		return "Z3"
	}, "Z5")
	m.p("JNE %s", apart)
	m.lastInside(apart)
	m.ps("ADDQ DX, BX")
	switch {
	case m.size < 4 && m.level == avx2:
		m.packedLine()
	case m.size < 4:
		m.narrowLine()
	case m.count == 1:
		m.wordLine()
	case m.level == avx2:
		m.transposed()
	case m.store:
		m.zip()
	default:
		m.unzip()
	}
}

// lastInside checks the last lane's operand: its address must not wrap in the
// lower word, and it must be inside. DX becomes the distance of lane zero.
func (m *mover) lastInside(apart string) {
	if m.full {
		if m.space == 'G' {
			m.ps("MOVL 124(AX), R14", "CMPL R14, (AX)")
			m.p("JCS %s", apart)
		}
		m.p("LEAQ %d(DX), R14", 31*m.bytes())
		m.p("CMPQ R14, R13")
		m.leaveIf("JHI")
		return
	}
	m.ps("BSRL R10, R14")
	if m.space == 'G' {
		m.p("SHRL $%d, CX", m.shift())
		m.ps("MOVL (AX)(CX*4), CX", "CMPL CX, (AX)(R14*4)")
		m.p("JHI %s", apart)
		m.first()
		m.p("SHLL $%d, CX", m.shift())
	}
	m.ps("SUBQ CX, DX")
	m.p("SHLQ $%d, R14", m.shift())
	m.ps("ADDQ DX, R14", "CMPQ R14, R13")
	m.leaveIf("JHI")
}

// wordLine moves 32 words.
func (m *mover) wordLine() {
	m.offset("d", "DX")
	m.each(false, func(h int) {
		at := m.level.width() * h
		switch {
		case m.store:
			m.load("DX", h, 0, "Z0")
			switch {
			case m.full:
				m.p("VMOVDQU32 Z0, %d(BX)", at)
			case m.level == avx512:
				m.p("VMOVDQU32 Z0, K%d, %d(BX)", 1+h, at)
			default:
				m.executing(h, "Z1")
				m.p("VPMASKMOVD Z0, Z1, %d(BX)", at)
			}
		default:
			switch {
			case m.full:
				m.p("VMOVDQU32 %d(BX), Z0", at)
			case m.level == avx512:
				m.p("VMOVDQU32.Z %d(BX), K%d, Z0", at, 1+h)
			default:
				m.executing(h, "Z1")
				m.p("VPMASKMOVD %d(BX), Z1, Z0", at)
			}
			m.put("Z0", h, 0)
		}
	})
}

// narrowLine moves 32 bytes or half words.
func (m *mover) narrowLine() {
	letter := map[int]string{1: "B", 2: "W"}[m.size]
	m.offset("d", "DX")
	for h := range 2 {
		if m.store {
			m.p("VMOVDQU32 %d(R8)(DX*1), Z0", 64*h)
			m.p("VPMOVD%s Z0, K%d, %d(BX)", letter, 1+h, 16*m.size*h)
			continue
		}
		op := "VPMOVZX"
		if m.signed {
			op = "VPMOVSX"
		}
		m.p("%s%sD.Z %d(BX), K%d, Z0", op, letter, 16*m.size*h, 1+h)
		m.put("Z0", h, 0)
	}
}

// unzip loads vectors and divides their elements among rows.
func (m *mover) unzip() {
	m.ps("VMOVDQU32 even<>(SB), Z20", "VMOVDQU32 odd<>(SB), Z21")
	for h := range 2 {
		n := m.count
		for i := range n {
			m.p("VMOVDQU32 %d(BX), Z%d", 64*(n*h+i), i)
		}
		pick := func(index string, low, high, to int) {
			m.p("VMOVDQA32 %s, Z%d", index, to)
			m.p("VPERMI2D Z%d, Z%d, Z%d", high, low, to)
		}
		if n == 2 {
			pick("Z20", 0, 1, 8)
			pick("Z21", 0, 1, 9)
		} else {
			pick("Z20", 0, 1, 4)
			pick("Z20", 2, 3, 5)
			pick("Z21", 0, 1, 6)
			pick("Z21", 2, 3, 7)
			pick("Z20", 4, 5, 8)
			pick("Z20", 6, 7, 9)
			pick("Z21", 4, 5, 10)
			pick("Z21", 6, 7, 11)
		}
		for i := range n {
			m.offset(rowFields[i], "DX")
			m.put(z(8+i), h, 0)
		}
	}
}

// zip gathers vectors from rows and stores them.
func (m *mover) zip() {
	m.ps("VMOVDQU32 zipLow<>(SB), Z20", "VMOVDQU32 zipHigh<>(SB), Z21")
	for h := range 2 {
		n := m.count
		for i := range n {
			m.offset(rowFields[i], "DX")
			m.p("VMOVDQU32 %d(R8)(DX*1), Z%d", 64*h, i)
		}
		mix := func(index string, low, high, to int) {
			m.p("VMOVDQA32 %s, Z%d", index, to)
			m.p("VPERMI2D Z%d, Z%d, Z%d", high, low, to)
		}
		if n == 2 {
			mix("Z20", 0, 1, 8)
			mix("Z21", 0, 1, 9)
		} else {
			mix("Z20", 0, 2, 4)
			mix("Z21", 0, 2, 5)
			mix("Z20", 1, 3, 6)
			mix("Z21", 1, 3, 7)
			mix("Z20", 4, 6, 8)
			mix("Z21", 4, 6, 9)
			mix("Z20", 5, 7, 10)
			mix("Z21", 5, 7, 11)
		}
		for i := range n {
			m.p("VMOVDQU32 Z%d, %d(BX)", 8+i, 64*(n*h+i))
		}
	}
}

// scattered gathers or scatters.
func (m *mover) scattered() {
	if m.level == avx2 {
		m.apart()
		return
	}
	if m.size < 4 && !m.store {
		m.p("SUBQ $%d, R13", 4-m.size) // words are gathered
		m.leaveIf("JCS")
	}
	if m.space == 'G' {
		m.first()
		m.ps("MOVL (AX)(CX*4), R14", "SUBQ R14, DX", "VPBROADCASTQ DX, Z1", "VPBROADCASTQ R13, Z2")
		m.alignedAll()
		m.farIndices()
		if m.store && m.size < 4 {
			m.ps("ADDQ DX, BX")
			m.eachLane(m.farDistance)
			return
		}
	} else {
		m.ps("MOVL Op_imm(SI), R14", "SUBL State_sharedBase(R11), R14")
		m.nearIndices("R13", "R14")
		if m.store && m.size < 4 {
			m.eachLane(m.nearDistance)
			return
		}
	}
	m.exchange()
}

// alignedAll leaves unless the addresses of all lanes are aligned.
func (m *mover) alignedAll() {
	if m.bytes() == 1 {
		return
	}
	m.ps("VPBROADCASTD Op_imm(SI), Z3", "VPADDD (AX), Z3, Z4", "VPADDD 64(AX), Z3, Z5")
	m.testAlignment()
}

// testAlignment leaves unless Z4 and Z5 are aligned.
func (m *mover) testAlignment() {
	if m.bytes() == 1 {
		return
	}
	m.p("MOVL $%d, R14", m.bytes()-1)
	m.ps("VPBROADCASTD R14, Z3", "VPTESTMD Z3, Z4, K1, K3", "VPTESTMD Z3, Z5, K2, K4", "KORTESTW K3, K4")
	m.leaveIf("JNE")
}

// farIndices makes the distances of operands in Z4 to Z7, eight lanes each, of
// the lower address words, the base Z1 and the limit Z2, and the masks of the
// four groups in K3 to K6.
func (m *mover) farIndices() {
	for g := range 4 {
		m.p("VPMOVZXDQ %d(AX), Z%d", 32*g, 4+g)
		m.p("VPADDQ Z1, Z%d, Z%d", 4+g, 4+g)
		if m.full {
			m.p("KXNORB K7, K7, K%d", 3+g)
		} else {
			m.ps("MOVL R10, R14")
			m.p("SHRL $%d, R14", 8*g)
			m.p("KMOVB R14, K%d", 3+g)
		}
		m.p("VPCMPUQ $6, Z2, Z%d, K%d, K7", 4+g, 3+g)
		m.p("KORTESTB K7, K7")
		m.leaveIf("JNE")
	}
}

// nearIndices makes the distances of operands in Z4 and Z5, sixteen lanes
// each.
func (m *mover) nearIndices(limit, imm string) {
	m.p("VPBROADCASTD %s, Z1", imm)
	m.p("VPBROADCASTD %s, Z2", limit)
	m.ps("VPADDD (AX), Z1, Z4", "VPADDD 64(AX), Z1, Z5",
		"VPCMPUD $6, Z2, Z4, K1, K3", "VPCMPUD $6, Z2, Z5, K2, K4", "KORTESTW K3, K4")
	m.leaveIf("JNE")
	m.testAlignment()
}

// exchange moves the elements at the distances that were made.
func (m *mover) exchange() {
	for i := range m.count {
		m.offset(rowFields[i], "DX")
		switch {
		case m.space == 'G' && m.store:
			for g := range 4 {
				m.p("VMOVDQU %d(R8)(DX*1), Y8", 32*g)
				m.p("KMOVB K%d, K7", 3+g)
				m.p("VPSCATTERQD Y8, K7, %d(BX)(Z%d*1)", 4*i, 4+g)
			}
		case m.store:
			for h := range 2 {
				m.p("VMOVDQU32 %d(R8)(DX*1), Z8", 64*h)
				m.p("KMOVW K%d, K7", 1+h)
				m.p("VPSCATTERDD Z8, K7, %d(BX)(Z%d*1)", 4*i, 4+h)
			}
		default:
			m.gather(4 * i)
			for h := range 2 {
				m.extend(z(8 + 2*h))
				m.put(z(8+2*h), h, 0)
			}
		}
	}
	m.next()
}

// gather loads words at a distance into Z8 and Z10.
func (m *mover) gather(distance int) {
	if m.space != 'G' {
		for h := range 2 {
			m.p("VPXORD Z%d, Z%d, Z%d", 8+2*h, 8+2*h, 8+2*h)
			m.p("KMOVW K%d, K7", 1+h)
			m.p("VPGATHERDD %d(BX)(Z%d*1), K7, Z%d", distance, 4+h, 8+2*h)
		}
		return
	}
	for g := range 4 {
		m.p("VPXOR Y%d, Y%d, Y%d", 8+g, 8+g, 8+g)
		m.p("KMOVB K%d, K7", 3+g)
		m.p("VPGATHERQD %d(BX)(Z%d*1), K7, Y%d", distance, 4+g, 8+g)
	}
	m.ps("VINSERTI64X4 $1, Y9, Z8, Z8", "VINSERTI64X4 $1, Y11, Z10, Z10")
}

// extend cuts a gathered word to the element.
func (m *mover) extend(reg string) {
	switch {
	case m.size == 4:
	case m.signed:
		m.p("VPSLLD $%d, %s, %s", 32-8*m.size, reg, reg)
		m.p("VPSRAD $%d, %s, %s", 32-8*m.size, reg, reg)
	default:
		m.p("VPANDD.BCST low%d<>(SB), %s, %s", 8*m.size, reg, reg)
	}
}

// eachLane moves the elements of one lane after the other, of which distance
// makes in R13 that of lane CX from BX; it may use DX.
func (m *mover) eachLane(distance func()) {
	l := m.label()
	m.ps("MOVL R10, R14")
	m.at(l)
	m.ps("TZCNTL R14, CX")
	distance()
	for i := range m.count {
		m.offset(rowFields[i], "DX")
		m.ps("ADDQ R8, DX")
		if m.store {
			m.ps("MOVL (DX)(CX*4), DX")
			m.p("%s DX, %d(BX)(R13*1)", map[int]string{1: "MOVB", 2: "MOVW", 4: "MOVL"}[m.size], i*m.size)
			continue
		}
		m.p("%s (BX)(R13*1), R13", m.widening())
		m.ps("MOVL R13, (DX)(CX*4)")
	}
	m.ps("BLSRL R14, R14")
	m.p("JNE %s", l)
	m.next()
}

// farDistance is that of lane CX where BX stands for a lower address word of zero.
func (m *mover) farDistance() { m.ps("MOVL (AX)(CX*4), R13") }

// nearDistance is that of lane CX from the start of shared or local memory.
func (m *mover) nearDistance() {
	m.ps("MOVL (AX)(CX*4), R13", "ADDL Op_imm(SI), R13")
	switch m.space {
	case 'S':
		m.ps("SUBL State_sharedBase(R11), R13")
		return
	case 'F':
		m.ps("ADDL State_base(R11), R13")
	}
	m.ps("MOVL State_stride(R11), DX", "IMULL CX, DX", "ADDL DX, R13")
}

// local moves operands in local memory, of which each lane has its own piece.
func (m *mover) local() {
	m.ps("MOVLQSX Op_a(SI), AX", "ADDQ R8, AX", "MOVL State_stride(R11), R13", "MOVL R13, CX")
	m.p("SUBL $%d, R13", m.bytes())
	m.leaveIf("JCS")
	if m.level == avx2 {
		m.near("R13")
		m.ps("MOVQ State_local(R11), BX")
		m.exchangeNear()
		return
	}
	m.ps("MOVL Op_imm(SI), R14")
	if m.space == 'F' {
		m.p("ADDL State_base(R11), R14")
	}
	m.nearIndices("R13", "R14")
	if m.size < 4 {
		m.ps("MOVQ State_local(R11), BX")
		m.eachLane(m.nearDistance)
		return
	}
	m.ps("VPBROADCASTD CX, Z1", "VPMULLD lanes<>(SB), Z1, Z2", "VPADDD Z2, Z4, Z4", "VPMULLD lanes<>+64(SB), Z1, Z2", "VPADDD Z2, Z5, Z5",
		"MOVQ State_local(R11), BX")
	m.exchange()
}

// parameter reads a kernel parameter for all lanes.
func (m *mover) parameter() {
	m.window("params")
	m.ps("ADDQ DX, BX")
	m.spreadOne()
	m.next()
}
