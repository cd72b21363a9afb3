// Much of everything, again and again: memory must not grow. Its argument is a fat binary whose kernel k stores its argument
// in the buffer.
#include "cuda.h"
#include <pthread.h>
#include <unistd.h>

enum { threads = 64, launches = 20, rounds = 6 };

static char *words; // one a thread, on the device

static long resident(void) { // KiB
  long pages;
  FILE *f = fopen("/proc/self/statm", "r");
  CHECK(f && fscanf(f, "%*d %ld", &pages) == 1 && fclose(f) == 0);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void *work(void *number) {
  stream_t s;
  event_t e;
  uint64_t id = (uint64_t)number, got;
  CHECK(cudaStreamCreate(&s) == 0 && cudaEventCreate(&e) == 0);
  for (int i = 0; i < launches; i++)
    CHECK(launch(1, 32, words + 8 * id, i, s) == 0 && launch(1, 32, words + 8 * id, id, s) == 0);
  CHECK(cudaEventRecord(e, s) == 0 && cudaStreamSynchronize(s) == 0 && cudaEventQuery(e) == 0);
  CHECK(cudaMemcpy(&got, words + 8 * id, 8, DeviceToHost) == 0 && got == id);
  CHECK(launch(1, 32, words + 8 * id, 0, (stream_t)2) == 0); // the thread's default stream, with work when it ends
  CHECK(cudaStreamDestroy(s) == 0 && cudaEventDestroy(e) == 0);
  return 0;
}

static void together(void) {
  pthread_t t[threads];
  for (long i = 0; i < threads; i++)
    CHECK(pthread_create(&t[i], 0, work, (void *)i) == 0);
  for (int i = 0; i < threads; i++)
    CHECK(pthread_join(t[i], 0) == 0);
  CHECK(cudaDeviceSynchronize() == 0);
}

static void alone(void) {
  void *p, *pinned, *managed;
  for (int i = 0; i < 1000; i++)
    CHECK(launch(1, 32, words, i, 0) == 0);
  CHECK(cudaDeviceSynchronize() == 0);
  for (int i = 0; i < 10000; i++)
    CHECK(cudaMalloc(&p, 256 + i * 37 % 100000) == 0 && cudaFree(p) == 0);
  for (int i = 0; i < 500; i++) {
    CHECK(cudaMallocHost(&pinned, 10000) == 0 && cudaMallocManaged(&managed, 10000, 1) == 0);
    CHECK(cudaFreeHost(pinned) == 0 && cudaFree(managed) == 0);
    CHECK(cudaHostRegister(words, 8, 0) != 0); // a failure, again and again
  }
}

int main(int argc, char **argv) {
  long before = 0;
  CHECK(argc == 2);
  image(argv[1]);
  CHECK(cudaMalloc((void **)&words, 8 * threads) == 0);
  for (int i = 0; i < rounds; i++) {
    if (i == 2)
      before = resident();
    together();
    alone();
  }
  long growth = resident() - before;
  if (growth > 8 * 1024)
    printf("%ld KiB before, %ld KiB more after %d rounds\n", before, growth, rounds - 2);
  puts("ok");
}
