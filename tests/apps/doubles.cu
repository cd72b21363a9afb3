// Double and single precision: every operation that IEEE 754 defines, all four roundings,
// conversions and their limits. The device must agree with the host to the last bit.
#include "check.h"
#include <cfenv>
#include <cmath>
#include <cstring>

typedef unsigned long long Bits;

__host__ __device__ inline double real(Bits b) {
    double d;
    memcpy(&d, &b, sizeof d);
    return d;
}
__host__ __device__ inline Bits bits(double d) {
    Bits b;
    memcpy(&b, &d, sizeof b);
    return b;
}

constexpr int ops = 22;

__global__ void compute(const Bits *in, Bits *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double a = real(in[3 * i]), b = real(in[3 * i + 1]), c = real(in[3 * i + 2]);
    Bits *o = out + i * ops;
    *o++ = bits(a + b);
    *o++ = bits(a - b);
    *o++ = bits(__dmul_rn(a, b));
    *o++ = bits(a / b);
    *o++ = bits(fma(a, b, c));
    *o++ = bits(sqrt(fabs(a)));
    *o++ = bits(__dadd_rz(a, b));
    *o++ = bits(__dadd_ru(a, b));
    *o++ = bits(__dadd_rd(a, b));
    *o++ = bits(__dmul_rz(a, b));
    *o++ = bits(__dmul_ru(a, b));
    *o++ = bits(__ddiv_rd(a, b));
    *o++ = bits(__dsqrt_ru(fabs(a)));
    *o++ = bits(floor(a));
    *o++ = bits(rint(b));
    *o++ = bits(fmin(a, b));
    *o++ = bits(fmax(a, b));
    *o++ = bits(double(float(a)));
    *o++ = Bits(__double2ll_rz(a));
    *o++ = Bits(__double2int_rn(b));
    *o++ = bits(copysign(a, c));
    *o++ = (a < b) + 2 * (a == b) + 4 * (a > c) + 8 * !(b <= c);
}

static double rounded(int mode, double a, double b, char op) {
    std::fesetround(mode);
    volatile double x = a, y = b, r = 0;
    if (op == '+') r = x + y;
    if (op == '*') r = x * y;
    if (op == '/') r = x / y;
    if (op == 's') r = std::sqrt(x);
    std::fesetround(FE_TONEAREST);
    return r;
}

// limited is the device's conversion to an integer: it stops at the ends.
static long long limited(double d, double lo, double hi, long long least, long long most) {
    return d <= lo ? least : d >= hi ? most : static_cast<long long>(d);
}

// The device puts -0 below +0; the host may choose either.
static double smaller(double a, double b) { return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b); }
static double larger(double a, double b) { return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b); }

static void expected(const Bits *in, Bits *o) {
    double a = real(in[0]), b = real(in[1]), c = real(in[2]);
    *o++ = bits(a + b);
    *o++ = bits(a - b);
    *o++ = bits(a * b);
    *o++ = bits(a / b);
    *o++ = bits(std::fma(a, b, c));
    *o++ = bits(std::sqrt(std::fabs(a)));
    *o++ = bits(rounded(FE_TOWARDZERO, a, b, '+'));
    *o++ = bits(rounded(FE_UPWARD, a, b, '+'));
    *o++ = bits(rounded(FE_DOWNWARD, a, b, '+'));
    *o++ = bits(rounded(FE_TOWARDZERO, a, b, '*'));
    *o++ = bits(rounded(FE_UPWARD, a, b, '*'));
    *o++ = bits(rounded(FE_DOWNWARD, a, b, '/'));
    *o++ = bits(rounded(FE_UPWARD, std::fabs(a), 0, 's'));
    *o++ = bits(std::floor(a));
    *o++ = bits(std::rint(b));
    *o++ = bits(smaller(a, b));
    *o++ = bits(larger(a, b));
    *o++ = bits(double(float(a)));
    *o++ = Bits(limited(a, -0x1p63, 0x1p63, -1 - 0x7fffffffffffffffLL, 0x7fffffffffffffffLL));
    *o++ = Bits(limited(std::rint(b), -0x1p31, 0x1p31, -0x80000000LL, 0x7fffffffLL));
    *o++ = bits(std::copysign(a, c));
    *o++ = (a < b) + 2 * (a == b) + 4 * (a > c) + 8 * !(b <= c);
}

// Single precision in one row of its own: sums, products, quotients, roots, a chain of fma.
__global__ void singles(const float *a, const float *b, float *out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    out[i] = __fadd_rn(a[i], b[i]);
    out[n + i] = __fmul_rn(a[i], b[i]);
    out[2 * n + i] = __fdiv_rn(a[i], b[i]);
    out[3 * n + i] = __fsqrt_rn(fabsf(a[i]));
    out[4 * n + i] = fmaf(a[i], b[i], fmaf(b[i], b[i], a[i]));
    out[5 * n + i] = __frcp_rn(b[i]);
}

static void single() {
    const int n = 64;
    Random r(7);
    std::vector<float> a(n), b(n), want(6 * n);
    for (int i = 0; i < n; i++) {
        a[i] = std::ldexp(float(int(r.next())), int(r.below(60)) - 60);
        b[i] = std::ldexp(float(int(r.next() | 1)), int(r.below(60)) - 60);
        float q = b[i] * 1.0f;
        want[i] = a[i] + b[i];
        want[n + i] = a[i] * b[i];
        want[2 * n + i] = a[i] / b[i];
        want[3 * n + i] = std::sqrt(std::fabs(a[i]));
        want[4 * n + i] = std::fma(a[i], b[i], std::fma(b[i], q, a[i]));
        want[5 * n + i] = 1 / b[i];
    }
    float *out = device<float>(6 * n);
    singles<<<1, n>>>(device(a), device(b), out, n);
    OK(cudaDeviceSynchronize());
    auto got = host(out, 6 * n);
    equal("singles", got, want);
    std::printf("singles %08x\n", checksum(got));
}

int main() {
    const double special[] = {0.0, -0.0, 1.0, -1.5, 2.5, 1e308, -1e308, 5e-324, 2.2250738585072014e-308, 0x1p63,
                              -0x1p31, 2147483647.5, HUGE_VAL, 1.0000000000000002, 3.0, 1e-300};
    const int n = 400;
    Random r(6);
    std::vector<Bits> in(3 * n), want(n * ops);
    for (int i = 0; i < 3 * n; i++) {
        double d = std::ldexp(double(int(r.next())) + r.next() * 0x1p-32, int(r.below(80)) - 40);
        if (i < 600) d = special[r.below(16)];
        in[i] = bits(d);
    }
    for (int i = 0; i < n; i++) expected(&in[3 * i], &want[i * ops]);
    Bits *out = device<Bits>(n * ops);
    compute<<<(n + 127) / 128, 128>>>(device(in), out, n);
    OK(cudaDeviceSynchronize());
    auto got = host(out, n * ops);
    // Infinity less infinity, zero by zero and the like give NaNs, whose bits are not the same on both.
    int nans = 0;
    for (int i = 0; i < n * ops; i++) {
        if (i % ops >= 18 && i % ops != 20) continue;
        double g = real(got[i]), w = real(want[i]);
        if (g == g || w == w) continue;
        nans++;
        got[i] = want[i] = 0;
    }
    for (int i = 0; i < n * ops; i++)
        if (got[i] != want[i]) {
            const Bits *v = &in[i / ops * 3];
            std::printf("operation %d of %a, %a, %a: %016llx, not %016llx\n", i % ops, real(v[0]), real(v[1]),
                        real(v[2]), got[i], want[i]);
            differences()++;
            break;
        }
    std::printf("%d results, %d NaNs, checksum %08x\n", n * ops, nans, checksum(got));
    single();
    return verdict();
}
