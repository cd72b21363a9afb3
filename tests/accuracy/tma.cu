// Microbenchmarks of the units that copy: bulk and tensor copies by size, shape and number of CTAs,
// copies to all CTAs of a cluster, messages between SMs, and what waiting for them takes.
#include "hopper.cuh"

__device__ __forceinline__ unsigned cluster_at(unsigned a, unsigned rank)
{
    unsigned x;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(rank));
    return x;
}

__device__ __forceinline__ unsigned cluster_rank()
{
    unsigned x;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(x));
    return x;
}

__device__ __forceinline__ unsigned cluster_size()
{
    unsigned x;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(x));
    return x;
}

#define CLUSTER_SYNC asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory")

template <class... Args> static void launch(const char *what, void (*kernel)(Args...), int grid, int block, int shared, int cluster, Args... args)
{
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10), what);
    cudaLaunchConfig_t c = {};
    c.gridDim = grid, c.blockDim = block, c.dynamicSmemBytes = shared;
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = cluster, a.val.clusterDim.y = a.val.clusterDim.z = 1;
    c.attrs = &a, c.numAttrs = cluster > 1;
    check(cudaLaunchKernelEx(&c, kernel, args...), what);
}

// One thread in each of several warps: so many copies of 128 bytes each, eight times.
__global__ void issuers(long long *out, char *data, int n)
{
    __shared__ uint64_t bar;
    int w = threadIdx.x / 32, warps = blockDim.x / 32;
    if (threadIdx.x == 0) init(&bar, warps);
    __syncthreads();
    long long start = 0;
    for (int i = 0; i < 12; i++) {
        __syncthreads();
        if (i == 4) start = now();
        if (threadIdx.x % 32 == 0) {
            expect(&bar, n * 128);
            for (int k = 0; k < n; k++) load(room + (w * n + k) * 128, data + (w * n + k) * 128, 128, &bar);
            wait(&bar, i & 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = now() - start;
}

// CTAs that stream from L2, each its own 64 KiB by copies of 2^order bytes, 64 KiB in flight; the first
// pass is not counted.
__global__ void streams(long long *out, char *data, int order, int passes, int writes)
{
    __shared__ uint64_t bars[64];
    int bytes = 1 << order, rest = (65536 >> order) - 1, total = passes * (rest + 1);
    for (int s = 0; s <= rest; s++) init(&bars[s], 1);
    data += (size_t)blockIdx.x * 65536;
    long long start = 0;
    if (writes) {
        for (int i = 0; i < total; i++) {
            if (i == rest + 1) start = now();
            store(data + (i & rest) * bytes, room + (i & rest) * bytes, bytes);
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    } else {
        for (int i = 0; i <= rest; i++) {
            expect(&bars[i], bytes);
            load(room + i * bytes, data + i * bytes, bytes, &bars[i]);
        }
        for (int i = 0; i < total; i++) {
            if (i == rest + 1) start = now();
            int s = i & rest;
            wait(&bars[s], i >> (16 - order) & 1);
            if (i + rest + 1 < total) {
                expect(&bars[s], bytes);
                load(room + s * bytes, data + s * bytes, bytes, &bars[s]);
            }
        }
    }
    atomicMax((unsigned long long *)out, (unsigned long long)(now() - start));
}

static double stream(int ctas, int order, int writes)
{
    const int passes = 4;
    check(cudaMemset(result, 0, sizeof values), "memset");
    launch("streams", streams, ctas, 1, 128 << 10, 1, result, memory, order, passes, writes);
    return 65536.0 * (passes - 1) / cycles("streams");
}

// What was never read: with and without a prefetch before.
__global__ void cold(long long *out, char *data, int bytes, int prefetch)
{
    __shared__ uint64_t bar;
    init(&bar, 1);
    long long sum = 0, cost = 0;
    for (int i = 0; i < 8; i++) {
        char *from = data + (size_t)i * (1 << 20);
        if (prefetch) {
            long long t = now();
            asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
            cost += now() - t;
            while (now() - t < 5000) {}
        }
        long long t = now();
        expect(&bar, bytes);
        load(room, from, bytes, &bar);
        wait(&bar, i & 1);
        sum += now() - t;
    }
    out[0] = sum;
    out[1] = cost;
}

// Reductions into memory.
__global__ void reductions(long long *out, char *data, int bytes)
{
    long long start = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 4) start = now();
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(data), "r"(at(room)), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    out[0] = now() - start;
}

static void bulks()
{
    for (int warps : {1, 2, 4, 8}) {
        launch("issuers", issuers, 1, warps * 32, 64 << 10, 1, result, memory, 16);
        print("bulk.issuers", warps, cycles("issuers") / 8);
    }
    for (int order : {10, 12, 14}) {
        char line[64];
        for (int ctas : {1, 8, 132}) {
            snprintf(line, sizeof line, "bulk.stream_%d_ctas", ctas);
            print(line, 1 << order, stream(ctas, order, 0));
            snprintf(line, sizeof line, "bulk.stream_out_%d_ctas", ctas);
            print(line, 1 << order, stream(ctas, order, 1));
        }
    }
    char *fresh = memory + (64 << 20);
    for (int bytes : {128, 4096, 16384})
        for (int prefetch : {0, 1}) {
            launch("cold", cold, 1, 1, 64 << 10, 1, result, fresh, bytes, prefetch);
            print(prefetch ? "bulk.prefetched" : "bulk.cold", bytes, cycles("cold") / 8);
            if (prefetch) print("bulk.prefetch", bytes, values[1] / 8.0);
            fresh += 8 << 20;
        }
    for (int bytes : {16, 1024, 16384}) {
        launch("reductions", reductions, 1, 1, 64 << 10, 1, result, memory, bytes);
        print("bulk.reduce", bytes, cycles("reductions") / 8);
    }
}

#define INTO(rank, coords) "cp.async.bulk.tensor." #rank "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coords "}], [%2];"
#define FROM(rank, coords) "cp.async.bulk.tensor." #rank "d.global.shared::cta.tile.bulk_group [%1, {" coords "}], [%0];"
#define ADD(rank, coords) "cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.add.tile.bulk_group [%1, {" coords "}], [%0];"

template <int rank> __device__ __forceinline__ void tile(const CUtensorMap *map, void *to, int row, uint64_t *bar)
{
    if constexpr (rank == 1) asm volatile(INTO(1, "%3") ::"r"(at(to)), "l"(map), "r"(at(bar)), "r"(row) : "memory");
    if constexpr (rank == 2) asm volatile(INTO(2, "%4, %3") ::"r"(at(to)), "l"(map), "r"(at(bar)), "r"(row), "r"(0) : "memory");
    if constexpr (rank == 3) asm volatile(INTO(3, "%4, %3, %4") ::"r"(at(to)), "l"(map), "r"(at(bar)), "r"(row), "r"(0) : "memory");
    if constexpr (rank == 5) asm volatile(INTO(5, "%4, %3, %4, %4, %4") ::"r"(at(to)), "l"(map), "r"(at(bar)), "r"(row), "r"(0) : "memory");
}

// One thread: n boxes at a time, below one another, eight times.
template <int rank> __global__ void boxes(long long *out, const __grid_constant__ CUtensorMap map, int bytes, int rows, int n)
{
    __shared__ uint64_t bar;
    init(&bar, 1);
    long long start = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 4) start = now();
        expect(&bar, n * bytes);
        for (int k = 0; k < n; k++) tile<rank>(&map, room + k * bytes, k * rows, &bar);
        wait(&bar, i & 1);
    }
    out[0] = now() - start;
}

__global__ void box_stores(long long *out, const __grid_constant__ CUtensorMap map, int add, int n)
{
    long long start = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 4) start = now();
        for (int k = 0; k < n; k++)
            if (add) asm volatile(ADD(2, "%2, %2") ::"r"(at(room)), "l"(&map), "r"(0) : "memory");
            else asm volatile(FROM(2, "%2, %2") ::"r"(at(room)), "l"(&map), "r"(0) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    out[0] = now() - start;
}

// A load by each of n maps in turn, four times; the first is not counted: do their descriptors stay?
__global__ void maps(long long *out, const CUtensorMap *map, int n, int prefetch)
{
    __shared__ uint64_t bar;
    init(&bar, 1);
    long long start = 0, sum = 0;
    for (int i = 0; i < 4 * n; i++) {
        if (i == n) sum = 0;
        if (prefetch) {
            asm volatile("prefetch.tensormap [%0];" ::"l"(map + i % n) : "memory");
            start = now();
            while (now() - start < 3000) {}
        }
        start = now();
        expect(&bar, 1024);
        tile<2>(map + i % n, room, 0, &bar);
        wait(&bar, i & 1);
        sum += now() - start;
    }
    out[0] = sum;
}

// CTAs that stream tiles of 16 KiB, four in flight, from 64 KiB of their own.
__global__ void tiles(long long *out, const __grid_constant__ CUtensorMap map, int passes)
{
    __shared__ uint64_t bars[4];
    for (int s = 0; s < 4; s++) init(&bars[s], 1);
    int total = 4 * passes;
    long long start = 0;
    for (int i = 0; i < total + 4; i++) {
        if (i == 8) start = now();
        if (i >= 4) wait(&bars[i % 4], (i / 4 - 1) & 1);
        if (i < total) {
            expect(&bars[i % 4], 16384);
            tile<2>(&map, room + i % 4 * 16384, (blockIdx.x * 4 + i % 4) * 128, &bars[i % 4]);
        }
    }
    atomicMax((unsigned long long *)out, (unsigned long long)(now() - start));
}

static double box(std::initializer_list<int> shape, int n = 1)
{
    cuuint64_t dims[5];
    cuuint32_t b[5];
    int rank = 0, bytes = 2;
    for (int s : shape) b[rank] = s, dims[rank] = rank ? 1024 : 256, bytes *= s, rank++;
    if (rank == 1) dims[0] = 1 << 20;
    if (rank > 2) dims[rank > 3 ? 1 : 2] = 64, dims[2] = 64;
    for (int i = 3; i < rank; i++) dims[i] = 4;
    CUtensorMap map = tensor_map(rank, dims, b);
    launch("boxes", rank == 1 ? boxes<1> : rank == 2 ? boxes<2> : rank == 3 ? boxes<3> : boxes<5>, 1, 1, 128 << 10, 1, result, map, bytes, rank > 1 ? (int)b[1] : (int)b[0], n);
    return cycles("boxes") / 8;
}

static void tensors()
{
    for (int inner : {8, 16, 32, 64, 128, 256}) print("tensor.row_bytes", inner * 2, box({inner, 64}));
    for (int n : {64, 256}) print("tensor.load_1d", n * 2, box({n}));
    for (int d : {1, 2, 4, 8}) print("tensor.load_3d_64_8", d, box({64, 8, d}));
    for (int d : {1, 2, 4}) print("tensor.load_5d_64_4_2_2", d, box({64, 4, 2, 2, d}));
    for (int n : {1, 2, 4, 8, 16, 32}) {
        print("tensor.load_64_1_times", n, box({64, 1}, n));
        print("tensor.load_64_8_times", n, box({64, 8}, n));
    }
    for (int n : {2, 4}) print("tensor.load_64_64_times", n, box({64, 64}, n));
    for (int rows : {1, 8, 64, 256})
        for (int add : {0, 1}) {
            cuuint64_t dims[2] = {256, 1024};
            cuuint32_t b[2] = {64, (cuuint32_t)rows};
            launch("box_stores", box_stores, 1, 1, 64 << 10, 1, result, tensor_map(2, dims, b), add, 1);
            print(add ? "tensor.reduce" : "tensor.store", rows, cycles("box_stores") / 8);
        }
    cuuint64_t dims[2] = {64, 1 << 17};
    cuuint32_t b[2] = {64, 8}, c[2] = {64, 128};
    CUtensorMap map = tensor_map(2, dims, b), *table = (CUtensorMap *)(memory + (200 << 20));
    for (int i = 0; i < 512; i++) check(cudaMemcpy(table + i, &map, sizeof map, cudaMemcpyHostToDevice), "map");
    for (int n : {1, 4, 8, 16, 32, 64, 128, 512}) {
        launch("maps", maps, 1, 1, 64 << 10, 1, result, (const CUtensorMap *)table, n, 0);
        print("tensor.maps", n, cycles("maps") / n / 3);
    }
    launch("maps", maps, 1, 1, 64 << 10, 1, result, (const CUtensorMap *)table, 128, 1);
    print("tensor.maps_prefetched", 128, cycles("maps") / 128 / 3);
    for (int ctas : {1, 8, 132}) {
        check(cudaMemset(result, 0, sizeof values), "memset");
        launch("tiles", tiles, ctas, 1, 128 << 10, 1, result, tensor_map(2, dims, c), 4);
        print("tensor.stream_ctas", ctas, 65536.0 * 3 / cycles("tiles"));
    }
}

// Each CTA of a cluster copies its part to all: so many bytes for each, eight times.
__global__ void parts(long long *out, char *data, int bytes)
{
    __shared__ uint64_t bar;
    __shared__ unsigned long long last;
    unsigned rank = cluster_rank(), size = cluster_size(), part = bytes / size;
    init(&bar, 1);
    last = 0;
    long long sum = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 4) sum = 0;
        expect(&bar, bytes);
        CLUSTER_SYNC;
        long long t = now();
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(room) + rank * part), "l"(data + rank * part), "r"(part), "r"(at(&bar)), "h"((unsigned short)((1 << size) - 1)) : "memory");
        wait(&bar, i & 1);
        sum += now() - t;
    }
    CLUSTER_SYNC;
    atomicMax((unsigned long long *)out, (unsigned long long)sum);
}

// CTAs of clusters stream to all of their cluster, each its part of 64 KiB, in four pieces.
__global__ void part_streams(long long *out, char *data, int passes, int shared)
{
    __shared__ uint64_t bars[4];
    unsigned rank = cluster_rank(), size = cluster_size(), part = 16384 / size;
    for (int s = 0; s < 4; s++) init(&bars[s], 1);
    data += (size_t)(blockIdx.x / size) * 65536;
    long long start = 0;
    for (int p = 0; p < passes; p++) {
        for (int s = 0; s < 4; s++) expect(&bars[s], 16384);
        CLUSTER_SYNC;
        if (p == 1) start = now();
        for (int s = 0; s < 4; s++) {
            if (shared)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(room) + s * 16384 + rank * part), "l"(data + s * 16384 + rank * part), "r"(part), "r"(at(&bars[s])), "h"((unsigned short)((1 << size) - 1)) : "memory");
            else load(room + s * 16384, data + s * 16384, 16384, &bars[s]);
        }
        for (int s = 0; s < 4; s++) wait(&bars[s], p & 1);
    }
    long long t = now() - start;
    CLUSTER_SYNC;
    atomicMax((unsigned long long *)out, (unsigned long long)t);
}

static void multicasts()
{
    for (int size : {2, 4, 8}) {
        char line[64];
        for (int bytes : {1024, 16384, 65536}) {
            check(cudaMemset(result, 0, sizeof values), "memset");
            launch("parts", parts, size, 1, 128 << 10, size, result, memory, bytes);
            snprintf(line, sizeof line, "multicast.parts_of_%d", size);
            print(line, bytes, cycles("parts") / 8);
        }
        for (int shared : {0, 1}) {
            check(cudaMemset(result, 0, sizeof values), "memset");
            launch("part_streams", part_streams, 128, 1, 128 << 10, size, result, memory, 4, shared);
            snprintf(line, sizeof line, shared ? "multicast.stream" : "multicast.stream_each");
            print(line, size, 65536.0 * 3 / cycles("part_streams"));
        }
    }
}

// Two CTAs of a cluster, or two warps of a CTA, answer one another: half a round.
__global__ void answers(long long *out, int kind, int bytes)
{
    __shared__ uint64_t bar;
    __shared__ __align__(16) unsigned cell[4];
    bool pair = cluster_size() == 2;
    unsigned rank = pair ? cluster_rank() : threadIdx.x / 32;
    if (threadIdx.x == 0) init(&bar, 1);
    __shared__ uint64_t other;
    if (!pair && threadIdx.x == 0) init(&other, 1);
    __syncthreads();
    if (threadIdx.x % 32) return;
    uint64_t *mine = pair || rank == 0 ? &bar : &other;
    unsigned theirs = pair ? cluster_at(at(&bar), rank ^ 1) : at(rank == 0 ? &other : &bar);
    unsigned there = pair ? cluster_at(at(cell), rank ^ 1) : at(cell), far = pair ? cluster_at(at(room), rank ^ 1) : at(room);
    auto send = [&](int) {
        switch (kind) {
        case 0: asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(theirs) : "memory"); break;
        case 1: asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(there), "r"(1), "r"(theirs) : "memory"); break;
        case 2: asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%1,%1,%1}, [%2];" ::"r"(there), "r"(1), "r"(theirs) : "memory"); break;
        case 3: asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(there), "r"(1), "r"(theirs) : "memory"); break;
        case 4: asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(far), "r"(at(room) + 65536), "r"(bytes), "r"(theirs) : "memory"); break;
        }
    };
    auto ready = [&] { if (kind) expect(mine, bytes); };
    ready();
    if (pair) asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    else asm volatile("bar.sync 1, 64;" ::: "memory");
    long long start = 0;
    if (rank == 1) send(0);
    for (int i = 0; i < 24; i++) {
        if (i == 8) start = now();
        wait(mine, i & 1);
        ready();
        send(i);
    }
    long long t = now() - start;
    if (rank == 0) { wait(mine, 0); out[0] = t; }
    if (pair) asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

// Many threads write and read the neighbour's shared memory: bytes a cycle.
__global__ void messages(long long *out, int kind)
{
    __shared__ uint64_t bar;
    __shared__ __align__(16) unsigned cells[2048];
    __shared__ unsigned long long last;
    unsigned rank = cluster_rank(), there = cluster_at(at(cells), (rank + 1) % cluster_size()), theirs = cluster_at(at(&bar), (rank + 1) % cluster_size()), sum = 0;
    int width = kind == 0 ? 16 : 4;
    if (threadIdx.x == 0) init(&bar, 1), expect(&bar, kind < 2 ? 64 * blockDim.x * width : 0), last = 0;
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) cells[i] = 0;
    __syncthreads();
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    there += threadIdx.x * width % 8192;
    long long start = now();
    for (int i = 0; i < 64; i++) {
        switch (kind) {
        case 0: asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%1,%1,%1}, [%2];" ::"r"(there), "r"(i), "r"(theirs) : "memory"); break;
        case 1: asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(there), "r"(i), "r"(theirs) : "memory"); break;
        case 2: asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(i) : "memory"); break;
        case 3: { unsigned v; asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(there) : "memory"); sum += v; break; }
        case 4: { unsigned v; asm volatile("atom.shared::cluster.add.u32 %0, [%1], 1;" : "=r"(v) : "r"(there) : "memory"); sum += v; break; }
        case 5: asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(there) : "memory"); break;
        }
    }
    if (kind < 2) wait(&bar, 0);
    long long end = now() - start;
    if (sum == 12345) out[1] = sum;
    atomicMax(&last, end);
    __syncthreads();
    if (rank == 0 && threadIdx.x == 0) out[0] = last;
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

// Barriers of a cluster, complete ones and those without order of memory.
__global__ void cluster_barriers(long long *out, int kind)
{
    long long start = 0;
    for (int i = 0; i < 64; i++) {
        if (i == 32) start = now();
        if (kind == 0) asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
        if (kind == 1) asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
        if (kind == 2) asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    }
    long long end = now() - start;
    if (cluster_rank() == 0 && threadIdx.x == 0) out[0] = end;
}

static void remote()
{
    const char *kinds[] = {"arrive", "store", "store_v4", "reduce"};
    for (int k = 0; k < 4; k++) {
        char line[64];
        for (int size : {1, 2}) {
            if (k && size == 1) continue; // wants a cluster
            launch("answers", answers, size, size == 1 ? 64 : 32, 128 << 10, size, result, k, k == 0 ? 0 : k == 2 ? 16 : 4);
            snprintf(line, sizeof line, "answer.%s", kinds[k]);
            print(line, size, cycles("answers") / 32);
        }
    }
    for (int bytes : {16, 1024, 4096, 16384, 65536}) {
        launch("answers", answers, 2, 32, 128 << 10, 2, result, 4, bytes);
        print("answer.bulk", bytes, cycles("answers") / 32);
    }
    const char *rates[] = {"message.async_v4", "message.async", "message.store", "message.load", "message.atom", "message.reduce"};
    for (int k = 0; k < 6; k++)
        for (int threads : {32, 512}) {
            launch("messages", messages, 2, threads, 0, 2, result, k);
            print(rates[k], threads, 64.0 * threads * (k ? 4 : 16) / cycles("messages"));
        }
    const char *barriers[] = {"cluster.barrier", "cluster.aligned", "cluster.relaxed"};
    for (int k = 0; k < 3; k++)
        for (int threads : {32, 256, 1024}) {
            launch("cluster_barriers", cluster_barriers, 2, threads, 0, 2, result, k);
            print(barriers[k], threads, cycles("cluster_barriers") / 32);
        }
}

int main(int argc, char **argv)
{
    start(argc, argv);
    if (runs("remote")) remote();
    if (runs("multicast")) multicasts();
    if (runs("tensor")) tensors();
    if (runs("bulk")) bulks();
    return 0;
}
