// A barrier over the whole grid, and a grid too large to have one.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reverse(int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i * 2;
    cg::this_grid().sync();
    b[i] = a[n - 1 - i];
    cg::this_grid().sync();
    a[i] = b[(i + 1) % n];
}

int main() {
    int per = 0, sms = 0, threads = 64, n = 4 * threads;
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, reverse, threads, 0));
    int *a = device<int>(n), *b = device<int>(n);
    void *args[] = {&a, &b, &n};
    auto f = reinterpret_cast<const void *>(reverse);
    OK(cudaLaunchCooperativeKernel(f, dim3(4), dim3(threads), args, 0, nullptr));
    OK(cudaDeviceSynchronize());
    std::vector<int> want(n), next(n);
    for (int i = 0; i < n; i++) want[i] = (n - 1 - i) * 2;
    for (int i = 0; i < n; i++) next[i] = want[(i + 1) % n];
    equal("reversed", host(b, n), want);
    equal("next", host(a, n), next);
    cudaError_t e = cudaLaunchCooperativeKernel(f, dim3(per * sms + 1), dim3(threads), args, 0, nullptr);
    std::printf("too large: %d %s\n", e, cudaGetErrorName(e));
    return verdict();
}
