package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// Env resolves what a function names outside itself.
type Env interface {
	// Variable finds a module-level variable: its space and its address there.
	Variable(name string) (addr uint64, space isa.Space, ok bool)
	// Shared is the offset of the i-th variable of f's body, which is in .shared.
	Shared(f *ast.Func, i int) uint64
	// Static is the address of the i-th variable of f's body, which is in
	// .global or .const.
	Static(f *ast.Func, i int) (addr uint64, ok bool)
	// Function finds a function: a shell that is filled when its own text is
	// lowered, and its code address. fn is nil if there is none.
	Function(name string) (fn *isa.Function, addr uint64)
	// DebugString is the string at a label of the debug sections, "" if unknown.
	DebugString(label string, offset int64) string
}
