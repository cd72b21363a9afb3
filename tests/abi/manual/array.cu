#include "manual.h"

static cudaChannelFormatDesc channel(int x, int y, int z, int w, int kind) {
  return cudaCreateChannelDesc(x, y, z, w, (cudaChannelFormatKind)kind);
}

static void info(cudaArray_t a) {
  cudaChannelFormatDesc d;
  cudaExtent e;
  unsigned f = 99;
  memset(&d, 0xff, sizeof d);
  memset(&e, 0xff, sizeof e);
  int code = cudaArrayGetInfo(&d, &e, &f, a);
  V("info: %d, %d %d %d %d kind %d, %zu x %zu x %zu, flags %#x", code, d.x, d.y, d.z, d.w, d.f, e.width, e.height, e.depth, f);
}

CHAPTER(array_formats) {
  static const int bits[][4] = {{8, 0, 0, 0},     {8, 8, 0, 0},    {8, 8, 8, 0},     {8, 8, 8, 8},   {16, 0, 0, 0},
                                {16, 16, 16, 16}, {32, 0, 0, 0},   {32, 32, 0, 0},   {32, 32, 32, 0}, {32, 32, 32, 32},
                                {64, 0, 0, 0},    {8, 16, 0, 0},   {4, 0, 0, 0},     {0, 0, 0, 0},   {0, 8, 0, 0},
                                {24, 0, 0, 0},    {32, 32, 32, 8}, {16, 16, 0, 0}};
  for (auto b : bits)
    for (int kind = 0; kind < 5; kind++) {
      cudaChannelFormatDesc d = channel(b[0], b[1], b[2], b[3], kind);
      cudaArray_t a = nullptr;
      int e = cudaMallocArray(&a, &d, 16, 16);
      V("%d %d %d %d, kind %d: %d", b[0], b[1], b[2], b[3], kind, e);
      if (e == 0) cudaFreeArray(a);
    }
  cudaGetLastError();
}

CHAPTER(array_shapes) {
  cudaChannelFormatDesc d = channel(32, 0, 0, 0, cudaChannelFormatKindFloat);
  static const size_t extents[][3] = {{16, 0, 0}, {16, 8, 0}, {16, 8, 4}, {16, 16, 6}, {16, 16, 12}, {16, 16, 7}, {16, 0, 4},
                                      {0, 0, 0}, {0, 8, 0}, {16, 8, 1}, {131072, 0, 0}, {131073, 0, 0}, {131072, 1, 0},
                                      {131073, 1, 0}, {16384, 1, 1}, {16385, 1, 1}, {32768, 1, 3}, {32769, 1, 3}, {16, 16, 2046}, {16, 16, 2049}};
  for (auto x : extents)
    for (unsigned flags = 0; flags < 16; flags++) {
      cudaArray_t a = nullptr;
      int e = cudaMalloc3DArray(&a, &d, make_cudaExtent(x[0], x[1], x[2]), flags);
      V("%zu x %zu x %zu, flags %u: %d", x[0], x[1], x[2], flags, e);
      if (e == 0) cudaFreeArray(a);
    }
  cudaGetLastError();
  cudaArray_t a = nullptr;
  C(cudaMallocArray(&a, &d, 16, 8, cudaArraySurfaceLoadStore));
  info(a);
  cudaChannelFormatDesc got;
  C(cudaGetChannelDesc(&got, a));
  V("%d %d %d %d %d", got.x, got.y, got.z, got.w, got.f);
  C(cudaGetChannelDesc(nullptr, a));
  C(cudaArrayGetInfo(nullptr, nullptr, nullptr, a));
  cudaArray_t plane = nullptr;
  C(cudaArrayGetPlane(&plane, a, 0));
  C(cudaArrayGetPlane(&plane, a, 1));
  C(cudaArrayGetPlane(nullptr, a, 0));
  cudaArraySparseProperties s;
  C(cudaArrayGetSparseProperties(&s, a));
  C(cudaArrayGetSparseProperties(nullptr, a));
  C(cudaFreeArray(a));
  C(cudaFreeArray(nullptr));
  C(cudaMallocArray(nullptr, &d, 16, 8));
  C(cudaMallocArray(&a, nullptr, 16, 8));
  C(cudaMallocArray(&a, &d, 16, 8, 0x100));
  C(cudaMallocArray(&a, &d, 16, 8, cudaArrayDeferredMapping));
  cudaArrayMemoryRequirements r;
  C(cudaArrayGetMemoryRequirements(&r, a, 0));
  V("%zu, %zu", r.size, r.alignment);
  C(cudaFreeArray(a));
  C(cudaMallocArray(&a, &d, 1024, 1024, cudaArraySparse));
  memset(&s, 0, sizeof s);
  C(cudaArrayGetSparseProperties(&s, a));
  V("%u x %u x %u, tail from %u, %llu bytes, flags %u", s.tileExtent.width, s.tileExtent.height, s.tileExtent.depth, s.miptailFirstLevel,
    s.miptailSize, s.flags);
  C(cudaArrayGetMemoryRequirements(&r, a, 0));
  V("%zu, %zu", r.size, r.alignment);
  C(cudaFreeArray(a));
  C(cudaMallocArray(&a, &d, 1024, 1024));
  C(cudaArrayGetMemoryRequirements(&r, a, 0));
  C(cudaArrayGetMemoryRequirements(nullptr, a, 0));
  C(cudaArrayGetMemoryRequirements(&r, a, 7));
  C(cudaFreeArray(a));
}

CHAPTER(array_mipmaps) {
  cudaChannelFormatDesc d = channel(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  cudaMipmappedArray_t m = nullptr;
  cudaArray_t level = nullptr;
  C(cudaMallocMipmappedArray(&m, &d, make_cudaExtent(64, 32, 0), 4));
  for (unsigned i = 0; i < 8; i++) {
    int e = cudaGetMipmappedArrayLevel(&level, m, i);
    V("level %u: %d", i, e);
    if (e == 0) info(level);
  }
  C(cudaGetMipmappedArrayLevel(nullptr, m, 0));
  C(cudaFreeMipmappedArray(m));
  C(cudaFreeMipmappedArray(nullptr));
  for (unsigned levels : {0u, 1u, 6u, 7u, 8u, 20u, 40u}) {
    m = nullptr;
    int e = cudaMallocMipmappedArray(&m, &d, make_cudaExtent(64, 32, 0), levels);
    V("%u levels: %d", levels, e);
    if (e) continue;
    for (unsigned i = 5; i < 10; i++) {
      e = cudaGetMipmappedArrayLevel(&level, m, i);
      V("level %u: %d", i, e);
      if (e == 0) info(level);
    }
    cudaFreeMipmappedArray(m);
  }
  cudaGetLastError();
  static const size_t extents[][3] = {{64, 0, 0}, {64, 64, 0}, {64, 32, 16}, {64, 64, 6}, {64, 0, 5}, {64, 32, 5}, {16385, 0, 0}, {32769, 4, 0}, {0, 0, 0}};
  for (auto x : extents)
    for (unsigned flags : {0u, 1u, 2u, 4u, 5u, 8u}) {
      m = nullptr;
      int e = cudaMallocMipmappedArray(&m, &d, make_cudaExtent(x[0], x[1], x[2]), 3, flags);
      V("%zu x %zu x %zu, flags %u: %d", x[0], x[1], x[2], flags, e);
      if (e) continue;
      cudaGetMipmappedArrayLevel(&level, m, 2);
      info(level);
      cudaFreeMipmappedArray(m);
    }
  cudaGetLastError();
  C(cudaMallocMipmappedArray(nullptr, &d, make_cudaExtent(64, 32, 0), 4));
  C(cudaMallocMipmappedArray(&m, nullptr, make_cudaExtent(64, 32, 0), 4));
  C(cudaMallocMipmappedArray(&m, &d, make_cudaExtent(64, 32, 0), 4));
  cudaArraySparseProperties s;
  cudaArrayMemoryRequirements r;
  C(cudaMipmappedArrayGetSparseProperties(&s, m));
  C(cudaMipmappedArrayGetMemoryRequirements(&r, m, 0));
  C(cudaGetMipmappedArrayLevel(&level, m, 1));
  unsigned char host[32 * 16 * 4];
  for (int i = 0; i < (int)sizeof host; i++) host[i] = i;
  C(cudaMemcpy2DToArray(level, 0, 0, host, 128, 128, 16, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(level, 0, 0, host, 128, 128, 17, cudaMemcpyHostToDevice));
  memset(host, 0, sizeof host);
  C(cudaMemcpy2DFromArray(host, 128, level, 0, 0, 128, 16, cudaMemcpyDeviceToHost));
  V("%d %d", host[1], host[2047]);
  C(cudaFreeArray(level));
  C(cudaFreeMipmappedArray(m));
}

CHAPTER(array_copies) {
  cudaChannelFormatDesc d = channel(16, 16, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t a, b, one, cube;
  C(cudaMallocArray(&a, &d, 20, 10));
  C(cudaMallocArray(&b, &d, 20, 10));
  C(cudaMallocArray(&one, &d, 100));
  C(cudaMalloc3DArray(&cube, &d, make_cudaExtent(20, 10, 4)));
  unsigned char host[8000], back[8000];
  for (int i = 0; i < 8000; i++) host[i] = i * 7;
  auto tell = [&](const char *what, cudaArray_t from) {
    memset(back, 0, sizeof back);
    int e = cudaMemcpy2DFromArray(back, 80, from, 0, 0, 80, 10, cudaMemcpyDeviceToHost);
    unsigned long long s = 0;
    for (int i = 0; i < 800; i++) s += (i % 13 + 1) * back[i];
    V("%s: %d, %llu", what, e, s);
  };
  C(cudaMemcpy2DToArray(a, 0, 0, host, 80, 80, 10, cudaMemcpyHostToDevice));
  tell("a", a);
  C(cudaMemcpy2DToArray(a, 0, 0, host, 79, 80, 10, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(a, 4, 2, host, 40, 40, 5, cudaMemcpyHostToDevice));
  tell("a", a);
  C(cudaMemcpy2DToArray(a, 3, 2, host, 40, 40, 5, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(a, 0, 0, host, 80, 81, 1, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(a, 0, 0, host, 84, 84, 1, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(a, 0, 0, host, 80, 80, 11, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(a, 0, 10, host, 80, 80, 1, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(a, 0, 0, host, 80, 0, 1, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArray(a, 0, 0, host, 80, 80, 10, cudaMemcpyDeviceToHost));
  C(cudaMemcpy2DToArray(a, 0, 0, host, 80, 80, 10, cudaMemcpyDeviceToDevice));
  C(cudaMemcpy2DToArray(a, 0, 0, host, 80, 80, 10, (cudaMemcpyKind)9));
  C(cudaMemcpy2DToArray(nullptr, 0, 0, host, 80, 80, 10, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DToArrayAsync(a, 0, 0, host, 80, 40, 3, cudaMemcpyDefault, 0));
  C(cudaDeviceSynchronize());
  C(cudaMemcpy2DFromArray(back, 79, a, 0, 0, 80, 10, cudaMemcpyDeviceToHost));
  C(cudaMemcpy2DFromArray(back, 80, a, 0, 0, 80, 10, cudaMemcpyHostToDevice));
  C(cudaMemcpy2DFromArrayAsync(back, 80, a, 8, 0, 8, 3, cudaMemcpyDeviceToHost, 0));
  C(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 80, 10));
  tell("b", b);
  C(cudaMemcpy2DArrayToArray(b, 8, 4, a, 4, 2, 20, 3, cudaMemcpyDeviceToDevice));
  tell("b", b);
  C(cudaMemcpy2DArrayToArray(b, 8, 4, a, 4, 2, 80, 3, cudaMemcpyDeviceToDevice));
  C(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 80, 10, cudaMemcpyHostToDevice));
  C(cudaMemcpyToArray(a, 0, 0, host, 800, cudaMemcpyHostToDevice));
  tell("a", a);
  C(cudaMemcpyToArray(a, 8, 1, host + 5, 200, cudaMemcpyHostToDevice));
  tell("a", a);
  C(cudaMemcpyToArray(a, 8, 1, host, 800, cudaMemcpyHostToDevice));
  C(cudaMemcpyToArray(one, 4, 0, host, 100, cudaMemcpyHostToDevice));
  C(cudaMemcpyToArray(one, 4, 0, host, 400, cudaMemcpyHostToDevice));
  C(cudaMemcpyFromArray(back, a, 8, 1, 200, cudaMemcpyDeviceToHost));
  V("%d %d %d", back[100], back[150], back[199]);
  C(cudaMemcpyFromArrayAsync(back, one, 4, 0, 100, cudaMemcpyDeviceToHost, 0));
  C(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, 400));
  tell("b", b);
  C(cudaMemcpyToArrayAsync(a, 0, 0, host, 100, cudaMemcpyHostToDevice, 0));
  C(cudaDeviceSynchronize());
  cudaMemcpy3DParms p;
  memset(&p, 0, sizeof p);
  p.srcPtr = make_cudaPitchedPtr(host, 80, 80, 10);
  p.dstArray = cube;
  p.extent = make_cudaExtent(20, 10, 4);
  p.kind = cudaMemcpyHostToDevice;
  C(cudaMemcpy3D(&p));
  p.extent.width = 21;
  C(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(20, 10, 5);
  C(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(5, 5, 2);
  p.dstPos = make_cudaPos(15, 5, 2);
  C(cudaMemcpy3D(&p));
  p.dstPos = make_cudaPos(16, 5, 2);
  C(cudaMemcpy3D(&p));
  memset(&p, 0, sizeof p);
  p.srcArray = cube;
  p.dstArray = a;
  p.extent = make_cudaExtent(20, 10, 1);
  p.srcPos = make_cudaPos(0, 0, 2);
  p.kind = cudaMemcpyDeviceToDevice;
  C(cudaMemcpy3D(&p));
  tell("a", a);
  p.dstPtr = make_cudaPitchedPtr(back, 80, 80, 10);
  C(cudaMemcpy3D(&p));
  p.dstArray = nullptr;
  p.kind = cudaMemcpyDeviceToHost;
  C(cudaMemcpy3D(&p));
  V("%d", back[0]);
}

#if CUDART_VERSION >= 12000
#define DESC(t) cudaTextureDesc t
#endif

CHAPTER(array_objects) {
  cudaChannelFormatDesc f = channel(32, 0, 0, 0, cudaChannelFormatKindFloat), u = channel(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t a, s;
  float *linear;
  C(cudaMallocArray(&a, &f, 16, 16));
  C(cudaMallocArray(&s, &u, 16, 16, cudaArraySurfaceLoadStore));
  C(cudaMalloc(&linear, 1 << 20));
  cudaResourceDesc r;
  cudaTextureDesc t;
  cudaResourceViewDesc v;
  memset(&r, 0, sizeof r);
  memset(&t, 0, sizeof t);
  memset(&v, 0, sizeof v);
  cudaTextureObject_t x = 0;
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  cudaResourceDesc got;
  memset(&got, 0, sizeof got);
  C(cudaGetTextureObjectResourceDesc(&got, x));
  V("type %d, array %d", got.resType, got.res.array.array == a);
  cudaTextureDesc gt;
  memset(&gt, 0xff, sizeof gt);
  C(cudaGetTextureObjectTextureDesc(&gt, x));
  V("address %d %d %d, filter %d, read %d, normalized %d, anisotropy %u, mip %d", gt.addressMode[0], gt.addressMode[1], gt.addressMode[2],
    gt.filterMode, gt.readMode, gt.normalizedCoords, gt.maxAnisotropy, gt.mipmapFilterMode);
  C(cudaGetTextureObjectResourceViewDesc(&v, x));
  C(cudaGetTextureObjectResourceDesc(nullptr, x));
  C(cudaDestroyTextureObject(x));
  C(cudaDestroyTextureObject(0));
  for (int mode = 0; mode < 5; mode++)
    for (int normalized = 0; normalized < 2; normalized++) {
      t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = (cudaTextureAddressMode)mode;
      t.normalizedCoords = normalized;
      int e = cudaCreateTextureObject(&x, &r, &t, nullptr);
      gt.addressMode[0] = (cudaTextureAddressMode)9;
      if (e == 0) cudaGetTextureObjectTextureDesc(&gt, x);
      V("address %d, normalized %d: %d, %d", mode, normalized, e, gt.addressMode[0]);
      if (e == 0) cudaDestroyTextureObject(x);
    }
  memset(&t, 0, sizeof t);
  t.filterMode = (cudaTextureFilterMode)2;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.filterMode = cudaFilterModeLinear;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.readMode = cudaReadModeNormalizedFloat;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.array.array = s;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.readMode = cudaReadModeElementType;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.filterMode = cudaFilterModePoint;
  t.sRGB = 1;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.sRGB = 0;
  t.maxAnisotropy = 99;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.maxAnisotropy = 0;
  r.res.array.array = nullptr;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  C(cudaCreateTextureObject(&x, nullptr, &t, nullptr));
  C(cudaCreateTextureObject(nullptr, &r, &t, nullptr));
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = linear;
  r.res.linear.desc = f;
  r.res.linear.sizeInBytes = 4096;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.filterMode = cudaFilterModeLinear;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.filterMode = cudaFilterModePoint;
  t.normalizedCoords = 1;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.normalizedCoords = 0;
  r.res.linear.devPtr = (char *)linear + 16;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.linear.devPtr = (char *)linear + 512;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.linear.sizeInBytes = 0;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.linear.sizeInBytes = (size_t)1 << 31;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.linear.sizeInBytes = 4096;
  C(cudaCreateTextureObject(&x, &r, &t, &v));
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = linear;
  r.res.pitch2D.desc = f;
  r.res.pitch2D.width = 30;
  r.res.pitch2D.height = 20;
  r.res.pitch2D.pitchInBytes = 512;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.filterMode = cudaFilterModeLinear;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.normalizedCoords = 1;
  t.addressMode[0] = cudaAddressModeWrap;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.pitch2D.pitchInBytes = 500;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.pitch2D.pitchInBytes = 100;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.pitch2D.pitchInBytes = 512;
  r.res.pitch2D.width = 131073;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.resType = (cudaResourceType)7;
  C(cudaCreateTextureObject(&x, &r, &t, nullptr));
  memset(&r, 0, sizeof r);
  memset(&t, 0, sizeof t);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  v.format = cudaResViewFormatFloat1;
  v.width = v.height = 16;
  C(cudaCreateTextureObject(&x, &r, &t, &v));
  v.format = cudaResViewFormatUnsignedInt1;
  C(cudaCreateTextureObject(&x, &r, &t, &v));
  v.format = cudaResViewFormatUnsignedChar4;
  C(cudaCreateTextureObject(&x, &r, &t, &v));
  v.format = cudaResViewFormatUnsignedChar1;
  C(cudaCreateTextureObject(&x, &r, &t, &v));
  v.format = cudaResViewFormatUnsignedInt1;
  v.width = 8;
  C(cudaCreateTextureObject(&x, &r, &t, &v));
  cudaSurfaceObject_t o;
  C(cudaCreateSurfaceObject(&o, &r));
  r.res.array.array = s;
  C(cudaCreateSurfaceObject(&o, &r));
  C(cudaGetSurfaceObjectResourceDesc(&got, o));
  V("type %d, array %d", got.resType, got.res.array.array == s);
  C(cudaDestroySurfaceObject(o));
  C(cudaDestroySurfaceObject(0));
  r.resType = cudaResourceTypeLinear;
  C(cudaCreateSurfaceObject(&o, &r));
  C(cudaCreateSurfaceObject(&o, nullptr));
  C(cudaCreateSurfaceObject(nullptr, &r));
}

// Views of arrays: another format of the same size, some of the levels or layers.
static int view(cudaArray_t a, cudaMipmappedArray_t m, int format, size_t w, size_t h, size_t d, unsigned level, unsigned last, unsigned layer, unsigned layers) {
  cudaResourceDesc r;
  cudaTextureDesc t;
  cudaResourceViewDesc v;
  memset(&r, 0, sizeof r);
  memset(&t, 0, sizeof t);
  memset(&v, 0, sizeof v);
  r.resType = m ? cudaResourceTypeMipmappedArray : cudaResourceTypeArray;
  if (m) r.res.mipmap.mipmap = m;
  else r.res.array.array = a;
  t.normalizedCoords = 1;
  v.format = (cudaResourceViewFormat)format;
  v.width = w;
  v.height = h;
  v.depth = d;
  v.firstMipmapLevel = level;
  v.lastMipmapLevel = last;
  v.firstLayer = layer;
  v.lastLayer = layers;
  cudaTextureObject_t x = 0;
  int e = cudaCreateTextureObject(&x, &r, &t, &v);
  cudaGetLastError();
  if (e == 0) cudaDestroyTextureObject(x);
  return e;
}

CHAPTER(array_views) {
  cudaChannelFormatDesc u4 = channel(8, 8, 8, 8, cudaChannelFormatKindUnsigned), u2 = channel(32, 32, 0, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t a, b, c;
  cudaMipmappedArray_t m;
  C(cudaMallocArray(&a, &u4, 16, 8));
  C(cudaMallocArray(&b, &u2, 16, 8));
  C(cudaMalloc3DArray(&c, &u4, make_cudaExtent(16, 8, 5), cudaArrayLayered));
  C(cudaMallocMipmappedArray(&m, &u4, make_cudaExtent(16, 8, 0), 4));
  for (int f = 0; f < 36; f++)
    V("format %d: %d %d %d %d", f, view(a, nullptr, f, 16, 8, 0, 0, 0, 0, 0), view(b, nullptr, f, 16, 8, 0, 0, 0, 0, 0),
      view(b, nullptr, f, 64, 32, 0, 0, 0, 0, 0), view(nullptr, m, f, 16, 8, 0, 0, 3, 0, 0));
  V("size %d %d %d", view(a, nullptr, 3, 8, 8, 0, 0, 0, 0, 0), view(a, nullptr, 3, 0, 0, 0, 0, 0, 0, 0), view(a, nullptr, 3, 16, 8, 1, 0, 0, 0, 0));
  for (unsigned first = 0; first < 5; first++)
    for (unsigned last = 0; last < 6; last++)
      V("levels %u to %u: %d %d %d", first, last, view(nullptr, m, 3, 16, 8, 0, first, last, 0, 0), view(nullptr, m, 3, 16 >> first, 8 >> first, 0, first, last, 0, 0),
        view(nullptr, m, 0, 0, 0, 0, first, last, 0, 0));
  for (unsigned first = 0; first < 6; first++)
    for (unsigned last = 0; last < 7; last++)
      V("layers %u to %u: %d %d", first, last, view(c, nullptr, 3, 16, 8, 5, 0, 0, first, last), view(c, nullptr, 3, 16, 8, 0, 0, 0, first, last));
}

#if CUDART_VERSION >= 12000
// Formats that come in blocks: what an array of 16 x 8 elements takes.
CHAPTER(array_blocks) {
  for (int kind = 5; kind < 34; kind++)
    for (int shape = 0; shape < 7; shape++) {
      static const int bits[][4] = {{8, 0, 0, 0}, {8, 8, 0, 0}, {8, 8, 8, 0}, {8, 8, 8, 8}, {16, 0, 0, 0}, {16, 16, 16, 0}, {16, 16, 16, 16}};
      cudaChannelFormatDesc d = channel(bits[shape][0], bits[shape][1], bits[shape][2], bits[shape][3], kind);
      cudaArray_t a = nullptr;
      int e = cudaMallocArray(&a, &d, 16, 8);
      if (e) {
        V("kind %d, bits %d: %d", kind, shape, e);
        continue;
      }
      static char host[1024];
      size_t widest = 0, highest = 0;
      for (size_t w = 1; w <= 512; w++)
        if (cudaMemcpy2DToArray(a, 0, 0, host, 512, w, 1, cudaMemcpyHostToDevice) == cudaSuccess) widest = w;
      for (size_t h = 1; h <= 64; h++)
        if (cudaMemcpy2DToArray(a, 0, 0, host, 16, 8, h, cudaMemcpyHostToDevice) == cudaSuccess) highest = h;
      cudaGetLastError();
      V("kind %d, bits %d: 0, %zu bytes in %zu rows", kind, shape, widest, highest);
      info(a);
      cudaFreeArray(a);
    }
  cudaArray_t odd = nullptr;
  cudaChannelFormatDesc d = channel(8, 8, 8, 8, 17);
  C(cudaMallocArray(&odd, &d, 6, 6));
}
#endif
