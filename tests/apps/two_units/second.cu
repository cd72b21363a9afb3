#include "shared.h"

static __device__ int bias = 7;

static __global__ void change(int *p) { p[threadIdx.x] *= bias; }

namespace {
__global__ void hidden(int *p) { p[threadIdx.x] -= 2; }
}

void second(int *d) {
    fill<int><<<1, 8>>>(d, 3);
    change<<<1, 8>>>(d);
    hidden<<<1, 8>>>(d);
}
