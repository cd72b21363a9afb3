// Linked to the library, registers device code, makes no call: one thread, nothing loaded.
#include "abi.h"
#include <dirent.h>
#include <string.h>

static struct { unsigned magic, version; const void *data, *extra; } wrapper = {0x466243b1, 1, 0, 0};
static void **handle;
static void unregister(void) { __cudaUnregisterFatBinary(handle); }

__attribute__((constructor)) static void registration(void) {
  handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFatBinaryEnd(handle);
  atexit(unregister);
}

int main(void) {
  int threads = 0;
  DIR *d = opendir("/proc/self/task");
  for (struct dirent *e; (e = readdir(d));)
    threads += e->d_name[0] != '.';
  char line[4096];
  int cores = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    cores += strstr(line, "/libcudart.so\n") != NULL;
  if (!getenv("CORE_PRELOADED"))
    CHECK(threads == 1 && cores == 0);
  CHECK(handle != NULL);
  puts("ok");
}
