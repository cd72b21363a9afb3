// C = A*B through 16x16 tiles in shared memory; no size is a multiple of the tile.
#include "check.h"

constexpr int T = 16;

__global__ void gemm(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float ta[T][T], tb[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < k; t += T) {
        int x = t + threadIdx.x, y = t + threadIdx.y;
        ta[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : 0;
        tb[threadIdx.y][threadIdx.x] = y < k && col < n ? b[y * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < T; i++) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

int main() {
    const int m = 50, n = 70, k = 41;
    Random r(1);
    std::vector<float> a(m * k), b(k * n), want(m * n);
    for (auto &x : a) x = int(r.below(17)) - 8;
    for (auto &x : b) x = int(r.below(17)) - 8;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < k; l++) want[i * n + j] += a[i * k + l] * b[l * n + j];
    float *c = device<float>(m * n);
    gemm<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(device(a), device(b), c, m, n, k);
    OK(cudaDeviceSynchronize());
    auto got = host(c, m * n);
    equal("c", got, want);
    std::printf("%dx%d from k=%d, corner %g, checksum %08x\n", m, n, k, got[m * n - 1], checksum(got));
    return verdict();
}
