// Chapters of the driver's interface about mapped memory: who may read and write it, where addresses and memory come from.
#include "driver_chapters.h"
#include <sys/mman.h>

enum { M = 1 << 21 };

static CUcontext context;
static CUdeviceptr own, memory;
static CUfunction load, store, add;
static CUhandle handle;
static int host[1024];

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry load(.param .u64 to, .param .u64 from)\n{\n  .reg .u64 %rd<3>; .reg .u32 %r<2>;\n"
    "  ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from]; ld.global.u32 %r1, [%rd2]; st.global.u32 [%rd1], %r1; ret;\n}\n"
    ".visible .entry store(.param .u64 to, .param .u64 from)\n{\n  .reg .u64 %rd<3>; .reg .u32 %r<2>;\n"
    "  ld.param.u64 %rd1, [to]; st.global.u32 [%rd1], 5; ret;\n}\n"
    ".visible .entry add(.param .u64 to, .param .u64 from)\n{\n  .reg .u64 %rd<3>; .reg .u32 %r<2>;\n"
    "  ld.param.u64 %rd1, [to]; atom.global.add.u32 %r1, [%rd1], 0; ret;\n}\n";

static void begin(void) {
  CUmodule module;
  if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0) || cuMemAlloc_v2(&own, 4096) || cuModuleLoadData(&module, ptx) ||
      cuModuleGetFunction(&load, module, "load") || cuModuleGetFunction(&store, module, "store") || cuModuleGetFunction(&add, module, "add"))
    puts("not prepared");
}

static CUmemAllocationProp device = {1, 0, {1, 0}, NULL, {0}};

static CUresult permit(CUdeviceptr p, size_t size, int flags) {
  CUmemAccessDesc access = {{1, 0}, flags};
  return cuMemSetAccess(p, size, &access, 1);
}

// mapped maps memory that holds 7, with the given access.
static void mapped(int flags) {
  begin();
  if (cuMemAddressReserve(&memory, 2 * M, 0, 0, 0) || cuMemCreate(&handle, 2 * M, &device, 0) || cuMemMap(memory, 2 * M, 0, handle, 0) ||
      permit(memory, 2 * M, 3) || cuMemsetD32_v2(memory, 7, 2 * M / 4) || cuCtxSynchronize())
    puts("not mapped");
  printf("access %d -> %d\n", flags, (int)permit(memory, 2 * M, flags));
}

static void run(const char *name, CUfunction f, CUdeviceptr to, CUdeviceptr from) {
  void *arguments[] = {&to, &from};
  int code = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL);
  printf("%s -> %d, %d\n", name, code, (int)cuCtxSynchronize());
}

// after says what is left of the context.
static void after(void) {
  int v = 1;
  printf("later: synchronize %d", (int)cuCtxSynchronize());
  printf(", read %d", (int)cuMemcpyDtoH_v2(&v, memory, 4));
  printf(" %d", v);
  printf(", own %d", (int)cuMemcpyDtoH_v2(&v, own, 4));
  printf(", allocate %d\n", (int)cuMemAlloc_v2(&own, 4096));
}

static void read_reads(void) {
  unsigned long long flags = 9;
  cudaMemLocation here = {1, 0};
  mapped(1);
  V(cuMemGetAccess(&flags, &here, memory), "%llu", flags);
  run("load", load, own, memory);
  V(cuMemcpyDtoH_v2(host, memory, 4), "%d", host[0]);
  R(cuMemcpyDtoD_v2(own, memory, 64));
  V(cuMemcpyDtoH_v2(host, own, 4), "%d", host[0]);
  R(cuMemcpyDtoHAsync_v2(host, memory, 4096, 0));
  R(cuCtxSynchronize());
  R(permit(memory, 2 * M, 3));
  R(cuMemsetD32_v2(memory, 8, 4));
  V(cuMemcpyDtoH_v2(host, memory, 4), "%d", host[0]);
}
static void read_store(void) {
  mapped(1);
  run("store", store, memory, 0);
  after();
}
static void read_atomic(void) {
  mapped(1);
  run("add", add, memory, 0);
  after();
}
static void read_memset(void) {
  mapped(1);
  R(cuMemsetD32_v2(memory, 9, 4));
  after();
}
static void read_memset_large(void) {
  mapped(1);
  R(cuMemsetD32_v2(memory, 9, 2 * M / 4));
  after();
}
static void read_htod(void) {
  mapped(1);
  R(cuMemcpyHtoD_v2(memory, host, 16));
  after();
}
static void read_htod_large(void) {
  static char large[2 * M];
  mapped(1);
  R(cuMemcpyHtoD_v2(memory, large, 2 * M));
  after();
}
static void read_dtod(void) {
  mapped(1);
  R(cuMemcpyDtoD_v2(memory, own, 64));
  after();
}
static void read_async(void) {
  mapped(1);
  R(cuMemcpyHtoDAsync_v2(memory, host, 16, 0));
  after();
}
static void none_load(void) {
  mapped(0);
  run("load", load, own, memory);
  after();
}
static void none_dtoh(void) {
  mapped(0);
  R(cuMemcpyDtoH_v2(host, memory, 4));
  after();
}
static void none_htod(void) {
  mapped(0);
  R(cuMemcpyHtoD_v2(memory, host, 4));
  after();
}
static void none_memset(void) {
  mapped(0);
  R(cuMemsetD32_v2(memory, 9, 4));
  after();
}

// Two pieces of memory in one reservation, with different access.
static void pieces(void) {
  CUdeviceptr p = 0, q = 0;
  CUhandle a = 0, b = 0, c = 0;
  cudaMemLocation here = {1, 0};
  CUmemAccessDesc access[2] = {{{1, 0}, 3}, {{1, 0}, 1}};
  unsigned long long flags = 9;
  size_t size = 0;
  int v = 0;
  begin();
  R(cuMemAddressReserve(&p, 8 * M, 0, 0, 0));
  R(cuMemCreate(&a, M, &device, 0));
  R(cuMemCreate(&b, 2 * M, &device, 0));
  R(cuMemMap(p, M, 0, a, 0));
  R(cuMemMap(p + M, 2 * M, 0, b, 0));
  R(cuMemMap(p + 3 * M, M, 0, b, 0));
  R(cuMemMap(p + 3 * M, M, M, b, 0));
  R(cuMemMap(p + 3 * M, 2 * M, M, b, 0));
  R(cuMemMap(p + 3 * M, 2 * M, 2 * M, b, 0));
  R(cuMemMap(p + 3 * M, 4 * M, 0, b, 0));
  R(permit(p, 3 * M, 3));
  R(permit(p, M, 1));
  V(cuMemGetAccess(&flags, &here, p), "%llu", flags);
  V(cuMemGetAccess(&flags, &here, p + M), "%llu", flags);
  V(cuMemGetAccess(&flags, &here, p + 7 * M), "%llu", flags);
  R(cuMemsetD32_v2(p + M, 3, M / 2));
  R(permit(p + M, M, 1));
  R(permit(p + M, 2 * M, 1));
  R(permit(p, 4 * M, 3));
  R(permit(p, 3 * M, 2));
  R(cuMemSetAccess(p, 3 * M, access, 2));
  V(cuMemGetAccess(&flags, &here, p), "%llu", flags);
  access[0].location.id = 99;
  R(cuMemSetAccess(p, 3 * M, access, 1));
  access[0].location.id = 0, access[0].location.type = 2;
  R(cuMemSetAccess(p, 3 * M, access, 1));
  access[0].location.type = 3;
  R(cuMemSetAccess(p, 3 * M, access, 1));
  access[0].location.type = 0;
  R(cuMemSetAccess(p, 3 * M, access, 1));
  R(cuMemSetAccess(p, 3 * M, NULL, 1));
  R(cuMemSetAccess(0, 3 * M, access, 1));
  here.type = 2;
  V(cuMemGetAccess(&flags, &here, p), "%llu", flags);
  here.type = 3;
  V(cuMemGetAccess(&flags, &here, p), "%llu", flags);
  here.type = 9;
  R(cuMemGetAccess(&flags, &here, p));
  here.type = 1, here.id = 99;
  R(cuMemGetAccess(&flags, &here, p));
  here.id = 0;
  V(cuMemGetAccess(&flags, &here, own), "%llu", flags);
  V(cuMemGetAccess(&flags, &here, own + 4096), "%llu", flags);
  R(cuMemGetAccess(NULL, &here, p));
  R(cuMemGetAccess(&flags, NULL, p));
  V(cuMemGetAddressRange_v2(&q, &size, p + M + 100), "%lld %zu", (long long)(q - p), size);
  R(cuMemUnmap(p, 4 * M));
  R(cuMemUnmap(p + M, M));
  R(cuMemUnmap(p, 3 * M));
  R(cuMemMap(p, 2 * M, 0, b, 0));
  R(permit(p, 2 * M, 3));
  V(cuMemcpyDtoH_v2(&v, p, 4), "%d", v);
  R(cuMemAddressFree(p, 8 * M));
  R(cuMemUnmap(p, 2 * M));
  R(cuMemAddressFree(p, 8 * M));
  // handles
  R(cuMemAddressReserve(&p, 2 * M, 0, 0, 0));
  R(cuMemMap(p, 2 * M, 0, b, 0));
  R(cuMemRelease(b));
  R(cuMemMap(p, 2 * M, 0, b, 0));
  V(cuMemRetainAllocationHandle(&c, (void *)p), "same %d", c == b);
  R(cuMemRelease(c));
  V(cuMemRetainAllocationHandle(&c, (void *)(p + 2 * M - 1)), "some %d", c != 0);
  R(cuMemRetainAllocationHandle(&c, (void *)(p + 2 * M)));
  R(cuMemRetainAllocationHandle(&c, (void *)own));
  R(cuMemRetainAllocationHandle(&c, NULL));
  R(cuMemRetainAllocationHandle(&c, host));
  R(cuMemRetainAllocationHandle(NULL, (void *)p));
  R(cuMemUnmap(p, 2 * M));
  R(cuMemRetainAllocationHandle(&c, (void *)p));
  R(cuMemAddressFree(p, 2 * M));
}

#define WISH(size, align, at) \
  do { \
    CUdeviceptr got_ = 0, wish_ = (at); \
    int code_ = cuMemAddressReserve(&got_, size, align, wish_, 0); \
    printf("%s bytes, aligned %s, at %s -> %d", #size, #align, #at, code_); \
    if (code_ == 0) \
      printf(", as wished %d, aligned %d, free %d", got_ == wish_, (align) == 0 || got_ % (align) == 0, (int)cuMemAddressFree(got_, size)); \
    puts(""); \
  } while (0)

// Where addresses come from.
static void reserve(void) {
  CUdeviceptr p = 0, q = 0, r = 0;
  void *room = mmap(NULL, 8 * M, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  begin();
  R(cuMemAddressReserve(&p, 8 * M, 0, 0, 0));
  R(cuMemAddressFree(p, 8 * M));
  WISH(8 * M, 0, p);
  WISH(2 * M, 0, p + 4 * M);
  WISH(2 * M, 0, p + 4096);
  WISH(2 * M, 4 * M, p / (4 * M) * (4 * M) + 2 * M);
  WISH(2 * M, 0, (CUdeviceptr)1 << 47);
  WISH(2 * M, 0, 0x10000000);
  WISH(2 * M, 0, 0x200000000);
  WISH(2 * M, 0, 0x600000000000);
  WISH(2 * M, 0, 0x7f0000000000);
  WISH(2 * M, 0, (CUdeviceptr)1 << 48);
  WISH(2 * M, 0, (CUdeviceptr)-M);
  WISH(2 * M, 0, own);
  WISH(2 * M, 0, ((CUdeviceptr)room + M) / M * M);
  WISH(2 * M, 0, 5);
  WISH(2 * M, (CUdeviceptr)1 << 30, 0);
  WISH(2 * M, 4096, 0);
  WISH((size_t)1 << 37, 0, 0);
  WISH((size_t)1 << 50, 0, 0);
  R(cuMemAddressReserve(&p, 2 * M, 0, 0, 0));
  R(cuMemAddressReserve(&q, 2 * M, 0, p, 0));
  printf("elsewhere %d\n", q != p);
  R(cuMemAddressReserve(&r, 2 * M, 0, p + 2 * M, 0));
  printf("behind %d or next %d\n", r == p + 2 * M, q == p + 2 * M);
  R(cuMemAddressFree(p + M, M));
  R(cuMemAddressFree(p, M));
  R(cuMemAddressFree(p, 4 * M));
  R(cuMemAddressFree(p, 2 * M));
}

// Memory at other places than a device.
static void locations(void) {
  static const int handles[] = {0, 1};
  begin();
  for (int type = 0; type <= 5; type++)
    for (int id = -1; id <= 1; id++)
      for (int k = 0; k < 2; k++) {
        CUmemAllocationProp p = {1, handles[k], {type, id}, NULL, {0}}, got;
        CUhandle h = 0, again = 0;
        CUdeviceptr at = 0, seen = 0;
        size_t least = 0, best = 0;
        printf("location %d %d, handles %d\n", type, id, handles[k]);
        V(cuMemGetAllocationGranularity(&least, &p, 0), "%zu", least);
        V(cuMemGetAllocationGranularity(&best, &p, 1), "%zu", best);
        int code = cuMemCreate(&h, 2 * M, &p, 0);
        printf("create -> %d\n", code);
        if (code)
          continue;
        memset(&got, 0, sizeof got);
        V(cuMemGetAllocationPropertiesFromHandle(&got, h), "type %d handles %d location %d %d", got.type, got.requestedHandleTypes, got.location.type, got.location.id);
        R(cuMemAddressReserve(&at, 2 * M, 0, 0, 0));
        R(cuMemMap(at, 2 * M, 0, h, 0));
        R(permit(at, 2 * M, 3));
        R(cuMemsetD32_v2(at, 41, 2 * M / 4));
        run("add", add, at, 0);
        V(cuMemcpyDtoH_v2(host, at + 2 * M - 4, 4), "%d", host[0]);
        int kind = -1, ordinal = -1, managed = -1;
        V(cuPointerGetAttribute(&kind, 2, at), "kind %d", kind);
        V(cuPointerGetAttribute(&ordinal, 9, at), "device %d", ordinal);
        V(cuPointerGetAttribute(&managed, 8, at), "managed %d", managed);
        V(cuPointerGetAttribute(&seen, 4, at), "host pointer %d", seen == at);
        V(cuPointerGetAttribute(&seen, 3, at), "device pointer %d", seen == at);
        for (int where = 1; where <= 4; where++) {
          CUmemAccessDesc access = {{where, id < 0 ? 0 : id}, 3};
          code = cuMemSetAccess(at, 2 * M, &access, 1);
          printf("access from %d -> %d\n", where, code);
          if (code == 0 && where > 1) {
            *(volatile int *)at += 1;
            printf("host reads %d\n", *(volatile int *)at);
            unsigned long long flags = 9;
            V(cuMemGetAccess(&flags, &access.location, at), "%llu", flags);
          }
        }
        V(cuMemRetainAllocationHandle(&again, (void *)at), "same %d", again == h);
        R(cuMemUnmap(at, 2 * M));
        R(cuMemAddressFree(at, 2 * M));
        R(cuMemRelease(h));
      }
  // access of the host to memory of the device
  CUmemAccessDesc access = {{2, 0}, 3};
  CUhandle h;
  CUdeviceptr at;
  R(cuMemCreate(&h, 2 * M, &device, 0));
  R(cuMemAddressReserve(&at, 2 * M, 0, 0, 0));
  R(cuMemMap(at, 2 * M, 0, h, 0));
  R(cuMemSetAccess(at, 2 * M, &access, 1));
  access.location.type = 3;
  R(cuMemSetAccess(at, 2 * M, &access, 1));
  // small sizes at the host
  CUmemAllocationProp numa = {1, 0, {3, 0}, NULL, {0}};
  R(cuMemCreate(&h, 4096, &numa, 0));
  R(cuMemCreate(&h, 65536, &numa, 0));
}

// Memory that compresses, and the other flags.
static void compression(void) {
  CUmemAllocationProp p = device, got;
  CUhandle h = 0;
  int yes = -1;
  size_t n = 0;
  begin();
  V(cuDeviceGetAttribute(&yes, 107, 0), "%d", yes);
  for (int attribute = 102; attribute <= 145; attribute++)
    V(cuDeviceGetAttribute(&yes, attribute, 0), "attribute %d: %d", attribute, yes);
  for (int k = 0; k < 4; k++) {
    p = device;
    p.allocFlags[0] = k == 1 ? 1 : k == 2 ? 2 : 0, p.allocFlags[1] = k == 3;
    printf("compression %d, RDMA %d\n", p.allocFlags[0], p.allocFlags[1]);
    V(cuMemGetAllocationGranularity(&n, &p, 0), "%zu", n);
    int code = cuMemCreate(&h, 2 * M, &p, 0);
    printf("create -> %d\n", code);
    if (code)
      continue;
    memset(&got, 9, sizeof got);
    V(cuMemGetAllocationPropertiesFromHandle(&got, h), "compression %d, RDMA %d, usage %d %d", got.allocFlags[0], got.allocFlags[1], got.allocFlags[2], got.allocFlags[3]);
    R(cuMemRelease(h));
  }
  p = device, p.allocFlags[2] = 1;
  R(cuMemCreate(&h, 2 * M, &p, 0));
  V(cuMemGetAllocationPropertiesFromHandle(&got, h), "usage %d", got.allocFlags[2]);
  p.allocFlags[2] = 2;
  R(cuMemCreate(&h, 2 * M, &p, 0));
  p.allocFlags[2] = 0, p.allocFlags[4] = 1;
  R(cuMemCreate(&h, 2 * M, &p, 0));
  p.allocFlags[4] = 0;
  for (int type = 0; type <= 3; type++)
    p.type = type, printf("type %d -> %d\n", type, (int)cuMemCreate(&h, 2 * M, &p, 0));
  p.type = 1;
  for (int types = 1; types <= 32; types *= 2) {
    p.requestedHandleTypes = types;
    printf("handles %d -> %d\n", types, (int)cuMemCreate(&h, 2 * M, &p, 0));
  }
  R(cuMemGetAllocationPropertiesFromHandle(NULL, h));
  R(cuMemGetAllocationPropertiesFromHandle(&got, 0));
  R(cuMemGetAllocationGranularity(&n, NULL, 0));
  p = device, p.location.id = 99;
  R(cuMemGetAllocationGranularity(&n, &p, 0));
  R(cuMemCreate(&h, 2 * M, &p, 0));
  p = device;
  R(cuMemCreate(&h, (size_t)1 << 42, &p, 0));
}

CHAPTERS({"read_reads", read_reads}, {"read_store", read_store}, {"read_atomic", read_atomic}, {"read_memset", read_memset},
         {"read_memset_large", read_memset_large}, {"read_htod", read_htod}, {"read_htod_large", read_htod_large}, {"read_dtod", read_dtod},
         {"read_async", read_async}, {"none_load", none_load}, {"none_dtoh", none_dtoh}, {"none_htod", none_htod},
         {"none_memset", none_memset}, {"pieces", pieces}, {"reserve", reserve}, {"locations", locations}, {"compression", compression})
