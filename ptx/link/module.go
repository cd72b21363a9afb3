package link

import (
	"fmt"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/parse"
)

// Unit is one parsed PTX text.
type Unit struct {
	tree  *ast.Module
	vars  map[string]*Variable // names of the unit, private and shared ones
	funcs map[string]*function
}

// Parse reads the module-level items of a PTX text; bodies wait until a kernel
// needs them. name stands for the text in messages.
func Parse(name, text string) (*Unit, error) {
	tree, err := parse.Lazy(name, text)
	if err != nil {
		return nil, err
	}
	return &Unit{tree: tree}, nil
}

// Tree is the unit's syntax tree.
func (u *Unit) Tree() *ast.Module { return u.tree }

// Variable is a variable in global or constant memory.
type Variable struct {
	Name        string
	Space       isa.Space // Global or Const
	Size, Align uint64
	Managed     bool
	// Texture tells that this is a texture, sampler or surface reference: its
	// memory holds a 64-bit handle.
	Texture bool
	// Surface tells that it is a surface reference.
	Surface bool
	// Addr is its device address, which the loader of the module sets.
	Addr uint64

	unit *Unit
	decl *ast.Var
}

// Static reports that only the variable's unit, or body, knows it by its name.
func (v *Variable) Static() bool { return v.decl.Linkage == ast.Static }

// function is a function of the module.
type function struct {
	name    string
	unit    *Unit
	decl    *ast.Func // with a body; nil for those that the device provides
	builtin bool
	addr    uint64 // code address
}

// Module is a linked set of units.
type Module struct {
	units   []*Unit
	vars    []*Variable
	funcs   []*function // code address = CodeWindow + index * CodeStep
	globals map[string]*Variable
	visible map[string]*function
	statics map[staticKey]*Variable // .global and .const variables of bodies
	entries []*function

	mu      sync.Mutex
	kernels map[string]*isa.Kernel
}

type staticKey struct {
	fn *ast.Func
	i  int
}

// Builtins tells which device functions the engine provides.
type Builtins func(name string) bool

// Link joins units into a module. provided tells which undefined functions the
// device has. The error lists every name that is missing or defined twice.
func Link(provided Builtins, units ...*Unit) (*Module, error) {
	m := &Module{
		units: units, globals: make(map[string]*Variable), visible: make(map[string]*function),
		statics: make(map[staticKey]*Variable), kernels: make(map[string]*isa.Kernel),
	}
	k := linker{module: m, provided: provided, shared: make(map[string]*Variable)}
	for _, u := range units {
		u.vars, u.funcs = make(map[string]*Variable), make(map[string]*function)
		k.define(u)
	}
	for _, u := range units {
		k.resolve(u)
	}
	k.constantsFit()
	return m, k.err()
}

// Variables lists the module's variables in the order of their definition.
func (m *Module) Variables() []*Variable { return m.vars }

// Variable finds a variable by its name.
func (m *Module) Variable(name string) *Variable {
	if v := m.globals[name]; v != nil {
		return v
	}
	for _, u := range m.units {
		if v := u.vars[name]; v != nil {
			return v
		}
	}
	return nil
}

// constants are the ranges of the module's constant variables.
func (m *Module) constants() (ranges []isa.Range) {
	for _, v := range m.vars {
		if v.Space == isa.Const {
			ranges = append(ranges, isa.Range{Lo: v.Addr, Hi: v.Addr + v.Size})
		}
	}
	return ranges
}

// Kernels lists the names of the module's kernels.
func (m *Module) Kernels() []string {
	names := make([]string, len(m.entries))
	for i, f := range m.entries {
		names[i] = f.name
	}
	return names
}

// Entry is the declaration of a kernel, nil if there is none of that name.
func (m *Module) Entry(name string) *ast.Func {
	if f := m.entry(name); f != nil {
		return f.decl
	}
	return nil
}

func (m *Module) entry(name string) *function {
	for _, f := range m.entries {
		if f.name == name {
			return f
		}
	}
	return nil
}

// Kernel makes the kernel of that name ready to launch. It is made once; the
// call is safe from several goroutines. All module variables must have their
// addresses.
func (m *Module) Kernel(name string) (*isa.Kernel, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kernels[name]; k != nil {
		return k, nil
	}
	f := m.entry(name)
	if f == nil {
		return nil, fmt.Errorf("kernel %s is not in the module", name)
	}
	k, err := m.build(f)
	if err != nil {
		return nil, err
	}
	m.kernels[name] = k
	return k, nil
}
