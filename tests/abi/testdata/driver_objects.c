// Chapters of the driver's interface about arrays, textures and surfaces.
#include "driver_chapters.h"
#include "driver_arrays.h"

static CUcontext context;
static CUdeviceptr memory;
static CUmodule module;

static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .global .texref image;\n.visible .global .surfref page;\n"
    ".visible .entry read(.param .u64 p, .param .u64 t)\n{\n  .reg .u64 %rd<3>; .reg .u32 %r<6>; .reg .s32 %x, %y;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [t]; mov.u32 %x, %tid.x; mov.s32 %y, 1;\n"
    "  tex.2d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%x, %y}]; st.global.u32 [%rd1], %r1; ret;\n}\n";

static void begin(void) {
  if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0) || cuMemAlloc_v2(&memory, 1 << 16) || cuModuleLoadData(&module, ptx))
    puts("not prepared");
}

// ---- references

CUresult cuTexRefSetAddress2D_v3(CUhandle, const CUDA_ARRAY_DESCRIPTOR *, CUdeviceptr, size_t), cuTexRefGetAddress_v2(CUdeviceptr *, CUhandle);
CUresult cuTexRefSetMipmapFilterMode(CUhandle, int), cuTexRefGetMipmapFilterMode(int *, CUhandle), cuTexRefSetMipmapLevelBias(CUhandle, float);
CUresult cuTexRefGetMipmapLevelBias(float *, CUhandle), cuTexRefSetMipmapLevelClamp(CUhandle, float, float), cuTexRefGetMipmapLevelClamp(float *, float *, CUhandle);
CUresult cuTexRefSetMaxAnisotropy(CUhandle, unsigned), cuTexRefGetMaxAnisotropy(int *, CUhandle), cuTexRefSetBorderColor(CUhandle, float *);
CUresult cuTexRefGetBorderColor(float *, CUhandle), cuTexRefSetMipmappedArray(CUhandle, CUhandle, unsigned), cuTexRefGetMipmappedArray(CUhandle *, CUhandle);
CUresult cuSurfRefSetArray(CUhandle, CUarray, unsigned), cuSurfRefGetArray(CUarray *, CUhandle), cuParamSetTexRef(CUfunction, int, CUhandle);

static void references(void) {
  CUDA_ARRAY_DESCRIPTOR d = {64, 16, 0x20, 1};
  CUDA_ARRAY3D_DESCRIPTOR levels = {16, 16, 0, 0x20, 1, 0}, surface = {16, 16, 0, 0x20, 1, 2};
  CUhandle r = 0, s = 0, m = 0;
  CUarray a = 0, b = 0;
  CUdeviceptr p = 0;
  float f = 9, g = 9, color[4] = {1, 2, 3, 4};
  int n = 9, k = 9;
  size_t offset = 9;
  begin();
  R(cuModuleGetTexRef(&r, module, "image"));
  R(cuModuleGetTexRef(&s, module, "none"));
  R(cuModuleGetTexRef(&s, module, "page"));
  R(cuModuleGetTexRef(NULL, module, "image"));
  R(cuModuleGetTexRef(&s, module, NULL));
  V(cuTexRefGetFormat(&n, &k, r), "%#x %d", n, k);
  V(cuTexRefGetFilterMode(&n, r), "%d", n);
  V(cuTexRefGetAddressMode(&n, r, 0), "%d", n);
  V(cuTexRefGetMipmapFilterMode(&n, r), "%d", n);
  V(cuTexRefGetMipmapLevelBias(&f, r), "%g", f);
  V(cuTexRefGetMipmapLevelClamp(&f, &g, r), "%g %g", f, g);
  V(cuTexRefGetMaxAnisotropy(&n, r), "%d", n);
  V(cuTexRefGetBorderColor(color, r), "%g %g %g %g", color[0], color[1], color[2], color[3]);
  R(cuTexRefGetArray(&a, r));
  R(cuTexRefGetMipmappedArray(&m, r));
  R(cuTexRefGetAddress_v2(&p, r));
  R(cuTexRefSetFormat(r, 0x20, 4));
  R(cuTexRefSetFormat(r, 0x99, 1));
  R(cuTexRefSetFormat(r, 0x20, 1));
  R(cuTexRefSetAddressMode(r, 0, 3));
  R(cuTexRefSetAddressMode(r, 3, 0));
  R(cuTexRefSetAddressMode(r, 0, 9));
  R(cuTexRefSetFilterMode(r, 9));
  R(cuTexRefSetFlags(r, 0xff));
  R(cuTexRefSetFlags(r, 1));
  R(cuTexRefSetMipmapFilterMode(r, 1));
  R(cuTexRefSetMipmapFilterMode(r, 9));
  R(cuTexRefSetMipmapLevelBias(r, 1.5f));
  V(cuTexRefGetMipmapLevelBias(&f, r), "%g", f);
  R(cuTexRefSetMipmapLevelClamp(r, 1, 3));
  R(cuTexRefSetMipmapLevelClamp(r, 3, 1));
  V(cuTexRefGetMipmapLevelClamp(&f, &g, r), "%g %g", f, g);
  R(cuTexRefSetMaxAnisotropy(r, 4));
  R(cuTexRefSetMaxAnisotropy(r, 99));
  V(cuTexRefGetMaxAnisotropy(&n, r), "%d", n);
  color[0] = 0.5f;
  R(cuTexRefSetBorderColor(r, color));
  R(cuTexRefSetBorderColor(r, NULL));
  R(cuTexRefSetAddress_v2(&offset, r, memory, 4096));
  printf("offset %zu\n", offset);
  V(cuTexRefGetAddress_v2(&p, r), "same %d", p == memory);
  R(cuTexRefSetAddress_v2(&offset, r, memory + 64, 4096));
  printf("offset %zu\n", offset);
  R(cuTexRefSetAddress_v2(&offset, r, 0, 4096));
  R(cuTexRefSetAddress_v2(&offset, r, memory, (size_t)1 << 40));
  R(cuTexRefSetAddress2D_v3(r, &d, memory, 256));
  R(cuTexRefSetAddress2D_v3(r, &d, memory, 100));
  R(cuTexRefSetAddress2D_v3(r, &d, memory + 4, 256));
  R(cuTexRefSetAddress2D_v3(r, NULL, memory, 256));
  R(cuArrayCreate_v2(&a, &d));
  R(cuTexRefSetArray(r, a, 1));
  V(cuTexRefGetArray(&b, r), "same %d", a == b);
  R(cuTexRefSetArray(r, 0, 1));
  R(cuTexRefGetAddress_v2(&p, r));
  R(cuMipmappedArrayCreate(&m, &levels, 3));
  R(cuTexRefSetMipmappedArray(r, m, 1));
  V(cuTexRefGetMipmappedArray(&s, r), "same %d", s == m);
  R(cuModuleGetSurfRef(&s, module, "page"));
  R(cuModuleGetSurfRef(&m, module, "none"));
  R(cuModuleGetSurfRef(&m, module, "image"));
  R(cuSurfRefGetArray(&b, s));
  R(cuSurfRefSetArray(s, a, 0));
  R(cuSurfRefSetArray(s, 0, 0));
  R(cuArray3DCreate_v2(&b, &surface));
  R(cuSurfRefSetArray(s, b, 1));
  R(cuSurfRefSetArray(s, b, 0));
  V(cuSurfRefGetArray(&a, s), "same %d", a == b);
}

// ---- sparse arrays

CUresult cuArrayGetPlane(CUarray *, CUarray, unsigned);

static mapInfo map;

// tile sets a level's or the tail's place in a map.
static void box(unsigned level, unsigned width, unsigned height, unsigned depth) {
  memset(&map.at, 0, sizeof map.at);
  map.at.level[0] = level, map.at.level[5] = width, map.at.level[6] = height, map.at.level[7] = depth;
}

static void sparseArrays(void) {
  enum { M = 1 << 21 };
  CUDA_ARRAY3D_DESCRIPTOR d = {1024, 1024, 0, 0x20, 1, 0x40};
  CUmemAllocationProp prop = {1, 0, {1, 0}, NULL, {0, 0, 1, 0}};
  CUarray a = 0, b = 0;
  CUhandle h = 0, m = 0;
  sparse s = {{0}, 0, 0, 0, {0}};
  requirements need = {0, 0, {0}};
  int v[4] = {1, 2, 3, 4};
  begin();
  R(cuArray3DCreate_v2(&a, &d));
  V(cuArrayGetSparseProperties(&s, a), "%ux%ux%u tail %u %llu flags %u", s.tile[0], s.tile[1], s.tile[2], s.tailFirst, s.tailSize, s.flags);
  R(cuArrayGetMemoryRequirements(&need, a, 0));
  R(cuMemcpyHtoA_v2(a, 64, v, 16));
  R(cuMemcpyAtoH_v2(v, a, 64, 16));
  printf("%d\n", v[0]);
  R(cuMemCreate(&h, 4 * M, &prop, 0));
  map.resource = a, map.operation = 1, map.handle = h, map.mask = 1;
  box(0, s.tile[0], s.tile[1], s.tile[2]);
  R(cuMemMapArrayAsync(&map, 1, 0));
  R(cuStreamSynchronize(0));
  v[0] = 7;
  R(cuMemcpyHtoA_v2(a, 64, v, 16));
  v[0] = 1;
  R(cuMemcpyAtoH_v2(v, a, 64, 16));
  printf("%d\n", v[0]);
  v[0] = 9;
  R(cuMemcpyHtoA_v2(a, 1024, v, 16));
  R(cuMemcpyAtoH_v2(v, a, 1024, 16));
  printf("%d\n", v[0]);
  map.flags = 1;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.flags = 0, map.mask = 0;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.mask = 2;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.mask = 1, map.operation = 9;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.operation = 1, map.at.level[2] = 1;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.level[2] = 0, map.at.level[1] = 5;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.level[1] = 0, map.offset = 1;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.offset = 4 * M;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.offset = 0, map.at.level[5] = 2048;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.level[5] = 100;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.level[5] = 128, map.at.level[0] = 1;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.level[0] = 0, map.resourceType = 9;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.resourceType = 0, map.subresourceType = 9;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.subresourceType = 1, map.at.tail.size = 65536;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.subresourceType = 0;
  box(0, 1024, 1024, 1);
  R(cuMemMapArrayAsync(&map, 1, 0));
  R(cuMemcpyHtoA_v2(a, 1024, v, 16));
  map.operation = 2, map.handle = 0;
  box(0, s.tile[0], s.tile[1], s.tile[2]);
  R(cuMemMapArrayAsync(&map, 1, 0));
  R(cuMemMapArrayAsync(NULL, 1, 0));
  R(cuMemMapArrayAsync(&map, 0, 0));
  R(cuStreamSynchronize(0));
  v[0] = 5;
  R(cuMemcpyAtoH_v2(v, a, 64, 16));
  printf("%d\n", v[0]);
  R(cuMemRelease(h));
  R(cuArrayDestroy(a));
  d.Height = 0;
  R(cuArray3DCreate_v2(&b, &d));
  d.Height = 1024, d.Depth = 4;
  R(cuArray3DCreate_v2(&b, &d));
  V(cuArrayGetSparseProperties(&s, b), "%ux%ux%u tail %u %llu flags %u", s.tile[0], s.tile[1], s.tile[2], s.tailFirst, s.tailSize, s.flags);
  d.Depth = 0;
  R(cuMipmappedArrayCreate(&m, &d, 11));
  V(cuMipmappedArrayGetSparseProperties(&s, m), "%ux%ux%u tail %u %llu flags %u", s.tile[0], s.tile[1], s.tile[2], s.tailFirst, s.tailSize, s.flags);
  R(cuMipmappedArrayGetMemoryRequirements(&need, m, 0));
  R(cuMemCreate(&h, 8 * M, &prop, 0));
  map.resourceType = 1, map.resource = m, map.operation = 1, map.handle = h;
  box(0, 1024, 1024, 1);
  R(cuMemMapArrayAsync(&map, 1, 0));
  box(1, 512, 512, 1);
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.level[0] = 9;
  R(cuMemMapArrayAsync(&map, 1, 0));
  memset(&map.at, 0, sizeof map.at);
  map.subresourceType = 1, map.at.tail.size = s.tailSize, map.offset = 4 * M;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.tail.size = 2 * s.tailSize;
  R(cuMemMapArrayAsync(&map, 1, 0));
  map.at.tail.size = 1;
  R(cuMemMapArrayAsync(&map, 1, 0));
  R(cuCtxSynchronize());
  R(cuMipmappedArrayDestroy(m));
}

static void deferredArrays(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {1024, 1024, 0, 0x20, 1, 0x80};
  CUmemAllocationProp prop = {1, 0, {1, 0}, NULL, {0, 0, 1, 0}};
  CUarray a = 0;
  CUhandle h = 0;
  sparse s;
  requirements need = {0, 0, {0}};
  int v[4] = {7, 2, 3, 4};
  begin();
  R(cuArray3DCreate_v2(&a, &d));
  R(cuArrayGetSparseProperties(&s, a));
  V(cuArrayGetMemoryRequirements(&need, a, 0), "%zu %zu", need.size, need.alignment);
  R(cuMemCreate(&h, need.size, &prop, 0));
  map.resource = a, map.operation = 1, map.handle = h, map.mask = 1;
  box(0, 128, 128, 1);
  R(cuMemMapArrayAsync(&map, 1, 0));
  box(0, 1024, 1024, 1);
  R(cuMemMapArrayAsync(&map, 1, 0));
  box(0, 0, 0, 0);
  R(cuMemMapArrayAsync(&map, 1, 0));
  R(cuStreamSynchronize(0));
  R(cuMemcpyHtoA_v2(a, 64, v, 16));
  v[0] = 1;
  R(cuMemcpyAtoH_v2(v, a, 64, 16));
  printf("%d\n", v[0]);
  R(cuMemRelease(h));
  R(cuArrayDestroy(a));
}

static void properties(void) {
  CUDA_ARRAY3D_DESCRIPTOR d = {256, 256, 0, 0x20, 1, 0};
  CUarray a, b;
  CUhandle m;
  sparse s;
  requirements need = {0, 0, {0}};
  begin();
  R(cuArray3DCreate_v2(&a, &d));
  R(cuArrayGetSparseProperties(&s, a));
  R(cuArrayGetSparseProperties(NULL, a));
  R(cuArrayGetMemoryRequirements(&need, a, 0));
  R(cuArrayGetMemoryRequirements(&need, a, 99));
  R(cuArrayGetPlane(&b, a, 0));
  R(cuArrayGetPlane(&b, a, 1));
  R(cuMipmappedArrayCreate(&m, &d, 4));
  R(cuMipmappedArrayGetSparseProperties(&s, m));
  R(cuMipmappedArrayGetMemoryRequirements(&need, m, 0));
  R(cuMipmappedArrayDestroy(m));
}

// ---- tensor maps

CUresult cuTensorMapEncodeIm2col(CUtensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const int *, const int *, uint32_t, uint32_t,
                                 const uint32_t *, int, int, int, int);
CUresult cuTensorMapReplaceAddress(CUtensorMap *, void *);

static void tensorMaps(void) {
  static CUtensorMap map __attribute__((aligned(64)));
  uint64_t dims[] = {64, 64, 8, 4, 2}, strides[] = {256, 16384, 131072, 524288};
  uint32_t box[] = {16, 16, 4, 2, 1}, steps[] = {1, 1, 1, 1, 1};
  int low[] = {0, 0, 0}, high[] = {0, 0, 0};
  void *at = (void *)memory;
  begin();
  at = (void *)memory;
  for (uint32_t rank = 0; rank <= 6; rank++) {
    printf("rank %u\n", rank);
    R(cuTensorMapEncodeTiled(&map, 7, rank, at, dims, strides, box, steps, 0, 0, 0, 0));
  }
  for (int type = 0; type <= 16; type++) {
    printf("type %d\n", type);
    R(cuTensorMapEncodeTiled(&map, type, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  }
  for (int inter = 0; inter <= 3; inter++)
    for (int swizzle = 0; swizzle <= 8; swizzle++) {
      printf("interleave %d, swizzle %d\n", inter, swizzle);
      R(cuTensorMapEncodeTiled(&map, 7, 3, at, dims, strides, box, steps, inter, swizzle, 0, 0));
    }
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 4, 0));
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 3, 0));
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 1));
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 2));
  box[0] = 257;
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  box[0] = 0;
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  box[0] = 16, steps[0] = 9;
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  steps[0] = 1, strides[0] = 8;
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  strides[0] = 256, dims[0] = 0;
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  dims[0] = (uint64_t)1 << 33;
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  dims[0] = 64;
  R(cuTensorMapEncodeTiled(&map, 7, 2, NULL, dims, strides, box, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, NULL, strides, box, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, NULL, box, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeTiled((CUtensorMap *)((char *)&map + 8), 7, 1, at, dims, strides, box, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeTiled(&map, 7, 2, at, dims, strides, box, steps, 0, 0, 0, 0));
  R(cuTensorMapReplaceAddress(&map, (char *)at + 256));
  R(cuTensorMapReplaceAddress(&map, (char *)at + 4));
  R(cuTensorMapReplaceAddress(&map, NULL));
  R(cuTensorMapEncodeIm2col(&map, 7, 4, at, dims, strides, low, high, 16, 32, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeIm2col(&map, 7, 2, at, dims, strides, low, high, 16, 32, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeIm2col(&map, 7, 4, at, dims, strides, low, high, 512, 32, steps, 0, 0, 0, 0));
  R(cuTensorMapEncodeIm2col(&map, 7, 4, at, dims, strides, low, high, 16, 4096, steps, 0, 0, 0, 0));
}

CHAPTERS({"references", references}, {"sparse", sparseArrays}, {"deferred", deferredArrays}, {"properties", properties},
         {"tensor_maps", tensorMaps})
