// Ends in the way its argument names, after one call unless "idle" follows.
#include "abi.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *leave(void *way) {
  if (strcmp(way, "exit") == 0 || strcmp(way, "thread") == 0)
    exit(7);
  if (strcmp(way, "_exit") == 0)
    _exit(7);
  if (strcmp(way, "_Exit") == 0)
    _Exit(7);
  if (strcmp(way, "quick_exit") == 0)
    quick_exit(7);
  return NULL;
}

int main(int argc, char **argv) {
  int n;
  CHECK(argc >= 2);
  if (argc == 2)
    CHECK(cudaGetDeviceCount(&n) == 0);
  if (strcmp(argv[1], "thread") == 0) {
    pthread_t t;
    pthread_create(&t, NULL, leave, argv[1]);
    pthread_join(t, NULL);
  }
  leave(argv[1]);
  return 7;
}
