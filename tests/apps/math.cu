// The mathematical functions, near the host's, printed with fewer digits than they are good for.
#include "check.h"
#include <cmath>

// One row a function: how it is called on the device and on the host.
#define FUNCTIONS(row)                                                                                              \
    row(sin) row(cos) row(tan) row(asin) row(acos) row(atan) row(sinh) row(cosh) row(tanh) row(exp) row(exp2)       \
    row(expm1) row(log) row(log2) row(log10) row(log1p) row(sqrt) row(cbrt) row(erf) row(erfc) row(tgamma)          \
    row(lgamma) row(asinh) row(atanh)
#define FUNCTIONS2(row) row(pow) row(atan2) row(hypot) row(fmod) row(remainder)

enum { one = 24, two = 5, rows = one + two };

template <class T> __global__ void compute(const T *x, T *out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    T a = x[i], b = T(0.7);
    T *o = out + i * rows;
#define ROW(f) *o++ = f(a);
    FUNCTIONS(ROW)
#undef ROW
#define ROW(f) *o++ = f(a, b);
    FUNCTIONS2(ROW)
#undef ROW
}

template <class T> static void expected(T a, double *o) {
    double x = a, b = T(0.7);
#define ROW(f) *o++ = std::f(x);
    FUNCTIONS(ROW)
#undef ROW
#define ROW(f) *o++ = std::f(x, b);
    FUNCTIONS2(ROW)
#undef ROW
}

#define ROW(f) #f,
static const char *const names[rows] = {FUNCTIONS(ROW) FUNCTIONS2(ROW)};
#undef ROW

template <class T> static void run(const char *type, double tolerance) {
    const std::vector<T> x = {T(0.05), T(0.3), T(0.55), T(0.8), T(0.95)};
    const int n = int(x.size());
    T *out = device<T>(n * rows);
    compute<<<1, 32>>>(device(x), out, n);
    OK(cudaDeviceSynchronize());
    auto got = host(out, n * rows);
    std::vector<double> want(n * rows);
    for (int i = 0; i < n; i++) expected(x[i], &want[i * rows]);
    for (int f = 0; f < rows; f++) {
        for (int i = 0; i < n; i++) {
            double g = got[i * rows + f], w = want[i * rows + f];
            if (std::fabs(g - w) <= tolerance * (1 + std::fabs(w))) continue;
            differences()++;
            std::printf("%s %s(%g) is %.17g, not %.17g\n", type, names[f], double(x[i]), g, w);
        }
        std::printf("%-6s %-9s %8.3f %8.3f\n", type, names[f], double(got[f]), double(got[3 * rows + f]));
    }
}

// Arguments so large that the reduction needs a table, and the fast approximations.
__global__ void large(const float *x, float *out, double *wide) {
    int i = threadIdx.x;
    out[i] = sinf(x[i]);
    out[4 + i] = cosf(x[i]);
    wide[i] = sin(double(x[i]));
    out[8 + i] = __sinf(i * 0.5f) + __expf(i * 0.25f) + __logf(i + 1.5f) + __fdividef(i, 3) + rsqrtf(i + 1.0f);
    float s, c;
    sincosf(x[i], &s, &c);
    out[12 + i] = s * s + c * c;
}

static void arguments() {
    const std::vector<float> x = {1e3f, 12345.678f, 1e6f, 3e20f};
    float *out = device<float>(16);
    double *wide = device<double>(4);
    large<<<1, 4>>>(device(x), out, wide);
    OK(cudaDeviceSynchronize());
    auto got = host(out, 16);
    auto all = host(wide, 4);
    for (int i = 0; i < 4; i++) {
        double v = x[i], fast = std::sin(i * 0.5) + std::exp(i * 0.25) + std::log(i + 1.5) + i / 3.0 + 1 / std::sqrt(i + 1.0);
        expect(std::fabs(got[i] - std::sin(v)) < 1e-6 && std::fabs(got[4 + i] - std::cos(v)) < 1e-6, "large arguments");
        expect(std::fabs(all[i] - std::sin(v)) < 1e-14, "large arguments, double");
        expect(std::fabs(got[8 + i] - fast) < 1e-5, "fast functions");
        expect(std::fabs(got[12 + i] - 1) < 1e-6, "sincos");
        std::printf("%8.4f %8.4f %8.4f\n", got[i], got[4 + i], got[8 + i]);
    }
}

int main() {
    run<float>("float", 2e-6);
    run<double>("double", 1e-14);
    arguments();
    return verdict();
}
