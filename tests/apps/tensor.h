// What the programs that copy boxes of tensors share: barriers in shared memory,
// and the driver's function that encodes a tensor map.
#pragma once
#include "check.h"
#include <cuda.h>
#include <cstdint>

__device__ inline uint32_t shared(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ inline void init(uint64_t *barrier, uint32_t arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)), "r"(arrivals) : "memory");
}

__device__ inline void visible() { asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ inline void expectBytes(uint64_t *barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)), "r"(bytes) : "memory");
}

__device__ inline void arrive(uint64_t *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(barrier)) : "memory");
}

__device__ inline void await(uint64_t *barrier, uint32_t parity) {
    uint32_t over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(over)
                     : "r"(shared(barrier)), "r"(parity)
                     : "memory");
}

typedef CUresult (*EncodeTiled)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *,
                                CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

inline EncodeTiled encodeTiled() {
    void *f = nullptr;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found));
#else
    OK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &f, cudaEnableDefault, &found));
#endif
    expect(found == cudaDriverEntryPointSuccess, "the driver encodes tensor maps");
    return reinterpret_cast<EncodeTiled>(f);
}

// matrix encodes a map of rows x columns floats, copied in boxes.
inline CUtensorMap matrix(float *p, uint64_t rows, uint64_t columns, uint32_t boxRows, uint32_t boxColumns, CUtensorMapSwizzle swizzle) {
    CUtensorMap map;
    const cuuint64_t dims[] = {columns, rows}, strides[] = {columns * sizeof(float)};
    const cuuint32_t box[] = {boxColumns, boxRows}, steps[] = {1, 1};
    CUresult r = encodeTiled()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    expect(r == CUDA_SUCCESS, "the map is encoded");
    return map;
}
