package ast

// Func is the header of an .entry or .func.
type Func struct {
	Pos     Pos // of the directive
	NamePos Pos
	Name    string
	Entry   bool
	Linkage Linkage
	Returns []Var
	Params  []Var
	// Directives are the performance and call directives in source order.
	Directives []Directive
	Pragmas    []Pragma
	Unified    *[2]uint64 // .attribute(.unified(a, b))
	// Open and Close are the places of the body's braces.
	Open, Close Pos
	// Load gives the body; nil for a declaration. It parses on first use and
	// may be called from several goroutines.
	Load func() (*Body, error)
}

// Directive is a directive of a function header, such as maxntid 256, 1, 1.
type Directive struct {
	Pos    Pos
	Name   string // without the dot
	Values []int64
	Text   string // operand of a directive that takes a name or string
}

// Directive returns the directive of that name, or nil.
func (f *Func) Directive(name string) *Directive {
	for i := range f.Directives {
		if f.Directives[i].Name == name {
			return &f.Directives[i]
		}
	}
	return nil
}

// Body is what stands between the braces of a function.
type Body struct {
	Insts    []Inst
	Operands []Operand
	Opcodes  []Opcode
	Regs     []Reg
	RegDecls []RegDecl
	Vars     []Var // returns, parameters, then the declarations of the body
	Labels   []Label
	Tables   []Table
	Symbols  []string // module-level names used, each once
	Scopes   []Scope  // Scopes[0] is the body itself
	Locs     []Loc
	Pragmas  []Pragma
}

// Inst is one instruction.
type Inst struct {
	Pos   Pos
	Op    int32 // index in Body.Opcodes
	Guard int32 // index in Body.Regs of the predicate, -1 when always executed
	First int32 // index in Body.Operands of the first operand
	Loc   int32 // index in Body.Locs of the line it belongs to, -1 when unknown
	Count uint8 // number of operands
	Not   bool  // executed when the guard is false
}

// Opcode is a mnemonic with its modifiers in source order, without dots.
type Opcode struct {
	Text string // the whole spelling, such as ld.global.u32
	Name string
	Mods []string
}

// Reg is a register that the body uses.
type Reg struct {
	Decl int32 // index in Body.RegDecls
	N    int32 // which of a parameterised declaration, -1 for a plain name
	Type Type
	Vec  uint8 // elements of a vector register, 1 for a scalar
}

// RegDecl is one declared name: %r, or %r<n> for n registers %r0 to %r(n-1).
type RegDecl struct {
	Pos   Pos
	Name  string
	Count int32 // -1 for a plain name
	Scope int32 // index in Body.Scopes, -1 for a register of module scope or a parameter
	Type  Type
	Vec   uint8
}

// Label is a place in the code: before instruction Inst, which may be
// len(Insts).
type Label struct {
	Pos   Pos
	Name  string
	Scope int32
	Inst  int32
}

// TableKind tells the three kinds of labelled directive apart.
type TableKind uint8

// Labelled directives inside a body.
const (
	BranchTargets TableKind = iota
	CallTargets
	CallPrototype
)

// String returns the directive without its dot.
func (k TableKind) String() string {
	return [...]string{"branchtargets", "calltargets", "callprototype"}[k]
}

// Table is a labelled directive: the targets of an indirect branch or call, or
// the prototype of an indirect call.
type Table struct {
	Pos         Pos
	Name        string
	Kind        TableKind
	Scope       int32
	First, Size int32      // its targets, in Body.Operands
	Proto       *Prototype // of a CallPrototype
}

// Prototype is the signature given by .callprototype.
type Prototype struct {
	Returns, Params []Var
	Directives      []Directive
}

// Scope is a block. Parent is -1 for the body itself.
type Scope struct {
	Open, Close Pos
	Parent      int32
}

// Loc is a .loc directive. Inst is the first instruction it governs.
type Loc struct {
	Pos       Pos
	Inst      int32
	File      int32
	Line, Col int32
	Inlined   *Inlined // nil when the line was not inlined
}

// Inlined is the second half of a .loc: which function was inlined, and where.
type Inlined struct {
	Function  string // label in .debug_str
	Offset    int64  // added to the label
	File      int32
	Line, Col int32
}

// Args returns the operands of an instruction.
func (b *Body) Args(in *Inst) []Operand {
	return b.Operands[in.First : in.First+int32(in.Count)]
}

// Elems returns the elements of a Vector, List, Pair or Tuple, nil for other
// kinds.
func (b *Body) Elems(o *Operand) []Operand {
	if !o.Kind.HasElems() {
		return nil
	}
	return b.Operands[o.Index : int64(o.Index)+int64(o.Value)]
}

// Targets returns the entries of a branch or call table.
func (b *Body) Targets(t *Table) []Operand {
	return b.Operands[t.First : t.First+t.Size]
}
