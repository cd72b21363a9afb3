// A kernel touches every page of half of what the program has allocated: the host's memory follows what is touched. Its
// argument is a fat binary whose kernel k stores its argument once a page. Prints the most memory that the process had.
#include "cuda.h"
#include <sys/resource.h>

enum { block = 256, page = 4096 };

int main(int argc, char **argv) {
  const size_t half = (size_t)512 << 20;
  struct rusage used;
  char *all;
  uint64_t got;
  CHECK(argc == 2);
  image(argv[1]);
  CHECK(cudaMalloc((void **)&all, 2 * half) == 0);
  CHECK(launch(half / page / block, block, all, 4711, 0) == 0 && cudaDeviceSynchronize() == 0);
  CHECK(cudaMemcpy(&got, all + half - page, 8, DeviceToHost) == 0 && got == 4711);
  CHECK(getrusage(RUSAGE_SELF, &used) == 0);
  printf("%ld\n", used.ru_maxrss >> 10);
}
