// Chapters of the driver's interface of CUDA 3.1 and before: device addresses and sizes have 32 bits.
#include "driver_chapters.h"

typedef unsigned address32;
typedef struct {
  unsigned Width, Height;
  int Format;
  unsigned NumChannels;
} shape;
typedef struct {
  unsigned Width, Height, Depth;
  int Format;
  unsigned NumChannels, Flags;
} shape3;
typedef struct {
  unsigned srcXInBytes, srcY;
  int srcMemoryType;
  const void *srcHost;
  address32 srcDevice;
  CUarray srcArray;
  unsigned srcPitch, dstXInBytes, dstY;
  int dstMemoryType;
  void *dstHost;
  address32 dstDevice;
  CUarray dstArray;
  unsigned dstPitch, WidthInBytes, Height;
} copy2;
typedef struct {
  unsigned srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  address32 srcDevice;
  CUarray srcArray;
  void *reserved0;
  unsigned srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  address32 dstDevice;
  CUarray dstArray;
  void *reserved1;
  unsigned dstPitch, dstHeight, WidthInBytes, Height, Depth;
} copy3;

CUresult cuCtxCreate(CUcontext *, unsigned, CUdevice), cuDeviceTotalMem(unsigned *, CUdevice), cuMemGetInfo(unsigned *, unsigned *);
CUresult cuMemAlloc(address32 *, unsigned), cuMemAllocPitch(address32 *, unsigned *, unsigned, unsigned, unsigned), cuMemFree(address32);
CUresult cuMemGetAddressRange(address32 *, unsigned *, address32), cuMemAllocHost(void **, unsigned);
CUresult cuMemHostGetDevicePointer(address32 *, void *, unsigned), cuMemcpyHtoD(address32, const void *, unsigned);
CUresult cuMemcpyDtoH(void *, address32, unsigned), cuMemcpyDtoD(address32, address32, unsigned);
CUresult cuMemcpyDtoA(CUarray, unsigned, address32, unsigned), cuMemcpyAtoD(address32, CUarray, unsigned, unsigned);
CUresult cuMemcpyHtoA(CUarray, unsigned, const void *, unsigned), cuMemcpyAtoH(void *, CUarray, unsigned, unsigned);
CUresult cuMemcpyAtoA(CUarray, unsigned, CUarray, unsigned, unsigned), cuMemcpyHtoAAsync(CUarray, unsigned, const void *, unsigned, CUstream);
CUresult cuMemcpyAtoHAsync(void *, CUarray, unsigned, unsigned, CUstream), cuMemcpyHtoDAsync(address32, const void *, unsigned, CUstream);
CUresult cuMemcpyDtoHAsync(void *, address32, unsigned, CUstream), cuMemcpyDtoDAsync(address32, address32, unsigned, CUstream);
CUresult cuMemcpy2D(const copy2 *), cuMemcpy2DUnaligned(const copy2 *), cuMemcpy2DAsync(const copy2 *, CUstream);
CUresult cuMemcpy3D(const copy3 *), cuMemcpy3DAsync(const copy3 *, CUstream);
CUresult cuMemsetD8(address32, unsigned char, unsigned), cuMemsetD16(address32, unsigned short, unsigned), cuMemsetD32(address32, unsigned, unsigned);
CUresult cuMemsetD2D8(address32, unsigned, unsigned char, unsigned, unsigned), cuMemsetD2D16(address32, unsigned, unsigned short, unsigned, unsigned);
CUresult cuMemsetD2D32(address32, unsigned, unsigned, unsigned, unsigned);
CUresult cuArrayCreate(CUarray *, const shape *), cuArrayGetDescriptor(shape *, CUarray);
CUresult cuArray3DCreate(CUarray *, const shape3 *), cuArray3DGetDescriptor(shape3 *, CUarray);
CUresult cuTexRefSetAddress(unsigned *, CUhandle, address32, unsigned), cuTexRefSetAddress2D(CUhandle, const shape *, address32, unsigned);
CUresult cuTexRefGetAddress(address32 *, CUhandle), cuModuleGetGlobal(address32 *, unsigned *, CUmodule, text);
CUresult cuCtxDetach(CUcontext);

static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n.visible .global .align 4 .b8 counters[64];\n"
    ".visible .entry nothing()\n{\n  ret;\n}\n";
static char host[1 << 16];
static CUcontext context;

// calls logs every call, in whatever context is current.
static void calls(void) {
  address32 p = 0, q = 0;
  unsigned n = 0, m = 0, api = 0;
  void *pinned = NULL;
  CUmodule module = 0;
  CUhandle r = 0;
  CUarray a = 0, b = 0;
  CUdeviceptr wide = 0;
  shape d = {64, 16, 0x20, 1}, got;
  shape3 v = {8, 8, 4, 0x20, 4, 0}, got3;
  R(cuCtxGetApiVersion(context, &api));
  printf("version %u\n", api);
  R(cuDeviceTotalMem(&n, 0));
  R(cuMemGetInfo(&n, &m));
  R(cuMemAlloc(&p, 65536));
  R(cuMemAlloc(NULL, 65536));
  R(cuMemAlloc(&q, 0));
  R(cuMemAlloc_v2(&wide, 65536));
  R(cuMemAllocPitch(&q, &n, 100, 4, 4));
  R(cuMemGetAddressRange(&q, &n, p));
  R(cuMemAllocHost(&pinned, 4096));
  R(cuMemHostGetDevicePointer(&q, pinned, 0));
  R(cuMemsetD8(p, 1, 16));
  R(cuMemsetD16(p, 1, 16));
  R(cuMemsetD32(p, 1, 16));
  R(cuMemsetD2D8(p, 512, 1, 16, 4));
  R(cuMemsetD2D16(p, 512, 1, 16, 4));
  R(cuMemsetD2D32(p, 512, 1, 16, 4));
  R(cuMemcpyHtoD(p, host, 256));
  R(cuMemcpyDtoH(host, p, 256));
  R(cuMemcpyDtoD(p, p + 4096, 256));
  R(cuMemcpyHtoDAsync(p, host, 256, 0));
  R(cuMemcpyDtoHAsync(host, p, 256, 0));
  R(cuMemcpyDtoDAsync(p, p + 4096, 256, 0));
  R(cuArrayCreate(&a, &d));
  R(cuArrayGetDescriptor(&got, a));
  R(cuArray3DCreate(&b, &v));
  R(cuArray3DGetDescriptor(&got3, b));
  R(cuMemcpyHtoA(a, 0, host, 256));
  R(cuMemcpyAtoH(host, a, 0, 256));
  R(cuMemcpyAtoA(a, 0, a, 256, 256));
  R(cuMemcpyDtoA(a, 0, p, 256));
  R(cuMemcpyAtoD(p, a, 0, 256));
  R(cuMemcpyHtoAAsync(a, 0, host, 256, 0));
  R(cuMemcpyAtoHAsync(host, a, 0, 256, 0));
  copy2 c = {0};
  c.srcMemoryType = 1, c.srcHost = host, c.dstMemoryType = 2, c.dstDevice = p, c.WidthInBytes = 64, c.Height = 4;
  c.srcPitch = c.dstPitch = 512;
  R(cuMemcpy2D(&c));
  R(cuMemcpy2DUnaligned(&c));
  R(cuMemcpy2DAsync(&c, 0));
  copy3 e = {0};
  e.srcMemoryType = 1, e.srcHost = host, e.dstMemoryType = 2, e.dstDevice = p, e.WidthInBytes = 64, e.Height = 4, e.Depth = 2;
  e.srcPitch = e.dstPitch = 512, e.srcHeight = e.dstHeight = 4;
  R(cuMemcpy3D(&e));
  R(cuMemcpy3DAsync(&e, 0));
  R(cuModuleLoadData(&module, ptx));
  R(cuModuleGetGlobal(&q, &n, module, "counters"));
  R(cuTexRefCreate(&r));
  R(cuTexRefSetFormat(r, 0x20, 1));
  R(cuTexRefSetAddress(&n, r, p, 4096));
  R(cuTexRefGetAddress(&q, r));
  R(cuTexRefSetAddress2D(r, &d, p, 256));
  R(cuMemFree(p));
  R(cuMemFree(0));
  R(cuCtxSynchronize());
}

static void inWide(void) {
  R(cuInit(0));
  R(cuCtxCreate_v2(&context, 0, 0));
  calls();
}

static void inOld(void) {
  R(cuInit(0));
  R(cuCtxCreate(&context, 0, 0));
  calls();
}

static void without(void) {
  R(cuInit(0));
  calls();
}

CHAPTERS({"legacy_wide", inWide}, {"legacy_old", inOld}, {"legacy_none", without})
