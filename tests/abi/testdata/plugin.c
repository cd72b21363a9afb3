// A library with device code, as nvcc builds one: registers in a constructor, unregisters at dlclose.
#include "abi.h"
#include <pthread.h>

static struct { unsigned magic; unsigned short version, header; unsigned long long size; } image = {0xBA55ED50, 1, 16, 0};
static struct { unsigned magic, version; const void *data, *extra; } wrapper = {0x466243b1, 1, &image, 0};
static void **handle;

void stub(void) {}

#ifdef EARLY
static pthread_t thread;
static void *calls(void *unused) {
  int n;
  for (int i = 0; i < 100; i++)
    CHECK(cudaGetDeviceCount(&n) == 0 && n >= 1);
  return unused;
}
#endif

__attribute__((constructor)) static void registration(void) {
  handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, (const char *)stub, "kernel", "kernel", -1, 0, 0, 0, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
#ifdef EARLY // the first call is made in a constructor, while dlopen is under way
  int n;
  CHECK(cudaGetDeviceCount(&n) == 0 && n >= 1);
  CHECK(pthread_create(&thread, NULL, calls, NULL) == 0);
#endif
}

__attribute__((destructor)) static void unregistration(void) {
#ifdef EARLY
  pthread_join(thread, NULL);
#endif
  __cudaUnregisterFatBinary(handle);
  __cudaUnregisterFatBinary(handle);
}
