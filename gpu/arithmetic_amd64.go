package gpu

// arithmetic is the mode of the thread's floating-point arithmetic (MXCSR).
func arithmetic() uint32

// setArithmetic sets it.
func setArithmetic(mode uint32)
