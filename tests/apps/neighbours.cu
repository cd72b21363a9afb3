// A read just outside an allocation: hardware checks blocks of 2 MiB, not allocations.
#include "check.h"
#include <cstring>

__global__ void reach(const char *p, long offset, int *out) { *out = p[offset] != 0; }

int main(int argc, char **argv) {
    const long size = 64 << 10;
    char *p = device<char>(size); // the first allocation: the driver's memory lies before it
    bool before = argc > 1 && !std::strcmp(argv[1], "before");
    reach<<<1, 1>>>(p, before ? -2048 : size + 2048, device<int>(1));
    cudaError_t e = cudaDeviceSynchronize();
    std::printf("%s: %s\n", before ? "before" : "past", cudaGetErrorName(e));
    return verdict();
}
