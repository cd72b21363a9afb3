// Prints the microseconds that the first CUDA call of a process takes.
#include <stdio.h>
#include <time.h>

int cudaGetDeviceCount(int *count);

int main(void) {
  struct timespec start, end;
  int count = 0;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int error = cudaGetDeviceCount(&count);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%ld\n", (end.tv_sec - start.tv_sec) * 1000000 + (end.tv_nsec - start.tv_nsec) / 1000);
  return error != 0 || count != 1;
}
