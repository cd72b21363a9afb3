#include "manual.h"
#include <unistd.h>

static void attributes(cudaMemPool_t p) {
  for (int a = 0; a < 10; a++) {
    uint64_t v = 0;
    int e = cudaMemPoolGetAttribute(p, (cudaMemPoolAttr)a, &v);
    V("attribute %d: %d, %llu", a, e, e ? 0ull : (unsigned long long)v);
  }
  cudaGetLastError();
}

CHAPTER(pool_standard) {
  cudaMemPool_t p = nullptr, q = nullptr;
  C(cudaDeviceGetDefaultMemPool(&p, 0));
  C(cudaDeviceGetMemPool(&q, 0));
  V("same %d", p == q);
  C(cudaDeviceGetDefaultMemPool(nullptr, 0));
  C(cudaDeviceGetDefaultMemPool(&q, 5));
  C(cudaDeviceGetMemPool(&q, 5));
  attributes(p);
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  void *a = nullptr, *b = nullptr, *c = nullptr;
  C(cudaMallocAsync(&a, 1000, s));
  attributes(p);
  C(cudaMallocAsync(&b, 5 << 20, s));
  attributes(p);
  cudaPointerAttributes pa;
  C(cudaPointerGetAttributes(&pa, a));
  V("type %d", pa.type);
  C(cudaFreeAsync(a, s));
  C(cudaFreeAsync(b, s));
  attributes(p);
  C(cudaStreamSynchronize(s));
  attributes(p);
  uint64_t v = 0;
  C(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &v));
  C(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReservedMemHigh, &v));
  attributes(p);
  v = 5;
  C(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &v));
  C(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemCurrent, &v));
  v = UINT64_MAX;
  C(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &v));
  int off = 0;
  C(cudaMemPoolSetAttribute(p, cudaMemPoolReuseFollowEventDependencies, &off));
  C(cudaMemPoolSetAttribute(p, (cudaMemPoolAttr)20, &v));
  C(cudaMemPoolGetAttribute(p, cudaMemPoolAttrUsedMemHigh, nullptr));
  C(cudaMallocAsync(&a, 100 << 20, s));
  C(cudaFreeAsync(a, s));
  C(cudaStreamSynchronize(s));
  attributes(p);
  C(cudaMallocAsync(&b, 100 << 20, s));
  V("the same again %d", a == b);
  C(cudaFreeAsync(b, s));
  C(cudaMallocAsync(&c, 100 << 20, s));
  V("the same in stream order %d", b == c);
  C(cudaMemPoolTrimTo(p, 0));
  attributes(p);
  C(cudaFreeAsync(c, s));
  C(cudaStreamSynchronize(s));
  C(cudaMemPoolTrimTo(p, 0));
  attributes(p);
  C(cudaMallocAsync(&a, 0, s));
  V("null %d", a == nullptr);
  C(cudaMallocAsync(nullptr, 10, s));
  C(cudaMallocAsync(&a, (size_t)1 << 50, s));
  C(cudaFreeAsync(nullptr, s));
  C(cudaFreeAsync(WILD, s));
  C(cudaMallocAsync(&a, 1000, s));
  C(cudaFreeAsync((char *)a + 256, s));
  C(cudaFreeAsync(a, s));
  C(cudaFreeAsync(a, s));
  C(cudaMallocAsync(&a, 1000, s));
  C(cudaFree(a));
  C(cudaMalloc(&a, 1000));
  C(cudaFree(a));
  C(cudaMemPoolDestroy(p));
  C(cudaMemPoolDestroy(nullptr));
}

CHAPTER(pool_made) {
  cudaMemPool_t p = nullptr, q = nullptr, standard = nullptr;
  cudaMemPoolProps r;
  memset(&r, 0, sizeof r);
  C(cudaDeviceGetDefaultMemPool(&standard, 0));
  C(cudaMemPoolCreate(&p, &r));
  r.allocType = cudaMemAllocationTypePinned;
  C(cudaMemPoolCreate(&p, &r));
  r.location.type = cudaMemLocationTypeDevice;
  r.location.id = 5;
  C(cudaMemPoolCreate(&p, &r));
  r.location.id = 0;
  C(cudaMemPoolCreate(&p, &r));
  C(cudaMemPoolCreate(nullptr, &r));
  C(cudaMemPoolCreate(&q, nullptr));
  for (int handles : {1, 2, 4, 8, 16}) {
    r.handleTypes = (cudaMemAllocationHandleType)handles;
    int e = cudaMemPoolCreate(&q, &r);
    V("handle types %d: %d", handles, e);
    if (e == 0) cudaMemPoolDestroy(q);
  }
  cudaGetLastError();
  r.handleTypes = cudaMemHandleTypeNone;
  attributes(p);
  cudaMemAccessFlags f = (cudaMemAccessFlags)9;
  cudaMemLocation l;
  memset(&l, 0, sizeof l);
  l.type = cudaMemLocationTypeDevice;
  C(cudaMemPoolGetAccess(&f, p, &l));
  V("access %d", f);
  l.id = 5;
  C(cudaMemPoolGetAccess(&f, p, &l));
  l.id = 0;
  l.type = (cudaMemLocationType)0;
  C(cudaMemPoolGetAccess(&f, p, &l));
  C(cudaMemPoolGetAccess(nullptr, p, &l));
  cudaMemAccessDesc d;
  memset(&d, 0, sizeof d);
  d.location.type = cudaMemLocationTypeDevice;
  for (int flags : {0, 1, 2, 3, 4}) {
    d.flags = (cudaMemAccessFlags)flags;
    V("set access %d: %d", flags, cudaMemPoolSetAccess(p, &d, 1));
  }
  cudaGetLastError();
  d.location.id = 5;
  C(cudaMemPoolSetAccess(p, &d, 1));
  C(cudaMemPoolSetAccess(p, &d, 0));
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  void *a = nullptr, *b = nullptr;
  C(cudaMallocFromPoolAsync(&a, 3 << 20, p, s));
  C(cudaMallocFromPoolAsync(&b, 100, p, s));
  attributes(p);
  attributes(standard);
  C(cudaDeviceSetMemPool(0, p));
  C(cudaDeviceGetMemPool(&q, 0));
  V("same %d", p == q);
  C(cudaDeviceSetMemPool(0, nullptr));
  C(cudaDeviceSetMemPool(5, p));
  C(cudaFreeAsync(b, s));
  C(cudaMallocAsync(&b, 200, s));
  C(cudaStreamSynchronize(s));
  attributes(p);
  C(cudaMemPoolDestroy(p));
  C(cudaDeviceGetMemPool(&q, 0));
  V("standard %d", q == standard);
  C(cudaMemset(a, 1, 100));
  V("sum %llu", sum(a, 100));
  C(cudaFreeAsync(a, s));
  C(cudaFree(b));
  C(cudaStreamSynchronize(s));
  C(cudaMallocFromPoolAsync(&b, 100, nullptr, s));
#if CUDART_VERSION >= 13000
  memset(&l, 0, sizeof l);
  for (int type = 0; type < 6; type++) {
    l.type = (cudaMemLocationType)type;
    for (int kind = 0; kind < 4; kind++) {
      cudaMemPool_t x = nullptr;
      int e = cudaMemGetDefaultMemPool(&x, &l, (cudaMemAllocationType)kind);
      cudaMemPool_t y = nullptr;
      int g = cudaMemGetMemPool(&y, &l, (cudaMemAllocationType)kind);
      V("location %d, type %d: %d, %d; same %d, standard %d", type, kind, e, g, x == y, x == standard);
    }
  }
  cudaGetLastError();
  l.type = cudaMemLocationTypeDevice;
  C(cudaMemSetMemPool(&l, cudaMemAllocationTypePinned, standard));
  C(cudaMemSetMemPool(&l, cudaMemAllocationTypePinned, nullptr));
#endif
}

CHAPTER(pool_share) {
  cudaMemPool_t p = nullptr, plain = nullptr, imported = nullptr;
  cudaMemPoolProps r;
  memset(&r, 0, sizeof r);
  r.allocType = cudaMemAllocationTypePinned;
  r.location.type = cudaMemLocationTypeDevice;
  C(cudaMemPoolCreate(&plain, &r));
  r.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  C(cudaMemPoolCreate(&p, &r));
  int fd = -1;
  C(cudaMemPoolExportToShareableHandle(&fd, plain, cudaMemHandleTypePosixFileDescriptor, 0));
  C(cudaMemPoolExportToShareableHandle(&fd, p, cudaMemHandleTypePosixFileDescriptor, 1));
  C(cudaMemPoolExportToShareableHandle(&fd, p, (cudaMemAllocationHandleType)8, 0));
  C(cudaMemPoolExportToShareableHandle(&fd, p, cudaMemHandleTypePosixFileDescriptor, 0));
  V("descriptor %d", fd >= 0);
  cudaStream_t s;
  C(cudaStreamCreate(&s));
  void *a, *b;
  C(cudaMallocFromPoolAsync(&a, 1000, p, s));
  C(cudaMallocFromPoolAsync(&b, 1000, plain, s));
  C(cudaStreamSynchronize(s));
  cudaMemPoolPtrExportData data;
  memset(&data, 0, sizeof data);
  C(cudaMemPoolExportPointer(&data, a));
  C(cudaMemPoolExportPointer(&data, b));
  C(cudaMemPoolExportPointer(&data, WILD));
  C(cudaMemPoolExportPointer(nullptr, a));
  C(cudaMemPoolImportFromShareableHandle(&imported, (void *)(intptr_t)fd, cudaMemHandleTypePosixFileDescriptor, 0));
  C(cudaMemPoolImportFromShareableHandle(nullptr, (void *)(intptr_t)fd, cudaMemHandleTypePosixFileDescriptor, 0));
  C(cudaMemPoolImportFromShareableHandle(&imported, (void *)(intptr_t)0, cudaMemHandleTypePosixFileDescriptor, 1));
  if (imported) {
    void *c = nullptr;
    C(cudaMemPoolExportPointer(&data, a));
    C(cudaMemPoolImportPointer(&c, imported, &data));
    V("other address %d", c != a);
    C(cudaMemset(a, 3, 1000));
    V("sum %llu", sum(c, 1000));
    C(cudaMallocFromPoolAsync(&c, 100, imported, s));
    C(cudaMemPoolDestroy(imported));
  }
  close(fd);
  C(cudaMemPoolDestroy(p));
}

CHAPTER(ipc_same_process) {
  void *d, *h, *again = nullptr;
  C(cudaMalloc(&d, 1000));
  C(cudaMallocHost(&h, 1000));
  cudaIpcMemHandle_t m, n;
  memset(&m, 0, sizeof m);
  C(cudaIpcGetMemHandle(&m, d));
  C(cudaIpcGetMemHandle(&n, d));
  C(cudaIpcGetMemHandle(&n, (char *)d + 100));
  C(cudaIpcGetMemHandle(&n, h));
  C(cudaIpcGetMemHandle(&n, WILD));
  C(cudaIpcOpenMemHandle(&again, m, cudaIpcMemLazyEnablePeerAccess));
  C(cudaIpcOpenMemHandle(&again, m, 0));
  C(cudaIpcOpenMemHandle(&again, m, 2));
  C(cudaIpcOpenMemHandle(nullptr, m, cudaIpcMemLazyEnablePeerAccess));
  memset(&n, 0x5a, sizeof n);
  C(cudaIpcOpenMemHandle(&again, n, cudaIpcMemLazyEnablePeerAccess));
  C(cudaIpcCloseMemHandle(d));
  C(cudaIpcCloseMemHandle(WILD));
  C(cudaIpcCloseMemHandle(nullptr));
  cudaEvent_t plain, shared, opened = nullptr;
  C(cudaEventCreate(&plain));
  C(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
  cudaIpcEventHandle_t e;
  memset(&e, 0, sizeof e);
  C(cudaIpcGetEventHandle(&e, plain));
  C(cudaIpcGetEventHandle(&e, shared));
  C(cudaIpcGetEventHandle(nullptr, shared));
  C(cudaIpcOpenEventHandle(&opened, e));
  C(cudaIpcOpenEventHandle(nullptr, e));
  memset(&e, 0x5a, sizeof e);
  C(cudaIpcOpenEventHandle(&opened, e));
  C(cudaEventRecord(shared));
  C(cudaEventSynchronize(shared));
  C(cudaEventQuery(shared));
}
