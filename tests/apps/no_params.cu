// A kernel that takes nothing, launched often; another that does nothing.
#include "check.h"

__device__ unsigned ticks;

__global__ void tick() { atomicInc(&ticks, 0xffffffffu); }
__global__ void nothing() {}

int main() {
    for (int i = 0; i < 50; i++) {
        tick<<<2, 33>>>();
        nothing<<<1, 1>>>();
    }
    OK(cudaDeviceSynchronize());
    unsigned n = 0;
    OK(cudaMemcpyFromSymbol(&n, ticks, sizeof n));
    std::printf("%u ticks\n", n);
    expect(n == 50 * 66, "every thread ticked once a launch");
    return verdict();
}
