// Microbenchmarks of a GPU: latencies in cycles, throughputs by SM, bandwidths in bytes a cycle. Each
// prints a line "name value". The same program runs on a card and on the model; kernels time
// themselves by the cycle counter.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

static void print(const char *name, double value) { printf("%s %.2f\n", name, value); }

static const char *chosen; // the beginning of the names to be measured

static bool runs(const char *group) { return !chosen || !strncmp(chosen, group, strlen(chosen) < strlen(group) ? strlen(chosen) : strlen(group)); }

__device__ __forceinline__ long long now()
{
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}

// Span is the time from the first start to the last end of a CTA's warps, which do not run alike.
struct Span {
    unsigned long long first, last;
    __device__ void open()
    {
        __syncthreads();
        if (threadIdx.x == 0) first = ~0ull, last = 0;
        __syncthreads();
    }
    __device__ void close(long long start, long long end, long long *out)
    {
        if (threadIdx.x % 32 == 0) {
            atomicMin(&first, (unsigned long long)start);
            atomicMax(&last, (unsigned long long)end);
        }
        __syncthreads();
        if (threadIdx.x == 0) out[0] = last - first;
        __syncthreads();
    }
};

// Latencies: one warp, a chain of dependent instructions.

constexpr int CHAIN = 256;

struct Shift {
    using T = int;
    static __device__ int step(int x, int y) { asm volatile("shf.l.wrap.b32 %0, %0, %1, 5;" : "+r"(x) : "r"(y)); return x; }
};
struct Logic {
    using T = int;
    static __device__ int step(int x, int y) { asm volatile("lop3.b32 %0, %0, %1, %1, 0x96;" : "+r"(x) : "r"(y)); return x; }
};
struct Mad {
    using T = int;
    static __device__ int step(int x, int y) { asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(y)); return x; }
};
struct Count {
    using T = int;
    static __device__ int step(int x, int) { asm volatile("popc.b32 %0, %0;" : "+r"(x)); return x; }
};
struct Single {
    using T = float;
    static __device__ float step(float x, float y) { asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y)); return x; }
};
struct Double {
    using T = double;
    static __device__ double step(double x, double y) { asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(y)); return x; }
};
struct Half {
    using T = unsigned;
    static __device__ unsigned step(unsigned x, unsigned y) { asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(y)); return x; }
};
struct HalfSum {
    using T = unsigned;
    static __device__ unsigned step(unsigned x, unsigned y) { asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(y)); return x; }
};
struct Exponent {
    using T = float;
    static __device__ float step(float x, float) { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); return x; }
};
struct Convert {
    using T = float;
    static __device__ float step(float x, float)
    {
        asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(x) : "r"(__float_as_int(x)));
        return x;
    }
};
struct Select {
    using T = int;
    static __device__ int step(int x, int y)
    {
        asm volatile("{.reg .pred p; setp.lt.s32 p, %0, %1; selp.s32 %0, 7, %0, p;}" : "+r"(x) : "r"(y));
        return x;
    }
};
struct Shuffle {
    using T = int;
    static __device__ int step(int x, int y) { asm volatile("shfl.sync.idx.b32 %0, %0, %0, 31, -1;" : "+r"(x)); return x; }
};
struct Divide {
    using T = unsigned;
    static __device__ unsigned step(unsigned x, unsigned y) { asm volatile("div.u32 %0, %1, %0;" : "+r"(x) : "r"(y)); return x; } // the divisor is new
};

template <class O> __global__ void latency(long long *out, typename O::T *data)
{
    typename O::T x = data[threadIdx.x % 2], y = data[1]; // no scalar, which needs no shuffle
    for (int pass = 0; pass < 2; pass++) { // the first fills the instruction cache
        long long start = now();
#pragma unroll
        for (int i = 0; i < CHAIN; i++) x = O::step(x, y);
        data[2] = x;
        long long end = now();
        out[0] = end - start;
    }
}

// Throughputs: one CTA of 1,024 threads, four chains each.

template <class O> __global__ void throughput(long long *out, typename O::T *data)
{
    __shared__ Span span;
    int lane = threadIdx.x % 2;
    typename O::T a = data[lane], b = data[1 + lane], c = data[2 + lane], d = data[3 + lane], y = data[4];
    for (int pass = 0; pass < 2; pass++) {
        span.open();
        long long start = now();
#pragma unroll
        for (int i = 0; i < 64; i++) {
            a = O::step(a, y);
            b = O::step(b, y);
            c = O::step(c, y);
            d = O::step(d, y);
        }
        data[5 + threadIdx.x % 8] = a + b + c + d;
        span.close(start, now(), out);
    }
}

static long long *result;
static void *scratch;
static char *memory;
const size_t size = 128 << 20;

static long long cycles()
{
    check(cudaDeviceSynchronize(), "kernel");
    return *result;
}

template <class O> static void arithmetic(const char *name, bool rate)
{
    char line[64];
    check(cudaMemset(scratch, 0, 4096), "memset");
    latency<O><<<1, 32>>>(result, (typename O::T *)scratch);
    snprintf(line, sizeof line, "latency.%s", name);
    print(line, double(cycles()) / CHAIN);
    if (!rate) return;
    throughput<O><<<1, 1024>>>(result, (typename O::T *)scratch);
    snprintf(line, sizeof line, "rate.%s", name);
    print(line, 1024.0 * 256 / cycles());
}

// Matrix instructions.

template <int chains> __global__ void matrix(long long *out, unsigned *data)
{
    unsigned a[4] = {data[0], data[1], data[2], data[3]}, b[2] = {data[4], data[5]};
    float c[chains][4] = {};
    __shared__ Span span;
    for (int pass = 0; pass < 2; pass++) {
        span.open();
        long long start = now();
#pragma unroll
        for (int i = 0; i < 64; i++)
#pragma unroll
            for (int k = 0; k < chains; k++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(c[k][0]), "+f"(c[k][1]), "+f"(c[k][2]), "+f"(c[k][3])
                                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        for (int k = 0; k < chains; k++) data[8 + k] = c[k][0] + c[k][1] + c[k][2] + c[k][3];
        span.close(start, now(), out);
    }
}

// Memory latencies: one thread follows a chain of pointers.

__global__ void link(unsigned long long *p, unsigned long long elements, unsigned long long stride)
{
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x)
        p[i * stride / 8] = (unsigned long long)(p + (i + 1) % elements * stride / 8);
}

__global__ void chase(long long *out, unsigned long long *p, int warm, int steps, int cached)
{
    unsigned long long x = (unsigned long long)p;
    long long start = 0;
    if (cached)
        for (int i = 0; i < warm + steps; i++) {
            if (i == warm) start = now();
            asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(x)::"memory");
        }
    else
        for (int i = 0; i < warm + steps; i++) {
            if (i == warm) start = now();
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(x)::"memory");
        }
    out[1] = x;
    out[0] = now() - start;
}

__global__ void chase_shared(long long *out)
{
    __shared__ unsigned next[256];
    unsigned base = (unsigned)__cvta_generic_to_shared(next);
    for (int i = threadIdx.x; i < 256; i += 32) next[i] = base + (i + 1) % 256 * 4;
    __syncwarp();
    unsigned x = base;
    long long start = 0;
    for (int i = 0; i < 512; i++) {
        if (i == 256) start = now();
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x)::"memory");
    }
    out[1] = x;
    out[0] = now() - start;
}

__constant__ unsigned cells[1024];

__global__ void chase_constant(long long *out, unsigned *indices)
{
    unsigned x = 0;
    long long start = 0;
    for (int i = 0; i < 512; i++) {
        if (i == 256) start = now();
        x = cells[x];
    }
    out[1] = x;
    out[0] = now() - start;
}

// Shared memory: a warp reads words at a stride.

__global__ void conflicts(long long *out, int stride)
{
    __shared__ int words[32 * 33];
    for (int i = threadIdx.x; i < 32 * 33; i += 32) words[i] = 0;
    __syncwarp();
    int sum = threadIdx.x * stride;
    long long start = 0;
    for (int i = 0; i < 256; i++) {
        if (i == 128) start = now();
        sum += ((volatile int *)words)[sum];
    }
    out[1] = sum;
    out[0] = now() - start;
}

// The same by 32 warps, loads that do not wait for one another.

__global__ void conflict_rate(long long *out, int stride)
{
    __shared__ int words[32 * 32];
    __shared__ Span span;
    words[threadIdx.x] = 0;
    unsigned at = (unsigned)__cvta_generic_to_shared(words + threadIdx.x % 32 * stride % 1024);
    int sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        span.open();
        long long start = now();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            int v;
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
            sum += v;
        }
        if (sum == 12345) out[1] = sum;
        span.close(start, now(), out);
    }
}

// Loads that a predicate turns off, 32 warps. It depends on the lane: one that does not is a branch in machine
// code.

template <bool global> __global__ void off(long long *out, int *data, int which)
{
    __shared__ int words[1024 + 64];
    __shared__ Span span;
    words[threadIdx.x] = 0;
    unsigned at = (unsigned)__cvta_generic_to_shared(words + threadIdx.x);
    int v[8] = {}, on = data[threadIdx.x] + (int)(threadIdx.x % 32 == which);
    for (int pass = 0; pass < 2; pass++) {
        span.open();
        long long start = now();
#pragma unroll
        for (int i = 0; i < 64; i++) {
            if (global) asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u32 %0, [%1];}" : "+r"(v[i % 8]) : "l"(data + threadIdx.x + i), "r"(on));
            else asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p ld.shared.u32 %0, [%1];}" : "+r"(v[i % 8]) : "r"(at + i * 4), "r"(on));
        }
        span.close(start, now(), out);
        if (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] == 12345) out[1] = 1;
    }
}

// Atomics and synchronisation: what one costs its warp.

__global__ void atomics(long long *out, int *cell, int kind)
{
    __shared__ int local;
    if (threadIdx.x == 0) local = 0;
    __syncwarp();
    int x = 0;
    long long start = 0;
    for (int i = 0; i < 256; i++) {
        if (i == 128) start = now();
        switch (kind) {
        case 0: x = atomicAdd(&local, x & 1); break;
        case 1: x = atomicAdd(cell, x & 1); break;
        case 2: x = atomicAdd(cell + i % 32 * 1024 + threadIdx.x + (x & 1), 1); break;
        case 3: x = atomicCAS(cell, x, x); break;
        }
    }
    out[1] = x;
    out[0] = now() - start;
}

__global__ void barriers(long long *out)
{
    long long start = 0;
    for (int i = 0; i < 128; i++) {
        if (i == 64) start = now();
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = now() - start;
}

__global__ void fences(long long *out, int *cell, int scope)
{
    long long start = 0;
    for (int i = 0; i < 128; i++) {
        if (i == 64) start = now();
        if (scope == 0) __threadfence_block();
        else __threadfence();
    }
    out[0] = now() - start;
}

// Control: loops and divergence.

__global__ void loops(long long *out, int *data, int n)
{
    int x = data[0];
    long long start = 0;
    for (int pass = 0; pass < 2; pass++) {
        start = now();
#pragma unroll 1
        for (int i = 0; i < n; i++) asm volatile("add.s32 %0, %0, 1;" : "+r"(x));
    }
    out[0] = now() - start;
    data[1] = x;
}

__global__ void branches(long long *out, int *data, int ways)
{
    int x = data[0], turns = 1 + threadIdx.x % ways;
    long long start = 0;
    for (int pass = 0; pass < 2; pass++) {
        start = now();
#pragma unroll 1
        for (int i = 0; i < 64; i++)
#pragma unroll 1
            for (int k = 0; k < turns; k++) asm volatile("add.s32 %0, %0, 3;" : "+r"(x));
    }
    out[0] = now() - start;
    data[1 + threadIdx.x] = x;
}

// Straight code of some 64 KB, once and again.

__global__ void straight(long long *out, float *data, int warm)
{
    float x = data[0], y = data[1], z = data[2], w = data[3];
    long long start = 0;
    for (int pass = 0; pass <= warm; pass++) {
        start = now();
#pragma unroll
        for (int i = 0; i < 1024; i++) {
            x = Single::step(x, y);
            z = Single::step(z, y);
            w = Single::step(w, y);
            y = Single::step(y, x);
        }
    }
    out[0] = now() - start;
    data[4] = x + y + z + w;
}

// Bandwidths: all SMs, 16 bytes a thread and load; by time from the first start to the last end.

__global__ void stream(unsigned long long *span, const uint4 *from, uint4 *to, size_t n, int passes)
{
    unsigned long long start, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start)::"memory");
    uint4 sum = {};
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (int p = 0; p < passes; p++)
#pragma unroll 4
        for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
            if (from) {
                uint4 v;
                asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from + i));
                sum.x ^= v.x ^ v.y ^ v.z ^ v.w;
                if (to) to[i] = v;
            } else {
                to[i] = make_uint4(p, p, p, p);
            }
        }
    if (sum.x == 12345) span[2] = sum.x;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end)::"memory");
    if (threadIdx.x == 0) {
        atomicMin(span, start);
        atomicMax(span + 1, end);
    }
}

// One CTA reads a range again and again that its L1 holds, or its shared memory.

template <bool cached> __global__ void near_reads(long long *out, const uint4 *from)
{
    __shared__ uint4 own[1024];
    own[threadIdx.x] = from[threadIdx.x];
    __shared__ Span span;
    unsigned sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        span.open();
        long long start = now();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            uint4 v;
            if (cached)
                asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from + (threadIdx.x ^ i)) : "memory");
            else
                asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"((unsigned)__cvta_generic_to_shared(own + (threadIdx.x ^ i))) : "memory");
            sum ^= v.x ^ v.y ^ v.z ^ v.w;
        }
        if (sum == 12345) out[1] = sum;
        span.close(start, now(), out);
    }
}

static void pointers()
{
    struct {
        const char *name;
        size_t bytes, stride;
        int cached;
    } rows[] = {{"chase.l1", 16 << 10, 128, 1}, {"chase.l2", 1 << 20, 1024, 0}, {"chase.l2_far", 40 << 20, 64 << 10, 0}};
    for (auto &r : rows) {
        auto *p = (unsigned long long *)memory;
        int n = r.bytes / r.stride;
        link<<<32, 32>>>(p, n, r.stride);
        chase<<<1, 1>>>(result, p, n, n > 512 ? 512 : n, r.cached);
        print(r.name, double(cycles()) / (n > 512 ? 512 : n));
    }
    // Memory: the chain is written, then everything else pushes it out of L2.
    size_t half = size / 2;
    link<<<32, 32>>>((unsigned long long *)memory, 512, half / 512);
    auto *span = (unsigned long long *)scratch;
    stream<<<264, 512>>>(span, (uint4 *)(memory + half), nullptr, half / 16, 1);
    chase<<<1, 1>>>(result, (unsigned long long *)memory, 0, 256, 0);
    print("chase.memory", double(cycles()) / 256);
}

static double rate(const void *from, void *to, size_t bytes, int passes, int runs)
{
    auto *span = (unsigned long long *)scratch;
    double best = 0;
    for (int i = 0; i < runs; i++) {
        unsigned long long t[2] = {~0ull, 0};
        check(cudaMemcpy(span, t, sizeof t, cudaMemcpyHostToDevice), "copy");
        stream<<<264, 1024>>>(span, (const uint4 *)from, (uint4 *)to, bytes / 16, passes);
        check(cudaMemcpy(t, span, sizeof t, cudaMemcpyDeviceToHost), "copy");
        double r = double(bytes) * passes / (t[1] - t[0]);
        best = r > best ? r : best;
    }
    return best; // bytes a nanosecond
}

static void units()
{
    arithmetic<Shift>("shf", true);
    arithmetic<Logic>("lop3", true);
    arithmetic<Mad>("mad", true);
    arithmetic<Count>("popc", true);
    arithmetic<Single>("fma_f32", true);
    arithmetic<Double>("fma_f64", true);
    arithmetic<Half>("fma_f16x2", true);
    arithmetic<HalfSum>("add_f16x2", true);
    arithmetic<Exponent>("ex2", true);
    arithmetic<Convert>("cvt", true);
    arithmetic<Select>("setp_selp", true);
    arithmetic<Shuffle>("shfl", true);
    unsigned ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    latency<Divide><<<1, 32>>>(result, (unsigned *)scratch);
    check(cudaMemcpy(scratch, ones, sizeof ones, cudaMemcpyHostToDevice), "copy");
    latency<Divide><<<1, 32>>>(result, (unsigned *)scratch);
    print("latency.div_u32", double(cycles()) / CHAIN);
    matrix<1><<<1, 32>>>(result, (unsigned *)scratch);
    print("latency.mma_16816", double(cycles()) / 64);
    matrix<4><<<1, 512>>>(result, (unsigned *)scratch);
    print("rate.mma_16816", 16.0 * 4 * 64 * 16 * 8 * 16 / cycles());

}

static void chases()
{
    chase_shared<<<1, 32>>>(result);
    print("chase.shared", double(cycles()) / 256);
    unsigned next[1024];
    for (int i = 0; i < 1024; i++) next[i] = (i + 16) % 256;
    check(cudaMemcpyToSymbol(cells, next, sizeof next), "constants");
    chase_constant<<<1, 1>>>(result, nullptr);
    print("chase.constant", double(cycles()) / 256);
    pointers();
}

static void banks()
{
    for (int stride : {1, 2, 8, 32, 33}) {
        char line[64];
        conflicts<<<1, 32>>>(result, stride);
        snprintf(line, sizeof line, "shared.stride_%d", stride);
        print(line, double(cycles()) / 128);
        if (stride > 32) continue;
        conflict_rate<<<1, 1024>>>(result, stride);
        snprintf(line, sizeof line, "shared.rate_%d", stride);
        print(line, 1024.0 * 32 / cycles());
    }
}

static void synchronisation()
{
    check(cudaMemset(scratch, 0, 8192), "memset");
    off<false><<<1, 1024>>>(result, (int *)scratch, 32);
    print("off.shared", double(cycles()) / 32 / 64);
    off<true><<<1, 1024>>>(result, (int *)scratch, 32);
    print("off.global", double(cycles()) / 32 / 64);
    const char *kinds[] = {"atomic.shared_same", "atomic.global_same", "atomic.global_lanes", "atomic.cas"};
    for (int k = 0; k < 4; k++) {
        const int places = 16; // some near in L2, some far
        double sum = 0;
        check(cudaMemset(scratch, 0, 1 << 20), "memset");
        for (int p = 0; p < places; p++) {
            atomics<<<1, 32>>>(result, (int *)scratch + p * 33 * 32, k);
            sum += cycles();
        }
        print(kinds[k], sum / places / 128);
    }
    for (int threads : {32, 256, 1024}) {
        char line[64];
        barriers<<<1, threads>>>(result);
        snprintf(line, sizeof line, "barrier.%d_threads", threads);
        print(line, double(cycles()) / 64);
    }
    fences<<<1, 32>>>(result, (int *)scratch, 0);
    print("fence.cta", double(cycles()) / 64);
    fences<<<1, 32>>>(result, (int *)scratch, 1);
    print("fence.gpu", double(cycles()) / 64);
}

static void control()
{
    loops<<<1, 32>>>(result, (int *)scratch, 256);
    print("control.loop", double(cycles()) / 256);
    for (int ways : {1, 2, 4}) {
        char line[64];
        branches<<<1, 32>>>(result, (int *)scratch, ways);
        snprintf(line, sizeof line, "control.ways_%d", ways);
        print(line, double(cycles()) / 64);
    }
    check(cudaMemset(scratch, 0, 4096), "memset");
    straight<<<1, 32>>>(result, (float *)scratch, 0);
    print("code.cold", double(cycles()) / 4096);
    straight<<<1, 32>>>(result, (float *)scratch, 1);
    print("code.again", double(cycles()) / 4096);

}

static void bandwidths()
{
    near_reads<false><<<1, 1024>>>(result, (uint4 *)memory);
    print("bandwidth.shared", 1024.0 * 16 * 32 / cycles());
    near_reads<true><<<1, 1024>>>(result, (uint4 *)memory);
    print("bandwidth.l1", 1024.0 * 16 * 32 / cycles());
    print("bandwidth.l2_read", rate(memory, nullptr, 8 << 20, 4, 2));
    print("bandwidth.memory_read", rate(memory, nullptr, size / 4 * 3, 1, 1));
    print("bandwidth.memory_write", rate(nullptr, memory, size / 4 * 3, 1, 1));
    print("bandwidth.memory_copy", 2 * rate(memory, memory + size / 2, size / 2, 1, 1));
}

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    chosen = argc > 1 ? argv[1] : nullptr;
    check(cudaMallocManaged(&result, 64), "result");
    check(cudaMalloc(&scratch, 1 << 20), "scratch");
    check(cudaMalloc(&memory, size), "memory");
    if (runs("arithmetic")) units();
    if (runs("chase")) chases();
    if (runs("shared")) banks();
    if (runs("sync")) synchronisation();
    if (runs("control")) control();
    if (runs("bandwidth")) bandwidths();
    return 0;
}
