// Random calls of the runtime and of the driver from eight host threads, right ones and mistakes, with a model that says
// which code each has to give, what memory has to hold and what a thread's last error is. Between rounds a kernel that
// faults stops the device, calls are made again, and the device is reset. Memory, threads and files must not grow.
//
//   random SECONDS [SEED]
#include "model.h"
#include <dirent.h>
#include <time.h>
#include <unistd.h>

enum { threads = 8, callsOfTurn = 300, callsStopped = 40, settled = 3 };

struct kernels kernels;
atomic_int failures;

const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n.visible .global .align 4 .u32 counter = 5;\n"
    ".visible .entry add(.param .u64 p, .param .u32 n, .param .u32 v)\n{\n"
    "  .reg .u64 %rd<4>; .reg .u32 %r<8>; .reg .pred %q;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [v];\n"
    "  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.u32 %r6, %r3, %r4, %r5;\n"
    "  setp.ge.u32 %q, %r6, %r1; @%q ret;\n"
    "  mul.wide.u32 %rd2, %r6, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r7, [%rd3]; add.u32 %r7, %r7, %r2;\n"
    "  st.global.u32 [%rd3], %r7; ret;\n}\n"
    ".visible .entry wild()\n{\n  .reg .u64 %rd1; mov.u64 %rd1, 16; st.global.u32 [%rd1], 1; ret;\n}\n"
    ".visible .entry odd(.param .u64 p)\n{\n  .reg .u64 %rd1; ld.param.u64 %rd1, [p]; add.u64 %rd1, %rd1, 2;"
    " st.global.u32 [%rd1], 1; ret;\n}\n"
    ".visible .entry stop()\n{\n  trap;\n}\n";

int cudaLibraryLoadData(cudaLibrary_t *, const void *, void *, void *, unsigned, void *, void *, unsigned);
int cudaLibraryGetKernel(cudaKernel_t *, cudaLibrary_t, text);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t), cudaDeviceSynchronize(void), cudaDeviceReset(void);
int cudaMemGetInfo(size_t *, size_t *), cudaMalloc(void **, size_t), cudaFree(void *), cudaGetLastError(void);

unsigned below(struct host *h, unsigned n) {
  h->random = h->random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((h->random >> 33) * n >> 31);
}

void check(struct host *h, const char *call, int line, int got, int want, int runtime) {
  h->calls++;
  if (got != want) {
    failures++;
    fprintf(stderr, "thread %d, call %ld, line %d: %s -> %d, not %d\n", h->number, h->calls, line, call, got, want);
  }
  if (runtime && got != 0 && got != 600)
    h->last = got;
}

void forget(struct host *h) {
  for (int i = 0; i < h->nblocks; i++)
    free(h->blocks[i].want);
  h->nblocks = h->nstreams = h->nevents = h->stopped = 0;
}

// ---- rounds

struct turn {
  struct host *h;
  int calls;
};

static void *make(void *argument) {
  struct turn *t = argument;
  struct host *h = t->h;
  WANT(cudaFree(NULL), 0); // makes the device's context the thread's
  for (int i = 0; i < t->calls && failures == 0; i++) {
    int n = below(t->h, runtimeActionCount + driverActionCount);
    (n < runtimeActionCount ? runtimeActions[n] : driverActions[n - runtimeActionCount])(t->h);
  }
  return NULL;
}

// together makes calls from all threads. They end, so that what the runtime keeps for a thread has to go too.
static void together(struct host *hosts, int calls) {
  pthread_t ids[threads];
  struct turn turns[threads];
  for (int i = 0; i < threads; i++) {
    turns[i] = (struct turn){&hosts[i], calls};
    hosts[i].last = 0;
    if (pthread_create(&ids[i], NULL, make, &turns[i]))
      exit(3);
  }
  for (int i = 0; i < threads; i++)
    pthread_join(ids[i], NULL);
}

// stopDevice launches a kernel that faults, and returns the fault's code.
static int stopDevice(struct host *h) {
  void *p = NULL, *arguments[] = {&p};
  const cudaKernel_t all[] = {kernels.wild, kernels.odd, kernels.stop};
  static const int codes[] = {700, 716, 719};
  int n = below(h, 3);
  WANT(cudaDeviceSynchronize(), 0);
  WANT(cudaMalloc(&p, 64), 0);
  WANT(cudaLaunchKernel(all[n], (dim3){1, 1, 1}, (dim3){1, 1, 1}, arguments, 0, NULL), 0);
  WANT(cudaDeviceSynchronize(), codes[n]);
  return codes[n];
}

// left checks that the device is as new, and memory that is freed twice, which among threads may be another's by then.
static void left(struct host *h) {
  size_t unused = 0, all = 0;
  void *p = NULL;
  WANT(cudaMemGetInfo(&unused, &all), 0);
  WANT(cudaMalloc(&p, 64), 0);
  WANT(cudaFree(p), 0);
  WANT(cudaFree(p), 1);
  if (all - unused > (size_t)600 << 20) { // what a context needs
    failures++;
    fprintf(stderr, "%zu bytes are left on the device\n", all - unused);
  }
}

// exhaust takes all memory of the device, and gives it back.
static void exhaust(struct host *h) {
  enum { most = 64 };
  void *all[most], *more = NULL;
  size_t unused = 0, total = 0;
  int n = 0;
  WANT(cudaMemGetInfo(&unused, &total), 0);
  size_t part = total / 8 + 1;
  while (n < most && (size_t)(n + 1) * part <= unused) {
    WANT(cudaMalloc(&all[n], part), 0);
    n++;
  }
  WANT(cudaMalloc(&more, part), 2);
  while (n > 0) {
    n--;
    WANT(cudaFree(all[n]), 0);
  }
}

// ---- growth

static int entries(const char *folder) {
  DIR *d = opendir(folder);
  int n = 0;
  while (d && readdir(d))
    n++;
  if (d)
    closedir(d);
  return n;
}

static long resident(void) { // KiB
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%*d %ld", &pages) != 1)
    exit(3);
  fclose(f);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// grown reports what the process has more of than it had when it was warm.
static void grown(long memory, int files, int tasks) {
  int more = entries("/proc/self/fd") - files, also = entries("/proc/self/task") - tasks;
  long kib = resident() - memory;
  if (kib > 48 * 1024 || more > 0 || also > 8) { // Go's collector and scheduler take turns
    failures++;
    fprintf(stderr, "grown by %ld KiB, %d files, %d threads\n", kib, more, also);
  }
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  static struct host hosts[threads], own = {.number = threads};
  struct host *h = &own;
  cudaLibrary_t library;
  double end = seconds() + (argc > 1 ? atof(argv[1]) : 1);
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  long memory = 0, calls = 0;
  int files = 0, tasks = 0, round;
  for (int i = 0; i < threads; i++)
    hosts[i].number = i, hosts[i].random = seed * 1000 + i;
  WANT(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0), 0);
  WANT(cudaLibraryGetKernel(&kernels.add, library, "add"), 0);
  WANT(cudaLibraryGetKernel(&kernels.wild, library, "wild"), 0);
  WANT(cudaLibraryGetKernel(&kernels.odd, library, "odd"), 0);
  WANT(cudaLibraryGetKernel(&kernels.stop, library, "stop"), 0);
  for (round = 0; (seconds() < end || round <= settled) && failures == 0; round++) {
    together(hosts, callsOfTurn);
    int code = stopDevice(h);
    for (int i = 0; i < threads; i++)
      hosts[i].stopped = code;
    together(hosts, callsStopped);
    FIRST(cudaDeviceReset(), 0);
    for (int i = 0; i < threads; i++)
      forget(&hosts[i]);
    FIRST(cudaGetLastError(), h->last);
    h->last = 0;
    left(h);
    exhaust(h);
    if (round == settled)
      memory = resident(), files = entries("/proc/self/fd"), tasks = entries("/proc/self/task");
  }
  if (failures == 0)
    grown(memory, files, tasks);
  for (int i = 0; i < threads; i++)
    calls += hosts[i].calls;
  fprintf(stderr, "%ld calls in %d rounds, %d failures\n", calls, round, (int)failures);
  if (failures == 0)
    puts("ok");
  return failures != 0;
}
