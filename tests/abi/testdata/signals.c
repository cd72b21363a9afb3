// A timer signal whose handler was installed without SA_ONSTACK and needs room, while Go runs.
#define _GNU_SOURCE
#include "abi.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile int ticks, seen;

static void tick(int number) {
  volatile char room[4096];
  memset((void *)room, number, sizeof room);
  seen = room[17];
  ticks++;
}

static void *work(void *unused) {
  int n;
  for (int i = 0; i < 100000 && ticks < 200; i++)
    CHECK(cudaGetDeviceCount(&n) == 0);
  return unused;
}

int main(void) {
  int n;
  CHECK(cudaGetDeviceCount(&n) == 0);
  struct sigaction a = {.sa_handler = tick}, old;
  CHECK(sigaction(SIGPROF, &a, NULL) == 0);
  CHECK(sigaction(SIGPROF, NULL, &old) == 0 && old.sa_flags & SA_ONSTACK && old.sa_handler == tick);
  CHECK(signal(SIGUSR1, tick) == SIG_DFL && signal(SIGUSR1, SIG_IGN) == tick);
  struct itimerval every = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &every, NULL);
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  memset(&every, 0, sizeof every);
  setitimer(ITIMER_PROF, &every, NULL);
  CHECK(ticks == 0 || seen == SIGPROF);
  puts("ok");
}
