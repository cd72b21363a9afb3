package rt

import (
	"runtime/debug"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Module is an image in a context: linked, with its variables in memory.
type Module struct {
	image   *Image
	context *Context
	once    sync.Once
	err     error

	program   Program
	kernels   sync.Map          // *isa.Kernel by name
	placed    []uint64          // addresses of the program's variables, in their order
	addresses map[string]uint64 // of those that a name finds
	bindings  map[*Reference]*binding
}

// module is the image in this context, loaded if it is not yet. All who ask get
// the same error.
func (c *Context) module(i *Image) (*Module, error) {
	c.mu.Lock()
	m := c.modules[i]
	if m == nil {
		m = &Module{image: i, context: c}
		c.modules[i] = m
	}
	c.mu.Unlock()
	m.once.Do(func() { m.err = aside(m.load) })
	return m, m.err
}

// aside runs f, which reads numbers in device code, on a thread of its own: the
// program's may round or flush floating-point numbers in a way of its own. A
// panic becomes an error.
func aside(f func() error) error {
	done := make(chan error)
	go func() {
		debug.SetPanicOnFault(true)
		var err error
		defer func() { done <- err }()
		defer func() {
			if p := recover(); p != nil {
				err = fail(ErrUnknown, "bug of lockstep, please report it: %v\n%s", p, debug.Stack())
			}
		}()
		err = f()
	}()
	return <-done
}

func (m *Module) load() error {
	r := m.image.runtime
	units, err := m.image.units()
	if err != nil {
		return err
	}
	if m.program, err = r.config.Link(units); err != nil {
		r.report("load "+units[0].Name, err)
		return err
	}
	if err = m.place(); err != nil {
		r.report("place the variables of "+units[0].Name, err)
	}
	return err
}

// place gives all variables memory, and then their content. A managed variable
// keeps both while a context that loaded it lives.
func (m *Module) place() error {
	r := m.image.runtime
	r.registry.placing.Lock()
	defer r.registry.placing.Unlock()
	variables := m.program.Variables()
	placed, err := m.allocateAll(variables)
	if err != nil {
		return err
	}
	for n, v := range variables {
		s := m.managed(v.Name)
		if v.Managed && s.filled != nil {
			continue
		}
		image, err := m.program.Image(n)
		if err != nil {
			return err
		}
		if err := m.context.memory.Write(placed[n], image); err != nil {
			return err
		}
		s.filled = m.context
	}
	for _, s := range m.image.managed {
		if addr := m.addresses[s.name]; addr != 0 {
			r.publish(s, addr)
		}
	}
	return nil
}

// allocateAll gives the addresses of the variables. Several units may each have
// a static one of the same name: a name finds the first, or the one that is not
// static.
func (m *Module) allocateAll(variables []Variable) ([]uint64, error) {
	placed, named := make([]uint64, len(variables)), map[string]uint64{}
	for n, v := range variables {
		addr, err := m.allocate(v)
		if err != nil {
			return nil, err
		}
		placed[n] = addr
		if _, have := named[v.Name]; !have || !v.Static {
			named[v.Name] = addr
		}
		m.program.Place(n, addr)
	}
	m.context.mu.Lock()
	defer m.context.mu.Unlock()
	m.placed, m.addresses = placed, named
	return placed, nil
}

// leave lets managed variables be filled anew after the context is gone.
func (m *Module) leave() {
	r := m.image.runtime
	r.registry.placing.Lock()
	defer r.registry.placing.Unlock()
	for _, s := range m.image.managed {
		if s.filled == m.context {
			s.filled = nil
		}
	}
}

func (m *Module) allocate(v Variable) (uint64, error) {
	size := max(v.Size, 1)
	if !v.Managed {
		return m.context.memory.Alloc(size, v.Align)
	}
	if s := m.managed(v.Name); s.address != 0 {
		return s.address, nil
	}
	return m.context.memory.AllocHost(size, mem.Managed)
}

// provide gives managed variables that no device code could bring memory of
// their registered size: the host reaches them without asking for errors.
func (c *Context) provide(managed []*Symbol) error {
	r := c.device.runtime
	r.registry.placing.Lock()
	defer r.registry.placing.Unlock()
	for _, s := range managed {
		if s.address != 0 {
			continue
		}
		addr, err := c.memory.AllocHost(max(s.size, 1), mem.Managed)
		if err != nil {
			return err
		}
		r.publish(s, addr)
	}
	return nil
}

// unload takes an image out of the context when its last kernel has ended.
func (c *Context) unload(i *Image) {
	c.mu.Lock()
	m := c.modules[i]
	delete(c.modules, i)
	c.mu.Unlock()
	_ = c.engine.Synchronize() // what stopped the device, later calls say
	if m != nil && m.err == nil {
		for n, v := range m.program.Variables() {
			if !v.Managed {
				_ = c.memory.Free(m.placed[n])
			}
		}
	}
	r := c.device.runtime
	r.registry.placing.Lock()
	defer r.registry.placing.Unlock()
	for _, s := range i.managed {
		if s.address != 0 {
			_ = c.memory.Free(s.address)
			r.locate(s, 0)
			s.filled = nil
		}
	}
}

// managed is the host's view of a managed variable, an empty one of another.
func (m *Module) managed(name string) *Symbol {
	for _, s := range m.image.managed {
		if s.name == name {
			return s
		}
	}
	return new(Symbol)
}

// entry is a kernel, or the reason why there is none.
type entry struct {
	kernel *isa.Kernel
	err    error
}

// kernel finds a kernel of the module, ready to launch, with the registers that
// ptxas gave it where that is known.
func (m *Module) kernel(name string) (*isa.Kernel, error) {
	if e, ok := m.kernels.Load(name); ok {
		return e.(entry).kernel, e.(entry).err
	}
	var e entry
	e.err = aside(func() error { e.kernel, e.err = m.enter(name); return e.err })
	first, known := m.kernels.LoadOrStore(name, e)
	if e.err != nil && !known {
		m.image.runtime.report("use kernel "+name, e.err)
	}
	return first.(entry).kernel, first.(entry).err
}

func (m *Module) enter(name string) (*isa.Kernel, error) {
	k, err := m.program.Kernel(name)
	if err != nil {
		return nil, err
	}
	own := *k
	if f, ok := m.image.hardware(name); ok {
		own.Registers = f.Registers
	}
	return &own, nil
}

// address finds a variable in the context.
func (c *Context) address(s *Symbol) (uint64, error) {
	m, err := c.module(s.image)
	if err != nil {
		return 0, err
	}
	addr, ok := m.addresses[s.name]
	if !ok {
		err = fail(ErrInvalidSymbol, "the device code has no variable %s", s.name)
		c.device.runtime.sayOnce(err.Error())
	}
	return addr, err
}

// GetSymbolAddress is cudaGetSymbolAddress.
func (t *Thread) GetSymbolAddress(host uint64) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	s, err := t.runtime.symbol(host)
	if err != nil {
		return 0, err
	}
	return c.address(s)
}

// GetSymbolSize is cudaGetSymbolSize.
func (t *Thread) GetSymbolSize(host uint64) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	s, err := t.runtime.symbol(host)
	if err != nil {
		return 0, err
	}
	_, err = c.address(s)
	return s.size, err
}
