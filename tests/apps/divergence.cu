// Lanes that go their own ways: loops of different length, switches, early returns, and meeting again.
#include "check.h"

__host__ __device__ inline int collatz(unsigned n) {
    int steps = 0;
    for (; n != 1; steps++) {
        if (n % 2) n = 3 * n + 1;
        else n /= 2;
    }
    return steps;
}

__host__ __device__ inline int maze(int t) {
    int v = 0;
    for (int i = 0; i < 20; i++) {
        if ((t + i) % 7 == 3) continue;
        switch ((t * i) % 6) {
        case 0: v += 1; break;
        case 1: v ^= t; // falls through
        case 2: v += i; break;
        case 3:
            for (int j = 0; j < t % 5; j++) {
                if (j == 3) break;
                v += j * t;
            }
            break;
        case 4:
            if (v > 300) return -v;
            v *= 2;
            break;
        default: goto shift;
        }
        continue;
    shift:
        v = v * 3 - t;
    }
    return v;
}

__global__ void walk(int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * t] = collatz(t + 1);
    out[2 * t + 1] = maze(t);
}

// After a loop of different length in every lane, all of them vote together.
__global__ void meet(unsigned *out) {
    int t = threadIdx.x, n = 0;
    while (n < t % 11) n++;
    out[t] = __ballot_sync(0xffffffffu, n & 1);
}

int main() {
    const int n = 192;
    int *out = device<int>(2 * n);
    walk<<<3, n / 3>>>(out);
    OK(cudaDeviceSynchronize());
    std::vector<int> want(2 * n);
    for (int t = 0; t < n; t++) {
        want[2 * t] = collatz(t + 1);
        want[2 * t + 1] = maze(t);
    }
    auto got = host(out, 2 * n);
    equal("walk", got, want);
    std::printf("walk %08x\n", checksum(got));

    unsigned *votes = device<unsigned>(32), mask = 0;
    meet<<<1, 32>>>(votes);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++) mask |= unsigned(t % 11 & 1) << t;
    equal("meet", host(votes, 32), std::vector<unsigned>(32, mask));
    std::printf("meet %08x\n", mask);
    return verdict();
}
