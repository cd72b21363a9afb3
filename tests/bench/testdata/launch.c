// Prints the microseconds of processor time, and by the clock, that a launch of a tiny kernel takes: one of many, one with a
// wait after it, and one with a copy of a word to the host after it.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxSetCurrent(void *);
int cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(unsigned long long *, size_t);
int cuMemcpyDtoH_v2(void *, unsigned long long, size_t);

#define CHECK(call) do { int e = (call); if (e) { fprintf(stderr, "%s: %d\n", #call, e); exit(1); } } while (0)

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
  ".reg .b64 %a; .reg .b32 %t;\nld.param.u64 %a, [p]; mov.u32 %t, %tid.x; st.global.u32 [%a], %t; ret; }\n";

static double now(int clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec;
}

static void *function;
static unsigned long long word;

static void launch(void) {
  void *arguments[] = {&word};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
}

static void waited(void) {
  launch();
  CHECK(cuCtxSynchronize());
}

static void copied(void) {
  unsigned got;
  launch();
  CHECK(cuMemcpyDtoH_v2(&got, word, sizeof got));
}

static void measure(void (*each)(void), int n) {
  double least[2] = {1e9, 1e9};
  for (int round = 0; round < 10; round++) {
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    for (int i = 0; i < n; i++) each();
    CHECK(cuCtxSynchronize());
    cpu = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / n, wall = (now(CLOCK_MONOTONIC) - wall) / n;
    if (cpu < least[0]) least[0] = cpu;
    if (wall < least[1]) least[1] = wall;
  }
  printf("%.3f %.3f ", least[0], least[1]);
}

int main(void) {
  void *context, *module;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&function, module, "k"));
  CHECK(cuMemAlloc_v2(&word, 4));
  waited();
  measure(launch, 4000);
  measure(waited, 1000);
  measure(copied, 1000);
  puts("");
}
