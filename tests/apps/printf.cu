// printf from kernels: every kind of conversion, from a nested call, in block order.
#include "check.h"

__device__ __noinline__ void deep(int depth, const char *s) {
    if (depth > 0) {
        deep(depth - 1, s);
        return;
    }
    printf("%d %u %lld %llx %c %s %5.2f %.3e %lu %% %-4d|%05d|%+d\n", -1, 4000000000u, -5000000000LL,
           0x1122334455667788ULL, 'z', s, 3.14159, 1e-10, 8ul, 7, 42, 3);
    printf("plain 100%%\n");
    printf("%s%s%s", "a", "b", "c\n");
}

__global__ void nested() { deep(3, "dev"); }

__device__ int results[4];

__global__ void many(float f, double d, short h, unsigned char b) {
    results[0] = printf("%f %g %e %a\n", f, d, d, 0.5);
    results[1] = printf("%hd %u %i %o %X %#x\n", h, b, -7, 511u, 0xbeefu, 255u);
    results[2] = printf("[%8s|%-8s|%.2s]\n", "right", "left", "cut");
    results[3] = printf("no arguments\n");
    printf("%g %g %g\n", 1.0 / 0.0, -1.0 / 0.0, f / 3);
    printf("%5c|%-5c|%3d|%-3d|% d\n", 'x', 'y', 1, 2, 3);
}

__global__ void rows(const int *turn) {
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == turn[i]) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
        __syncthreads();
    }
}

int main() {
    nested<<<1, 1>>>();
    std::printf("host first\n");
    std::fflush(stdout);
    OK(cudaDeviceSynchronize());

    many<<<1, 1>>>(1.5f, 2.25e10, -3, 200);
    OK(cudaDeviceSynchronize());
    int got[4];
    OK(cudaMemcpyFromSymbol(got, results, sizeof got));
    std::printf("results %d %d %d %d\n", got[0], got[1], got[2], got[3]);
    std::fflush(stdout);

    const int *turn = device(std::vector<int>{33, 2, 63});
    for (int i = 0; i < 2; i++) rows<<<1, 64>>>(turn);
    OK(cudaDeviceSynchronize());
    return verdict();
}
