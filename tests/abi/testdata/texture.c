// Linear filtering of a one-dimensional texture: at texel centres, between them, and past both edges.
#include "cuda.h"

typedef void *array_t;
struct resource { int type; array_t array; char rest[48]; };
struct texture {
  int address[3], filter, read, srgb;
  float border[4];
  int normalized;
  unsigned anisotropy;
  int mip_filter;
  float mip_bias, mip_least, mip_most;
  int no_trilinear, seamless;
};
int cudaMallocArray(array_t *, const channel *, size_t, size_t, unsigned);
int cudaMemcpy2DToArray(array_t, size_t, size_t, const void *, size_t, size_t, size_t, int);
int cudaCreateTextureObject(uint64_t *, const struct resource *, const struct texture *, const void *);
int cudaDestroyTextureObject(uint64_t);
int cudaFreeArray(array_t);

enum { array_resource = 0, clamp = 1, linear = 1 };

int main(int argc, char **argv) {
  CHECK(argc == 2);
  image(argv[1]);
  const float texels[4] = {10, 20, 30, 40};
  float at[6] = {-3.0f, 0.0f, 0.5f, 1.0f, 1.75f, 9.0f}, got[6];
  channel f = cudaCreateChannelDesc(32, 0, 0, 0, 2);
  struct resource r = {.type = array_resource};
  struct texture d = {.address = {clamp, clamp, clamp}, .filter = linear};
  uint64_t t;
  void *p;
  CHECK(cudaMallocArray(&r.array, &f, 4, 0, 0) == 0);
  CHECK(cudaMemcpy2DToArray(r.array, 0, 0, texels, 16, 16, 1, HostToDevice) == 0);
  CHECK(cudaCreateTextureObject(&t, &r, &d, 0) == 0);
  CHECK(cudaMalloc(&p, sizeof at) == 0 && cudaMemcpy(p, at, sizeof at, HostToDevice) == 0);
  CHECK(launch(1, 6, p, t, 0) == 0 && cudaMemcpy(got, p, sizeof got, DeviceToHost) == 0);
  for (int i = 0; i < 6; i++)
    printf("%g ", got[i]);
  puts("");
  CHECK(cudaDestroyTextureObject(t) == 0 && cudaFreeArray(r.array) == 0);
  CHECK(launch(1, 6, p, t, 0) == 0);
  printf("destroyed: %d\n", cudaDeviceSynchronize());
}
