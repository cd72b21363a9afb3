// A front: libcudart.so.<major> as programs load it. It starts nothing, and loads the core at the first call.

#include "../lockstep.h"

#include <stdio.h>
#include <string.h>

static int major = LS_FRONT_MAJOR; // atomic

int ls_major(void) { return __atomic_load_n(&major, __ATOMIC_RELAXED); }
void ls_set_major(int told) { __atomic_store_n(&major, told, __ATOMIC_RELAXED); }

void *ls_otherwise = (void *)ls_lazy;

// The core is libcudart.so in the folder that holds this library.
const char *ls_core_path(char *path, int size) {
  char *slash = strrchr(ls_own_path, '/');
  int folder = slash ? (int)(slash - ls_own_path) : 0;
  int n = snprintf(path, size, "%.*s/libcudart.so", folder, ls_own_path);
  return slash && n < size ? path : NULL;
}
