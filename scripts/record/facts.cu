// Writes what a card says of itself through the runtime, one file a subject, into the
// folder named by the first argument: properties with their offsets, attributes, error
// names and texts, limits, pitches, function attributes, occupancy.
#include <cstddef>
#include <cstdio>
#include <string>
#include <cuda_runtime.h>

static std::string folder;

static FILE *open(const char *subject) {
    FILE *f = std::fopen((folder + "/" + subject + ".txt").c_str(), "w");
    if (!f) std::perror(subject);
    return f;
}

#define NUMBER(field) \
    std::fprintf(f, "%-40s %4zu %lld\n", #field, offsetof(cudaDeviceProp, field), (long long)p.field);
#define NUMBERS(field)                                                             \
    std::fprintf(f, "%-40s %4zu", #field, offsetof(cudaDeviceProp, field));        \
    for (auto v : p.field) std::fprintf(f, " %lld", (long long)v);                 \
    std::fprintf(f, "\n");

static void properties() {
    FILE *f = open("properties");
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    std::fprintf(f, "# field, offset, value; the structure has %zu bytes\n", sizeof p);
    std::fprintf(f, "%-40s %4zu %s\n", "name", offsetof(cudaDeviceProp, name), p.name);
    std::fprintf(f, "%-40s %4zu\n", "uuid", offsetof(cudaDeviceProp, uuid));
    std::fprintf(f, "%-40s %4zu\n", "pciBusID", offsetof(cudaDeviceProp, pciBusID));
    NUMBER(totalGlobalMem) NUMBER(sharedMemPerBlock) NUMBER(regsPerBlock) NUMBER(warpSize) NUMBER(memPitch)
    NUMBER(maxThreadsPerBlock) NUMBERS(maxThreadsDim) NUMBERS(maxGridSize) NUMBER(totalConstMem) NUMBER(major)
    NUMBER(minor) NUMBER(textureAlignment) NUMBER(texturePitchAlignment) NUMBER(multiProcessorCount) NUMBER(integrated)
    NUMBER(canMapHostMemory) NUMBER(maxTexture1D) NUMBER(maxTexture1DMipmap) NUMBERS(maxTexture2D)
    NUMBERS(maxTexture2DMipmap) NUMBERS(maxTexture2DLinear) NUMBERS(maxTexture2DGather) NUMBERS(maxTexture3D)
    NUMBERS(maxTexture3DAlt) NUMBER(maxTextureCubemap) NUMBERS(maxTexture1DLayered) NUMBERS(maxTexture2DLayered)
    NUMBERS(maxTextureCubemapLayered) NUMBER(maxSurface1D) NUMBERS(maxSurface2D) NUMBERS(maxSurface3D)
    NUMBERS(maxSurface1DLayered) NUMBERS(maxSurface2DLayered) NUMBER(maxSurfaceCubemap)
    NUMBERS(maxSurfaceCubemapLayered) NUMBER(surfaceAlignment) NUMBER(concurrentKernels) NUMBER(ECCEnabled)
    NUMBER(tccDriver) NUMBER(asyncEngineCount) NUMBER(unifiedAddressing) NUMBER(memoryBusWidth) NUMBER(l2CacheSize)
    NUMBER(persistingL2CacheMaxSize) NUMBER(maxThreadsPerMultiProcessor) NUMBER(streamPrioritiesSupported)
    NUMBER(globalL1CacheSupported) NUMBER(localL1CacheSupported) NUMBER(sharedMemPerMultiprocessor)
    NUMBER(regsPerMultiprocessor) NUMBER(managedMemory) NUMBER(isMultiGpuBoard) NUMBER(multiGpuBoardGroupID)
    NUMBER(hostNativeAtomicSupported) NUMBER(pageableMemoryAccess) NUMBER(concurrentManagedAccess)
    NUMBER(computePreemptionSupported) NUMBER(canUseHostPointerForRegisteredMem) NUMBER(cooperativeLaunch)
    NUMBER(sharedMemPerBlockOptin) NUMBER(pageableMemoryAccessUsesHostPageTables) NUMBER(directManagedMemAccessFromHost)
    NUMBER(maxBlocksPerMultiProcessor) NUMBER(accessPolicyMaxWindowSize) NUMBER(reservedSharedMemPerBlock)
#if CUDART_VERSION < 13000
    NUMBER(clockRate) NUMBER(deviceOverlap) NUMBER(kernelExecTimeoutEnabled) NUMBER(computeMode)
    NUMBER(maxTexture1DLinear) NUMBER(memoryClockRate) NUMBER(singleToDoublePrecisionPerfRatio)
    NUMBER(cooperativeMultiDeviceLaunch)
#endif
#if CUDART_VERSION >= 12000
    NUMBER(hostRegisterSupported) NUMBER(sparseCudaArraySupported) NUMBER(hostRegisterReadOnlySupported)
    NUMBER(timelineSemaphoreInteropSupported) NUMBER(memoryPoolsSupported) NUMBER(gpuDirectRDMASupported)
    NUMBER(gpuDirectRDMAFlushWritesOptions) NUMBER(gpuDirectRDMAWritesOrdering) NUMBER(memoryPoolSupportedHandleTypes)
    NUMBER(deferredMappingCudaArraySupported) NUMBER(ipcEventSupported) NUMBER(clusterLaunch)
    NUMBER(unifiedFunctionPointers)
#endif
    std::fclose(f);
}

static void attributes() {
    FILE *f = open("attributes");
    std::fprintf(f, "# cudaDeviceAttr, value or error\n");
    for (int a = 0; a <= 150; a++) {
        int v = 0;
        cudaError_t e = cudaDeviceGetAttribute(&v, static_cast<cudaDeviceAttr>(a), 0);
        if (e == cudaSuccess) std::fprintf(f, "%d %d\n", a, v);
        else std::fprintf(f, "%d %s\n", a, cudaGetErrorName(e));
    }
    std::fclose(f);
}

static void errors() {
    FILE *f = open("errors");
    std::string none = cudaGetErrorName(static_cast<cudaError_t>(12345));
    std::fprintf(f, "# number, name, text; every other number from 0 to 1000 is \"%s\", \"%s\"\n", none.c_str(),
                 cudaGetErrorString(static_cast<cudaError_t>(12345)));
    for (int i = 0; i <= 1000; i++) {
        auto e = static_cast<cudaError_t>(i);
        if (none == cudaGetErrorName(e)) continue;
        std::fprintf(f, "%d %s %s\n", i, cudaGetErrorName(e), cudaGetErrorString(e));
    }
    std::fclose(f);
}

static void limits() {
    FILE *f = open("limits");
    int driver = 0, runtime = 0, count = 0, least = 0, greatest = 0, device = -1;
    size_t available = 0, total = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cudaGetDeviceCount(&count);
    cudaGetDevice(&device);
    cudaMemGetInfo(&available, &total);
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    std::fprintf(f, "driver %d\nruntime %d\ndevices %d\ndevice %d\n", driver, runtime, count, device);
    std::fprintf(f, "memory total %zu\nmemory in use by an idle context %zu\n", total, total - available);
    std::fprintf(f, "stream priorities %d %d\n", least, greatest);
    for (int i = 0; i < 9; i++) {
        size_t v = 0;
        cudaError_t e = cudaDeviceGetLimit(&v, static_cast<cudaLimit>(i));
        if (e == cudaSuccess) std::fprintf(f, "limit %d %zu\n", i, v);
        else std::fprintf(f, "limit %d %s\n", i, cudaGetErrorName(e));
    }
    unsigned flags = 99;
    cudaGetDeviceFlags(&flags);
    cudaFuncCache cache;
    cudaDeviceGetCacheConfig(&cache);
    std::fprintf(f, "device flags %u\ncache config %d\n", flags, cache);
    std::fclose(f);
}

static void pitches() {
    FILE *f = open("pitches");
    std::fprintf(f, "# width in bytes, height, pitch\n");
    for (int h : {1, 4, 1000})
        for (int w : {1, 31, 32, 33, 64, 256, 511, 512, 513, 1000, 1024, 4097, 65536, 100001}) {
            void *p = nullptr;
            size_t pitch = 0;
            cudaError_t e = cudaMallocPitch(&p, &pitch, w, h);
            std::fprintf(f, "%d %d %zu%s\n", w, h, pitch, e ? cudaGetErrorName(e) : "");
            cudaFree(p);
        }
    std::fclose(f);
}

// A kernel that keeps n values in registers.
template <int n> __global__ void keep(float *p) {
    float v[n];
    for (int i = 0; i < n; i++) v[i] = p[i * blockDim.x + threadIdx.x];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < n; i++) v[i] = v[i] * v[(i + 1) % n] + v[(i + 7) % n];
    for (int i = 0; i < n; i++) p[i * blockDim.x + threadIdx.x] = v[i];
}
template <int bytes> __global__ void hold(char *p) {
    __shared__ char s[bytes];
    s[threadIdx.x % bytes] = *p;
    __syncthreads();
    *p = s[(threadIdx.x * 7) % bytes];
}
__global__ void empty() {}
__global__ void __launch_bounds__(256, 6) bounded(float *p) { p[threadIdx.x] += 1; }
__global__ void local(int *p, int n) {
    int a[100];
    for (int i = 0; i < 100; i++) a[i] = p[i];
    for (int i = 0; i < n; i++) a[p[i] % 100] += a[(i * 3) % 100];
    for (int i = 0; i < 100; i++) p[i] = a[i];
}

static void function(FILE *f, FILE *o, const char *name, const void *k) {
    cudaFuncAttributes a;
    if (cudaFuncGetAttributes(&a, k) != cudaSuccess) return;
    std::fprintf(f, "%s %d %zu %zu %zu %d %d %d %d %d\n", name, a.numRegs, a.sharedSizeBytes, a.localSizeBytes,
                 a.constSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes, a.ptxVersion, a.binaryVersion,
                 a.preferredShmemCarveout);
    const int opt_in = 227 * 1024 - int(a.sharedSizeBytes);
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, opt_in);
    for (int block : {1, 32, 33, 64, 96, 128, 192, 256, 384, 512, 640, 768, 1024})
        for (int dynamic : {0, 1, 1024, 4000, 16384, 40000, 48 << 10, 100000, 200000, 227 << 10}) {
            int n = -1;
            cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, block, dynamic);
            std::fprintf(o, "%s %d %zu %d %d %d%s%s\n", name, a.numRegs, a.sharedSizeBytes, block, dynamic, n,
                         e ? " " : "", e ? cudaGetErrorName(e) : "");
        }
}

static void functions() {
    FILE *f = open("functions"), *o = open("occupancy");
    std::fprintf(f, "# kernel registers shared local constant threads dynamic ptx binary carveout\n");
    std::fprintf(o, "# kernel registers shared block dynamic: blocks a multiprocessor\n");
#define ROW(name, ...) function(f, o, name, reinterpret_cast<const void *>(__VA_ARGS__));
    ROW("empty", empty)
    ROW("keep<4>", keep<4>)
    ROW("keep<24>", keep<24>)
    ROW("keep<48>", keep<48>)
    ROW("keep<100>", keep<100>)
    ROW("keep<200>", keep<200>)
    ROW("hold<1024>", hold<1024>)
    ROW("hold<10000>", hold<10000>)
    ROW("hold<49152>", hold<49152>)
    ROW("bounded", bounded)
    ROW("local", local)
    std::fclose(f);
    std::fclose(o);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: facts FOLDER\n");
        return 2;
    }
    folder = argv[1];
    int n = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    if (e != cudaSuccess) {
        std::fprintf(stderr, "no device: %s\n", cudaGetErrorString(e));
        return 1;
    }
    limits();
    properties();
    attributes();
    errors();
    pitches();
    functions();
    return 0;
}
