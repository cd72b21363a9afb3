#include "shared.h"

__device__ int base = 100;
__constant__ int factor = 3;

static __device__ int private_step(int x) { return x + 1; }

__device__ int square(int x) { return x * x; }
__device__ int deeper(int x, int depth) { return depth ? deeper(x + factor, depth - 1) : private_step(x); }
__device__ Step steps[2] = {square, private_step};
