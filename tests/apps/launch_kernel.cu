// cudaLaunchKernel by hand, and what the runtime knows about a function.
#include "check.h"

__global__ void line(char c, short s, double d, int *out, int3 v) {
    out[threadIdx.x] = c + s + int(d * 2) + v.x * v.y * v.z + threadIdx.x;
}

template <class T, int n> __global__ void __launch_bounds__(128) sized(T *out) {
    __shared__ T s[n];
    s[threadIdx.x % n] = T(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x + 1) % n];
}

int main() {
    int *out = device<int>(64);
    char c = 'A';
    short s = -300;
    double d = 20.5;
    int3 v = make_int3(3, 5, 7);
    void *args[] = {&c, &s, &d, &out, &v};
    OK(cudaLaunchKernel(reinterpret_cast<const void *>(line), dim3(1), dim3(64), args, 0, nullptr));
    c = 'Z'; // the arguments were copied
    OK(cudaDeviceSynchronize());
    std::vector<int> want(64);
    for (int i = 0; i < 64; i++) want[i] = 'A' - 300 + 41 + 105 + i;
    equal("line", host(out, 64), want);

    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    void *one[] = {&out};
    OK(cudaLaunchKernel(reinterpret_cast<const void *>(sized<int, 64>), dim3(1), dim3(64), one, 0, stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 64; i++) want[i] = (i + 1) % 64;
    equal("sized", host(out, 64), want);
    OK(cudaStreamDestroy(stream));

    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, reinterpret_cast<const void *>(sized<double, 32>)));
    std::printf("shared %zu, threads %d, local %zu, constant %zu\n", a.sharedSizeBytes, a.maxThreadsPerBlock,
                a.localSizeBytes, a.constSizeBytes);
    expect(a.numRegs > 0 && a.numRegs < 64, "registers");
    int blocks = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sized<double, 32>, 128, 0));
    std::printf("blocks of 128 per multiprocessor: %d\n", blocks);
    return verdict();
}
