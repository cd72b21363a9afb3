// The driver's functions by chapters of its manual, see driver_chapters.h.
#include "driver_chapters.h"

static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .global .align 4 .b8 counters[64];\n"
    ".visible .const .align 4 .u32 scale = 3;\n"
    ".visible .entry add(.param .u64 p, .param .u32 n)\n{\n"
    "  .reg .u64 %rd<4>; .reg .u32 %r<5>; .reg .pred %q;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; setp.ge.u32 %q, %r2, %r1; @%q ret;\n"
    "  cvta.to.global.u64 %rd1, %rd1; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;\n"
    "  ld.global.u32 %r3, [%rd3]; add.u32 %r3, %r3, 7; st.global.u32 [%rd3], %r3; ret;\n}\n"
    ".visible .entry bounded()\n.maxntid 64, 1, 1\n{\n  ret;\n}\n"
    ".visible .entry wild()\n{\n  .reg .u64 %rd1; mov.u64 %rd1, 16; st.global.u32 [%rd1], 1; ret;\n}\n"
    ".visible .entry stop()\n{\n  trap;\n}\n"
    ".visible .entry odd(.param .u64 p)\n{\n  .reg .u64 %rd1; ld.param.u64 %rd1, [p]; add.u64 %rd1, %rd1, 2;"
    " st.global.u32 [%rd1], 1; ret;\n}\n"
    ".visible .entry shared48()\n{\n  .shared .align 4 .b8 s[1024]; .reg .u32 %r1; mov.u32 %r1, s; st.shared.u32 [%r1], 1; ret;\n}\n";
static const char part[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n.extern .func (.param .u32 r) twice(.param .u32 x);\n"
    ".visible .entry call(.param .u64 p)\n{\n  .reg .u64 %rd1; .reg .u32 %r<3>;\n  .param .u32 a; .param .u32 b;\n"
    "  ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1; ld.global.u32 %r1, [%rd1]; st.param.u32 [a], %r1;\n"
    "  call (b), twice, (a); ld.param.u32 %r2, [b]; st.global.u32 [%rd1], %r2; ret;\n}\n";
static const char other[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .func (.param .u32 r) twice(.param .u32 x)\n{\n  .reg .u32 %r1;\n  ld.param.u32 %r1, [x]; shl.b32 %r1, %r1, 1;"
    " st.param.u32 [r], %r1; ret;\n}\n";

static CUdevice device;
static CUcontext context;
static CUmodule module;
static CUfunction add, bounded, wild, stop, odd, shared48;
static CUdeviceptr memory;
static char host[1 << 16];

static void prepare(void) {
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) || cuMemAlloc_v2(&memory, 65536) ||
      cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&add, module, "add") ||
      cuModuleGetFunction(&bounded, module, "bounded") || cuModuleGetFunction(&wild, module, "wild") ||
      cuModuleGetFunction(&stop, module, "stop") || cuModuleGetFunction(&odd, module, "odd") ||
      cuModuleGetFunction(&shared48, module, "shared48"))
    puts("not prepared");
}

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

static void modules(void) {
  CUmodule m;
  CUfunction f;
  CUdeviceptr p;
  CUhandle h;
  size_t size, offset;
  unsigned u;
  int n;
  text name;
  CUfunction list[8];
  prepare();
  R(cuModuleLoadData(NULL, ptx));
  R(cuModuleLoadData(&m, NULL));
  R(cuModuleLoadData(&m, "nonsense"));
  R(cuModuleLoadData(&m, ""));
  R(cuModuleLoadData(&m, ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry k()\n{\n nonsense;\n}\n"));
  R(cuModuleLoadData(&m, ".version 99.0\n.target sm_52\n.address_size 64\n"));
  R(cuModuleLoadData(&m, ".version 7.0\n.target sm_999\n.address_size 64\n"));
  R(cuModuleLoadData(&m, ".version 9.0\n.target sm_121\n.address_size 64\n"));
  R(cuModuleLoadData(&m, part));
  R(cuModuleLoadData(&m, "\x7f" "ELFnot"));
  R(cuModuleLoad(&m, "/nonexistent/file.ptx"));
  R(cuModuleLoad(&m, NULL));
  R(cuModuleGetFunction(&f, module, "nosuch"));
  R(cuModuleGetFunction(&f, module, NULL));
  R(cuModuleGetFunction(&f, module, ""));
  R(cuModuleGetFunction(NULL, module, "add"));
  R(cuModuleGetFunction(&f, 0, "add"));
  V(cuModuleGetFunction(&f, module, "add"), "same %d", f == add);
  V(cuModuleGetGlobal_v2(&p, &size, module, "counters"), "%zu", size);
  V(cuModuleGetGlobal_v2(NULL, &size, module, "scale"), "%zu", size);
  R(cuModuleGetGlobal_v2(&p, NULL, module, "scale"));
  R(cuModuleGetGlobal_v2(NULL, NULL, module, "scale"));
  R(cuModuleGetGlobal_v2(&p, &size, module, "add"));
  R(cuModuleGetGlobal_v2(&p, &size, module, "nosuch"));
  R(cuModuleGetGlobal_v2(&p, &size, module, NULL));
  R(cuModuleGetTexRef(&h, module, "nosuch"));
  R(cuModuleGetSurfRef(&h, module, "nosuch"));
  V(cuModuleGetLoadingMode(&n), "%d", n);
  V(cuModuleGetFunctionCount(&u, module), "%u", u);
  R(cuModuleEnumerateFunctions(list, 8, module));
  R(cuModuleEnumerateFunctions(NULL, 8, module));
  V(cuFuncGetAttribute(&n, 0, add), "%d", n);
  V(cuFuncGetAttribute(&n, 0, bounded), "%d", n);
  V(cuFuncGetAttribute(&n, 1, shared48), "%d", n);
  V(cuFuncGetAttribute(&n, 2, add), "%d", n);
  V(cuFuncGetAttribute(&n, 3, add), "%d", n);
  V(cuFuncGetAttribute(&n, 5, add), "%d", n);
  V(cuFuncGetAttribute(&n, 6, add), "%d", n);
  V(cuFuncGetAttribute(&n, 7, add), "%d", n);
  V(cuFuncGetAttribute(&n, 8, add), "%d", n);
  V(cuFuncGetAttribute(&n, 8, shared48), "%d", n);
  V(cuFuncGetAttribute(&n, 9, add), "%d", n);
  for (int i = 10; i < 18; i++)
    V(cuFuncGetAttribute(&n, i, add), "%d", n);
  R(cuFuncGetAttribute(&n, -1, add));
  R(cuFuncGetAttribute(NULL, 0, add));
  R(cuFuncGetAttribute(&n, 0, 0));
  R(cuFuncSetAttribute(add, 8, 65536));
  V(cuFuncGetAttribute(&n, 8, add), "%d", n);
  R(cuFuncSetAttribute(add, 8, 232448));
  R(cuFuncSetAttribute(add, 8, 232449));
  R(cuFuncSetAttribute(shared48, 8, 232448));
  R(cuFuncSetAttribute(add, 8, -1));
  R(cuFuncSetAttribute(add, 9, 50));
  R(cuFuncSetAttribute(add, 9, 101));
  R(cuFuncSetAttribute(add, 9, -1));
  R(cuFuncSetAttribute(add, 9, -2));
  R(cuFuncSetAttribute(add, 0, 5));
  R(cuFuncSetAttribute(add, 14, 1));
  R(cuFuncSetAttribute(add, 99, 1));
  R(cuFuncSetCacheConfig(add, 2));
  R(cuFuncSetCacheConfig(add, 9));
  R(cuFuncSetSharedMemConfig(add, 1));
  R(cuFuncSetSharedMemConfig(add, 9));
  V(cuFuncGetModule(&m, add), "same %d", m == module);
  R(cuFuncGetModule(NULL, add));
  V(cuFuncGetName(&name, add), "%s", name);
  V(cuFuncGetParamInfo(add, 0, &offset, &size), "%zu", offset * 100 + size);
  V(cuFuncGetParamInfo(add, 1, &offset, &size), "%zu", offset * 100 + size);
  R(cuFuncGetParamInfo(add, 2, &offset, &size));
  R(cuFuncGetParamInfo(add, 0, NULL, NULL));
  R(cuFuncGetParamInfo(add, 1, &offset, NULL));
  R(cuFuncLoad(add));
  V(cuFuncIsLoaded(&n, add), "%d", n);
  R(cuFuncSetCacheConfig(add, 0));
  V(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, add, 256, 0), "%d", n);
  V(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, add, 1024, 0), "%d", n);
  R(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, add, 0, 0));
  V(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, add, 1025, 0), "%d", n);
  R(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, add, -1, 0));
  R(cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, add, 32, 0));
  V(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, add, 32, 1 << 20), "%d", n);
  R(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, add, 32, 0, 2));
  V(cuOccupancyMaxPotentialBlockSize(&n, (int *)&u, add, NULL, 0, 0), "%d", n);
  printf("block %u\n", u);
  V(cuOccupancyMaxPotentialBlockSize(&n, (int *)&u, add, NULL, 0, 100), "%d", n);
  printf("block %u\n", u);
  V(cuOccupancyAvailableDynamicSMemPerBlock(&size, add, 2, 256), "%zu", size);
  R(cuOccupancyAvailableDynamicSMemPerBlock(&size, add, 0, 256));
  R(cuModuleUnload(module));
  R(cuModuleUnload(0));
}

static void libraries(void) {
  CUlibrary l;
  CUkernel k, ks[8];
  CUfunction f;
  CUmodule m;
  CUdeviceptr p;
  size_t size, offset;
  unsigned u;
  int n;
  text name;
  R(cuInit(0));
  R(cuLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
  R(cuCtxCreate_v2(&context, 0, 0));
  R(cuLibraryLoadData(NULL, ptx, NULL, NULL, 0, NULL, NULL, 0));
  R(cuLibraryLoadData(&l, NULL, NULL, NULL, 0, NULL, NULL, 0));
  R(cuLibraryLoadFromFile(&l, "/nonexistent", NULL, NULL, 0, NULL, NULL, 0));
  R(cuLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
  V(cuLibraryGetKernelCount(&u, l), "%u", u);
  R(cuLibraryEnumerateKernels(ks, 8, l));
  R(cuLibraryGetKernel(&k, l, "nosuch"));
  R(cuLibraryGetKernel(NULL, l, "add"));
  R(cuLibraryGetKernel(&k, l, "add"));
  R(cuLibraryGetModule(&m, l));
  R(cuModuleGetFunction(&f, m, "add"));
  R(cuModuleUnload(m));
  V(cuLibraryGetGlobal(&p, &size, l, "counters"), "%zu", size);
  R(cuLibraryGetGlobal(&p, &size, l, "nosuch"));
  R(cuLibraryGetManaged(&p, &size, l, "counters"));
  R(cuKernelGetFunction(&f, k));
  R(cuKernelGetFunction(NULL, k));
  R(cuKernelGetFunction(&f, 0));
  V(cuKernelGetAttribute(&n, 0, k, 0), "%d", n);
  R(cuKernelGetAttribute(&n, 0, k, 64));
  R(cuKernelSetAttribute(8, 65536, k, 0));
  R(cuKernelSetAttribute(8, 999999, k, 0));
  V(cuKernelGetAttribute(&n, 8, k, 0), "%d", n);
  R(cuKernelSetCacheConfig(k, 1, 0));
  V(cuKernelGetName(&name, k), "%s", name);
  V(cuKernelGetParamInfo(k, 1, &offset, &size), "%zu", offset * 100 + size);
  R(cuKernelGetLibrary(&l, k));
  R(cuMemAlloc_v2(&memory, 1024));
  R(cuMemsetD32_v2(memory, 5, 64));
  n = 64;
  void *arguments[] = {&memory, &n};
  R(cuLaunchKernel(k, 1, 1, 1, 64, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, 0, arguments, NULL));
  V(cuMemcpyDtoH_v2(&u, memory + 252, 4), "%u", u);
  R(cuLibraryUnload(l));
  R(cuLibraryUnload(0));
}

static void links(void) {
  CUlinkState s;
  CUmodule m;
  CUfunction f;
  void *image;
  size_t size;
  char info[4096] = "", error[4096] = "";
  int options[] = {3, 4, 5, 6};
  void *values[] = {info, (void *)sizeof info, error, (void *)sizeof error};
  int bad[] = {99};
  void *none[] = {0};
  prepare();
  R(cuLinkCreate_v2(0, NULL, NULL, NULL));
  R(cuLinkCreate_v2(1, NULL, NULL, &s));
  R(cuLinkCreate_v2(1, bad, none, &s));
  R(cuLinkCreate_v2(0, NULL, NULL, &s));
  R(cuLinkComplete(s, &image, &size));
  R(cuLinkDestroy(s));
  R(cuLinkCreate_v2(0, NULL, NULL, &s));
  R(cuLinkAddData_v2(s, 1, (void *)part, sizeof part, "part", 0, NULL, NULL));
  R(cuLinkComplete(s, &image, &size));
  R(cuLinkDestroy(s));
  R(cuLinkCreate_v2(4, options, values, &s));
  R(cuLinkAddData_v2(s, 1, (void *)part, sizeof part, "part", 0, NULL, NULL));
  R(cuLinkAddData_v2(s, 1, "nonsense", 9, "nonsense", 0, NULL, NULL));
  R(cuLinkAddData_v2(s, 99, (void *)other, sizeof other, "other", 0, NULL, NULL));
  R(cuLinkAddData_v2(s, 1, NULL, 8, "null", 0, NULL, NULL));
  R(cuLinkAddFile_v2(s, 1, "/nonexistent", 0, NULL, NULL));
  R(cuLinkDestroy(s));
  R(cuLinkCreate_v2(4, options, values, &s));
  R(cuLinkAddData_v2(s, 1, (void *)part, sizeof part, "part", 0, NULL, NULL));
  R(cuLinkAddData_v2(s, 1, (void *)other, sizeof other, NULL, 0, NULL, NULL));
  R(cuLinkComplete(s, NULL, NULL));
  R(cuLinkComplete(s, &image, &size));
  R(cuModuleLoadData(&m, image));
  R(cuLinkDestroy(s));
  R(cuModuleGetFunction(&f, m, "call"));
  R(cuModuleGetFunction(&f, m, "twice"));
  R(cuModuleGetFunction(&f, m, "call"));
  R(cuMemsetD32_v2(memory, 21, 1));
  void *arguments[] = {&memory};
  R(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL));
  unsigned result = 0;
  V(cuMemcpyDtoH_v2(&result, memory, 4), "%u", result);
  R(cuModuleLoadDataEx(&m, ptx, 4, options, values));
  values[1] = values[3] = (void *)sizeof error;
  R(cuModuleLoadDataEx(&m, ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry k()\n{\n nonsense;\n}\n", 4, options, values));
  printf("error log %d\n", error[0] != 0 && (size_t)values[3] == strlen(error));
  R(cuModuleLoadDataEx(&m, ptx, 1, bad, none));
  R(cuModuleLoadDataEx(&m, ptx, 1, NULL, none));
}

static void launches(void) {
  unsigned u, n = 64;
  void *arguments[] = {&memory, &n}, *broken[] = {&memory, NULL};
  char packed[12];
  size_t size = sizeof packed;
  prepare();
  memcpy(packed, &memory, 8);
  memcpy(packed + 8, &n, 4);
  void *extra[] = {(void *)1, packed, (void *)2, &size, NULL}, *nosize[] = {(void *)1, packed, NULL}, *odd_extra[] = {(void *)9, packed, NULL};
  R(cuMemsetD32_v2(memory, 0, 64));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, 0, NULL, extra));
  V(cuMemcpyDtoH_v2(&u, memory, 4), "%u", u);
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, 0, arguments, extra));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, 0, NULL, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, 0, NULL, odd_extra));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, 0, NULL, nosize));
  R(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, 0, NULL, NULL));
  R(cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, 0, NULL, NULL));
  R(cuLaunchKernel(0, 1, 1, 1, 64, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 0, 1, 1, 64, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 65536, 1, 64, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 65536, 64, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 0x80000000, 1, 1, 64, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 0, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 1025, 1, 1, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 1, 1, 65, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 32, 32, 2, 0, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 49152, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 49153, 0, arguments, NULL));
  R(cuLaunchKernel(shared48, 1, 1, 1, 64, 1, 1, 49152, 0, NULL, NULL));
  R(cuLaunchKernel(shared48, 1, 1, 1, 64, 1, 1, 48128, 0, NULL, NULL));
  R(cuFuncSetAttribute(add, 8, 100000));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 100000, 0, arguments, NULL));
  R(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 100001, 0, arguments, NULL));
  R(cuLaunchCooperativeKernel(bounded, 1, 1, 1, 64, 1, 1, 0, 0, NULL));
  R(cuLaunchCooperativeKernel(bounded, 1000000, 1, 1, 64, 1, 1, 0, 0, NULL));
  CUlaunchConfig c = {1, 1, 1, 64, 1, 1, 0, 0, NULL, 0};
  cudaLaunchAttribute a[2];
  memset(a, 0, sizeof a);
  R(cuLaunchKernelEx(&c, add, arguments, NULL));
  R(cuLaunchKernelEx(NULL, add, arguments, NULL));
  c.numAttrs = 1;
  R(cuLaunchKernelEx(&c, add, arguments, NULL));
  c.attrs = a;
  R(cuLaunchKernelEx(&c, add, arguments, NULL));
  a[0].id = 2, a[0].value.words[0] = 1;
  R(cuLaunchKernelEx(&c, add, arguments, NULL));
  a[0].id = 4, a[0].value.words[0] = 2, a[0].value.words[1] = 1, a[0].value.words[2] = 1;
  R(cuLaunchKernelEx(&c, add, arguments, NULL));
  a[0].id = 6, a[0].value.words[0] = 1;
  R(cuLaunchKernelEx(&c, add, arguments, NULL));
  a[0].id = 99;
  R(cuLaunchKernelEx(&c, add, arguments, NULL));
  R(cuFuncSetBlockShape(add, 32, 1, 1));
  R(cuFuncSetBlockShape(add, 0, 1, 1));
  R(cuFuncSetSharedSize(add, 64));
  R(cuParamSetSize(add, 12));
  R(cuParamSetv(add, 0, &memory, 8));
  R(cuParamSeti(add, 8, 32));
  R(cuMemsetD32_v2(memory, 0, 64));
  R(cuLaunch(add));
  R(cuLaunchGrid(add, 2, 1));
  R(cuLaunchGrid(add, 0, 1));
  R(cuLaunchGridAsync(add, 1, 1, 0));
  V(cuMemcpyDtoH_v2(&u, memory, 4), "%u", u > 0);
  R(cuCtxSynchronize());
  (void)broken;
}

static void memories(void) {
  CUdeviceptr p, q, base;
  size_t size, pitch, total;
  void *h = NULL;
  unsigned flags;
  prepare();
  R(cuMemGetInfo_v2(&size, &total));
  R(cuMemGetInfo_v2(NULL, &total));
  R(cuMemGetInfo_v2(NULL, NULL));
  R(cuMemAlloc_v2(&p, 0));
  R(cuMemAlloc_v2(NULL, 16));
  R(cuMemAlloc_v2(&p, (size_t)1 << 50));
  R(cuMemAlloc_v2(&p, 1000));
  R(cuMemFree_v2(p + 8));
  R(cuMemFree_v2(0));
  R(cuMemFree_v2((CUdeviceptr)host));
  V(cuMemGetAddressRange_v2(&base, &size, p + 100), "%zu", size);
  printf("base %d\n", base == p);
  R(cuMemGetAddressRange_v2(NULL, NULL, p));
  R(cuMemGetAddressRange_v2(&base, &size, (CUdeviceptr)host));
  R(cuMemGetAddressRange_v2(&base, &size, 0));
  R(cuMemFree_v2(p));
  R(cuMemFree_v2(p));
  V(cuMemAllocPitch_v2(&p, &pitch, 100, 10, 4), "%zu", pitch);
  V(cuMemAllocPitch_v2(&q, &pitch, 513, 10, 16), "%zu", pitch);
  R(cuMemAllocPitch_v2(&q, &pitch, 100, 10, 3));
  R(cuMemAllocPitch_v2(&q, &pitch, 0, 10, 4));
  R(cuMemAllocPitch_v2(&q, &pitch, 100, 0, 4));
  R(cuMemAllocPitch_v2(NULL, &pitch, 100, 10, 4));
  R(cuMemAllocHost_v2(&h, 0));
  R(cuMemAllocHost_v2(NULL, 64));
  R(cuMemAllocHost_v2(&h, 4096));
  V(cuMemHostGetFlags(&flags, h), "%x", flags);
  V(cuMemHostGetDevicePointer_v2(&q, h, 0), "same %d", q == (CUdeviceptr)h);
  R(cuMemHostGetDevicePointer_v2(&q, h, 1));
  R(cuMemHostGetDevicePointer_v2(&q, host, 0));
  R(cuMemFree_v2((CUdeviceptr)h));
  R(cuMemFreeHost((char *)h + 16));
  R(cuMemFreeHost(host));
  R(cuMemFreeHost(NULL));
  R(cuMemFreeHost(h));
  R(cuMemFreeHost(h));
  R(cuMemHostAlloc(&h, 4096, 8));
  R(cuMemHostAlloc(&h, 4096, 7));
  V(cuMemHostGetFlags(&flags, h), "%x", flags);
  R(cuMemHostUnregister(h));
  R(cuMemHostRegister_v2(host, 4096, 0));
  R(cuMemHostRegister_v2(host, 4096, 0));
  R(cuMemHostRegister_v2(NULL, 4096, 0));
  R(cuMemHostRegister_v2(host, 0, 0));
  R(cuMemHostRegister_v2(host + 32768, 64, 0x100));
  R(cuMemHostUnregister(host));
  R(cuMemHostUnregister(host));
  R(cuMemAllocManaged(&p, 4096, 1));
  R(cuMemAllocManaged(&q, 4096, 2));
  R(cuMemAllocManaged(&q, 4096, 0));
  R(cuMemAllocManaged(&q, 0, 1));
  R(cuMemAllocManaged(&q, 4096, 9));
  R(cuMemAdvise(p, 4096, 1, 0));
  R(cuMemAdvise(p, 4096, 9, 0));
  R(cuMemAdvise(memory, 4096, 1, 0));
  R(cuMemAdvise(p, 4096, 3, 64));
  R(cuMemAdvise(p, 4096, 3, -1));
  R(cuMemPrefetchAsync(p, 4096, 0, 0));
  R(cuMemPrefetchAsync(p, 4096, -1, 0));
  R(cuMemPrefetchAsync(p, 0, 0, 0));
  R(cuMemPrefetchAsync(p, 4096, 64, 0));
  R(cuMemPrefetchAsync(memory, 4096, 0, 0));
  int where = 77;
  R(cuMemRangeGetAttribute(&where, 4, 1, p, 4096));
  R(cuMemRangeGetAttribute(&where, 3, 1, p, 4096));
  R(cuMemRangeGetAttribute(&where, 4, 99, p, 4096));
  R(cuMemRangeGetAttribute(&where, 4, 1, memory, 4096));
  R(cuMemFree_v2(p));
}

static void copies(void) {
  CUdeviceptr p;
  size_t pitch;
  int v = 0;
  prepare();
  R(cuMemcpyHtoD_v2(memory, host, 65536));
  R(cuMemcpyHtoD_v2(memory, host, 0));
  R(cuMemcpyHtoD_v2(memory, NULL, 16));
  R(cuMemcpyHtoD_v2(memory, NULL, 0));
  R(cuMemcpyHtoD_v2(0, host, 16));
  R(cuMemcpyHtoD_v2(memory + 65536 - 8, host, 4));
  R(cuMemcpyHtoD_v2(memory, host, (size_t)1 << 40));
  R(cuMemcpyHtoD_v2((CUdeviceptr)host, host, 16));
  R(cuMemcpyDtoH_v2(host, memory, 16));
  R(cuMemcpyDtoH_v2(NULL, memory, 16));
  R(cuMemcpyDtoH_v2(host, 0, 16));
  R(cuMemcpyDtoD_v2(memory, memory + 1024, 16));
  R(cuMemcpyDtoD_v2(memory, (CUdeviceptr)host, 16));
  R(cuMemcpy(memory, (CUdeviceptr)host, 16));
  R(cuMemcpy((CUdeviceptr)host, memory, 16));
  R(cuMemcpy(0, memory, 16));
  R(cuMemcpyAsync(memory, (CUdeviceptr)host, 16, 0));
  R(cuMemcpyHtoDAsync_v2(memory, host, 16, 0));
  R(cuMemcpyDtoHAsync_v2(host, memory, 16, 0));
  R(cuMemcpyDtoDAsync_v2(memory, memory + 64, 16, 0));
  R(cuMemcpyPeer(memory, context, memory + 64, context, 16));
  R(cuMemsetD8_v2(memory, 1, 65536));
  R(cuMemsetD8_v2(memory, 1, 0));
  R(cuMemsetD8_v2(0, 1, 16));
  R(cuMemsetD8_v2((CUdeviceptr)host, 1, 16));
  R(cuMemsetD16_v2(memory, 0x1234, 100));
  R(cuMemsetD16_v2(memory + 1, 0x1234, 100));
  R(cuMemsetD32_v2(memory, 0x12345678, 100));
  R(cuMemsetD32_v2(memory + 2, 0x12345678, 100));
  R(cuMemsetD32Async(memory, 9, 100, 0));
  V(cuMemcpyDtoH_v2(&v, memory + 396, 4), "%d", v);
  R(cuMemAllocPitch_v2(&p, &pitch, 100, 10, 4));
  R(cuMemsetD2D8_v2(p, pitch, 7, 100, 10));
  R(cuMemsetD2D8_v2(p, 50, 7, 100, 10));
  R(cuMemsetD2D32_v2(p, pitch, 7, 25, 10));
  R(cuMemsetD2D32_v2(p, pitch + 1, 7, 25, 2));
  CUDA_MEMCPY2D c;
  memset(&c, 0, sizeof c);
  R(cuMemcpy2D_v2(NULL));
  R(cuMemcpy2D_v2(&c));
  c.srcMemoryType = 1, c.srcHost = (uint64_t)host, c.srcPitch = 100, c.dstMemoryType = 2, c.dstDevice = p, c.dstPitch = pitch;
  c.WidthInBytes = 100, c.Height = 10;
  R(cuMemcpy2D_v2(&c));
  R(cuMemcpy2DUnaligned_v2(&c));
  c.srcPitch = 50;
  R(cuMemcpy2D_v2(&c));
  c.srcPitch = 0;
  R(cuMemcpy2D_v2(&c));
  c.srcPitch = 100, c.dstMemoryType = 9;
  R(cuMemcpy2D_v2(&c));
  c.dstMemoryType = 4, c.srcMemoryType = 4, c.srcDevice = (uint64_t)host;
  R(cuMemcpy2D_v2(&c));
  c.dstMemoryType = 3, c.dstArray = 0;
  R(cuMemcpy2D_v2(&c));
  c.dstMemoryType = 2, c.Height = 100000;
  R(cuMemcpy2D_v2(&c));
  CUDA_MEMCPY3D d;
  memset(&d, 0, sizeof d);
  R(cuMemcpy3D_v2(&d));
  d.srcMemoryType = 1, d.srcHost = (uint64_t)host, d.srcPitch = 16, d.srcHeight = 4;
  d.dstMemoryType = 2, d.dstDevice = memory, d.dstPitch = 16, d.dstHeight = 4;
  d.WidthInBytes = 16, d.Height = 4, d.Depth = 3;
  R(cuMemcpy3D_v2(&d));
  d.srcHeight = 2;
  R(cuMemcpy3D_v2(&d));
  d.srcHeight = 4, d.srcLOD = 1;
  R(cuMemcpy3D_v2(&d));
}

static void pointers(void) {
  int n = -7, owner, list[] = {2, 9, 12};
  unsigned long long id = 0;
  CUdeviceptr p = 0, managed;
  CUcontext c;
  size_t size;
  void *h;
  prepare();
  R(cuMemAllocManaged(&managed, 4096, 1));
  R(cuMemAllocHost_v2(&h, 4096));
  V(cuPointerGetAttribute(&c, 1, memory), "same %d", c == context);
  V(cuPointerGetAttribute(&n, 2, memory), "%d", n);
  V(cuPointerGetAttribute(&n, 2, (CUdeviceptr)h), "%d", n);
  V(cuPointerGetAttribute(&n, 2, managed), "%d", n);
  R(cuPointerGetAttribute(&n, 2, (CUdeviceptr)host));
  V(cuPointerGetAttribute(&p, 3, memory + 4), "same %d", p == memory + 4);
  R(cuPointerGetAttribute(&p, 3, (CUdeviceptr)host));
  R(cuPointerGetAttribute(&p, 4, memory));
  V(cuPointerGetAttribute(&p, 4, (CUdeviceptr)h), "same %d", p == (CUdeviceptr)h);
  V(cuPointerGetAttribute(&p, 4, managed), "same %d", p == managed);
  R(cuPointerGetAttribute(host, 5, memory));
  V(cuPointerGetAttribute(&n, 6, memory), "%d", n);
  R(cuPointerGetAttribute(&id, 7, memory));
  n = 0;
  V(cuPointerGetAttribute(&n, 8, memory), "%d", n & 1);
  V(cuPointerGetAttribute(&n, 8, managed), "%d", n & 1);
  V(cuPointerGetAttribute(&n, 9, memory), "%d", n);
  R(cuPointerGetAttribute(&n, 9, (CUdeviceptr)host));
  V(cuPointerGetAttribute(&n, 10, memory), "%d", n & 1);
  V(cuPointerGetAttribute(&p, 11, memory + 100), "same %d", p == memory);
  V(cuPointerGetAttribute(&size, 12, memory + 100), "%zu", size);
  V(cuPointerGetAttribute(&n, 13, memory), "%d", n & 1);
  V(cuPointerGetAttribute(&id, 14, memory), "%llu", id);
  V(cuPointerGetAttribute(&n, 15, memory), "%d", n);
  V(cuPointerGetAttribute(&p, 17, memory), "%d", p == 0);
  R(cuPointerGetAttribute(&n, 99, memory));
  R(cuPointerGetAttribute(NULL, 2, memory));
  R(cuPointerGetAttribute(&n, 2, 0));
  void *data[] = {&n, &owner, &size};
  n = -1;
  R(cuPointerGetAttributes(3, list, data, (CUdeviceptr)host));
  printf("type %d\n", n);
  R(cuPointerGetAttributes(3, list, data, memory));
  printf("type %d\n", n);
  R(cuPointerGetAttributes(0, list, data, memory));
  n = 1;
  R(cuPointerSetAttribute(&n, 6, memory));
  V(cuPointerGetAttribute(&n, 6, memory), "%d", n);
  R(cuPointerSetAttribute(&n, 2, memory));
  R(cuPointerSetAttribute(&n, 6, (CUdeviceptr)host));
}

static void pools(void) {
  CUpool pool, mine;
  CUdeviceptr p;
  uint64_t n = 0;
  int i = 1;
  prepare();
  CUmemPoolProps props;
  memset(&props, 0, sizeof props);
  R(cuMemPoolCreate(&mine, &props));
  R(cuMemPoolCreate(NULL, &props));
  R(cuMemPoolCreate(&mine, NULL));
  props.allocType = 1, props.location.type = 1, props.location.id = 64;
  R(cuMemPoolCreate(&mine, &props));
  props.location.id = 0;
  R(cuMemPoolCreate(&mine, &props));
  R(cuDeviceGetDefaultMemPool(&pool, 0));
  R(cuMemPoolDestroy(pool));
  R(cuMemPoolDestroy(0));
  for (int a = 0; a < 10; a++)
    R(cuMemPoolGetAttribute(mine, a, &n));
  V(cuMemPoolGetAttribute(mine, 4, &n), "%llu", (unsigned long long)n);
  R(cuMemPoolSetAttribute(mine, 1, &i));
  n = 4096;
  R(cuMemPoolSetAttribute(mine, 4, &n));
  V(cuMemPoolGetAttribute(mine, 4, &n), "%llu", (unsigned long long)n);
  R(cuMemPoolSetAttribute(mine, 5, &n));
  R(cuMemPoolSetAttribute(mine, 6, &n));
  n = 0;
  R(cuMemPoolSetAttribute(mine, 6, &n));
  R(cuMemPoolSetAttribute(mine, 99, &n));
  R(cuMemPoolTrimTo(mine, 0));
  CUmemAccessDesc access = {{1, 0}, 3};
  R(cuMemPoolSetAccess(mine, &access, 1));
  access.flags = 0;
  R(cuMemPoolSetAccess(mine, &access, 1));
  access.location.id = 64;
  R(cuMemPoolSetAccess(mine, &access, 1));
  cudaMemLocation where = {1, 0};
  V(cuMemPoolGetAccess(&i, mine, &where), "%d", i);
  R(cuMemAllocFromPoolAsync(&p, 1024, mine, 0));
  R(cuMemFreeAsync(p, 0));
  R(cuMemAllocFromPoolAsync(&p, 0, mine, 0));
  R(cuMemAllocAsync(&p, 1024, 0));
  R(cuMemAllocAsync(NULL, 1024, 0));
  R(cuMemAllocAsync(&p, (size_t)1 << 50, 0));
  R(cuMemAllocAsync(&p, 0, 0));
  R(cuMemAllocAsync(&p, 1024, 0));
  R(cuMemFreeAsync(p + 8, 0));
  R(cuMemFree_v2(p));
  R(cuMemFreeAsync(0, 0));
  R(cuMemFreeAsync((CUdeviceptr)host, 0));
  R(cuMemFreeAsync(memory, 0));
  R(cuCtxSynchronize());
  R(cuMemPoolDestroy(mine));
}

static void mappings(void) {
  CUmemAllocationProp prop, got;
  CUmemAccessDesc access = {{1, 0}, 3};
  CUhandle h, h2;
  CUdeviceptr p, q;
  size_t granularity = 0;
  unsigned long long flags;
  int v;
  prepare();
  memset(&prop, 0, sizeof prop);
  R(cuMemGetAllocationGranularity(&granularity, &prop, 0));
  prop.type = 1, prop.location.type = 1;
  V(cuMemGetAllocationGranularity(&granularity, &prop, 0), "%zu", granularity);
  V(cuMemGetAllocationGranularity(&granularity, &prop, 1), "%zu", granularity);
  R(cuMemGetAllocationGranularity(&granularity, &prop, 2));
  R(cuMemGetAllocationGranularity(NULL, &prop, 0));
  const size_t M = 2 << 20;
  R(cuMemAddressReserve(&p, 0, 0, 0, 0));
  R(cuMemAddressReserve(&p, 1000, 0, 0, 0));
  R(cuMemAddressReserve(&p, 2 * M, 3, 0, 0));
  R(cuMemAddressReserve(&p, 2 * M, 0, 0, 1));
  R(cuMemAddressReserve(NULL, 2 * M, 0, 0, 0));
  R(cuMemAddressReserve(&p, 4 * M, 0, 0, 0));
  R(cuMemCreate(&h, 1000, &prop, 0));
  R(cuMemCreate(&h, 0, &prop, 0));
  R(cuMemCreate(&h, 2 * M, NULL, 0));
  R(cuMemCreate(&h, 2 * M, &prop, 1));
  R(cuMemCreate(&h, 2 * M, &prop, 0));
  V(cuMemGetAllocationPropertiesFromHandle(&got, h), "%d", got.type * 100 + got.location.type * 10 + got.location.id);
  R(cuMemMap(p, M, 0, 0, 0));
  R(cuMemMap(p, 4 * M, 0, h, 0));
  R(cuMemMap(p + 16, M, 0, h, 0));
  R(cuMemMap(p, M, M / 2, h, 0));
  R(cuMemMap(memory, 2 * M, 0, h, 0));
  R(cuMemMap(p, 2 * M, 0, h, 1));
  R(cuMemMap(p, 2 * M, 0, h, 0));
  R(cuMemMap(p, 2 * M, 0, h, 0));
  R(cuMemsetD8_v2(p, 1, 16));
  R(cuMemcpyHtoD_v2(p, host, 16));
  V(cuMemGetAccess(&flags, &access.location, p), "%llu", flags);
  R(cuMemSetAccess(p, M / 2, &access, 1));
  R(cuMemSetAccess(p, 4 * M, &access, 1));
  access.flags = 9;
  R(cuMemSetAccess(p, 2 * M, &access, 1));
  access.flags = 3;
  R(cuMemSetAccess(p, 2 * M, &access, 0));
  R(cuMemSetAccess(p, 2 * M, &access, 1));
  V(cuMemGetAccess(&flags, &access.location, p), "%llu", flags);
  R(cuMemsetD32_v2(p, 77, 2 * M / 4));
  V(cuMemcpyDtoH_v2(&v, p + 2 * M - 4, 4), "%d", v);
  R(cuMemsetD32_v2(p + 2 * M, 77, 4));
  V(cuMemRetainAllocationHandle(&h2, (void *)(p + 100)), "same %d", h == h2);
  R(cuMemRelease(h2));
  R(cuMemAddressReserve(&q, 2 * M, 0, 0, 0));
  R(cuMemMap(q, 2 * M, 0, h, 0));
  R(cuMemSetAccess(q, 2 * M, &access, 1));
  V(cuMemcpyDtoH_v2(&v, q + 400, 4), "alias %d", v);
  R(cuMemFree_v2(p));
  R(cuMemAddressFree(p, 4 * M));
  R(cuMemUnmap(q, 2 * M));
  R(cuMemUnmap(q, 2 * M));
  R(cuMemAddressFree(q, 2 * M));
  R(cuMemAddressFree(q, 2 * M));
  R(cuMemRelease(h));
  V(cuMemcpyDtoH_v2(&v, p, 4), "%d", v);
  R(cuMemUnmap(p, M / 2));
  R(cuMemUnmap(p, 2 * M));
  R(cuMemcpyDtoH_v2(&v, p, 4));
  R(cuMemAddressFree(p, 2 * M));
  R(cuMemAddressFree(p, 4 * M));
  R(cuMemRelease(h));
  R(cuMemRelease(0));
}

static int called;
static void hostFunction(void *user) { called += *(int *)user; }
static void callback(CUhandle stream, CUresult status, void *user) { called += 100 * (stream != 0) + status + *(int *)user; }
static CUresult inside;
static void calls(void *user) {
  CUdeviceptr p;
  (void)user;
  inside = cuMemAlloc_v2(&p, 16);
}

static void streams(void) {
  CUstream s, t;
  CUcontext c;
  CUevent e;
  unsigned flags;
  int n, one = 1;
  unsigned long long id;
  prepare();
  R(cuStreamCreate(NULL, 0));
  R(cuStreamCreate(&s, 2));
  R(cuStreamCreate(&s, 1));
  R(cuStreamCreateWithPriority(&t, 0, -99));
  V(cuStreamGetPriority(t, &n), "%d", n);
  V(cuStreamGetPriority(s, &n), "%d", n);
  V(cuStreamGetFlags(s, &flags), "%u", flags);
  V(cuStreamGetFlags(0, &flags), "%u", flags);
  V(cuStreamGetFlags(1, &flags), "%u", flags);
  V(cuStreamGetFlags(2, &flags), "%u", flags);
  R(cuStreamGetFlags(s, NULL));
  V(cuStreamGetCtx(s, &c), "same %d", c == context);
  V(cuStreamGetCtx(0, &c), "same %d", c == context);
  R(cuStreamGetId(s, &id));
  R(cuStreamGetId(s, NULL));
  R(cuStreamQuery(s));
  R(cuStreamQuery(0));
  R(cuStreamSynchronize(s));
  R(cuStreamSynchronize(1));
  R(cuStreamSynchronize(2));
  R(cuStreamDestroy_v2(0));
  R(cuStreamDestroy_v2(1));
  R(cuLaunchHostFunc(s, hostFunction, &one));
  R(cuLaunchHostFunc(s, NULL, &one));
  R(cuStreamAddCallback(t, callback, &one, 0));
  R(cuStreamAddCallback(t, callback, &one, 1));
  R(cuStreamAddCallback(t, NULL, &one, 0));
  R(cuCtxSynchronize());
  printf("called %d\n", called);
  R(cuLaunchHostFunc(s, calls, NULL));
  R(cuStreamSynchronize(s));
  printf("inside %d\n", inside);
  R(cuEventCreate(&e, 0));
  R(cuStreamWaitEvent(s, e, 0));
  R(cuStreamWaitEvent(s, 0, 0));
  R(cuStreamWaitEvent(s, e, 2));
  R(cuStreamAttachMemAsync(s, memory, 0, 1));
  V(cuStreamIsCapturing(s, &n), "%d", n);
  n = 1;
  V(cuThreadExchangeStreamCaptureMode(&n), "%d", n);
  n = 9;
  R(cuThreadExchangeStreamCaptureMode(&n));
  R(cuMemsetD32_v2(memory, 0, 4));
  R(cuStreamWriteValue32_v2(s, memory, 5, 0));
  R(cuStreamWaitValue32_v2(s, memory, 5, 1));
  R(cuStreamWriteValue32_v2(s, memory + 2, 5, 0));
  R(cuStreamSynchronize(s));
  R(cuStreamDestroy_v2(s));
  R(cuStreamDestroy_v2(t));
}

static void events(void) {
  CUevent a, b, c;
  CUstream s;
  float ms = -1;
  prepare();
  R(cuEventCreate(NULL, 0));
  R(cuEventCreate(&a, 8));
  R(cuEventCreate(&a, 4));
  R(cuEventCreate(&c, 6));
  R(cuEventCreate(&a, 0));
  R(cuEventCreate(&b, 1));
  R(cuEventQuery(a));
  R(cuEventSynchronize(a));
  R(cuEventElapsedTime(&ms, a, b));
  R(cuEventRecord(a, 0));
  R(cuEventElapsedTime(&ms, a, b));
  R(cuStreamCreate(&s, 0));
  R(cuEventRecord(b, s));
  R(cuEventSynchronize(b));
  V(cuEventElapsedTime(&ms, a, b), "%d", ms >= 0);
  R(cuEventElapsedTime(NULL, a, b));
  R(cuEventRecord(c, 0));
  R(cuCtxSynchronize());
  R(cuEventElapsedTime(&ms, a, c));
  R(cuEventRecordWithFlags(a, s, 1));
  R(cuEventRecordWithFlags(a, s, 2));
  R(cuEventRecord(0, s));
  R(cuEventQuery(0));
  R(cuEventSynchronize(0));
  R(cuEventDestroy_v2(a));
  R(cuEventDestroy_v2(b));
  R(cuEventDestroy_v2(0));
}

static void arrays(void) {
  CUarray a, b;
  CUhandle t, m, r;
  CUDA_ARRAY_DESCRIPTOR d = {64, 16, 0x20, 1}, got;
  CUDA_ARRAY3D_DESCRIPTOR v = {8, 8, 4, 0x20, 4, 0}, got3;
  CUDA_RESOURCE_DESC res, res2;
  CUDA_TEXTURE_DESC tex, tex2;
  CUDA_RESOURCE_VIEW_DESC view;
  int n, k;
  unsigned flags;
  size_t offset;
  prepare();
  R(cuArrayCreate_v2(NULL, &d));
  R(cuArrayCreate_v2(&a, NULL));
  R(cuArrayCreate_v2(&a, &d));
  d.NumChannels = 3;
  R(cuArrayCreate_v2(&b, &d));
  d.NumChannels = 1, d.Format = 0x99;
  R(cuArrayCreate_v2(&b, &d));
  d.Format = 0x20, d.Width = 0;
  R(cuArrayCreate_v2(&b, &d));
  d.Width = 1 << 24;
  R(cuArrayCreate_v2(&b, &d));
  V(cuArrayGetDescriptor_v2(&got, a), "%zu", got.Width * 10000 + got.Height * 10 + got.NumChannels);
  R(cuArrayGetDescriptor_v2(NULL, a));
  R(cuArrayGetDescriptor_v2(&got, 0));
  R(cuArray3DCreate_v2(&b, &v));
  V(cuArray3DGetDescriptor_v2(&got3, b), "%zu", got3.Depth * 10 + got3.NumChannels);
  R(cuArrayDestroy(b));
  v.Flags = 0x1;
  R(cuArray3DCreate_v2(&b, &v));
  R(cuArrayDestroy(b));
  v.Flags = 0x4000;
  R(cuArray3DCreate_v2(&b, &v));
  v.Flags = 4;
  R(cuArray3DCreate_v2(&b, &v));
  v.Flags = 0;
  R(cuMipmappedArrayCreate(&m, &v, 0));
  R(cuMipmappedArrayCreate(&m, &v, 3));
  R(cuMipmappedArrayGetLevel(&b, m, 1));
  V(cuArray3DGetDescriptor_v2(&got3, b), "%zu", got3.Width * 100 + got3.Height * 10 + got3.Depth);
  R(cuMipmappedArrayGetLevel(&b, m, 9));
  R(cuMipmappedArrayDestroy(m));
  R(cuMemcpyHtoA_v2(a, 0, host, 4096));
  R(cuMemcpyHtoA_v2(a, 1, host, 4096));
  R(cuMemcpyHtoA_v2(a, 0, host, 8192));
  R(cuMemcpyHtoA_v2(a, 4, host, 16));
  R(cuMemcpyAtoH_v2(host, a, 0, 256));
  R(cuMemcpyDtoA_v2(a, 0, memory, 256));
  R(cuMemcpyAtoD_v2(memory, a, 0, 256));
  memset(&res, 0, sizeof res), memset(&tex, 0, sizeof tex), memset(&view, 0, sizeof view);
  res.words[0] = a;
  R(cuTexObjectCreate(NULL, &res, &tex, NULL));
  R(cuTexObjectCreate(&t, NULL, &tex, NULL));
  R(cuTexObjectCreate(&t, &res, NULL, NULL));
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  R(cuTexObjectGetResourceDesc(&res2, t));
  R(cuTexObjectGetTextureDesc(&tex2, t));
  R(cuTexObjectGetResourceViewDesc(&view, t));
  R(cuTexObjectDestroy(t));
  tex.filterMode = 1;
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  tex.filterMode = 9;
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  tex.filterMode = 0, tex.addressMode[0] = 9;
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  tex.addressMode[0] = 0, res.resType = 9;
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  res.resType = 2, res.words[0] = memory, res.words[1] = (uint64_t)1 << 32 | 0x20, res.words[2] = 4096;
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  R(cuTexObjectDestroy(t));
  res.words[0] = memory + 4;
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  res.words[0] = 0;
  R(cuTexObjectCreate(&t, &res, &tex, NULL));
  res.resType = 0, res.words[0] = a;
  R(cuSurfObjectCreate(&t, &res));
  R(cuArrayDestroy(a));
  v.Flags = 2;
  R(cuArray3DCreate_v2(&a, &v));
  res.words[0] = a;
  R(cuSurfObjectCreate(&t, &res));
  R(cuSurfObjectDestroy(t));
  R(cuTexRefCreate(&r));
  R(cuTexRefSetFormat(r, 0x20, 4));
  R(cuTexRefSetFormat(r, 0x20, 3));
  R(cuTexRefSetFlags(r, 2));
  V(cuTexRefGetFlags(&flags, r), "%u", flags);
  R(cuTexRefSetAddressMode(r, 0, 1));
  V(cuTexRefGetAddressMode(&n, r, 0), "%d", n);
  R(cuTexRefSetFilterMode(r, 1));
  V(cuTexRefGetFilterMode(&n, r), "%d", n);
  R(cuTexRefSetArray(r, a, 1));
  R(cuTexRefSetArray(r, a, 0));
  R(cuTexRefGetArray(&b, r));
  V(cuTexRefGetFormat(&n, &k, r), "%d", n * 10 + k);
  R(cuTexRefSetAddress_v2(&offset, r, memory, 4096));
  R(cuTexRefSetAddress_v2(&offset, r, memory + 4, 4096));
  R(cuTexRefSetAddress_v2(NULL, r, memory + 4, 4096));
  R(cuTexRefDestroy(r));
  R(cuTexRefDestroy(0));
  R(cuArrayDestroy(a));
  R(cuArrayDestroy(0));
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

static void fault(CUfunction f, void **arguments) {
  CUdeviceptr p;
  CUstream s;
  CUevent e;
  CUmodule m;
  size_t size;
  int n;
  R(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL));
  R(cuCtxSynchronize());
  R(cuCtxSynchronize());
  R(cuMemAlloc_v2(&p, 16));
  R(cuMemFree_v2(memory));
  R(cuStreamCreate(&s, 0));
  R(cuStreamQuery(0));
  R(cuEventCreate(&e, 0));
  R(cuMemcpyDtoH_v2(host, memory, 4));
  R(cuMemsetD8_v2(memory, 1, 4));
  R(cuModuleLoadData(&m, ptx));
  R(cuModuleGetFunction(&f, module, "add"));
  R(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL));
  R(cuFuncGetAttribute(&n, 0, f));
  R(cuMemGetInfo_v2(&size, &size));
  R(cuDeviceGetCount(&n));
  R(cuDeviceGetAttribute(&n, 1, 0));
  R(cuCtxGetDevice(&device));
  R(cuCtxGetLimit(&size, 0));
  R(cuModuleUnload(module));
  R(cuCtxDestroy_v2(context));
}

static void illegal(void) {
  prepare();
  fault(wild, NULL);
}
static void trapped(void) {
  prepare();
  fault(stop, NULL);
}
static void misaligned(void) {
  void *arguments[] = {&memory};
  prepare();
  fault(odd, arguments);
}

CHAPTERS({"init", init}, {"errors", errors}, {"devices", devices}, {"primary", primary}, {"contexts", contexts},
         {"modules", modules}, {"libraries", libraries}, {"links", links}, {"launches", launches},
         {"memories", memories}, {"copies", copies}, {"pointers", pointers}, {"pools", pools},
         {"mappings", mappings}, {"streams", streams}, {"events", events}, {"arrays", arrays}, {"entries", entries},
         {"tables", unknownTables}, {"others", others}, {"illegal", illegal}, {"trapped", trapped},
         {"misaligned", misaligned})
