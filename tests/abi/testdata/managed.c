// A managed variable is used as nvcc's code uses it: without a look at errors.
#include "cuda.h"

int main(int argc, char **argv) {
  CHECK(argc == 2);
  image(argv[1]);
  __cudaInitModule(image_handle);
  unsigned first = managed[0];
  managed[15] = 7;
  CHECK(managed[15] == 7);
  printf("%u, ", first);
  printf("launch %d\n", launch(1, 1, managed, 0, 0));
}
