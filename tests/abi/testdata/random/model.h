// What the parts of the program share: the state that a host thread knows of, and the check of a code against it.
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "../cuda_driver.h"

enum { mostBlocks = 24, mostStreams = 6, mostEvents = 8, mostWords = 1 << 12 };

// block is device memory and the words that it has to hold.
struct block {
  void *at;
  size_t words;
  unsigned *want;
  cudaStream_t stream; // of the latest work on it
  int pooled;          // to be freed in stream order
};

// host is a host thread.
struct host {
  int number;
  uint64_t random;
  int stopped; // the code of the fault that has stopped the device, 0 if none has
  int last;    // the runtime's last error
  long calls;
  atomic_long ran; // host functions of its streams

  struct block blocks[mostBlocks];
  cudaStream_t streams[mostStreams];
  cudaEvent_t events[mostEvents];
  int nblocks, nstreams, nevents;
};

// kernels that the threads launch: through the runtime, and through the driver.
struct kernels {
  cudaKernel_t add, wild, odd, stop;
};
extern struct kernels kernels;
extern const char ptx[];
extern atomic_int failures;

typedef void action(struct host *);
extern action *const runtimeActions[], *const driverActions[];
extern const int runtimeActionCount, driverActionCount;

// below returns a number below n.
unsigned below(struct host *h, unsigned n);
cudaStream_t anyStream(struct host *h);
// visit orders work on a block in a stream after the work that it has had.
void visit(struct host *h, struct block *b, cudaStream_t s);
// forget drops everything that the device had.
void forget(struct host *h);

// check compares the code of a call. Errors of the runtime stay in the thread; those of the driver do not.
void check(struct host *h, const char *call, int line, int got, int want, int runtime);

// WANT is a call of the runtime and its code; once a fault has stopped the device it is the fault's. FIRST is one whose
// mistake is found before. DRIVER and ALWAYS are the same for calls of the driver.
#define WANT(call, code) check(h, #call, __LINE__, (int)(call), h->stopped ? h->stopped : (code), 1)
#define FIRST(call, code) check(h, #call, __LINE__, (int)(call), code, 1)
#define DRIVER(call, code) check(h, #call, __LINE__, (int)(call), h->stopped ? h->stopped : (code), 0)
#define ALWAYS(call, code) check(h, #call, __LINE__, (int)(call), code, 0)

enum { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default };
