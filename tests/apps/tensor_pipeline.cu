// Matrix products whose tiles come by tensor copies through a ring of stages: one
// warp asks for them, the others compute. A transposition by way of swizzled
// shared memory, and one tile for a whole cluster.
#include "tensor.h"

enum { tile = 32, stages = 3, consumers = 128 };

__global__ void __launch_bounds__(consumers + 32)
    product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const __grid_constant__ CUtensorMap c, int depth) {
    __shared__ alignas(128) float as[stages][tile][tile], bs[stages][tile][tile], cs[tile][tile];
    __shared__ uint64_t full[stages], empty[stages];
    int t = threadIdx.x, x = blockIdx.x * tile, y = blockIdx.y * tile, steps = (depth + tile - 1) / tile;
    if (t == 0) {
        for (int s = 0; s < stages; s++) init(&full[s], 1), init(&empty[s], consumers);
        visible();
    }
    __syncthreads();
    if (t >= consumers) {
        if (t > consumers) return;
        for (int k = 0; k < steps; k++) {
            int s = k % stages;
            await(&empty[s], (k / stages & 1) ^ 1);
            expectBytes(&full[s], 2 * sizeof as[0]);
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared(as[s])), "l"(&a), "r"(k * tile),
                         "r"(y), "r"(shared(&full[s]))
                         : "memory");
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared(bs[s])), "l"(&b), "r"(x),
                         "r"(k * tile), "r"(shared(&full[s]))
                         : "memory");
        }
        return;
    }
    int col = t % tile, row = t / tile;
    float sum[tile / 4] = {};
    for (int k = 0; k < steps; k++) {
        int s = k % stages;
        await(&full[s], k / stages & 1);
        for (int j = 0; j < tile; j++)
            for (int i = 0; i < tile / 4; i++) sum[i] += as[s][row + 4 * i][j] * bs[s][j][col];
        arrive(&empty[s]);
    }
    for (int i = 0; i < tile / 4; i++) cs[row + 4 * i][col] = sum[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&c), "r"(x), "r"(y), "r"(shared(cs)) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// Rows of a tile lie in shared memory as the 128-byte swizzle leaves them, so
// that a column is read without conflicts.
__global__ void transpose(const __grid_constant__ CUtensorMap in, float *out, int rows, int columns) {
    __shared__ alignas(1024) float box[tile][tile];
    __shared__ uint64_t full;
    int t = threadIdx.x, x = blockIdx.x * tile, y = blockIdx.y * tile;
    if (t == 0) {
        init(&full, 1);
        visible();
        expectBytes(&full, sizeof box);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared(box)), "l"(&in), "r"(x), "r"(y),
                     "r"(shared(&full))
                     : "memory");
    }
    __syncthreads();
    await(&full, 0);
    for (int j = 0; j < tile; j++) {
        float v = box[t][((j / 4) ^ (t & 7)) * 4 + j % 4];
        if (x + j < columns && y + t < rows) out[(x + j) * rows + y + t] = v;
    }
}

// Each block of a cluster asks for a part of the box, which all of them get; the
// sums go back by a reduction.
__global__ void __cluster_dims__(4, 1, 1) share(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, unsigned *seen) {
    __shared__ alignas(128) float box[4][8][tile], sum[8][tile];
    __shared__ uint64_t full;
    unsigned rank, t = threadIdx.x;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0) {
        init(&full, 1);
        visible();
        expectBytes(&full, sizeof box);
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (t == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared(box[rank])),
                     "l"(&in), "r"(0), "r"(8 * rank), "r"(shared(&full)), "h"(short(15))
                     : "memory");
    await(&full, 0);
    unsigned hash = 0;
    for (int i = 0; i < 32; i++) hash = hash * 31 + __float_as_uint(box[i / 8][i % 8][t]);
    seen[blockIdx.x * 32 + t] = hash;
    for (int i = 0; i < 8; i++) sum[i][t] = box[rank][i][t] + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&out), "r"(0), "r"(8 * rank), "r"(shared(sum)) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

static std::vector<float> numbers(int n, int seed) {
    std::vector<float> v(n);
    Random random(seed);
    for (auto &x : v) x = float(int(random.below(17)) - 8);
    return v;
}

int main() {
    const int m = 72, n = 100, k = 84; // no multiples of a tile
    auto a = numbers(m * k, 1), b = numbers(k * n, 2);
    std::vector<float> want(m * n);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < k; l++) want[i * n + j] += a[i * k + l] * b[l * n + j];
    float *da = device(a), *db = device(b), *dc = device<float>(m * n);
    const auto none = CU_TENSOR_MAP_SWIZZLE_NONE;
    product<<<dim3((n + tile - 1) / tile, (m + tile - 1) / tile), consumers + 32>>>(matrix(da, m, k, tile, tile, none), matrix(db, k, n, tile, tile, none),
                                                                                    matrix(dc, m, n, tile, tile, none), k);
    OK(cudaDeviceSynchronize());
    equal("product", host(dc, m * n), want);
    std::printf("product: %g %g %g\n", host(dc, m * n)[0], host(dc, m * n)[m * n / 2], host(dc, m * n)[m * n - 1]);

    float *dt = device<float>(m * k);
    transpose<<<dim3((k + tile - 1) / tile, (m + tile - 1) / tile), tile>>>(matrix(da, m, k, tile, tile, CU_TENSOR_MAP_SWIZZLE_128B), dt, m, k);
    OK(cudaDeviceSynchronize());
    std::vector<float> turned(m * k);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) turned[j * m + i] = a[i * k + j];
    equal("transposed", host(dt, m * k), turned);

    float *ds = device<float>(32 * 32);
    unsigned *seen = device<unsigned>(4 * 32);
    share<<<4, 32>>>(matrix(da, m, k, 8, tile, none), matrix(ds, 32, 32, 8, tile, none), seen);
    OK(cudaDeviceSynchronize());
    auto s = host(seen, 4 * 32);
    auto r = host(ds, 32 * 32);
    for (int i = 0; i < 32; i++) expect(s[i] == s[32 + i] && s[i] == s[64 + i] && s[i] == s[96 + i], "all blocks have the same");
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++) expect(r[i * 32 + j] == a[i * k + j] + 1, "the sums are the tensor's");
    std::printf("shared: %08x %08x, %g %g\n", s[0], s[31], r[0], r[1023]);
    return verdict();
}
