// Calls of the runtime, of its release 13.
#include "model.h"

int cudaMalloc(void **, size_t), cudaFree(void *), cudaMallocHost(void **, size_t), cudaHostAlloc(void **, size_t, unsigned), cudaFreeHost(void *);
int cudaHostRegister(void *, size_t, unsigned), cudaHostUnregister(void *), cudaMallocManaged(void **, size_t, unsigned);
int cudaMallocAsync(void **, size_t, cudaStream_t), cudaFreeAsync(void *, cudaStream_t), cudaMemcpy(void *, const void *, size_t, int);
int cudaMemcpyAsync(void *, const void *, size_t, int, cudaStream_t), cudaMemset(void *, int, size_t), cudaMemsetAsync(void *, int, size_t, cudaStream_t);
int cudaMallocPitch(void **, size_t *, size_t, size_t), cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int);
int cudaStreamCreateWithFlags(cudaStream_t *, unsigned), cudaStreamDestroy(cudaStream_t), cudaStreamSynchronize(cudaStream_t), cudaStreamQuery(cudaStream_t);
int cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned), cudaEventCreateWithFlags(cudaEvent_t *, unsigned), cudaEventDestroy(cudaEvent_t);
int cudaEventRecord(cudaEvent_t, cudaStream_t), cudaEventQuery(cudaEvent_t), cudaEventSynchronize(cudaEvent_t), cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t), cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
int cudaSetDevice(int), cudaGetDevice(int *), cudaDeviceGetAttribute(int *, int, int), cudaDeviceSetLimit(int, size_t), cudaDeviceGetLimit(size_t *, int);
int cudaGetLastError(void), cudaPeekAtLastError(void), cudaDeviceSynchronize(void), cudaPointerGetAttributes(void *, const void *);
int cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t, unsigned), cudaFreeArray(cudaArray_t);
int cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, int), cudaMemcpy2DFromArray(void *, size_t, cudaArray_t, size_t, size_t, size_t, size_t, int);
int cudaGraphCreate(cudaGraph_t *, unsigned), cudaGraphDestroy(cudaGraph_t), cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
int cudaGraphAddMemsetNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaMemsetParams *), cudaGraphExecDestroy(cudaGraphExec_t);
int cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaKernelNodeParams *), cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
int cudaGraphAddEmptyNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t), cudaStreamBeginCapture(cudaStream_t, int), cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
int cudaMemPoolCreate(cudaMemPool_t *, const CUmemPoolProps *), cudaMemPoolDestroy(cudaMemPool_t), cudaMallocFromPoolAsync(void **, size_t, cudaMemPool_t, cudaStream_t);
int cudaLibraryLoadData(cudaLibrary_t *, const void *, void *, void *, unsigned, void *, void *, unsigned), cudaLibraryUnload(cudaLibrary_t);
int cudaLibraryGetKernel(cudaKernel_t *, cudaLibrary_t, text), cudaLibraryGetGlobal(void **, size_t *, cudaLibrary_t, text), cudaFuncSetAttribute(const void *, int, int);

static const dim3 one = {1, 1, 1};

cudaStream_t anyStream(struct host *h) {
  if (h->nstreams > 0 && below(h, 3) > 0)
    return h->streams[below(h, h->nstreams)];
  return (cudaStream_t)2; // the thread's own
}

void visit(struct host *h, struct block *b, cudaStream_t s) {
  if (b->stream != s && h->nevents > 0 && below(h, 2)) {
    cudaEvent_t e = h->events[below(h, h->nevents)];
    WANT(cudaEventRecord(e, b->stream), 0);
    WANT(cudaStreamWaitEvent(s, e, 0), 0);
  } else if (b->stream != s) {
    WANT(cudaStreamSynchronize(b->stream), 0);
  }
  b->stream = s;
}

static struct block *anyBlock(struct host *h) { return h->nblocks > 0 ? &h->blocks[below(h, h->nblocks)] : NULL; }

static void keep(struct host *h, void *at, size_t words, int pooled, cudaStream_t s) {
  h->blocks[h->nblocks++] = (struct block){at, words, calloc(words, 4), s, pooled};
}

// ---- memory

static void allocate(struct host *h) {
  void *p = NULL;
  size_t words = below(h, mostWords) + 1;
  if (h->nblocks == mostBlocks)
    return;
  cudaStream_t s = anyStream(h);
  int pooled = below(h, 3) == 0;
  if (pooled)
    WANT(cudaMallocAsync(&p, 4 * words, s), 0);
  else
    WANT(cudaMalloc(&p, 4 * words), 0);
  if (h->stopped)
    return;
  WANT(cudaMemsetAsync(p, 0, 4 * words, s), 0);
  keep(h, p, words, pooled, s);
}

static void allocateWrongly(struct host *h) {
  void *p = &p;
  WANT(cudaMalloc(&p, (size_t)1 << 46), 2);
  WANT(cudaMalloc(NULL, 16), 1);
  WANT(cudaMallocAsync(&p, (size_t)1 << 46, anyStream(h)), 2);
  WANT(cudaMallocHost(&p, (size_t)1 << 50), 2);
  WANT(cudaMallocManaged(&p, 64, 9), 1);
}

static void release(struct host *h) {
  struct block *b = anyBlock(h);
  if (!b)
    return;
  int pooled = b->pooled || below(h, 4) == 0;
  cudaStream_t s = anyStream(h);
  if (!b->pooled)
    WANT(cudaFree((char *)b->at + 4), 1);
  if (pooled && b->pooled) {
    visit(h, b, s);
    WANT(cudaFreeAsync(b->at, s), 0);
  } else {
    WANT(cudaStreamSynchronize(b->stream), 0);
    WANT(cudaFree(b->at), 0);
  }
  if (h->stopped)
    return;
  free(b->want);
  *b = h->blocks[--h->nblocks];
}

static void freeNothing(struct host *h) {
  WANT(cudaFree(NULL), 0);
  WANT(cudaFree((void *)0x12345000), 1);
  WANT(cudaFree(h), 1);
  WANT(cudaFreeHost(h), 1);
  WANT(cudaFreeAsync((void *)0x12345000, anyStream(h)), 1);
}

static void fill(struct host *h) {
  struct block *b = anyBlock(h);
  if (!b)
    return;
  unsigned char v = below(h, 256);
  cudaStream_t s = anyStream(h);
  visit(h, b, s);
  WANT(cudaMemsetAsync(b->at, v, 4 * b->words, s), 0);
  WANT(cudaMemsetAsync(b->at, v, (size_t)1 << 40, s), 1);
  WANT(cudaMemset(h, v, 16), 1);
  for (size_t i = 0; i < b->words && !h->stopped; i++)
    b->want[i] = v * 0x01010101u;
}

static void upload(struct host *h) {
  struct block *b = anyBlock(h);
  if (!b)
    return;
  unsigned *from = malloc(4 * b->words);
  for (size_t i = 0; i < b->words; i++)
    from[i] = below(h, 1u << 30);
  cudaStream_t s = anyStream(h);
  visit(h, b, s);
  WANT(cudaMemcpyAsync(b->at, from, 4 * b->words, below(h, 2) ? HostToDevice : Default, s), 0);
  FIRST(cudaMemcpyAsync(b->at, from, 4, 7, s), 21);
  if (!h->stopped)
    memcpy(b->want, from, 4 * b->words);
  free(from); // pageable memory was read during the call
}

static void download(struct host *h) {
  struct block *b = anyBlock(h);
  if (!b)
    return;
  unsigned *to = calloc(b->words, 4);
  WANT(cudaStreamSynchronize(b->stream), 0);
  WANT(cudaMemcpy(to, b->at, 4 * b->words, below(h, 2) ? DeviceToHost : Default), 0);
  if (!h->stopped && memcmp(to, b->want, 4 * b->words)) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: a block of %zu words differs\n", h->number, h->calls, b->words);
  }
  WANT(cudaMemcpy(to, b->at, (size_t)1 << 40, Default), 1);
  WANT(cudaMemcpy(to, NULL, 4, DeviceToHost), 1);
  free(to);
}

static void copy(struct host *h) {
  struct block *a = anyBlock(h), *b = anyBlock(h);
  if (!a || a == b)
    return;
  size_t words = a->words < b->words ? a->words : b->words;
  cudaStream_t s = anyStream(h);
  visit(h, a, s);
  visit(h, b, s);
  WANT(cudaMemcpyAsync(a->at, b->at, 4 * words, DeviceToDevice, s), 0);
  if (!h->stopped)
    memcpy(a->want, b->want, 4 * words);
}

static void pinned(struct host *h) {
  unsigned *p = NULL;
  WANT(cudaHostAlloc((void **)&p, 4096, below(h, 8)), 0);
  WANT(cudaHostAlloc((void **)&p, 4096, 8), 1);
  if (h->stopped)
    return;
  WANT(cudaFree(p), 1);
  WANT(cudaFreeHost(p + 1), 1);
  struct block *b = anyBlock(h);
  if (b) {
    size_t words = b->words < 1024 ? b->words : 1024;
    WANT(cudaMemcpyAsync(p, b->at, 4 * words, Default, b->stream), 0);
    WANT(cudaStreamSynchronize(b->stream), 0);
    if (!h->stopped && memcmp(p, b->want, 4 * words)) {
      failures++;
      fprintf(stderr, "thread %d, call %ld: pinned memory differs\n", h->number, h->calls);
    }
  }
  WANT(cudaFreeHost(p), 0);
}

static void registered(struct host *h) {
  char *p = aligned_alloc(4096, 8192);
  WANT(cudaHostUnregister(p), 713);
  WANT(cudaHostRegister(p, 8192, 64), 1);
  WANT(cudaHostRegister(p, 0, 0), 1);
  WANT(cudaHostRegister(p, 8192, 0), 0);
  WANT(cudaHostRegister(p, 4096, 0), 712);
  WANT(cudaHostUnregister(p), 0);
  free(p);
}

static void managed(struct host *h) {
  unsigned *p = NULL;
  WANT(cudaMallocManaged((void **)&p, 4096, 1), 0);
  if (h->stopped)
    return;
  for (int i = 0; i < 1024; i++)
    p[i] = i;
  unsigned n = 1024, v = 3;
  void *arguments[] = {&p, &n, &v};
  cudaStream_t s = anyStream(h);
  WANT(cudaLaunchKernel(kernels.add, (dim3){8, 1, 1}, (dim3){128, 1, 1}, arguments, 0, s), 0);
  WANT(cudaStreamSynchronize(s), 0);
  for (unsigned i = 0; i < 1024; i++)
    if (p[i] != i + 3) {
      failures++;
      fprintf(stderr, "thread %d, call %ld: managed memory differs\n", h->number, h->calls);
      break;
    }
  WANT(cudaFree(p), 0);
}

static void pitched(struct host *h) {
  void *p = NULL;
  size_t pitch = 0;
  char rows[4][100], back[4][100];
  memset(rows, below(h, 256), sizeof rows);
  memset(back, 0, sizeof back);
  WANT(cudaMallocPitch(&p, &pitch, 100, 4), 0);
  if (h->stopped)
    return;
  WANT(cudaMemcpy2D(p, pitch, rows, 100, 100, 4, HostToDevice), 0);
  WANT(cudaMemcpy2D(p, 50, rows, 100, 100, 4, HostToDevice), 12);
  WANT(cudaMemcpy2D(back, 100, p, pitch, 100, 4, DeviceToHost), 0);
  WANT(cudaMemcpy2D(p, pitch, rows, 100, 100, 1 << 20, HostToDevice), 1);
  if (memcmp(rows, back, sizeof rows)) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: rows differ\n", h->number, h->calls);
  }
  WANT(cudaFree(p), 0);
}

static void array(struct host *h) {
  cudaChannelFormatDesc d = {32, 0, 0, 0, 1}, wrong = {33, 0, 0, 0, 1};
  cudaArray_t a = NULL;
  unsigned in[64], out[64] = {0};
  for (int i = 0; i < 64; i++)
    in[i] = below(h, 1u << 30);
  WANT(cudaMallocArray(&a, &wrong, 8, 8, 0), 20);
  WANT(cudaMallocArray(&a, &d, 8, 8, 0), 0);
  if (h->stopped)
    return;
  WANT(cudaMemcpy2DToArray(a, 0, 0, in, 32, 32, 8, HostToDevice), 0);
  WANT(cudaMemcpy2DToArray(a, 4, 0, in, 32, 32, 8, HostToDevice), 1);
  WANT(cudaMemcpy2DFromArray(out, 32, a, 0, 0, 32, 8, DeviceToHost), 0);
  if (memcmp(in, out, sizeof in)) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: the array differs\n", h->number, h->calls);
  }
  WANT(cudaFreeArray(a), 0);
  WANT(cudaFreeArray(NULL), 0);
}

static void pool(struct host *h) {
  CUmemPoolProps p = {1, 0, {1, 0}, NULL, 1 << 20, 0, {0}};
  cudaMemPool_t m = NULL;
  void *at = NULL, *more = NULL;
  cudaStream_t s = anyStream(h);
  WANT(cudaMemPoolCreate(&m, &p), 0);
  if (h->stopped)
    return;
  WANT(cudaMallocFromPoolAsync(&at, 1 << 16, m, s), 0);
  WANT(cudaMallocFromPoolAsync(&more, (size_t)1 << 30, m, s), 2); // the pool's limit
  WANT(cudaFreeAsync(at, s), 0);
  WANT(cudaMemPoolDestroy(m), 0);
  p.allocType = 7;
  WANT(cudaMemPoolCreate(&m, &p), 1);
}

// ---- streams and events

static void makeStream(struct host *h) {
  if (h->nstreams == mostStreams)
    return;
  cudaStream_t s = NULL;
  WANT(cudaStreamCreateWithFlags(&s, 1), 0);
  if (!h->stopped)
    h->streams[h->nstreams++] = s;
  WANT(cudaStreamCreateWithFlags(&s, 9), 1);
}

static void dropStream(struct host *h) {
  if (h->nstreams < 2 || h->stopped)
    return;
  cudaStream_t s = h->streams[--h->nstreams];
  for (int i = 0; i < h->nblocks; i++)
    if (h->blocks[i].stream == s)
      visit(h, &h->blocks[i], (cudaStream_t)2);
  WANT(cudaStreamDestroy(s), 0);
  WANT(cudaStreamSynchronize(s), 400);
  WANT(cudaStreamDestroy(s), 400);
  WANT(cudaStreamDestroy(NULL), 400);
}

static void event(struct host *h) {
  if (h->nevents < mostEvents) {
    cudaEvent_t e = NULL;
    WANT(cudaEventCreateWithFlags(&e, 2), 0);
    WANT(cudaEventCreateWithFlags(&e, 64), 1);
    if (!h->stopped)
      h->events[h->nevents++] = e;
    return;
  }
  if (h->stopped)
    return;
  cudaEvent_t e = h->events[--h->nevents];
  WANT(cudaEventDestroy(e), 0);
  WANT(cudaEventRecord(e, anyStream(h)), 400);
  WANT(cudaEventQuery(e), 400);
}

static void timing(struct host *h) {
  cudaEvent_t a = NULL, b = NULL;
  float ms = -1;
  cudaStream_t s = anyStream(h);
  WANT(cudaEventCreateWithFlags(&a, 0), 0);
  if (h->stopped)
    return;
  WANT(cudaEventCreateWithFlags(&b, 0), 0);
  WANT(cudaEventElapsedTime(&ms, a, b), 400);
  WANT(cudaEventQuery(a), 0);
  WANT(cudaEventRecord(a, s), 0);
  WANT(cudaEventRecord(b, s), 0);
  WANT(cudaEventSynchronize(b), 0);
  WANT(cudaEventElapsedTime(&ms, a, b), 0);
  if (h->nevents > 0)
    WANT(cudaEventElapsedTime(&ms, a, h->events[0]), 400);
  WANT(cudaEventDestroy(a), 0);
  WANT(cudaEventDestroy(b), 0);
}

static void called(void *user) { atomic_fetch_add((atomic_long *)user, 1); }

static void function(struct host *h) {
  cudaStream_t s = anyStream(h);
  long before = h->ran;
  WANT(cudaLaunchHostFunc(s, called, &h->ran), 0);
  FIRST(cudaLaunchHostFunc(s, NULL, &h->ran), 1);
  WANT(cudaStreamSynchronize(s), 0);
  WANT(cudaStreamQuery(s), 0);
  if (!h->stopped && h->ran != before + 1) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: the host function ran %ld times\n", h->number, h->calls, h->ran - before);
  }
}

// ---- launches and graphs

static void launch(struct host *h) {
  struct block *b = anyBlock(h);
  if (!b)
    return;
  unsigned n = b->words, v = below(h, 1000);
  void *arguments[] = {&b->at, &n, &v};
  cudaStream_t s = anyStream(h);
  visit(h, b, s);
  WANT(cudaLaunchKernel(kernels.add, (dim3){(n + 127) / 128, 1, 1}, (dim3){128, 1, 1}, arguments, 0, s), 0);
  for (size_t i = 0; i < b->words && !h->stopped; i++)
    b->want[i] += v;
}

static void launchWrongly(struct host *h) {
  void *p = NULL, *arguments[] = {&p, &p, &p};
  cudaStream_t s = anyStream(h);
  WANT(cudaLaunchKernel(kernels.add, one, (dim3){1025, 1, 1}, arguments, 0, s), 1);
  WANT(cudaLaunchKernel(kernels.add, (dim3){0, 1, 1}, one, arguments, 0, s), 1);
  WANT(cudaLaunchKernel(kernels.add, (dim3){1, 65536, 1}, one, arguments, 0, s), 1);
  WANT(cudaLaunchKernel(kernels.add, one, one, arguments, 1 << 20, s), 1);
  WANT(cudaLaunchKernel(h, one, one, arguments, 0, s), 400);
  WANT(cudaLaunchKernel(NULL, one, one, arguments, 0, s), 98);
}

static void graph(struct host *h) {
  struct block *b = anyBlock(h);
  cudaGraph_t g = NULL;
  cudaGraphExec_t x = NULL;
  cudaGraphNode_t set, add, none;
  if (!b || h->stopped)
    return;
  unsigned n = b->words, v = below(h, 1000), c = below(h, 256);
  void *arguments[] = {&b->at, &n, &v};
  cudaMemsetParams m = {b->at, 0, c, 1, 4 * b->words, 1};
  cudaKernelNodeParams k = {kernels.add, {(n + 63) / 64, 1, 1}, {64, 1, 1}, 0, arguments, NULL};
  cudaStream_t s = anyStream(h);
  visit(h, b, s);
  WANT(cudaGraphCreate(&g, 1), 1);
  WANT(cudaGraphCreate(&g, 0), 0);
  WANT(cudaGraphAddMemsetNode(&set, g, NULL, 0, &m), 0);
  WANT(cudaGraphAddKernelNode(&add, g, &set, 1, &k), 0);
  WANT(cudaGraphAddEmptyNode(&none, g, NULL, 1), 1);
  k.blockDim.x = 4096;
  WANT(cudaGraphAddKernelNode(&none, g, &set, 1, &k), 1);
  WANT(cudaGraphInstantiate(&x, g, 0), 0);
  WANT(cudaGraphLaunch(x, s), 0);
  WANT(cudaGraphLaunch(x, s), 0);
  for (size_t i = 0; i < b->words; i++)
    b->want[i] = c * 0x01010101u + v;
  WANT(cudaGraphDestroy(g), 0);
  WANT(cudaGraphExecDestroy(x), 0);
  WANT(cudaGraphLaunch(x, s), 1);
}

static void capture(struct host *h) {
  struct block *b = anyBlock(h);
  cudaGraph_t g = NULL;
  cudaGraphExec_t x = NULL;
  cudaStream_t s = NULL;
  void *p;
  if (!b || h->stopped)
    return;
  WANT(cudaStreamCreateWithFlags(&s, 1), 0);
  visit(h, b, s);
  int spoiled = below(h, 2);
  WANT(cudaStreamBeginCapture(s, 1), 0); // of the thread alone
  WANT(cudaMemsetAsync(b->at, 7, 4 * b->words, s), 0);
  if (spoiled)
    WANT(cudaMalloc(&p, 16), 900);
  WANT(cudaStreamEndCapture(s, &g), spoiled ? 901 : 0);
  if (!spoiled) {
    WANT(cudaGraphInstantiate(&x, g, 0), 0);
    WANT(cudaGraphLaunch(x, s), 0);
    for (size_t i = 0; i < b->words; i++)
      b->want[i] = 0x07070707;
    WANT(cudaGraphExecDestroy(x), 0);
    WANT(cudaGraphDestroy(g), 0);
  }
  WANT(cudaStreamEndCapture(s, &g), 401);
  visit(h, b, (cudaStream_t)2);
  WANT(cudaStreamDestroy(s), 0);
}

// ---- devices, libraries, errors

static void device(struct host *h) {
  int v = 0;
  size_t n = 0;
  FIRST(cudaSetDevice(99), 101);
  FIRST(cudaGetDevice(&v), 0);
  FIRST(cudaDeviceGetAttribute(&v, 1, 0), 0);
  FIRST(cudaDeviceGetAttribute(&v, 1, 99), 101);
  FIRST(cudaDeviceGetAttribute(&v, 5000, 0), 1);
  WANT(cudaDeviceGetLimit(&n, 0), 0);
  WANT(cudaDeviceGetLimit(&n, 77), 1);
  WANT(cudaDeviceSetLimit(77, 1), 1);
}

static void library(struct host *h) {
  cudaLibrary_t l = NULL;
  cudaKernel_t k = NULL;
  void *p = NULL;
  size_t n = 0;
  unsigned v = 0;
  if (h->stopped || below(h, 8))
    return; // it is long
  WANT(cudaLibraryLoadData(&l, "not a module", NULL, NULL, 0, NULL, NULL, 0), 0);
  WANT(cudaLibraryGetKernel(&k, l, "add"), 200);
  WANT(cudaLibraryUnload(l), 0);
  WANT(cudaLibraryLoadData(&l, ".version 7.0\n.target sm_52\nnonsense\n", NULL, NULL, 0, NULL, NULL, 0), 0);
  WANT(cudaLibraryGetKernel(&k, l, "add"), 218);
  WANT(cudaLibraryUnload(l), 0);
  WANT(cudaLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0), 0);
  WANT(cudaLibraryGetKernel(&k, l, "none"), 500);
  WANT(cudaLibraryGetKernel(&k, l, "add"), 0);
  WANT(cudaLibraryGetGlobal(&p, &n, l, "counter"), 0);
  WANT(cudaMemcpy(&v, p, 4, DeviceToHost), 0);
  if (v != 5 || n != 4) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: the variable is %u\n", h->number, h->calls, v);
  }
  WANT(cudaLibraryUnload(l), 0);
  WANT(cudaLibraryGetKernel(&k, l, "add"), 400);
}

static void errors(struct host *h) {
  int last = h->last;
  if (cudaPeekAtLastError() != last || cudaGetLastError() != last || cudaGetLastError() != 0) {
    failures++;
    fprintf(stderr, "thread %d, call %ld: the last error is not %d\n", h->number, h->calls, last);
  }
  h->last = 0;
}

action *const runtimeActions[] = {allocate, allocate, allocateWrongly, release, freeNothing, fill, upload, download, download, copy,
                                  pinned, registered, managed, pitched, array, pool, makeStream, dropStream, event, timing,
                                  function, launch, launch, launchWrongly, graph, capture, device, library, errors};
const int runtimeActionCount = sizeof runtimeActions / sizeof *runtimeActions;
