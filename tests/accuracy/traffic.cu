// Microbenchmarks of traffic between SMs and memory: atomics that meet, stores and loads that scatter,
// copies to shared memory. Each prints a line "name value".
#include "common.cuh"

enum { ATOM, RED, CAS, ATOM_SHARED, RED_SHARED, CAS_SHARED };

// One warp, of which some lanes work at a number of addresses, words apart; each waits for the one before.
template <int kind> __global__ void atomic_latency(long long *out, unsigned *cells, int lanes, int ways, int apart)
{
    __shared__ unsigned own[2048];
    for (int i = threadIdx.x; i < 2048; i += 32) own[i] = 0;
    __syncwarp();
    unsigned x = 0, place = threadIdx.x % ways * apart;
    long long start = 0;
    if (threadIdx.x < lanes) {
        for (int i = 0; i < 64; i++) {
            if (i == 32) start = now();
            if (kind == ATOM) asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(x) : "l"(cells + place + (x >> 31)), "r"(x >> 31) : "memory");
            if (kind == CAS) asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;" : "=r"(x) : "l"(cells + place + (x >> 31)), "r"(x) : "memory");
            if (kind == ATOM_SHARED) asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(x) : "r"(at(own + place + (x >> 31))), "r"(x >> 31) : "memory");
            if (kind == CAS_SHARED) asm volatile("atom.shared.cas.b32 %0, [%1], %2, %2;" : "=r"(x) : "r"(at(own + place + (x >> 31))), "r"(x) : "memory");
        }
        if (threadIdx.x == 0) out[0] = now() - start;
    }
    if (x == 12345) out[1] = x;
}

// All warps of 1,024 threads, and of each of so many CTAs; they do not wait. Threads work at pseudo-random
// ones of range cells, or lane by lane at the first ones.
template <int kind, bool random> __global__ void __launch_bounds__(1024) atomic_rate(long long *out, unsigned *cells, unsigned range, int apart)
{
    __shared__ unsigned own[4096];
    __shared__ Span span;
    for (int i = threadIdx.x; i < 4096; i += 1024) own[i] = 0;
    unsigned h = (blockIdx.x * 1024 + threadIdx.x) * 2654435761u, x = 0;
    span.open();
    long long start = now();
#pragma unroll 8
    for (int i = 0; i < 32; i++) {
        if (random) h = h * 1664525u + 1013904223u;
        unsigned place = (random ? (h >> 8) % range : threadIdx.x % 32 % range) * apart;
        if (kind == ATOM) {
            unsigned v;
            asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(v) : "l"(cells + place) : "memory");
            x += v;
        }
        if (kind == RED) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(cells + place) : "memory");
        if (kind == ATOM_SHARED) {
            unsigned v;
            asm volatile("atom.shared.add.u32 %0, [%1], 3;" : "=r"(v) : "r"(at(own + place)) : "memory");
            x += v;
        }
        if (kind == RED_SHARED) asm volatile("red.shared.add.u32 [%0], 3;" ::"r"(at(own + place)) : "memory");
    }
    if (x == 12345) cells[1 << 20] = x;
    span.close(start, out);
}

// Lanes store, or load past L1, words that lie stride bytes apart; successive accesses are neighbours.
template <bool loads> __global__ void __launch_bounds__(1024) scatter(long long *out, char *data, unsigned stride)
{
    __shared__ Span span;
    size_t column = (blockIdx.x * 32 + threadIdx.x / 32) * 32 * 4;
    unsigned sum = 0;
    span.open();
    long long start = now();
#pragma unroll 4
    for (int i = 0; i < 32; i++, column += 4) {
        char *p = data + column / stride * stride * 32 + threadIdx.x % 32 * stride + column % stride;
        if (loads) {
            unsigned v;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
            sum += v;
        } else {
            asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(i) : "memory");
        }
    }
    if (sum == 12345) out[200] = sum;
    if (!loads) __threadfence();
    span.close(start, out);
}

// Blocks of memory in an order that jumps, each read once, 16 bytes a thread; by time of all SMs.
__global__ void jump(unsigned long long *span, char *data, unsigned unit, unsigned blocks, unsigned n, int writes)
{
    unsigned long long start, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start)::"memory");
    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned block = i / (unit / 16) * 2654435761u & (blocks - 1);
        uint4 *p = (uint4 *)(data + (size_t)block * unit) + i % (unit / 16);
        if (writes) {
            *p = make_uint4(i, i, i, i);
        } else {
            uint4 v;
            asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
            sum ^= v.x ^ v.y ^ v.z ^ v.w;
        }
    }
    if (sum == 12345) span[2] = sum;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end)::"memory");
    if (threadIdx.x == 0) {
        atomicMin(span, start);
        atomicMax(span + 1, end);
    }
}

// One warp copies to shared memory so many times, then waits.
template <int bytes> __global__ void asynchronous(long long *out, const char *data, int n)
{
    __shared__ __align__(16) char room[32 * 16 * 16];
    long long start = 0;
    for (int i = 0; i < 16; i++) {
        if (i == 8) start = now();
        for (int k = 0; k < n; k++) {
            if (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(room + (k % 16 * 32 + threadIdx.x) * 16)), "l"(data + (k * 32 + threadIdx.x) * 16) : "memory");
            else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at(room + (k % 16 * 32 + threadIdx.x) * 16)), "l"(data + (k * 32 + threadIdx.x) * bytes), "n"(bytes) : "memory");
        }
        asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    }
    if (threadIdx.x == 0) out[0] = now() - start;
}

// CTAs note when they start and end, and where.
__global__ void resident(long long *notes, int *where, int turns)
{
    long long start = now();
    unsigned x = threadIdx.x;
    if (threadIdx.x == 0) {
        int sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        where[blockIdx.x] = sm;
        notes[2 * blockIdx.x] = start;
        notes[2 * blockIdx.x + 1] = start + turns; // when it ends, but for some instructions
    }
    while (now() - start < turns) x++;
    if (x == 12345) notes[1 << 16] = x;
}

static long long *result;
static char *memory;
const size_t size = 512 << 20;

// longest is the longest time of a CTA.
static double longest(const char *what, int ctas)
{
    check(cudaDeviceSynchronize(), what);
    long long most = 0;
    for (int i = 0; i < ctas; i++) most = result[i] > most ? result[i] : most;
    return double(most);
}

template <int kind> static void lat(const char *name)
{
    int rows[][3] = {{1, 1, 1}, {2, 1, 1}, {4, 1, 1}, {32, 1, 1}, {32, 2, 1}, {32, 8, 1}, {32, 32, 1}, {32, 32, 32}};
    for (auto &r : rows) {
        char line[64];
        check(cudaMemset(memory, 0, 1 << 20), "memset");
        atomic_latency<kind><<<1, 32>>>(result, (unsigned *)memory, r[0], r[1], r[2]);
        snprintf(line, sizeof line, "%s.latency_%d_%d", name, r[0], r[1]);
        print(line, r[2], longest(name, 1) / 32);
    }
}

// Cycles of an SM for a warp's instruction.
template <int kind, bool random> static void rate(const char *name, int ctas, unsigned range, int apart)
{
    char line[64];
    check(cudaMemset(memory, 0, 4 << 20), "memset");
    atomic_rate<kind, random><<<ctas, 1024>>>(result, (unsigned *)memory, range, apart);
    snprintf(line, sizeof line, "%s.rate_%d_%d%s", name, ctas, range, random ? "_random" : "");
    print(line, apart, longest(name, ctas) / 1024);
}

static void atomics()
{
    lat<ATOM>("atom");
    lat<CAS>("cas");
    lat<ATOM_SHARED>("atom_shared");
    lat<CAS_SHARED>("cas_shared");
    for (unsigned range : {1, 2, 8, 32}) {
        rate<ATOM_SHARED, false>("atom_shared", 1, range, 1);
        rate<RED_SHARED, false>("red_shared", 1, range, 1);
    }
    rate<RED_SHARED, false>("red_shared", 1, 32, 32);
    for (unsigned range : {1, 32, 256, 4096}) {
        if (range > 1) rate<RED_SHARED, true>("red_shared", 1, range, 1);
    }
    for (int ctas : {1, 8, 132}) {
        for (unsigned range : {1, 2, 8, 32}) {
            rate<ATOM, false>("atom", ctas, range, 1);
            rate<RED, false>("red", ctas, range, 1);
        }
        rate<RED, false>("red", ctas, 32, 32);
        for (unsigned range : {32, 256, 4096, 1 << 18}) {
            rate<ATOM, true>("atom", ctas, range, 1);
            rate<RED, true>("red", ctas, range, 1);
        }
    }
}

static void scattered()
{
    for (int ctas : {1, 132})
        for (unsigned stride : {4, 8, 16, 32, 64, 128, 512, 2048, 8192}) {
            char line[64];
            scatter<false><<<ctas, 1024>>>(result, memory, stride);
            snprintf(line, sizeof line, "scatter.store_%d", ctas);
            print(line, stride, longest("scatter", ctas) / 1024);
            scatter<true><<<ctas, 1024>>>(result, memory, stride);
            snprintf(line, sizeof line, "scatter.load_%d", ctas);
            print(line, stride, longest("scatter", ctas) / 1024);
        }
}

static double jumps(char *data, unsigned unit, int ctas, int writes)
{
    auto *span = (unsigned long long *)(memory + size);
    unsigned long long t[2] = {~0ull, 0};
    check(cudaMemcpy(span, t, sizeof t, cudaMemcpyHostToDevice), "copy");
    const unsigned region = 64 << 20, read = ctas == 1 ? 1 << 20 : 64 << 20;
    jump<<<ctas, 1024>>>(span, data, unit, region / unit, read / 16, writes);
    check(cudaMemcpy(t, span, sizeof t, cudaMemcpyDeviceToHost), "jump");
    return double(read) / (t[1] - t[0]);
}

static void memories()
{
    char *fresh = memory;
    int n = 0;
    for (unsigned unit : {32, 64, 128, 256, 1024, 4096}) {
        print("jump.read", unit, jumps(fresh, unit, 264, 0));
        fresh = memory + size / 8 * (++n % 8);
    }
    for (unsigned unit : {32, 64, 256, 4096}) {
        print("jump.write", unit, jumps(fresh, unit, 264, 1));
        fresh = memory + size / 8 * (++n % 8);
    }
    print("jump.one_sm", 4096, jumps(fresh, 4096, 1, 0));
}

static void copies()
{
    for (int n : {1, 2, 4, 8, 16}) {
        asynchronous<4><<<1, 32>>>(result, memory, n);
        print("async.4_bytes_times", n, longest("async", 1) / 8);
        asynchronous<16><<<1, 32>>>(result, memory, n);
        print("async.16_bytes_times", n, longest("async", 1) / 8);
    }
}

__global__ void starts(long long *notes)
{
    long long start = now();
    if (threadIdx.x % 32 == 0) notes[threadIdx.x / 32] = start;
}

// The first wave's CTAs of an SM one after another, and from the end of one to the start of the next.
static void launches()
{
    auto *notes = (long long *)memory;
    for (int threads : {256, 1024}) {
        long long w[32];
        starts<<<1, threads>>>(notes);
        check(cudaMemcpy(w, notes, 8 * threads / 32, cudaMemcpyDeviceToHost), "starts");
        long long first = w[0], last = w[0];
        for (int i = 0; i < threads / 32; i++) first = w[i] < first ? w[i] : first, last = w[i] > last ? w[i] : last;
        print("launch.warps", threads, double(last - first));
        print("launch.last_warp", threads, double(w[threads / 32 - 1] - w[0]));
    }
    static long long t[2 * 132 * 64];
    static int sm[132 * 64];
    check(cudaFuncSetAttribute(resident, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10), "attribute");
    int rows[][3] = {{1, 200, 1}, {32, 200, 1}, {1024, 200, 1}, {32, 0, 32}, {256, 0, 8}, {1024, 0, 2}}; // threads, KiB, CTAs of an SM
    for (auto &r : rows) {
        int perSM = r[2], ctas = perSM == 1 ? 132 * 4 : 132 * perSM;
        resident<<<ctas, r[0], r[1] << 10>>>(notes, (int *)(memory + (1 << 20)), perSM == 1 ? 4000 : 30000);
        check(cudaMemcpy(t, notes, 16 * ctas, cudaMemcpyDeviceToHost), "notes");
        check(cudaMemcpy(sm, memory + (1 << 20), 4 * ctas, cudaMemcpyDeviceToHost), "places");
        long long least = 1 << 30, most = 0, sum = 0, n = 0;
        for (int i = 0; i < ctas; i++) { // the next start on the same SM
            long long from = perSM == 1 ? t[2 * i + 1] : t[2 * i], next = 1ll << 62;
            for (int k = 0; k < ctas; k++)
                if (k != i && sm[k] == sm[i] && t[2 * k] > from && t[2 * k] < next) next = t[2 * k];
            if (next == 1ll << 62) continue;
            long long d = next - from;
            least = d < least ? d : least, most = d > most ? d : most, sum += d, n++;
        }
        const char *name = perSM == 1 ? "launch.refill" : "launch.interval";
        char line[64];
        snprintf(line, sizeof line, "%s_least", name);
        print(line, r[0], double(least));
        snprintf(line, sizeof line, "%s_mean", name);
        print(line, r[0], n ? double(sum) / n : 0);
        snprintf(line, sizeof line, "%s_most", name);
        print(line, r[0], double(most));
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    chosen = argc > 1 ? argv[1] : nullptr;
    check(cudaMallocManaged(&result, 4096), "result");
    check(cudaMalloc(&memory, size + 4096), "memory");
    if (runs("memories")) memories();
    if (runs("copies")) copies();
    if (runs("launch")) launches();
    if (runs("atomics")) atomics();
    if (runs("scattered")) scattered();
    return 0;
}
