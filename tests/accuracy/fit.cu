// Microbenchmarks by which parameters of the model were fitted, and which the table of errors leaves out:
// pipes of packed halves, instructions that are off, jumps, streams of one kind by size, atomics by
// address, copies to shared memory without loops. Each prints a line "name value".
#include "common.cuh"

static long long *result;
static char *memory;
const size_t size = 512 << 20;

static double longest(const char *what, int ctas = 1)
{
    check(cudaDeviceSynchronize(), what);
    long long most = 0;
    for (int i = 0; i < ctas; i++) most = result[i] > most ? result[i] : most;
    return double(most);
}

// Packed halves, also beside single precision and integers: four chains a thread.

enum { BF_FMA, BF_ADD, BF_MUL, H_MUL, H_MAX, H_WITH_FLOAT, H_WITH_MAD, H_WITH_LOP, FLOAT_WITH_MAD };

template <int kind> __device__ __forceinline__ void half_step(unsigned &x, unsigned &z, unsigned y)
{
    float &f = (float &)z;
    if (kind == BF_FMA) asm volatile("fma.rn.bf16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(y));
    if (kind == BF_ADD) asm volatile("add.rn.bf16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
    if (kind == BF_MUL) asm volatile("mul.rn.bf16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
    if (kind == H_MUL || kind >= H_WITH_FLOAT && kind <= H_WITH_LOP) asm volatile("mul.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
    if (kind == H_MAX) asm volatile("max.f16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
    if (kind == H_WITH_FLOAT || kind == FLOAT_WITH_MAD) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f) : "f"(__uint_as_float(y)));
    if (kind == H_WITH_MAD) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(z) : "r"(y));
    if (kind == FLOAT_WITH_MAD) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(y));
    if (kind == H_WITH_LOP) asm volatile("lop3.b32 %0, %0, %1, %1, 0x96;" : "+r"(z) : "r"(y));
}

template <int kind> __global__ void __launch_bounds__(1024) halves(long long *out, unsigned *data)
{
    __shared__ Span span;
    int lane = threadIdx.x % 2;
    unsigned a = data[lane], b = data[1 + lane], c = data[2 + lane], d = data[3 + lane], y = data[4];
    unsigned e = data[5 + lane], f = data[6 + lane], g = data[7 + lane], h = data[8 + lane];
    for (int pass = 0; pass < 2; pass++) {
        __syncthreads();
        span.open();
        long long start = now();
#pragma unroll
        for (int i = 0; i < 64; i++) {
            half_step<kind>(a, e, y);
            half_step<kind>(b, f, y);
            half_step<kind>(c, g, y);
            half_step<kind>(d, h, y);
        }
        data[16 + threadIdx.x % 8] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
        span.close(start, out);
        __syncthreads();
    }
}

// Cycles of a sub-core for an instruction, or for both of a pair.
template <int kind> static void half_rate(const char *name)
{
    for (int warps : {4, 8, 16, 32}) {
        halves<kind><<<1, warps * 32>>>(result, (unsigned *)memory);
        print(name, warps, longest(name) / (256.0 * warps / 4));
    }
}

static void half()
{
    check(cudaMemset(memory, 0, 4096), "memset");
    half_rate<BF_FMA>("half.bf16_fma");
    half_rate<BF_ADD>("half.bf16_add");
    half_rate<BF_MUL>("half.bf16_mul");
    half_rate<H_MUL>("half.mul");
    half_rate<H_MAX>("half.max");
    half_rate<H_WITH_FLOAT>("half.mul_and_fma_f32");
    half_rate<H_WITH_MAD>("half.mul_and_mad");
    half_rate<H_WITH_LOP>("half.mul_and_lop3");
    half_rate<FLOAT_WITH_MAD>("half.fma_f32_and_mad");
}

// Memory instructions that the predicates of all lanes, or of all but one, turn off.

enum { LD_GLOBAL, LD_SHARED, ST_GLOBAL, ST_SHARED };

template <int kind> __global__ void __launch_bounds__(1024) off(long long *out, int *data, int which)
{
    __shared__ int words[1024 + 64];
    __shared__ Span span;
    words[threadIdx.x] = 0;
    unsigned at_ = at(words + threadIdx.x);
    int *p = data + threadIdx.x;
    int v[8] = {}, on = data[threadIdx.x] + (int)(threadIdx.x % 32 == which); // no scalar, which would be a branch
    for (int pass = 0; pass < 2; pass++) {
        __syncthreads();
        span.open();
        long long start = now();
#pragma unroll
        for (int i = 0; i < 64; i++) {
            if (kind == LD_GLOBAL) asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u32 %0, [%1];}" : "+r"(v[i % 8]) : "l"(p + i), "r"(on));
            if (kind == LD_SHARED) asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p ld.shared.u32 %0, [%1];}" : "+r"(v[i % 8]) : "r"(at_ + i * 4), "r"(on));
            if (kind == ST_GLOBAL) asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p st.global.u32 [%1], %0;}" ::"r"(v[i % 8]), "l"(p + i), "r"(on));
            if (kind == ST_SHARED) asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p st.shared.u32 [%1], %0;}" ::"r"(v[i % 8]), "r"(at_ + i * 4), "r"(on));
        }
        span.close(start, out);
        __syncthreads();
        if (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] == 12345) out[1] = 1;
    }
}

// Cycles of the SM for an instruction.
template <int kind> static void off_rate(const char *name)
{
    char line[64];
    for (int which : {32, 0})
        for (int warps : {1, 4, 8, 32}) {
            off<kind><<<1, warps * 32>>>(result, (int *)memory, which);
            snprintf(line, sizeof line, "off.%s_%d_lanes", name, which == 0);
            print(line, warps, longest(name) / (64.0 * warps));
        }
}

static void offs()
{
    check(cudaMemset(memory, 0, 8192), "memset");
    off_rate<LD_GLOBAL>("ld_global");
    off_rate<LD_SHARED>("ld_shared");
    off_rate<ST_GLOBAL>("st_global");
    off_rate<ST_SHARED>("st_shared");
}

// Jumps over so many instructions, 32 times; the first time the code is new. One warp.

template <int over> __global__ void jumps(long long *out, float *data)
{
    float x = data[0], y = data[1];
    int go = data[threadIdx.x + 2] == 0;
    long long start, ends[3];
    start = now();
#pragma unroll 1
    for (int pass = 0; pass < 3; pass++) {
#pragma unroll
        for (int i = 0; i < 32; i++)
            if (!go) {
#pragma unroll
                for (int k = 0; k < over; k++) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));
            }
        ends[pass] = now();
    }
    out[0] = ends[0] - start, out[1] = ends[1] - ends[0], out[2] = ends[2] - ends[1];
    data[64] = x;
}

template <int over> static void jump()
{
    check(cudaMemset(memory, 0, 4096), "memset");
    jumps<over><<<1, 32>>>(result, (float *)memory);
    check(cudaDeviceSynchronize(), "jumps");
    print("jump.cold", over, result[0] / 32.0);
    print("jump.again", over, result[2] / 32.0);
}

static void control()
{
    jump<4>();
    jump<8>();
    jump<16>();
    jump<32>();
    jump<64>();
    jump<120>();
}

// Atomics of one lane, by address: a line each of many, 33 lines apart.

template <int kind> __global__ void places(long long *out, unsigned *cells, unsigned stride)
{
    for (int place = 0; place < 128; place++) {
        unsigned *p = cells + (size_t)place * stride, x = 0;
        long long start = 0;
        for (int i = 0; i < 12; i++) {
            if (i == 4) start = now();
            if (kind == 0) asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(x) : "l"(p + (x >> 31)), "r"(x >> 31) : "memory");
            if (kind == 1) asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;" : "=r"(x) : "l"(p + (x >> 31)), "r"(x >> 31) : "memory");
        }
        out[place] = now() - start;
    }
}

template <int kind> static void place(const char *name)
{
    char line[64];
    check(cudaMemset(memory, 0, 128 * 33 * 128), "memset");
    places<kind><<<1, 1>>>(result, (unsigned *)memory, 33 * 32);
    check(cudaDeviceSynchronize(), name);
    double sum = 0, t[128];
    for (int i = 0; i < 128; i++) sum += t[i] = result[i] / 8.0;
    qsort(t, 128, sizeof *t, [](const void *a, const void *b) { return int(*(double *)a > *(double *)b) - int(*(double *)a < *(double *)b); });
    snprintf(line, sizeof line, "place.%s_mean", name);
    print(line, 128, sum / 128);
    snprintf(line, sizeof line, "place.%s_part", name);
    for (int k : {0, 16, 32, 48, 63, 64, 80, 96, 112, 127}) print(line, k, t[k]);
}

// One address of all lanes, and 32 of one line, over the same places.
template <int kind> __global__ void warp_places(long long *out, unsigned *cells, int same)
{
    long long sum = 0;
    for (int place = 0; place < 64; place++) {
        unsigned *p = cells + (size_t)place * 33 * 32 + (same ? 0 : threadIdx.x), x = 0;
        long long start = 0;
        for (int i = 0; i < 12; i++) {
            if (i == 4) start = now();
            if (kind == 0) asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(x) : "l"(p + (x >> 31)), "r"(x >> 31) : "memory");
            if (kind == 1) asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;" : "=r"(x) : "l"(p + (x >> 31)), "r"(x >> 31) : "memory");
        }
        sum += now() - start;
    }
    if (threadIdx.x == 0) out[0] = sum;
}

static void addresses()
{
    place<0>("atom");
    place<1>("cas");
    for (int same : {0, 1}) {
        warp_places<0><<<1, 32>>>(result, (unsigned *)memory, same);
        print("place.atom_warp_same", same, longest("places") / 64 / 8);
        warp_places<1><<<1, 32>>>(result, (unsigned *)memory, same);
        print("place.cas_warp_same", same, longest("places") / 64 / 8);
    }
}

// Increments of shared memory, which the hardware counts for lanes at one address: 1,024 threads, at pseudo-random
// ones of range cells, or lane by lane at the first ones. Cycles of the SM for an instruction.
template <bool random> __global__ void __launch_bounds__(1024) increments(long long *out, unsigned range)
{
    __shared__ unsigned own[4096];
    __shared__ Span span;
    for (int i = threadIdx.x; i < 4096; i += 1024) own[i] = 0;
    unsigned h = threadIdx.x * 2654435761u;
    __syncthreads();
    span.open();
    long long start = now();
#pragma unroll 8
    for (int i = 0; i < 32; i++) {
        if (random) h = h * 1664525u + 1013904223u;
        unsigned place = random ? (h >> 8) % range : threadIdx.x % 32 % range;
        asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at(own + place)) : "memory");
    }
    span.close(start, out);
    __syncthreads();
}

static void shared_increments()
{
    for (unsigned range : {1, 2, 8, 32}) {
        increments<false><<<1, 1024>>>(result, range);
        print("increment.rate", range, longest("increments") / 1024);
    }
    for (unsigned range : {32, 256, 4096}) {
        increments<true><<<1, 1024>>>(result, range);
        print("increment.random", range, longest("increments") / 1024);
    }
}

// Streams of one kind, all SMs, again and again over so many MiB: bytes a cycle of all together.

enum { READS, WRITES, COPIES };

template <int kind> __global__ void __launch_bounds__(1024) stream(long long *out, uint4 *from, uint4 *to, size_t n, int passes)
{
    __shared__ Span span;
    size_t step = (size_t)gridDim.x * blockDim.x, first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    __syncthreads();
    span.open();
    long long start = now();
    for (int p = 0; p < passes; p++)
#pragma unroll 4
        for (size_t i = first; i < n; i += step) {
            uint4 v = make_uint4(p, p, p, p);
            if (kind != WRITES) {
                asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from + i));
                sum ^= v.x ^ v.y ^ v.z ^ v.w;
            }
            if (kind != READS) to[i] = v;
        }
    if (kind == WRITES) __threadfence();
    if (sum == 12345) out[500] = sum;
    span.close(start, out);
    __syncthreads();
}

template <int kind> static void rate(const char *name, size_t mib, size_t total)
{
    size_t bytes = mib << 20;
    int passes = int(total / mib), ctas = 264;
    if (passes < 1) passes = 1;
    uint4 *from = (uint4 *)memory, *to = (uint4 *)(memory + (kind == COPIES ? size / 2 : 0));
    stream<kind><<<ctas, 1024>>>(result, from, to, bytes / 16, kind == READS || mib <= 32 ? 1 : 0); // a pass that does not count
    check(cudaDeviceSynchronize(), name);
    stream<kind><<<ctas, 1024>>>(result, from, to, bytes / 16, passes);
    print(name, int(mib), (kind == COPIES ? 2.0 : 1.0) * double(bytes) * passes / longest(name, ctas));
}

static size_t streamed = 2048; // MiB

static void streams()
{
    for (size_t mib : {1, 2, 4, 8, 16, 24, 32, 40, 48, 96, 256}) {
        rate<READS>("stream.read", mib, streamed);
        rate<WRITES>("stream.write", mib, streamed);
    }
    for (size_t mib : {1, 4, 8, 16, 96, 192}) rate<COPIES>("stream.copy", mib, streamed / 2);
}

// Copies to shared memory, n of them without a loop, then a wait; and many warps of them.

template <int bytes, int n> __global__ void asynchronous(long long *out, const char *data, int times)
{
    __shared__ __align__(16) char room[1024 * 16];
    __shared__ Span span;
    unsigned to = at(room + threadIdx.x * bytes);
    const char *from = data + threadIdx.x * bytes;
    __syncthreads();
    span.open();
    long long start = 0;
    for (int i = 0; i < times + 1; i++) {
        if (i == 1) start = now();
#pragma unroll
        for (int k = 0; k < n; k++) {
            if (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from + k * 16384) : "memory");
            else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from + k * 16384), "n"(bytes) : "memory");
        }
        asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    }
    span.close(start, out);
    __syncthreads();
}

template <int bytes, int n> static void copy(const char *name)
{
    char line[64];
    for (int warps : {1, 4, 16}) {
        asynchronous<bytes, n><<<1, warps * 32>>>(result, memory, 8);
        snprintf(line, sizeof line, "copy.%s_%d_warps", name, warps);
        print(line, n, longest(name) / 8);
    }
}

static void copies()
{
    copy<4, 1>("4_bytes");
    copy<4, 3>("4_bytes");
    copy<4, 6>("4_bytes");
    copy<4, 12>("4_bytes");
    copy<4, 24>("4_bytes");
    copy<8, 1>("8_bytes");
    copy<8, 6>("8_bytes");
    copy<8, 24>("8_bytes");
    copy<16, 1>("16_bytes");
    copy<16, 3>("16_bytes");
    copy<16, 6>("16_bytes");
    copy<16, 12>("16_bytes");
    copy<16, 24>("16_bytes");
}

// A kernel that does nothing for so many cycles, as its own counter says. ncu counts those of the SM.
__global__ void idle(long long *out, int n)
{
    long long start = now(), t = start;
    while (t - start < n) t = now();
    if (n > 1 << 20) out[threadIdx.x] = t;
}

__global__ void nothing() {}

__global__ void one_store(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

static void launches()
{
    for (int ctas : {1, 132, 264})
        for (int threads : {32, 256, 1024}) {
            idle<<<ctas, threads>>>(result, 4000);
            nothing<<<ctas, threads>>>();
            one_store<<<ctas, threads>>>((int *)memory);
        }
    check(cudaDeviceSynchronize(), "launch");
}

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    chosen = argc > 1 ? argv[1] : nullptr;
    if (argc > 2) streamed = atoi(argv[2]);
    check(cudaMallocManaged(&result, 8192), "result");
    check(cudaMalloc(&memory, size), "memory");
    if (runs("half")) half();
    if (runs("off")) offs();
    if (runs("control")) control();
    if (runs("address")) addresses();
    if (runs("copies")) copies();
    if (runs("increments")) shared_increments();
    if (runs("streams")) streams();
    if (chosen && runs("launch")) launches();
    return 0;
}
