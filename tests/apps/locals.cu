// Arrays and structures in local memory, indexed by values known only at run time.
#include "check.h"

constexpr int N = 24;

// sort orders its own part by insertion in a local array.
__global__ void sort(const int *in, int *out) {
    int a[N], t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < N; i++) {
        int v = in[t * N + i], j = i;
        for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
        a[j] = v;
    }
    for (int i = 0; i < N; i++) out[t * N + i] = a[i];
}

struct Mixed {
    char c;
    double d[3];
    short s[5];
};

__device__ __noinline__ double touch(Mixed *m, int i) {
    m->d[i % 3] += m->s[i % 5];
    m->c = char(m->c + i);
    return m->d[(i + 1) % 3];
}

// mixed passes the address of a local structure to a function.
__global__ void mixed(double *out, int n) {
    Mixed m = {char(threadIdx.x), {1, 2, 3}, {5, 6, 7, 8, 9}};
    double sum = 0;
    for (int i = 0; i < n; i++) sum += touch(&m, i + threadIdx.x);
    out[threadIdx.x] = sum + m.c;
}

static double expected(int thread, int n) {
    Mixed m = {char(thread), {1, 2, 3}, {5, 6, 7, 8, 9}};
    double sum = 0;
    for (int i = thread; i < n + thread; i++) {
        m.d[i % 3] += m.s[i % 5];
        m.c = char(m.c + i);
        sum += m.d[(i + 1) % 3];
    }
    return sum + m.c;
}

int main() {
    const int threads = 96;
    Random r(5);
    std::vector<int> in(threads * N);
    for (auto &x : in) x = int(r.below(1000));
    int *out = device<int>(in.size());
    sort<<<2, threads / 2>>>(device(in), out);
    OK(cudaDeviceSynchronize());
    std::vector<int> want = in;
    for (int t = 0; t < threads; t++)
        for (int i = 1; i < N; i++)
            for (int j = t * N + i; j > t * N && want[j - 1] > want[j]; j--) std::swap(want[j - 1], want[j]);
    auto got = host(out, in.size());
    equal("sorted", got, want);

    double *sums = device<double>(32);
    mixed<<<1, 32>>>(sums, 20);
    OK(cudaDeviceSynchronize());
    std::vector<double> expect32(32);
    for (int t = 0; t < 32; t++) expect32[t] = expected(t, 20);
    auto all = host(sums, 32);
    equal("mixed", all, expect32);
    std::printf("%d %d %g %g\n", got[0], got[N - 1], all[0], all[31]);
    return verdict();
}
