// Runs kernel k of a fat binary with what its second argument names and prints the code of every step.
#include "cuda.h"
#include <string.h>
#include <sys/mman.h>

static uint64_t argument(const char *what, char *buffer) {
  void *p;
  static int variable;
  if (!strcmp(what, "null"))
    return 0;
  if (!strcmp(what, "buffer"))
    return (uint64_t)buffer;
  if (!strcmp(what, "host"))
    return (uint64_t)&variable;
  if (!strcmp(what, "freed")) {
    CHECK(cudaMalloc(&p, 4 << 20) == 0 && cudaFree(p) == 0);
    return (uint64_t)p;
  }
  if (!strcmp(what, "unmapped")) { // registered, then taken away
    p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED && cudaHostRegister(p, 1 << 20, 0) == 0);
    munmap(p, 1 << 20);
    return (uint64_t)p;
  }
  return (uint64_t)buffer + strtoull(what, 0, 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 5);
  image(argv[1]);
  char *buffer;
  unsigned words[4];
  CHECK(cudaMalloc((void **)&buffer, 4096) == 0 && cudaMemset(buffer, 0, 4096) == 0);
  uint64_t a = argument(argv[2], buffer);
  printf("launch %d", launch(atoi(argv[3]), atoi(argv[4]), buffer, a, 0));
  printf(", synchronize %d", cudaDeviceSynchronize());
  printf(", copy %d", cudaMemcpy(words, buffer, sizeof words, DeviceToHost));
  printf(", last %d\n", cudaGetLastError());
  fflush(stdout);
}
