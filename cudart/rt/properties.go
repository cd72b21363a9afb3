package rt

import "github.com/lockstep-sim/lockstep/cudart/layout"

// properties is what cudaGetDeviceProperties reports: the attributes of the
// model under other names.
func (d *Device) properties() *layout.DeviceProp {
	p := new(layout.DeviceProp)
	layout.SetString(p.Name[:], d.model.Name)
	p.Uuid = d.model.UUID(d.ordinal)
	p.TotalGlobalMem = d.model.TotalMemory
	d.launchProperties(p)
	d.memoryProperties(p)
	d.textureProperties(p)
	d.surfaceProperties(p)
	d.featureProperties(p)
	return p
}

func (d *Device) launchProperties(p *layout.DeviceProp) {
	l, sm, b := &d.model.Launch, &d.model.SM, &d.model.Board
	p.SharedMemPerBlock = uint64(l.SharedPerBlock)
	p.SharedMemPerBlockOptin = uint64(l.SharedPerBlockOptin)
	p.ReservedSharedMemPerBlock = uint64(l.SharedReserved)
	p.RegsPerBlock, p.WarpSize = l.RegistersPerBlock, l.WarpSize
	p.MaxThreadsPerBlock = l.MaxThreadsPerBlock
	p.MaxThreadsDim = [3]int32{l.MaxBlockX, l.MaxBlockY, l.MaxBlockZ}
	p.MaxGridSize = [3]int32{l.MaxGridX, l.MaxGridY, l.MaxGridZ}
	p.TotalConstMem = uint64(l.ConstantMemory)
	p.Major, p.Minor = sm.Major, sm.Minor
	p.MultiProcessorCount, p.MaxThreadsPerMultiProcessor = sm.Count, sm.Threads
	p.MaxBlocksPerMultiProcessor = sm.Blocks
	p.SharedMemPerMultiprocessor = uint64(sm.Shared)
	p.RegsPerMultiprocessor = sm.Registers
	p.SingleToDoublePrecisionPerfRatio = sm.SinglePerDouble
	p.ClockRate, p.ComputeMode, p.TccDriver = b.ClockRate, b.ComputeMode, b.TCC
	p.PciBusID, p.PciDeviceID, p.PciDomainID = b.PCIBus+int32(d.ordinal), b.PCIDevice, b.PCIDomain
	p.IsMultiGpuBoard, p.MultiGpuBoardGroupID = b.Multi, b.Group
	p.DeviceNumaConfig, p.DeviceNumaId = b.NUMAConfig, b.NUMANode
	p.GpuPciDeviceID, p.GpuPciSubsystemID = uint32(b.PCIID), uint32(b.PCISubsystem)
}

func (d *Device) memoryProperties(p *layout.DeviceProp) {
	m, h := &d.model.Memory, &d.model.Host
	p.MemPitch = uint64(m.MaxPitch)
	p.MemoryClockRate, p.MemoryBusWidth = m.ClockRate, m.BusWidth
	p.L2CacheSize, p.PersistingL2CacheMaxSize = m.L2, m.L2Persisting
	p.AccessPolicyMaxWindowSize = m.AccessWindow
	p.AsyncEngineCount = m.CopyEngines
	p.GlobalL1CacheSupported, p.LocalL1CacheSupported = m.GlobalL1, m.LocalL1
	p.ECCEnabled = m.ECC
	p.SparseCudaArraySupported, p.DeferredMappingCudaArraySupported = m.SparseArrays, m.DeferredArrays
	p.Integrated, p.CanMapHostMemory = h.Integrated, h.MapMemory
	p.UnifiedAddressing, p.ManagedMemory = h.UnifiedAddressing, h.ManagedMemory
	p.HostNativeAtomicSupported = h.NativeAtomics
	p.PageableMemoryAccess, p.PageableMemoryAccessUsesHostPageTables = h.PageableAccess, h.PageableTables
	p.ConcurrentManagedAccess, p.DirectManagedMemAccessFromHost = h.ConcurrentManaged, h.DirectManaged
	p.CanUseHostPointerForRegisteredMem = h.PointerForRegistered
	p.HostRegisterSupported, p.HostRegisterReadOnlySupported = h.Register, h.RegisterReadOnly
	p.HostNumaId, p.HostNumaMultinodeIpcSupported = h.NUMA, h.NUMAMultinode
}

func (d *Device) textureProperties(p *layout.DeviceProp) {
	t, v := &d.model.Texture, &d.model.Volume
	p.TextureAlignment, p.TexturePitchAlignment = uint64(t.Alignment), uint64(t.PitchAlignment)
	p.MaxTexture1D, p.MaxTexture1DMipmap, p.MaxTexture1DLinear = t.Width1D, t.MipWidth1D, t.LinearWidth1D
	p.MaxTexture2D = [2]int32{t.Width2D, t.Height2D}
	p.MaxTexture2DMipmap = [2]int32{t.MipWidth2D, t.MipHeight2D}
	p.MaxTexture2DLinear = [3]int32{t.LinearWidth2D, t.LinearHeight2D, t.LinearPitch2D}
	p.MaxTexture2DGather = [2]int32{t.GatherWidth2D, t.GatherHeight2D}
	p.MaxTexture1DLayered = [2]int32{t.LayeredWidth1D, t.Layers1D}
	p.MaxTexture2DLayered = [3]int32{t.LayeredWidth2D, t.LayeredHeight2D, t.Layers2D}
	p.MaxTexture3D = [3]int32{v.Width, v.Height, v.Depth}
	p.MaxTexture3DAlt = [3]int32{v.AltWidth, v.AltHeight, v.AltDepth}
	p.MaxTextureCubemap = v.CubeWidth
	p.MaxTextureCubemapLayered = [2]int32{v.CubeLayeredWidth, v.CubeLayers}
}

func (d *Device) surfaceProperties(p *layout.DeviceProp) {
	s := &d.model.Surface
	p.SurfaceAlignment = uint64(s.Alignment)
	p.MaxSurface1D = s.Width1D
	p.MaxSurface2D = [2]int32{s.Width2D, s.Height2D}
	p.MaxSurface3D = [3]int32{s.Width3D, s.Height3D, s.Depth3D}
	p.MaxSurface1DLayered = [2]int32{s.LayeredWidth1D, s.Layers1D}
	p.MaxSurface2DLayered = [3]int32{s.LayeredWidth2D, s.LayeredHeight2D, s.Layers2D}
	p.MaxSurfaceCubemap = s.CubeWidth
	p.MaxSurfaceCubemapLayered = [2]int32{s.CubeLayeredWidth, s.CubeLayers}
}

func (d *Device) featureProperties(p *layout.DeviceProp) {
	f, i := &d.model.Features, &d.model.Interop
	p.DeviceOverlap, p.KernelExecTimeoutEnabled = f.Overlap, f.Timeout
	p.ConcurrentKernels, p.StreamPrioritiesSupported = f.ConcurrentKernels, f.Priorities
	p.ComputePreemptionSupported = f.Preemption
	p.CooperativeLaunch, p.CooperativeMultiDeviceLaunch = f.Cooperative, f.MultiDevice
	p.ClusterLaunch, p.UnifiedFunctionPointers = f.Clusters, f.FunctionPointers
	p.MemoryPoolsSupported, p.MemoryPoolSupportedHandleTypes = f.Pools, uint32(f.PoolHandles)
	p.IpcEventSupported, p.TimelineSemaphoreInteropSupported = f.IPCEvents, f.Timeline
	p.MpsEnabled = f.MPS
	p.GpuDirectRDMASupported = i.RDMA
	p.GpuDirectRDMAFlushWritesOptions, p.GpuDirectRDMAWritesOrdering = uint32(i.RDMAFlush), i.RDMAOrder
}
