// Looks the API up by name, plainly and by version, as ctypes and loaders do.
#define _GNU_SOURCE
#include "abi.h"
#include <dlfcn.h>

int main(int argc, char **argv) {
  CHECK(argc == 3);
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  int (*count)(int *) = (int (*)(int *))dlsym(library, "cudaGetDeviceCount"), n;
  CHECK(count && count(&n) == 0);
  CHECK(dlvsym(library, "cudaGetDeviceCount", argv[2]) != NULL);
  CHECK(dlvsym(library, "cudaGetDeviceCount", "libcudart.so.1") == NULL);
  puts("ok");
}
