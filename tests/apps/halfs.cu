// Half precision: all 65536 values to float, floats to half in four roundings, arithmetic
// that rounds once, comparisons, pairs.
#include "check.h"
#include <cmath>
#include <cstring>
#include <cuda_fp16.h>

typedef unsigned short Bits;

__global__ void widen(float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __half2float(__ushort_as_half(Bits(i)));
}

__global__ void narrow(const float *in, Bits *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[4 * i] = __half_as_ushort(__float2half_rn(in[i]));
    out[4 * i + 1] = __half_as_ushort(__float2half_rz(in[i]));
    out[4 * i + 2] = __half_as_ushort(__float2half_ru(in[i]));
    out[4 * i + 3] = __half_as_ushort(__float2half_rd(in[i]));
}

constexpr int ops = 10;

__global__ void compute(const Bits *in, Bits *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half a = __ushort_as_half(in[3 * i]), b = __ushort_as_half(in[3 * i + 1]), c = __ushort_as_half(in[3 * i + 2]);
    Bits *o = out + i * ops;
    *o++ = __half_as_ushort(__hadd(a, b));
    *o++ = __half_as_ushort(__hsub(a, b));
    *o++ = __half_as_ushort(__hmul(a, b));
    *o++ = __half_as_ushort(__hfma(a, b, c));
    __half2 x = __halves2half2(a, b), y = __halves2half2(c, a), z = __hfma2(x, y, x);
    *o++ = __half_as_ushort(__low2half(z));
    *o++ = __half_as_ushort(__high2half(__hadd2(x, y)));
    *o++ = __half_as_ushort(__hneg(c));
    *o++ = Bits(__hlt(a, b) + 2 * __heq(a, b) + 4 * __hge(a, c));
    *o++ = __half_as_ushort(__int2half_rn(i * 37 - 5000));
    *o++ = Bits(__half2int_rz(c));
}

// value is what the bits of a half mean.
static double value(Bits h) {
    int e = h >> 10 & 31, m = h & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e == 0 ? std::ldexp(m, -24) : std::ldexp(m + 1024, e - 25);
    return h >> 15 ? -v : v;
}

// nearest rounds v to a half: 'n' to nearest even, 'z' to zero, 'u' up, 'd' down.
static Bits nearest(double v, char mode) {
    Bits sign = std::signbit(v) ? 0x8000 : 0, low = 0, high = 0x7c00;
    double a = std::fabs(v);
    if (std::isinf(v)) return sign | 0x7c00;
    while (high - low > 1) {
        Bits mid = Bits((low + high) / 2);
        (value(mid) <= a ? low : high) = mid;
    }
    if (value(low) == a) return sign | low;
    double top = high == 0x7c00 ? 65536.0 : value(high), half = (value(low) + top) / 2;
    bool away = mode == 'n' ? a > half || (a == half && (low & 1)) : mode == 'u' ? !sign : mode == 'd' ? sign != 0 : false;
    return sign | (away ? high : low);
}

static void widening() {
    const int n = 65536;
    float *out = device<float>(n);
    widen<<<n / 256, 256>>>(out);
    OK(cudaDeviceSynchronize());
    auto got = host(out, n);
    std::vector<float> want(n);
    for (int i = 0; i < n; i++) {
        want[i] = float(value(Bits(i)));
        if (want[i] == want[i]) continue;
        expect(got[i] != got[i], "a half that is no number gives a float that is none");
        want[i] = got[i] = 0;
    }
    equal("widened", got, want);
    std::printf("widened %08x\n", checksum(got));
}

static void narrowing() {
    std::vector<float> in = {0, -0.0f, 1, 65504, 65519.996f, 65520, 65536, 1e30f, -1e30f, 1e-30f, -1e-30f, 0x1p-24f,
                             0x1p-25f, 0x1.000002p-25f, 0x1.8p-24f, 0x1p-14f, 0x1.ffcp-15f, 0x1.ffep-15f, INFINITY, -INFINITY};
    Random r(8);
    while (in.size() < 500) in.push_back(std::ldexp(float(int(r.next())), int(r.below(44)) - 57));
    const int n = int(in.size());
    Bits *out = device<Bits>(4 * n);
    narrow<<<4, 128>>>(device(in), out, n);
    OK(cudaDeviceSynchronize());
    auto got = host(out, 4 * n);
    std::vector<Bits> want(4 * n);
    for (int i = 0; i < 4 * n; i++) want[i] = nearest(in[i / 4], "nzud"[i % 4]);
    equal("narrowed", got, want);
    std::printf("narrowed %08x\n", checksum(got));
}

static void arithmetic() {
    const int n = 300;
    Random r(9);
    std::vector<Bits> in(3 * n), want(n * ops);
    for (auto &h : in) h = Bits((r.below(2) << 15) | ((r.below(14) + 8) << 10) | r.below(1024));
    Bits *out = device<Bits>(n * ops);
    compute<<<3, 128>>>(device(in), out, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        double a = value(in[3 * i]), b = value(in[3 * i + 1]), c = value(in[3 * i + 2]);
        Bits *o = &want[i * ops];
        for (double v : {a + b, a - b, a * b, a * b + c, a * c + a, b + a}) *o++ = nearest(v, 'n');
        *o++ = in[3 * i + 2] ^ 0x8000;
        *o++ = Bits((a < b) + 2 * (a == b) + 4 * (a >= c));
        *o++ = nearest(i * 37 - 5000, 'n');
        *o++ = Bits(int(c));
    }
    auto got = host(out, n * ops);
    equal("arithmetic", got, want);
    std::printf("arithmetic %08x\n", checksum(got));
}

int main() {
    widening();
    narrowing();
    arithmetic();
    return verdict();
}
