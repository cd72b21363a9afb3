// Adds two vectors whose length is no multiple of the block.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main() {
    const int n = 10000;
    std::vector<float> a(n), b(n), want(n);
    for (int i = 0; i < n; i++) {
        a[i] = i * 0.5f;
        b[i] = (n - i) * 0.25f;
        want[i] = a[i] + b[i];
    }
    float *c = device<float>(n);
    add<<<(n + 255) / 256, 256>>>(device(a), device(b), c, n);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    auto got = host(c, n);
    equal("c", got, want);
    std::printf("%d sums, first %g, last %g\n", n, got[0], got[n - 1]);
    return verdict();
}
