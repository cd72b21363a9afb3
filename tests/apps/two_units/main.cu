// Two units with static kernels and variables of the same names, and one template in both.
#include "../check.h"
#include "shared.h"

namespace {
__global__ void hidden(int *p) { p[threadIdx.x] += 1000; }
}

int main() {
    int *d = device<int>(8);
    std::vector<int> want(8);
    first(d);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++) want[i] = 1 + i + 100;
    equal("first", host(d, 8), want);
    second(d);
    hidden<<<1, 8>>>(d);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++) want[i] = (3 + i) * 7 - 2 + 1000;
    auto got = host(d, 8);
    equal("second", got, want);
    std::printf("%d to %d\n", got[0], got[7]);
    return verdict();
}
