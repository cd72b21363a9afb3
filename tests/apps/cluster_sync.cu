// Where blocks are in their clusters, the barrier of a cluster in its forms, and
// shared memory reached by every instruction that can.
#include "check.h"

__device__ unsigned rank() {
    unsigned r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ unsigned map(const void *p, unsigned to) {
    unsigned a = static_cast<unsigned>(__cvta_generic_to_shared(p)), m;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(m) : "r"(a), "r"(to));
    return m;
}

__device__ void arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
__device__ void wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }

__device__ void describe(unsigned *out) {
    if (threadIdx.x) return;
    unsigned v[16];
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[0]));
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(v[2]));
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[4]));
    asm volatile("mov.u32 %0, %%nclusterid.z;" : "=r"(v[5]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[6]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[7]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[8]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[9]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[10]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v[11]));
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[12]));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[13]));
    asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(v[14]));
    v[15] = blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z;
    unsigned *o = out + 16 * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
    for (int i = 0; i < 16; i++) o[i] = v[i];
}

__global__ void place(unsigned *out) { describe(out); }
__global__ void __cluster_dims__(2, 1, 2) placed(unsigned *out) { describe(out); }

// Values go to the other block of the pair by each kind of store and come back
// by each kind of load; atomics meet in block 0.
__global__ void __cluster_dims__(2, 1, 1) kinds(unsigned long long *out) {
    __shared__ alignas(16) unsigned long long v[32];
    __shared__ unsigned counters[8];
    __shared__ unsigned long long wide[8];
    unsigned r = rank(), t = threadIdx.x;
    for (int i = t; i < 32; i += blockDim.x) v[i] = 0;
    if (t < 8) counters[t] = 100, wide[t] = 1000;
    arrive();
    wait();
    unsigned far = map(v, r ^ 1), c = map(counters, 0), w = map(wide, 0);
    if (t == 0) {
        asm volatile("st.shared::cluster.u8 [%0], %1;" ::"r"(far), "r"(0x1f0 + r));
        asm volatile("st.shared::cluster.u16 [%0+8], %1;" ::"r"(far), "h"(short(0x5555 + r)));
        asm volatile("st.shared::cluster.u32 [%0+16], %1;" ::"r"(far), "r"(0xabcd0000 + r));
        asm volatile("st.shared::cluster.u64 [%0+24], %1;" ::"r"(far), "l"(0x123456789abcdef0ull + r));
        asm volatile("st.shared::cluster.v4.u32 [%0+32], {%1, %2, %3, %4};" ::"r"(far), "r"(r), "r"(r + 1), "r"(r + 2), "r"(r + 3));
        asm volatile("st.shared::cluster.v2.f64 [%0+48], {%1, %2};" ::"r"(far), "d"(0.25 + r), "d"(0.5 + r));
        asm volatile("st.release.cluster.shared::cluster.u32 [%0+64], %1;" ::"r"(far), "r"(77 + r));
        asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0+72], %1;" ::"r"(far), "r"(88 + r));
        asm volatile("st.volatile.shared::cluster.u32 [%0+80], %1;" ::"r"(far), "r"(99 + r));
    }
    unsigned old;
    unsigned long long old64;
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(c), "r"(1));
    asm volatile("red.shared::cluster.add.u32 [%0+4], %1;" ::"r"(c), "r"(t));
    asm volatile("atom.acq_rel.cluster.shared::cluster.max.u32 %0, [%1+8], %2;" : "=r"(old) : "r"(c), "r"(90 + t + 16 * r));
    asm volatile("atom.shared::cluster.inc.u32 %0, [%1+12], %2;" : "=r"(old) : "r"(c), "r"(120));
    asm volatile("red.shared::cluster.or.b32 [%0+16], %1;" ::"r"(c), "r"(1u << t));
    asm volatile("red.shared::cluster.add.f32 [%0+20], %1;" ::"r"(c), "f"(0.f));
    asm volatile("atom.shared::cluster.add.u64 %0, [%1], %2;" : "=l"(old64) : "r"(w), "l"(1ull << 33));
    // What has no instruction of its own on sm_90 is not atomic in other blocks.
    if (t == 0 && r == 1) asm volatile("red.shared::cluster.min.s64 [%0+8], %1;" ::"r"(w), "l"(-5ll));
    arrive();
    wait();
    if (t == 0) {
        unsigned long long *o = out + 48 * blockIdx.x;
        for (int i = 0; i < 32; i++) o[i] = v[i];
        for (int i = 0; i < 8; i++) o[32 + i] = counters[i], o[40 + i] = wide[i];
    }
    arrive();
    wait();
}

// CUDA 11.8 knows the barrier without orders only, which are these.
#if __CUDACC_VER_MAJOR__ >= 12
#define RELEASE ".release"
#define ACQUIRE ".acquire"
#define RELAXED ".relaxed"
#else
#define RELEASE
#define ACQUIRE
#define RELAXED
#endif

// Threads arrive, work on, and wait; some blocks leave early.
__global__ void split(unsigned *out, unsigned leaves) {
    __shared__ unsigned v[2];
    unsigned r = rank();
    if (threadIdx.x < 2) v[threadIdx.x] = 1;
    arrive();
    wait();
    if (r == leaves && threadIdx.x >= 32) return; // a warp exits before it arrives
    for (int turn = 0; turn < 5; turn++) {
        unsigned size;
        asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
        if (threadIdx.x == 0) asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(map(&v[turn & 1], (r + 1) % size)), "r"(r + turn));
        asm volatile("barrier.cluster.arrive" RELEASE ".aligned;" ::: "memory");
        unsigned busy = 0;
        for (int i = 0; i < 100 * r; i++) busy += i * i;
        asm volatile("barrier.cluster.wait" ACQUIRE ".aligned;" ::: "memory");
        if (threadIdx.x == 0) out[blockIdx.x] = out[blockIdx.x] * 7 + v[turn & 1] + (busy == 12345);
        asm volatile("barrier.cluster.arrive" RELAXED ".aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    }
}

static void launch(const void *f, dim3 grid, dim3 block, dim3 cluster, void **args) {
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = cluster.x;
    a[0].val.clusterDim.y = cluster.y;
    a[0].val.clusterDim.z = cluster.z;
    c.gridDim = grid;
    c.blockDim = block;
    c.attrs = a;
    c.numAttrs = 1;
    OK(cudaLaunchKernelExC(&c, f, args));
    OK(cudaDeviceSynchronize());
}

static void places(const char *what, const unsigned *out, unsigned blocks) {
    auto v = host(out, 16 * blocks);
    std::printf("%s\n", what);
    for (unsigned b = 0; b < blocks; b++) {
        for (int i = 0; i < 16; i++) std::printf(" %u", v[16 * b + i]);
        std::puts("");
    }
}

int main() {
    unsigned *out = device<unsigned>(16 * 64);
    void *args[] = {&out};
    place<<<dim3(3, 2), 32>>>(out);
    OK(cudaDeviceSynchronize());
    places("no clusters", out, 6);
    launch(reinterpret_cast<const void *>(place), dim3(2, 2), dim3(32), dim3(1, 1, 1), args);
    places("1x1x1", out, 4);
    launch(reinterpret_cast<const void *>(place), dim3(4, 2, 2), dim3(32), dim3(2, 1, 2), args);
    places("2x1x2", out, 16);
    launch(reinterpret_cast<const void *>(place), dim3(6, 2), dim3(32), dim3(3, 2, 1), args);
    places("3x2x1", out, 12);
    placed<<<dim3(2, 2, 2), 32>>>(out);
    OK(cudaDeviceSynchronize());
    places("2x1x2, by the kernel", out, 8);

    unsigned long long *k = device<unsigned long long>(48 * 2);
    kinds<<<2, 32>>>(k);
    OK(cudaDeviceSynchronize());
    auto v = host(k, 48 * 2);
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 48; i++) std::printf("%016llx%s", v[48 * b + i], i % 4 == 3 ? "\n" : " ");

    for (unsigned size : {2u, 4u, 8u}) {
        OK(cudaMemset(out, 0, 4 * 64));
        unsigned leaves = size - 1;
        void *both[] = {&out, &leaves};
        launch(reinterpret_cast<const void *>(split), dim3(16), dim3(96), dim3(size), both);
        auto s = host(out, 16);
        std::printf("split %u:", size);
        for (auto x : s) std::printf(" %u", x);
        std::puts("");
    }
    return verdict();
}
