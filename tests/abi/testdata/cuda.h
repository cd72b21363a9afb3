// More prototypes, for the programs that bring device code: kernels, memory, streams, events.
#include "abi.h"
#include <stdint.h>

typedef void *stream_t, *event_t;
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMallocHost(void **, size_t);
int cudaFreeHost(void *);
int cudaMallocManaged(void **, size_t, unsigned);
int cudaHostRegister(void *, size_t, unsigned);
int cudaHostUnregister(void *);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaMemcpyAsync(void *, const void *, size_t, int, stream_t);
int cudaMemset(void *, int, size_t);
int cudaMemGetInfo(size_t *, size_t *);
int cudaDeviceSynchronize(void);
int cudaDeviceReset(void);
int cudaStreamCreate(stream_t *);
int cudaStreamDestroy(stream_t);
int cudaStreamSynchronize(stream_t);
int cudaStreamQuery(stream_t);
int cudaStreamWaitEvent(stream_t, event_t, unsigned);
int cudaEventCreate(event_t *);
int cudaEventDestroy(event_t);
int cudaEventRecord(event_t, stream_t);
int cudaEventQuery(event_t);
int cudaEventElapsedTime(float *, event_t, event_t);
int cudaLaunchHostFunc(stream_t, void (*)(void *), void *);
int cudaStreamAddCallback(stream_t, void (*)(stream_t, int, void *), void *, unsigned);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, stream_t);
char __cudaInitModule(void **);
void __cudaRegisterManagedVar(void **, void **, char *, const char *, int, size_t, int, int);

enum { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default };

// image registers the fat binary in a file with a kernel k, whose stub is k here, and a managed variable of 64 bytes.
static void **image_handle;
static unsigned *managed;
__attribute__((unused)) static void k(void) {}

__attribute__((unused)) static void image(const char *path) {
  static struct { unsigned magic, version; const void *data, *extra; } wrapper = {0x466243b1, 1, 0, 0};
  FILE *f = fopen(path, "rb");
  CHECK(f && fseek(f, 0, SEEK_END) == 0);
  long size = ftell(f);
  void *data = aligned_alloc(64, (size + 4096) / 64 * 64);
  rewind(f);
  CHECK(data && fread(data, 1, size, f) == (size_t)size && fclose(f) == 0);
  wrapper.data = data;
  image_handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(image_handle, (const char *)k, "k", "k", -1, 0, 0, 0, 0, 0);
  __cudaRegisterManagedVar(image_handle, (void **)&managed, 0, "managed", 0, 64, 0, 0);
  __cudaRegisterFatBinaryEnd(image_handle);
}

// launch runs k(buffer, argument).
__attribute__((unused)) static int launch(unsigned grid, unsigned block, void *buffer, uint64_t argument, stream_t s) {
  void *arguments[] = {&buffer, &argument};
  return cudaLaunchKernel((const void *)k, (dim3){grid, 1, 1}, (dim3){block, 1, 1}, arguments, 0, s);
}
