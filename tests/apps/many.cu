// Much of everything: launches, allocations, host threads with streams of their own.
#include "check.h"
#include <thread>

__global__ void nothing() {}
__global__ void add(int *p, int v) { atomicAdd(p, v); }

static void work(int id, int *total) {
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < 20; i++) add<<<1, 32, 0, s>>>(total, id);
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamDestroy(s));
}

int main() {
    for (int i = 0; i < 1000; i++) nothing<<<1, 32>>>();
    OK(cudaDeviceSynchronize());
    std::printf("1000 launches\n");

    size_t before = 0, after = 0, total = 0;
    OK(cudaMemGetInfo(&before, &total));
    for (int i = 0; i < 10000; i++) {
        void *p = nullptr;
        OK(cudaMalloc(&p, 256 + i % 5000));
        OK(cudaFree(p));
    }
    OK(cudaMemGetInfo(&after, &total));
    std::printf("10000 allocations\n");

    const int n = 64;
    int *sum = device<int>(1), want = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < n; i++) {
        threads.emplace_back(work, i, sum);
        want += i * 20 * 32;
    }
    for (auto &t : threads) t.join();
    int got = host(sum, 1)[0];
    std::printf("%d threads, %d\n", n, got);
    expect(got == want, "every launch counted");
    return verdict();
}
