// Takes the card's memory in blocks of 16 GiB until there is none, twice over.
#include "check.h"

static const size_t block = size_t(16) << 30;

static void fill() {
    std::vector<char *> taken;
    char *p = nullptr;
    cudaError_t e = cudaSuccess;
    while (taken.size() < 100 && (e = cudaMalloc(&p, block)) == cudaSuccess) taken.push_back(p);
    std::printf("%zu blocks, then %s\n", taken.size(), cudaGetErrorName(e));
    expect(e == cudaErrorMemoryAllocation && cudaGetLastError() == e, "memory ends");
    OK(cudaMalloc(&p, 1 << 20)); // a little is left all the same
    OK(cudaFree(p));
    size_t available = 0, total = 0;
    OK(cudaMemGetInfo(&available, &total));
    expect(available < block && taken.size() == total / block, "the whole card was taken");

    // The last byte of the last block is there.
    char c = 'x', back = 0;
    if (!taken.empty()) {
        OK(cudaMemcpy(taken.back() + block - 1, &c, 1, cudaMemcpyHostToDevice));
        OK(cudaMemcpy(&back, taken.back() + block - 1, 1, cudaMemcpyDeviceToHost));
    }
    expect(back == c, "it can be used");
    for (char *t : taken) OK(cudaFree(t));
}

int main() {
    fill();
    fill();
    return verdict();
}
