// Dynamic shared memory: two names for one array, and more than 48 KB after asking for it.
#include "check.h"

extern __shared__ int a[];
extern __shared__ float b[];

__global__ void alias(int *o, int last) {
    __shared__ int fixed[3];
    fixed[threadIdx.x % 3] = 1;
    a[last] = 77;
    __syncthreads();
    o[0] = static_cast<void *>(a) == static_cast<void *>(b);
    o[1] = __float_as_int(b[last]);
    auto begin = reinterpret_cast<char *>(a), end = begin + 4 * (last + 1);
    o[2] = begin >= reinterpret_cast<char *>(fixed + 3) || end <= reinterpret_cast<char *>(fixed);
}

// reverse turns n integers around in shared memory.
__global__ void reverse(const int *in, int *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = a[n - 1 - i];
}

static const char *launched() { return cudaGetErrorName(cudaGetLastError()); }

int main() {
    int *d = device<int>(3), big = 60 * 1024;
    alias<<<1, 32, big>>>(d, 15000);
    std::printf("60 KB, not asked for: %s\n", launched());
    OK(cudaFuncSetAttribute(alias, cudaFuncAttributeMaxDynamicSharedMemorySize, big));
    alias<<<1, 32, big>>>(d, 15000);
    std::printf("60 KB, asked for: %s\n", launched());
    OK(cudaDeviceSynchronize());
    equal("alias", host(d, 3), std::vector<int>{1, 77, 1});

    int most = 0;
    OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    std::printf("too much: %s\n",
                cudaGetErrorName(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1)));
    cudaGetLastError();
    OK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    const int n = most / 4;
    std::vector<int> in(n), want(n);
    for (int i = 0; i < n; i++) in[i] = want[n - 1 - i] = i * 3;
    int *out = device<int>(n);
    reverse<<<1, 512, n * 4>>>(device(in), out, n);
    std::printf("%d bytes: %s\n", n * 4, launched());
    OK(cudaDeviceSynchronize());
    equal("reverse", host(out, n), want);
    return verdict();
}
