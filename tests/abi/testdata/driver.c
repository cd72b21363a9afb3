// Asks for a library that is not there twice, as NVIDIA's runtime asks for the driver. With CALLER it is a library that
// loads its neighbour, with CALLS a program that lets that library do so.
#include "abi.h"
#include <dlfcn.h>

#ifdef CALLER
void *load(const char *name) {
  void *volatile library = dlopen(name, RTLD_NOW); // not at the end: dlopen would take our caller for its own
  return library;
}
#elif defined CALLS
void *load(const char *name);
int main(void) {
  CHECK(dlopen("libbeside.so", RTLD_NOW) == NULL);
  CHECK(load("libbeside.so") != NULL);
  puts("ok");
}
#else
#ifndef NO_DEVICE_CODE
__attribute__((section(".nvFatBinSegment"), used)) static struct { unsigned magic, version; } wrapper = {0x466243b1, 1};
#endif
int main(int argc, char **argv) {
  CHECK(argc == 2);
  CHECK(dlopen(argv[1], RTLD_NOW) == NULL);
  CHECK(dlopen(argv[1], RTLD_NOW) == NULL);
  puts("ok");
}
#endif
