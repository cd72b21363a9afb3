// Calls that make no sense, after which everything must still work. Its argument is a fat binary whose kernel k stores its
// argument in the buffer.
#include "cuda.h"
#include <pthread.h>
#include <string.h>

static char *device(size_t n) {
  void *p;
  CHECK(cudaMalloc(&p, n) == 0);
  return p;
}

static uint64_t word(void *p) {
  uint64_t w = 0;
  CHECK(cudaMemcpy(&w, p, sizeof w, DeviceToHost) == 0);
  return w;
}

static void works(void) {
  char *p = device(64);
  CHECK(launch(1, 32, p, 42, 0) == 0 && word(p) == 42);
  CHECK(cudaGetLastError() == 0 && cudaFree(p) == 0);
}

static void memory(void) {
  char *p = device(1000), *q = device(1000), bytes[2000] = {0};
  size_t before, after, total;
  CHECK(cudaMemGetInfo(&before, &total) == 0);
  CHECK(cudaFree(p + 8) == 1 && cudaFree(bytes) == 1 && cudaFree((void *)0x123456) == 1);
  CHECK(cudaFree(p) == 0 && cudaFree(p) == 1 && cudaFreeHost(q) == 1);
  CHECK(cudaMemcpy(bytes, q, 2000, DeviceToHost) == 1);
  CHECK(cudaMemcpy(q, bytes, 2000, HostToDevice) == 1);
  CHECK(cudaMemcpy(q + 999, bytes, 2, HostToDevice) == 1);
  CHECK(cudaMemcpyAsync(q, bytes, 2000, HostToDevice, 0) == 1);
  CHECK(cudaMemcpy(q, p, 100, DeviceToDevice) == 1);
  CHECK(cudaMemcpy(q, q, ~(size_t)0, DeviceToDevice) == 1);
  CHECK(cudaMemcpy(bytes, bytes, 10, HostToDevice) == 1);
  CHECK(cudaMemcpy(q, bytes, 10, 9) == 21);
  CHECK(cudaMemcpy(0, q, 10, DeviceToHost) == 1 && cudaMemcpy(q, 0, 10, HostToDevice) == 1);
  CHECK(cudaMemcpy(0, 0, 0, HostToDevice) == 0);
  CHECK(cudaMemset(q, 1, 1001) == 1 && cudaMemset(bytes, 1, 1) == 1 && cudaMemset(0, 1, 1) == 1);
  CHECK(cudaMalloc(0, 100) == 1);
  void *huge;
  CHECK(cudaMalloc(&huge, (size_t)1 << 40) == 2 && cudaMalloc(&huge, ~(size_t)0) == 2);
  CHECK(cudaMallocHost(&huge, ~(size_t)0) == 2);
  CHECK(cudaHostUnregister(bytes) == 713 && cudaHostRegister(0, 10, 0) == 1);
  CHECK(cudaGetLastError() == 1 && cudaGetLastError() == 0);
  CHECK(cudaMemGetInfo(&after, &total) == 0 && after >= before && cudaFree(q) == 0);
}

// All memory, in pieces; then there is none, and then it is back.
static void exhaustion(void) {
  static void *pieces[1024];
  size_t before, after, total, size = (size_t)1 << 30;
  int n = 0, e;
  CHECK(cudaMemGetInfo(&before, &total) == 0);
  while ((e = cudaMalloc(&pieces[n], size)) == 0)
    CHECK(++n < 1024);
  CHECK(e == 2 && (size_t)n == before / size && cudaGetLastError() == 2);
  while (n > 0)
    CHECK(cudaFree(pieces[--n]) == 0);
  CHECK(cudaMemGetInfo(&after, &total) == 0 && after == before);
}

static void handles(void) {
  stream_t s, t;
  event_t e, f;
  float ms;
  char *p = device(8);
  CHECK(cudaStreamCreate(&s) == 0 && cudaStreamDestroy(s) == 0 && cudaStreamCreate(&t) == 0);
  CHECK(cudaStreamDestroy(s) == 400 && cudaStreamSynchronize(s) == 400 && cudaStreamQuery(s) == 400);
  CHECK(launch(1, 1, p, 1, s) == 400 && cudaMemcpyAsync(p, p, 1, DeviceToDevice, s) == 400);
  CHECK(cudaEventCreate(&e) == 0 && cudaEventCreate(&f) == 0 && cudaEventDestroy(e) == 0);
  CHECK(cudaEventDestroy(e) == 400 && cudaEventRecord(e, t) == 400 && cudaEventQuery(e) == 400);
  CHECK(cudaStreamWaitEvent(t, e, 0) == 400 && cudaEventRecord(f, s) == 400 && cudaEventElapsedTime(&ms, e, f) == 400);
  CHECK(cudaStreamDestroy((stream_t)0x1234560) == 400 && cudaEventQuery((event_t)&ms) == 400);
  CHECK(cudaStreamDestroy(t) == 0 && cudaEventDestroy(f) == 0 && cudaGetLastError() == 400 && cudaFree(p) == 0);
  CHECK(cudaStreamCreate(0) == 1 && cudaEventCreate(0) == 1 && cudaGetLastError() == 1);
}

static int answers[4];

static void calls(void *buffer) {
  answers[0] = cudaMalloc(&(void *){0}, 8);
  answers[1] = launch(1, 1, buffer, 1, 0);
  answers[2] = cudaDeviceSynchronize();
}

static void status(stream_t s, int code, void *buffer) {
  answers[3] = code ? code : cudaStreamQuery(s);
  (void)buffer;
}

static void callbacks(void) {
  char *p = device(8);
  CHECK(cudaLaunchHostFunc(0, calls, p) == 0 && cudaStreamAddCallback(0, status, p, 0) == 0 && cudaDeviceSynchronize() == 0);
  for (int i = 0; i < 4; i++)
    CHECK(answers[i] == 800);
  CHECK(cudaLaunchHostFunc(0, 0, p) == 1 && cudaStreamAddCallback(0, 0, p, 0) == 1 && cudaStreamAddCallback(0, status, p, 7) == 1);
  CHECK(cudaGetLastError() == 1 && cudaFree(p) == 0);
}

static void streams(void) {
  enum { count = 5000 };
  static stream_t s[count];
  char *p = device(8 * count);
  for (int i = 0; i < count; i++)
    CHECK(cudaStreamCreate(&s[i]) == 0 && launch(1, 1, p + 8 * i, i, s[i]) == 0);
  CHECK(cudaDeviceSynchronize() == 0);
  for (int i = 0; i < count; i++)
    CHECK(cudaStreamDestroy(s[i]) == 0);
  CHECK(word(p + 8 * (count - 1)) == count - 1 && word(p + 8 * 7) == 7 && cudaFree(p) == 0);
}

static void kernels(void) {
  char *p = device(8);
  void *none[] = {0, 0};
  dim3 one = {1, 1, 1};
  CHECK(cudaLaunchKernel(0, one, one, 0, 0, 0) == 98);
  int code = cudaLaunchKernel((void *)works, one, one, 0, 0, 0);
  CHECK(code == 98 || code == 400);
  CHECK(cudaLaunchKernel((void *)k, one, one, 0, 0, 0) == 1 && cudaLaunchKernel((void *)k, one, one, none, 0, 0) == 1);
  void *bad[] = {(void *)0x123450, (void *)0x123450};
  CHECK(cudaLaunchKernel((void *)k, one, one, bad, 0, 0) == 1 && cudaLaunchKernel((void *)k, one, one, (void **)0x123450, 0, 0) == 1);
  CHECK(cudaMalloc((void **)0x123450, 8) == 1);
  CHECK(launch(0, 1, p, 1, 0) != 0 && launch(1, 0, p, 1, 0) != 0 && launch(1, 1025, p, 1, 0) != 0 && launch(1u << 31, 1, p, 1, 0) != 0);
  CHECK(cudaGetLastError() != 0 && cudaGetLastError() == 0 && cudaFree(p) == 0);
}

static void reset(void) {
  stream_t s;
  event_t e;
  char *p = device(8);
  CHECK(cudaStreamCreate(&s) == 0 && cudaEventCreate(&e) == 0 && launch(1, 1, p, 1, s) == 0 && cudaDeviceReset() == 0);
  CHECK(cudaFree(p) == 1 && cudaStreamSynchronize(s) == 400 && cudaEventQuery(e) == 400 && cudaMemset(p, 0, 8) == 1);
  CHECK(cudaGetLastError() == 1 && cudaDeviceReset() == 0 && cudaDeviceReset() == 0);
}

static void *thread(void *step) {
  ((void (*)(void))step)();
  return 0;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  image(argv[1]);
  void (*steps[])(void) = {memory, exhaustion, handles, callbacks, streams, kernels, reset};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    works();
    steps[i]();
    pthread_t t; // the same from another thread
    CHECK(pthread_create(&t, 0, thread, (void *)steps[i]) == 0 && pthread_join(t, 0) == 0);
  }
  works();
  puts("ok");
}
