// A kernel that makes tensor maps of its own: every field of one is replaced in
// shared memory, the map is copied to global memory and used. Warps that give
// registers to others.
#include "tensor.h"

enum { columns = 48, rows = 20 };

struct Fields {
    float *address;
    uint32_t width, height, boxWidth, boxHeight, swizzle, fill, step;
    uint64_t stride;
};

__device__ void replace(const CUtensorMap &from, CUtensorMap *to, const Fields &f) {
    __shared__ alignas(128) uint32_t map[32];
    map[threadIdx.x] = reinterpret_cast<const uint32_t *>(&from)[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
        uint32_t m = shared(map);
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(m), "l"(f.address) : "memory");
        asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], 1;" ::"r"(m) : "memory");
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(m), "r"(f.boxWidth) : "memory");
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(m), "r"(f.boxHeight) : "memory");
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(m), "r"(f.width) : "memory");
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(m), "r"(f.height) : "memory");
        asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(m), "l"(f.stride) : "memory");
        asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(m), "r"(1) : "memory");
        asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(m), "r"(f.step) : "memory");
        asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 7;" ::"r"(m) : "memory");
        asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], 0;" ::"r"(m) : "memory");
        if (f.swizzle == 2)
            asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 2;" ::"r"(m) : "memory");
        else
            asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 0;" ::"r"(m) : "memory");
        if (f.fill)
            asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 1;" ::"r"(m) : "memory");
        else
            asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 0;" ::"r"(m) : "memory");
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to), "r"(shared(map)) : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(to) : "memory");
}

__global__ void load(const __grid_constant__ CUtensorMap from, CUtensorMap *to, Fields f, int x, int y, uint32_t bytes, uint32_t *out) {
    __shared__ alignas(1024) uint32_t box[1024];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 32) box[i] = 0xdeadbeef;
    replace(from, to, f);
    if (t == 0) {
        init(&full, 1);
        visible();
        expectBytes(&full, bytes);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared(box)), "l"(to), "r"(x), "r"(y),
                     "r"(shared(&full))
                     : "memory");
    }
    __syncwarp();
    await(&full, 0);
    for (int i = t; i < 1024; i += 32) out[i] = box[i];
}

// A warpgroup takes the registers that another one gives up.
__global__ void __launch_bounds__(256) registers(uint32_t *out) {
    uint32_t v = threadIdx.x;
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int i = 0; i < 10; i++) v = v * 3 + i;
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 160;");
        for (int i = 0; i < 10; i++) v = v * 5 + i;
    }
    out[threadIdx.x] = v;
}

// The second kernel may start before the first has ended, and waits for it.
__global__ void first(uint32_t *v) {
    v[threadIdx.x] = threadIdx.x * 7;
    asm volatile("griddepcontrol.launch_dependents;");
    v[32 + threadIdx.x] = threadIdx.x * 9;
}

__global__ void second(const uint32_t *v, uint32_t *out) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    out[threadIdx.x] = v[threadIdx.x] + v[32 + threadIdx.x];
}

int main() {
    std::vector<float> data(rows * columns);
    for (int i = 0; i < rows * columns; i++) data[i] = i + 0.5f;
    float *d = device(data);
    CUtensorMap other = matrix(d, 7, 64, 3, 4, CU_TENSOR_MAP_SWIZZLE_NONE), *map = device<CUtensorMap>(1);
    uint32_t *out = device<uint32_t>(1024);
    struct { Fields f; int x, y; uint32_t bytes; } cases[] = {
        {{d, columns, rows, 16, 8, 0, 0, 1, columns * 4}, 4, 5, 512},
        {{d, columns, rows, 16, 8, 0, 1, 1, columns * 4}, 40, 15, 512},
        {{d + 96, 40, 12, 8, 4, 0, 0, 1, columns * 8}, -4, -1, 128},
        {{d, columns, rows, 16, 8, 2, 0, 1, columns * 4}, 16, 2, 512},
        {{d, columns, rows, 8, 9, 0, 0, 3, columns * 4}, 0, 1, 96},
    };
    for (auto &c : cases) {
        load<<<1, 32>>>(other, map, c.f, c.x, c.y, c.bytes, out);
        OK(cudaDeviceSynchronize());
        auto v = host(out, 1024);
        uint32_t h = 0;
        for (auto x : v) h = h * 31 + x;
        std::printf("%08x:", h);
        for (int i = 0; i < 6; i++) std::printf(" %08x", v[i * 17]);
        std::puts("");
    }
    registers<<<1, 256>>>(out);
    OK(cudaDeviceSynchronize());
    std::printf("registers: %u %u\n", host(out, 256)[5], host(out, 256)[200]);

    uint32_t *v = device<uint32_t>(64);
    first<<<1, 32>>>(v);
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a[0].val.programmaticStreamSerializationAllowed = 1;
    c.gridDim = dim3(1);
    c.blockDim = dim3(32);
    c.attrs = a;
    c.numAttrs = 1;
    OK(cudaLaunchKernelEx(&c, second, static_cast<const uint32_t *>(v), out));
    OK(cudaDeviceSynchronize());
    std::printf("dependent: %u %u\n", host(out, 32)[1], host(out, 32)[31]);
    return verdict();
}
