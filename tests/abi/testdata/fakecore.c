// Stands in for the core: checks that a call arrives as it was made.
#include "abi.h"
#include <pthread.h>

static struct { pthread_mutex_t append, take; void *first, *last; unsigned long appended, taken; } list;
static const struct { void *list; void (*flush)(void); } core = {&list, NULL};

// CHECK_ALIGNED ends the process unless the frame is as the ABI has it: a multiple of 16 at a call.
#define CHECK_ALIGNED() CHECK((unsigned long)__builtin_frame_address(0) % 16 == 0)

const void *lockstep_attach(int major) {
  CHECK_ALIGNED();
  CHECK(major == 12);
  volatile double spoil[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  for (int i = 0; i < 8; i++)
    spoil[i] *= 3;
  return &core;
}

long cudaGraphAddMemcpyNode1D(long a, long b, long c, long d, long e, long f, double g, double h, double i, double j,
                              double k, double l, double m, double n, long o, double p) {
  CHECK_ALIGNED();
  CHECK(a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && o == 7);
  CHECK(g == .1 && h == .2 && i == .3 && j == .4 && k == .5 && l == .6 && m == .7 && n == .8 && p == .9);
  return 42;
}
