// A front without its core: one line, every call refused, nothing crashes.
#include "abi.h"
#include <string.h>

int main(void) {
  int n;
  for (int i = 0; i < 3; i++)
    CHECK(cudaGetDeviceCount(&n) == 3);
  CHECK(cudaGetLastError() == 3);
  CHECK(strcmp(cudaGetErrorString(0), "no error") == 0);
  puts("ok");
}
