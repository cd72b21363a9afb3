// The types of the CUDA runtime's C interface, as documented, for the exports of this package: types only, no prototypes
// (cgo drops const, so the vendor's prototypes and Go exports cannot meet in one translation unit).
//
// Enumerations are int; their values are constants of cudart/rt. Structures whose layout depends on the CUDA major that
// the program was built for (cudaDeviceProp, cudaFuncAttributes, cudaPointerAttributes, cudaResourceDesc, cudaTextureDesc)
// are opaque here: their byte layouts are the table in cudart/layout.

#ifndef LOCKSTEP_CUDA_TYPES_H
#define LOCKSTEP_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int cudaError_t;
typedef int cudaEnum; // any enumeration argument

typedef const char *ls_string;       // const carried through cgo
typedef const void *ls_const_pointer;

// ---- handles

typedef struct CUstream_st *cudaStream_t; // 0x1 = legacy default stream, 0x2 = per-thread default stream
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUuserObject_st *cudaUserObject_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

// ---- callbacks

typedef void (*cudaHostFn_t)(void *user);
typedef void (*cudaLogsCallback_t)(void *user, int level, char *message, size_t length);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *user);

// ---- small values

typedef struct dim3 {
  unsigned int x, y, z;
} dim3;

typedef struct cudaExtent {
  size_t width, height, depth; // width in elements for arrays, in bytes for linear memory
} cudaExtent;

typedef struct cudaPos {
  size_t x, y, z;
} cudaPos;

typedef struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
} cudaPitchedPtr;

typedef struct cudaChannelFormatDesc {
  int x, y, z, w; // bits a component
  int f;          // kind: 0 signed, 1 unsigned, 2 float, 3 none
} cudaChannelFormatDesc;

typedef struct cudaUUID_t {
  unsigned char bytes[16];
} cudaUUID_t;

typedef struct cudaMemLocation {
  int type, id;
} cudaMemLocation;

typedef struct cudaIpcMemHandle_t {
  unsigned char reserved[64];
} cudaIpcMemHandle_t;

typedef struct cudaIpcEventHandle_t {
  unsigned char reserved[64];
} cudaIpcEventHandle_t;

// ---- copies

typedef struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  int kind;
} cudaMemcpy3DParms;

typedef struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
} cudaMemcpy3DPeerParms;

// ---- launches

// cudaLaunchAttribute is an id and a 64-byte union. Ids with a meaning here: 2 cooperative (words[0]), 4 cluster dimensions
// (words[0..2]).
typedef struct cudaLaunchAttribute {
  int id, pad;
  union {
    char bytes[64];
    int words[16];
  } value;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;

// cudaLaunchParams is one entry of the multi-device cooperative launch of majors 11 and 12.
typedef struct cudaLaunchParams {
  void *func;
  dim3 gridDim, blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
} cudaLaunchParams;

// ---- graph nodes

typedef struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
} cudaKernelNodeParams;

typedef struct cudaMemsetParams {
  void *dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
} cudaMemsetParams;

typedef struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void *userData;
} cudaHostNodeParams;

typedef struct cudaMemAllocNodeParams {
  int allocType, handleTypes;
  cudaMemLocation location;
  char poolRest[72];
  const void *accessDescs;
  size_t accessDescCount, bytesize;
  void *dptr;
} cudaMemAllocNodeParams;

// cudaExternalSemaphoreNodeParams is both those of a signal and those of a wait.
typedef struct cudaExternalSemaphoreNodeParams {
  const void *semaphores, *params;
  unsigned int count;
} cudaExternalSemaphoreNodeParams;

typedef struct cudaConditionalNodeParams {
  uint64_t handle;
  int type;
  unsigned int size;
  uint64_t *graphs; // written: the graphs of the bodies
} cudaConditionalNodeParams;

// cudaGraphNodeParams is any node: a kind and what it needs.
typedef struct cudaGraphNodeParams {
  int type, reserved[3];
  long long params[29], reserved2;
} cudaGraphNodeParams;

typedef struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

typedef struct cudaGraphInstantiateParams {
  unsigned long long flags;
  cudaStream_t uploadStream;
  uint64_t errNode_out;
  int result_out;
} cudaGraphInstantiateParams;

typedef struct cudaGraphExecUpdateResultInfo {
  int result;
  uint64_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

// ---- texture and surface references (major 11)

typedef struct textureReference {
  int normalized, filterMode, addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, reserved[14];
} textureReference;

typedef struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
} surfaceReference;

// Opaque, by major: see cudart/layout.
typedef struct cudaDeviceProp cudaDeviceProp;
typedef struct cudaFuncAttributes cudaFuncAttributes;
typedef struct cudaPointerAttributes cudaPointerAttributes;
typedef struct cudaResourceDesc cudaResourceDesc;
typedef struct cudaResourceViewDesc cudaResourceViewDesc;
typedef struct cudaTextureDesc cudaTextureDesc;

_Static_assert(sizeof(cudaMemcpy3DParms) == 160, "cudaMemcpy3DParms");
_Static_assert(sizeof(cudaMemcpy3DPeerParms) == 168, "cudaMemcpy3DPeerParms");
_Static_assert(sizeof(cudaLaunchAttribute) == 72, "cudaLaunchAttribute");
_Static_assert(sizeof(cudaLaunchConfig_t) == 56, "cudaLaunchConfig_t");
_Static_assert(sizeof(cudaKernelNodeParams) == 56, "cudaKernelNodeParams");
_Static_assert(sizeof(cudaMemsetParams) == 40, "cudaMemsetParams");
_Static_assert(sizeof(cudaMemAllocNodeParams) == 120, "cudaMemAllocNodeParams");
_Static_assert(sizeof(cudaGraphNodeParams) == 256, "cudaGraphNodeParams");
_Static_assert(sizeof(textureReference) == 124, "textureReference");

#endif
