package main

import "fmt"

// atomicOp is an operation on memory at once: its code makes of the old value in
// R13 and the operand in AX the new one in AX. {s} is the suffix of the width; it
// may use CX no more than it finds it, and the vectors. It jumps to keep if the old
// value stays.
type atomicOp struct {
	name string
	code func(a *atomic)
}

var atomicOps = []atomicOp{
	{"Add", func(a *atomic) { a.w("ADD{s} R13, AX") }},
	{"And", func(a *atomic) { a.w("AND{s} R13, AX") }},
	{"Or", func(a *atomic) { a.w("OR{s} R13, AX") }},
	{"Xor", func(a *atomic) { a.w("XOR{s} R13, AX") }},
	{"Exch", func(*atomic) {}},
	{"MinU", func(a *atomic) { a.w("CMP{s} AX, R13", "CMOV{s}HI R13, AX") }},
	{"MaxU", func(a *atomic) { a.w("CMP{s} AX, R13", "CMOV{s}CS R13, AX") }},
	{"MinS", func(a *atomic) { a.w("CMP{s} AX, R13", "CMOV{s}GT R13, AX") }},
	{"MaxS", func(a *atomic) { a.w("CMP{s} AX, R13", "CMOV{s}LT R13, AX") }},
	{"Cas", (*atomic).swap},
	{"AddF", (*atomic).sum},
}

// atomics are the operations on shared and on global memory, with a result (Atom)
// and without (Red). Lanes follow one another in ascending order, as the handlers
// have it; every body first makes sure that no lane will need the handler.
func atomics() []kernel {
	var all []kernel
	for _, space := range []byte("SG") {
		for _, op := range atomicOps {
			all = append(all, op.kernels(space)...)
		}
	}
	return append(all, kernel{name: "Fence", shape: "special", write: func(e *emitter) {
		e.ps("INCQ State_shares(R11)")
		e.next()
	}}, kernel{name: "Nothing", shape: "special", write: func(e *emitter) { e.next() }})
}

// kernels are the operation on words and on double words of a space.
func (op atomicOp) kernels(space byte) []kernel {
	var all []kernel
	for words := 1; words <= 2; words++ {
		for _, verb := range []string{"Atom", "Red"} {
			red := verb == "Red"
			if red && (op.name == "Exch" || op.name == "Cas") {
				continue
			}
			all = append(all, kernel{
				name:  fmt.Sprintf("%s%c%s%d", verb, space, op.name, 32*words),
				shape: fmt.Sprintf("shape{kind: atomicKind, space: '%c', rows: %d}", space, words),
				write: func(e *emitter) {
					a := &atomic{mover: &mover{emitter: e, access: access{space: space, store: true, size: 4, count: words}}, red: red}
					a.write(op)
				},
				either: true,
			})
		}
	}
	return all
}

// atomic writes a body. In its loop R14 holds the lanes to come, CX points to row
// zero in the lane, BX and DX together to the operand in memory.
type atomic struct {
	*mover
	red  bool
	keep string // label
}

func (a *atomic) long() bool { return a.count == 2 }

// w writes instructions of the operand's width.
func (a *atomic) w(lines ...string) {
	suffix := "L"
	if a.long() {
		suffix = "Q"
	}
	for _, l := range lines {
		a.fill(l, map[string]string{"s": suffix}, "")
	}
}

func (a *atomic) write(op atomicOp) {
	a.ready()
	loop := a.label()
	a.keep = a.label()
	if a.full {
		a.ps("MOVL $-1, R14")
	} else {
		a.ps("MOVL R10, R14")
	}
	a.at(loop)
	a.ps("TZCNTL R14, CX", "LEAQ (R8)(CX*4), CX")
	a.offset("a", "AX")
	a.ps("MOVL (CX)(AX*1), DX")
	if a.space == 'S' {
		a.ps("ADDL Op_imm(SI), DX", "SUBL State_sharedBase(R11), DX")
	}
	a.w("MOV{s} (BX)(DX*1), R13")
	a.operand("b", "bh")
	op.code(a)
	a.w("MOV{s} AX, (BX)(DX*1)")
	a.at(a.keep)
	if !a.red {
		a.offset("d", "AX")
		a.ps("MOVL R13, (CX)(AX*1)")
		if a.long() {
			a.ps("SHRQ $32, R13", fmt.Sprintf("MOVL R13, %d(CX)(AX*1)", rowBytes))
		}
	}
	a.ps("LEAL -1(R14), AX", "ANDL AX, R14")
	a.p("JNE %s", loop)
	a.ps("INCQ State_shares(R11)")
	a.next()
}

// ready leaves unless the operands of all lanes are inside and aligned. In global
// memory BX then is where an address of which only the lower word is added begins.
func (a *atomic) ready() {
	switch {
	case a.space == 'G' && a.level == avx2:
		a.global()
		a.far()
	case a.space == 'G':
		a.global()
		a.first()
		a.ps("MOVL (AX)(CX*4), R14", "SUBQ R14, DX", "VPBROADCASTQ DX, Z1", "VPBROADCASTQ R13, Z2")
		a.alignedAll()
		a.farIndices()
		a.ps("ADDQ DX, BX")
	case a.level == avx2:
		a.window("shared")
		a.near("R13")
	default:
		a.window("shared")
		a.ps("MOVL Op_imm(SI), R14", "SUBL State_sharedBase(R11), R14")
		a.nearIndices("R13", "R14")
	}
}

// operand loads a source of the lane into AX; a long one's upper word is at the
// offset in another field. It needs a vector.
func (a *atomic) operand(low, high string) {
	if a.long() {
		a.offset(high, "AX")
		a.ps("MOVL (CX)(AX*1), AX", "SHLQ $32, AX", "VMOVQ AX, X0")
	}
	a.offset(low, "AX")
	a.ps("MOVL (CX)(AX*1), AX")
	if a.long() {
		a.ps("VMOVQ AX, X1", "VPOR X1, X0, X0", "VMOVQ X0, AX")
	}
}

// swap stores C where the old value is B.
func (a *atomic) swap() {
	a.w("CMP{s} AX, R13")
	a.p("JNE %s", a.keep)
	a.operand("c", "ch")
}

// sum is that of f32 or f64. In global memory f32 is flushed before and after, and
// of NaN operands of f64 the second is kept as it is.
func (a *atomic) sum() {
	if a.long() {
		a.sum64()
		return
	}
	done := a.label()
	a.ps("VMOVD R13, X2")
	if a.space == 'G' {
		a.flushWord("AX")
		a.flushWord("R13")
	}
	a.ps("VMOVD AX, X0", "VMOVD R13, X1", "VADDSS X1, X0, X0", "VMOVD X0, AX", "VMOVD X2, R13", "VUCOMISS X0, X0")
	a.p("JPC %s", done)
	a.ps("MOVL $0x7fffffff, AX")
	a.at(done)
	if a.space == 'G' {
		a.flushWord("AX")
	}
}

// flushWord makes zero of a subnormal f32.
func (a *atomic) flushWord(reg string) {
	l := a.label()
	a.p("TESTL $0x7f800000, %s", reg)
	a.p("JNE %s", l)
	a.p("ANDL $0x80000000, %s", reg)
	a.at(l)
}

func (a *atomic) sum64() {
	a.ps("VMOVQ AX, X0", "VMOVQ R13, X1")
	if a.space == 'S' { // of NaN operands the old value comes first, as the processor has it
		a.ps("VADDSD X0, X1, X0", "VMOVQ X0, AX")
		return
	}
	done, old := a.label(), a.label()
	a.ps("VUCOMISD X0, X0")
	a.p("JPS %s", done)
	a.ps("VUCOMISD X1, X1")
	a.p("JPS %s", old)
	a.ps("VADDSD X1, X0, X0", "VMOVQ X0, AX")
	a.p("JMP %s", done)
	a.at(old)
	a.ps("MOVQ R13, AX")
	a.at(done)
}
