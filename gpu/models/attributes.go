package models

// Launch is a part of a GPU: limits of a launch.
type Launch struct {
	MaxThreadsPerBlock  int32  `opt:"launch.max_threads_per_block" attr:"1" doc:"Threads of a block."`
	MaxBlockX           int32  `opt:"launch.max_block_x" unit:"threads" attr:"2" doc:"Block extent in x."`
	MaxBlockY           int32  `opt:"launch.max_block_y" unit:"threads" attr:"3" doc:"Block extent in y."`
	MaxBlockZ           int32  `opt:"launch.max_block_z" unit:"threads" attr:"4" doc:"Block extent in z."`
	MaxGridX            int32  `opt:"launch.max_grid_x" unit:"blocks" attr:"5" doc:"Grid extent in x."`
	MaxGridY            int32  `opt:"launch.max_grid_y" unit:"blocks" attr:"6" doc:"Grid extent in y."`
	MaxGridZ            int32  `opt:"launch.max_grid_z" unit:"blocks" attr:"7" doc:"Grid extent in z."`
	SharedPerBlock      int32  `opt:"launch.shared_per_block" unit:"bytes" attr:"8" doc:"Shared memory of a block without opting in."`
	SharedPerBlockOptin int32  `opt:"launch.shared_per_block_optin" unit:"bytes" attr:"97" doc:"Shared memory of a block after opting in."`
	SharedReserved      int32  `opt:"launch.shared_reserved" unit:"bytes" attr:"111" doc:"Shared memory of a block that the system keeps."`
	RegistersPerBlock   int32  `opt:"launch.registers_per_block" attr:"12" doc:"Registers of a block."`
	WarpSize            int32  `opt:"launch.warp_size" unit:"threads" attr:"10" doc:"Threads of a warp."`
	ConstantMemory      int32  `opt:"launch.constant_memory" unit:"bytes" attr:"9" doc:"Constant memory of a module."`
	Stack               uint32 `opt:"launch.stack" unit:"bytes" default:"1024" doc:"Call stack of a thread, unless the program sets it." src:"measured on an H200"`
	Heap                uint64 `opt:"launch.heap" unit:"bytes" default:"8388608" doc:"Heap of malloc in kernels, unless the program sets it." src:"measured on an H200"`
	Pending             uint32 `opt:"launch.pending" unit:"grids" default:"2048" doc:"Launches of kernels by kernels that may wait, unless the program sets it." src:"measured on an H200"`
	Grids               int    `opt:"launch.grids" unit:"grids" default:"128" doc:"Grids that run at the same time." src:"CUDA programming guide, cc 9.0"`
}

// SM is a part of a GPU: one multiprocessor, and how many there are.
type SM struct {
	Count           int32  `opt:"sm.count" attr:"16" doc:"Multiprocessors."`
	Threads         int32  `opt:"sm.threads" attr:"39" doc:"Resident threads."`
	Blocks          int32  `opt:"sm.blocks" attr:"106" doc:"Resident blocks."`
	Shared          int32  `opt:"sm.shared" unit:"bytes" attr:"81" doc:"Shared memory."`
	Registers       int32  `opt:"sm.registers" attr:"82" doc:"Registers."`
	Major           int32  `opt:"sm.major" attr:"75" doc:"Compute capability, major number."`
	Minor           int32  `opt:"sm.minor" attr:"76" doc:"Compute capability, minor number."`
	GroupSizes      string `opt:"sm.groups" default:"" doc:"Multiprocessors of each group (GPC), which hold whole clusters, divided by commas."`
	NewestPTX       int32  `opt:"sm.newest_ptx" default:"0" doc:"Newest architecture whose PTX is taken where there is none for the GPU's own; 0 for none."`
	SinglePerDouble int32  `opt:"sm.single_per_double" attr:"87" doc:"Throughput of single precision over double precision."`
}

// Memory is a part of a GPU: device memory and caches.
type Memory struct {
	BusWidth             int32 `opt:"memory.bus_width" unit:"bits" attr:"37" doc:"Width of the memory bus."`
	ClockRate            int32 `opt:"memory.clock_rate" unit:"kHz" attr:"36" doc:"Clock of the memory."`
	L2                   int32 `opt:"memory.l2" unit:"bytes" attr:"38" doc:"Level-2 cache."`
	L2Persisting         int32 `opt:"memory.l2_persisting" unit:"bytes" attr:"108" doc:"Level-2 cache that can be set aside for persisting accesses."`
	AccessWindow         int32 `opt:"memory.access_window" unit:"bytes" attr:"109" doc:"Access policy window."`
	MaxPitch             int32 `opt:"memory.max_pitch" unit:"bytes" attr:"11" doc:"Pitch of a copy."`
	CopyEngines          int32 `opt:"memory.copy_engines" attr:"40" doc:"Copies under way at the same time."`
	GlobalL1             int32 `opt:"memory.global_l1" attr:"79" doc:"Global accesses are cached in L1."`
	LocalL1              int32 `opt:"memory.local_l1" attr:"80" doc:"Local accesses are cached in L1."`
	ECC                  int32 `opt:"memory.ecc" attr:"32" doc:"Error correction is on."`
	SyncDomains          int32 `opt:"memory.sync_domains" attr:"126" doc:"Memory synchronisation domains."`
	SparseArrays         int32 `opt:"memory.sparse_arrays" attr:"112" doc:"Sparse CUDA arrays."`
	DeferredArrays       int32 `opt:"memory.deferred_arrays" attr:"121" doc:"CUDA arrays with deferred mapping."`
	Compression          int32 `opt:"memory.compression" attr:"107" doc:"Compressible memory."`
	DecompressAlgorithms int32 `opt:"memory.decompress_algorithms" unit:"mask" attr:"136" doc:"Hardware decompression."`
	DecompressLength     int32 `opt:"memory.decompress_length" unit:"bytes" attr:"137" doc:"Longest hardware decompression."`
}

// Host is a part of a GPU: what host and device share.
type Host struct {
	Integrated           int32 `opt:"host.integrated" attr:"18" doc:"Shares its memory with the host."`
	MapMemory            int32 `opt:"host.map_memory" attr:"19" doc:"Maps host memory."`
	UnifiedAddressing    int32 `opt:"host.unified_addressing" attr:"41" doc:"One address space with the host."`
	ManagedMemory        int32 `opt:"host.managed_memory" attr:"83" doc:"Managed memory."`
	NativeAtomics        int32 `opt:"host.native_atomics" attr:"86" doc:"Atomics to host memory."`
	PartialNativeAtomics int32 `opt:"host.partial_native_atomics" attr:"147" doc:"Only some atomics to host memory."`
	PageableAccess       int32 `opt:"host.pageable_access" attr:"88" doc:"Reaches pageable memory."`
	PageableTables       int32 `opt:"host.pageable_tables" attr:"100" doc:"Uses the host's page tables."`
	ConcurrentManaged    int32 `opt:"host.concurrent_managed" attr:"89" doc:"Host may touch managed memory while kernels run."`
	DirectManaged        int32 `opt:"host.direct_managed" attr:"101" doc:"Host reaches managed memory without migration."`
	PointerForRegistered int32 `opt:"host.pointer_for_registered" attr:"91" doc:"Registered memory has one pointer."`
	FlushRemoteWrites    int32 `opt:"host.flush_remote_writes" attr:"98" doc:"Can flush outstanding remote writes."`
	Register             int32 `opt:"host.register" attr:"99" doc:"Registers host memory."`
	RegisterReadOnly     int32 `opt:"host.register_read_only" attr:"113" doc:"Registers read-only host memory."`
	NUMA                 int32 `opt:"host.numa" attr:"134" doc:"Nearest NUMA node of the host."`
	NUMAVirtual          int32 `opt:"host.numa_virtual" attr:"141" doc:"Virtual memory management on host NUMA nodes."`
	NUMAPools            int32 `opt:"host.numa_pools" attr:"142" doc:"Memory pools on host NUMA nodes."`
	NUMAMultinode        int32 `opt:"host.numa_multinode" attr:"143" doc:"Multi-node sharing of host NUMA memory."`
	Pools                int32 `opt:"host.pools" attr:"144" doc:"Memory pools on the host."`
	Virtual              int32 `opt:"host.virtual" attr:"145" doc:"Virtual memory management on the host."`
	DMABuf               int32 `opt:"host.dma_buf" attr:"146" doc:"Exports host allocations as DMA buffers."`
	D3D12                int32 `opt:"host.d3d12" attr:"135" doc:"Graphics interoperation contexts, Direct3D 12."`
	Vulkan               int32 `opt:"host.vulkan" attr:"138" doc:"Graphics interoperation contexts, Vulkan."`
}

// Features is a part of a GPU: what the device can do.
type Features struct {
	Overlap           int32 `opt:"feature.overlap" attr:"15" doc:"Copies while a kernel runs."`
	Timeout           int32 `opt:"feature.timeout" attr:"17" doc:"Kernels have a time limit."`
	ConcurrentKernels int32 `opt:"feature.concurrent_kernels" attr:"31" doc:"Several kernels at the same time."`
	Priorities        int32 `opt:"feature.priorities" attr:"78" doc:"Stream priorities."`
	Preemption        int32 `opt:"feature.preemption" attr:"90" doc:"Preempts compute work."`
	Cooperative       int32 `opt:"feature.cooperative" attr:"95" doc:"Cooperative launches."`
	MultiDevice       int32 `opt:"feature.multi_device" attr:"96" doc:"Cooperative launches over several devices."`
	Clusters          int32 `opt:"feature.clusters" attr:"120" doc:"Cluster launches."`
	Pools             int32 `opt:"feature.pools" attr:"115" doc:"Memory pools."`
	PoolHandles       int32 `opt:"feature.pool_handles" unit:"mask" attr:"119" doc:"Handle types of memory pools."`
	VirtualMemory     int32 `opt:"feature.virtual_memory" attr:"102" doc:"Virtual memory management."`
	FileHandles       int32 `opt:"feature.file_handles" attr:"103" doc:"Exports memory as file descriptors."`
	Win32Handles      int32 `opt:"feature.win32_handles" attr:"104" doc:"Exports memory as NT handles."`
	KMTHandles        int32 `opt:"feature.kmt_handles" attr:"105" doc:"Exports memory as KMT handles."`
	FabricHandles     int32 `opt:"feature.fabric_handles" attr:"128" doc:"Exports memory as fabric handles."`
	DMABuf            int32 `opt:"feature.dma_buf" attr:"124" doc:"Exports memory as DMA buffers."`
	IPCEvents         int32 `opt:"feature.ipc_events" attr:"125" doc:"Events between processes."`
	TensorMaps        int32 `opt:"feature.tensor_maps" attr:"127" doc:"Tensor map access."`
	FunctionPointers  int32 `opt:"feature.function_pointers" attr:"129" doc:"Unified function pointers."`
	Multicast         int32 `opt:"feature.multicast" attr:"132" doc:"Multicast memory."`
	Timeline          int32 `opt:"feature.timeline" attr:"114" doc:"Timeline semaphores."`
	MPS               int32 `opt:"feature.mps" attr:"133" doc:"Multi-process service is active."`
}

// Interop is a part of a GPU: stream memory operations and remote access.
type Interop struct {
	StreamMemory   int32 `opt:"interop.stream_memory" attr:"92" doc:"Stream memory operations, first form."`
	StreamMemory64 int32 `opt:"interop.stream_memory_64" attr:"93" doc:"64-bit stream memory operations, first form."`
	WaitNOR        int32 `opt:"interop.wait_nor" attr:"94" doc:"Stream wait with NOR, first form."`
	Memory64       int32 `opt:"interop.memory_64" attr:"122" doc:"64-bit stream memory operations."`
	NOR            int32 `opt:"interop.nor" attr:"123" doc:"Stream wait with NOR."`
	RDMA           int32 `opt:"interop.rdma" attr:"116" doc:"GPUDirect RDMA."`
	RDMAVirtual    int32 `opt:"interop.rdma_virtual" attr:"110" doc:"GPUDirect RDMA with virtual memory management."`
	RDMAFlush      int32 `opt:"interop.rdma_flush" unit:"mask" attr:"117" doc:"Ways to flush GPUDirect RDMA writes."`
	RDMAOrder      int32 `opt:"interop.rdma_order" attr:"118" doc:"Ordering of GPUDirect RDMA writes."`
}

// Board is a part of a GPU: the board and its place.
type Board struct {
	ClockRate    int32 `opt:"board.clock_rate" unit:"kHz" attr:"13" doc:"Peak clock of the multiprocessors."`
	ComputeMode  int32 `opt:"board.compute_mode" attr:"20" doc:"Who may use the device; 0 is everybody."`
	PCIBus       int32 `opt:"board.pci_bus" attr:"33" doc:"PCI bus."`
	PCIDevice    int32 `opt:"board.pci_device" attr:"34" doc:"PCI device."`
	PCIDomain    int32 `opt:"board.pci_domain" attr:"50" doc:"PCI domain."`
	PCIID        int32 `opt:"board.pci_id" attr:"139" doc:"PCI vendor and device."`
	PCISubsystem int32 `opt:"board.pci_subsystem" attr:"140" doc:"PCI subsystem."`
	TCC          int32 `opt:"board.tcc" attr:"35" doc:"Compute-only driver model."`
	Multi        int32 `opt:"board.multi" attr:"84" doc:"Several devices on a board."`
	Group        int32 `opt:"board.group" attr:"85" doc:"Devices of the same board."`
	NUMAConfig   int32 `opt:"board.numa_config" attr:"130" doc:"The device is a NUMA node."`
	NUMANode     int32 `opt:"board.numa_node" attr:"131" doc:"NUMA node of the device's memory; -1 for none."`
}

// Texture is a part of a GPU: textures of one and two dimensions.
type Texture struct {
	Alignment       int32 `opt:"texture.alignment" unit:"bytes" attr:"14" doc:"Alignment of a texture's base."`
	PitchAlignment  int32 `opt:"texture.pitch_alignment" unit:"bytes" attr:"51" doc:"Alignment of a pitch."`
	Width1D         int32 `opt:"texture.width_1d" unit:"elements" attr:"21" doc:"1-D width."`
	MipWidth1D      int32 `opt:"texture.mip_width_1d" unit:"elements" attr:"77" doc:"1-D mip-mapped width."`
	LinearWidth1D   int32 `opt:"texture.linear_width_1d" unit:"elements" attr:"69" doc:"Width over linear memory."`
	LayeredWidth1D  int32 `opt:"texture.layered_width_1d" unit:"elements" attr:"42" doc:"1-D layered width."`
	Layers1D        int32 `opt:"texture.layers_1d" attr:"43" doc:"1-D layers."`
	Width2D         int32 `opt:"texture.width_2d" unit:"elements" attr:"22" doc:"2-D width."`
	Height2D        int32 `opt:"texture.height_2d" unit:"elements" attr:"23" doc:"2-D height."`
	MipWidth2D      int32 `opt:"texture.mip_width_2d" unit:"elements" attr:"73" doc:"2-D mip-mapped width."`
	MipHeight2D     int32 `opt:"texture.mip_height_2d" unit:"elements" attr:"74" doc:"2-D mip-mapped height."`
	LinearWidth2D   int32 `opt:"texture.linear_width_2d" unit:"elements" attr:"70" doc:"2-D width over pitched memory."`
	LinearHeight2D  int32 `opt:"texture.linear_height_2d" unit:"elements" attr:"71" doc:"2-D height over pitched memory."`
	LinearPitch2D   int32 `opt:"texture.linear_pitch_2d" unit:"bytes" attr:"72" doc:"2-D pitch."`
	Gather          int32 `opt:"texture.gather" attr:"44" doc:"Gathers from 2-D textures."`
	GatherWidth2D   int32 `opt:"texture.gather_width_2d" unit:"elements" attr:"45" doc:"2-D width for gathers."`
	GatherHeight2D  int32 `opt:"texture.gather_height_2d" unit:"elements" attr:"46" doc:"2-D height for gathers."`
	LayeredWidth2D  int32 `opt:"texture.layered_width_2d" unit:"elements" attr:"27" doc:"2-D layered width."`
	LayeredHeight2D int32 `opt:"texture.layered_height_2d" unit:"elements" attr:"28" doc:"2-D layered height."`
	Layers2D        int32 `opt:"texture.layers_2d" attr:"29" doc:"2-D layers."`
}

// Volume is a part of a GPU: textures of three dimensions and cubemaps.
type Volume struct {
	Width            int32 `opt:"volume.width" unit:"elements" attr:"24" doc:"Width."`
	Height           int32 `opt:"volume.height" unit:"elements" attr:"25" doc:"Height."`
	Depth            int32 `opt:"volume.depth" unit:"elements" attr:"26" doc:"Depth."`
	AltWidth         int32 `opt:"volume.alt_width" unit:"elements" attr:"47" doc:"Alternate width."`
	AltHeight        int32 `opt:"volume.alt_height" unit:"elements" attr:"48" doc:"Alternate height."`
	AltDepth         int32 `opt:"volume.alt_depth" unit:"elements" attr:"49" doc:"Alternate depth."`
	CubeWidth        int32 `opt:"volume.cube_width" unit:"elements" attr:"52" doc:"Cubemap width."`
	CubeLayeredWidth int32 `opt:"volume.cube_layered_width" unit:"elements" attr:"53" doc:"Layered cubemap width."`
	CubeLayers       int32 `opt:"volume.cube_layers" attr:"54" doc:"Layers of layered cubemaps."`
}

// Surface is a part of a GPU: surfaces.
type Surface struct {
	Alignment        int32 `opt:"surface.alignment" unit:"bytes" attr:"30" doc:"Alignment of a surface's base."`
	Width1D          int32 `opt:"surface.width_1d" unit:"elements" attr:"55" doc:"1-D width."`
	LayeredWidth1D   int32 `opt:"surface.layered_width_1d" unit:"elements" attr:"61" doc:"1-D layered width."`
	Layers1D         int32 `opt:"surface.layers_1d" attr:"62" doc:"1-D layers."`
	Width2D          int32 `opt:"surface.width_2d" unit:"elements" attr:"56" doc:"2-D width."`
	Height2D         int32 `opt:"surface.height_2d" unit:"elements" attr:"57" doc:"2-D height."`
	LayeredWidth2D   int32 `opt:"surface.layered_width_2d" unit:"elements" attr:"63" doc:"2-D layered width."`
	LayeredHeight2D  int32 `opt:"surface.layered_height_2d" unit:"elements" attr:"64" doc:"2-D layered height."`
	Layers2D         int32 `opt:"surface.layers_2d" attr:"65" doc:"2-D layers."`
	Width3D          int32 `opt:"surface.width_3d" unit:"elements" attr:"58" doc:"3-D width."`
	Height3D         int32 `opt:"surface.height_3d" unit:"elements" attr:"59" doc:"3-D height."`
	Depth3D          int32 `opt:"surface.depth_3d" unit:"elements" attr:"60" doc:"3-D depth."`
	CubeWidth        int32 `opt:"surface.cube_width" unit:"elements" attr:"66" doc:"Cubemap width."`
	CubeLayeredWidth int32 `opt:"surface.cube_layered_width" unit:"elements" attr:"67" doc:"Layered cubemap width."`
	CubeLayers       int32 `opt:"surface.cube_layers" attr:"68" doc:"Layers of layered cubemaps."`
}
