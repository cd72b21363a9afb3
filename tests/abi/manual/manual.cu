#include "manual.h"

static Chapter *chapters;

Chapter::Chapter(const char *name, void (*run)()) : name(name), run(run), next(chapters) { chapters = this; }

__global__ void nothing() {}
__global__ void store(int *at, int value) { *at = value; }
__global__ void spin(volatile int *until) {
  while (*until == 0) {
  }
}
__global__ void add(int *at, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) at[i] += value;
}

unsigned long long sum(const void *device, size_t n) {
  unsigned char *host = (unsigned char *)malloc(n);
  memset(host, 0xee, n);
  cudaError_t e = cudaMemcpy(host, device, n, cudaMemcpyDefault);
  unsigned long long s = e == cudaSuccess ? 0 : 1000000 + e;
  for (size_t i = 0; i < n && e == cudaSuccess; i++) s += (i % 7 + 1) * host[i];
  free(host);
  return s;
}

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
  for (Chapter *c = chapters; c; c = c->next) {
    if (argc < 2) puts(c->name);
    else if (strcmp(c->name, argv[1]) == 0) {
      c->run();
      fflush(stdout);
      return 0;
    }
  }
  return argc < 2 ? 0 : 2;
}
