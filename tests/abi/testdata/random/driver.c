// Calls of the driver, in the context that the runtime uses and in contexts of the thread's own.
#include "model.h"

CUresult cuStreamBatchMemOp_v2(CUstream, unsigned, void *, unsigned);

static void memory(struct host *h) {
  CUdeviceptr p = 0, base = 0;
  size_t n = 0;
  unsigned in[16], out[16] = {0};
  for (int i = 0; i < 16; i++)
    in[i] = below(h, 1u << 30);
  DRIVER(cuMemAlloc_v2(&p, 0), 1);
  ALWAYS(cuMemAlloc_v2(NULL, 16), 1);
  DRIVER(cuMemAlloc_v2(&p, (size_t)1 << 46), 2);
  DRIVER(cuMemAlloc_v2(&p, 4096), 0);
  if (h->stopped)
    return;
  DRIVER(cuMemcpyHtoD_v2(p, in, sizeof in), 0);
  DRIVER(cuMemcpyDtoH_v2(out, p, sizeof out), 0);
  DRIVER(cuMemcpyDtoH_v2(out, 4096, sizeof out), 1);
  DRIVER(cuMemGetAddressRange_v2(&base, &n, p + 100), 0);
  DRIVER(cuMemGetAddressRange_v2(&base, &n, 4096), 500);
  if (memcmp(in, out, sizeof in) || base != p || n != 4096) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: memory differs\n", h->number, h->calls);
  }
  DRIVER(cuMemsetD32_v2(p, 1, 1024), 0);
  DRIVER(cuMemsetD32_v2(p + 2, 1, 4), 1);
  DRIVER(cuMemFree_v2(p + 4), 1);
  DRIVER(cuMemFree_v2(p), 0);
}

static void mapping(struct host *h) {
  enum { M = 1 << 21 };
  CUmemAllocationProp prop = {1, 0, {1, 0}, NULL, {0}}, wrong = {9, 0, {1, 0}, NULL, {0}};
  CUmemAccessDesc access = {{1, 0}, 3};
  CUdeviceptr p = 0;
  CUhandle m = 0;
  if (h->stopped)
    return;
  DRIVER(cuMemAddressReserve(&p, 2 * M, 0, 0, 0), 0);
  DRIVER(cuMemCreate(&m, M, &wrong, 0), 1);
  DRIVER(cuMemCreate(&m, M, &prop, 1), 1);
  DRIVER(cuMemCreate(&m, M, &prop, 0), 0);
  DRIVER(cuMemMap(p, M, 0, m, 0), 0);
  DRIVER(cuMemMap(p, M, 0, m, 0), 1);
  DRIVER(cuMemsetD32_v2(p, 3, 4), 1);
  DRIVER(cuMemSetAccess(p, M, &access, 1), 0);
  DRIVER(cuMemsetD32_v2(p, 3, 4), 0);
  DRIVER(cuMemRelease(m), 0);
  DRIVER(cuMemAddressFree(p, M), 1);
  DRIVER(cuMemUnmap(p, M), 0);
  DRIVER(cuMemAddressFree(p, 2 * M), 0);
}

static void module(struct host *h) {
  CUmodule m = 0;
  CUfunction f = 0;
  CUdeviceptr p = 0, at = 0;
  size_t n = 0;
  unsigned words = 4, v = 9, got[4] = {0};
  if (h->stopped || below(h, 4))
    return;
  DRIVER(cuModuleLoadData(&m, "not a module"), 200);
  DRIVER(cuModuleLoadData(&m, ptx), 0);
  DRIVER(cuModuleGetFunction(&f, m, "none"), 500);
  DRIVER(cuModuleGetFunction(&f, m, "add"), 0);
  DRIVER(cuModuleGetGlobal_v2(&at, &n, m, "counter"), 0);
  DRIVER(cuMemAlloc_v2(&p, 16), 0);
  DRIVER(cuMemsetD32_v2(p, 1, 4), 0);
  void *arguments[] = {&p, &words, &v};
  CUstream s = (CUstream)(uintptr_t)anyStream(h);
  DRIVER(cuStreamSynchronize(0), 0); // the memset, which the stream need not wait for
  DRIVER(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, s, arguments, NULL), 0);
  DRIVER(cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, s, arguments, NULL), 1);
  DRIVER(cuLaunchKernel(0, 1, 1, 1, 4, 1, 1, 0, s, arguments, NULL), 400);
  DRIVER(cuStreamSynchronize(s), 0);
  DRIVER(cuMemcpyDtoH_v2(got, p, 16), 0);
  if (got[0] != 10 || got[3] != 10) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: the kernel made %u\n", h->number, h->calls, got[0]);
  }
  DRIVER(cuMemFree_v2(p), 0);
  DRIVER(cuModuleUnload(m), 0);
  DRIVER(cuModuleUnload(m), 400);
}

static void contexts(struct host *h) {
  CUcontext before = 0, got = 0;
  CUdevice d = 9;
  if (h->stopped)
    return;
  DRIVER(cuCtxGetCurrent(&before), 0);
  if (before == 0) { // the thread has made no call that needs one
    DRIVER(cuCtxPopCurrent_v2(&got), 201);
    return;
  }
  DRIVER(cuCtxPushCurrent_v2(before), 0);
  DRIVER(cuCtxPushCurrent_v2(12345), 201);
  DRIVER(cuCtxPopCurrent_v2(&got), 0);
  DRIVER(cuCtxGetDevice(&d), 0);
  DRIVER(cuCtxSetCurrent(0), 0);
  DRIVER(cuCtxGetDevice(&d), 201);
  DRIVER(cuMemFree_v2(4096), 201);
  DRIVER(cuCtxSetCurrent(before), 0);
  if (got != before) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: another context was popped\n", h->number, h->calls);
  }
}

// ownContext stops a context of the thread's own; the one that the runtime uses goes on.
static void ownContext(struct host *h) {
  static const struct {
    const char *name;
    int code;
  } faults[] = {{"wild", 700}, {"odd", 716}, {"stop", 719}};
  CUcontext c = 0, popped = 0;
  CUmodule m = 0;
  CUfunction f = 0;
  CUdeviceptr p = 0;
  if (h->stopped || below(h, 16))
    return;
  int n = below(h, 3);
  DRIVER(cuCtxCreate_v2(&c, 0, 99), 101);
  DRIVER(cuCtxCreate_v2(&c, 0, 0), 0);
  DRIVER(cuModuleLoadData(&m, ptx), 0);
  DRIVER(cuModuleGetFunction(&f, m, faults[n].name), 0);
  DRIVER(cuMemAlloc_v2(&p, 256), 0);
  void *arguments[] = {&p};
  DRIVER(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL), 0);
  DRIVER(cuCtxSynchronize(), faults[n].code);
  DRIVER(cuMemAlloc_v2(&p, 256), faults[n].code);
  DRIVER(cuMemFree_v2(p), faults[n].code);
  DRIVER(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL), faults[n].code);
  DRIVER(cuCtxPopCurrent_v2(&popped), 0);
  DRIVER(cuCtxDestroy_v2(c), 0);
  DRIVER(cuCtxDestroy_v2(c), 201);
}

static void device(struct host *h) {
  int n = 0;
  char name[64];
  text t;
  ALWAYS(cuInit(0), 0);
  ALWAYS(cuInit(1), 1);
  ALWAYS(cuDeviceGetCount(&n), 0);
  ALWAYS(cuDeviceGet(&n, 99), 101);
  ALWAYS(cuDeviceGetName(name, sizeof name, 0), 0);
  ALWAYS(cuDeviceGetAttribute(&n, 5000, 0), 1);
  ALWAYS(cuGetErrorName(77777, &t), 1);
}

static void operations(struct host *h) {
  struct {
    int operation;
    unsigned small;
    CUdeviceptr address;
    uint64_t value, rest[3];
  } o[2] = {{2, 0, 0, 5, {0}}, {1, 0, 0, 5, {1}}};
  CUdeviceptr p = 0;
  unsigned v = 0;
  if (h->stopped)
    return;
  DRIVER(cuMemAlloc_v2(&p, 16), 0);
  o[0].address = o[1].address = p;
  CUstream s = (CUstream)(uintptr_t)anyStream(h);
  DRIVER(cuStreamBatchMemOp_v2(s, 2, o, 0), 0);
  DRIVER(cuStreamBatchMemOp_v2(s, 2, NULL, 0), 1);
  DRIVER(cuStreamBatchMemOp_v2(s, 2, o, 9), 1);
  DRIVER(cuStreamWriteValue32_v2(s, p + 4, 6, 0), 0);
  DRIVER(cuStreamWriteValue32_v2(s, p + 2, 6, 0), 1);
  DRIVER(cuStreamSynchronize(s), 0);
  DRIVER(cuMemcpyDtoH_v2(&v, p, 4), 0);
  if (v != 5) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: the stream wrote %u\n", h->number, h->calls, v);
  }
  DRIVER(cuMemFree_v2(p), 0);
}

action *const driverActions[] = {memory, memory, mapping, module, contexts, ownContext, device, operations};
const int driverActionCount = sizeof driverActions / sizeof *driverActions;
