package rt

import (
	"slices"
	"sync"
)

// Library is device code that a program loaded for all devices (cuLibrary,
// cudaLibrary).
type Library struct {
	image   *Image
	handle  uint64
	names   []string // of its kernels, in order
	err     error    // what is wrong with the code, which is found when something of it is asked for
	mu      sync.Mutex
	kernels map[string]uint64          // handles
	modules map[*Context]*LoadedModule // of cuLibraryGetModule
}

// LoadedModule is device code that a program loaded into a context (cuModule).
type LoadedModule struct {
	image     *Image
	module    *Module
	context   *Context
	library   *Library // that it is a part of, nil for most
	handle    uint64
	names     []string
	mu        sync.Mutex
	functions map[string]uint64 // handles
	permanent bool              // of an image that the program registered, with handles that are the registry's
	textures  map[string]uint64 // handles of its references
}

// newImage makes an image of device code that was not registered.
func (r *Runtime) newImage(s source) *Image {
	r.registry.mu.Lock()
	defer r.registry.mu.Unlock()
	r.registry.count++
	return &Image{runtime: r, number: r.registry.count, loaded: &s}
}

// load compiles device code and makes a module of it in the current context.
func (t *Thread) load(s source, err error, options []JITOption) (uint64, error) {
	c, failed := t.context()
	if failed != nil {
		return 0, failed
	}
	j, failed := newJIT(options)
	if failed != nil {
		return 0, failed
	}
	if err != nil {
		j.errors.write(err.Error())
		if j.errors.addr == 0 {
			t.runtime.sayOnce(oneLine(err))
		}
		return 0, err
	}
	p, err := t.runtime.compile(s.units, j)
	if err != nil {
		return 0, err
	}
	image := t.runtime.newImage(s)
	m, err := c.module(image)
	if err != nil {
		return 0, err
	}
	l := &LoadedModule{image: image, module: m, context: c, names: p.Kernels()}
	l.handle = t.runtime.modules.add(l)
	return l.handle, nil
}

// ModuleLoad is cuModuleLoad: from a file.
func (t *Thread) ModuleLoad(path string) (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	s, err := t.runtime.sourceFile(path)
	return t.load(s, err, nil)
}

// ModuleLoadData is cuModuleLoadData and its relatives: from memory.
func (t *Thread) ModuleLoadData(addr uint64, options []JITOption) (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	if addr == 0 {
		return 0, fail(ErrInvalidValue, "device code at address 0")
	}
	s, err := t.runtime.sourceAt(addr)
	return t.load(s, err, options)
}

// ModuleUnload is cuModuleUnload. It waits for the context.
func (t *Thread) ModuleUnload(handle uint64) error {
	m, err := t.loadedModule(handle)
	if err != nil {
		return err
	}
	if m.library != nil || m.permanent {
		return fail(ErrNotPermitted, "the module is a part of a library, or of the program")
	}
	if err := m.context.check(); err != nil {
		return err
	}
	t.runtime.modules.take(handle)
	m.forget()
	m.context.unload(m.image)
	return nil
}

// forget takes the handles of a module's functions back.
func (m *LoadedModule) forget() {
	if m.permanent {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range m.functions {
		m.image.runtime.functions.take(h)
	}
}

// leaveContext lets go of a module whose context is closed.
func (m *LoadedModule) leaveContext() {
	m.forget()
	if m.permanent {
		g := &m.image.runtime.registry
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(m.image.modules, m.context)
	}
	if m.library != nil {
		m.library.mu.Lock()
		defer m.library.mu.Unlock()
		delete(m.library.modules, m.context)
	}
}

func (t *Thread) loadedModule(handle uint64) (*LoadedModule, error) {
	m, ok := t.runtime.modules.get(handle)
	if !ok {
		return nil, invalidHandle("module", handle)
	}
	return m, nil
}

// CheckModule reports whether a module exists.
func (t *Thread) CheckModule(handle uint64) error {
	_, err := t.loadedModule(handle)
	return err
}

// ModuleGetFunction is cuModuleGetFunction. A function has one handle.
func (t *Thread) ModuleGetFunction(handle uint64, name string) (uint64, error) {
	m, err := t.loadedModule(handle)
	if err != nil {
		return 0, err
	}
	if err := m.context.check(); err != nil {
		return 0, err
	}
	return m.function(name)
}

func (m *LoadedModule) function(name string) (uint64, error) {
	if name == "" {
		return 0, fail(ErrInvalidValue, "a kernel without a name")
	}
	if !slices.Contains(m.names, name) {
		return 0, fail(ErrSymbolNotFound, "the module has no kernel %q", name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, ok := m.functions[name]; ok {
		return h, nil
	}
	f := &Function{image: m.image, name: name, module: m, library: m.library}
	f.host = m.image.runtime.functions.add(f)
	if m.functions == nil {
		m.functions = map[string]uint64{}
	}
	m.functions[name] = f.host
	return f.host, nil
}

// ModuleFunctions is cuModuleGetFunctionCount and cuModuleEnumerateFunctions.
func (t *Thread) ModuleFunctions(handle uint64) ([]uint64, error) {
	m, err := t.loadedModule(handle)
	if err != nil {
		return nil, err
	}
	return handles(m.names, m.function)
}

// handles lists the handle of each name.
func handles(names []string, find func(name string) (uint64, error)) ([]uint64, error) {
	var all []uint64
	for _, n := range names {
		h, err := find(n)
		if err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, nil
}

// ModuleGetGlobal is cuModuleGetGlobal: where a variable lies, and its size in
// bytes.
func (t *Thread) ModuleGetGlobal(handle uint64, name string) (addr, size uint64, err error) {
	m, err := t.loadedModule(handle)
	if err != nil {
		return 0, 0, err
	}
	if slices.Contains(m.names, name) {
		return 0, 0, fail(ErrInvalidValue, "%q is a kernel", name)
	}
	return m.module.variable(name, func(v Variable) bool { return !v.Reference })
}

// variable finds a variable that suits.
func (m *Module) variable(name string, suits func(Variable) bool) (addr, size uint64, err error) {
	for n, v := range m.program.Variables() {
		if m.placed[n] == m.addresses[name] && v.Name == name && suits(v) {
			return m.placed[n], v.Size, nil
		}
	}
	return 0, 0, fail(ErrSymbolNotFound, "the module has no variable %q", name)
}

// LibraryLoad is cuLibraryLoadFromFile.
func (t *Thread) LibraryLoad(path string, options []JITOption) (uint64, error) {
	s, err := t.runtime.sourceFile(path)
	return t.loadLibrary(s, err, options)
}

// LibraryLoadData is cuLibraryLoadData.
func (t *Thread) LibraryLoadData(addr uint64, options []JITOption) (uint64, error) {
	s, err := t.runtime.sourceAt(addr)
	return t.loadLibrary(s, err, options)
}

func (t *Thread) loadLibrary(s source, err error, options []JITOption) (uint64, error) {
	j, failed := newJIT(options)
	if failed != nil {
		return 0, failed
	}
	l := &Library{image: t.runtime.newImage(s), err: err, kernels: map[string]uint64{}, modules: map[*Context]*LoadedModule{}}
	switch {
	case err != nil && absent(err):
		return 0, err
	case err != nil:
		j.errors.write(err.Error())
	default:
		var p Program
		if p, l.err = t.runtime.compile(s.units, j); l.err == nil {
			l.names = p.Kernels()
		}
	}
	l.handle = t.runtime.libraries.add(l)
	return l.handle, nil
}

// absent reports code that is not there at all.
func absent(err error) bool {
	code := CodeOf(err)
	return code != ErrInvalidKernelImage && code != ErrInvalidPTX
}

func (t *Thread) library(handle uint64) (*Library, error) {
	l, ok := t.runtime.libraries.get(handle)
	if !ok {
		return nil, invalidHandle("library", handle)
	}
	return l, nil
}

// CheckLibrary reports whether a library exists.
func (t *Thread) CheckLibrary(handle uint64) error {
	_, err := t.library(handle)
	return err
}

// LibraryUnload is cuLibraryUnload. It waits for the devices.
func (t *Thread) LibraryUnload(handle uint64) error {
	l, ok := t.runtime.libraries.take(handle)
	if !ok {
		return invalidHandle("library", handle)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range l.kernels {
		t.runtime.functions.take(h)
	}
	for _, m := range l.modules {
		t.runtime.modules.take(m.handle)
		m.forget()
	}
	for _, c := range t.runtime.contexts() {
		c.unload(l.image)
	}
	return nil
}

// contexts are all that exist.
func (r *Runtime) contexts() []*Context {
	var all []*Context
	for _, d := range r.devices {
		d.mu.Lock()
		if d.current != nil {
			all = append(all, d.current)
		}
		all = append(all, d.others...)
		d.mu.Unlock()
	}
	return all
}

// LibraryGetKernel is cuLibraryGetKernel. A kernel has one handle.
func (t *Thread) LibraryGetKernel(handle uint64, name string) (uint64, error) {
	l, err := t.library(handle)
	if err != nil {
		return 0, err
	}
	return l.kernel(name)
}

func (l *Library) kernel(name string) (uint64, error) {
	if l.err != nil {
		return 0, l.err
	}
	if !slices.Contains(l.names, name) {
		return 0, fail(ErrSymbolNotFound, "the library has no kernel %q", name)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if h, ok := l.kernels[name]; ok {
		return h, nil
	}
	f := &Function{image: l.image, name: name, library: l}
	f.host = l.image.runtime.functions.add(f)
	l.kernels[name] = f.host
	return f.host, nil
}

// LibraryKernels is cuLibraryGetKernelCount and cuLibraryEnumerateKernels.
func (t *Thread) LibraryKernels(handle uint64) ([]uint64, error) {
	l, err := t.library(handle)
	if err != nil {
		return nil, err
	}
	return handles(l.names, l.kernel)
}

// LibraryGetModule is cuLibraryGetModule: the library in the current context.
func (t *Thread) LibraryGetModule(handle uint64) (uint64, error) {
	l, err := t.library(handle)
	if err != nil {
		return 0, err
	}
	m, err := t.part(l)
	if err != nil {
		return 0, err
	}
	return m.handle, nil
}

// part is a library as a module of the current context.
func (t *Thread) part(l *Library) (*LoadedModule, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	if l.err != nil {
		return nil, l.err
	}
	m, err := c.module(l.image)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.modules[c]; p != nil {
		return p, nil
	}
	p := &LoadedModule{image: l.image, module: m, context: c, library: l, names: l.names}
	p.handle = t.runtime.modules.add(p)
	l.modules[c] = p
	return p, nil
}

// LibraryGetGlobal is cuLibraryGetGlobal, and with managed cuLibraryGetManaged.
func (t *Thread) LibraryGetGlobal(handle uint64, name string, managed bool) (addr, size uint64, err error) {
	l, err := t.library(handle)
	if err != nil {
		return 0, 0, err
	}
	p, err := t.part(l)
	if err != nil {
		return 0, 0, err
	}
	return p.module.variable(name, func(v Variable) bool { return !v.Reference && (v.Managed || !managed) })
}

// KernelGetFunction is cuKernelGetFunction: a kernel of a library as a function
// of the current context. Kernels that the runtime knows are functions already.
func (t *Thread) KernelGetFunction(handle uint64) (uint64, error) {
	f, err := t.runtime.function(handle)
	if err != nil {
		return 0, err
	}
	if f.library == nil || f.module != nil {
		_, err := t.prepareHere(handle)
		return handle, err
	}
	p, err := t.part(f.library)
	if err != nil {
		return 0, err
	}
	return p.function(f.name)
}

// KernelGetLibrary is cuKernelGetLibrary.
func (t *Thread) KernelGetLibrary(handle uint64) (uint64, error) {
	f, err := t.runtime.function(handle)
	if err != nil {
		return 0, err
	}
	if f.library == nil {
		return 0, invalidHandle("kernel of a library", handle)
	}
	return f.library.handle, nil
}

// FuncGetModule is cuFuncGetModule.
func (t *Thread) FuncGetModule(handle uint64) (uint64, error) {
	f, err := t.runtime.function(handle)
	switch {
	case err != nil:
		return 0, err
	case f.module != nil:
		return f.module.handle, nil
	case f.library != nil:
		p, err := t.part(f.library)
		if err != nil {
			return 0, err
		}
		return p.handle, nil
	}
	m, err := t.registered(f.image)
	if err != nil {
		return 0, err
	}
	return m.handle, nil
}

// registered is the module of an image that the program registered, in the current context.
func (t *Thread) registered(i *Image) (*LoadedModule, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	m, err := c.module(i)
	if err != nil {
		return nil, err
	}
	g := &t.runtime.registry
	g.mu.RLock()
	l := i.modules[c]
	g.mu.RUnlock()
	if l != nil {
		return l, nil
	}
	l = &LoadedModule{image: i, module: m, context: c, names: m.program.Kernels(), functions: map[string]uint64{}, permanent: true}
	l.handle = t.runtime.modules.add(l) // without the registry's lock, which is taken after that of the modules elsewhere
	g.mu.Lock()
	defer g.mu.Unlock()
	if other := i.modules[c]; other != nil {
		return other, nil // another thread was faster
	}
	for host, f := range g.functions {
		if f.image == i {
			l.functions[f.name] = host
		}
	}
	if i.modules == nil {
		i.modules = map[*Context]*LoadedModule{}
	}
	i.modules[c] = l
	return l, nil
}
