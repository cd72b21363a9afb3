// Barriers: after some threads have left, with a vote, in blocks that are no whole warps.
#include "check.h"

// Half of warp 1 and all of warp 2 leave; the others must not wait for them.
__global__ void leave(int *out) {
    __shared__ int s[48];
    int t = threadIdx.x;
    if (t >= 48) return;
    s[t] = t;
    __syncthreads();
    out[t] = s[47 - t];
}

__global__ void count(int *out) {
    int t = threadIdx.x;
    int n = __syncthreads_count(t % 3 == 0), a = __syncthreads_and(t < 70), o = __syncthreads_or(t == 69);
    out[t] = n * 100 + (a != 0) * 10 + (o != 0);
}

// Thread 0 leaves while the rest pass one barrier after another.
__global__ void relay(int *out, int rounds) {
    __shared__ int s[2][100];
    int t = threadIdx.x, n = blockDim.x;
    s[0][t] = t;
    __syncthreads();
    if (t == 0) return;
    for (int i = 0; i < rounds; i++) {
        s[(i + 1) & 1][t] = s[i & 1][t == 1 ? n - 1 : t - 1];
        __syncthreads();
    }
    out[t] = s[rounds & 1][t];
}

int main() {
    int *out = device<int>(100);
    leave<<<1, 96>>>(out);
    OK(cudaDeviceSynchronize());
    std::vector<int> want(48);
    for (int t = 0; t < 48; t++) want[t] = 47 - t;
    equal("leave", host(out, 48), want);

    count<<<1, 70>>>(out);
    OK(cudaDeviceSynchronize());
    equal("count", host(out, 70), std::vector<int>(70, 2411));
    std::printf("count %d\n", host(out, 1)[0]);

    const int n = 100, rounds = 40;
    OK(cudaMemset(out, 0, n * sizeof(int)));
    relay<<<1, n>>>(out, rounds);
    OK(cudaDeviceSynchronize());
    want.assign(n, 0);
    for (int t = 1; t < n; t++) want[t] = 1 + (t - 1 + (n - 1) - rounds) % (n - 1);
    auto got = host(out, n);
    equal("relay", got, want);
    std::printf("relay %d %d\n", got[1], got[99]);
    return verdict();
}
