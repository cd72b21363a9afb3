// What the driver answers after a kernel has failed.
#include "driver_prepared.h"

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

CHAPTERS({"illegal", illegal}, {"trapped", trapped}, {"misaligned", misaligned})
