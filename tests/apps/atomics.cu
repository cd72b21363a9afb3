// Every kind of atomic operation, on global and on shared memory.
#include "check.h"

typedef unsigned long long Wide;

constexpr int threads = 100;

// One kernel for each type: the result must not depend on the order.
template <class T> __device__ void integers(T *a, int t) {
    atomicAdd(&a[0], T(t));
    atomicMin(&a[1], T(t * 7 % 50 - 10));
    atomicMax(&a[2], T(t * 7 % 50 - 10));
    atomicAnd(&a[3], T(~(T(1) << t % 30)));
    atomicOr(&a[4], T(T(1) << t % 30));
    atomicXor(&a[5], T(t * 3));
    if (t == 42) atomicExch(&a[6], T(4242));
    T seen = a[7], before;
    do {
        before = seen;
        seen = atomicCAS(&a[7], before, T(before + t * 2));
    } while (seen != before);
}

template <class T> __global__ void global(T *a) { integers(a, threadIdx.x); }

template <class T> __global__ void shared(T *a) {
    __shared__ T s[8];
    if (threadIdx.x < 8) s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    integers(s, threadIdx.x);
    __syncthreads();
    if (threadIdx.x < 8) a[threadIdx.x] = s[threadIdx.x];
}

template <class T> static std::vector<T> serial(std::vector<T> a) {
    for (int t = 0; t < threads; t++) {
        T v = T(t * 7 % 50 - 10), bit = T(T(1) << t % 30);
        a[0] += T(t);
        if (v < a[1]) a[1] = v;
        if (v > a[2]) a[2] = v;
        a[3] &= T(~bit);
        a[4] |= bit;
        a[5] ^= T(t * 3);
        if (t == 42) a[6] = 4242;
        a[7] += T(t * 2);
    }
    return a;
}

template <class T> static void kinds(const char *type) {
    std::vector<T> start = {5, 100, 3, T(~T(0)), 0, 9, 1, 2}, want = serial(start);
    T *a = device(start), *b = device(start);
    global<<<1, threads>>>(a);
    shared<<<1, threads>>>(b);
    OK(cudaDeviceSynchronize());
    auto got = host(a, 8);
    equal(type, got, want);
    equal(type, host(b, 8), want);
    std::printf("%s: %.0f %.0f %.0f\n", type, double(got[0]), double(got[3]), double(got[7]));
}

// Wrapping counters, half words, scopes, and what the operations return.
__global__ void special(unsigned *u, unsigned short *h, int *seen) {
    atomicInc(&u[0], 6);
    atomicDec(&u[1], 10);
    atomicSub(&u[2], 3u);
    atomicAdd_block(&u[3], 1u);
    atomicAdd_system(&u[4], 2u);
    int place = int(atomicInc(&u[5], 1000));
    atomicAdd(&seen[place], 1);
    unsigned short old = h[1], before;
    do {
        before = old;
        old = atomicCAS(&h[1], before, static_cast<unsigned short>(before + 1));
    } while (old != before);
}

__global__ void floats(float *f, double *d) {
    __shared__ float s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
    atomicAdd(&s, float(threadIdx.x));
    atomicExch(&f[1], 8.0f);
    __syncthreads();
    if (threadIdx.x == 0) f[2] = s;
}

int main() {
    kinds<int>("int");
    kinds<unsigned>("unsigned");
    kinds<Wide>("unsigned long long");

    unsigned *u = device<unsigned>(6);
    unsigned short *h = device<unsigned short>(4);
    int *seen = device<int>(threads);
    special<<<1, threads>>>(u, h, seen);
    OK(cudaDeviceSynchronize());
    unsigned inc = 0, dec = 0;
    for (int t = 0; t < threads; t++) {
        inc = inc >= 6 ? 0 : inc + 1;
        dec = dec == 0 || dec > 10 ? 10 : dec - 1;
    }
    equal("special", host(u, 6), std::vector<unsigned>{inc, dec, -3u * threads, threads, 2 * threads, threads});
    equal("half words", host(h, 4), std::vector<unsigned short>{0, threads, 0, 0});
    equal("each place once", host(seen, threads), std::vector<int>(threads, 1));

    float *f = device<float>(3);
    double *d = device<double>(1);
    floats<<<1, threads>>>(f, d);
    OK(cudaDeviceSynchronize());
    equal("float", host(f, 3), std::vector<float>{threads * 0.5f, 8, threads * (threads - 1) / 2});
    equal("double", host(d, 1), std::vector<double>{threads * 0.25});
    return verdict();
}
