// Host memory that the device reads and writes in place: allocated so, or registered.
#include "check.h"
#include <cstdint>

__global__ void add(int *p, const int *q, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] += q[i];
}

int main() {
    const int n = 50;
    int *h = nullptr, *dev = nullptr;
    OK(cudaHostAlloc(reinterpret_cast<void **>(&h), n * sizeof(int), cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&dev), h, 0));
    std::vector<int> own(n), want(n);
    for (int i = 0; i < n; i++) {
        h[i] = i;
        own[i] = 1000 * i;
        want[i] = 1001 * i;
    }
    add<<<1, 64>>>(dev, device(own), n);
    OK(cudaDeviceSynchronize());
    equal("allocated", std::vector<int>(h, h + n), want);

    int *reg = nullptr;
    OK(cudaHostRegister(own.data(), n * sizeof(int), cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&reg), own.data(), 0));
    add<<<1, 64>>>(reg, dev, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) want[i] = 2001 * i;
    equal("registered", own, want);

    unsigned flags = 0;
    cudaPointerAttributes at;
    OK(cudaHostGetFlags(&flags, h));
    OK(cudaPointerGetAttributes(&at, h + 3));
    std::printf("flags %u, type %d, host address kept %d\n", flags, at.type, at.hostPointer == h + 3);
    OK(cudaHostUnregister(own.data()));
    std::printf("again: %s\n", cudaGetErrorName(cudaHostUnregister(own.data())));
    cudaGetLastError();
    OK(cudaFreeHost(h));
    return verdict();
}
