// Chapters of the driver's interface about how far addresses reach, which handles memory has for others, and which parts of a
// device a context may ask for.
#include "driver_chapters.h"

enum { M = 1 << 21 };

CUresult cuCtxCreate_v4(CUcontext *, CUctxCreateParams *, unsigned, CUdevice);
CUresult cuMemExportToShareableHandle(void *, CUhandle, int, unsigned long long);
CUresult cuMemImportFromShareableHandle(CUhandle *, void *, int);

static CUcontext context;

static void begin(void) {
  if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0))
    puts("not prepared");
}

static CUmemAllocationProp device = {1, 0, {1, 0}, NULL, {0}};

// used maps memory at an address, writes there and reads it back.
static void used(const char *where, CUdeviceptr p) {
  CUmemAccessDesc access = {{1, 0}, 3};
  CUhandle h;
  int v = 0;
  if (cuMemCreate(&h, 2 * M, &device, 0) || cuMemMap(p, 2 * M, 0, h, 0) || cuMemSetAccess(p, 2 * M, &access, 1) ||
      cuMemsetD32_v2(p, 77, 2 * M / 4) || cuMemcpyDtoH_v2(&v, p + 2 * M - 4, 4))
    v = -1;
  printf("  %s %d", where, v);
  printf(", unmap %d", (int)cuMemUnmap(p, 2 * M));
  printf(", release %d\n", (int)cuMemRelease(h));
}

// Reservations of every size, one at a time, and both ends of them. The card has 2^45 and 2^46 bytes as well, for which
// a process that simulates it does not always have the addresses.
static void ranges(void) {
  begin();
  for (int bits = 30; bits <= 49; bits++) {
    if (bits == 45 || bits == 46)
      continue;
    CUdeviceptr p = 0;
    size_t size = (size_t)1 << bits;
    int code = cuMemAddressReserve(&p, size, 0, 0, 0);
    printf("2^%d bytes -> %d\n", bits, code);
    if (code != 0)
      continue;
    used("first", p);
    used("last", p + size - 2 * M);
    printf("  free %d\n", (int)cuMemAddressFree(p, size));
  }
}

// Many reservations at a time.
static void several(void) {
  CUdeviceptr p[64], low = 0;
  int n = 0, apart = 1;
  begin();
  while (n < 16 && cuMemAddressReserve(&p[n], (size_t)1 << 40, 0, 0, 0) == 0)
    n++;
  printf("16 of 2^40 bytes: %d\n", n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      apart &= p[i] >= p[j] + ((size_t)1 << 40) || p[j] >= p[i] + ((size_t)1 << 40);
  printf("apart %d\n", apart);
  if (n > 0)
    used("in the last", p[n - 1] + ((size_t)1 << 39));
  R(cuMemAlloc_v2(&low, 4096));
  R(cuMemsetD8_v2(low, 1, 4096));
  for (int i = 0; i < n; i++)
    if (cuMemAddressFree(p[i], (size_t)1 << 40))
      puts("not freed");
  R(cuMemAddressReserve(&low, (size_t)1 << 40, (size_t)1 << 40, 0, 0));
  printf("aligned %d\n", low % ((size_t)1 << 40) == 0);
}

// Kinds of handles that memory is made with and given to others by.
static void handles(void) {
  CUhandle h, again;
  begin();
  for (int kind = 0; kind <= 9; kind++) {
    CUmemAllocationProp p = device;
    p.requestedHandleTypes = kind;
    int code = cuMemCreate(&h, 2 * M, &p, 0);
    printf("made with kind %d -> %d\n", kind, code);
    if (code != 0)
      continue;
    for (int as = 0; as <= 9; as++) {
      char place[64] = {0};
      printf("  given as %d -> %d\n", as, (int)cuMemExportToShareableHandle(place, h, as, 0));
    }
    R(cuMemRelease(h));
  }
  for (int kind = 0; kind <= 9; kind++) {
    char place[64] = {0};
    if (kind != 1)
      printf("taken as %d -> %d\n", kind, (int)cuMemImportFromShareableHandle(&again, place, kind));
  }
  printf("no file -> %d\n", (int)cuMemImportFromShareableHandle(&again, (void *)(intptr_t)-1, 1));
  printf("another file -> %d\n", (int)cuMemImportFromShareableHandle(&again, (void *)(intptr_t)0, 1));
  printf("nowhere -> %d\n", (int)cuMemImportFromShareableHandle(NULL, (void *)(intptr_t)0, 1));
}

static void shown(const char *what, int code, const CUcontext *c) {
  CUexecAffinityParam got = {0, 0};
  printf("%s -> %d\n", what, code);
  if (code != 0)
    return;
  int type = cuCtxGetExecAffinity(&got, 0);
  printf("  affinity %d, %u multiprocessors\n", type, got.smCount);
  printf("  other affinity %d\n", (int)cuCtxGetExecAffinity(&got, 1));
  R(cuCtxDestroy_v2(*c));
}

// A part of the multiprocessors, or graphics beside the context.
static void affinities(void) {
  static const unsigned counts[] = {0, 1, 66, 132, 133, 1000};
  CUcontext c = 0;
  int supported = -1;
  R(cuInit(0));
  V(cuDeviceGetExecAffinitySupport(&supported, 0, 0), "%d", supported);
  shown("no list", cuCtxCreate_v3(&c, NULL, 0, 0, 0), &c);
  shown("one of no list", cuCtxCreate_v3(&c, NULL, 1, 0, 0), &c);
  shown("no place", cuCtxCreate_v3(NULL, NULL, 0, 0, 0), &c);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    CUexecAffinityParam p;
    char name[64];
    p.type = 0, p.smCount = counts[i];
    snprintf(name, sizeof name, "%u multiprocessors", counts[i]);
    shown(name, cuCtxCreate_v3(&c, &p, 1, 0, 0), &c);
    CUctxCreateParams all = {&p, 1, NULL};
    shown("  as parameters", cuCtxCreate_v4(&c, &all, 0, 0), &c);
  }
  CUexecAffinityParam two[] = {{0, 66}, {0, 66}};
  shown("two", cuCtxCreate_v3(&c, two, 2, 0, 0), &c);
  two[0].type = 1;
  shown("another type", cuCtxCreate_v3(&c, two, 1, 0, 0), &c);
  shown("fewer than none", cuCtxCreate_v3(&c, two, -1, 0, 0), &c);
  shown("unknown flags", cuCtxCreate_v3(&c, NULL, 0, 0x4000, 0), &c);
  CUctxCreateParams none = {NULL, 0, NULL};
  shown("nothing asked", cuCtxCreate_v4(&c, &none, 0, 0), &c);
  shown("no parameters", cuCtxCreate_v4(&c, NULL, 0, 0), &c);
  for (int kind = 0; kind <= 3; kind++) {
    struct {
      int kind;
      void *data;
    } graphics = {kind, NULL};
    CUctxCreateParams shared = {NULL, 0, &graphics}, both = {two, 1, &graphics};
    printf("graphics %d\n", kind);
    shown("  alone", cuCtxCreate_v4(&c, &shared, 0, 0), &c);
    shown("  and affinity", cuCtxCreate_v4(&c, &both, 0, 0), &c);
  }
}

// Tokens for other drivers, and what one question for several attributes says of them.
static void tokens(void) {
  CUdeviceptr p, q;
  struct {
    unsigned long long peer;
    unsigned space;
  } a = {7, 7}, b = {7, 7};
  unsigned char host[16];
  void *pinned;
  begin();
  R(cuMemAlloc_v2(&p, 4096));
  R(cuMemAlloc_v2(&q, 4 * M));
  V(cuPointerGetAttribute(&a, 5, p), "kept %d %d", a.peer == 7, a.space == 7);
  V(cuPointerGetAttribute(&b, 5, q), "same %d %d", a.peer == b.peer, a.space == b.space);
  V(cuPointerGetAttribute(&b, 5, p + 100), "same %d %d", a.peer == b.peer, a.space == b.space);
  R(cuPointerGetAttribute(&b, 5, (CUdeviceptr)host));
  R(cuMemAllocHost_v2(&pinned, 4096));
  R(cuPointerGetAttribute(&b, 5, (CUdeviceptr)pinned));
  R(cuMemAllocManaged(&q, 4096, 1));
  R(cuPointerGetAttribute(&b, 5, q));
  int kinds[] = {2, 5};
  int type = 0;
  void *places[] = {&type, &b};
  memset(&b, 0, sizeof b);
  V(cuPointerGetAttributes(2, kinds, places, p), "type %d, same %d", type, a.peer == b.peer);
  V(cuPointerGetAttributes(2, kinds, places, (CUdeviceptr)host), "type %d, none %d", type, b.peer == 0);
}

CHAPTERS({"ranges", ranges}, {"several", several}, {"handles", handles}, {"affinities", affinities}, {"tokens", tokens})
