// Chapters of the driver's interface about arrays whose memory is mapped: sparse ones tile by tile, deferred ones whole.
#include "driver_chapters.h"
#include "driver_arrays.h"

enum { M = 1 << 21, tileBytes = 1 << 16 };

static CUcontext context;
static CUdeviceptr memory;
static CUfunction fetch;

// fetch reads elements of a row of a texture, 100 apart.
static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .entry fetch(.param .u64 p, .param .u64 t)\n{\n  .reg .u64 %rd<5>; .reg .u32 %r<6>; .reg .s32 %x, %y;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [t]; mov.u32 %r5, %tid.x; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd1, %rd1, %rd3;\n"
    "  mul.lo.u32 %r5, %r5, 100; mov.b32 %x, %r5; mov.s32 %y, 1;\n"
    "  tex.2d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%x, %y}]; st.global.u32 [%rd1], %r1; ret;\n}\n";

static void begin(void) {
  CUmodule module;
  if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0) || cuMemAlloc_v2(&memory, 1 << 18) || cuModuleLoadData(&module, ptx) ||
      cuModuleGetFunction(&fetch, module, "fetch"))
    puts("not prepared");
}

static const CUmemAllocationProp pool = {1, 0, {1, 0}, NULL, {0, 0, 1, 0}}, plain = {1, 0, {1, 0}, NULL, {0}};

static mapInfo mapOf(CUhandle resource, CUhandle memoryHandle, unsigned long long offset) {
  mapInfo m = {0};
  m.resource = resource, m.handle = memoryHandle, m.operation = memoryHandle ? 1 : 2, m.mask = 1, m.offset = offset;
  m.at.box.depth = 1;
  return m;
}

// one maps a box of level 0 and layer 0; without memory it unmaps.
static CUresult one(CUarray a, unsigned x, unsigned y, unsigned width, unsigned height, CUhandle h, unsigned long long offset) {
  mapInfo m = mapOf(a, h, offset);
  m.at.box.x = x, m.at.box.y = y, m.at.box.width = width, m.at.box.height = height;
  return cuMemMapArrayAsync(&m, 1, 0);
}

static void printSparse(int code, const sparse *s) {
  printf(" -> %d", code);
  if (code == 0)
    printf(", %ux%ux%u tail %u %llu flags %u", s->tile[0], s->tile[1], s->tile[2], s->tailFirst, s->tailSize, s->flags);
  puts("");
}

static const struct {
  const char *name;
  unsigned width, height, depth, flags, levels;
} shapes[] = {{"1d", 4096, 0, 0, 0, 13},           {"2d", 1024, 1024, 0, 0, 11},         {"2d odd", 300, 200, 0, 0, 9},
              {"2d small", 16, 16, 0, 0, 5},       {"3d", 256, 256, 64, 0, 9},           {"3d small", 8, 8, 8, 0, 4},
              {"3d odd", 100, 60, 20, 0, 7},       {"layered 1d", 4096, 0, 4, 1, 13},    {"layered 2d", 512, 512, 4, 1, 10},
              {"layered small", 16, 16, 3, 1, 5},  {"cube", 256, 256, 6, 4, 9},          {"cubes", 256, 256, 12, 5, 9},
              {"surface 2d", 1024, 1024, 0, 2, 4}, {"surface 3d", 128, 128, 128, 2, 3},  {"gather 2d", 1024, 512, 0, 8, 2},
              {"one level", 2048, 512, 0, 0, 1},   {"wide", 4096, 64, 0, 0, 12},         {"high", 64, 4096, 0, 0, 12}};
static const struct {
  int format;
  unsigned channels;
} formats[] = {{0x20, 1}, {0x01, 1}, {0x01, 2}, {0x03, 4}, {0x02, 4}, {0x10, 1}, {0x91, 1}};

// What arrays of many shapes and elements say of their tiles and of the memory that they need.
static void tileShapes(void) {
  static const unsigned kinds[] = {0x40, 0x80, 0xc0};
  begin();
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      for (int k = 0; k < 3; k++) {
        if (f > 0 && k == 2)
          continue;
        CUDA_ARRAY3D_DESCRIPTOR d = {shapes[i].width, shapes[i].height, shapes[i].depth, formats[f].format, formats[f].channels, shapes[i].flags | kinds[k]};
        sparse s = {{0}, 0, 0, 0, {0}};
        requirements need = {0, 0, {0}};
        CUarray a = 0;
        CUhandle m = 0;
        printf("%s of %#x x %u, flags %#x\n", shapes[i].name, formats[f].format, formats[f].channels, kinds[k]);
        int made = cuArray3DCreate_v2(&a, &d);
        printf("  array -> %d\n", made);
        if (made == 0) {
          int code = cuArrayGetSparseProperties(&s, a);
          printf("  sparse");
          printSparse(code, &s);
          code = cuArrayGetMemoryRequirements(&need, a, 0);
          printf("  needs -> %d, %zu %zu\n", code, code ? 0 : need.size, code ? 0 : need.alignment);
          cuArrayDestroy(a);
        }
        made = cuMipmappedArrayCreate(&m, &d, shapes[i].levels);
        printf("  mipmapped -> %d\n", made);
        if (made == 0) {
          memset(&s, 0, sizeof s);
          int code = cuMipmappedArrayGetSparseProperties(&s, m);
          printf("  sparse");
          printSparse(code, &s);
          code = cuMipmappedArrayGetMemoryRequirements(&need, m, 0);
          printf("  needs -> %d, %zu %zu\n", code, code ? 0 : need.size, code ? 0 : need.alignment);
          for (unsigned l = 0; l < shapes[i].levels && f == 0; l++) {
            int level = cuMipmappedArrayGetLevel(&a, m, l);
            code = level ? 999 : cuArrayGetSparseProperties(&s, a);
            printf("  level %u -> %d, sparse", l, level);
            printSparse(code, &s);
            if (level == 0)
              code = cuArrayGetMemoryRequirements(&need, a, 0), printf("    needs -> %d, %zu %zu\n", code, code ? 0 : need.size, code ? 0 : need.alignment);
          }
          cuMipmappedArrayDestroy(m);
        }
      }
}

static CUhandle object(int surface, CUarray a) {
  CUDA_RESOURCE_DESC r;
  CUDA_TEXTURE_DESC t;
  CUhandle h = 0;
  memset(&r, 0, sizeof r), memset(&t, 0, sizeof t);
  r.words[0] = a;
  t.flags = 1; // read as integers
  int code = surface ? cuSurfObjectCreate(&h, &r) : cuTexObjectCreate(&h, &r, &t, NULL);
  printf("%s -> %d\n", surface ? "surface" : "texture", code);
  return h;
}

// rows copies a row of 1024 elements to or from an array.
static void rows(CUarray a, int *row, size_t y, int to) {
  CUDA_MEMCPY2D c;
  memset(&c, 0, sizeof c);
  c.WidthInBytes = 4096, c.Height = 1;
  if (to)
    c.srcMemoryType = 1, c.srcHost = (uint64_t)row, c.srcPitch = 4096, c.dstMemoryType = 3, c.dstArray = a, c.dstY = y;
  else
    c.dstMemoryType = 1, c.dstHost = (uint64_t)row, c.dstPitch = 4096, c.srcMemoryType = 3, c.srcArray = a, c.srcY = y;
  printf("row %zu %s -> %d\n", y, to ? "written" : "read", (int)cuMemcpy2D_v2(&c));
}

// seen prints what eight threads find through a texture.
static void seen(const char *what, CUhandle h) {
  void *arguments[] = {&memory, &h};
  int v[8];
  cuMemsetD32_v2(memory, 99, 8);
  int code = cuLaunchKernel(fetch, 1, 1, 1, 8, 1, 1, 0, 0, arguments, NULL), end = cuCtxSynchronize();
  printf("%s -> %d, %d:", what, code, end);
  code = cuMemcpyDtoH_v2(v, memory, sizeof v);
  for (int i = 0; i < 8 && code == 0; i++)
    printf(" %d", v[i]);
  printf(" (%d)\n", code);
}

// What kernels and copies find in a sparse array of 1024 x 256 elements, of which tiles are mapped.
static void tileContents(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {1024, 256, 0, 0x20, 1, 0x40}, stored = {1024, 256, 0, 0x20, 1, 0x42};
  CUarray a = 0, b = 0;
  CUhandle h = 0, t;
  int row[1024];
  begin();
  R(cuArray3DCreate_v2(&b, &stored));
  R(cuArray3DCreate_v2(&a, &d));
  t = object(0, a);
  R(cuMemCreate(&h, M, &pool, 0));
  seen("nothing mapped", t);
  R(one(a, 0, 0, 128, 128, h, 0));
  R(one(a, 256, 0, 128, 128, h, 3 * tileBytes));
  R(cuStreamSynchronize(0));
  seen("two tiles", t);
  R(one(a, 384, 0, 128, 128, h, 0)); // the first tile's memory once more
  for (int i = 0; i < 1024; i++)
    row[i] = 5000 + i;
  rows(a, row, 1, 1);
  seen("a row copied", t);
  memset(row, 77, sizeof row);
  rows(a, row, 1, 0);
  for (int i = 0; i < 1024; i += 64)
    printf("%d ", row[i]);
  puts("");
  R(one(a, 0, 0, 128, 128, 0, 0));
  seen("the first unmapped", t);
  R(one(a, 512, 0, 128, 128, h, 0));
  seen("its memory elsewhere", t);
  R(one(a, 256, 0, 128, 128, h, 0)); // over what is mapped
  seen("mapped over", t);
  R(one(a, 0, 0, 1024, 256, h, 0)); // 16 tiles
  seen("all", t);
  R(one(a, 128, 128, 512, 128, h, 0));
  seen("four tiles of the lower half", t);
  R(cuMemRelease(h));
  seen("released", t);
  for (int i = 0; i < 1024; i++)
    row[i] = 7000 + i;
  rows(a, row, 1, 1);
  seen("written", t);
  rows(a, row, 129, 0);
  for (int i = 0; i < 1024; i += 64)
    printf("%d ", row[i]);
  puts("");
  R(one(a, 0, 0, 1024, 256, 0, 0));
  seen("all unmapped", t);
  R(one(a, 0, 0, 1024, 256, 0, 0));
  R(cuArrayDestroy(a));
}

// Which requests are refused.
static void tileErrors(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {1000, 256, 0, 0x20, 1, 0x40}, usual = {1024, 256, 0, 0x20, 1, 0};
  CUarray a = 0, b = 0;
  CUhandle h = 0, p = 0, big = 0;
  CUdeviceptr at = 0;
  CUmemAccessDesc access = {{1, 0}, 3};
  mapInfo list[3];
  CUgraph g = 0;
  CUstream s = 0;
  begin();
  R(cuArray3DCreate_v2(&a, &d));
  R(cuArray3DCreate_v2(&b, &usual));
  R(cuMemCreate(&h, M, &pool, 0));
  R(cuMemCreate(&p, M, &plain, 0));
  R(cuMemCreate(&big, 2 * M, &pool, 0));
  R(one(b, 0, 0, 128, 128, h, 0));
  R(one(a, 0, 0, 128, 128, p, 0));
  R(cuMemAddressReserve(&at, M, 0, 0, 0));
  R(cuMemMap(at, M, 0, h, 0));
  R(cuMemSetAccess(at, M, &access, 1));
  R(cuMemUnmap(at, M));
  R(one(a, 0, 0, 128, 128, h, 4096));
  R(one(a, 0, 0, 128, 128, h, M));
  R(one(a, 0, 0, 128, 128, h, M - tileBytes));
  R(one(a, 0, 0, 1000, 256, h, M - tileBytes));
  R(one(a, 64, 0, 128, 128, h, 0));
  R(one(a, 0, 0, 64, 128, h, 0));
  R(one(a, 0, 0, 0, 0, h, 0));
  R(one(a, 0, 0, 0, 128, h, 0));
  R(one(a, 896, 0, 104, 128, h, 0));
  R(one(a, 896, 0, 128, 128, h, 0));
  R(one(a, 1024, 0, 128, 128, h, 0));
  R(one(a, 0, 256, 128, 128, h, 0));
  list[0] = mapOf(a, h, 0);
  R(cuMemMapArrayAsync(list, 1, 0));
#define TRY(change) \
  do { \
    list[0] = mapOf(a, h, 0), list[0].at.box.width = 128, list[0].at.box.height = 128; \
    change; \
    printf("%s -> %d\n", #change, (int)cuMemMapArrayAsync(list, 1, 0)); \
  } while (0)
  TRY(list[0].at.box.depth = 0);
  TRY(list[0].at.box.depth = 2);
  TRY(list[0].at.box.z = 1);
  TRY(list[0].at.box.layer = 1);
  TRY(list[0].at.box.level = 1);
  TRY(list[0].mask = 0);
  TRY(list[0].mask = 2);
  TRY(list[0].mask = 3);
  TRY(list[0].flags = 1);
  TRY(list[0].reserved[0] = 1);
  TRY(list[0].operation = 0);
  TRY(list[0].operation = 3);
  TRY(list[0].handleType = 1);
  TRY(list[0].operation = 2);
  TRY(list[0].resourceType = 1);
  TRY(list[0].resourceType = 2);
  TRY(list[0].subresourceType = 1);
  TRY(list[0].subresourceType = 2);
  for (int i = 0; i < 3; i++)
    list[i] = mapOf(a, h, i * tileBytes), list[i].at.box.x = 128 * i, list[i].at.box.width = 128, list[i].at.box.height = 128;
  R(cuMemMapArrayAsync(list, 3, 0));
  list[1].offset = 1;
  R(cuMemMapArrayAsync(list, 3, 0));
  R(cuMemMapArrayAsync(list, 0, 0));
  R(cuMemMapArrayAsync(NULL, 0, 0));
  R(cuMemMapArrayAsync(NULL, 1, 0));
  list[1].offset = tileBytes;
  (void)g;
  CUresult cuStreamBeginCapture_v2(CUstream, int), cuStreamEndCapture(CUstream, CUgraph *);
  R(cuStreamCreate(&s, 1));
  R(cuStreamBeginCapture_v2(s, 0));
  R(cuMemMapArrayAsync(list, 1, s));
  R(cuStreamEndCapture(s, &g));
  R(cuMemMapArrayAsync(list, 1, s));
  R(cuStreamSynchronize(s));
  R(cuMemRelease(h));
}

// levels maps the levels and the tail of a mipmapped array and copies through them.
static void tileLevels(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {1024, 512, 0, 0x20, 1, 0x40}, layered = {512, 512, 4, 0x20, 1, 0x41}, cubic = {64, 64, 64, 0x20, 1, 0x40};
  CUhandle m = 0, h = 0, n = 0;
  CUarray a = 0, l = 0;
  sparse s;
  mapInfo k;
  int v[4] = {0};
  begin();
  R(cuMemCreate(&h, 8 * M, &pool, 0));
  R(cuMipmappedArrayCreate(&m, &d, 11));
  V(cuMipmappedArrayGetSparseProperties(&s, m), "tail %u %llu", s.tailFirst, s.tailSize);
  for (unsigned level = 0; level < 11; level++) {
    k = mapOf(m, h, (unsigned long long)level * tileBytes);
    k.resourceType = 1, k.at.box.level = level;
    k.at.box.width = 1024 >> level, k.at.box.height = 512 >> level ? 512 >> level : 1;
    if (k.at.box.width > 128)
      k.at.box.width = 128;
    if (k.at.box.height > 128)
      k.at.box.height = 128;
    printf("level %u -> %d\n", level, (int)cuMemMapArrayAsync(&k, 1, 0));
  }
  memset(&k, 0, sizeof k);
  k.resourceType = 1, k.resource = m, k.subresourceType = 1, k.operation = 1, k.handle = h, k.mask = 1, k.offset = 4 * M;
  k.at.tail.size = s.tailSize;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.tail.offset = tileBytes;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.tail.offset = 0, k.at.tail.layer = 1;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.tail.layer = 0, k.at.tail.size = 2 * s.tailSize;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.tail.size = 4096;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.tail.size = 0;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.tail.size = s.tailSize, k.offset = 4096;
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuStreamSynchronize(0));
  for (unsigned level = 0; level < 11; level++) {
    int code = cuMipmappedArrayGetLevel(&l, m, level);
    v[0] = 100 + level;
    printf("level %u -> %d, %d", level, code, (int)cuMemcpyHtoA_v2(l, 0, v, 4));
    v[0] = 1;
    code = cuMemcpyAtoH_v2(v, l, 0, 4);
    printf(", %d %d\n", code, v[0]);
  }
  k.operation = 2, k.handle = 0, k.offset = 0;
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuStreamSynchronize(0));
  for (unsigned level = 2; level < 11; level++) {
    v[0] = 1;
    int code = cuMipmappedArrayGetLevel(&l, m, level), read = cuMemcpyAtoH_v2(v, l, 0, 4);
    printf("level %u -> %d, %d %d\n", level, code, read, v[0]);
  }
  R(cuMipmappedArrayDestroy(m));
  // layers of an array, and of its tail
  R(cuArray3DCreate_v2(&a, &layered));
  for (unsigned layer = 0; layer < 5; layer++) {
    k = mapOf(a, h, layer * tileBytes), k.at.box.layer = layer, k.at.box.width = 128, k.at.box.height = 128;
    printf("layer %u -> %d\n", layer, (int)cuMemMapArrayAsync(&k, 1, 0));
  }
  k.at.box.layer = 0, k.at.box.z = 1;
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuMipmappedArrayCreate(&n, &layered, 10));
  V(cuMipmappedArrayGetSparseProperties(&s, n), "tail %u %llu flags %u", s.tailFirst, s.tailSize, s.flags);
  memset(&k, 0, sizeof k);
  k.resourceType = 1, k.resource = n, k.subresourceType = 1, k.operation = 1, k.handle = h, k.mask = 1;
  for (unsigned layer = 0; layer < 5; layer++) {
    k.at.tail.layer = layer, k.at.tail.size = s.tailSize, k.offset = layer * s.tailSize;
    printf("tail of layer %u -> %d\n", layer, (int)cuMemMapArrayAsync(&k, 1, 0));
  }
  R(cuMipmappedArrayDestroy(n));
  R(cuArrayDestroy(a));
  // a volume
  R(cuArray3DCreate_v2(&a, &cubic));
  V(cuArrayGetSparseProperties(&s, a), "%ux%ux%u", s.tile[0], s.tile[1], s.tile[2]);
  k = mapOf(a, h, 0), k.at.box.width = s.tile[0], k.at.box.height = s.tile[1], k.at.box.depth = s.tile[2];
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.depth = 1;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.width = 64, k.at.box.height = 64, k.at.box.depth = 64;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.z = s.tile[2], k.at.box.depth = 64 - s.tile[2];
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuStreamSynchronize(0));
  R(cuArrayDestroy(a));
}

// A deferred array before it has memory, with it, and after.
static void deferredUse(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {1024, 256, 0, 0x20, 1, 0x82}, three = {64, 64, 16, 0x20, 1, 0x80}, layered = {64, 64, 3, 0x20, 1, 0x81};
  CUDA_ARRAY3D_DESCRIPTOR back;
  CUarray a = 0, b = 0, l = 0;
  CUhandle m = 0, h = 0, p = 0, t = 0;
  requirements need = {0, 0, {0}};
  mapInfo k;
  int v[4] = {5, 6, 7, 8};
  begin();
  R(cuArray3DCreate_v2(&a, &d));
  V(cuArray3DGetDescriptor_v2(&back, a), "%#x", back.Flags);
  V(cuArrayGetMemoryRequirements(&need, a, 0), "%zu %zu", need.size, need.alignment);
  R(cuMemCreate(&h, M, &pool, 0));
  R(cuMemCreate(&p, M, &plain, 0));
  k = mapOf(a, p, 0);
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.width = 1024, k.at.box.height = 256;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.handle = h;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.depth = 0;
  R(cuMemMapArrayAsync(&k, 1, 0));
  memset(&k.at, 0, sizeof k.at);
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.offset = 4096;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.offset = tileBytes;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.offset = 0, k.at.box.width = 1024;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.width = 0, k.subresourceType = 1;
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuStreamSynchronize(0));
  R(cuMemcpyHtoA_v2(a, 0, v, 16));
  v[0] = 1;
  R(cuMemcpyAtoH_v2(v, a, 0, 16));
  printf("%d\n", v[0]);
  t = object(0, a);
  seen("mapped", t);
  object(1, a);
  R(cuArray3DCreate_v2(&b, &d));
  k = mapOf(b, h, 0), memset(&k.at, 0, sizeof k.at);
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuStreamSynchronize(0));
  v[0] = 1;
  R(cuMemcpyAtoH_v2(v, b, 0, 16));
  printf("alias %d\n", v[0]);
  k.operation = 2, k.handle = 0;
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuStreamSynchronize(0));
  R(cuArray3DCreate_v2(&l, &layered));
  V(cuArrayGetMemoryRequirements(&need, l, 0), "%zu %zu", need.size, need.alignment);
  k = mapOf(l, h, 0), memset(&k.at, 0, sizeof k.at);
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuMemcpyHtoA_v2(l, 0, v, 16));
  R(cuArray3DCreate_v2(&l, &three));
  V(cuArrayGetMemoryRequirements(&need, l, 0), "%zu %zu", need.size, need.alignment);
  k.resource = l;
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuMipmappedArrayCreate(&m, &d, 4));
  V(cuMipmappedArrayGetMemoryRequirements(&need, m, 0), "%zu %zu", need.size, need.alignment);
  k.resourceType = 1, k.resource = m;
  R(cuMipmappedArrayGetLevel(&l, m, 2));
  k.at.box.level = 2;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.level = 9;
  R(cuMemMapArrayAsync(&k, 1, 0));
  k.at.box.level = 0;
  R(cuMemMapArrayAsync(&k, 1, 0));
  R(cuStreamSynchronize(0));
  v[0] = 3;
  R(cuMemcpyHtoA_v2(l, 0, v, 16));
  v[0] = 1;
  R(cuMemcpyAtoH_v2(v, l, 0, 16));
  printf("%d\n", v[0]);
  R(cuMemRelease(h));
  v[0] = 1;
  R(cuMemcpyAtoH_v2(v, l, 0, 16));
  printf("released %d\n", v[0]);
  R(cuMipmappedArrayDestroy(m));
  R(cuArrayDestroy(a));
  R(cuCtxSynchronize());
}

// A deferred array that has no memory yet.
static void deferredTexture(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {1024, 256, 0, 0x20, 1, 0x82};
  CUarray a = 0;
  begin();
  R(cuArray3DCreate_v2(&a, &d));
  object(1, a);
  seen("nothing mapped", object(0, a));
}
static void deferredRead(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {1024, 256, 0, 0x20, 1, 0x80};
  CUarray a = 0;
  int v[4] = {0};
  begin();
  R(cuArray3DCreate_v2(&a, &d));
  R(cuMemcpyAtoH_v2(v, a, 0, 16));
  R(cuCtxSynchronize());
}

CHAPTERS({"tile_shapes", tileShapes}, {"tile_contents", tileContents}, {"tile_errors", tileErrors}, {"tile_levels", tileLevels},
         {"deferred_use", deferredUse}, {"deferred_texture", deferredTexture}, {"deferred_read", deferredRead})
