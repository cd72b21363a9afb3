// 64 threads at once, three generations: last errors do not mix, and numbers of ended threads are reused.
#include "abi.h"
#include <pthread.h>

enum { THREADS = 64, CALLS = 500 };

static void *work(void *argument) {
  long odd = (long)argument & 1;
  int n;
  CHECK(cudaGetLastError() == 0);
  for (int i = 0; i < CALLS; i++) {
    if (odd)
      CHECK(cudaEventCreateFromEGLSync(&n, 0, 0) == 801);
    CHECK(cudaGetDeviceCount(&n) == 0);
    CHECK(cudaPeekAtLastError() == (odd ? 801 : 0));
  }
  return NULL;
}

int main(void) {
  for (int generation = 0; generation < 3; generation++) {
    pthread_t t[THREADS];
    for (long i = 0; i < THREADS; i++)
      CHECK(pthread_create(&t[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
      pthread_join(t[i], NULL);
  }
  CHECK(cudaGetLastError() == 0);
  puts("ok");
}
