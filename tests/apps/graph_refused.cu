// Every call that a stream under capture may refuse: what it returns, what becomes of the
// capture, and what ending it returns; by mode, from the capturing and from another thread.
#include "graph.h"
#include <functional>
#include <thread>

__global__ void add(int *p) { atomicAdd(p, 1); }
__device__ int variable[4];

static void nothing(void *) {}
static void CUDART_CB called(cudaStream_t, cudaError_t, void *) {}

// World is what the calls need, made before the capture begins.
struct World {
    cudaStream_t s, other, independent;
    int *d, *d2, *async, *pinned, *managed;
    std::vector<int> pageable = std::vector<int>(64);
    std::vector<int> toRegister = std::vector<int>(4096);
    cudaEvent_t fresh, recorded, captured;
    cudaArray_t array;
    Graph graph;
    Exec exec;
    cudaMemPool_t pool;
};

struct Call {
    const char *name;
    std::function<cudaError_t(World &)> run;
};

static cudaError_t launched() { return cudaGetLastError(); }

static const Call calls[] = {
    {"Malloc", [](World &) { int *p; return cudaMalloc(&p, 256); }},
    {"Malloc 0", [](World &) { int *p; return cudaMalloc(&p, 0); }},
    {"Free", [](World &w) { return cudaFree(w.d2); }},
    {"Free null", [](World &) { return cudaFree(nullptr); }},
    {"MallocHost", [](World &) { int *p; return cudaMallocHost(&p, 256); }},
    {"FreeHost", [](World &w) { return cudaFreeHost(w.pinned); }},
    {"HostAlloc", [](World &) { int *p; return cudaHostAlloc(&p, 256, cudaHostAllocDefault); }},
    {"MallocManaged", [](World &) { int *p; return cudaMallocManaged(&p, 256); }},
    {"MallocPitch", [](World &) { int *p; size_t pitch; return cudaMallocPitch(&p, &pitch, 64, 4); }},
    {"HostRegister", [](World &w) { return cudaHostRegister(w.toRegister.data(), 4096, 0); }},
    {"MallocArray", [](World &) { cudaArray_t a; auto c = cudaCreateChannelDesc<float>(); return cudaMallocArray(&a, &c, 16, 16); }},
    {"FreeArray", [](World &w) { return cudaFreeArray(w.array); }},
    {"Memcpy to device", [](World &w) { return cudaMemcpy(w.d, w.pageable.data(), 16, cudaMemcpyHostToDevice); }},
    {"Memcpy on device", [](World &w) { return cudaMemcpy(w.d, w.d2, 16, cudaMemcpyDeviceToDevice); }},
    {"Memset", [](World &w) { return cudaMemset(w.d, 0, 16); }},
    {"MemcpyToSymbol", [](World &w) { return cudaMemcpyToSymbol(variable, w.pageable.data(), 16); }},
    {"MemcpyFromSymbol", [](World &w) { return cudaMemcpyFromSymbol(w.pageable.data(), variable, 16); }},
    {"MemcpyAsync s pageable", [](World &w) { return cudaMemcpyAsync(w.d, w.pageable.data(), 16, cudaMemcpyHostToDevice, w.s); }},
    {"MemcpyAsync s to pageable", [](World &w) { return cudaMemcpyAsync(w.pageable.data(), w.d, 16, cudaMemcpyDeviceToHost, w.s); }},
    {"MemcpyAsync s pinned", [](World &w) { return cudaMemcpyAsync(w.d, w.pinned, 16, cudaMemcpyHostToDevice, w.s); }},
    {"MemcpyAsync s host to host", [](World &w) { return cudaMemcpyAsync(w.pageable.data(), w.pageable.data() + 8, 16, cudaMemcpyHostToHost, w.s); }},
    {"MemcpyAsync s none", [](World &w) { return cudaMemcpyAsync(w.d, w.pinned, 0, cudaMemcpyHostToDevice, w.s); }},
    {"MemcpyAsync legacy", [](World &w) { return cudaMemcpyAsync(w.d, w.pinned, 16, cudaMemcpyHostToDevice, nullptr); }},
    {"MemcpyAsync other", [](World &w) { return cudaMemcpyAsync(w.d, w.pinned, 16, cudaMemcpyHostToDevice, w.other); }},
    {"MemcpyAsync independent", [](World &w) { return cudaMemcpyAsync(w.d, w.pinned, 16, cudaMemcpyHostToDevice, w.independent); }},
    {"MemcpyAsync s wrong kind", [](World &w) { return cudaMemcpyAsync(w.d, w.pinned, 16, cudaMemcpyKind(9), w.s); }},
    {"MemcpyAsync s past the end", [](World &w) { return cudaMemcpyAsync(w.d, w.pinned, 1 << 30, cudaMemcpyHostToDevice, w.s); }},
    {"Memcpy2DAsync s", [](World &w) { return cudaMemcpy2DAsync(w.d, 32, w.pinned, 32, 16, 4, cudaMemcpyHostToDevice, w.s); }},
    {"MemcpyPeerAsync s", [](World &w) { return cudaMemcpyPeerAsync(w.d, 0, w.d2, 0, 16, w.s); }},
    {"MemcpyToSymbolAsync s", [](World &w) { return cudaMemcpyToSymbolAsync(variable, w.pinned, 16, 0, cudaMemcpyHostToDevice, w.s); }},
    {"MemcpyFromSymbolAsync s", [](World &w) { return cudaMemcpyFromSymbolAsync(w.pinned, variable, 16, 0, cudaMemcpyDeviceToHost, w.s); }},
    {"Memcpy2DToArrayAsync s", [](World &w) { return cudaMemcpy2DToArrayAsync(w.array, 0, 0, w.pinned, 16, 16, 4, cudaMemcpyHostToDevice, w.s); }},
    {"MemsetAsync s", [](World &w) { return cudaMemsetAsync(w.d, 1, 16, w.s); }},
    {"MemsetAsync s none", [](World &w) { return cudaMemsetAsync(w.d, 1, 0, w.s); }},
    {"MemsetAsync s pageable", [](World &w) { return cudaMemsetAsync(w.pageable.data(), 1, 16, w.s); }},
    {"Memset2DAsync s", [](World &w) { return cudaMemset2DAsync(w.d, 32, 1, 16, 4, w.s); }},
    {"Memset3DAsync s", [](World &w) { return cudaMemset3DAsync(make_cudaPitchedPtr(w.d, 32, 16, 2), 1, make_cudaExtent(16, 2, 2), w.s); }},
    {"MemsetAsync legacy", [](World &w) { return cudaMemsetAsync(w.d, 1, 16, nullptr); }},
    {"MemsetAsync other", [](World &w) { return cudaMemsetAsync(w.d, 1, 16, w.other); }},
    {"kernel s", [](World &w) { add<<<1, 1, 0, w.s>>>(w.d); return launched(); }},
    {"kernel s too large", [](World &w) { add<<<1, 2000, 0, w.s>>>(w.d); return launched(); }},
    {"kernel legacy", [](World &w) { add<<<1, 1>>>(w.d); return launched(); }},
    {"kernel per thread", [](World &w) { add<<<1, 1, 0, cudaStreamPerThread>>>(w.d); return launched(); }},
    {"kernel other", [](World &w) { add<<<1, 1, 0, w.other>>>(w.d); return launched(); }},
    {"kernel independent", [](World &w) { add<<<1, 1, 0, w.independent>>>(w.d); return launched(); }},
    {"cooperative s", [](World &w) { void *args[] = {&w.d}; return cudaLaunchCooperativeKernel((void *)add, dim3(1), dim3(1), args, 0, w.s); }},
    {"DeviceSynchronize", [](World &) { return cudaDeviceSynchronize(); }},
    {"StreamSynchronize s", [](World &w) { return cudaStreamSynchronize(w.s); }},
    {"StreamSynchronize other", [](World &w) { return cudaStreamSynchronize(w.other); }},
    {"StreamSynchronize independent", [](World &w) { return cudaStreamSynchronize(w.independent); }},
    {"StreamSynchronize legacy", [](World &) { return cudaStreamSynchronize(nullptr); }},
    {"StreamQuery s", [](World &w) { return cudaStreamQuery(w.s); }},
    {"StreamQuery other", [](World &w) { return cudaStreamQuery(w.other); }},
    {"StreamQuery legacy", [](World &) { return cudaStreamQuery(nullptr); }},
    {"EventCreate", [](World &) { cudaEvent_t e; return cudaEventCreate(&e); }},
    {"EventDestroy recorded", [](World &w) { return cudaEventDestroy(w.recorded); }},
    {"EventDestroy captured", [](World &w) { return cudaEventDestroy(w.captured); }},
    {"EventQuery fresh", [](World &w) { return cudaEventQuery(w.fresh); }},
    {"EventQuery recorded", [](World &w) { return cudaEventQuery(w.recorded); }},
    {"EventQuery captured", [](World &w) { return cudaEventQuery(w.captured); }},
    {"EventSynchronize recorded", [](World &w) { return cudaEventSynchronize(w.recorded); }},
    {"EventSynchronize captured", [](World &w) { return cudaEventSynchronize(w.captured); }},
    {"EventElapsedTime captured", [](World &w) { float ms; return cudaEventElapsedTime(&ms, w.recorded, w.captured); }},
    {"EventElapsedTime recorded", [](World &w) { float ms; return cudaEventElapsedTime(&ms, w.recorded, w.recorded); }},
    {"EventRecord s", [](World &w) { return cudaEventRecord(w.fresh, w.s); }},
    {"EventRecord legacy", [](World &w) { return cudaEventRecord(w.fresh, nullptr); }},
    {"EventRecord other", [](World &w) { return cudaEventRecord(w.fresh, w.other); }},
    {"EventRecord captured other", [](World &w) { return cudaEventRecord(w.captured, w.other); }},
    {"EventRecord external", [](World &w) { return cudaEventRecordWithFlags(w.fresh, w.s, cudaEventRecordExternal); }},
    {"StreamWaitEvent s fresh", [](World &w) { return cudaStreamWaitEvent(w.s, w.fresh, 0); }},
    {"StreamWaitEvent s recorded", [](World &w) { return cudaStreamWaitEvent(w.s, w.recorded, 0); }},
    {"StreamWaitEvent s captured", [](World &w) { return cudaStreamWaitEvent(w.s, w.captured, 0); }},
    {"StreamWaitEvent other captured", [](World &w) { return cudaStreamWaitEvent(w.other, w.captured, 0); }},
    {"StreamWaitEvent legacy captured", [](World &w) { return cudaStreamWaitEvent(nullptr, w.captured, 0); }},
    {"StreamWaitEvent other recorded", [](World &w) { return cudaStreamWaitEvent(w.other, w.recorded, 0); }},
    {"StreamWaitEvent external", [](World &w) { return cudaStreamWaitEvent(w.s, w.recorded, cudaEventWaitExternal); }},
    {"StreamWaitEvent external fresh", [](World &w) { return cudaStreamWaitEvent(w.s, w.fresh, cudaEventWaitExternal); }},
    {"StreamCreate", [](World &) { cudaStream_t s; return cudaStreamCreate(&s); }},
    {"StreamDestroy other", [](World &w) { return cudaStreamDestroy(w.other); }},
    {"StreamGetPriority s", [](World &w) { int p; return cudaStreamGetPriority(w.s, &p); }},
    {"StreamGetFlags s", [](World &w) { unsigned f; return cudaStreamGetFlags(w.s, &f); }},
    {"StreamAddCallback s", [](World &w) { return cudaStreamAddCallback(w.s, called, nullptr, 0); }},
    {"StreamAddCallback other", [](World &w) { return cudaStreamAddCallback(w.other, called, nullptr, 0); }},
    {"LaunchHostFunc s", [](World &w) { return cudaLaunchHostFunc(w.s, nothing, nullptr); }},
    {"StreamAttachMemAsync s", [](World &w) { return cudaStreamAttachMemAsync(w.s, w.managed, 0, cudaMemAttachGlobal); }},
    {"StreamBeginCapture s", [](World &w) { return cudaStreamBeginCapture(w.s, cudaStreamCaptureModeRelaxed); }},
    {"StreamIsCapturing legacy", [](World &) { cudaStreamCaptureStatus st; return cudaStreamIsCapturing(nullptr, &st); }},
    {"StreamIsCapturing other", [](World &w) { cudaStreamCaptureStatus st; return cudaStreamIsCapturing(w.other, &st); }},
    {"StreamEndCapture other", [](World &w) { Graph g; return cudaStreamEndCapture(w.other, &g); }},
    {"GetDeviceProperties", [](World &) { cudaDeviceProp p; return cudaGetDeviceProperties(&p, 0); }},
    {"DeviceGetAttribute", [](World &) { int v; return cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0); }},
    {"MemGetInfo", [](World &) { size_t a, b; return cudaMemGetInfo(&a, &b); }},
    {"FuncGetAttributes", [](World &) { cudaFuncAttributes a; return cudaFuncGetAttributes(&a, add); }},
    {"FuncSetAttribute", [](World &) { return cudaFuncSetAttribute(add, cudaFuncAttributePreferredSharedMemoryCarveout, 50); }},
    {"FuncSetCacheConfig", [](World &) { return cudaFuncSetCacheConfig(add, cudaFuncCachePreferL1); }},
    {"Occupancy", [](World &) { int n; return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, add, 32, 0); }},
    {"GetSymbolAddress", [](World &) { void *p; return cudaGetSymbolAddress(&p, variable); }},
    {"PointerGetAttributes", [](World &w) { cudaPointerAttributes a; return cudaPointerGetAttributes(&a, w.d); }},
    {"SetDevice", [](World &) { return cudaSetDevice(0); }},
    {"DeviceGetLimit", [](World &) { size_t v; return cudaDeviceGetLimit(&v, cudaLimitStackSize); }},
    {"DeviceSetLimit", [](World &) { return cudaDeviceSetLimit(cudaLimitStackSize, 2048); }},
    {"DeviceSetCacheConfig", [](World &) { return cudaDeviceSetCacheConfig(cudaFuncCachePreferNone); }},
    {"DeviceGetStreamPriorityRange", [](World &) { int a, b; return cudaDeviceGetStreamPriorityRange(&a, &b); }},
    {"HostGetDevicePointer", [](World &w) { void *p; return cudaHostGetDevicePointer(&p, w.pinned, 0); }},
    {"MallocAsync s", [](World &w) { int *p; cudaError_t e = cudaMallocAsync(&p, 256, w.s); if (!e) e = cudaFreeAsync(p, w.s); return e; }},
    {"MallocAsync legacy", [](World &) { int *p; return cudaMallocAsync(&p, 256, nullptr); }},
    {"MallocAsync other", [](World &w) { int *p; return cudaMallocAsync(&p, 256, w.other); }},
    {"MallocFromPoolAsync s", [](World &w) { int *p; cudaError_t e = cudaMallocFromPoolAsync(&p, 256, w.pool, w.s); if (!e) e = cudaFreeAsync(p, w.s); return e; }},
    {"FreeAsync s", [](World &w) { return cudaFreeAsync(w.async, w.s); }},
    {"FreeAsync s malloc", [](World &w) { return cudaFreeAsync(w.d2, w.s); }},
    {"FreeAsync other", [](World &w) { return cudaFreeAsync(w.async, w.other); }},
    {"MemPoolTrimTo", [](World &w) { return cudaMemPoolTrimTo(w.pool, 0); }},
    {"DeviceGetDefaultMemPool", [](World &) { cudaMemPool_t p; return cudaDeviceGetDefaultMemPool(&p, 0); }},
    {"MemPoolGetAttribute", [](World &w) { unsigned long long v; return cudaMemPoolGetAttribute(w.pool, cudaMemPoolAttrReleaseThreshold, &v); }},
    {"MemPoolCreate", [](World &) { cudaMemPoolProps p = {}; p.allocType = cudaMemAllocationTypePinned; p.location.type = cudaMemLocationTypeDevice; cudaMemPool_t q; return cudaMemPoolCreate(&q, &p); }},
    {"GraphCreate", [](World &) { Graph g; return cudaGraphCreate(&g, 0); }},
    {"GraphInstantiate", [](World &w) { Exec e; return instantiate(&e, w.graph); }},
    {"GraphLaunch s", [](World &w) { return cudaGraphLaunch(w.exec, w.s); }},
    {"GraphLaunch other", [](World &w) { return cudaGraphLaunch(w.exec, w.other); }},
    {"GraphLaunch legacy", [](World &w) { return cudaGraphLaunch(w.exec, nullptr); }},
    {"GraphUpload s", [](World &w) { return cudaGraphUpload(w.exec, w.s); }},
    {"GraphUpload other", [](World &w) { return cudaGraphUpload(w.exec, w.other); }},
    {"GraphExecDestroy", [](World &w) { return cudaGraphExecDestroy(w.exec); }},
    {"GraphDestroy", [](World &w) { return cudaGraphDestroy(w.graph); }},
    {"DeviceGraphMemTrim", [](World &) { return cudaDeviceGraphMemTrim(0); }},
    {"DeviceCanAccessPeer", [](World &) { int v; return cudaDeviceCanAccessPeer(&v, 0, 0); }},
    {"IpcGetMemHandle", [](World &w) { cudaIpcMemHandle_t h; return cudaIpcGetMemHandle(&h, w.d); }},
    {"GetLastError", [](World &) { return cudaGetLastError(); }},
};

static World prepare(int flags) {
    World w;
    OK(cudaStreamCreateWithFlags(&w.s, flags));
    OK(cudaStreamCreate(&w.other));
    OK(cudaStreamCreateWithFlags(&w.independent, cudaStreamNonBlocking));
    OK(cudaMalloc(&w.d, 1024));
    OK(cudaMalloc(&w.d2, 1024));
    OK(cudaMallocAsync(&w.async, 1024, nullptr));
    OK(cudaMallocHost(&w.pinned, 1024));
    OK(cudaMallocManaged(&w.managed, 1024));
    auto channel = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&w.array, &channel, 16, 16));
    OK(cudaEventCreate(&w.fresh));
    OK(cudaEventCreate(&w.recorded));
    OK(cudaEventCreate(&w.captured));
    OK(cudaEventRecord(w.recorded, w.other));
    OK(cudaGraphCreate(&w.graph, 0));
    void *args[] = {&w.d};
    cudaKernelNodeParams p = kernelNode(add, args);
    Node node;
    OK(cudaGraphAddKernelNode(&node, w.graph, nullptr, 0, &p));
    OK(instantiate(&w.exec, w.graph));
    OK(cudaDeviceGetDefaultMemPool(&w.pool, 0));
    OK(cudaDeviceSynchronize());
    return w;
}

static const char *brief(cudaError_t e) {
    const char *name = cudaGetErrorName(e);
    return e ? name + std::strlen("cudaError") : "ok";
}

static void attempt(const Call &c, int flags, cudaStreamCaptureMode mode, bool elsewhere) {
    World w = prepare(flags);
    OK(cudaStreamBeginCapture(w.s, mode));
    add<<<1, 1, 0, w.s>>>(w.d);
    OK(cudaEventRecord(w.captured, w.s));
    cudaError_t e = cudaSuccess;
    if (elsewhere)
        std::thread([&] { e = c.run(w); }).join();
    else
        e = c.run(w);
    (void)cudaGetLastError();
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaError_t asked = cudaStreamIsCapturing(w.s, &status);
    Graph g = nullptr;
    cudaError_t ended = cudaStreamEndCapture(w.s, &g);
    size_t nodes = 0;
    if (g) OK(cudaGraphGetNodes(g, nullptr, &nodes));
    std::printf("%s: %s, status %s %d, end %s, nodes %zu\n", c.name, brief(e), brief(asked), status, brief(ended), nodes);
    (void)cudaGetLastError();
    OK(cudaDeviceSynchronize());
}

int main(int argc, char **argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const char *kind = argc > 1 ? argv[1] : "global";
    int flags = cudaStreamDefault;
    bool elsewhere = false;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    if (!std::strcmp(kind, "local")) mode = cudaStreamCaptureModeThreadLocal;
    if (!std::strcmp(kind, "relaxed")) mode = cudaStreamCaptureModeRelaxed;
    if (!std::strcmp(kind, "independent")) flags = cudaStreamNonBlocking;
    if (!std::strcmp(kind, "elsewhere")) elsewhere = true;
    if (!std::strcmp(kind, "elsewhere_local")) elsewhere = true, mode = cudaStreamCaptureModeThreadLocal;
    for (const Call &c : calls) attempt(c, flags, mode, elsewhere);
    std::puts("PASS");
    return 0;
}
