// Functions of the program that streams call. A thread that runs one may not make API calls meanwhile. Core only.

#include "lockstep.h"

LS_TLS uint8_t ls_in_callback;

void ls_call_host(cudaHostFn_t f, void *user) {
  ls_in_callback = 1;
  f(user);
  ls_in_callback = 0;
}

void ls_call_stream(cudaStreamCallback_t f, cudaStream_t stream, cudaError_t status, void *user) {
  ls_in_callback = 1;
  f(stream, status, user);
  ls_in_callback = 0;
}

size_t ls_call_shared(CUoccupancyB2DSize f, int threads) { return f(threads); }

void ls_call_driver_stream(CUstreamCallback f, CUhandle stream, CUresult status, void *user) {
  ls_in_callback = 1;
  f(stream, status, user);
  ls_in_callback = 0;
}
