// The driver's beginning, devices, contexts, entry points and what else needs no module.
#include "driver_prepared.h"

static void init(void) {
  int n;
  size_t size;
  CUdeviceptr p;
  CUstream s;
  text name;
  R(cuDeviceGetCount(&n));
  R(cuDeviceGet(&device, 0));
  R(cuCtxGetCurrent(&context));
  R(cuMemAlloc_v2(&p, 16));
  R(cuStreamCreate(&s, 0));
  R(cuModuleLoadData(&module, ptx));
  R(cuDevicePrimaryCtxRetain(&context, 0));
  R(cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
  V(cuDriverGetVersion(&n), "%d", n >= 11000);
  R(cuDriverGetVersion(NULL));
  V(cuGetErrorName(700, &name), "%s", name);
  R(cuInit(1));
  R(cuInit(0));
  R(cuInit(0));
  R(cuInit(7));
  R(cuMemAlloc_v2(&p, 16));
  R(cuMemFree_v2(0));
  R(cuMemFree_v2(4096));
  R(cuMemGetInfo_v2(&size, &size));
  R(cuStreamCreate(&s, 0));
  R(cuStreamSynchronize(0));
  R(cuCtxSynchronize());
  R(cuCtxGetDevice(&device));
  V(cuCtxGetCurrent(&context), "%d", context == 0);
  R(cuCtxGetCurrent(NULL));
  R(cuModuleLoadData(&module, ptx));
  R(cuMemcpyHtoD_v2(4096, host, 4));
  R(cuMemsetD8_v2(4096, 0, 4));
  R(cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
  R(cuCtxGetFlags((unsigned *)&n));
  R(cuCtxGetLimit(&size, 0));
  R(cuEventCreate(&s, 0));
  R(cuMemAllocHost_v2((void **)&p, 16));
  R(cuMemAllocManaged(&p, 16, 1));
  R(cuPointerGetAttribute(&n, 2, 4096));
}

static void errors(void) {
  text t;
  for (int i = 0; i < 1000; i++) {
    if (cuGetErrorName(i, &t) == 0)
      printf("%d %s", i, t);
    else if (t != NULL)
      printf("%d not NULL\n", i);
    else
      continue;
    printf(": %s\n", cuGetErrorString(i, &t) == 0 ? t : "none");
  }
  V(cuGetErrorName(12345, &t), "%s", t);
  V(cuGetErrorString(-1, &t), "%s", t);
}

static void devices(void) {
  int n, m;
  unsigned u;
  size_t size;
  char name[256], small[5];
  CUdevprop p;
  CUpool pool;
  R(cuInit(0));
  R(cuDeviceGetCount(NULL));
  R(cuDeviceGet(NULL, 0));
  V(cuDeviceGet(&device, 0), "%d", device);
  R(cuDeviceGet(&device, -1));
  R(cuDeviceGet(&device, 64));
  R(cuDeviceGetName(name, 256, 0));
  R(cuDeviceGetName(NULL, 256, 0));
  R(cuDeviceGetName(name, 256, 64));
  V(cuDeviceGetName(small, 5, 0), "%s", small);
  R(cuDeviceTotalMem_v2(&size, 0));
  R(cuDeviceTotalMem_v2(NULL, 0));
  R(cuDeviceTotalMem_v2(&size, -1));
  R(cuDeviceGetAttribute(NULL, 1, 0));
  R(cuDeviceGetAttribute(&n, 0, 0));
  R(cuDeviceGetAttribute(&n, 1, 64));
  R(cuDeviceGetAttribute(&n, 5000, 0));
  R(cuDeviceGetUuid_v2(name, 0));
  R(cuDeviceGetUuid_v2(NULL, 0));
  R(cuDeviceGetPCIBusId(name, 64, 0));
  R(cuDeviceGetPCIBusId(name, 5, 0));
  R(cuDeviceGetPCIBusId(NULL, 64, 0));
  R(cuDeviceGetPCIBusId(name, 64, 0));
  V(cuDeviceGetByPCIBusId(&device, name), "%d", device);
  R(cuDeviceGetByPCIBusId(&device, "nonsense"));
  R(cuDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"));
  R(cuDeviceGetByPCIBusId(&device, NULL));
  V(cuDeviceComputeCapability(&n, &m, 0), "%d", n * 10 + m);
  R(cuDeviceComputeCapability(NULL, &m, 0));
  V(cuDeviceGetProperties(&p, 0), "%d", p.maxThreadsPerBlock);
  R(cuDeviceGetProperties(NULL, 0));
  R(cuDeviceCanAccessPeer(&n, 0, 0));
  R(cuDeviceCanAccessPeer(&n, 0, 64));
  R(cuDeviceGetP2PAttribute(&n, 1, 0, 0));
  R(cuDeviceGetP2PAttribute(&n, 99, 0, 64));
  R(cuDeviceGetExecAffinitySupport(&n, 0, 0));
  R(cuDeviceGetExecAffinitySupport(&n, 7, 0));
  V(cuDeviceGetTexture1DLinearMaxWidth(&size, 0x20, 1, 0), "%zu", size);
  R(cuDeviceGetTexture1DLinearMaxWidth(&size, 0x20, 3, 0));
  R(cuDeviceGetDefaultMemPool(&pool, 0));
  R(cuDeviceGetDefaultMemPool(NULL, 0));
  R(cuDeviceGetDefaultMemPool(&pool, 64));
  R(cuDeviceSetMemPool(0, pool));
  R(cuDeviceGetMemPool(&pool, 0));
  V(cuDevicePrimaryCtxGetState(0, &u, &n), "%d", n);
  R(cuDevicePrimaryCtxGetState(0, NULL, &n));
  R(cuDevicePrimaryCtxGetState(64, &u, &n));
}

static void primary(void) {
  unsigned flags;
  int active;
  CUcontext c, d;
  unsigned long long id;
  unsigned version;
  R(cuInit(0));
  R(cuDevicePrimaryCtxRelease_v2(0));
  R(cuDevicePrimaryCtxRetain(NULL, 0));
  R(cuDevicePrimaryCtxRetain(&c, 64));
  R(cuDevicePrimaryCtxSetFlags_v2(0, 4));
  R(cuDevicePrimaryCtxSetFlags_v2(0, 0x400));
  R(cuDevicePrimaryCtxRetain(&c, 0));
  V(cuDevicePrimaryCtxRetain(&d, 0), "same %d", c == d);
  V(cuDevicePrimaryCtxGetState(0, &flags, &active), "%d", active);
  printf("flags %x\n", flags);
  V(cuCtxGetCurrent(&d), "none %d", d == 0);
  R(cuDevicePrimaryCtxSetFlags_v2(0, 2));
  R(cuCtxSetCurrent(c));
  V(cuCtxGetFlags(&flags), "%x", flags);
  R(cuCtxGetId(c, &id));
  R(cuCtxGetId(0, &id));
  R(cuCtxGetId(c, NULL));
  V(cuCtxGetApiVersion(c, &version), "%u", version);
  R(cuCtxDestroy_v2(c));
  R(cuDevicePrimaryCtxRelease_v2(0));
  R(cuCtxSynchronize());
  R(cuDevicePrimaryCtxRelease_v2(0));
  R(cuDevicePrimaryCtxRelease_v2(0));
  V(cuDevicePrimaryCtxGetState(0, &flags, &active), "%d", active);
  R(cuCtxSynchronize());
  R(cuMemAlloc_v2(&memory, 16));
  V(cuCtxGetCurrent(&d), "same %d", d == c);
  R(cuCtxPopCurrent_v2(&d));
  R(cuCtxPopCurrent_v2(&d));
  R(cuDevicePrimaryCtxRetain(&c, 0));
  R(cuCtxPushCurrent_v2(c));
  R(cuMemAlloc_v2(&memory, 16));
  R(cuDevicePrimaryCtxReset_v2(0));
  R(cuMemFree_v2(memory));
  R(cuMemAlloc_v2(&memory, 16));
  R(cuDevicePrimaryCtxReset_v2(64));
}

static void contexts(void) {
  CUcontext a, b, c;
  unsigned u;
  int n, m;
  size_t size;
  CUdevice d;
  CUdeviceptr p;
  R(cuInit(0));
  R(cuCtxCreate_v2(NULL, 0, 0));
  R(cuCtxCreate_v2(&a, 0, 64));
  R(cuCtxCreate_v2(&a, 0x1000, 0));
  R(cuCtxCreate_v2(&a, 3, 0));
  R(cuCtxCreate_v2(&a, 0, 0));
  V(cuCtxGetCurrent(&c), "same %d", c == a);
  V(cuCtxGetDevice(&d), "%d", d);
  R(cuCtxGetDevice(NULL));
  R(cuCtxCreate_v2(&b, 4, 0));
  V(cuCtxGetCurrent(&c), "b %d", c == b);
  V(cuCtxGetFlags(&u), "%x", u);
  R(cuCtxGetFlags(NULL));
  V(cuCtxPopCurrent_v2(&c), "b %d", c == b);
  V(cuCtxGetCurrent(&c), "a %d", c == a);
  R(cuCtxPopCurrent_v2(NULL));
  R(cuCtxPopCurrent_v2(&c));
  R(cuCtxSynchronize());
  R(cuCtxPushCurrent_v2(0));
  R(cuCtxPushCurrent_v2(a));
  R(cuCtxPushCurrent_v2(b));
  R(cuCtxSetCurrent(a));
  V(cuCtxPopCurrent_v2(&c), "a %d", c == a);
  V(cuCtxPopCurrent_v2(&c), "a %d", c == a);
  R(cuCtxPopCurrent_v2(&c));
  R(cuCtxSetCurrent(0));
  R(cuCtxSetCurrent(b));
  R(cuCtxAttach(&c, 0));
  R(cuCtxAttach(&c, 1));
  R(cuCtxDetach(b));
  R(cuMemAlloc_v2(&p, 64));
  R(cuCtxSetCurrent(a));
  R(cuMemFree_v2(p));
  R(cuCtxDestroy_v2(b));
  R(cuCtxDestroy_v2(0));
  R(cuCtxSetCacheConfig(1));
  V(cuCtxGetCacheConfig(&n), "%d", n);
  R(cuCtxSetCacheConfig(9));
  R(cuCtxGetCacheConfig(NULL));
  R(cuCtxSetSharedMemConfig(2));
  V(cuCtxGetSharedMemConfig(&n), "%d", n);
  R(cuCtxSetSharedMemConfig(9));
  for (int i = -1; i < 12; i++)
    V(cuCtxGetLimit(&size, i), "%zu", size);
  R(cuCtxSetLimit(0, 2048));
  V(cuCtxGetLimit(&size, 0), "%zu", size);
  R(cuCtxSetLimit(0, 1 << 20));
  R(cuCtxSetLimit(3, 4));
  R(cuCtxSetLimit(99, 4));
  R(cuCtxGetLimit(NULL, 0));
  V(cuCtxGetStreamPriorityRange(&n, &m), "%d", n * 100 + m);
  R(cuCtxGetStreamPriorityRange(NULL, NULL));
  R(cuCtxResetPersistingL2Cache());
  R(cuCtxEnablePeerAccess(a, 0));
  R(cuCtxEnablePeerAccess(a, 1));
  R(cuCtxDisablePeerAccess(a));
  R(cuCtxSetFlags(2));
  R(cuCtxSetFlags(0x4000));
  R(cuCtxDestroy_v2(a));
  V(cuCtxGetCurrent(&c), "none %d", c == 0);
  R(cuCtxSynchronize());
  R(cuMemAlloc_v2(&p, 64));
}

static void entries(void) {
  void *f = NULL, *g = NULL;
  int found = -1;
  R(cuGetProcAddress("cuMemAlloc", &f, 12000, 0));
  V(cuGetProcAddress("cuMemAlloc", &f, 3020, 0), "v2 %d", f == (void *)cuMemAlloc_v2);
  V(cuGetProcAddress("cuMemAlloc", &f, 2000, 0), "v2 %d", f == (void *)cuMemAlloc_v2);
  R(cuGetProcAddress("cuMemAlloc", &f, 1000, 0));
  R(cuGetProcAddress("cuMemAlloc_v2", &f, 12000, 0));
  R(cuGetProcAddress("nosuch", &f, 12000, 0));
  R(cuGetProcAddress("cuNoSuch", &f, 12000, 0));
  R(cuGetProcAddress("", &f, 12000, 0));
  R(cuGetProcAddress("cuInit", &f, 12000, 3));
  R(cuGetProcAddress("cuInit", &f, 12000, 4));
  R(cuGetProcAddress_v2("cuLaunchKernelEx", &f, 11000, 0, &found));
  printf("found %d, %d\n", found, f == NULL);
  R(cuGetProcAddress_v2("cuNoSuch", &f, 12000, 0, &found));
  printf("found %d, %d\n", found, f == NULL);
  R(cuGetProcAddress_v2("cuNoSuch", &f, 12000, 0, NULL));
  R(cuGetProcAddress_v2("cuMemcpyHtoD", &f, 12000, 0, &found));
  R(cuGetProcAddress_v2("cuMemcpyHtoD", &g, 12000, 2, &found));
  printf("found %d, differ %d\n", found, f != g);
  R(cuGetProcAddress_v2("cuMemcpyHtoD", &g, 6000, 2, &found));
  printf("found %d\n", found);
  R(cuGetProcAddress_v2("cuMemcpyHtoD", &g, 12000, 1, &found));
  printf("same %d\n", f == g);
  R(cuGetProcAddress_v2("cuStreamGetCaptureInfo", &f, 12000, 0, &found));
  R(cuGetProcAddress_v2("cuStreamGetCaptureInfo", &g, 10010, 0, &found));
  printf("differ %d\n", f != g);
  R(cuGetProcAddress_v2("cuCtxCreate", &f, 11040, 0, &found));
  V(cuGetProcAddress_v2("cuCtxCreate", &g, 11030, 0, &found), "v2 %d", g == (void *)cuCtxCreate_v2);
  printf("v3 %d\n", f == (void *)cuCtxCreate_v3);
  R(cuGetProcAddress_v2("cuMemAlloc", &f, 99999, 0, &found));
  printf("found %d\n", found);
}

static void unknownTables(void) {
  static const unsigned char id[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const void *table;
  R(cuInit(0));
  R(cuGetExportTable(&table, id));
  R(cuGetExportTable(NULL, id));
  R(cuGetExportTable(&table, NULL));
}

static void others(void) {
  char path[256];
  size_t size = sizeof path;
  int n = 0;
  prepare();
  R(cuProfilerStart());
  R(cuProfilerStop());
  size = sizeof n;
  V(cuCoredumpGetAttribute(1, &n, &size), "%d", n);
  size = sizeof n;
  V(cuCoredumpGetAttributeGlobal(1, &n, &size), "%d", n);
  R(cuCoredumpGetAttribute(99, &n, &size));
  R(cuCoredumpGetAttribute(1, NULL, &size));
  CUtensorMap map __attribute__((aligned(64)));
  uint64_t dims[] = {64, 64}, strides[] = {256};
  uint32_t box[] = {16, 16}, steps[] = {1, 1};
  R(cuTensorMapEncodeTiled(&map, 7, 2, (void *)memory, dims, strides, box, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeTiled(&map, 7, 0, (void *)memory, dims, strides, box, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeTiled(&map, 7, 2, (void *)(memory + 4), dims, strides, box, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeTiled(NULL, 7, 2, (void *)memory, dims, strides, box, steps, 0, 0, 0, 0));
}

CHAPTERS({"init", init}, {"errors", errors}, {"devices", devices}, {"primary", primary}, {"contexts", contexts},
         {"entries", entries}, {"tables", unknownTables}, {"others", others})
