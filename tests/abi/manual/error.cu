#include "manual.h"

CHAPTER(error_last) {
  C(cudaGetLastError());
  C(cudaPeekAtLastError());
  C(cudaSetDevice(99));
  C(cudaPeekAtLastError());
  C(cudaFree(nullptr));
  C(cudaPeekAtLastError());
  C(cudaMemcpy(nullptr, nullptr, 4, (cudaMemcpyKind)9));
  C(cudaGetLastError());
  C(cudaGetLastError());
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  int *flag;
  C(cudaMallocHost(&flag, 4));
  *(volatile int *)flag = 0;
  LAUNCH(spin<<<1, 1, 0, s>>>(flag));
  C(cudaStreamQuery(s));
  C(cudaGetLastError());
  *(volatile int *)flag = 1;
  C(cudaStreamSynchronize(s));
  C(cudaStreamQuery(s));
  LAUNCH(nothing<<<0, 1>>>());
  LAUNCH(nothing<<<1, 0>>>());
  LAUNCH(nothing<<<1, 2000>>>());
  LAUNCH(nothing<<<dim3(1, 70000, 1), 1>>>());
  LAUNCH(nothing<<<1, dim3(1, 1, 100)>>>());
  LAUNCH(nothing<<<1, 1, 1 << 20>>>());
  LAUNCH(nothing<<<1, 1, 50000>>>());
  C(cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), nullptr, 0, 0));
  int x;
  C(cudaLaunchKernel((const void *)&x, dim3(1), dim3(1), nullptr, 0, 0));
  C(cudaGetLastError());
  V("%s", cudaGetErrorName((cudaError_t)-1));
  V("%s", cudaGetErrorString((cudaError_t)12345));
  V("%s", cudaGetErrorName(cudaErrorInvalidValue));
}

// A fault of a kernel stays: what each call says afterwards.
static void after() {
  void *p;
  int n;
  cudaStream_t s = nullptr;
  cudaEvent_t e = nullptr;
  cudaDeviceProp properties;
  size_t a, b;
  C(cudaDeviceSynchronize());
  C(cudaGetLastError());
  C(cudaGetLastError());
  C(cudaGetDeviceCount(&n));
  C(cudaGetDevice(&n));
  C(cudaSetDevice(0));
  C(cudaGetDeviceProperties(&properties, 0));
  C(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
  C(cudaDriverGetVersion(&n));
  C(cudaRuntimeGetVersion(&n));
  C(cudaMalloc(&p, 100));
  C(cudaFree(nullptr));
  C(cudaMallocHost(&p, 100));
  C(cudaMemGetInfo(&a, &b));
  C(cudaStreamCreate(&s));
  C(cudaStreamSynchronize(0));
  C(cudaStreamQuery(0));
  C(cudaEventCreate(&e));
  C(cudaMemset(WILD, 0, 4));
  C(cudaDeviceGetLimit(&a, cudaLimitStackSize));
  C(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  C(cudaFuncSetAttribute((const void *)nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100));
  cudaFuncAttributes attributes;
  C(cudaFuncGetAttributes(&attributes, (const void *)nothing));
  C(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, 128, 0));
  cudaPointerAttributes pa;
  C(cudaPointerGetAttributes(&pa, &n));
  C(cudaDeviceCanAccessPeer(&n, 0, 0));
  C(cudaDeviceGetStreamPriorityRange(&n, &n));
  LAUNCH(nothing<<<1, 1>>>());
  C(cudaPeekAtLastError());
  C(cudaProfilerStart());
  C(cudaDeviceReset());
  C(cudaGetLastError());
}

__global__ void trapping() { asm volatile("trap;"); }
__global__ void wild(int *at) { *at = 1; }
__global__ void failing(int x) {
  if (x) asm volatile("brkpt;");
}

CHAPTER(fault_address) {
  LAUNCH(wild<<<1, 1>>>((int *)0x10));
  after();
}
CHAPTER(fault_alignment) {
  int *p;
  C(cudaMalloc(&p, 64));
  LAUNCH(wild<<<1, 1>>>((int *)((char *)p + 2)));
  after();
}
CHAPTER(fault_trap) {
  LAUNCH(trapping<<<1, 1>>>());
  after();
}

// What was made before a fault, after it.
CHAPTER(fault_objects) {
  void *p, *h;
  cudaStream_t s;
  cudaEvent_t e, f;
  cudaArray_t a;
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  C(cudaMalloc(&p, 100));
  C(cudaMallocHost(&h, 100));
  C(cudaStreamCreate(&s));
  C(cudaEventCreate(&e));
  C(cudaEventCreate(&f));
  C(cudaEventRecord(e, s));
  C(cudaStreamSynchronize(s));
  C(cudaMallocArray(&a, &d, 4, 4));
  LAUNCH(trapping<<<1, 1, 0, s>>>());
  C(cudaStreamSynchronize(s));
  C(cudaGetLastError());
  C(cudaStreamQuery(s));
  C(cudaEventQuery(e));
  C(cudaEventSynchronize(e));
  C(cudaEventRecord(f, s));
  float ms;
  C(cudaEventElapsedTime(&ms, e, e));
  C(cudaStreamWaitEvent(s, e, 0));
  C(cudaMemcpy(h, p, 100, cudaMemcpyDeviceToHost));
  C(cudaMemcpy(h, h, 100, cudaMemcpyHostToHost));
  C(cudaMemset(p, 0, 100));
  C(cudaEventDestroy(e));
  C(cudaStreamDestroy(s));
  C(cudaFreeArray(a));
  C(cudaFree(p));
  C(cudaFreeHost(h));
}
