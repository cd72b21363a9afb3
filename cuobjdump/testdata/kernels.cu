// The device code of the fixtures: small kernels that between them use every
// attribute that the cubin reader knows. See README.

__constant__ int bias = 7;
__device__ int total;
__device__ float weights[3] = {1, 2, 3};

extern "C" __global__ void __launch_bounds__(128) scale(int *out, short n, long k) {
    __shared__ int tile[128];
    tile[threadIdx.x] = out[threadIdx.x] + bias;
    __syncthreads();
    if (threadIdx.x < n) out[threadIdx.x] = tile[127 - threadIdx.x] * (int)k;
    if (threadIdx.x == 0) total = n;
}

template <class T> __global__ void fill(T *out, T v) { out[threadIdx.x] = v; }
template __global__ void fill<float>(float *, float);

#ifndef SMALL
extern "C" __global__ void locals(int *io, int n) {
    int a[64];
    for (int i = 0; i < n; i++) a[i] = io[i];
    io[0] = a[n - 1] + weights[n] + bias;
}

__device__ int fib(int n) { return n < 2 ? 1 : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void recursive(int *out) { *out = fib(*out); }
#endif

extern "C" __global__ void empty() {}

#ifdef WIDE
struct Wide { char bytes[4100]; };
extern "C" __global__ void wide(char *out, const __grid_constant__ Wide w, int i) { *out = w.bytes[i]; }
#endif

#ifdef CLUSTER
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster(double *io) {
    asm volatile("bar.sync 5, 32;");
    io[0] = 1;
}
#endif
