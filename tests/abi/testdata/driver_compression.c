// What the driver grants when memory is asked for that can be compressed.
#include "driver_chapters.h"

static void begin(void) {
  CUcontext context;
  if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
    exit(1);
}

// granted logs what comes of a request for memory of a kind of compression.
static void granted(unsigned char compression, size_t size, int handles) {
  CUmemAllocationProp prop = {1, handles, {1, 0}, NULL, {compression}};
  CUmemAllocationProp got;
  CUhandle h = 0;
  size_t least = 0, best = 0;
  memset(&got, 0xee, sizeof got);
  printf("-- compression %d, %zu MiB, handles %d\n", compression, size >> 20, handles);
  V(cuMemGetAllocationGranularity(&least, &prop, 0), "%zu", least);
  V(cuMemGetAllocationGranularity(&best, &prop, 1), "%zu", best);
  R(cuMemCreate(&h, size, &prop, 0));
  V(cuMemGetAllocationPropertiesFromHandle(&got, h), "%d %d, %d %d, %d %d %d", got.type, got.requestedHandleTypes,
    got.location.type, got.location.id, got.allocFlags[0], got.allocFlags[1], got.allocFlags[2]);
  R(cuMemRelease(h));
}

static void kinds(void) {
  enum { M = 1 << 20 };
  int supported = -1;
  begin();
  V(cuDeviceGetAttribute(&supported, 107, 0), "%d", supported);
  granted(0, 2 * M, 0);
  granted(1, 2 * M, 0);
  granted(1, 64 * M, 0);
  granted(1, 2 * M, 1);
  granted(2, 2 * M, 0);
  granted(255, 2 * M, 0);
}

CHAPTERS({"kinds", kinds})
