package main

import "strings"

// frame is the text of the way in and out: run starts at a micro-operation, leave goes
// back to Go at one whose instruction must still be executed, and stop where
// nothing of a run has been.
const frame = `// func runLEVEL(st *State, op *Op)
TEXT ·runLEVEL(SB), NOSPLIT, $0-16
	MOVQ st+0(FP), R11
	MOVQ op+8(FP), SI
	MOVQ State_rows(R11), R8
	MOVQ State_preds(R11), R9
	MOVL State_mask(R11), R10
	POPCNTL R10, DI
	MOVQ State_left(R11), R12
	REGISTERS
	MOVLQSX Op_rest(SI), AX
	SUBQ AX, R12
	JLT none
	IMULQ DI, AX
	ADDQ AX, State_threads(R11)
	CMPL R10, $-1
	JNE part
	JMP (SI)
part:
	JMP 8(SI)
none:
	MOVL Op_pc(SI), AX
	MOVL AX, State_pc(R11)
	VZEROUPPER
	RET

// func bodyLEVEL(code int) (full, part uintptr)
TEXT ·bodyLEVEL(SB), NOSPLIT, $0-24
	MOVQ code+0(FP), AX
	SHLQ $4, AX
	LEAQ bodies<>(SB), BX
	MOVQ (BX)(AX*1), CX
	MOVQ CX, full+8(FP)
	MOVQ 8(BX)(AX*1), CX
	MOVQ CX, part+16(FP)
	RET

// The rest of the run, counted when it began, has not been executed. A guarded
// instruction is counted anew by whoever executes it.
TEXT leave<>(SB), NOSPLIT|NOFRAME, $0
	MOVLQSX Op_rest(SI), AX
	ADDQ AX, R12
	IMULQ DI, AX
	SUBQ AX, State_threads(R11)
	POPCNTL R10, AX
	SUBQ DI, AX
	SUBQ AX, State_threads(R11)
	JMP stop<>(SB)

TEXT stop<>(SB), NOSPLIT|NOFRAME, $0
	MOVL Op_pc(SI), AX
	MOVL AX, State_pc(R11)
	MOVQ R12, State_left(R11)
	VZEROUPPER
	RET

// The operand at DX from the start of the span in BX is not inside. The body begins
// again if the operand is in a known span, which becomes the instruction's own.
TEXT miss<>(SB), NOSPLIT|NOFRAME, $0
	ADDQ Span_lo(BX), DX
	LEAQ State_known(R11), AX
	LEAQ (const_known*Span__size)(AX), CX
search:
	MOVQ DX, R13
	SUBQ Span_lo(AX), R13
	CMPQ R13, Span_size(AX)
	JCS found
	ADDQ $Span__size, AX
	CMPQ AX, CX
	JNE search
	JMP leave<>(SB)
found:
	MOVQ Span_lo(AX), R13
	CMPQ R13, Span_lo(BX)
	JEQ out
	MOVQ R13, Span_lo(BX)
	MOVQ Span_size(AX), R13
	MOVQ R13, Span_size(BX)
	MOVQ Span_base(AX), R13
	MOVQ R13, Span_base(BX)
	CMPL R10, $-1
	JNE part
	JMP (SI)
part:
	JMP 8(SI)
out:
	JMP leave<>(SB)

`

// frame is the way in and out at a level.
func (v level) frame() string {
	e := &emitter{out: &strings.Builder{}, level: v}
	e.lanes()
	if v == avx512 {
		e.ps("VPBROADCASTD nan32<>(SB), Z31", "VPBROADCASTD one32<>(SB), Z30", "VPXORD Z29, Z29, Z29")
	}
	registers := strings.TrimSpace(e.out.String())
	return strings.NewReplacer("LEVEL", v.String(), "REGISTERS", registers).Replace(frame)
}

// flow is the control of micro-operations: Leave goes to Go, Lead starts a run,
// Guard and Unguard stand around a guarded instruction.
func flow() []kernel {
	return []kernel{
		{name: "Leave", shape: "special", write: func(e *emitter) { e.p("JMP leave<>(SB)") }},
		{name: "Lead", shape: "special", write: lead},
		{name: "Guard", shape: "special", write: guard},
		{name: "Unguard", shape: "special", write: unguard},
		{name: "Jump", shape: "special", write: func(e *emitter) {
			e.p("ADDQ Op_imm(SI), SI")
			e.dispatch()
		}},
		{name: "Branch", shape: "special", write: branch},
	}
}

// lead counts the run that begins here, unless the path ends at this place or
// its turn does.
func lead(e *emitter) {
	e.ps(
		"MOVL Op_pc(SI), AX",
		"CMPL AX, State_stop(R11)",
		"JEQ out",
		"MOVLQSX Op_rest(SI), AX",
		"SUBQ AX, R12",
		"JLT over",
		"IMULQ DI, AX",
		"ADDQ AX, State_threads(R11)",
	)
	e.next()
	e.at("over")
	e.p("ADDQ AX, R12")
	e.at("out")
	e.p("JMP stop<>(SB)")
}

// condition leaves in AX the lanes whose guard is true.
func (e *emitter) condition() {
	e.offset("c", "AX")
	e.ps("MOVL (R9)(AX*1), AX", "XORL Op_slot(SI), AX")
	if !e.full {
		e.p("ANDL R10, AX")
	}
}

func guard(e *emitter) {
	e.condition()
	e.ps("CMPL AX, R10", "JEQ all", "TESTL AX, AX", "JEQ nobody",
		"MOVL AX, R10")
	e.lanes()
	e.ps("POPCNTL R10, AX", "SUBQ DI, AX", "ADDQ AX, State_threads(R11)",
		"ADDQ $Op__size, SI", "JMP 8(SI)")
	e.at("nobody")
	e.ps("SUBQ DI, State_threads(R11)", "ADDQ Op_imm(SI), SI")
	e.dispatch()
	e.at("all")
	e.next()
}

func unguard(e *emitter) {
	if e.full {
		e.next()
		return
	}
	e.ps("MOVL State_mask(R11), R10")
	e.lanes()
	e.ps("ADDQ $Op__size, SI",
		"CMPL R10, $-1", "JNE part", "JMP (SI)")
	e.at("part")
	e.p("JMP 8(SI)")
}

// branch follows a guarded branch that all lanes take or none does.
func branch(e *emitter) {
	e.condition()
	e.ps("CMPL AX, R10", "JEQ all", "TESTL AX, AX")
	e.leaveIf("JNE")
	e.ps("SUBQ DI, State_threads(R11)")
	e.next()
	e.at("all")
	e.p("ADDQ Op_imm(SI), SI")
	e.dispatch()
}
