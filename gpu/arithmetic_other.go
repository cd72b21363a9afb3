//go:build !amd64

package gpu

func arithmetic() uint32 { return standardArithmetic }

func setArithmetic(uint32) {}
