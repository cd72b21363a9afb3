// The driver's functions as the tests call them, by the names that its header leads to.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../cudart/driver_types.h"

typedef CUhandle CUcontext, CUmodule, CUfunction, CUstream, CUevent, CUarray, CUlibrary, CUkernel, CUlinkState, CUpool, CUgraph;
typedef const char *text;

CUresult cuInit(unsigned), cuDriverGetVersion(int *), cuGetErrorName(CUresult, text *), cuGetErrorString(CUresult, text *);
CUresult cuGetProcAddress(text, void **, int, uint64_t), cuGetProcAddress_v2(text, void **, int, uint64_t, int *);
CUresult cuGetExportTable(const void **, const void *);

CUresult cuDeviceGet(CUdevice *, int), cuDeviceGetCount(int *), cuDeviceGetName(char *, int, CUdevice);
CUresult cuDeviceTotalMem_v2(size_t *, CUdevice), cuDeviceGetAttribute(int *, int, CUdevice);
CUresult cuDeviceGetUuid_v2(void *, CUdevice), cuDeviceGetPCIBusId(char *, int, CUdevice), cuDeviceGetByPCIBusId(CUdevice *, text);
CUresult cuDeviceComputeCapability(int *, int *, CUdevice), cuDeviceGetProperties(CUdevprop *, CUdevice);
CUresult cuDeviceCanAccessPeer(int *, CUdevice, CUdevice), cuDeviceGetP2PAttribute(int *, int, CUdevice, CUdevice);
CUresult cuDeviceGetLuid(char *, unsigned *, CUdevice), cuDeviceGetExecAffinitySupport(int *, int, CUdevice);
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *, int, unsigned, CUdevice);
CUresult cuDevicePrimaryCtxRetain(CUcontext *, CUdevice), cuDevicePrimaryCtxRelease_v2(CUdevice), cuDevicePrimaryCtxReset_v2(CUdevice);
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice, unsigned), cuDevicePrimaryCtxGetState(CUdevice, unsigned *, int *);
CUresult cuDeviceGetDefaultMemPool(CUpool *, CUdevice), cuDeviceGetMemPool(CUpool *, CUdevice), cuDeviceSetMemPool(CUdevice, CUpool);

CUresult cuCtxCreate_v2(CUcontext *, unsigned, CUdevice), cuCtxDestroy_v2(CUcontext), cuCtxPushCurrent_v2(CUcontext);
CUresult cuCtxCreate_v3(CUcontext *, CUexecAffinityParam *, int, unsigned, CUdevice);
CUresult cuCtxPopCurrent_v2(CUcontext *), cuCtxSetCurrent(CUcontext), cuCtxGetCurrent(CUcontext *), cuCtxGetDevice(CUdevice *);
CUresult cuCtxGetFlags(unsigned *), cuCtxSetFlags(unsigned), cuCtxGetId(CUcontext, unsigned long long *), cuCtxSynchronize(void);
CUresult cuCtxSetLimit(int, size_t), cuCtxGetLimit(size_t *, int), cuCtxGetCacheConfig(int *), cuCtxSetCacheConfig(int);
CUresult cuCtxGetSharedMemConfig(int *), cuCtxSetSharedMemConfig(int), cuCtxGetApiVersion(CUcontext, unsigned *);
CUresult cuCtxGetStreamPriorityRange(int *, int *), cuCtxAttach(CUcontext *, unsigned), cuCtxDetach(CUcontext);
CUresult cuCtxResetPersistingL2Cache(void), cuCtxGetExecAffinity(CUexecAffinityParam *, int);
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned), cuCtxDisablePeerAccess(CUcontext);

CUresult cuModuleLoad(CUmodule *, text), cuModuleLoadData(CUmodule *, const void *), cuModuleUnload(CUmodule);
CUresult cuModuleLoadDataEx(CUmodule *, const void *, unsigned, int *, void **), cuModuleLoadFatBinary(CUmodule *, const void *);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, text), cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, text);
CUresult cuModuleGetTexRef(CUhandle *, CUmodule, text), cuModuleGetSurfRef(CUhandle *, CUmodule, text), cuModuleGetLoadingMode(int *);
CUresult cuModuleGetFunctionCount(unsigned *, CUmodule), cuModuleEnumerateFunctions(CUfunction *, unsigned, CUmodule);
CUresult cuLinkCreate_v2(unsigned, int *, void **, CUlinkState *), cuLinkComplete(CUlinkState, void **, size_t *), cuLinkDestroy(CUlinkState);
CUresult cuLinkAddData_v2(CUlinkState, int, void *, size_t, text, unsigned, int *, void **);
CUresult cuLinkAddFile_v2(CUlinkState, int, text, unsigned, int *, void **);
CUresult cuLibraryLoadData(CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned), cuLibraryUnload(CUlibrary);
CUresult cuLibraryLoadFromFile(CUlibrary *, text, int *, void **, unsigned, int *, void **, unsigned);
CUresult cuLibraryGetKernel(CUkernel *, CUlibrary, text), cuLibraryGetModule(CUmodule *, CUlibrary);
CUresult cuLibraryGetGlobal(CUdeviceptr *, size_t *, CUlibrary, text), cuLibraryGetManaged(CUdeviceptr *, size_t *, CUlibrary, text);
CUresult cuLibraryGetKernelCount(unsigned *, CUlibrary), cuLibraryEnumerateKernels(CUkernel *, unsigned, CUlibrary);
CUresult cuKernelGetFunction(CUfunction *, CUkernel), cuKernelGetAttribute(int *, int, CUkernel, CUdevice), cuKernelGetName(text *, CUkernel);
CUresult cuKernelSetAttribute(int, int, CUkernel, CUdevice), cuKernelSetCacheConfig(CUkernel, int, CUdevice);
CUresult cuKernelGetParamInfo(CUkernel, size_t, size_t *, size_t *), cuKernelGetLibrary(CUlibrary *, CUkernel);

CUresult cuFuncGetAttribute(int *, int, CUfunction), cuFuncSetAttribute(CUfunction, int, int), cuFuncSetCacheConfig(CUfunction, int);
CUresult cuFuncSetSharedMemConfig(CUfunction, int), cuFuncGetModule(CUmodule *, CUfunction), cuFuncGetName(text *, CUfunction);
CUresult cuFuncGetParamInfo(CUfunction, size_t, size_t *, size_t *), cuFuncIsLoaded(int *, CUfunction), cuFuncLoad(CUfunction);
CUresult cuFuncSetBlockShape(CUfunction, int, int, int), cuFuncSetSharedSize(CUfunction, unsigned), cuLaunch(CUfunction);
CUresult cuParamSetSize(CUfunction, unsigned), cuParamSeti(CUfunction, int, unsigned), cuParamSetf(CUfunction, int, float);
CUresult cuParamSetv(CUfunction, int, void *, unsigned), cuLaunchGrid(CUfunction, int, int), cuLaunchGridAsync(CUfunction, int, int, CUstream);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
CUresult cuLaunchCooperativeKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **);
CUresult cuLaunchKernelEx(const CUlaunchConfig *, CUfunction, void **, void **), cuLaunchHostFunc(CUstream, cudaHostFn_t, void *);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, CUfunction, int, size_t);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, CUfunction, int, size_t, unsigned);
CUresult cuOccupancyMaxPotentialBlockSize(int *, int *, CUfunction, CUoccupancyB2DSize, size_t, int);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *, CUfunction, int, int);
CUresult cuOccupancyMaxActiveClusters(int *, CUfunction, const CUlaunchConfig *), cuOccupancyMaxPotentialClusterSize(int *, CUfunction, const CUlaunchConfig *);

CUresult cuMemGetInfo_v2(size_t *, size_t *), cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemFree_v2(CUdeviceptr);
CUresult cuMemAllocPitch_v2(CUdeviceptr *, size_t *, size_t, size_t, unsigned), cuMemGetAddressRange_v2(CUdeviceptr *, size_t *, CUdeviceptr);
CUresult cuMemAllocHost_v2(void **, size_t), cuMemFreeHost(void *), cuMemHostAlloc(void **, size_t, unsigned);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *, void *, unsigned), cuMemHostGetFlags(unsigned *, void *);
CUresult cuMemHostRegister_v2(void *, size_t, unsigned), cuMemHostUnregister(void *), cuMemAllocManaged(CUdeviceptr *, size_t, unsigned);
CUresult cuMemcpy(CUdeviceptr, CUdeviceptr, size_t), cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
CUresult cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t), cuMemcpyDtoD_v2(CUdeviceptr, CUdeviceptr, size_t);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, CUstream), cuMemcpyDtoHAsync_v2(void *, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, size_t, CUstream), cuMemcpyAsync(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *), cuMemcpy3D_v2(const CUDA_MEMCPY3D *), cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *);
CUresult cuMemcpyPeer(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t);
CUresult cuMemcpyHtoA_v2(CUarray, size_t, const void *, size_t), cuMemcpyAtoH_v2(void *, CUarray, size_t, size_t);
CUresult cuMemcpyDtoA_v2(CUarray, size_t, CUdeviceptr, size_t), cuMemcpyAtoD_v2(CUdeviceptr, CUarray, size_t, size_t);
CUresult cuMemsetD8_v2(CUdeviceptr, unsigned char, size_t), cuMemsetD16_v2(CUdeviceptr, unsigned short, size_t);
CUresult cuMemsetD32_v2(CUdeviceptr, unsigned, size_t), cuMemsetD2D8_v2(CUdeviceptr, size_t, unsigned char, size_t, size_t);
CUresult cuMemsetD2D32_v2(CUdeviceptr, size_t, unsigned, size_t, size_t), cuMemsetD32Async(CUdeviceptr, unsigned, size_t, CUstream);
CUresult cuPointerGetAttribute(void *, int, CUdeviceptr), cuPointerGetAttributes(unsigned, int *, void **, CUdeviceptr);
CUresult cuPointerSetAttribute(const void *, int, CUdeviceptr), cuMemAdvise(CUdeviceptr, size_t, int, CUdevice);
CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream), cuMemRangeGetAttribute(void *, size_t, int, CUdeviceptr, size_t);
CUresult cuMemAllocAsync(CUdeviceptr *, size_t, CUstream), cuMemFreeAsync(CUdeviceptr, CUstream), cuMemPoolCreate(CUpool *, const CUmemPoolProps *);
CUresult cuMemPoolDestroy(CUpool), cuMemPoolGetAttribute(CUpool, int, void *), cuMemPoolSetAttribute(CUpool, int, void *), cuMemPoolTrimTo(CUpool, size_t);
CUresult cuMemPoolSetAccess(CUpool, const CUmemAccessDesc *, size_t), cuMemPoolGetAccess(int *, CUpool, cudaMemLocation *);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *, size_t, CUpool, CUstream);
CUresult cuMemAddressReserve(CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long), cuMemAddressFree(CUdeviceptr, size_t);
CUresult cuMemCreate(CUhandle *, size_t, const CUmemAllocationProp *, unsigned long long), cuMemRelease(CUhandle);
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUhandle, unsigned long long), cuMemUnmap(CUdeviceptr, size_t);
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc *, size_t), cuMemGetAccess(unsigned long long *, const cudaMemLocation *, CUdeviceptr);
CUresult cuMemGetAllocationGranularity(size_t *, const CUmemAllocationProp *, int), cuMemRetainAllocationHandle(CUhandle *, void *);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *, CUhandle);

CUresult cuStreamCreate(CUstream *, unsigned), cuStreamCreateWithPriority(CUstream *, unsigned, int), cuStreamDestroy_v2(CUstream);
CUresult cuStreamSynchronize(CUstream), cuStreamQuery(CUstream), cuStreamGetFlags(CUstream, unsigned *), cuStreamGetPriority(CUstream, int *);
CUresult cuStreamGetCtx(CUstream, CUcontext *), cuStreamGetId(CUstream, unsigned long long *), cuStreamWaitEvent(CUstream, CUevent, unsigned);
CUresult cuStreamAddCallback(CUstream, CUstreamCallback, void *, unsigned), cuStreamAttachMemAsync(CUstream, CUdeviceptr, size_t, unsigned);
CUresult cuStreamWaitValue32_v2(CUstream, CUdeviceptr, uint32_t, unsigned), cuStreamWriteValue32_v2(CUstream, CUdeviceptr, uint32_t, unsigned);
CUresult cuStreamIsCapturing(CUstream, int *), cuThreadExchangeStreamCaptureMode(int *);
CUresult cuEventCreate(CUevent *, unsigned), cuEventDestroy_v2(CUevent), cuEventRecord(CUevent, CUstream), cuEventQuery(CUevent);
CUresult cuEventRecordWithFlags(CUevent, CUstream, unsigned), cuEventSynchronize(CUevent), cuEventElapsedTime(float *, CUevent, CUevent);

CUresult cuArrayCreate_v2(CUarray *, const CUDA_ARRAY_DESCRIPTOR *), cuArrayDestroy(CUarray), cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *, CUarray);
CUresult cuArray3DCreate_v2(CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *), cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *, CUarray);
CUresult cuMipmappedArrayCreate(CUhandle *, const CUDA_ARRAY3D_DESCRIPTOR *, unsigned), cuMipmappedArrayDestroy(CUhandle);
CUresult cuMipmappedArrayGetLevel(CUarray *, CUhandle, unsigned);
CUresult cuTexObjectCreate(CUhandle *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *, const CUDA_RESOURCE_VIEW_DESC *), cuTexObjectDestroy(CUhandle);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *, CUhandle), cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *, CUhandle);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *, CUhandle), cuSurfObjectCreate(CUhandle *, const CUDA_RESOURCE_DESC *), cuSurfObjectDestroy(CUhandle);
CUresult cuTexRefCreate(CUhandle *), cuTexRefDestroy(CUhandle), cuTexRefSetFormat(CUhandle, int, int), cuTexRefSetFlags(CUhandle, unsigned);
CUresult cuTexRefSetAddressMode(CUhandle, int, int), cuTexRefSetFilterMode(CUhandle, int), cuTexRefSetArray(CUhandle, CUarray, unsigned);
CUresult cuTexRefSetAddress_v2(size_t *, CUhandle, CUdeviceptr, size_t), cuTexRefGetArray(CUarray *, CUhandle), cuTexRefGetFlags(unsigned *, CUhandle);
CUresult cuTexRefGetFormat(int *, int *, CUhandle), cuTexRefGetAddressMode(int *, CUhandle, int), cuTexRefGetFilterMode(int *, CUhandle);

CUresult cuProfilerStart(void), cuProfilerStop(void);
CUresult cuCoredumpGetAttribute(int, void *, size_t *), cuCoredumpSetAttribute(int, void *, size_t *);
CUresult cuCoredumpGetAttributeGlobal(int, void *, size_t *), cuCoredumpSetAttributeGlobal(int, void *, size_t *);
CUresult cuTensorMapEncodeTiled(CUtensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *, const uint32_t *, int, int, int, int);
