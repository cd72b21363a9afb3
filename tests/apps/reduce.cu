// Reductions with all four shuffles, whole warps and segments of them.
#include "check.h"

constexpr unsigned full = 0xffffffffu;

template <class V> __device__ V warp_sum(V v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(full, v, d);
    return v;
}

template <class V> __global__ void sum(const V *in, int n, V *out) {
    __shared__ V part[32];
    V v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += in[i];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    v = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : V(0));
    if (threadIdx.x == 0) *out = v;
}

// One row a kind of shuffle; out of range lanes keep their own value.
__global__ void kinds(int *out) {
    int t = threadIdx.x, v = t * t + 1;
    out[t] = __shfl_sync(full, v, t * 5 + 3);
    out[32 + t] = __shfl_up_sync(full, v, 3);
    out[64 + t] = __shfl_down_sync(full, v, 3, 8);
    out[96 + t] = __shfl_xor_sync(full, v, 5, 16);
    out[128 + t] = __shfl_sync(full, v, 9, 4);
}

__global__ void maximum(const float *in, float *out) {
    float v = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) v = fmaxf(v, __shfl_xor_sync(full, v, d));
    out[threadIdx.x] = v;
}

template <class V> void sums(const char *type) {
    const int n = 3000;
    std::vector<V> in(n), want(1);
    Random r(4);
    for (auto &x : in) want[0] += x = V(int(r.below(20001)) - 10000) / 4;
    V *out = device<V>(1);
    sum<<<1, 256>>>(device(in), n, out);
    OK(cudaDeviceSynchronize());
    auto got = host(out, 1);
    equal(type, got, want);
    std::printf("%s %.2f\n", type, double(got[0]));
}

int main() {
    sums<int>("int");
    sums<long long>("long long");
    sums<float>("float");
    sums<double>("double");

    int *out = device<int>(160);
    kinds<<<1, 32>>>(out);
    OK(cudaDeviceSynchronize());
    auto got = host(out, 160);
    std::vector<int> want(160);
    auto value = [](int lane) { return lane * lane + 1; };
    for (int t = 0; t < 32; t++) {
        want[t] = value((t * 5 + 3) % 32);
        want[32 + t] = value(t < 3 ? t : t - 3);
        want[64 + t] = value(t % 8 + 3 < 8 ? t + 3 : t);
        want[96 + t] = value(t ^ 5);
        want[128 + t] = value(t / 4 * 4 + 1);
    }
    equal("shuffles", got, want);

    std::vector<float> in(32);
    for (int i = 0; i < 32; i++) in[i] = float((i * 11) % 32) - 16;
    float *m = device<float>(32);
    maximum<<<1, 32>>>(device(in), m);
    OK(cudaDeviceSynchronize());
    equal("maximum", host(m, 32), std::vector<float>(32, 15.0f));
    return verdict();
}
