// A thread that a constructor starts makes the first calls, before main; then several threads with a stream each, and
// errors that travel as exceptions.
#include "check.h"
#include <stdexcept>
#include <string>
#include <thread>

__device__ int visits;
__constant__ int factor;
__managed__ int sum;

__global__ void scale(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = x[i] * factor + i;
    atomicAdd(&visits, 1);
    atomicAdd(&sum, x[i]);
}

// early uses the device while the program's constructors run; kernels may not be registered yet.
struct early {
    int result = -1;
    std::thread thread;

    early() : thread([this] { compute(); }) {}

    void compute() {
        int *d = nullptr;
        OK(cudaMalloc(&d, sizeof *d));
        OK(cudaMemset(d, 7, sizeof *d));
        OK(cudaMemcpy(&result, d, sizeof *d, cudaMemcpyDeviceToHost));
        OK(cudaFree(d));
    }
};

static early first;

// share is what each thread does: its own stream and memory, one kernel for all.
static void share(int number, int *wrong) {
    const int n = 1000;
    std::vector<int> x(n, number);
    int *d = nullptr;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&d, n * sizeof *d));
    OK(cudaMemcpyAsync(d, x.data(), n * sizeof *d, cudaMemcpyHostToDevice, stream));
    scale<<<4, 256, 0, stream>>>(d, n);
    OK(cudaMemcpyAsync(x.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaFree(d));
    OK(cudaStreamDestroy(stream));
    for (int i = 0; i < n; i++) *wrong += x[i] != number * 3 + i;
}

static void must(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

// thrown gives the name of the error that a call throws.
template <class F> std::string thrown(F call) {
    try {
        call();
    } catch (const std::exception &e) {
        return e.what();
    }
    return "nothing";
}

int main() {
    first.thread.join();
    std::printf("before main: %x\n", first.result);

    const int three = 3, threads = 8;
    OK(cudaMemcpyToSymbol(factor, &three, sizeof three));
    int wrong[threads] = {};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; t++) all.emplace_back(share, t, &wrong[t]);
    for (auto &t : all) t.join();
    for (int w : wrong) expect(w == 0, "what a thread computed");
    int count = 0;
    OK(cudaMemcpyFromSymbol(&count, visits, sizeof count));
    std::printf("visits %d, sum %d\n", count, sum);

    int *p = nullptr;
    std::printf("thrown: %s\n", thrown([&] { must(cudaMalloc(&p, ~size_t(0))); }).c_str());
    std::printf("thrown: %s\n", thrown([&] { must(cudaFree(&wrong)); }).c_str());
    std::printf("thrown: %s\n", thrown([&] {
        scale<<<0, 1>>>(p, 0);
        if (cudaGetLastError() != cudaSuccess) throw std::runtime_error("the launch");
    }).c_str());
    return verdict();
}
