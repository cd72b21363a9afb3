// The first call through a front carries every register and the stack to the core. Built against fakecore.c.
#include "abi.h"

typedef long wide(long, long, long, long, long, long, double, double, double, double, double, double, double, double, long,
                  double);
wide cudaGraphAddMemcpyNode1D;

int main(void) {
  for (int call = 0; call < 2; call++) // the second finds its slot bound
    CHECK(cudaGraphAddMemcpyNode1D(1, 2, 3, 4, 5, 6, .1, .2, .3, .4, .5, .6, .7, .8, 7, .9) == 42);
  puts("ok");
}
