// One fault a process, chosen by name: which error it is, and that it stays.
#include "check.h"
#include <cstring>

enum Mode { misaligned, misaligned16, wild, null, trap, shared_wild, shared_misaligned, atomic_wild, modes };

static const char *const names[modes] = {"misaligned",  "misaligned16",      "wild",       "null", "trap",
                                         "shared_wild", "shared_misaligned", "atomic_wild"};

__global__ void fault(char *p, int mode, int offset) {
    __shared__ int s[32];
    s[threadIdx.x] = mode;
    __syncthreads();
    if (threadIdx.x != 5) return;
    char *q = reinterpret_cast<char *>(s);
    if (mode == misaligned) *reinterpret_cast<volatile int *>(p + 2) = 1;
    if (mode == misaligned16) *reinterpret_cast<int4 *>(p + 8) = make_int4(1, 2, 3, 4);
    if (mode == wild) *reinterpret_cast<volatile int *>(p + (1ull << 40)) = 1;
    if (mode == null) *reinterpret_cast<volatile int *>(p - reinterpret_cast<size_t>(p)) = 1;
    if (mode == trap) __trap();
    if (mode == shared_wild) p[0] = *reinterpret_cast<volatile char *>(q + offset * 1000);
    if (mode == shared_misaligned) *reinterpret_cast<volatile int *>(q + offset % 4) = 1;
    if (mode == atomic_wild) atomicAdd(reinterpret_cast<int *>(p + (1ull << 40)), 1);
}

static void report(const char *what, cudaError_t e) { std::printf("%s: %d %s\n", what, e, cudaGetErrorName(e)); }

int main(int argc, char **argv) {
    int mode = 0;
    while (mode < modes && (argc < 2 || std::strcmp(argv[1], names[mode]))) mode++;
    if (mode == modes) {
        std::printf("no such fault\n");
        return 2;
    }
    char *d = device<char>(64);
    fault<<<1, 32>>>(d, mode, 1001);
    report("launch", cudaGetLastError());
    cudaError_t e = cudaDeviceSynchronize();
    report("synchronize", e);
    report("malloc", cudaMalloc(&d, 4));
    report("last", cudaGetLastError());
    fault<<<1, 32>>>(d, modes, 0);
    report("again", cudaGetLastError());
    expect(e != cudaSuccess, "a fault is an error");
    return verdict();
}
