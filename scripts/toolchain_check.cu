// Compiled by toolchain.sh to see that a fresh nvcc works.
#include <cstdio>

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main() {
    float *p = nullptr;
    cudaMalloc(&p, 12 * sizeof(float));
    add<<<1, 4>>>(p, p + 4, p + 8, 4);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
