// Calls of each kind: answered, refused, in C.
#include "abi.h"
#include <string.h>

int main(void) {
  CHECK(strcmp(cudaGetErrorString(0), "no error") == 0);
  CHECK(strcmp(cudaGetErrorName(12345), "unrecognized error code") == 0);
  channel c = cudaCreateChannelDesc(8, 16, 32, 0, 2);
  CHECK(c.x == 8 && c.y == 16 && c.z == 32 && c.w == 0 && c.f == 2);
  int n = -1;
  CHECK(cudaGetDeviceCount(&n) == 0 && n >= 1);
  CHECK(cudaPeekAtLastError() == 0);
  CHECK(cudaEventCreateFromEGLSync(&n, 0, 0) == 801);
  CHECK(cudaEventCreateFromEGLSync(&n, 0, 0) == 801);
  CHECK(cudaPeekAtLastError() == 801);
  CHECK(cudaGetDeviceCount(&n) == 0);
  CHECK(cudaGetLastError() == 801);
  CHECK(cudaGetLastError() == 0);

  dim3 grid = {1, 2, 3}, block = {4, 5, 6}, g, b;
  size_t shared;
  void *stream;
  CHECK(__cudaPopCallConfiguration(&g, &b, &shared, &stream) == 52);
  CHECK(__cudaPushCallConfiguration(grid, block, 7, (void *)8) == 0);
  CHECK(__cudaPopCallConfiguration(&g, &b, &shared, &stream) == 0);
  CHECK(g.z == 3 && b.x == 4 && b.z == 6 && shared == 7 && stream == (void *)8);
  puts("ok");
}
