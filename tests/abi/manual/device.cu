#include "manual.h"

__global__ void say() { printf("from thread %d\n", threadIdx.x); }

CHAPTER(device_choose) {
  int n = -1, d = -1;
  C(cudaGetDeviceCount(&n));
  C(cudaGetDeviceCount(nullptr));
  C(cudaGetDevice(&d));
  V("device %d", d);
  C(cudaGetDevice(nullptr));
  C(cudaSetDevice(-1));
  C(cudaSetDevice(99));
  C(cudaSetDevice(0));
  cudaDeviceProp p;
  memset(&p, 0, sizeof p);
  C(cudaChooseDevice(&d, &p));
  V("device %d", d);
  p.major = 99;
  C(cudaChooseDevice(&d, &p));
  V("device %d", d);
  C(cudaChooseDevice(nullptr, &p));
  C(cudaChooseDevice(&d, nullptr));
  int valid[2] = {0, 99};
  C(cudaSetValidDevices(valid, 1));
  C(cudaSetValidDevices(valid, 2));
  C(cudaSetValidDevices(nullptr, 0));
  C(cudaSetValidDevices(nullptr, 1));
  C(cudaSetValidDevices(valid, -1));
  C(cudaSetValidDevices(valid, 0));
  int v = -1;
  C(cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 0));
  V("%d", v);
  C(cudaDeviceGetAttribute(nullptr, cudaDevAttrMaxThreadsPerBlock, 0));
  C(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)0, 0));
  C(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0));
  C(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 7));
  C(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, -1));
  C(cudaGetDeviceProperties(&p, 7));
  C(cudaGetDeviceProperties(&p, -1));
  char bus[32] = "";
  C(cudaDeviceGetPCIBusId(bus, 32, 0));
  V("%d characters", (int)strlen(bus));
  C(cudaDeviceGetByPCIBusId(&d, bus));
  V("device %d", d);
  C(cudaDeviceGetPCIBusId(bus, 5, 0));
  V("%d characters", (int)strlen(bus));
  C(cudaDeviceGetPCIBusId(bus, 0, 0));
  C(cudaDeviceGetPCIBusId(nullptr, 32, 0));
  C(cudaDeviceGetPCIBusId(bus, 32, 4));
  C(cudaDeviceGetByPCIBusId(&d, "ffff:ff:ff.0"));
  C(cudaDeviceGetByPCIBusId(&d, "nonsense"));
  C(cudaDeviceGetByPCIBusId(nullptr, bus));
  C(cudaDeviceGetByPCIBusId(&d, nullptr));
}

CHAPTER(device_flags) {
  unsigned f = 99;
  C(cudaGetDeviceFlags(&f));
  V("flags %#x", f);
  C(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  C(cudaGetDeviceFlags(&f));
  V("flags %#x", f);
  C(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
  C(cudaSetDeviceFlags(0x4000));
  C(cudaSetDeviceFlags(cudaDeviceMapHost));
  C(cudaGetDeviceFlags(&f));
  V("flags %#x", f);
  C(cudaSetDeviceFlags(cudaDeviceLmemResizeToMax));
  C(cudaFree(nullptr));
  C(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  C(cudaGetDeviceFlags(&f));
  V("flags %#x", f);
  C(cudaGetDeviceFlags(nullptr));
  C(cudaDeviceReset());
  C(cudaGetDeviceFlags(&f));
  V("flags %#x", f);
#if CUDART_VERSION >= 12000
  C(cudaInitDevice(0, 0, 0));
  C(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
  C(cudaGetDeviceFlags(&f));
  V("flags %#x", f);
  C(cudaInitDevice(0, 0x4000, cudaInitDeviceFlagsAreValid));
  C(cudaInitDevice(0, 0, 2));
  C(cudaInitDevice(9, 0, 0));
  C(cudaInitDevice(0, 0x4000, 0));
#endif
}

CHAPTER(device_limits) {
  size_t v = 0;
  for (int limit = -1; limit < 12; limit++) {
    v = 0;
    int e = cudaDeviceGetLimit(&v, (cudaLimit)limit);
    V("get limit %d: %d, %zu", limit, e, e ? 0 : v);
  }
  C(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  static const size_t values[] = {0, 1, 100, 1000, 4096, 100000, 600000, 600100, 1 << 20, 1 << 22, 1ull << 33};
  for (int limit = 0; limit < 9; limit++)
    for (size_t value : values) {
      if (limit == cudaLimitStackSize && value > 4096 && value < (1 << 20)) continue;
      if ((limit == cudaLimitMallocHeapSize || limit == cudaLimitPrintfFifoSize) && value > (1 << 22)) continue;
      int e = cudaDeviceSetLimit((cudaLimit)limit, value);
      size_t after = 0;
      int g = cudaDeviceGetLimit(&after, (cudaLimit)limit);
      V("set limit %d to %zu: %d; then %d, %zu", limit, value, e, g, g ? 0 : after);
    }
  cudaGetLastError();
}

CHAPTER(device_configurations) {
  cudaFuncCache cache = (cudaFuncCache)9;
  C(cudaDeviceGetCacheConfig(&cache));
  V("cache %d", cache);
  for (int i = -1; i < 6; i++) {
    int e = cudaDeviceSetCacheConfig((cudaFuncCache)i);
    cudaDeviceGetCacheConfig(&cache);
    V("set cache %d: %d, then %d", i, e, cache);
  }
  C(cudaDeviceGetCacheConfig(nullptr));
  cudaSharedMemConfig banks = (cudaSharedMemConfig)9;
  C(cudaDeviceGetSharedMemConfig(&banks));
  V("banks %d", banks);
  for (int i = -1; i < 5; i++) {
    int e = cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)i);
    cudaDeviceGetSharedMemConfig(&banks);
    V("set banks %d: %d, then %d", i, e, banks);
  }
  C(cudaDeviceGetSharedMemConfig(nullptr));
  int least = 9, greatest = 9;
  C(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  V("%d to %d", least, greatest);
  C(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  size_t width = 0;
  cudaChannelFormatDesc f4 = cudaCreateChannelDesc<float4>(), c1 = cudaCreateChannelDesc<char>();
  C(cudaDeviceGetTexture1DLinearMaxWidth(&width, &f4, 0));
  V("%zu", width);
  C(cudaDeviceGetTexture1DLinearMaxWidth(&width, &c1, 0));
  V("%zu", width);
  C(cudaDeviceGetTexture1DLinearMaxWidth(&width, nullptr, 0));
  C(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &c1, 0));
  C(cudaDeviceGetTexture1DLinearMaxWidth(&width, &c1, 5));
  C(cudaCtxResetPersistingL2Cache());
  C(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner));
  C(cudaDeviceFlushGPUDirectRDMAWrites((cudaFlushGPUDirectRDMAWritesTarget)3, cudaFlushGPUDirectRDMAWritesToOwner));
  C(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, (cudaFlushGPUDirectRDMAWritesScope)3));
  C(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToAllDevices));
}

#if CUDART_VERSION >= 12040
static void notified(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t) {}

CHAPTER(device_notification) {
  cudaAsyncCallbackHandle_t h = nullptr, again = nullptr;
  C(cudaDeviceRegisterAsyncNotification(0, notified, nullptr, &h));
  V("handle %d", h != nullptr);
  C(cudaDeviceRegisterAsyncNotification(0, notified, nullptr, &again));
  V("other handle %d", again != h);
  C(cudaDeviceRegisterAsyncNotification(7, notified, nullptr, &again));
  C(cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &again));
  C(cudaDeviceUnregisterAsyncNotification(0, h));
  C(cudaDeviceUnregisterAsyncNotification(0, nullptr));
  C(cudaDeviceUnregisterAsyncNotification(7, again));
}
#endif

CHAPTER(device_versions) {
  int v = 0;
  C(cudaRuntimeGetVersion(&v));
  V("major %d", v / 1000);
  C(cudaRuntimeGetVersion(nullptr));
  C(cudaDriverGetVersion(&v));
  V("at least the runtime's %d", v >= CUDART_VERSION);
  C(cudaDriverGetVersion(nullptr));
  C(cudaProfilerStart());
  C(cudaProfilerStop());
  C(cudaProfilerStop());
  const void *table = nullptr;
  cudaUUID_t id;
  memset(&id, 7, sizeof id);
  C(cudaGetExportTable(&table, &id));
  C(cudaGetExportTable(nullptr, &id));
}

CHAPTER(device_peer) {
  int v = 9;
  C(cudaDeviceCanAccessPeer(&v, 0, 0));
  V("%d", v);
  C(cudaDeviceCanAccessPeer(&v, 0, 5));
  C(cudaDeviceCanAccessPeer(&v, -1, 0));
  C(cudaDeviceCanAccessPeer(nullptr, 0, 0));
  C(cudaDeviceEnablePeerAccess(0, 0));
  C(cudaDeviceEnablePeerAccess(5, 0));
  C(cudaDeviceEnablePeerAccess(0, 1));
  C(cudaDeviceEnablePeerAccess(5, 1));
  C(cudaDeviceDisablePeerAccess(0));
  C(cudaDeviceDisablePeerAccess(5));
  C(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0));
  C(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 5));
  C(cudaDeviceGetP2PAttribute(&v, (cudaDeviceP2PAttr)0, 0, 0));
  C(cudaDeviceGetP2PAttribute(&v, (cudaDeviceP2PAttr)0, 0, 5));
  C(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
#if CUDART_VERSION >= 13000
  unsigned caps[13];
  cudaAtomicOperation ops[13];
  for (int i = 0; i < 13; i++) ops[i] = (cudaAtomicOperation)i;
  memset(caps, 0xff, sizeof caps);
  C(cudaDeviceGetHostAtomicCapabilities(caps, ops, 13, 0));
  for (int i = 0; i < 13; i++) V("operation %d: %#x", i, caps[i]);
  C(cudaDeviceGetHostAtomicCapabilities(caps, ops, 0, 0));
  C(cudaDeviceGetHostAtomicCapabilities(nullptr, ops, 1, 0));
  C(cudaDeviceGetHostAtomicCapabilities(caps, nullptr, 1, 0));
  C(cudaDeviceGetHostAtomicCapabilities(caps, ops, 1, 7));
  ops[0] = (cudaAtomicOperation)77;
  C(cudaDeviceGetHostAtomicCapabilities(caps, ops, 1, 0));
  ops[0] = (cudaAtomicOperation)0;
  C(cudaDeviceGetP2PAtomicCapabilities(caps, ops, 1, 0, 0));
  C(cudaDeviceGetP2PAtomicCapabilities(caps, ops, 1, 0, 5));
#endif
}

// What stays and what goes with a reset.
CHAPTER(device_reset) {
  void *p = nullptr, *h = nullptr;
  cudaStream_t s;
  cudaEvent_t e;
  C(cudaMalloc(&p, 1000));
  C(cudaMallocHost(&h, 1000));
  C(cudaStreamCreate(&s));
  C(cudaEventCreate(&e));
  C(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  C(cudaDeviceReset());
  C(cudaDeviceReset());
  cudaPointerAttributes a;
  memset(&a, 0xff, sizeof a);
  C(cudaPointerGetAttributes(&a, p));
  V("type %d", a.type);
  C(cudaFree(p));
  C(cudaFreeHost(h));
  size_t v = 0;
  C(cudaDeviceGetLimit(&v, cudaLimitStackSize));
  V("%zu", v);
  C(cudaMalloc(&p, 1000));
  C(cudaMemset(p, 1, 1000));
  V("sum %llu", sum(p, 1000));
  int *q = (int *)p;
  LAUNCH(store<<<1, 1>>>(q, 7));
  C(cudaDeviceSynchronize());
  V("sum %llu", sum(p, 4));
  C(cudaFree(p));
  C(cudaFree(p));
}

// A reset while a kernel runs that nothing ends.
CHAPTER(device_reset_endless) {
  volatile int *flag;
  C(cudaHostAlloc((void **)&flag, 4, cudaHostAllocMapped));
  *flag = 0;
  LAUNCH(spin<<<1, 1>>>(flag));
  puts("resetting");
  C(cudaDeviceReset());
  void *p;
  C(cudaMalloc(&p, 4));
}

// A reset while a kernel runs that the host would end.
CHAPTER(device_reset_printing) {
  LAUNCH(say<<<1, 2>>>());
  C(cudaDeviceReset());
  C(cudaGetLastError());
}
