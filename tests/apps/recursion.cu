// Functions that call themselves and each other, to a different depth in every thread.
#include "check.h"

__host__ __device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__host__ __device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ bool odd(int n);
__host__ __device__ __noinline__ bool even(int n) { return n == 0 || odd(n - 1); }
__host__ __device__ __noinline__ bool odd(int n) { return n != 0 && even(n - 1); }

// hanoi writes the moves of n disks, two bits a peg, and gives their number.
__host__ __device__ __noinline__ int hanoi(int n, int from, int to, unsigned char *moves) {
    if (n == 0) return 0;
    int k = hanoi(n - 1, from, 3 - from - to, moves);
    moves[k++] = static_cast<unsigned char>(from * 4 + to);
    return k + hanoi(n - 1, 3 - from - to, to, moves + k);
}

__global__ void run(int *out, unsigned char *moves) {
    int t = threadIdx.x;
    out[t] = fibonacci(t % 12);
    out[32 + t] = ackermann(t % 3, t / 3);
    out[64 + t] = even(t) * 2 + odd(t * 3);
    if (t == 0) out[96] = hanoi(6, 0, 2, moves);
}

int main() {
    size_t limit = 0;
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    std::printf("stack %zu\n", limit);
    int *out = device<int>(97);
    unsigned char *moves = device<unsigned char>(63);
    run<<<1, 32>>>(out, moves);
    OK(cudaDeviceSynchronize());
    std::vector<int> want(97);
    std::vector<unsigned char> path(63);
    for (int t = 0; t < 32; t++) {
        want[t] = fibonacci(t % 12);
        want[32 + t] = ackermann(t % 3, t / 3);
        want[64 + t] = even(t) * 2 + odd(t * 3);
    }
    want[96] = hanoi(6, 0, 2, path.data());
    auto got = host(out, 97);
    equal("values", got, want);
    equal("moves", host(moves, 63), path);
    std::printf("fibonacci %d, ackermann %d, hanoi %d\n", got[11], got[32 + 31], got[96]);
    return verdict();
}
