// Calls a function that is not supported, twice.
#include "abi.h"

int cudaSubgridCreate(void *, void *, void *);

int main(void) {
  for (int i = 0; i < 2; i++) {
    CHECK(cudaSubgridCreate(0, 0, 0) == 801);
    CHECK(cudaGetLastError() == 801);
    CHECK(cudaGetLastError() == 0);
  }
  puts("ok");
}
