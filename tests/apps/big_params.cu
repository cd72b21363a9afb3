// Parameters: 4 KB of them, and aggregates aligned to 16 bytes between small ones.
#include "check.h"

struct Large {
    int v[1018];
};

struct alignas(16) Aligned {
    unsigned char c[32];
};

__global__ void large(Large l, long long *out, short factor) {
    long long sum = 0;
    for (int i = threadIdx.x; i < 1018; i += blockDim.x) sum += l.v[i];
    out[threadIdx.x] = sum * factor;
}

__global__ void mixed(double *out, unsigned char a, Aligned s, unsigned short b, double d, char3 t, float4 f, bool yes) {
    out[0] = a;
    for (int i = 0; i < 32; i++) out[1] += s.c[i] * (i + 1);
    out[2] = b;
    out[3] = d;
    out[4] = t.x + t.y * 100 + t.z * 10000;
    out[5] = f.x + f.y + f.z + f.w;
    out[6] = yes ? 1 : -1;
}

int main() {
    static_assert(sizeof(Large) + 16 <= 4096, "fits the classic limit");
    const int threads = 32;
    Large l;
    std::vector<long long> want(threads);
    for (int i = 0; i < 1018; i++) {
        l.v[i] = i * i - 1000;
        want[i % threads] += l.v[i] * -3LL;
    }
    long long *sums = device<long long>(threads);
    large<<<1, threads>>>(l, sums, -3);
    OK(cudaDeviceSynchronize());
    auto got = host(sums, threads);
    equal("large", got, want);
    std::printf("%lld %lld\n", got[0], got[31]);

    Aligned s;
    int weighted = 0;
    for (int i = 0; i < 32; i++) {
        s.c[i] = static_cast<unsigned char>(i * 9);
        weighted += s.c[i] * (i + 1);
    }
    double *out = device<double>(7);
    mixed<<<1, 1>>>(out, 200, s, 65000, 0.125, make_char3(-1, 2, 3), make_float4(1, 2, 3, 4.5f), true);
    OK(cudaDeviceSynchronize());
    equal("mixed", host(out, 7), std::vector<double>{200, double(weighted), 65000, 0.125, 30199, 10.5, 1});
    return verdict();
}
