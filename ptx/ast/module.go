package ast

import (
	"slices"
	"sync"
)

// Module is one PTX translation unit.
type Module struct {
	// File names the text in messages.
	File string
	// Text is the whole source; every Pos is an offset into it.
	Text string
	// Version is the operand of .version, which stands at VersionPos.
	Version    Version
	VersionPos Pos
	// Targets holds the names of the first .target directive; later ones are
	// in Narrowed, in order.
	Targets   []string
	TargetPos Pos
	Narrowed  [][]string
	// AddressSize is 32 or 64; 32 when the module does not say.
	AddressSize int
	// AddressPos is where the module says so, 0 if nowhere.
	AddressPos Pos

	Files    []File
	Vars     []Var
	Regs     []RegDecl // module-scope registers, met only in text before PTX 3.0
	Funcs    []*Func   // declarations and definitions in source order
	Aliases  []Alias
	Sections []*Section
	Pragmas  []Pragma

	symbols map[string]Symbol
	lines   []Pos
	once    sync.Once
}

// Version is a PTX ISA version.
type Version struct{ Major, Minor int }

// AtLeast reports whether v is major.minor or later.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// File is a .file directive. Time and Size are 0 when absent.
type File struct {
	Pos        Pos
	Index      int
	Path       string
	Time, Size uint64
}

// Alias is an .alias directive: Name stands for Target.
type Alias struct {
	Pos          Pos
	Name, Target string
}

// Section is a .section directive, in practice DWARF data.
type Section struct {
	Pos  Pos
	Name string
	// Load gives the contents; it parses them on first use and may be called
	// from several goroutines.
	Load func() (*Image, error)
}

// Pragma is a .pragma directive. Inst is the index of the instruction that
// follows it, or -1 outside a body.
type Pragma struct {
	Pos  Pos
	Inst int32
	Text []string
}

// Symbol says what a module-level name stands for. Exactly one of the indices
// is not negative. A definition wins over a declaration of the same name.
type Symbol struct {
	Var, Func, Alias int32
}

// Independent reports a module whose samplers are apart from its textures (ISA 5.3).
func (m *Module) Independent() bool {
	return slices.Contains(m.Targets, "texmode_independent")
}

// Lookup finds a module-level name.
func (m *Module) Lookup(name string) (Symbol, bool) {
	s, ok := m.symbols[name]
	return s, ok
}

// Func returns the function of that name, its definition where there is one,
// or nil.
func (m *Module) Func(name string) *Func {
	if s, ok := m.symbols[name]; ok && s.Func >= 0 {
		return m.Funcs[s.Func]
	}
	return nil
}

// Var returns the module-level variable of that name, or nil.
func (m *Module) Var(name string) *Var {
	if s, ok := m.symbols[name]; ok && s.Var >= 0 {
		return &m.Vars[s.Var]
	}
	return nil
}

// Index builds the table behind Lookup. The parser calls it once, after the
// module-level items are complete. It reports each name that is defined twice
// or used for two things to clash, which may be nil.
func (m *Module) Index(clash func(pos Pos, name string)) {
	m.symbols = make(map[string]Symbol, len(m.Vars)+len(m.Funcs)+len(m.Aliases))
	m.inOrder(
		func(i int) { m.enter(m.Vars[i].Name, m.Vars[i].Pos, Symbol{int32(i), -1, -1}, clash) },
		func(i int) { m.enter(m.Funcs[i].Name, m.Funcs[i].NamePos, Symbol{-1, int32(i), -1}, clash) },
	)
	for i := range m.Aliases {
		m.aliased(int32(i), clash)
	}
}

// inOrder visits variables and functions in the order of the source.
func (m *Module) inOrder(variable, function func(i int)) {
	v := 0
	for i, f := range m.Funcs {
		for ; v < len(m.Vars) && m.Vars[v].Pos < f.Pos; v++ {
			variable(v)
		}
		function(i)
	}
	for ; v < len(m.Vars); v++ {
		variable(v)
	}
}

func (m *Module) enter(name string, pos Pos, s Symbol, clash func(Pos, string)) {
	old, ok := m.symbols[name]
	switch {
	case !ok:
		m.symbols[name] = s
	case (old.Var >= 0) != (s.Var >= 0) || m.defines(old) && m.defines(s):
		if clash != nil {
			clash(pos, name)
		}
	case m.defines(s) || !m.defines(old) && m.stronger(s, old):
		m.symbols[name] = s
	}
}

// stronger prefers a .common declaration to an .extern one.
func (m *Module) stronger(s, old Symbol) bool {
	return s.Var >= 0 && m.Vars[s.Var].Linkage == Common && m.Vars[old.Var].Linkage == Extern
}

func (m *Module) defines(s Symbol) bool {
	if s.Var >= 0 {
		l := m.Vars[s.Var].Linkage
		return l != Extern && l != Common
	}
	return s.Func >= 0 && m.Funcs[s.Func].Load != nil
}

// aliased lets the alias replace the declaration of the same name.
func (m *Module) aliased(i int32, clash func(Pos, string)) {
	a := &m.Aliases[i]
	if old, ok := m.symbols[a.Name]; ok && (old.Alias >= 0 || old.Var >= 0 || m.defines(old)) {
		if clash != nil {
			clash(a.Pos, a.Name)
		}
		return
	}
	m.symbols[a.Name] = Symbol{-1, -1, i}
}
