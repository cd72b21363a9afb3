package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// place says where a variable of a body lies.
type place struct {
	space isa.Space // Param, Frame, Shared or Global
	addr  uint64
	// window is what the address taken by mov has above the one in its space:
	// that of a .param variable is generic.
	window uint64
}

// What a kernel may have: bytes of local memory of a thread, of static shared
// memory, and of parameters (programming guide, technical specifications; the
// parameters since CUDA 12.1).
const (
	MaxLocal  = 512 << 10
	MaxShared = 48 << 10
	MaxParams = 32764
)

// Grow adds a variable of n bytes to size, which then does not pass what is
// just above most.
func Grow(size uint32, n int64, most uint32) uint32 {
	return uint32(min(uint64(size)+uint64(n), uint64(most)+1))
}

// Params lays out parameters as the C ABI does, each at its own alignment, and
// returns the size of the block.
func Params(vars []ast.Var) (params []isa.KernelParam, size uint32) {
	for i := range vars {
		v := &vars[i]
		align := uint32(v.Alignment())
		size = (size + align - 1) / align * align
		params = append(params, isa.KernelParam{Name: v.Name, Offset: size, Size: uint32(v.Size()), Align: align})
		size = Grow(size, v.Size(), MaxParams)
	}
	return params, size
}

// layout places the variables of a body: kernel parameters in the parameter
// block; a function's own parameters, call parameters and .local variables in
// the frame.
func (l *lowering) layout() {
	l.places = make([]place, len(l.body.Vars))
	header := len(l.fn.Returns) + len(l.fn.Params)
	var frame uint32
	var block []isa.KernelParam
	if l.fn.Entry {
		block, _ = Params(l.fn.Params)
		_, frame = localsOf(l.module, "")
	}
	for i := range l.body.Vars {
		v := &l.body.Vars[i]
		switch {
		case l.fn.Entry && i < header && i >= len(l.fn.Returns):
			l.places[i] = place{isa.Param, uint64(block[i-len(l.fn.Returns)].Offset), isa.ParamWindow}
		case v.Space == ast.SharedSpace:
			l.places[i] = place{space: isa.Shared, addr: l.env.Shared(l.fn, i)}
		case v.Space == ast.GlobalSpace || v.Space == ast.ConstSpace:
			addr, ok := l.env.Static(l.fn, i)
			if !ok {
				l.errorf(v.Pos, "variable %s has no memory", v.Name)
			}
			l.places[i] = place{space: isa.Global, addr: addr}
		default:
			align := max(uint32(v.Alignment()), 4)
			frame = (frame + align - 1) / align * align
			l.places[i] = place{space: isa.Frame, addr: uint64(frame)}
			if v.Space == ast.ParamSpace {
				l.places[i].window = isa.LocalWindow
			}
			bytes := max(v.Size(), 1) // a predicate takes a byte
			slot := isa.Slot{Offset: frame, Size: uint32(bytes)}
			if i < len(l.fn.Returns) {
				l.out.Rets = append(l.out.Rets, slot)
			} else if i < header {
				l.out.Params = append(l.out.Params, slot)
			}
			frame = Grow(frame, bytes, MaxLocal)
		}
	}
	if frame > MaxLocal {
		l.errorf(l.fn.Pos, "the variables of %s take more than %d bytes of local memory", l.fn.Name, MaxLocal)
	}
	l.out.Local = (frame + frameAlign - 1) / frameAlign * frameAlign
}

// localsOf places the .local variables of a module, which PTX before 3.0 has:
// every thread has them once, below the frame of the kernel. It returns the place
// of the one named and the size of all.
func localsOf(m *ast.Module, name string) (at int64, size uint32) {
	at = -1
	if m.Version.Major >= 3 {
		return at, 0
	}
	for i := range m.Vars {
		v := &m.Vars[i]
		if v.Space != ast.LocalSpace {
			continue
		}
		align := max(uint32(v.Alignment()), 4)
		size = (size + align - 1) / align * align
		if v.Name == name {
			at = int64(size)
		}
		size = Grow(size, v.Size(), MaxLocal)
	}
	return at, size
}

// moduleLocal is the place of a module's .local variable in local memory.
func (l *lowering) moduleLocal(name string) (addr uint64, ok bool) {
	at, _ := localsOf(l.module, name)
	return uint64(at), at >= 0
}

// frameAlign keeps every frame's local memory aligned for the widest access.
const frameAlign = 16
