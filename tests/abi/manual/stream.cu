#include "manual.h"

CHAPTER(stream_make) {
  cudaStream_t s = nullptr, t = nullptr;
  unsigned f = 9;
  int p = 9;
  C(cudaStreamCreate(&s));
  C(cudaStreamCreate(nullptr));
  C(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  C(cudaStreamGetFlags(s, &f));
  V("flags %u", f);
  C(cudaStreamGetFlags(t, &f));
  V("flags %u", f);
  C(cudaStreamGetFlags(t, nullptr));
  C(cudaStreamGetPriority(t, &p));
  V("priority %d", p);
  C(cudaStreamGetPriority(t, nullptr));
  cudaStream_t x = nullptr;
  C(cudaStreamCreateWithFlags(&x, 2));
  C(cudaStreamCreateWithFlags(&x, 0xff));
  for (int i = -8; i < 4; i++) {
    p = 99;
    int e = cudaStreamCreateWithPriority(&x, cudaStreamNonBlocking, i);
    cudaStreamGetPriority(x, &p);
    V("asked for %d: %d, priority %d", i, e, p);
    cudaStreamDestroy(x);
  }
  C(cudaStreamCreateWithPriority(&x, 7, 0));
  for (cudaStream_t d : {(cudaStream_t)0, cudaStreamLegacy, cudaStreamPerThread}) {
    C(cudaStreamGetFlags(d, &f));
    V("flags %u", f);
    C(cudaStreamGetPriority(d, &p));
    V("priority %d", p);
    C(cudaStreamSynchronize(d));
    C(cudaStreamQuery(d));
    C(cudaStreamDestroy(d));
  }
#if CUDART_VERSION >= 12000
  unsigned long long a = 0, b = 0, c = 0, legacy = 0;
  C(cudaStreamGetId(s, &a));
  C(cudaStreamGetId(t, &b));
  C(cudaStreamGetId(0, &c));
  C(cudaStreamGetId(cudaStreamLegacy, &legacy));
  C(cudaStreamGetId(s, nullptr));
  V("different %d %d, default the same %d", a != b, a != c, c == legacy);
#endif
#if CUDART_VERSION >= 12080
  int d = -1;
  C(cudaStreamGetDevice(s, &d));
  V("device %d", d);
  C(cudaStreamGetDevice(0, &d));
#endif
  C(cudaStreamWaitEvent(s, nullptr, 0));
  C(cudaStreamDestroy(s));
  C(cudaStreamDestroy(t));
}

CHAPTER(stream_attributes) {
  cudaStream_t s, t;
  C(cudaStreamCreate(&s));
  C(cudaStreamCreateWithPriority(&t, 0, -3));
  cudaStreamAttrValue v;
  for (int id = 0; id < 18; id++) {
    memset(&v, 0, sizeof v);
    int g = cudaStreamGetAttribute(t, (cudaStreamAttrID)id, &v);
    int word = v.syncPolicy;
    int set = cudaStreamSetAttribute(s, (cudaStreamAttrID)id, &v);
    V("attribute %d: get %d (%d), set %d", id, g, g ? 0 : word, set);
  }
  memset(&v, 0, sizeof v);
  v.syncPolicy = cudaSyncPolicyYield;
  C(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &v));
  v.syncPolicy = (cudaSynchronizationPolicy)77;
  C(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &v));
  C(cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &v));
  V("policy %d", v.syncPolicy);
  memset(&v, 0, sizeof v);
  void *p;
  C(cudaMalloc(&p, 1 << 20));
  v.accessPolicyWindow.base_ptr = p;
  v.accessPolicyWindow.num_bytes = 1 << 20;
  v.accessPolicyWindow.hitRatio = 0.5f;
  v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  C(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
  v.accessPolicyWindow.hitRatio = 1.5f;
  C(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
  v.accessPolicyWindow.hitRatio = 0.5f;
  v.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  C(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
  v.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
  v.accessPolicyWindow.num_bytes = (size_t)1 << 40;
  C(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
  memset(&v, 0, sizeof v);
  C(cudaStreamCopyAttributes(t, s));
  C(cudaStreamGetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &v));
  V("%d %zu %g %d %d", v.accessPolicyWindow.base_ptr == p, v.accessPolicyWindow.num_bytes, v.accessPolicyWindow.hitRatio,
    v.accessPolicyWindow.hitProp, v.accessPolicyWindow.missProp);
  C(cudaStreamGetAttribute(t, cudaStreamAttributeSynchronizationPolicy, &v));
  V("policy %d", v.syncPolicy);
#if CUDART_VERSION >= 12000
  int priority = 9;
  memset(&v, 0, sizeof v);
  C(cudaStreamGetAttribute(t, cudaStreamAttributePriority, &v));
  V("priority %d", v.priority);
  C(cudaStreamGetPriority(t, &priority));
  V("priority %d", priority);
  v.priority = -1;
  C(cudaStreamSetAttribute(t, cudaStreamAttributePriority, &v));
  C(cudaStreamGetPriority(t, &priority));
  V("priority %d", priority);
#endif
  C(cudaStreamCopyAttributes(s, s));
}

static int inside[24], insides;

static void everything() {
  void *p = nullptr;
  int n;
  size_t a, b;
  cudaStream_t s;
  cudaEvent_t e;
  cudaDeviceProp properties;
  insides = 0;
  inside[insides++] = cudaMalloc(&p, 4);
  inside[insides++] = cudaFree(nullptr);
  inside[insides++] = cudaGetDevice(&n);
  inside[insides++] = cudaSetDevice(0);
  inside[insides++] = cudaGetDeviceCount(&n);
  inside[insides++] = cudaGetDeviceProperties(&properties, 0);
  inside[insides++] = cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0);
  inside[insides++] = cudaDriverGetVersion(&n);
  inside[insides++] = cudaRuntimeGetVersion(&n);
  inside[insides++] = cudaMemGetInfo(&a, &b);
  inside[insides++] = cudaStreamCreate(&s);
  inside[insides++] = cudaEventCreate(&e);
  inside[insides++] = cudaStreamQuery(0);
  inside[insides++] = cudaStreamSynchronize(0);
  inside[insides++] = cudaDeviceSynchronize();
  inside[insides++] = cudaMemset(nullptr, 0, 0);
  inside[insides++] = cudaGetLastError();
  inside[insides++] = cudaPeekAtLastError();
}

static void host(void *) { everything(); }
static int status = -1;
static void callback(cudaStream_t, cudaError_t e, void *user) {
  status = e;
  if (user) everything();
}

static void tell() {
  for (int i = 0; i < insides; i++) V("inside %d: %d", i, inside[i]);
}

CHAPTER(stream_callbacks) {
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  C(cudaLaunchHostFunc(s, host, nullptr));
  C(cudaStreamSynchronize(s));
  tell();
  C(cudaGetLastError());
  C(cudaStreamAddCallback(s, callback, &s, 0));
  C(cudaStreamSynchronize(s));
  V("status %d", status);
  tell();
  C(cudaStreamAddCallback(s, callback, nullptr, 1));
  C(cudaStreamAddCallback(s, nullptr, nullptr, 0));
  C(cudaLaunchHostFunc(s, nullptr, nullptr));
  C(cudaStreamAddCallback(0, callback, nullptr, 0));
  C(cudaDeviceSynchronize());
  V("status %d", status);
}

CHAPTER(stream_order) {
  cudaStream_t blocking, free;
  int *flag, *out;
  C(cudaStreamCreate(&blocking));
  C(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
  C(cudaHostAlloc(&flag, 4, cudaHostAllocMapped));
  C(cudaMalloc(&out, 4));
  C(cudaMemset(out, 0, 4));
  LAUNCH(nothing<<<1, 1>>>());
  LAUNCH(store<<<1, 1>>>(out, 1));
  C(cudaDeviceSynchronize());
  *(volatile int *)flag = 0;
  LAUNCH(spin<<<1, 1, 0, blocking>>>(flag));
  LAUNCH(store<<<1, 1, 0, free>>>(out, 5));
  C(cudaStreamSynchronize(free));
  C(cudaStreamQuery(free));
  C(cudaStreamQuery(blocking));
  LAUNCH(store<<<1, 1>>>(out, 6));
  C(cudaStreamQuery(0));
  C(cudaStreamQuery(cudaStreamPerThread));
  int got = 0;
  C(cudaMemcpyAsync(&got, out, 4, cudaMemcpyDeviceToHost, free));
  C(cudaStreamSynchronize(free));
  V("%d", got);
  cudaEvent_t e;
  C(cudaEventCreate(&e));
  C(cudaEventRecord(e, blocking));
  C(cudaStreamWaitEvent(free, e, 0));
  LAUNCH(store<<<1, 1, 0, free>>>(out, 7));
  C(cudaStreamQuery(free));
  C(cudaEventQuery(e));
  C(cudaStreamDestroy(blocking));
  *(volatile int *)flag = 1;
  C(cudaDeviceSynchronize());
  C(cudaEventQuery(e));
  C(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
  V("%d", got);
}

CHAPTER(event_make) {
  cudaEvent_t a, b, c, x = nullptr;
  float ms = -1;
  C(cudaEventCreate(&a));
  C(cudaEventCreate(nullptr));
  for (unsigned f = 0; f < 16; f++) {
    x = nullptr;
    int e = cudaEventCreateWithFlags(&x, f);
    V("flags %u: %d", f, e);
    if (e == 0) cudaEventDestroy(x);
  }
  cudaGetLastError();
  C(cudaEventCreateWithFlags(&b, cudaEventDisableTiming));
  C(cudaEventCreate(&c));
  C(cudaEventQuery(a));
  C(cudaEventSynchronize(a));
  C(cudaEventElapsedTime(&ms, a, c));
  C(cudaEventRecord(a));
  C(cudaEventElapsedTime(&ms, a, c));
  C(cudaEventRecord(c));
  C(cudaEventSynchronize(c));
  C(cudaEventElapsedTime(&ms, a, c));
  V("positive %d", ms > 0);
  C(cudaEventElapsedTime(&ms, c, a));
  V("negative %d", ms < 0);
  C(cudaEventElapsedTime(&ms, a, a));
  V("%g", ms);
  C(cudaEventElapsedTime(nullptr, a, c));
  C(cudaEventRecord(b));
  C(cudaDeviceSynchronize());
  C(cudaEventElapsedTime(&ms, a, b));
  C(cudaEventRecordWithFlags(a, 0, cudaEventRecordExternal));
  C(cudaEventRecordWithFlags(a, 0, 2));
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  C(cudaStreamWaitEvent(s, a, cudaEventWaitExternal));
  C(cudaStreamWaitEvent(s, a, 2));
  C(cudaStreamWaitEvent(s, c, 0));
  int *flag;
  C(cudaMallocHost(&flag, 4));
  *(volatile int *)flag = 0;
  LAUNCH(spin<<<1, 1, 0, s>>>(flag));
  C(cudaEventRecord(c, s));
  C(cudaEventQuery(c));
  C(cudaEventElapsedTime(&ms, a, c));
  C(cudaEventDestroy(c));
  *(volatile int *)flag = 1;
  C(cudaStreamSynchronize(s));
  C(cudaEventDestroy(a));
  C(cudaEventDestroy(nullptr));
  C(cudaEventRecord(nullptr, 0));
  C(cudaEventQuery(nullptr));
  C(cudaEventSynchronize(nullptr));
}
