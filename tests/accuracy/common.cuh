// What microbenchmarks have in common: lines "name value", groups to choose from, the cycle counter.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

static const char *chosen; // the group to be measured

static bool runs(const char *group) { return !chosen || !strcmp(chosen, group); }

static void print(const char *name, int n, double value) { printf("%s_%d %.2f\n", name, n, value); }

__device__ __forceinline__ long long now()
{
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Span is the time from the first start to the last end of a CTA's warps.
struct Span {
    unsigned long long first, last;
    __device__ void open()
    {
        if (threadIdx.x == 0) first = ~0ull, last = 0;
        __syncthreads();
    }
    __device__ void close(long long start, long long *out)
    {
        long long end = now();
        if (threadIdx.x % 32 == 0) {
            atomicMin(&first, (unsigned long long)start);
            atomicMax(&last, (unsigned long long)end);
        }
        __syncthreads();
        if (threadIdx.x == 0) out[blockIdx.x] = last - first;
    }
};
