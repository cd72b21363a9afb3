// A failed assertion: the text goes to stderr, the error is 710 and stays.
#include "check.h"
#include <cassert>

__device__ int reached;

__global__ void positive(const int *v) {
    assert(v[threadIdx.x] > 0);
    if (threadIdx.x == 0) reached = 1;
}

int main() {
    const int *good = device(std::vector<int>{1, 2, 3, 4}), *bad = device(std::vector<int>{1, 2, -3, 4});
    positive<<<1, 4>>>(good);
    OK(cudaDeviceSynchronize());
    int r = 0;
    OK(cudaMemcpyFromSymbol(&r, reached, sizeof r));
    expect(r == 1, "a true assertion changes nothing");

    positive<<<1, 4>>>(bad);
    cudaError_t e = cudaDeviceSynchronize();
    std::printf("%d %s: %s\n", e, cudaGetErrorName(e), cudaGetErrorString(e));
    expect(e == cudaErrorAssert, "a false one is reported");
    int *p = nullptr;
    std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
    std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    std::printf("still: %s\n", cudaGetErrorName(cudaGetLastError()));
    positive<<<1, 4>>>(good);
    std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    return verdict();
}
