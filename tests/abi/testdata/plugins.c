// Loads and unloads a library with device code, before the first call and after.
#include "abi.h"
#include <dlfcn.h>

static void load_and_unload(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  CHECK(library != NULL);
  CHECK(dlclose(library) == 0);
  CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  int n;
  load_and_unload(argv[1]);
  CHECK(cudaGetDeviceCount(&n) == 0);
  for (int i = 0; i < 20; i++) {
    load_and_unload(argv[1]);
    if (i & 1)
      CHECK(cudaGetDeviceCount(&n) == 0);
  }
  void *kept = dlopen(argv[1], RTLD_NOW);
  CHECK(kept != NULL && cudaGetDeviceCount(&n) == 0);
  puts("ok");
}
