// Asynchronous operations in a cluster: stores, reductions and arrivals at the
// barriers of other blocks, copies from one shared memory to another, and the
// same copy to several.
#include "tensor.h"

__device__ uint32_t rank() {
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ uint32_t map(const void *p, uint32_t to) {
    uint32_t m;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(m) : "r"(shared(p)), "r"(to));
    return m;
}

__device__ void meet() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }

__global__ void __cluster_dims__(4, 1, 1) stores(uint32_t *out) {
    __shared__ alignas(16) uint32_t v[64];
    __shared__ uint64_t full;
    uint32_t r = rank(), t = threadIdx.x, to = (r + 1) % 4;
    for (int i = t; i < 64; i += 32) v[i] = 1000 + i;
    if (t == 0) {
        init(&full, 1);
        visible();
        expectBytes(&full, 16 + 8 + 4 + 7 * 4 + 8);
    }
    meet();
    if (t == 0) {
        uint32_t at = map(v, to), bar = map(&full, to);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(at), "r"(r), "r"(r * 2), "r"(r * 3), "r"(r * 4), "r"(bar));
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(at + 16), "l"(0x1234567800000000ull + r), "r"(bar));
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at + 24), "r"(0xf00d + r), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(at + 32), "r"(r), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];" ::"r"(at + 36), "r"(5000 * r), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.dec.u32 [%0], %1, [%2];" ::"r"(at + 40), "r"(5000 * r), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [%0], %1, [%2];" ::"r"(at + 44), "r"(-int(r)), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%0], %1, [%2];" ::"r"(at + 48), "r"(1011 + r), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32 [%0], %1, [%2];" ::"r"(at + 52), "r"(0xf0 + r), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%0], %1, [%2];" ::"r"(at + 56), "r"(0xffff0000 + r), "r"(bar));
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];" ::"r"(at + 64), "l"(0xffffffffull), "r"(bar));
    }
    await(&full, 0);
    out[blockIdx.x * 64 + t] = v[t];
    out[blockIdx.x * 64 + 32 + t] = v[32 + t];
    meet();
}

// Arrivals from all blocks at the barrier of block 0.
__global__ void __cluster_dims__(4, 1, 1) arrivals(uint32_t *out) {
    __shared__ uint64_t bar, state;
    uint32_t r = rank(), t = threadIdx.x;
    if (r == 0 && t == 0) {
        init(&bar, 4 * 32 + 3 + 1);
        visible();
    }
    meet();
    uint32_t at = map(&bar, 0);
    for (int turn = 0; turn < 3; turn++) {
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at) : "memory");
        if (t == 0 && r == 1) asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(at), "r"(3) : "memory");
        if (t == 0 && r == 2) {
            asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(at), "r"(64) : "memory");
            asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
        }
        if (r == 0) {
            uint32_t over = 0;
            while (!over)
                asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p;}"
                             : "=r"(over)
                             : "r"(shared(&bar)), "r"(turn & 1), "r"(1000)
                             : "memory");
            out[turn * 32 + t] = turn + 1;
        }
        meet();
    }
    if (r == 0 && t == 0) {
        uint32_t pending;
        asm volatile("mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(shared(&bar)), "r"(5));
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
        out[96] = pending;
        asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(shared(&bar)));
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
        out[97] = pending;
    }
    meet();
}

// Copies: from global memory to some blocks of the cluster, from one shared
// memory to another, sums into another, and back to global memory.
__global__ void __cluster_dims__(4, 1, 1) copies(const uint32_t *in, uint32_t *out) {
    __shared__ alignas(128) uint32_t v[256], w[256];
    __shared__ uint64_t full, moved;
    uint32_t r = rank(), t = threadIdx.x;
    for (int i = t; i < 256; i += 32) v[i] = w[i] = 7;
    if (t == 0) {
        init(&full, 1);
        init(&moved, 1);
        visible();
        expectBytes(&full, r == 3 ? 256 : 512 + 256);
        expectBytes(&moved, 512 + 256);
    }
    meet();
    if (t == 0 && r == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared(v)), "l"(in), "r"(512),
                     "r"(shared(&full)), "h"(short(7))
                     : "memory");
    if (t == 0 && r == 2)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared(v + 128)), "l"(in + 1024),
                     "r"(256), "r"(shared(&full)), "h"(short(15))
                     : "memory");
    await(&full, 0);
    if (t == 0) {
        uint32_t to = (r + 1) % 4;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(map(w, to)), "r"(shared(v)), "r"(512), "r"(map(&moved, to))
                     : "memory");
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];" ::"r"(map(w + 160, to)), "r"(shared(v + 128)),
                     "r"(256), "r"(map(&moved, to))
                     : "memory");
    }
    await(&moved, 0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + 512 * blockIdx.x), "r"(shared(v)), "r"(1024) : "memory");
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + 512 * blockIdx.x + 256), "r"(shared(w)), "r"(1024) : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(out + 4096), "r"(shared(w)), "r"(1024) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;" ::: "memory");
    }
    meet();
}

static uint32_t hash(const std::vector<uint32_t> &v, size_t from, size_t n) {
    uint32_t h = 0;
    for (size_t i = from; i < from + n; i++) h = h * 31 + v[i];
    return h;
}

int main() {
    uint32_t *out = device<uint32_t>(8192);
    stores<<<4, 32>>>(out);
    OK(cudaDeviceSynchronize());
    auto v = host(out, 256);
    for (int b = 0; b < 4; b++) {
        for (int i = 0; i < 20; i++) std::printf("%x ", v[64 * b + i]);
        std::printf("%x\n", v[64 * b + 63]);
    }
    OK(cudaMemset(out, 0, 4 * 256));
    arrivals<<<4, 32>>>(out);
    OK(cudaDeviceSynchronize());
    v = host(out, 128);
    std::printf("arrivals: %u %u %u, pending %u %u\n", v[0], v[63], v[95], v[96], v[97]);

    std::vector<uint32_t> data(2048);
    Random random(3);
    for (auto &x : data) x = random.next();
    uint32_t *in = device(data);
    OK(cudaMemset(out, 0, 4 * 8192));
    copies<<<8, 32>>>(in, out);
    OK(cudaDeviceSynchronize());
    v = host(out, 8192);
    for (int b = 0; b < 8; b++) std::printf("copies %d: %08x %08x %08x %08x\n", b, hash(v, 512 * b, 128), hash(v, 512 * b + 128, 128), hash(v, 512 * b + 256, 128), hash(v, 512 * b + 384, 128));
    std::printf("sums %08x\n", hash(v, 4096, 256));
    return verdict();
}
