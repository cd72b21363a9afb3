package rt

import (
	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/models"
)

// config is what a program has asked for a kernel in a context
// (cudaFuncSetAttribute).
type config struct {
	shared   uint64 // dynamic shared memory it may ask for, in bytes; 0 for the default
	carveout int32  // percent of the shared memory of an SM that it prefers, -1 for no preference
	cache    int32  // preference of cudaFuncSetCacheConfig
	cluster  clusterConfig
}

// configs are the settings of kernels, by their stub.
type configs map[uint64]*config

// config is a kernel's settings. The lock of the context is held.
func (c *Context) config(f *Function) *config {
	if c.configs == nil {
		c.configs = configs{}
	}
	s := c.configs[f.host]
	if s == nil {
		s = &config{carveout: -1}
		c.configs[f.host] = s
	}
	return s
}

// Preferences of cudaFuncSetCacheConfig and cudaDeviceSetCacheConfig.
const (
	cacheNone   = 0
	cacheShared = 1
	cacheL1     = 2
	cacheEqual  = 3
)

// carved is the part of the shared memory of an SM that a kernel prefers, in percent. 0, what L1 is preferred with, leaves it at
// what the blocks need.
func (c *Context) carved(f *Function) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.config(f)
	if s.carveout >= 0 {
		return s.carveout
	}
	cache := s.cache
	if cache == cacheNone {
		cache = c.cache
	}
	switch cache {
	case cacheShared:
		return 100
	case cacheEqual:
		return 50
	}
	return 0
}

// dynamicLimit is the dynamic shared memory that a launch of the kernel may have.
func (c *Context) dynamicLimit(f *Function, k *isa.Kernel) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := uint64(c.device.model.Launch.SharedPerBlock)
	limit -= min(limit, uint64(k.StaticShared))
	return max(limit, c.config(f).shared)
}

// prepared is a kernel that the thread asked for, in its context.
type prepared struct {
	context  *Context
	function *Function
	module   *Module
	kernel   *isa.Kernel
}

// prepare finds a kernel by its handle in a context.
func (t *Thread) prepare(c *Context, handle uint64) (prepared, error) {
	f, err := t.runtime.function(handle)
	if err != nil {
		return prepared{}, err
	}
	if f.module != nil && f.module.context != c {
		return prepared{}, fail(ErrInvalidResourceHandle, "kernel %s belongs to another context", f.name)
	}
	m, err := c.module(f.image)
	if err != nil {
		return prepared{}, err
	}
	k, err := m.kernel(f.name)
	return prepared{c, f, m, k}, err
}

// prepareHere is prepare in the context of a function that belongs to one, or
// else in the current one.
func (t *Thread) prepareHere(handle uint64) (prepared, error) {
	if f, ok := t.runtime.functions.get(handle); ok && f.module != nil {
		c := f.module.context
		if err := c.check(); err != nil {
			return prepared{}, err
		}
		return t.prepare(c, handle)
	}
	c, err := t.context()
	if err != nil {
		return prepared{}, err
	}
	return t.prepare(c, handle)
}

// GetKernel checks that a stub belongs to a kernel; the stub is the handle
// (__cudaGetKernel, cudaGetFuncBySymbol).
func (t *Thread) GetKernel(stub uint64) (uint64, error) {
	_, err := t.runtime.function(stub)
	return stub, err
}

// KernelOfSymbol is GetKernel for those who ask for it by cudaGetKernel, which says
// kernel, or by cudaGetFuncBySymbol.
func (t *Thread) KernelOfSymbol(symbol uint64, kernel bool) (uint64, error) {
	if _, err := t.runtime.function(symbol); err != nil {
		if t.runtime.config.Major == 12 && symbol != 0 && kernel {
			return symbol, nil // as CUDA 12 does
		}
		return 0, fail(ErrInvalidDeviceFunction, "%#x is no kernel", symbol)
	}
	return symbol, nil
}

// FuncGetName is cudaFuncGetName.
func (t *Thread) FuncGetName(handle uint64) (string, error) {
	p, err := t.prepareHere(handle)
	if err != nil {
		return "", err
	}
	return p.kernel.Name, nil
}

// FuncGetParamCount is cudaFuncGetParamCount.
func (t *Thread) FuncGetParamCount(handle uint64) (int, error) {
	p, err := t.prepareHere(handle)
	if err != nil {
		return 0, err
	}
	return len(p.kernel.Params), nil
}

// FuncGetParamInfo is cudaFuncGetParamInfo: where a parameter lies, in bytes.
func (t *Thread) FuncGetParamInfo(handle, index uint64) (offset, size uint64, err error) {
	p, err := t.prepareHere(handle)
	if err != nil {
		return 0, 0, err
	}
	if index >= uint64(len(p.kernel.Params)) {
		return 0, 0, fail(ErrInvalidValue, "parameter %d of %d", index, len(p.kernel.Params))
	}
	param := p.kernel.Params[index]
	return uint64(param.Offset), uint64(param.Size), nil
}

// FuncGetAttributes is cudaFuncGetAttributes.
func (t *Thread) FuncGetAttributes(handle uint64) (*layout.FuncAttributes, error) {
	p, err := t.prepareHere(handle)
	if err != nil {
		return nil, err
	}
	dynamic := p.context.dynamicLimit(p.function, p.kernel)
	p.context.mu.Lock()
	defer p.context.mu.Unlock()
	settings := p.context.config(p.function)
	required := settings.cluster.requiredCluster(p.kernel)
	return &layout.FuncAttributes{
		SharedSizeBytes:           uint64(p.kernel.StaticShared),
		ConstSizeBytes:            p.module.constants(),
		LocalSizeBytes:            p.local(),
		MaxThreadsPerBlock:        int32(maxThreads(t.runtime.model, p.kernel)),
		NumRegs:                   int32(registers(p.kernel)),
		PtxVersion:                int32(p.module.image.compiledFor()),
		BinaryVersion:             int32(t.runtime.model.Architecture()),
		MaxDynamicSharedSizeBytes: int32(dynamic),
		PreferredShmemCarveout:    settings.carveout,

		ClusterDimMustBeSet:               oneIf(p.kernel.Cluster.Explicit),
		RequiredClusterWidth:              int32(required[0]),
		RequiredClusterHeight:             int32(required[1]),
		RequiredClusterDepth:              int32(required[2]),
		ClusterSchedulingPolicyPreference: settings.cluster.policy,
		NonPortableClusterSizeAllowed:     settings.cluster.nonPortable,
	}, nil
}

// constants is the constant memory of a module's variables in bytes.
func (m *Module) constants() uint64 {
	n := uint64(0)
	for _, v := range m.program.Variables() {
		if v.Constant {
			n = (n + max(v.Align, 1) - 1) / max(v.Align, 1) * max(v.Align, 1)
			n += v.Size
		}
	}
	return n
}

// oneIf is a truth as C has it.
func oneIf(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// local is the local memory of a thread in bytes.
func (p prepared) local() uint64 {
	if f, ok := p.module.image.hardware(p.kernel.Name); ok {
		return uint64(f.FrameSize)
	}
	return uint64(p.kernel.LocalBytes)
}

// registers is the number of registers of a thread, where unknown a middle one.
func registers(k *isa.Kernel) int {
	if k.Registers == 0 {
		return 32
	}
	return k.Registers
}

// registerGranule is the unit in which a warp gets registers (CUDA occupancy
// calculator, compute capability 3.0 and later).
const registerGranule = 256

// warpRegisters is what a warp of the kernel occupies of a register file.
func warpRegisters(g *models.GPU, k *isa.Kernel) int {
	return roundUp(registers(k)*int(g.Launch.WarpSize), registerGranule)
}

// partitions is the number of sub-cores of a multiprocessor; each has its part
// of the registers, and warps are dealt out evenly.
const partitions = 4

// registerWarps is how many warps of the kernel the registers of a
// multiprocessor hold.
func registerWarps(g *models.GPU, k *isa.Kernel) int {
	return int(g.SM.Registers) / partitions / warpRegisters(g, k) * partitions
}

// maxThreads is the largest block that the kernel can be launched with.
func maxThreads(g *models.GPU, k *isa.Kernel) int {
	n := int(g.Launch.MaxThreadsPerBlock)
	if k.MaxThreads > 0 {
		n = min(n, k.MaxThreads)
	}
	return min(n, registerWarps(g, k)*int(g.Launch.WarpSize))
}

func roundUp[N int | uint64](n, granule N) N { return (n + granule - 1) / granule * granule }

// The attributes of cudaFuncSetAttribute.
const (
	funcMaxDynamicShared = 8
	funcCarveout         = 9
	funcClusterWidth     = 11
	funcClusterDepth     = 13
	funcNonPortable      = 14
	funcClusterPolicy    = 15
)

// FuncSetAttribute is cudaFuncSetAttribute.
func (t *Thread) FuncSetAttribute(handle uint64, attribute int, value int) error {
	p, err := t.prepareHere(handle)
	if err != nil {
		return err
	}
	c := p.context
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.config(p.function)
	switch attribute {
	case funcMaxDynamicShared:
		most := int(c.device.model.Launch.SharedPerBlockOptin) - int(p.kernel.StaticShared)
		if value < 0 || value > most {
			return fail(ErrInvalidValue, "dynamic shared memory of %d bytes, the device allows %d", value, most)
		}
		s.shared = uint64(value)
	case funcCarveout:
		if value < -1 || value > 100 {
			return fail(ErrInvalidValue, "shared memory carve-out of %d percent", value)
		}
		s.carveout = int32(value)
	case funcClusterWidth, funcClusterHeight, funcClusterDepth, funcNonPortable, funcClusterPolicy:
		return s.cluster.set(attribute, value, &p.kernel.Cluster)
	default:
		return fail(ErrInvalidValue, "function attribute %d", attribute)
	}
	return nil
}

// FuncSetCacheConfig is cudaFuncSetCacheConfig.
func (t *Thread) FuncSetCacheConfig(handle uint64, preference int) error {
	p, err := t.prepareHere(handle)
	if err != nil {
		return err
	}
	if preference < cacheNone || preference > cacheEqual {
		return fail(ErrInvalidValue, "cache preference %d", preference)
	}
	c := p.context
	c.mu.Lock()
	defer c.mu.Unlock()
	c.config(p.function).cache = int32(preference)
	return nil
}

// FuncSetSharedMemConfig is cudaFuncSetSharedMemConfig: banks have one width on
// all devices that still exist.
func (t *Thread) FuncSetSharedMemConfig(handle uint64, config int) error {
	if _, err := t.prepareHere(handle); err != nil {
		return err
	}
	if config < 0 || config > 2 {
		return fail(ErrInvalidValue, "shared memory configuration %d", config)
	}
	return nil
}
