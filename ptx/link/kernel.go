package link

import (
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/lower"
)

// program is a kernel under construction: the functions that it reaches and
// the places of its shared variables.
type program struct {
	module *Module
	kernel *isa.Kernel
	shells map[*function]*isa.Function
	queue  []*function
	facts  map[*function]lower.Facts
	shared map[sharedKey]uint64
	static uint32 // bytes of shared variables placed so far
}

// sharedKey identifies a shared variable: by its declaration's function and
// index, or by unit and name at module level.
type sharedKey struct {
	fn   *ast.Func
	unit *Unit
	name string
	i    int
}

// build lowers a kernel and all that it reaches.
func (m *Module) build(f *function) (*isa.Kernel, error) {
	p := &program{
		module: m, kernel: &isa.Kernel{Name: f.name, DynamicAlign: 16}, shells: make(map[*function]*isa.Function),
		facts: make(map[*function]lower.Facts), shared: make(map[sharedKey]uint64),
	}
	if err := p.reach(f); err != nil {
		return nil, err
	}
	k := p.kernel
	k.Constants, k.Samplers = m.constants(), m.samplers()
	k.Params, k.ParamBytes = lower.Params(f.decl.Params)
	p.directives(f.decl)
	k.Entry = p.shell(f)
	for len(p.queue) > 0 {
		next := p.queue[0]
		p.queue = p.queue[1:]
		if err := p.lower(next); err != nil {
			return nil, err
		}
	}
	p.summarise(f)
	k.Function, k.Kernel = p.finder(), m.kernelAt
	return k, p.checkSizes(f)
}

// checkSizes refuses a kernel that no device could hold.
func (p *program) checkSizes(f *function) error {
	for _, c := range []struct {
		what       string
		size, most uint32
	}{
		{"parameters", p.kernel.ParamBytes, lower.MaxParams},
		{"static shared memory", p.static, lower.MaxShared},
		{"local memory", p.kernel.LocalBytes, lower.MaxLocal},
	} {
		if c.size > c.most {
			return f.unit.tree.Errorf(f.decl.Pos, "kernel %s has more than %d bytes of %s", f.name, c.most, c.what)
		}
	}
	return nil
}

// reach places the shared variables of every function that f can reach, before
// any of them is lowered.
func (p *program) reach(f *function) error {
	seen := map[*function]bool{f: true}
	var dynamic []sharedKey
	for list := []*function{f}; len(list) > 0; {
		g := list[len(list)-1]
		list = list[:len(list)-1]
		if g.builtin {
			continue
		}
		body, err := g.decl.Load()
		if err != nil {
			return err
		}
		for i := range body.Vars {
			if v := &body.Vars[i]; v.Space == ast.SharedSpace {
				p.placeShared(sharedKey{fn: g.decl, i: i}, v, &dynamic)
			}
		}
		for _, name := range body.Symbols {
			if v := g.unit.tree.Var(name); v != nil && v.Space == ast.SharedSpace {
				p.placeShared(p.moduleShared(g.unit, v), v, &dynamic)
			}
			if h := g.unit.funcs[name]; h != nil && !seen[h] && !h.entry() {
				seen[h] = true
				list = append(list, h)
			}
		}
		for _, h := range p.module.addressed(body) {
			if !seen[h] {
				seen[h] = true
				list = append(list, h)
			}
		}
	}
	p.kernel.StaticShared = p.static
	for _, key := range dynamic {
		p.shared[key] = uint64(p.kernel.DynamicOffset())
	}
	return nil
}

// moduleShared is the key of a module-level shared variable: one that other
// units can see is the same variable in all of them.
func (p *program) moduleShared(u *Unit, v *ast.Var) sharedKey {
	if v.Linkage == ast.Static {
		return sharedKey{unit: u, name: v.Name}
	}
	return sharedKey{name: v.Name}
}

// placeShared gives a shared variable its offset. Unsized external ones all
// begin where the static part ends.
func (p *program) placeShared(key sharedKey, v *ast.Var, dynamic *[]sharedKey) {
	if _, ok := p.shared[key]; ok {
		return
	}
	align := uint32(v.Alignment())
	if v.Unsized && v.Size() == 0 {
		p.kernel.DynamicAlign = max(p.kernel.DynamicAlign, align)
		p.shared[key] = 0
		*dynamic = append(*dynamic, key)
		return
	}
	p.static = (p.static + align - 1) / align * align
	p.shared[key] = isa.SharedReserved + uint64(p.static)
	p.static = lower.Grow(p.static, v.Size(), lower.MaxShared)
}

// addressed lists the functions that variables of the module point to, for a
// body that calls through addresses.
func (m *Module) addressed(body *ast.Body) []*function {
	indirect := false
	for i := range body.Tables {
		indirect = indirect || body.Tables[i].Kind != ast.BranchTargets
	}
	if !indirect {
		return nil
	}
	var list []*function
	for _, v := range m.vars {
		if v.decl.Init == nil {
			continue
		}
		for i := range v.decl.Init.Relocs {
			if f := v.unit.funcs[v.decl.Init.Relocs[i].Name]; f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// shell is the executable form of a function, filled when its turn comes.
func (p *program) shell(f *function) *isa.Function {
	if out := p.shells[f]; out != nil {
		return out
	}
	out := &isa.Function{Name: f.name}
	p.shells[f] = out
	switch {
	case f.builtin:
		out.Builtin = f.name
		if strings.Contains(f.name, "GraphLaunch") {
			p.kernel.LaunchesGraphs, p.kernel.Shares = true, true // the order of its blocks is that of the launches
		}
	case f.entry() && f.name != p.kernel.Name:
		// A kernel that is launched has a program of its own; here it is an address.
	default:
		p.queue = append(p.queue, f)
	}
	return out
}

// entry reports a kernel.
func (f *function) entry() bool { return f.decl != nil && f.decl.Entry }

// at is the function at a code address, nil if there is none.
func (m *Module) at(addr uint64) *function {
	n := (addr - isa.CodeWindow) / isa.CodeStep
	if addr%isa.CodeStep != 0 || n == 0 || n > uint64(len(m.funcs)) {
		return nil
	}
	return m.funcs[n-1]
}

// kernelAt is the kernel at a code address.
func (m *Module) kernelAt(addr uint64) *isa.Kernel {
	f := m.at(addr)
	if f == nil || !f.entry() {
		return nil
	}
	k, err := m.Kernel(f.name)
	if err != nil {
		return nil
	}
	return k
}

func (p *program) lower(f *function) error {
	facts, err := lower.Function(f.unit.tree, f.decl, unitEnv{p, f.unit}, p.shells[f])
	if err != nil {
		return err
	}
	p.facts[f] = facts
	p.kernel.Shares = p.kernel.Shares || facts.Shares
	return nil
}

// finder looks functions up by code address, lowering those that only an
// address computed at run time can reach.
func (p *program) finder() func(addr uint64) *isa.Function {
	var mu sync.Mutex
	return func(addr uint64) *isa.Function {
		f := p.module.at(addr)
		if f == nil || f.entry() {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		out := p.shell(f)
		for len(p.queue) > 0 {
			next := p.queue[0]
			p.queue = p.queue[1:]
			if p.lower(next) != nil {
				return nil
			}
		}
		return out
	}
}

// summarise computes what the launch needs to know about the call graph.
func (p *program) summarise(f *function) {
	state := make(map[*function]int) // 1 on the stack, 2 done
	bytes := make(map[*function]uint32)
	depth := make(map[*function]int)
	var visit func(f *function)
	visit = func(f *function) {
		state[f] = 1
		facts := p.facts[f]
		p.kernel.Recursive = p.kernel.Recursive || facts.Indirect
		for _, name := range facts.Callees {
			g := f.unit.funcs[name]
			switch state[g] {
			case 0:
				visit(g)
			case 1:
				p.kernel.Recursive = true
				continue
			}
			bytes[f] = max(bytes[f], bytes[g])
			depth[f] = max(depth[f], depth[g]+1)
		}
		bytes[f] = lower.Grow(bytes[f], int64(p.shells[f].Local), lower.MaxLocal)
		state[f] = 2
	}
	visit(f)
	p.kernel.LocalBytes, p.kernel.Depth = bytes[f], depth[f]
}

// directives reads the launch bounds of a kernel.
func (p *program) directives(f *ast.Func) {
	k := p.kernel
	for i := range f.Directives {
		d := &f.Directives[i]
		switch d.Name {
		case "maxntid":
			k.MaxThreads = int(product(d.Values))
		case "reqntid":
			k.ReqThreads = [3]uint32{1, 1, 1}
			for j, v := range d.Values {
				k.ReqThreads[j] = uint32(v)
			}
			k.MaxThreads = int(product(d.Values))
		case "reqnctapercluster":
			k.Cluster.Dim = [3]uint32{1, 1, 1}
			for j, v := range d.Values {
				k.Cluster.Dim[j] = uint32(v)
			}
		case "maxclusterrank":
			k.Cluster.MaxRank = uint32(d.Values[0])
		case "explicitcluster":
			k.Cluster.Explicit = true
		case "blocksareclusters":
			k.Cluster.InBlocks = true
		}
	}
}

func product(values []int64) int64 {
	n := int64(1)
	for _, v := range values {
		n *= v
	}
	return n
}

// unitEnv resolves names for the functions of one unit within a program.
type unitEnv struct {
	*program
	unit *Unit
}

func (e unitEnv) Variable(name string) (addr uint64, space isa.Space, ok bool) {
	if v := e.unit.vars[name]; v != nil {
		return v.Addr, v.Space, true
	}
	if v := e.unit.tree.Var(name); v != nil && v.Space == ast.SharedSpace {
		addr, ok = e.shared[e.moduleShared(e.unit, v)]
		return addr, isa.Shared, ok
	}
	return 0, 0, false
}

func (e unitEnv) Shared(f *ast.Func, i int) uint64 { return e.shared[sharedKey{fn: f, i: i}] }

func (e unitEnv) Static(f *ast.Func, i int) (addr uint64, ok bool) {
	v := e.module.statics[staticKey{f, i}]
	if v == nil {
		return 0, false
	}
	return v.Addr, true
}

func (e unitEnv) Function(name string) (fn *isa.Function, addr uint64) {
	f := e.unit.funcs[name]
	if f == nil {
		return nil, 0
	}
	return e.shell(f), f.addr
}

func (e unitEnv) DebugString(label string, offset int64) string {
	return e.unit.debugString(label, offset)
}

// debugString reads a string of the unit's debug sections.
func (u *Unit) debugString(label string, offset int64) string {
	for _, s := range u.tree.Sections {
		if !strings.HasPrefix(s.Name, ".debug_str") {
			continue
		}
		image, err := s.Load()
		if err != nil {
			return ""
		}
		for i := range image.Labels {
			if image.Labels[i].Name == label {
				return cString(image.Data, image.Labels[i].Offset+offset)
			}
		}
	}
	return ""
}

func cString(b []byte, at int64) string {
	if at < 0 || at >= int64(len(b)) {
		return ""
	}
	s, _, _ := strings.Cut(string(b[at:]), "\x00")
	return s
}
