#include "textflag.h"

// func arithmetic() uint32
TEXT ·arithmetic(SB), NOSPLIT, $0-4
	STMXCSR ret+0(FP)
	RET

// func setArithmetic(mode uint32)
TEXT ·setArithmetic(SB), NOSPLIT, $0-4
	LDMXCSR mode+0(FP)
	RET
