// The structures of the CUDA driver's C interface, as documented. Handles and device addresses are uint64_t, enumerations
// int. Where the runtime's interface has the same structure, cuda_types.h has it.

#ifndef LOCKSTEP_DRIVER_TYPES_H
#define LOCKSTEP_DRIVER_TYPES_H

#include "cuda_types.h"

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef uint64_t CUhandle; // any opaque handle

// ---- callbacks

typedef void (*CUstreamCallback)(CUhandle stream, CUresult status, void *user);
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

// ---- arrays and copies

typedef struct CUDA_ARRAY_DESCRIPTOR {
  size_t Width, Height;
  int Format;
  unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR {
  size_t Width, Height, Depth;
  int Format;
  unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

// A memory type is 1 host, 2 device, 3 array, 4 unified.
typedef struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  int srcMemoryType;
  uint64_t srcHost, srcDevice, srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  int dstMemoryType;
  uint64_t dstHost, dstDevice, dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

// srcContext and dstContext are reserved in the form without peers.
typedef struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  uint64_t srcHost, srcDevice, srcArray, srcContext;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  uint64_t dstHost, dstDevice, dstArray, dstContext;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

// ---- textures and surfaces

// CUDA_RESOURCE_DESC: words are the resource's description, by its type: 0 array, 1 mipmapped array (words[0] the handle), 2
// linear, 3 pitched memory (words[0] the address; see cudart's driver_texture.go).
typedef struct CUDA_RESOURCE_DESC {
  int resType, pad;
  uint64_t words[16];
  unsigned int flags, pad_end;
} CUDA_RESOURCE_DESC;

typedef struct CUDA_TEXTURE_DESC {
  int addressMode[3], filterMode;
  unsigned int flags, maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
  int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC {
  int format, pad;
  size_t width, height, depth;
  unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

// ---- launches

typedef struct CUlaunchConfig {
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  cudaStream_t hStream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
} CUlaunchConfig;

typedef struct CUDA_LAUNCH_PARAMS {
  CUhandle function;
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  cudaStream_t hStream;
  uint64_t kernelParams;
} CUDA_LAUNCH_PARAMS;

// CUDA_KERNEL_NODE_PARAMS is the runtime's description, and a kernel of a library in place of a function.
typedef struct CUDA_KERNEL_NODE_PARAMS {
  cudaKernelNodeParams base;
  void *kern, *ctx;
} CUDA_KERNEL_NODE_PARAMS;

// ---- devices

typedef struct CUdevprop {
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], sharedMemPerBlock, totalConstantMemory, SIMDWidth, memPitch,
      regsPerBlock, clockRate, textureAlign;
} CUdevprop;

// ---- memory

typedef struct CUmemAllocationProp {
  int type, requestedHandleTypes;
  cudaMemLocation location;
  void *win32HandleMetaData;
  unsigned char allocFlags[8]; // compression, RDMA, usage
} CUmemAllocationProp;

typedef struct CUmemAccessDesc {
  cudaMemLocation location;
  int flags;
} CUmemAccessDesc;

typedef struct CUmemPoolProps {
  int allocType, handleTypes;
  cudaMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} CUmemPoolProps;

typedef struct CUexecAffinityParam {
  int type;
  unsigned int smCount;
} CUexecAffinityParam;

typedef struct CUDA_POINTER_ATTRIBUTE_P2P_TOKENS {
  unsigned long long p2pToken;
  unsigned int vaSpaceToken;
} CUDA_POINTER_ATTRIBUTE_P2P_TOKENS;

typedef struct CUctxCreateParams {
  CUexecAffinityParam *execAffinityParams;
  int numExecAffinityParams;
  void *cigParams;
} CUctxCreateParams;

typedef struct CUtensorMap {
  uint64_t opaque[16];
} CUtensorMap;

// ---- management library

typedef struct nvmlPciInfo {
  char busIdLegacy[16];
  unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
} nvmlPciInfo;

typedef struct nvmlMemory {
  unsigned long long total, free, used;
} nvmlMemory;

typedef struct nvmlMemory_v2 {
  unsigned int version;
  unsigned long long total, reserved, free, used;
} nvmlMemory_v2;

typedef struct nvmlProcess_v1 {
  unsigned int pid;
  unsigned long long usedGpuMemory;
} nvmlProcess_v1;

typedef struct nvmlProcess {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcess;

_Static_assert(sizeof(nvmlPciInfo) == 68, "nvmlPciInfo");
_Static_assert(sizeof(CUDA_ARRAY_DESCRIPTOR) == 24, "CUDA_ARRAY_DESCRIPTOR");
_Static_assert(sizeof(CUDA_ARRAY3D_DESCRIPTOR) == 40, "CUDA_ARRAY3D_DESCRIPTOR");
_Static_assert(sizeof(CUDA_MEMCPY2D) == 128, "CUDA_MEMCPY2D");
_Static_assert(sizeof(CUDA_MEMCPY3D) == 200, "CUDA_MEMCPY3D");
_Static_assert(sizeof(CUDA_RESOURCE_DESC) == 144, "CUDA_RESOURCE_DESC");
_Static_assert(sizeof(CUDA_TEXTURE_DESC) == 104, "CUDA_TEXTURE_DESC");
_Static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == 112, "CUDA_RESOURCE_VIEW_DESC");
_Static_assert(sizeof(CUlaunchConfig) == 56, "CUlaunchConfig");
_Static_assert(sizeof(CUmemAllocationProp) == 32, "CUmemAllocationProp");
_Static_assert(sizeof(CUmemPoolProps) == 88, "CUmemPoolProps");

#endif
