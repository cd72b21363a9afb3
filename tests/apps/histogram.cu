// 64 bins in shared memory, then added to the global ones.
#include "check.h"

constexpr int bins = 64;

__global__ void histogram(const unsigned char *data, int n, unsigned *out) {
    __shared__ unsigned s[bins];
    for (int i = threadIdx.x; i < bins; i += blockDim.x) s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[data[i] >> 2], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&out[i], s[i]);
}

int main() {
    const int n = 40000;
    Random r(3);
    std::vector<unsigned char> data(n);
    std::vector<unsigned> want(bins);
    for (auto &x : data) {
        x = static_cast<unsigned char>(r.below(256) & r.below(256));
        want[x >> 2]++;
    }
    unsigned *out = device<unsigned>(bins);
    histogram<<<7, 96>>>(device(data), n, out);
    OK(cudaDeviceSynchronize());
    auto got = host(out, bins);
    equal("bins", got, want);
    for (int i = 0; i < bins; i++) std::printf("%5u%c", got[i], i % 8 == 7 ? '\n' : ' ');
    return verdict();
}
