package sm

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Pipe is a kind of execution pipe of a sub-core.
type Pipe uint8

// The pipes.
const (
	PipeNone Pipe = iota // nothing to execute: NOP, DEPBAR
	PipeInt
	PipeFloat
	PipeHeavy // the part of PipeFloat that also multiplies integers, where they divide
	PipeHalf
	PipeDouble
	PipeSpecial
	PipeMatrix
	PipeBranch
	PipeUniform
	PipeMemory
	pipeCount
)

// Timing says where an instruction executes and for how long.
type Timing struct {
	Pipe     Pipe
	Interval uint8  // cycles for which the pipe's input is taken
	Issue    uint8  // cycles for which the issue port is taken; 0 is 1
	Fixed    bool   // goes through Allocate and the result queue
	Latency  uint16 // cycles from issue to the issue of a dependent instruction
	Late     uint16 // the same for instructions that its predicate results guard; 0 is Latency
}

// Timing is the timing of an instruction by its unit, class and type.
func (c *Config) Timing(u isa.Unit, cl isa.Class, t isa.Type) Timing {
	n := &c.Units
	switch u {
	case isa.FP64:
		return c.double()
	case isa.XU:
		return timing(PipeSpecial, c.Special.Latency, c.Special.Interval, false)
	case isa.LSU, isa.Tex:
		return timing(PipeMemory, 0, 1, false)
	case isa.Tensor:
		return c.Matrix(16, 8, 16, max(t.Bits(), 1), false, true)
	case isa.Branch:
		return timing(PipeBranch, 1, 1, true) // its cost is Front.Redirect and Front.Fall
	case isa.Uniform:
		return timing(PipeUniform, n.UniformLatency, n.UniformInterval, true)
	case isa.FMA:
		return c.multiply(t)
	}
	if cl == isa.Variable {
		return timing(PipeSpecial, c.Special.Latency, c.Special.Interval, false)
	}
	r := timing(PipeInt, n.IntLatency, n.IntInterval, true)
	r.Late = uint16(n.PredicateExtra)
	return r
}

// multiply is the timing of the multiply-add pipes.
func (c *Config) multiply(t isa.Type) Timing {
	n := &c.Units
	var r Timing
	switch {
	case t == isa.F64:
		r = c.double()
	case t.IsFloat() && (t.Bits() == 16 || t == isa.F16x2 || t == isa.BF16x2):
		r = timing(PipeHalf, n.HalfLatency, n.HalfInterval, true)
	case t.IsFloat():
		r = timing(PipeFloat, n.FloatLatency, n.FloatInterval, true)
		if n.FloatParts {
			r.Interval *= 2
		}
	default:
		r = timing(n.heavy(), n.MadLatency, n.MadInterval, true)
		r.Issue = uint8(n.MadIssue)
	}
	r.Late = uint16(n.PredicateExtra)
	return r
}

// heavy is the pipe that multiplies integers.
func (n *Units) heavy() Pipe {
	if n.FloatParts {
		return PipeHeavy
	}
	return PipeFloat
}

// Other is the timing of HFMA2.MMA, which an assembler has do the work of every other instruction of packed
// halves.
func (c *Config) Other() Timing {
	n := &c.Units
	r := timing(n.heavy(), n.HalfLatency, n.HalfOther, true)
	r.Issue, r.Late = uint8(n.HalfOther), uint16(n.PredicateExtra)
	return r
}

func (c *Config) double() Timing {
	n := &c.Units
	r := timing(PipeDouble, n.DoubleLatency, n.DoubleInterval, !n.DoubleShared)
	r.Late = uint16(max(n.PredicateExtra, n.DoubleLatency))
	return r
}

// Matrix is the timing of a warp's matrix operation of shape m, n, k whose
// factors have so many bits: a sub-core does M*N*K*bits/rate in a cycle, half
// of that for sparse operands, and accumulation in single precision takes
// longer.
func (c *Config) Matrix(m, n, k, bits int, sparse, single bool) Timing {
	return c.matrix(m*n*k*bits/c.Special.MatrixOps, sparse, single)
}

// Product is the timing of a matrix instruction.
func (c *Config) Product(x isa.Matrix) Timing {
	if x.Group {
		return c.groupProduct(x)
	}
	return c.matrix(x.M*x.N*x.K*x.Bits/c.Special.MatrixOps, x.Sparse, x.Single)
}

// groupProduct is the timing of a warpgroup's product. Its results can be read after
// a wait for it, so that they hold nothing back themselves.
func (c *Config) groupProduct(x isa.Matrix) Timing {
	s := &c.Special
	cycles := x.M * x.N * x.K * x.Bits / s.GroupOps
	left, right := groupWarps*x.M*x.K*x.Bits/8, x.N*x.K*x.Bits/8
	if x.Sparse {
		cycles, left = cycles/2, left/2
	}
	read := right
	if x.Shared {
		read += left
	}
	interval := max(cycles, (read+s.GroupRead-1)/s.GroupRead, s.GroupLeast)
	return timing(PipeMatrix, max(cycles, s.GroupSums)+s.GroupLate, interval, false)
}

// groupWarps is the number of warps of a warpgroup.
const groupWarps = 4

// matrix is the timing of a dense operation of so many cycles.
func (c *Config) matrix(cycles int, sparse, single bool) Timing {
	if sparse {
		cycles /= 2
	}
	half := max(cycles/2, c.Special.Least)
	latency := 2 * half
	if single {
		latency += c.Special.Matrix
	}
	return timing(PipeMatrix, latency, half, true)
}

func timing(p Pipe, latency, interval int, fixed bool) Timing {
	return Timing{Pipe: p, Latency: uint16(latency), Interval: uint8(min(max(interval, 1), math.MaxUint8)), Fixed: fixed}
}
