// Constants: initialised, in a namespace without a name, templates; copies to a part of one.
#include "check.h"

__constant__ int c[4] = {1, 2, 3, 4};
namespace {
__constant__ float hidden = 2.0f;
}
namespace outer {
__constant__ double inner[3] = {0.5, 0.25, 0.125};
}
template <class T> __constant__ T m[2];
__device__ int counter = 40;

__global__ void read(float *o) {
    o[0] = c[0] + c[1] + c[2] + c[3];
    o[1] = hidden;
    o[2] = m<float>[1];
    o[3] = m<double>[0];
    o[4] = outer::inner[threadIdx.x] + outer::inner[2];
    counter += 2;
}

int main() {
    float *d = device<float>(5), f[2] = {5, 6};
    double g[2] = {7, 8};
    int v = 99, n = 0;
    read<<<1, 1>>>(d);
    OK(cudaDeviceSynchronize());
    equal("before", host(d, 5), std::vector<float>{10, 2, 0, 0, 0.625f});

    OK(cudaMemcpyToSymbol(c, &v, 4, 8));
    OK(cudaMemcpyToSymbol(m<float>, f, 8));
    OK(cudaMemcpyToSymbol(m<double>, g, 16));
    read<<<1, 1>>>(d);
    OK(cudaDeviceSynchronize());
    equal("after", host(d, 5), std::vector<float>{106, 2, 6, 7, 0.625f});

    OK(cudaMemcpyFromSymbol(&n, counter, sizeof n));
    void *address = nullptr;
    size_t size = 0, other = 0;
    OK(cudaGetSymbolAddress(&address, c));
    OK(cudaGetSymbolSize(&size, c));
    OK(cudaGetSymbolSize(&other, outer::inner));
    int back[4] = {};
    OK(cudaMemcpy(back, address, sizeof back, cudaMemcpyDeviceToHost));
    expect(back[2] == 99 && back[3] == 4, "the symbol's address leads to its value");
    std::printf("counter %d, sizes %zu %zu\n", n, size, other);
    std::printf("past the end: %s\n", cudaGetErrorName(cudaMemcpyToSymbol(c, &v, 4, 16)));
    std::printf("no symbol: %s\n", cudaGetErrorName(cudaGetSymbolSize(&size, &v)));
    std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    std::printf("then: %s\n", cudaGetErrorName(cudaGetLastError()));
    return verdict();
}
