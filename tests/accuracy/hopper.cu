// Microbenchmarks of what came with compute capability 9.0: bulk copies and tensor copies, barriers of
// transactions, clusters, and matrix products of warpgroups. Each prints a line "name value".
#include "hopper.cuh"

// One thread: n copies at a time of so many bytes, eight times; the first times are not counted.
__global__ void bulk(long long *out, char *data, int bytes, int n, int writes)
{
    __shared__ uint64_t bar;
    init(&bar, 1);
    long long start = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 4) start = now();
        if (writes) {
            for (int k = 0; k < n; k++) store(data + k * bytes, room + k * bytes, bytes);
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            if (writes == 1) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
            else asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        } else {
            expect(&bar, n * bytes);
            for (int k = 0; k < n; k++) load(room + k * bytes, data + k * bytes, bytes, &bar);
            wait(&bar, i & 1);
        }
    }
    out[0] = now() - start;
}

// All SMs: four stages of 16 KiB each.
__global__ void bulk_stream(unsigned long long *span, char *data, size_t tiles, int passes)
{
    const int stage = 16 << 10, stages = 4;
    __shared__ uint64_t bar[4];
    unsigned long long start, end;
    for (int s = 0; s < stages; s++) init(&bar[s], 1);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start)::"memory");
    size_t n = 0, total = (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x * passes, per = total / passes;
    for (size_t i = 0; i < total + stages; i++) {
        if (i >= stages) wait(&bar[i % stages], (i / stages - 1) & 1), n++;
        if (i < total) {
            expect(&bar[i % stages], stage);
            load(room + i % stages * stage, data + (blockIdx.x + i % per * gridDim.x) * stage, stage, &bar[i % stages]);
        }
    }
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end)::"memory");
    atomicMin(span, start);
    atomicMax(span + 1, end);
    span[2] = n;
}

// A tile of a matrix of 16-bit elements, 1,024 wide.
__global__ void tile(long long *out, const __grid_constant__ CUtensorMap map, int bytes)
{
    __shared__ uint64_t bar;
    init(&bar, 1);
    long long start = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 4) start = now();
        expect(&bar, bytes);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(room)), "l"(&map), "r"(0), "r"(0), "r"(at(&bar)) : "memory");
        wait(&bar, i & 1);
    }
    out[0] = now() - start;
}

static double rate(size_t bytes, int passes)
{
    auto *span = (unsigned long long *)(memory + (200 << 20));
    unsigned long long t[2] = {~0ull, 0};
    check(cudaMemcpy(span, t, sizeof t, cudaMemcpyHostToDevice), "copy");
    bulk_stream<<<132, 1, 64 << 10>>>(span, memory, bytes >> 14, passes);
    check(cudaMemcpy(t, span, sizeof t, cudaMemcpyDeviceToHost), "bulk_stream");
    return double(bytes >> 14 << 14) * passes / (t[1] - t[0]);
}

static void copies()
{
    check(cudaFuncSetAttribute(bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, 128 << 10), "attribute");
    check(cudaFuncSetAttribute(bulk_stream, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), "attribute");
    check(cudaFuncSetAttribute(tile, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), "attribute");
    for (int bytes : {16, 128, 256, 1024, 4096, 16384, 65536}) {
        bulk<<<1, 1, 128 << 10>>>(result, memory, bytes, 1, 0);
        print("bulk.load", bytes, cycles("bulk") / 8);
        bulk<<<1, 1, 128 << 10>>>(result, memory, bytes, 1, 1);
        print("bulk.store", bytes, cycles("bulk") / 8);
        bulk<<<1, 1, 128 << 10>>>(result, memory, bytes, 1, 2);
        print("bulk.store_read", bytes, cycles("bulk") / 8);
    }
    for (int n : {2, 4, 8, 16, 32, 64}) {
        bulk<<<1, 1, 128 << 10>>>(result, memory, 128, n, 0);
        print("bulk.load_128_times", n, cycles("bulk") / 8);
        bulk<<<1, 1, 128 << 10>>>(result, memory, 1024, n, 0);
        print("bulk.load_1024_times", n, cycles("bulk") / 8);
    }
    print("bulk.bandwidth_l2", 8, rate(8 << 20, 8));
    print("bulk.bandwidth_memory", 96, rate(96 << 20, 1));
    for (int rows : {1, 8, 64, 256})
        for (int swizzle : {0, 1}) {
            cuuint64_t dims[2] = {1024, 1024};
            cuuint32_t box[2] = {64, (cuuint32_t)rows};
            CUtensorMap map = tensor_map(2, dims, box, swizzle ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE);
            tile<<<1, 1, 64 << 10>>>(result, map, rows * 128);
            print(swizzle ? "tensor.load_swizzled" : "tensor.load", rows, cycles("tile") / 8);
        }
}

// Barriers of transactions.
__global__ void barriers(long long *out, int kind)
{
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) init(&bar, kind == 3 ? blockDim.x : 1);
    __syncthreads();
    long long start = 0;
    for (int i = 0; i < 64; i++) {
        if (i == 32) start = now();
        switch (kind) {
        case 0: expect(&bar, 0); wait(&bar, i & 1); break;
        case 1: wait(&bar, 1); break; // is over
        case 2: asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(&bar)) : "memory"); break;
        case 3: asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(&bar)) : "memory"); wait(&bar, i & 1); break;
        }
    }
    if (threadIdx.x == 0) out[0] = now() - start;
}

// Clusters: the shared memory of the next CTA.
__global__ void neighbour(long long *out, int kind)
{
    __shared__ unsigned cells[256];
    __shared__ unsigned long long last;
    unsigned rank, size, self = at(cells), there;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(self), "r"((rank + 1) % size));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(self) : "r"(self), "r"(rank));
    for (int i = threadIdx.x; i < 256; i += blockDim.x) cells[i] = self + (i + 1) % 256 * 4; // links stay in its memory
    last = 0;
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    unsigned x = there + threadIdx.x * 4, sum = 0;
    long long start = now();
    if (kind < 4 ? rank == 0 : true)
        for (int i = 0; i < 64; i++) {
            if (i == 32) start = now();
            switch (kind) {
            case 0: asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(x)::"memory"); break;
            case 1: asm volatile("atom.shared::cluster.add.u32 %0, [%1], 0;" : "=r"(x) : "r"(x) : "memory"); break;
            case 2:
            case 4: {
                unsigned v[4];
                asm volatile("ld.shared::cluster.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(there + threadIdx.x % 64 * 16) : "memory");
                sum += v[0] ^ v[1] ^ v[2] ^ v[3];
                break;
            }
            case 3:
            case 5: asm volatile("st.shared::cluster.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(there + threadIdx.x % 64 * 16), "r"(i) : "memory"); break;
            case 6: asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); break;
            }
        }
    long long end = now() - start;
    if (sum == 12345) out[1] = sum + x;
    atomicMax(&last, end);
    __syncthreads();
    if (rank == 0 && threadIdx.x == 0) out[0] = last, out[1] = x;
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

static double cluster(int size, int threads, int kind)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = size, c.blockDim = threads;
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = size, a.val.clusterDim.y = a.val.clusterDim.z = 1;
    c.attrs = &a, c.numAttrs = 1;
    check(cudaLaunchKernelEx(&c, neighbour, result, kind), "neighbour");
    return cycles("neighbour") / 32;
}

static void clusters()
{
    const char *kinds[] = {"mbarrier.expect_wait", "mbarrier.ready", "mbarrier.arrive", "mbarrier.all"};
    for (int k = 0; k < 4; k++)
        for (int threads : {32, 128, 1024}) {
            if (k < 3 && threads > 32) continue;
            barriers<<<1, k < 3 ? 1 : threads>>>(result, k);
            print(kinds[k], k < 3 ? 1 : threads, cycles("barriers") / 32);
        }
    for (int size : {1, 2, 4, 8}) {
        print("dsm.load", size, cluster(size, 1, 0));
        print("dsm.atom", size, cluster(size, 1, 1));
        print("dsm.barrier", size, cluster(size, 32, 6));
        if (size == 1) continue;
        print("dsm.load_rate", size, 512 * 16 / cluster(size, 512, 2));
        print("dsm.store_rate", size, 512 * 16 / cluster(size, 512, 3));
        print("dsm.load_rate_all", size, 512 * 16 / cluster(size, 512, 4));
        print("dsm.store_rate_all", size, 512 * 16 / cluster(size, 512, 5));
    }
}

// Matrix products of warpgroups: so many of one group of commits, all into the same registers.
#define E8(t) "d" t "0,d" t "1,d" t "2,d" t "3,d" t "4,d" t "5,d" t "6,d" t "7"
#define Z1(t, i) "mov.b32 d" t i ", 0;"
#define Z8(t) Z1(t, "0") Z1(t, "1") Z1(t, "2") Z1(t, "3") Z1(t, "4") Z1(t, "5") Z1(t, "6") Z1(t, "7")
#define N8 "da0,da1,da2,da3"
#define N16 E8("a")
#define N32 N16 "," E8("b")
#define N64 N32 "," E8("c") "," E8("d")
#define N128 N64 "," E8("e") "," E8("f") "," E8("g") "," E8("h")
#define N256 N128 "," E8("i") "," E8("j") "," E8("k") "," E8("l") "," E8("m") "," E8("n") "," E8("o") "," E8("p")
#define D8(t, type) ".reg ." type " d" t "<8>;" Z8(t)
#define DALL(type) D8("a", type) D8("b", type) D8("c", type) D8("d", type) D8("e", type) D8("f", type) D8("g", type) D8("h", type) \
    D8("i", type) D8("j", type) D8("k", type) D8("l", type) D8("m", type) D8("n", type) D8("o", type) D8("p", type)

#define X1(n, k, type, a, tail) "wgmma.mma_async.sync.aligned.m64n" #n "k" #k "." type " {" N##n "}, " a ", %2, " tail ";"
#define X5(n, k, type, a, tail) X1(n, k, type, a, tail) X1(n, k, type, a, tail) X1(n, k, type, a, tail) X1(n, k, type, a, tail) X1(n, k, type, a, tail)
#define X15(n, k, type, a, tail) X5(n, k, type, a, tail) X5(n, k, type, a, tail) X5(n, k, type, a, tail)

#define PRODUCT(name, n, k, type, accumulator, a, tail)                                                                        \
    struct name##_##n { static constexpr int size = n; static constexpr bool left = sizeof(a) > sizeof(SS);                                                                                                   \
        static __device__ void run(long long *out, uint64_t x, uint64_t y, const unsigned *r, int times)                              \
        {                                                                                                                      \
            asm volatile("{ .reg .pred p, one, half; .reg .u64 t, u;" DALL(accumulator)                                      \
                         "setp.ne.b32 p, 1, 0; setp.eq.s32 one, %4, 1; setp.eq.s32 half, %4, 16; wgmma.fence.sync.aligned; bar.sync 0; mov.u64 t, %%clock64;"     \
                         X1(n, k, type, a, tail) "@one bra done;" X15(n, k, type, a, tail) "@half bra done;" X15(n, k, type, a, tail) X1(n, k, type, a, tail) \
                         "done: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"              \
                         "mov.u64 u, %%clock64; sub.u64 u, u, t; st.global.u64 [%0], u; st.global.b32 [%0+16], da0; }" \
                         ::"l"(out), "l"(x), "l"(y), "r"(r[0]), "r"(times), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");                                          \
        }                                                                                                                      \
    };
#define SS "%1"
#define RS "{%3,%5,%6,%7}"
#define ALL(name, k, type, accumulator, a, tail)                                                                      \
    PRODUCT(name, 8, k, type, accumulator, a, tail)                                                                  \
    PRODUCT(name, 16, k, type, accumulator, a, tail)                                                                 \
    PRODUCT(name, 32, k, type, accumulator, a, tail)                                                                 \
    PRODUCT(name, 64, k, type, accumulator, a, tail)                                                                 \
    PRODUCT(name, 128, k, type, accumulator, a, tail)                                                                \
    PRODUCT(name, 256, k, type, accumulator, a, tail)
ALL(half, 16, "f32.f16.f16", "f32", SS, "p, 1, 1, 0, 0")
ALL(half_rs, 16, "f32.f16.f16", "f32", RS, "p, 1, 1, 0")
ALL(tf32, 8, "f32.tf32.tf32", "f32", SS, "p, 1, 1")
ALL(fp8, 32, "f32.e4m3.e4m3", "f32", SS, "p, 1, 1")
ALL(int8, 32, "s32.s8.s8", "s32", SS, "p")

template <class P> __global__ void __launch_bounds__(P::size > 128 ? 128 : 512) products(long long *out, int times)
{
    uint64_t base = uint64_t(at(room) >> 4 & 0x3fff), shape = 1ull << 62 | 64ull << 32 | 1ull << 16; // swizzled by 128 bytes
    unsigned left[4] = {}; // of RS no constants, which ptxas would write anew before each product
    for (int i = 0; P::left && i < 4; i++) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(left[i]) : "r"(at(room) + threadIdx.x * 16 + i * 4) : "memory");
    for (int pass = 0; pass < 2; pass++) P::run(out + 4 * (threadIdx.x / 128), base | shape, (base + (8 << 10 >> 4)) | shape, left, times);
}

template <class P> static void product(const char *type, int n)
{
    char line[64];
    auto run = [&](int groups, int times) {
        check(cudaFuncSetAttribute(products<P>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), "attribute");
        products<P><<<1, 128 * groups, 64 << 10>>>(result, times);
        double last = cycles(type); // of the groups, which begin at once
        for (int g = 1; g < groups; g++) last = std::max(last, double(values[4 * g]));
        return last;
    };
    double one = run(1, 1);
    snprintf(line, sizeof line, "wgmma.%s.wait", type);
    print(line, n, one);
    snprintf(line, sizeof line, "wgmma.%s.each", type);
    print(line, n, (run(1, 32) - run(1, 16)) / 16);
    if (n > 128) return;
    snprintf(line, sizeof line, "wgmma.%s.each_of_four", type);
    print(line, n, (run(4, 32) - run(4, 16)) / 64);
}

#define EVERY(name)              \
    product<name##_8>(#name, 8);     \
    product<name##_16>(#name, 16);   \
    product<name##_32>(#name, 32);   \
    product<name##_64>(#name, 64);   \
    product<name##_128>(#name, 128); \
    product<name##_256>(#name, 256);

static void matrices()
{
    EVERY(half)
    EVERY(half_rs)
    EVERY(tf32)
    EVERY(fp8)
    EVERY(int8)
}

int main(int argc, char **argv)
{
    start(argc, argv);
    if (runs("clusters")) clusters();
    if (runs("wgmma")) matrices();
    if (runs("copies")) copies();
    return 0;
}
