// Built with --default-stream per-thread: every host thread has a default stream of its own.
#include "check.h"
#include <thread>

__global__ void step(int *p, int add) { *p = *p * 3 + add; }

static void work(int id, int *result) {
    int *d = device<int>(1);
    for (int i = 0; i < 20; i++) step<<<1, 1>>>(d, id + i);
    OK(cudaStreamSynchronize(0));
    OK(cudaMemcpyAsync(result, d, sizeof(int), cudaMemcpyDeviceToHost, cudaStreamPerThread));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    OK(cudaFree(d));
}

int main() {
    const int n = 6;
    std::vector<int> got(n), want(n);
    std::vector<std::thread> threads;
    for (int i = 0; i < n; i++) threads.emplace_back(work, i, &got[i]);
    for (auto &t : threads) t.join();
    for (int i = 0; i < n; i++) {
        unsigned v = 0;
        for (int j = 0; j < 20; j++) v = v * 3 + unsigned(i + j);
        want[i] = int(v);
    }
    equal("threads", got, want);
    for (int v : got) std::printf("%d\n", v);

    // Errors belong to the thread that made them.
    step<<<0, 1>>>(nullptr, 0);
    cudaError_t other = cudaErrorUnknown;
    std::thread([&] { other = cudaPeekAtLastError(); }).join();
    std::printf("there %s, here %s\n", cudaGetErrorName(other), cudaGetErrorName(cudaGetLastError()));
    return verdict();
}
