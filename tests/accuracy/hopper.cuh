// What the microbenchmarks of compute capability 9.0 have in common: barriers of transactions and bulk
// copies.
#pragma once
#include "common.cuh"
#include <algorithm>
#include <cstdint>
#include <cuda.h>

__device__ void init(uint64_t *bar, int n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(bar)), "r"(n) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}

__device__ __forceinline__ void expect(uint64_t *bar, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void wait(uint64_t *bar, int parity)
{
    asm volatile("{.reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(at(bar)), "r"(parity) : "memory");
}

__device__ __forceinline__ void load(void *to, const void *from, int bytes, uint64_t *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)), "l"(from), "r"(bytes), "r"(at(bar)) : "memory");
}

__device__ __forceinline__ void store(void *to, const void *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes) : "memory");
}

extern __shared__ __align__(1024) char room[];

static long long *result, values[64]; // of the device; what it held last
static char *memory;

static double cycles(const char *what)
{
    check(cudaMemcpy(values, result, sizeof values, cudaMemcpyDeviceToHost), what);
    return double(values[0]);
}

static void start(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    chosen = argc > 1 ? argv[1] : nullptr;
    check(cudaMalloc(&result, sizeof values), "result");
    check(cudaMalloc(&memory, 256 << 20), "memory");
    check(cudaMemset(memory, 0, 8 << 20), "memset");
}

// A map of 16-bit elements: sizes and box from the innermost dimension on, rows one after another.
static CUtensorMap tensor_map(int rank, const cuuint64_t *dims, const cuuint32_t *box, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE)
{
    static void *entry;
    cudaDriverEntryPointQueryResult found;
    if (!entry) check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found), "entry point");
    CUtensorMap map;
    cuuint64_t strides[4], bytes = 2;
    cuuint32_t ones[5] = {1, 1, 1, 1, 1};
    for (int i = 0; i + 1 < rank; i++) strides[i] = bytes *= dims[i];
    CUresult e = ((decltype(&cuTensorMapEncodeTiled))entry)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, rank, memory, dims, strides, box, ones,
                                                           CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (e != CUDA_SUCCESS) printf("# encode %d\n", e), exit(1);
    return map;
}
