#include "manual.h"

__device__ int global_ints[16];
__constant__ float constant_floats[8];
__managed__ int managed_int;

CHAPTER(memory_allocate) {
  void *p = nullptr, *q = nullptr;
  C(cudaMalloc(&p, 0));
  V("null %d", p == nullptr);
  C(cudaMalloc(nullptr, 4));
  C(cudaMalloc(&p, (size_t)1 << 50));
  C(cudaMalloc(&p, (size_t)-1));
  C(cudaMalloc(&p, 1000));
  V("aligned %d", (uintptr_t)p % 512 == 0);
  C(cudaFree(nullptr));
  C(cudaFree((char *)p + 256));
  C(cudaFree(WILD));
  C(cudaFree(&p));
  C(cudaFreeHost(p));
  C(cudaFree(p));
  C(cudaFree(p));
  size_t pitch = 1;
  for (size_t w : {(size_t)1, (size_t)100, (size_t)512, (size_t)513, (size_t)4097, (size_t)100000}) {
    C(cudaMallocPitch(&p, &pitch, w, 3));
    V("pitch %zu", pitch);
    cudaFree(p);
  }
  C(cudaMallocPitch(&p, &pitch, 0, 3));
  V("null %d, pitch %zu", p == nullptr, pitch);
  C(cudaMallocPitch(&p, &pitch, 3, 0));
  V("null %d, pitch %zu", p == nullptr, pitch);
  C(cudaMallocPitch(nullptr, &pitch, 3, 3));
  C(cudaMallocPitch(&p, nullptr, 3, 3));
  C(cudaMallocPitch(&p, &pitch, (size_t)1 << 40, 1 << 20));
  C(cudaMallocPitch(&p, &pitch, (size_t)-1, 1));
  cudaPitchedPtr v;
  C(cudaMalloc3D(&v, make_cudaExtent(100, 5, 3)));
  V("pitch %zu, %zu x %zu", v.pitch, v.xsize, v.ysize);
  C(cudaFree(v.ptr));
  C(cudaMalloc3D(&v, make_cudaExtent(100, 0, 3)));
  C(cudaMalloc3D(&v, make_cudaExtent(0, 0, 0)));
  C(cudaMalloc3D(nullptr, make_cudaExtent(1, 1, 1)));
  size_t a = 0, b = 0, c = 0;
  C(cudaMemGetInfo(&a, &b));
  C(cudaMemGetInfo(nullptr, &b));
  C(cudaMemGetInfo(&a, nullptr));
  C(cudaMalloc(&p, 64 << 20));
  C(cudaMemGetInfo(&c, &b));
  V("taken %d", a - c == 64 << 20);
  C(cudaFree(p));
}

CHAPTER(memory_host) {
  void *p = nullptr, *d = nullptr;
  unsigned f = 99;
  C(cudaMallocHost(&p, 0));
  V("null %d", p == nullptr);
  C(cudaMallocHost(&p, 1000));
  C(cudaHostGetFlags(&f, p));
  V("flags %u", f);
  C(cudaHostGetDevicePointer(&d, p, 0));
  V("same %d", d == p);
  C(cudaHostGetDevicePointer(&d, (char *)p + 100, 0));
  V("same %d", d == (char *)p + 100);
  C(cudaHostGetDevicePointer(&d, p, 1));
  C(cudaHostGetDevicePointer(nullptr, p, 0));
  C(cudaHostGetFlags(nullptr, p));
  C(cudaHostGetFlags(&f, (char *)p + 8));
  C(cudaFree(p));
  C(cudaFreeHost((char *)p + 8));
  C(cudaFreeHost(p));
  C(cudaFreeHost(p));
  C(cudaFreeHost(nullptr));
  for (unsigned flags = 0; flags < 18; flags++) {
    f = 99;
    int e = cudaHostAlloc(&p, 5000, flags);
    int g = e ? 0 : cudaHostGetFlags(&f, p);
    V("flags %u: %d; %d, %u", flags, e, g, f);
    if (e == 0) cudaFreeHost(p);
  }
  cudaGetLastError();
  C(cudaHostAlloc(nullptr, 4, 0));
  C(cudaHostAlloc(&p, (size_t)1 << 50, 0));
  C(cudaHostGetDevicePointer(&d, &p, 0));
  C(cudaHostGetFlags(&f, &p));
  C(cudaFreeHost(&p));
  char *m = (char *)aligned_alloc(4096, 5 * 4096);
  memset(m, 1, 5 * 4096);
  for (unsigned flags = 0; flags < 18; flags++) {
    f = 99;
    int e = flags & 4 ? -1 : (int)cudaHostRegister(m, 4096, flags);
    int g = e ? 0 : cudaHostGetFlags(&f, m);
    V("register with %u: %d; %d, %u", flags, e, g, f);
    if (e == 0) cudaHostUnregister(m);
  }
  cudaGetLastError();
  C(cudaHostRegister(m + 100, 5000, 0));
  C(cudaHostGetDevicePointer(&d, m + 100, 0));
  V("same %d", d == m + 100);
  C(cudaHostRegister(m + 100, 5000, 0));
  C(cudaHostRegister(m, 50, 0));
  C(cudaHostRegister(m + 3 * 4096, 4096, 0));
  C(cudaHostUnregister(m + 200));
  C(cudaHostUnregister(m));
  C(cudaHostUnregister(m + 100));
  C(cudaHostUnregister(m + 100));
  C(cudaHostUnregister(m + 3 * 4096));
  C(cudaHostRegister(m, 0, 0));
  C(cudaHostRegister(nullptr, 10, 0));
  C(cudaHostRegister(WILD, 4096, 0));
  C(cudaHostUnregister(nullptr));
  C(cudaMalloc(&d, 1000));
  C(cudaHostRegister(d, 1000, 0));
  C(cudaMallocHost(&p, 1000));
  C(cudaHostRegister(p, 1000, 0));
  C(cudaHostUnregister(p));
}

static void pointer(const char *what, const void *p) {
  cudaPointerAttributes a;
  memset(&a, 0, sizeof a);
  int e = cudaPointerGetAttributes(&a, p);
  V("%s: %d, type %d, device %d, device pointer %d, host pointer %d", what, e, a.type, a.device,
    a.devicePointer == nullptr ? 0 : a.devicePointer == p ? 1 : 2, a.hostPointer == nullptr ? 0 : a.hostPointer == p ? 1 : 2);
}

CHAPTER(memory_pointer) {
  void *d, *h, *m, *w, *r = aligned_alloc(4096, 4096), *plain = malloc(100);
  C(cudaMalloc(&d, 1000));
  C(cudaMallocHost(&h, 1000));
  C(cudaHostAlloc(&w, 1000, cudaHostAllocWriteCombined | cudaHostAllocMapped));
  C(cudaMallocManaged(&m, 1000));
  C(cudaHostRegister(r, 4096, 0));
  pointer("device", d);
  pointer("device inside", (char *)d + 999);
  pointer("device past the end", (char *)d + 1024);
  pointer("pinned", h);
  pointer("pinned inside", (char *)h + 10);
  pointer("write-combined", w);
  pointer("managed", m);
  pointer("managed inside", (char *)m + 10);
  pointer("registered", r);
  pointer("plain", plain);
  pointer("null", nullptr);
  pointer("wild", WILD);
  void *s;
  C(cudaGetSymbolAddress(&s, global_ints));
  pointer("variable", s);
  C(cudaGetSymbolAddress(&s, managed_int));
  pointer("managed variable", s);
  C(cudaPointerGetAttributes(nullptr, d));
  C(cudaFree(d));
  pointer("freed", d);
}

CHAPTER(memory_copy) {
  char *d, *e, *pinned, *managed, host[4096], other[4096];
  C(cudaMalloc(&d, 4096));
  C(cudaMalloc(&e, 4096));
  C(cudaMallocHost(&pinned, 4096));
  C(cudaMallocManaged(&managed, 4096));
  memset(host, 1, 4096);
  const char *names[] = {"device", "pinned", "managed", "plain"};
  char *to[] = {d, pinned, managed, host}, *from[] = {e, pinned + 2048, managed + 2048, other};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int kind = 0; kind < 5; kind++)
        V("%s to %s, kind %d: %d, async %d", names[j], names[i], kind, cudaMemcpy(to[i], from[j], 100, (cudaMemcpyKind)kind),
          cudaMemcpyAsync(to[i], from[j], 100, (cudaMemcpyKind)kind, 0));
  cudaGetLastError();
  C(cudaDeviceSynchronize());
  C(cudaMemcpy(d, host, 0, cudaMemcpyHostToDevice));
  C(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  C(cudaMemcpy(d, nullptr, 4, cudaMemcpyHostToDevice));
  C(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
  C(cudaMemcpy(d, host, 4, (cudaMemcpyKind)5));
  C(cudaMemcpy(d, host, 4, (cudaMemcpyKind)-1));
  C(cudaMemcpy(d, host, 0, (cudaMemcpyKind)9));
  C(cudaMemcpy(WILD, host, 4, cudaMemcpyHostToDevice));
  C(cudaMemcpy(host, WILD, 4, cudaMemcpyDeviceToHost));
  C(cudaMemcpy(host, d + (4 << 20), 4, cudaMemcpyDeviceToHost));
  C(cudaMemset(d, 5, 4096));
  V("sum %llu", sum(d, 4096));
  C(cudaMemset(d, 300, 10));
  V("sum %llu", sum(d, 4096));
  C(cudaMemset(d, 1, 0));
  C(cudaMemset(nullptr, 1, 0));
  C(cudaMemset(nullptr, 1, 4));
  C(cudaMemset(host, 1, 4));
  C(cudaMemset(WILD, 1, 4));
  C(cudaMemset(pinned, 1, 4));
  C(cudaMemset(managed, 1, 4));
  C(cudaMemsetAsync(d, 1, 4, 0));
  C(cudaMemsetAsync(host, 1, 4, 0));
  C(cudaMemcpyPeer(d, 0, e, 0, 100));
  C(cudaMemcpyPeer(d, 0, e, 5, 100));
  C(cudaMemcpyPeer(d, -1, e, 0, 100));
  C(cudaMemcpyPeer(d, 0, host, 0, 100));
  C(cudaMemcpyPeerAsync(d, 0, e, 0, 100, 0));
  C(cudaMemcpyPeerAsync(d, 0, e, 0, 0, 0));
  C(cudaDeviceSynchronize());
}

CHAPTER(memory_copy2d) {
  size_t pitch;
  char *d, host[64 * 64];
  for (int i = 0; i < 64 * 64; i++) host[i] = i;
  C(cudaMallocPitch(&d, &pitch, 100, 20));
  C(cudaMemset(d, 0, pitch * 20));
  C(cudaMemcpy2D(d, pitch, host, 64, 60, 20, cudaMemcpyHostToDevice));
  V("sum %llu", sum(d, pitch * 20));
  C(cudaMemcpy2D(d, pitch, host, 10, 60, 20, cudaMemcpyHostToDevice));
  C(cudaMemcpy2D(d, 10, host, 64, 60, 20, cudaMemcpyHostToDevice));
  C(cudaMemcpy2D(d, 10, host, 10, 60, 1, cudaMemcpyHostToDevice));
  C(cudaMemcpy2D(d, pitch, host, 64, 0, 20, cudaMemcpyHostToDevice));
  C(cudaMemcpy2D(d, pitch, host, 64, 20, 0, cudaMemcpyHostToDevice));
  C(cudaMemcpy2D(d, pitch, host, 64, 60, 20, (cudaMemcpyKind)7));
  C(cudaMemcpy2D(d, (size_t)1 << 33, host, 64, 60, 20, cudaMemcpyHostToDevice));
  C(cudaMemcpy2D(nullptr, pitch, host, 64, 60, 20, cudaMemcpyHostToDevice));
  C(cudaMemcpy2D(d, pitch, host, 64, 60, 20, cudaMemcpyDeviceToHost));
  C(cudaMemcpy2DAsync(d, pitch, host, 64, 30, 7, cudaMemcpyDefault, 0));
  C(cudaDeviceSynchronize());
  V("sum %llu", sum(d, pitch * 20));
  C(cudaMemset2D(d, pitch, 3, 50, 10));
  V("sum %llu", sum(d, pitch * 20));
  C(cudaMemset2D(d, 10, 3, 50, 10));
  C(cudaMemset2D(d, 10, 3, 50, 1));
  C(cudaMemset2D(d, pitch, 3, 0, 10));
  C(cudaMemset2D(d, pitch, 3, 10, 0));
  C(cudaMemset2D(nullptr, pitch, 3, 10, 10));
  C(cudaMemset2DAsync(d, pitch, 4, 5, 6, 0));
  C(cudaDeviceSynchronize());
  V("sum %llu", sum(d, pitch * 20));
  cudaPitchedPtr v;
  C(cudaMalloc3D(&v, make_cudaExtent(100, 8, 6)));
  C(cudaMemset3D(v, 0, make_cudaExtent(100, 8, 6)));
  C(cudaMemset3D(v, 7, make_cudaExtent(30, 4, 2)));
  V("sum %llu", sum(v.ptr, v.pitch * 48));
  C(cudaMemset3D(v, 7, make_cudaExtent(0, 4, 2)));
  C(cudaMemset3D(v, 7, make_cudaExtent(1000, 4, 2)));
  C(cudaMemset3D(v, 7, make_cudaExtent(100, 9, 2)));
  C(cudaMemset3DAsync(v, 1, make_cudaExtent(10, 1, 6), 0));
  C(cudaDeviceSynchronize());
  V("sum %llu", sum(v.ptr, v.pitch * 48));
  cudaMemcpy3DParms p;
  memset(&p, 0, sizeof p);
  C(cudaMemcpy3D(&p));
  C(cudaMemcpy3D(nullptr));
  p.srcPtr = make_cudaPitchedPtr(host, 64, 64, 8);
  p.dstPtr = v;
  p.extent = make_cudaExtent(40, 8, 6);
  p.kind = cudaMemcpyHostToDevice;
  C(cudaMemcpy3D(&p));
  V("sum %llu", sum(v.ptr, v.pitch * 48));
  p.dstPos = make_cudaPos(10, 2, 1);
  p.srcPos = make_cudaPos(3, 1, 1);
  p.extent = make_cudaExtent(20, 3, 2);
  C(cudaMemcpy3D(&p));
  V("sum %llu", sum(v.ptr, v.pitch * 48));
  p.kind = cudaMemcpyDeviceToHost;
  C(cudaMemcpy3D(&p));
  p.kind = cudaMemcpyDefault;
  p.extent = make_cudaExtent(0, 3, 2);
  C(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(200, 3, 2);
  C(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(20, 3, 2);
  C(cudaMemcpy3DAsync(&p, 0));
  C(cudaDeviceSynchronize());
  p.kind = (cudaMemcpyKind)9;
  C(cudaMemcpy3D(&p));
  cudaMemcpy3DPeerParms q;
  memset(&q, 0, sizeof q);
  C(cudaMemcpy3DPeer(&q));
  C(cudaMemcpy3DPeer(nullptr));
  q.srcPtr = q.dstPtr = v;
  q.dstPos = make_cudaPos(0, 0, 3);
  q.extent = make_cudaExtent(40, 8, 2);
  C(cudaMemcpy3DPeer(&q));
  V("sum %llu", sum(v.ptr, v.pitch * 48));
  q.dstDevice = 5;
  C(cudaMemcpy3DPeer(&q));
  q.dstDevice = 0;
  C(cudaMemcpy3DPeerAsync(&q, 0));
  C(cudaDeviceSynchronize());
}

CHAPTER(memory_symbol) {
  void *p = nullptr;
  size_t n = 0;
  int x[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, y[16];
  C(cudaGetSymbolAddress(&p, global_ints));
  C(cudaGetSymbolSize(&n, global_ints));
  V("%zu", n);
  C(cudaGetSymbolSize(&n, constant_floats));
  V("%zu", n);
  C(cudaGetSymbolSize(&n, managed_int));
  V("%zu", n);
  C(cudaGetSymbolAddress(&p, constant_floats));
  C(cudaGetSymbolAddress(&p, (const void *)nullptr));
  C(cudaGetSymbolAddress(&p, (const void *)x));
  C(cudaGetSymbolSize(&n, (const void *)x));
  C(cudaMemcpyToSymbol(global_ints, x, sizeof x));
  C(cudaMemcpyToSymbol(global_ints, x, sizeof x + 1));
  C(cudaMemcpyToSymbol(global_ints, x, 4, 60));
  C(cudaMemcpyToSymbol(global_ints, x, 4, 61));
  C(cudaMemcpyToSymbol(global_ints, x, 0, 61));
  C(cudaMemcpyToSymbol(global_ints, x, 4, 0, cudaMemcpyDeviceToHost));
  C(cudaMemcpyToSymbol(global_ints, x, 4, 0, cudaMemcpyHostToHost));
  C(cudaMemcpyToSymbol(global_ints, x, 4, 0, cudaMemcpyDefault));
  C(cudaMemcpyToSymbol((const void *)x, x, 4));
  C(cudaMemcpyToSymbol(global_ints, (const void *)nullptr, 4));
  C(cudaMemcpyFromSymbol(y, global_ints, sizeof y));
  V("%d %d", y[1], y[15]);
  C(cudaMemcpyFromSymbol(y, global_ints, sizeof y, 4));
  C(cudaMemcpyFromSymbol(y, global_ints, 4, 0, cudaMemcpyHostToDevice));
  C(cudaMemcpyFromSymbol(y, (const void *)x, 4));
  C(cudaMemcpyToSymbolAsync(constant_floats, x, 8, 8, cudaMemcpyHostToDevice, 0));
  C(cudaMemcpyFromSymbolAsync(y, constant_floats, 8, 8, cudaMemcpyDeviceToHost, 0));
  C(cudaDeviceSynchronize());
  V("%d %d", y[0], y[1]);
  C(cudaMemcpyToSymbol(managed_int, x + 4, 4));
  C(cudaDeviceSynchronize());
  V("%d", managed_int);
  C(cudaFree(p));
  C(cudaGetSymbolAddress(&p, global_ints));
  C(cudaFree(p));
}

#if CUDART_VERSION >= 13000
#define AT(kind, id) {(cudaMemLocationType)(kind), id}
#define ADVISE(p, n, advice, device) cudaMemAdvise(p, n, (cudaMemoryAdvise)(advice), place(device))
#define PREFETCH(p, n, device) cudaMemPrefetchAsync(p, n, place(device), 0, 0)
static cudaMemLocation place(int device) {
  cudaMemLocation l;
  memset(&l, 0, sizeof l);
  l.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  l.id = device < 0 ? 0 : device;
  return l;
}
#else
#define ADVISE(p, n, advice, device) cudaMemAdvise(p, n, (cudaMemoryAdvise)(advice), device)
#define PREFETCH(p, n, device) cudaMemPrefetchAsync(p, n, device, 0)
#endif

static void range(const void *p, size_t n) {
  for (int a = 0; a < 10; a++) {
    int v[4] = {77, 77, 77, 77};
    int one = cudaMemRangeGetAttribute(v, 4, (cudaMemRangeAttribute)a, p, n);
    int w[4] = {77, 77, 77, 77};
    int four = cudaMemRangeGetAttribute(w, 16, (cudaMemRangeAttribute)a, p, n);
    V("range attribute %d: %d, %d; %d, %d %d %d %d", a, one, v[0], four, w[0], w[1], w[2], w[3]);
  }
  cudaGetLastError();
}

CHAPTER(memory_managed) {
  char *m = nullptr, *d;
  C(cudaMallocManaged(&m, 1 << 20));
  C(cudaMalloc(&d, 100));
  memset(m, 1, 1 << 20);
  range(m, 1 << 20);
  for (int advice = 0; advice < 8; advice++)
    for (int device : {-1, 0, 5}) V("advice %d, device %d: %d", advice, device, ADVISE(m, 1 << 20, advice, device));
  cudaGetLastError();
  range(m, 1 << 20);
  C(ADVISE(m, 1 << 20, cudaMemAdviseSetReadMostly, 0));
  C(ADVISE(m, 1 << 20, cudaMemAdviseSetPreferredLocation, 0));
  C(ADVISE(m, 1 << 20, cudaMemAdviseSetAccessedBy, 0));
  range(m, 1 << 20);
  C(ADVISE(m, 1 << 20, cudaMemAdviseSetPreferredLocation, -1));
  C(ADVISE(m, 1 << 20, cudaMemAdviseSetAccessedBy, -1));
  range(m, 1 << 20);
  C(ADVISE(m, 1 << 20, cudaMemAdviseUnsetReadMostly, 0));
  C(ADVISE(m, 1 << 20, cudaMemAdviseUnsetAccessedBy, 0));
  C(ADVISE(m, 65536, cudaMemAdviseUnsetPreferredLocation, 0));
  range(m, 1 << 20);
  range(m, 65536);
  range(m, 4096);
  C(PREFETCH(m, 1 << 20, 0));
  C(cudaDeviceSynchronize());
  range(m, 1 << 20);
  C(PREFETCH(m, 1 << 20, -1));
  C(cudaDeviceSynchronize());
  range(m, 1 << 20);
  C(PREFETCH(m, 1 << 20, 5));
  C(PREFETCH(m, 2 << 20, 0));
  C(PREFETCH(m, 0, 0));
  C(PREFETCH(d, 100, 0));
  C(PREFETCH(nullptr, 100, 0));
  C(PREFETCH(&m, 8, 0));
  C(ADVISE(d, 100, cudaMemAdviseSetReadMostly, 0));
  C(ADVISE(m, 0, cudaMemAdviseSetReadMostly, 0));
  C(ADVISE(nullptr, 10, cudaMemAdviseSetReadMostly, 0));
  int v[4];
  size_t sizes[2] = {4, 16};
  int w[4] = {9, 9, 9, 9};
  void *values[2] = {v, w};
  cudaMemRangeAttribute names[2] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy};
  C(cudaMemRangeGetAttributes(values, sizes, names, 2, m, 4096));
  V("%d; %d %d", v[0], w[0], w[1]);
  C(cudaMemRangeGetAttributes(values, sizes, names, 0, m, 4096));
  C(cudaMemRangeGetAttributes(nullptr, sizes, names, 2, m, 4096));
  C(cudaMemRangeGetAttribute(v, 8, cudaMemRangeAttributeReadMostly, m, 4096));
  C(cudaMemRangeGetAttribute(v, 3, cudaMemRangeAttributeAccessedBy, m, 4096));
  C(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, m, 4096));
  C(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributeReadMostly, d, 100));
  C(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributeReadMostly, m, 0));
  C(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributeReadMostly, m, 2 << 20));
  C(cudaStreamAttachMemAsync(0, m));
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  C(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachSingle));
  C(cudaStreamAttachMemAsync(s, m, 1 << 20, cudaMemAttachSingle));
  C(cudaStreamAttachMemAsync(s, m, 4096, cudaMemAttachSingle));
  C(cudaStreamAttachMemAsync(s, m + 4096, 0, cudaMemAttachSingle));
  C(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachHost));
  C(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachGlobal));
  C(cudaStreamAttachMemAsync(s, m, 0, 3));
  C(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachSingle));
  C(cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachSingle));
  C(cudaStreamAttachMemAsync(s, nullptr, 0, cudaMemAttachSingle));
  C(cudaStreamSynchronize(s));
  char *x = nullptr;
  C(cudaMallocManaged(&x, 0));
  C(cudaMallocManaged(&x, 100, 0));
  C(cudaMallocManaged(&x, 100, cudaMemAttachSingle));
  C(cudaMallocManaged(&x, 100, 3));
  C(cudaMallocManaged((void **)nullptr, 100));
  C(cudaMallocManaged(&x, 100, cudaMemAttachHost));
  C(cudaFree(x));
  C(cudaFree(m));
  C(cudaFree(m));
#if CUDART_VERSION >= 13000
  C(cudaMallocManaged(&m, 1 << 20));
  void *list[2] = {m, m + (1 << 19)};
  size_t lengths[2] = {1 << 19, 1 << 19}, which[1] = {0};
  cudaMemLocation l = place(0);
  C(cudaMemPrefetchBatchAsync(list, lengths, 2, &l, which, 1, 0, s));
  C(cudaMemPrefetchBatchAsync(list, lengths, 0, &l, which, 1, 0, s));
  C(cudaMemPrefetchBatchAsync(list, lengths, 2, &l, which, 0, 0, s));
  C(cudaMemPrefetchBatchAsync(list, lengths, 2, &l, which, 1, 1, s));
  C(cudaMemPrefetchBatchAsync(list, lengths, 2, &l, which, 1, 0, 0));
  C(cudaMemDiscardBatchAsync(list, lengths, 2, 0, s));
  C(cudaMemDiscardBatchAsync(list, lengths, 2, 1, s));
  C(cudaMemDiscardBatchAsync(list, lengths, 0, 0, s));
  C(cudaMemDiscardBatchAsync(nullptr, lengths, 2, 0, s));
  C(cudaMemDiscardBatchAsync(list, lengths, 2, 0, 0));
  C(cudaMemDiscardAndPrefetchBatchAsync(list, lengths, 2, &l, which, 1, 0, s));
  l.id = 5;
  C(cudaMemPrefetchBatchAsync(list, lengths, 2, &l, which, 1, 0, s));
  list[0] = d;
  lengths[0] = 100;
  C(cudaMemDiscardBatchAsync(list, lengths, 1, 0, s));
  C(cudaStreamSynchronize(s));
#endif
}

#if CUDART_VERSION >= 12080
CHAPTER(memory_batch) {
  char *d, *h;
  cudaStream_t s;
  C(cudaMalloc(&d, 4096));
  C(cudaMallocHost(&h, 4096));
  C(cudaStreamCreate(&s));
  for (int i = 0; i < 4096; i++) h[i] = i * 3;
  C(cudaMemset(d, 0, 4096));
#if CUDART_VERSION >= 13000
#define FAIL
  const void *src[3] = {h, h + 100, h + 300};
  const
#else
#define FAIL &failed,
  size_t failed = 99;
  void *src[3] = {h, h + 100, h + 300};
#endif
  void *dst[3] = {d, d + 1000, d + 2000};
  size_t sizes[3] = {100, 200, 300}, at[2] = {0, 2};
  cudaMemcpyAttributes a[2];
  memset(a, 0, sizeof a);
  a[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  a[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 2, FAIL s));
  C(cudaStreamSynchronize(s));
  V("sum %llu", sum(d, 4096));
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 1, FAIL s));
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 0, FAIL s));
  C(cudaMemcpyBatchAsync(dst, src, sizes, 0, a, at, 1, FAIL s));
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 1, FAIL 0));
  C(cudaMemcpyBatchAsync(nullptr, src, sizes, 3, a, at, 1, FAIL s));
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, nullptr, at, 1, FAIL s));
  at[0] = 1;
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 1, FAIL s));
  at[0] = 0;
  a[0].srcAccessOrder = (cudaMemcpySrcAccessOrder)0;
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 1, FAIL s));
  a[0].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 1, FAIL s));
  sizes[1] = 0;
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 1, FAIL s));
  sizes[1] = 10000000;
  C(cudaMemcpyBatchAsync(dst, src, sizes, 3, a, at, 1, FAIL s));
  cudaMemcpy3DBatchOp op;
  memset(&op, 0, sizeof op);
  op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
  op.src.op.ptr.ptr = h;
  op.dst.op.ptr.ptr = d;
  op.src.op.ptr.rowLength = 64;
  op.src.op.ptr.layerHeight = 4;
  op.dst.op.ptr.rowLength = 128;
  op.dst.op.ptr.layerHeight = 8;
  op.extent = make_cudaExtent(50, 3, 2);
  op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  C(cudaMemset(d, 0, 4096));
  C(cudaMemcpy3DBatchAsync(1, &op, FAIL 0, s));
  C(cudaStreamSynchronize(s));
  V("sum %llu", sum(d, 4096));
  C(cudaMemcpy3DBatchAsync(1, &op, FAIL 1, s));
  C(cudaMemcpy3DBatchAsync(0, &op, FAIL 0, s));
  C(cudaMemcpy3DBatchAsync(1, nullptr, FAIL 0, s));
  C(cudaMemcpy3DBatchAsync(1, &op, FAIL 0, 0));
  op.srcAccessOrder = (cudaMemcpySrcAccessOrder)0;
  C(cudaMemcpy3DBatchAsync(1, &op, FAIL 0, s));
  op.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  op.src.op.ptr.rowLength = 10;
  C(cudaMemcpy3DBatchAsync(1, &op, FAIL 0, s));
  op.src.op.ptr.rowLength = 0;
  op.src.op.ptr.layerHeight = 0;
  C(cudaMemcpy3DBatchAsync(1, &op, FAIL 0, s));
  op.extent = make_cudaExtent(0, 3, 2);
  C(cudaMemcpy3DBatchAsync(1, &op, FAIL 0, s));
  C(cudaStreamSynchronize(s));
}
#endif
