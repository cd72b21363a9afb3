// Host functions in a stream: they run between the work before and after them.
#include "check.h"
#include <string>

__global__ void put(volatile int *p, int v) { *p = v; }

struct Note {
    std::string *log;
    volatile int *cell;
    char name;
};

static void note(void *arg) {
    auto n = static_cast<Note *>(arg);
    *n->log += n->name + std::to_string(*n->cell) + " ";
}

static void CUDART_CB after(cudaStream_t, cudaError_t e, void *arg) {
    note(arg);
    if (e != cudaSuccess) std::printf("callback got %s\n", cudaGetErrorName(e));
}

int main() {
    std::string log;
    int *h = nullptr;
    OK(cudaHostAlloc(reinterpret_cast<void **>(&h), sizeof(int), cudaHostAllocMapped));
    *h = 0;
    Note a{&log, h, 'a'}, b{&log, h, 'b'}, c{&log, h, 'c'}, d{&log, h, 'd'};
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaLaunchHostFunc(s, note, &a));
    put<<<1, 1, 0, s>>>(h, 1);
    OK(cudaLaunchHostFunc(s, note, &b));
    put<<<1, 1, 0, s>>>(h, 2);
    OK(cudaStreamAddCallback(s, after, &c, 0));
    put<<<1, 1, 0, s>>>(h, 3);
    OK(cudaLaunchHostFunc(s, note, &d));
    OK(cudaStreamSynchronize(s));
    std::printf("%s\n", log.c_str());
    expect(log == "a0 b1 c2 d3 ", "each saw the work before it and none after it");
    OK(cudaStreamDestroy(s));
    OK(cudaFreeHost(h));
    return verdict();
}
