// Libraries, the driver's functions behind the runtime, and how the two interfaces meet.
#include "manual.h"

#if CUDART_VERSION >= 13000
static const char ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .global .align 4 .u32 counter = 41;
.visible .const .align 8 .b8 table[24];
.visible .entry add(.param .u64 p, .param .u32 n)
{
  .reg .u64 %p; .reg .u32 %n;
  ld.param.u64 %p, [p];
  ld.param.u32 %n, [n];
  red.global.add.u32 [%p], %n;
  ret;
}
.visible .entry nothing()
{
  ret;
}
)";

CHAPTER(library) {
  cudaLibrary_t l = nullptr, m = nullptr;
  cudaKernel_t k = nullptr, list[4] = {};
  void *p = nullptr;
  size_t n = 0;
  unsigned count = 0;
  C(cudaLibraryLoadData(nullptr, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  C(cudaLibraryLoadData(&l, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  C(cudaLibraryLoadData(&l, "not a module", nullptr, nullptr, 0, nullptr, nullptr, 0));
  C(cudaLibraryGetKernel(&k, l, "add"));
  C(cudaLibraryGetKernelCount(&count, l));
  C(cudaLibraryUnload(l));
  C(cudaLibraryLoadData(&l, ".version 7.0\n.target sm_52\nnonsense\n", nullptr, nullptr, 0, nullptr, nullptr, 0));
  C(cudaLibraryGetKernel(&k, l, "add"));
  C(cudaLibraryUnload(l));
  C(cudaLibraryLoadData(&l, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  C(cudaLibraryLoadFromFile(&m, "/nowhere/at/all", nullptr, nullptr, 0, nullptr, nullptr, 0));
  C(cudaLibraryLoadFromFile(&m, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  C(cudaLibraryGetKernelCount(&count, l));
  V("%u kernels", count);
  C(cudaLibraryGetKernelCount(nullptr, l));
  C(cudaLibraryEnumerateKernels(list, 4, l));
  V("%d %d %d", list[0] != nullptr, list[1] != nullptr, list[2] != nullptr);
  C(cudaLibraryEnumerateKernels(list, 1, l));
  C(cudaLibraryEnumerateKernels(list, 0, l));
  C(cudaLibraryEnumerateKernels(nullptr, 1, l));
  C(cudaLibraryGetKernel(&k, l, "none"));
  C(cudaLibraryGetKernel(&k, l, nullptr));
  C(cudaLibraryGetKernel(nullptr, l, "add"));
  C(cudaLibraryGetKernel(&k, l, "add"));
  C(cudaLibraryGetGlobal(&p, &n, l, "counter"));
  int v = 0;
  C(cudaMemcpy(&v, p, 4, cudaMemcpyDefault));
  V("%zu bytes: %d", n, v);
  C(cudaLibraryGetGlobal(nullptr, &n, l, "table"));
  V("%zu bytes", n);
  C(cudaLibraryGetGlobal(&p, nullptr, l, "table"));
  C(cudaLibraryGetGlobal(nullptr, nullptr, l, "table"));
  C(cudaLibraryGetGlobal(&p, &n, l, "none"));
  C(cudaLibraryGetGlobal(&p, &n, l, nullptr));
  C(cudaLibraryGetManaged(&p, &n, l, "counter"));
  C(cudaLibraryGetManaged(&p, &n, l, "none"));
  C(cudaLibraryGetUnifiedFunction(&p, l, "add"));
  C(cudaLibraryGetUnifiedFunction(&p, l, "none"));
  C(cudaLibraryGetUnifiedFunction(nullptr, l, "add"));
  cudaFuncAttributes a;
  memset(&a, 0, sizeof a);
  C(cudaFuncGetAttributes(&a, (const void *)k));
  V("threads %d, shared %zu", a.maxThreadsPerBlock, a.sharedSizeBytes);
  C(cudaKernelSetAttributeForDevice(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000, 0));
  C(cudaKernelSetAttributeForDevice(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000, 99));
  C(cudaKernelSetAttributeForDevice(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20, 0));
  C(cudaKernelSetAttributeForDevice(k, cudaFuncAttributePreferredSharedMemoryCarveout, 50, 0));
  C(cudaKernelSetAttributeForDevice(k, (cudaFuncAttribute)77, 50, 0));
  C(cudaKernelSetAttributeForDevice(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 0));
  C(cudaFuncGetAttributes(&a, (const void *)k));
  V("dynamic %d, carve-out %d", a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout);
  const char *name = nullptr;
  C(cudaFuncGetName(&name, (const void *)k));
  V("%s", name ? name : "none");
  size_t offset = 0, size = 0;
  C(cudaFuncGetParamInfo((const void *)k, 1, &offset, &size));
  V("%zu %zu", offset, size);
  int *at = nullptr;
  unsigned seven = 7;
  C(cudaMalloc(&at, 4));
  C(cudaMemset(at, 0, 4));
  void *arguments[] = {&at, &seven};
  C(cudaLaunchKernel((const void *)k, dim3(2), dim3(3), arguments, 0, nullptr));
  C(cudaMemcpy(&v, at, 4, cudaMemcpyDefault));
  V("%d", v);
  C(cudaLibraryUnload(l));
  C(cudaLibraryUnload(nullptr));
}
#endif

__device__ int variable;
// changes belongs to the module of variable.
__global__ void changes() { variable++; }

static void *driver(const char *name) {
  void *f = nullptr;
#if CUDART_VERSION >= 13000
  cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, nullptr);
#else
  cudaGetDriverEntryPoint(name, &f, cudaEnableDefault);
#endif
  return f;
}

// FIND asks as the toolkit's header makes programs ask; the card's runtime does not return from a question without a place for
// the answer.
#if CUDART_VERSION >= 13000
#define FIND(name, to, flags) cudaGetDriverEntryPointByVersion(name, to, 12000, flags, &found)
#elif CUDART_VERSION >= 12000
#define FIND(name, to, flags) cudaGetDriverEntryPoint(name, to, flags, &found)
#else
#define FIND(name, to, flags) cudaGetDriverEntryPoint(name, to, flags)
#endif
#if CUDART_VERSION >= 12000
#define UNKNOWN (cudaDriverEntryPointQueryResult)9
typedef cudaDriverEntryPointQueryResult result_t;
#else
#define UNKNOWN 9
typedef int result_t;
#endif

CHAPTER(entry_points) {
  void *f = nullptr, *g = nullptr;
  result_t found = UNKNOWN;
  for (const char *name : {"cuMemAlloc", "cuMemAlloc_v2", "cuNoSuch", "none", "cuLaunchKernelEx", "cuCtxCreate", "cuStreamGetCaptureInfo"})
    for (unsigned long long flags : {0ull, 1ull, 2ull, 3ull, 99ull}) {
      f = (void *)1, found = UNKNOWN;
      C(FIND(name, &f, flags));
      V("%s, %llu: %d, %d", name, flags, f == (void *)1 ? 1 : f ? 2 : 0, (int)found);
    }
  C(FIND("", &f, cudaEnableDefault));
  C(FIND("cuMemcpyHtoD", &f, cudaEnableLegacyStream));
  C(FIND("cuMemcpyHtoD", &g, cudaEnablePerThreadDefaultStream));
  V("differ %d", f != g);
  C(FIND("cuMemcpyHtoD", &g, cudaEnableDefault));
  V("legacy %d", f == g);
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
  C(cudaGetDriverEntryPoint("cuMemAlloc", &f, cudaEnableDefault, nullptr));
  C(cudaGetDriverEntryPoint("cuNoSuch", &f, cudaEnableDefault, nullptr));
#endif
#if CUDART_VERSION >= 12050
  for (unsigned version : {0u, 1000u, 2000u, 3020u, 11000u, 12000u, 12080u, 13000u, 14000u, 99999u})
    for (const char *name : {"cuMemAlloc", "cuCtxCreate", "cuStreamGetCaptureInfo", "cuGraphAddNode", "cuNoSuch"}) {
      f = nullptr, found = UNKNOWN;
      C(cudaGetDriverEntryPointByVersion(name, &f, version, cudaEnableDefault, &found));
      V("%s of %u: %d, %d", name, version, f != nullptr, (int)found);
    }
  C(cudaGetDriverEntryPointByVersion("cuMemAlloc", &f, 12000, cudaEnableDefault, nullptr));
  C(cudaGetDriverEntryPointByVersion("cuMemAlloc", &f, 12000, 99, &found));
#endif
  cudaGetLastError();
}

CHAPTER(entry_points_nameless) {
  void *f = nullptr;
  result_t found = UNKNOWN;
  C(FIND(nullptr, &f, cudaEnableDefault));
  cudaGetLastError();
}

typedef int (*one_t)(void *);
typedef int (*two_t)(void *, void *);
typedef int (*three_t)(void *, int, void *);

CHAPTER(interop_contexts) {
  void *c = nullptr, *d = nullptr;
  int device = 9, n = 9;
  one_t current = (one_t)driver("cuCtxGetCurrent"), set = (one_t)driver("cuCtxSetCurrent");
  C(current(&c));
  V("before: %d", c != nullptr);
  C(cudaFree(nullptr));
  C(current(&c));
  V("after: %d", c != nullptr);
  C(((one_t)driver("cuCtxGetDevice"))(&device));
  V("device %d", device);
  C(set(nullptr));
  C(cudaGetDevice(&n));
  C(current(&d));
  V("none: %d", d == nullptr);
  C(cudaDeviceSynchronize());
  C(current(&d));
  V("again: %d", c == d);
  cudaStream_t s = nullptr;
  C(cudaStreamCreate(&s));
  C(((two_t)driver("cuStreamGetCtx"))(s, &d));
  V("same %d", c == d);
  C(((one_t)driver("cuStreamSynchronize"))(s));
  cudaEvent_t e = nullptr;
  C(cudaEventCreate(&e));
  C(((two_t)driver("cuEventRecord"))(e, s));
  C(((one_t)driver("cuEventSynchronize"))(e));
  unsigned long long at = 0;
  typedef int (*alloc_t)(unsigned long long *, size_t);
  C(((alloc_t)driver("cuMemAlloc"))(&at, 256));
  C(cudaMemset((void *)at, 1, 256));
  V("%llu", sum((void *)at, 256));
  cudaPointerAttributes a;
  C(cudaPointerGetAttributes(&a, (void *)at));
  V("type %d, device %d", (int)a.type, a.device);
  C(cudaFree((void *)at));
  int code = ((one_t)driver("cuStreamSynchronize"))((void *)s);
  V("%d %d", code, (int)cudaGetLastError());
  C(((alloc_t)driver("cuMemAlloc"))(nullptr, 256));
  C(cudaGetLastError());
}

// Kernels that the runtime registered have a module of the driver.
CHAPTER(interop_modules) {
  typedef int (*module_t)(void **, void *);
  typedef int (*function_t)(void **, void *, const char *);
  typedef int (*global_t)(void **, size_t *, void *, const char *);
  typedef int (*unload_t)(void *);
  cudaFunction_t f = nullptr, g = nullptr;
  void *m = nullptr, *other = nullptr, *found = nullptr, *p = nullptr, *own = nullptr;
  size_t n = 0;
  C(cudaGetFuncBySymbol(&f, (const void *)nothing));
  C(cudaGetFuncBySymbol(&g, (const void *)store));
  C(((module_t)driver("cuFuncGetModule"))(&m, f));
  C(((module_t)driver("cuFuncGetModule"))(&other, g));
  V("%d, same %d", m != nullptr, m == other);
  C(((module_t)driver("cuFuncGetModule"))(nullptr, f));
  C(((function_t)driver("cuModuleGetFunction"))(&found, m, "_Z7nothingv"));
  V("same %d", found == f);
  C(((function_t)driver("cuModuleGetFunction"))(&found, m, "nosuch"));
  cudaFunction_t here = nullptr;
  C(cudaGetFuncBySymbol(&here, (const void *)changes));
  C(((module_t)driver("cuFuncGetModule"))(&other, here));
  V("same %d", m == other);
  C(cudaGetSymbolAddress(&own, variable));
  C(((global_t)driver("cuModuleGetGlobal"))(&p, &n, other, "variable"));
  V("same %d, %zu", own == p, n);
#if CUDART_VERSION >= 12040 && CUDART_VERSION < 13000 // the driver of CUDA 12.0, which driver names from 13.0 on, has none
  typedef int (*count_t)(unsigned *, void *);
  typedef int (*list_t)(void **, unsigned, void *);
  unsigned count = 0;
  C(((count_t)driver("cuModuleGetFunctionCount"))(&count, other));
  void *all[64] = {};
  C(((list_t)driver("cuModuleEnumerateFunctions"))(all, 64, other));
  bool in = false;
  for (unsigned i = 0; i < count && i < 64; i++) in |= all[i] == here;
  V("%d, in it %d", count > 0, in);
#endif
  C(((unload_t)driver("cuModuleUnload"))(other));
  LAUNCH(changes<<<1, 1>>>());
  C(cudaDeviceSynchronize());
}

CHAPTER(interop_functions) {
  cudaFunction_t f = nullptr;
  int x = 0, v = 0;
  C(cudaGetFuncBySymbol(&f, (const void *)nothing));
  V("%d", f != nullptr);
  C(cudaGetFuncBySymbol(&f, &x));
  C(cudaGetFuncBySymbol(&f, nullptr));
  C(cudaGetFuncBySymbol(&f, (const void *)store));
  typedef int (*attribute_t)(int *, int, void *);
  C(((attribute_t)driver("cuFuncGetAttribute"))(&v, 0, f));
  V("threads %d", v);
  typedef int (*launch_t)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  int *at = nullptr, five = 5;
  C(cudaMalloc(&at, 4));
  void *arguments[] = {&at, &five};
  C(((launch_t)driver("cuLaunchKernel"))(f, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  C(cudaMemcpy(&v, at, 4, cudaMemcpyDefault));
  V("%d", v);
#if CUDART_VERSION >= 12000
  cudaKernel_t k = nullptr;
  C(cudaGetKernel(&k, (const void *)store));
  V("%d", k != nullptr);
  C(cudaGetKernel(&k, &x));
  C(cudaGetKernel(&k, nullptr));
  C(cudaGetKernel(nullptr, (const void *)store));
#endif
  void *p = nullptr;
  C(cudaGetSymbolAddress(&p, variable));
  size_t n = 0;
  C(cudaGetSymbolSize(&n, variable));
  V("%zu", n);
  const void *table = nullptr;
  cudaUUID_t id;
  memset(&id, 1, sizeof id);
  C(cudaGetExportTable(&table, &id));
  V("%d", table == nullptr);
  C(cudaGetExportTable(nullptr, &id));
  C(cudaGetExportTable(&table, nullptr));
}
