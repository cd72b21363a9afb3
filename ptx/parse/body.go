package parse

import (
	"slices"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// body parses the statements of one function. Its slices are scratch space that
// is kept from function to function; the result gets exact copies.
type body struct {
	parser
	b       ast.Body
	names   symbols
	opcodes symbols // spellings; index in Body.Opcodes
	globals symbols // module-level names used; index in Body.Symbols
	blocks  []block
	stack   []ast.Operand // operands of the instruction being read
	pending []reference   // names not resolved yet
	unknown []string      // names of operands on the stack that are not resolved
	used    []int32       // per declared register: 1 + index in Body.Regs, 0 when unused
	firsts  []int32       // per register declaration: its first entry in used
	loc     int32         // the .loc in force
	// takesAddress tells that a[n] in the current instruction is the address of
	// an element, not the element.
	takesAddress bool
}

// block is an open scope.
type block struct {
	scope   int32
	names   int // length of names.stack outside it
	pending int // length of pending outside it
}

// reference is an operand whose name may be a label further down.
type reference struct {
	name    string
	hash    uint32
	operand int32 // index in Body.Operands
}

// parse parses the body of f.
func (b *body) parse(m *ast.Module, f *ast.Func) (*ast.Body, error) {
	b.reset(m, f)
	b.open(f.Open)
	b.header(f)
	b.next()
	for b.t.Kind != scan.EOF {
		b.statement()
		if b.failed {
			b.recover(false)
		}
	}
	for len(b.blocks) > 0 {
		b.close(f.Close)
	}
	b.link()
	return b.finish()
}

func (b *body) reset(m *ast.Module, f *ast.Func) {
	b.parser = parser{m: m}
	b.s.Src, b.s.Pos = m.Text[:f.Close], int32(f.Open)+1
	b.names.reset()
	b.opcodes.reset()
	b.globals.reset()
	o := &b.b
	o.Insts, o.Operands, o.Opcodes = o.Insts[:0], o.Operands[:0], o.Opcodes[:0]
	o.Regs, o.RegDecls, o.Vars = o.Regs[:0], o.RegDecls[:0], o.Vars[:0]
	o.Labels, o.Tables, o.Symbols = o.Labels[:0], o.Tables[:0], o.Symbols[:0]
	o.Scopes, o.Locs, o.Pragmas = o.Scopes[:0], o.Locs[:0], o.Pragmas[:0]
	b.blocks, b.stack, b.pending = b.blocks[:0], b.stack[:0], b.pending[:0]
	b.unknown, b.used, b.firsts = b.unknown[:0], b.used[:0], b.firsts[:0]
	b.loc = -1
}

// finish copies the result out of the scratch space.
func (b *body) finish() (*ast.Body, error) {
	o := &b.b
	out := &ast.Body{
		Insts: slices.Clone(o.Insts), Operands: slices.Clone(o.Operands), Opcodes: slices.Clone(o.Opcodes),
		Regs: slices.Clone(o.Regs), RegDecls: slices.Clone(o.RegDecls), Vars: slices.Clone(o.Vars),
		Labels: slices.Clone(o.Labels), Tables: slices.Clone(o.Tables), Symbols: slices.Clone(o.Symbols),
		Scopes: slices.Clone(o.Scopes), Locs: slices.Clone(o.Locs), Pragmas: slices.Clone(o.Pragmas),
	}
	slices.SortStableFunc(b.errs, func(x, y *ast.Error) int { return int(x.Pos - y.Pos) })
	return out, b.result()
}

// header declares the module's registers and the function's parameters.
func (b *body) header(f *ast.Func) {
	for _, d := range b.m.Regs {
		b.declareReg(d)
	}
	for _, list := range [2][]ast.Var{f.Returns, f.Params} {
		for _, v := range list {
			if v.Space == ast.RegSpace {
				d := ast.RegDecl{Pos: v.Pos, Name: v.Name, Count: -1, Scope: -1, Type: v.Type, Vec: v.Vec}
				b.declareReg(d)
				v.Reg = b.use(int32(len(b.b.RegDecls)-1), -1)
				b.b.Vars = append(b.b.Vars, v)
			} else {
				b.declareVar(v)
			}
		}
	}
}

func (b *body) scope() int32 { return b.blocks[len(b.blocks)-1].scope }

func (b *body) open(pos ast.Pos) {
	parent := int32(-1)
	if len(b.blocks) > 0 {
		parent = b.scope()
	}
	if len(b.blocks) >= maxBlocks {
		b.fail(pos, "blocks nested more than %d deep", maxBlocks)
		return
	}
	b.blocks = append(b.blocks, block{int32(len(b.b.Scopes)), len(b.names.stack), len(b.pending)})
	b.b.Scopes = append(b.b.Scopes, ast.Scope{Open: pos, Parent: parent})
}

// close ends the innermost block: references that its labels answer are
// resolved, the others are left to the block around it.
func (b *body) close(pos ast.Pos) {
	k := b.blocks[len(b.blocks)-1]
	b.b.Scopes[k.scope].Close = pos
	kept := b.pending[:k.pending]
	for _, r := range b.pending[k.pending:] {
		y := b.names.find(r.name, r.hash)
		if y == nil || y.scope != k.scope || !y.isPlace() {
			kept = append(kept, r)
			continue
		}
		b.point(&b.b.Operands[r.operand], y)
	}
	b.pending = kept
	b.names.drop(k.names)
	b.blocks = b.blocks[:len(b.blocks)-1]
}

func (y *symbol) isPlace() bool { return y.kind >= labelSymbol }

// point makes an operand refer to a label or table.
func (b *body) point(o *ast.Operand, y *symbol) {
	o.Index = y.index
	o.Kind = ast.CodeLabel
	if y.kind == tableSymbol {
		o.Kind = ast.TableName
	}
	if o.Value != 0 || o.Flags != 0 {
		b.report(o.Pos, "label %s cannot be used as an address", y.name)
	}
}

// link gives the names that are left to the module.
func (b *body) link() {
	for _, r := range b.pending {
		o := &b.b.Operands[r.operand]
		o.Kind = ast.Global
		if y := b.globals.find(r.name, r.hash); y != nil {
			o.Index = y.index
			continue
		}
		if _, ok := b.m.Lookup(r.name); !ok {
			b.report(o.Pos, "undeclared name %s", r.name)
		}
		o.Index = int32(len(b.b.Symbols))
		b.b.Symbols = append(b.b.Symbols, r.name)
		b.globals.add(symbol{name: r.name, hash: r.hash, index: o.Index})
	}
}

// declare enters a name into the innermost block.
func (b *body) declare(name string, pos ast.Pos, kind symbolKind, index int32) {
	y := symbol{name: name, hash: hashOf(name), scope: b.scope(), index: index, kind: kind}
	if kind == familySymbol {
		y.hash ^= familyHash
	}
	old := b.names.find(name, y.hash)
	if low := stem(name); old == nil && low < len(name) {
		old, _ = b.member(b.names.find(name[:low], hashOf(name[:low])^familyHash), name[low:])
	}
	if old != nil && old.scope == y.scope {
		b.report(pos, "%s is declared twice in this block", name)
		return
	}
	b.names.add(y)
}

func (b *body) declareVar(v ast.Var) {
	if v.Name != "_" {
		b.declare(v.Name, v.Pos, varSymbol, int32(len(b.b.Vars)))
	}
	b.b.Vars = append(b.b.Vars, v)
}

func (b *body) declareReg(d ast.RegDecl) {
	kind, n := regSymbol, 1
	if d.Count >= 0 {
		kind, n = familySymbol, int(d.Count)
	}
	if len(b.used)+n > maxRegisters {
		b.fail(d.Pos, "more than %d registers", maxRegisters)
		return
	}
	b.declare(d.Name, d.Pos, kind, int32(len(b.b.RegDecls)))
	b.b.RegDecls = append(b.b.RegDecls, d)
	b.firsts = append(b.firsts, int32(len(b.used)))
	b.used = slices.Grow(b.used, n)[:len(b.used)+n]
	clear(b.used[len(b.used)-n:])
}

// use returns the index in Body.Regs of register n of a declaration.
func (b *body) use(decl, n int32) int32 {
	slot := &b.used[b.firsts[decl]+max(n, 0)]
	if *slot == 0 {
		d := &b.b.RegDecls[decl]
		b.b.Regs = append(b.b.Regs, ast.Reg{Decl: decl, N: n, Type: d.Type, Vec: d.Vec})
		*slot = int32(len(b.b.Regs))
	}
	return *slot - 1
}

// lookup finds what a name stands for here; nil when nothing that is declared
// so far. For a parameterised register n is its number.
func (b *body) lookup(name string) (y *symbol, n int32, hash uint32) {
	low := stem(name)
	h := uint32(hashSeed)
	var f *symbol
	for i := range len(name) {
		if i == low {
			f = b.names.find(name[:low], h^familyHash)
		}
		h = (h ^ uint32(name[i])) * hashPrime
	}
	y = b.names.find(name, h)
	f, n = b.member(f, name[low:])
	if f != nil && (y == nil || f.scope > y.scope) {
		return f, n, h
	}
	return y, -1, h
}

// member returns the innermost family that has a register of that number. One of fewer registers hides those of its own
// numbers only.
func (b *body) member(f *symbol, digits string) (*symbol, int32) {
	for ; f != nil; f = b.names.outer(f) {
		if n, ok := below(digits, b.b.RegDecls[f.index].Count); ok {
			return f, n
		}
	}
	return nil, 0
}

// below is a decimal number if it is less than count.
func below(digits string, count int32) (n int32, ok bool) {
	for _, c := range []byte(digits) {
		if n = n*10 + int32(c-'0'); n >= count {
			return 0, false
		}
	}
	return n, true
}
