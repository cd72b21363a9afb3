// A histogram whose bins lie in the shared memories of a cluster: each block
// counts into the block that has the bin.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { bins = 512, threads = 128 };

__global__ void histogram(const unsigned *data, int n, unsigned *out) {
    extern __shared__ unsigned part[];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned size = cluster.num_blocks(), per = bins / size;
    for (unsigned i = threadIdx.x; i < per; i += blockDim.x) part[i] = 0;
    cluster.sync();
    unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned bin = data[i] % bins;
        unsigned *remote = cluster.map_shared_rank(part, bin / per);
        atomicAdd(remote + bin % per, 1u);
    }
    cluster.sync();
    for (unsigned i = threadIdx.x; i < per; i += blockDim.x) atomicAdd(&out[cluster.block_rank() * per + i], part[i]);
}

// Each block sends what it has to the next one, round and round.
__global__ void __cluster_dims__(4, 1, 1) ring(unsigned *out) {
    __shared__ unsigned mine[2][threads];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), t = threadIdx.x, sum = 0;
    mine[0][t] = blockIdx.x * 1000 + t;
    cluster.sync();
    for (int turn = 0; turn < 8; turn++) {
        unsigned *next = cluster.map_shared_rank(mine[(turn + 1) & 1], (rank + 1) % cluster.num_blocks());
        next[t] = mine[turn & 1][t] * 3 + turn;
        cluster.sync();
        sum = sum * 31 + mine[(turn + 1) & 1][t];
    }
    out[blockIdx.x * threads + t] = sum;
    cluster.sync();
}

// What a block knows of pointers into the cluster.
__global__ void __cluster_dims__(2, 2, 1) pointers(unsigned *out) {
    __shared__ double value;
    __shared__ unsigned char bytes[8];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0) {
        value = 1.5 + rank;
        for (int i = 0; i < 8; i++) bytes[i] = rank * 16 + i;
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        unsigned *o = out + 8 * (blockIdx.y * gridDim.x + blockIdx.x);
        double *far = cluster.map_shared_rank(&value, rank ^ 3);
        unsigned char *byte = cluster.map_shared_rank(bytes, rank ^ 1);
        o[0] = cluster.query_shared_rank(far);
        o[1] = unsigned(*far * 2);
        o[2] = byte[5];
        o[3] = *reinterpret_cast<unsigned *>(byte + 4);
        o[4] = __isShared(far) != 0 && __isShared(&value) != 0;
        o[5] = cluster.block_index().x * 10 + cluster.block_index().y;
        o[6] = cluster.dim_blocks().x * 10 + cluster.dim_blocks().y;
        o[7] = rank;
    }
    cluster.sync();
}

static void launch(unsigned size, unsigned *data, int n, unsigned *out) {
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = size;
    a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
    c.gridDim = dim3(16);
    c.blockDim = dim3(threads);
    c.dynamicSmemBytes = bins / size * sizeof(unsigned);
    c.attrs = a;
    c.numAttrs = 1;
    OK(cudaLaunchKernelEx(&c, histogram, static_cast<const unsigned *>(data), n, out));
}

int main() {
    const int n = 50000;
    std::vector<unsigned> data(n), want(bins);
    Random random(7);
    for (auto &x : data) want[(x = random.next() >> 3) % bins]++;
    unsigned *d = device(data);
    for (unsigned size : {1u, 2u, 4u, 8u}) {
        unsigned *out = device<unsigned>(bins);
        launch(size, d, n, out);
        OK(cudaDeviceSynchronize());
        equal("histogram", host(out, bins), want);
        std::printf("histogram over %u blocks: %u in bin 5\n", size, host(out, bins)[5]);
    }
    unsigned *sums = device<unsigned>(8 * threads);
    ring<<<8, threads>>>(sums);
    OK(cudaDeviceSynchronize());
    auto s = host(sums, 8 * threads);
    for (int b = 0; b < 8; b++) std::printf("ring %d: %08x %08x\n", b, s[b * threads], s[b * threads + 77]);
    unsigned *p = device<unsigned>(8 * 16);
    pointers<<<dim3(4, 4), 32>>>(p);
    OK(cudaDeviceSynchronize());
    auto v = host(p, 8 * 16);
    for (int b = 0; b < 16; b++) {
        std::printf("block %2d:", b);
        for (int i = 0; i < 8; i++) std::printf(" %u", v[8 * b + i]);
        std::puts("");
    }
    return verdict();
}
