// A texture reference of CUDA 11, in a namespace: registered as its compiler does, where the device code has another name.
#include "cuda.h"

struct reference { int normalized, filter, address[3]; channel format; int srgb, rest[16]; };
int cudaBindTexture(size_t *, const struct reference *, const void *, const channel *, size_t);
int cudaUnbindTexture(const struct reference *);
void __cudaRegisterTexture(void **, const void *, const void **, const char *, int, int, int);

int main(int argc, char **argv) {
  CHECK(argc == 2);
  image(argv[1]);
  static struct reference r;
  __cudaRegisterTexture(image_handle, &r, (const void **)"_ZN5space1tE", "::space::t", 1, 0, 0);
  const float texels[2][4] = {{10, 20, 30, 40}, {1, 2, 3, 4}};
  r.format = cudaCreateChannelDesc(32, 0, 0, 0, 2);
  char *p;
  CHECK(cudaMalloc((void **)&p, 1024 + 16) == 0);
  for (int i = 0; i < 2; i++) {
    float got[4];
    CHECK(cudaMemcpy(p + 512 * i, texels[i], 16, HostToDevice) == 0);
    CHECK(cudaBindTexture(0, &r, p + 512 * i, &r.format, 16) == 0);
    CHECK(launch(1, 4, p + 1024, 0, 0) == 0 && cudaMemcpy(got, p + 1024, 16, DeviceToHost) == 0);
    for (int j = 0; j < 4; j++)
      CHECK(got[j] == texels[i][j]);
  }
  CHECK(cudaUnbindTexture(&r) == 0);
  puts("ok");
}
