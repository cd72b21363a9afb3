#include "manual.h"

__global__ void __launch_bounds__(128) bounded() {}
__global__ void shared_static() {
  __shared__ int s[4096];
  s[threadIdx.x] = 1;
  __syncthreads();
  if (s[0] == 2) asm volatile("trap;");
}
__global__ void params(int a, double b, char c, float4 d) {
  if (a == 77 && b == 1 && c == 2 && d.x == 3) asm volatile("trap;");
}

CHAPTER(launch_functions) {
  cudaFuncAttributes a;
  for (const void *f : {(const void *)nothing, (const void *)bounded, (const void *)shared_static, (const void *)params}) {
    memset(&a, 0xff, sizeof a);
    C(cudaFuncGetAttributes(&a, f));
    V("shared %zu, constant %zu, local %zu, threads %d, dynamic %d, carve-out %d, cache %d", a.sharedSizeBytes,
      a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout,
      a.cacheModeCA);
#if CUDART_VERSION >= 12000
    V("cluster %d %d %d, policy %d, other sizes %d, set %d", a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth,
      a.clusterSchedulingPolicyPreference, a.nonPortableClusterSizeAllowed, a.clusterDimMustBeSet);
#endif
  }
  C(cudaFuncGetAttributes(nullptr, (const void *)nothing));
  C(cudaFuncGetAttributes(&a, nullptr));
  int x;
  C(cudaFuncGetAttributes(&a, &x));
  for (int id = 0; id < 20; id++)
    for (int v : {-2, -1, 0, 1, 50, 100, 101, 1000, 49152, 232448, 232449, 1 << 20})
      V("attribute %d to %d: %d", id, v, cudaFuncSetAttribute((const void *)nothing, (cudaFuncAttribute)id, v));
  cudaGetLastError();
  C(cudaFuncSetAttribute((const void *)shared_static, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  C(cudaFuncSetAttribute((const void *)shared_static, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 16384));
  C(cudaFuncSetAttribute((const void *)shared_static, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  C(cudaFuncGetAttributes(&a, (const void *)shared_static));
  V("dynamic %d, carve-out %d", a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout);
  C(cudaFuncSetAttribute(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  C(cudaFuncSetAttribute(&x, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  for (int i = -1; i < 6; i++) V("cache %d: %d", i, cudaFuncSetCacheConfig((const void *)nothing, (cudaFuncCache)i));
  C(cudaFuncSetCacheConfig(nullptr, cudaFuncCachePreferL1));
  for (int i = -1; i < 5; i++) V("banks %d: %d", i, cudaFuncSetSharedMemConfig((const void *)nothing, (cudaSharedMemConfig)i));
#if CUDART_VERSION >= 12040
  const char *name = nullptr;
  C(cudaFuncGetName(&name, (const void *)params));
  V("%s", name);
  C(cudaFuncGetName(nullptr, (const void *)params));
  C(cudaFuncGetName(&name, nullptr));
  size_t offset, size;
  for (size_t i = 0; i < 5; i++) {
    offset = size = 0;
    int e = cudaFuncGetParamInfo((const void *)params, i, &offset, &size);
    V("parameter %zu: %d, %zu %zu", i, e, offset, size);
  }
  C(cudaFuncGetParamInfo((const void *)params, 0, nullptr, &size));
  C(cudaFuncGetParamInfo((const void *)params, 0, &offset, nullptr));
  cudaGetLastError();
#endif
}

CHAPTER(launch_shapes) {
  LAUNCH(bounded<<<1, 128>>>());
  LAUNCH(bounded<<<1, 129>>>());
  LAUNCH(shared_static<<<1, 32, 32768>>>());
  LAUNCH(shared_static<<<1, 32, 32769>>>());
  LAUNCH(nothing<<<1, 32, 49152>>>());
  LAUNCH(nothing<<<1, 32, 49153>>>());
  C(cudaFuncSetAttribute((const void *)nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  LAUNCH(nothing<<<1, 32, 100000>>>());
  LAUNCH(nothing<<<1, 32, 100001>>>());
  LAUNCH(nothing<<<1, 1024>>>());
  LAUNCH(nothing<<<1, 1025>>>());
  LAUNCH(nothing<<<dim3(1, 65535), 1>>>());
  LAUNCH(nothing<<<dim3(1, 65536), 1>>>());
  LAUNCH(nothing<<<dim3(1, 1, 65536), 1>>>());
  LAUNCH(nothing<<<dim3(2147483648u), 1>>>());
  LAUNCH(nothing<<<1, dim3(1, 1, 64)>>>());
  LAUNCH(nothing<<<1, dim3(1, 1, 65)>>>());
  LAUNCH(nothing<<<1, dim3(1, 1025, 1)>>>());
  LAUNCH(nothing<<<dim3(0, 1, 1), 1>>>());
  LAUNCH(nothing<<<dim3(1, 1, 1), dim3(1, 0, 1)>>>());
  C(cudaDeviceSynchronize());
  C(cudaLaunchCooperativeKernel((const void *)nothing, dim3(1), dim3(32), nullptr, 0, 0));
  C(cudaLaunchCooperativeKernel((const void *)nothing, dim3(1000000), dim3(32), nullptr, 0, 0));
  C(cudaLaunchCooperativeKernel((const void *)nothing, dim3(0), dim3(32), nullptr, 0, 0));
  C(cudaLaunchCooperativeKernel((const void *)nullptr, dim3(1), dim3(32), nullptr, 0, 0));
  C(cudaDeviceSynchronize());
}

#if CUDART_VERSION < 13000
CHAPTER(launch_multi) {
  cudaLaunchParams p[2];
  memset(p, 0, sizeof p);
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  p[0].func = (void *)nothing;
  p[0].gridDim = dim3(2);
  p[0].blockDim = dim3(32);
  p[0].stream = s;
  C(cudaLaunchCooperativeKernelMultiDevice(p, 1, 0));
  C(cudaStreamSynchronize(s));
  p[1] = p[0];
  C(cudaLaunchCooperativeKernelMultiDevice(p, 2, 0));
  C(cudaLaunchCooperativeKernelMultiDevice(p, 0, 0));
  C(cudaLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
  C(cudaLaunchCooperativeKernelMultiDevice(p, 1, 1));
  C(cudaLaunchCooperativeKernelMultiDevice(p, 1, 8));
  p[0].stream = 0;
  C(cudaLaunchCooperativeKernelMultiDevice(p, 1, 0));
  double d = 0.5;
  C(cudaSetDoubleForDevice(&d));
  C(cudaSetDoubleForHost(&d));
  V("%g", d);
  C(cudaThreadSynchronize());
  cudaFuncCache c;
  C(cudaThreadGetCacheConfig(&c));
  C(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
  size_t v;
  C(cudaThreadGetLimit(&v, cudaLimitStackSize));
  C(cudaThreadSetLimit(cudaLimitStackSize, 2048));
  C(cudaThreadExit());
}
#endif

CHAPTER(launch_attributes) {
  cudaLaunchConfig_t c;
  cudaLaunchAttribute a[2];
  memset(&c, 0, sizeof c);
  c.gridDim = dim3(8);
  c.blockDim = dim3(32);
  c.attrs = a;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  c.numAttrs = 1;
  for (int id = 0; id < 18; id++) {
    if (id == 7 || id == 12 || id == 13) continue;
    memset(a, 0, sizeof a);
    a[0].id = (cudaLaunchAttributeID)id;
    int e = cudaLaunchKernelExC(&c, (const void *)nothing, nullptr);
    V("attribute %d: %d, %d", id, e, cudaGetLastError());
  }
  C(cudaDeviceSynchronize());
  memset(a, 0, sizeof a);
  a[0].id = cudaLaunchAttributeCooperative;
  a[0].val.cooperative = 1;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  c.gridDim = dim3(1000000);
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  c.gridDim = dim3(8);
  a[0].val.cooperative = 2;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  a[0].id = cudaLaunchAttributePriority;
  a[0].val.priority = -2;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  a[0].val.priority = 99;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  a[0].val.programmaticStreamSerializationAllowed = 1;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  cudaEvent_t event;
  C(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  a[0].id = cudaLaunchAttributeProgrammaticEvent;
  memset(&a[0].val, 0, sizeof a[0].val);
  a[0].val.programmaticEvent.event = event;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  C(cudaEventSynchronize(event));
#if CUDART_VERSION >= 12040
  a[0].id = cudaLaunchAttributeLaunchCompletionEvent;
  memset(&a[0].val, 0, sizeof a[0].val);
  a[0].val.launchCompletionEvent.event = event;
  C(cudaLaunchKernelExC(&c, (const void *)nothing, nullptr));
  C(cudaEventSynchronize(event));
#endif
  c.numAttrs = 1;
  c.attrs = nullptr;
  c.numAttrs = 0;
  C(cudaLaunchKernelExC(&c, nullptr, nullptr));
  C(cudaDeviceSynchronize());
}

CHAPTER(occupancy) {
  int n;
  size_t z;
  for (int threads : {-1, 0, 1, 32, 33, 128, 512, 1024, 1025})
    for (size_t shared : {(size_t)0, (size_t)1000, (size_t)49152, (size_t)100000, (size_t)232448, (size_t)300000}) {
      n = -1;
      int e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, threads, shared);
      V("%d threads, %zu bytes: %d, %d blocks", threads, shared, e, e ? 0 : n);
    }
  cudaGetLastError();
  for (unsigned f : {0u, 1u, 2u})
    V("flags %u: %d, %d", f, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, nothing, 128, 0, f), n);
  for (int threads : {0, 32, 128, 1024})
    for (int blocks : {0, 1, 2, 16, 32, 33}) {
      z = 0;
      int e = cudaOccupancyAvailableDynamicSMemPerBlock(&z, nothing, blocks, threads);
      V("%d blocks of %d: %d, %zu", blocks, threads, e, e ? 0 : z);
    }
  cudaGetLastError();
  C(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)nullptr, 128, 0));
  C(cudaOccupancyMaxActiveBlocksPerMultiprocessor((int *)nullptr, nothing, 128, 0));
  int grid = 0, block = 0;
  C(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 0));
  V("%d x %d", grid, block);
  C(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0));
  V("%d x %d", grid, block);
  C(cudaOccupancyMaxPotentialBlockSize(&grid, &block, shared_static, 10000, 0));
  V("%d x %d", grid, block);
}
