// Exclusive prefix sum of 5000 numbers: blocks, the block sums, and their addition.
#include "check.h"

constexpr int B = 256;

__global__ void scan(const int *in, int *out, int *sums, int n) {
    __shared__ int s[2 * B];
    int t = threadIdx.x, base = blockIdx.x * 2 * B, total = 0;
    s[t] = base + t < n ? in[base + t] : 0;
    s[t + B] = base + t + B < n ? in[base + t + B] : 0;
    int step = 1;
    for (int d = B; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    }
    __syncthreads();
    if (t == 0) {
        total = s[2 * B - 1];
        s[2 * B - 1] = 0;
        if (sums) sums[blockIdx.x] = total;
    }
    for (int d = 1; d < 2 * B; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            int lo = step * (2 * t + 1) - 1, hi = step * (2 * t + 2) - 1, x = s[lo];
            s[lo] = s[hi];
            s[hi] += x;
        }
    }
    __syncthreads();
    if (base + t < n) out[base + t] = s[t];
    if (base + t + B < n) out[base + t + B] = s[t + B];
}

__global__ void add(int *out, const int *offsets, int n) {
    int i = blockIdx.x * 2 * B + threadIdx.x;
    if (i < n) out[i] += offsets[blockIdx.x];
    if (i + B < n) out[i + B] += offsets[blockIdx.x];
}

int main() {
    const int n = 5000, blocks = (n + 2 * B - 1) / (2 * B);
    Random r(2);
    std::vector<int> in(n), want(n);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        in[i] = int(r.below(2001)) - 1000;
        want[i] = sum;
        sum += in[i];
    }
    int *out = device<int>(n), *sums = device<int>(blocks), *offsets = device<int>(blocks);
    scan<<<blocks, B>>>(device(in), out, sums, n);
    scan<<<1, B>>>(sums, offsets, nullptr, blocks);
    add<<<blocks, B>>>(out, offsets, n);
    OK(cudaDeviceSynchronize());
    auto got = host(out, n);
    equal("scan", got, want);
    std::printf("%d blocks, last prefix %d\n", blocks, got[n - 1]);
    return verdict();
}
