// Transposes a 100x70 matrix through padded tiles, four rows a thread.
#include "check.h"

constexpr int T = 32, R = 8;

template <class V> __global__ void transpose(const V *in, V *out, int w, int h) {
    __shared__ V tile[T][T + 1];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    for (int j = 0; j < T; j += R)
        if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * T + threadIdx.x;
    y = blockIdx.x * T + threadIdx.y;
    for (int j = 0; j < T; j += R)
        if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <class V> void run(const char *type) {
    const int w = 100, h = 70;
    std::vector<V> in(w * h), want(w * h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) want[x * h + y] = in[y * w + x] = V(y * 131 + x);
    V *out = device<V>(w * h);
    transpose<<<dim3((w + T - 1) / T, (h + T - 1) / T), dim3(T, R)>>>(device(in), out, w, h);
    OK(cudaDeviceSynchronize());
    auto got = host(out, w * h);
    equal(type, got, want);
    std::printf("%s: out[1] %g, checksum %08x\n", type, double(got[1]), checksum(got));
}

int main() {
    run<float>("float");
    run<double>("double");
    run<unsigned char>("unsigned char");
    run<short>("short");
    return verdict();
}
