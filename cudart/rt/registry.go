package rt

import (
	"errors"
	"slices"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// registry is what the program's object files have told about their device code.
// Keys are host addresses: stubs of kernels, shadows of variables, references.
type registry struct {
	placing    sync.Mutex // held while variables of modules get their memory
	mu         sync.RWMutex
	images     map[uint64]*Image
	order      []*Image // those of images, in order of registration
	count      int      // registered so far
	functions  map[uint64]*Function
	symbols    map[uint64]*Symbol
	references map[uint64]*Reference
}

// Image is a registered fat binary.
type Image struct {
	runtime *Runtime
	handle  uint64
	wrapper uint64 // host address of the wrapper around it
	number  int    // 1 for the first of the process

	loaded *source // of device code that was not registered

	managed []*Symbol // with slots to fill
	symbols []*Symbol
	refs    []*Reference

	code code

	// modules are those that the driver's interface has for an image that was registered, one a context; the registry's lock
	// guards them.
	modules map[*Context]*LoadedModule
}

// Function is a kernel as the host knows it.
type Function struct {
	image *Image
	host  uint64 // address of its stub, or a handle
	name  string // in the device code

	// Of code that the program loaded: the module whose function it is, nil for
	// kernels of libraries; and the library, nil for others.
	module  *LoadedModule
	library *Library
	legacy  *legacyLaunch // what cuParamSet and its relatives have set
}

// Symbol is a device variable as the host knows it.
type Symbol struct {
	image    *Image
	host     uint64 // address of its shadow, or of the slot of a managed variable
	name     string // in the device code
	size     uint64
	constant bool
	managed  bool

	// Of a managed variable: its address, the same on all devices and for the
	// whole run, 0 before it exists; and the context that gave it its content.
	address uint64
	filled  *Context
}

// RegisterFatBinary notes a fat binary by the address of its wrapper.
func (r *Runtime) RegisterFatBinary(handle, wrapper uint64) {
	g := &r.registry
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.images == nil {
		g.images = map[uint64]*Image{}
		g.functions = map[uint64]*Function{}
		g.symbols = map[uint64]*Symbol{}
		g.references = map[uint64]*Reference{}
	}
	g.count++
	image := &Image{runtime: r, handle: handle, wrapper: wrapper, number: g.count}
	g.images[handle] = image
	g.order = append(g.order, image)
}

// image finds a registered image. The lock is held.
func (g *registry) image(handle uint64) *Image { return g.images[handle] }

// RegisterFunction notes a kernel. Where several images bring the same stub, as
// with templates, the first counts.
func (r *Runtime) RegisterFunction(handle, host uint64, name string) {
	g := &r.registry
	g.mu.Lock()
	defer g.mu.Unlock()
	if image := g.image(handle); image != nil && g.functions[host] == nil {
		g.functions[host] = &Function{image: image, host: host, name: name}
	}
}

// RegisterVariable notes a device variable.
func (r *Runtime) RegisterVariable(handle, host uint64, name string, size uint64, constant bool) {
	r.registerSymbol(handle, &Symbol{host: host, name: name, size: size, constant: constant})
}

// RegisterManaged notes a managed variable; host is the address of the pointer
// through which the host reaches it.
func (r *Runtime) RegisterManaged(handle, host uint64, name string, size uint64) {
	r.registerSymbol(handle, &Symbol{host: host, name: name, size: size, managed: true})
}

func (r *Runtime) registerSymbol(handle uint64, s *Symbol) {
	g := &r.registry
	g.mu.Lock()
	defer g.mu.Unlock()
	image := g.image(handle)
	if image == nil {
		return
	}
	s.image = image
	image.symbols = append(image.symbols, s)
	if s.managed {
		image.managed = append(image.managed, s)
	}
	if g.symbols[s.host] == nil {
		g.symbols[s.host] = s
	}
}

// RegisterTexture notes a texture reference; normalized says that integers are
// read as floats.
func (r *Runtime) RegisterTexture(handle, host uint64, name string, normalized bool) {
	r.registerReference(handle, &Reference{host: host, name: name, normalized: normalized})
}

// RegisterSurface notes a surface reference.
func (r *Runtime) RegisterSurface(handle, host uint64, name string) {
	r.registerReference(handle, &Reference{host: host, name: name, surface: true})
}

func (r *Runtime) registerReference(handle uint64, ref *Reference) {
	g := &r.registry
	g.mu.Lock()
	defer g.mu.Unlock()
	if image := g.image(handle); image != nil {
		ref.image = image
		image.refs = append(image.refs, ref)
		g.references[ref.host] = ref
	}
}

// Unregister forgets an image and what it brought, and frees its variables once
// the work of the devices is done.
func (r *Runtime) Unregister(handle uint64) {
	image := r.registry.remove(handle)
	if image == nil {
		return
	}
	for _, m := range image.modules {
		r.modules.take(m.handle)
	}
	for _, d := range r.devices {
		if c := d.existing(); c != nil {
			c.unload(image)
		}
	}
}

// remove takes an image out, nil if there is none.
func (g *registry) remove(handle uint64) *Image {
	g.mu.Lock()
	defer g.mu.Unlock()
	image := g.image(handle)
	if image == nil {
		return nil
	}
	delete(g.images, handle)
	g.order = slices.DeleteFunc(g.order, func(i *Image) bool { return i == image })
	for host, f := range g.functions {
		if f.image == image {
			delete(g.functions, host)
		}
	}
	for _, s := range image.symbols {
		if g.symbols[s.host] == s {
			delete(g.symbols, s.host)
		}
	}
	for _, ref := range image.refs {
		delete(g.references, ref.host)
	}
	return image
}

// function finds a kernel by its stub, which is also its handle.
func (r *Runtime) function(host uint64) (*Function, error) {
	r.registry.mu.RLock()
	defer r.registry.mu.RUnlock()
	if f := r.registry.functions[host]; f != nil {
		return f, nil
	}
	if f, ok := r.functions.get(host); ok {
		return f, nil
	}
	code := ErrInvalidDeviceFunction
	if host != 0 && r.config.Major >= 13 {
		code = ErrInvalidResourceHandle
	}
	return nil, fail(code, "no kernel is registered at %#x", host)
}

// symbol finds a variable by the address of its shadow, or of a managed one by
// the address of its slot or by its own.
func (r *Runtime) symbol(host uint64) (*Symbol, error) {
	g := &r.registry
	g.mu.RLock()
	defer g.mu.RUnlock()
	if s := g.symbols[host]; s != nil {
		return s, nil
	}
	for _, image := range g.order {
		for _, s := range image.managed {
			if host != 0 && s.address == host {
				return s, nil
			}
		}
	}
	return nil, fail(ErrInvalidSymbol, "no variable is registered at %#x", host)
}

func (r *Runtime) reference(host uint64) (*Reference, bool) {
	r.registry.mu.RLock()
	defer r.registry.mu.RUnlock()
	ref, ok := r.registry.references[host]
	return ref, ok
}

// InitModule makes the managed variables of an image usable by the host
// (__cudaInitModule).
func (t *Thread) InitModule(handle uint64) error {
	r := t.runtime
	r.registry.mu.RLock()
	image := r.registry.image(handle)
	r.registry.mu.RUnlock()
	if image == nil || len(image.managed) == 0 {
		return nil
	}
	c, err := t.context()
	if c == nil {
		return err
	}
	if err == nil {
		_, err = c.module(image)
	}
	return errors.Join(err, c.provide(image.managed))
}

// locate notes where a managed variable lies, 0 when it is gone.
func (r *Runtime) locate(s *Symbol, address uint64) {
	r.registry.mu.Lock()
	defer r.registry.mu.Unlock()
	s.address = address
}

// publish notes where a managed variable lies and tells the host's pointer.
func (r *Runtime) publish(s *Symbol, address uint64) {
	r.locate(s, address)
	slot := mem.Host(s.host, 8)
	for i := range slot {
		slot[i] = byte(address >> (8 * i))
	}
}
