// A program that rounds towards zero and flushes subnormals, as -ffast-math and some libraries have it. Kernels must not
// see that, and the program must not see it changed.
#include "cuda.h"
#include <pthread.h>
#include <xmmintrin.h>

enum { flush = 0x8040, towards_zero = 0x6000, mode = 0x1f80 | flush | towards_zero };

static const char *path;

static void *compute(void *buffer) {
  float f[8];
  _mm_setcsr(mode);
  for (int i = 0; i < 200; i++)
    CHECK(launch(64, 32, buffer, 0, 0) == 0);
  CHECK(cudaDeviceSynchronize() == 0 && cudaMemcpy(f, buffer, sizeof f, DeviceToHost) == 0);
  CHECK((_mm_getcsr() & ~0x3f) == mode);
  unsigned *w = (unsigned *)f;
  CHECK(w[0] == 3);                           // 1 + 2 units of subnormals
  CHECK(w[1] == 0x3f800002);                  // rounded to nearest
  CHECK(w[2] == 5 && w[3] == 0);              // half of ten subnormal units, as a double
  CHECK(w[4] == 0x0faeeff1 && w[5] == 0);     // 1.3e-315 as a decimal literal
  CHECK(w[6] == 0x9999999a && w[7] == 0x3fb99999); // 0.1
  return 0;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  path = argv[1];
  _mm_setcsr(mode);
  image(path);
  void *buffer;
  CHECK(cudaMalloc(&buffer, 4096) == 0);
  compute(buffer);
  pthread_t t;
  CHECK(pthread_create(&t, 0, compute, buffer) == 0 && pthread_join(t, 0) == 0);
  puts("ok");
}
