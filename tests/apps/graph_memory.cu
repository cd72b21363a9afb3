// Memory that graphs allocate and free: addresses, lifetimes, what is refused, statistics.
#include "graph.h"

__global__ void store(int *p, int v) { *p = v; }
__global__ void sum(int *to, const int *p) { *to += *p; }

static int *d;
static cudaStream_t s;

static cudaMemAllocNodeParams request(size_t bytes) {
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    return p;
}

template <class... Args> static Node launch(Graph g, std::vector<Node> after, void (*f)(Args...), Args... values) {
    void *args[] = {&values...};
    cudaKernelNodeParams k = kernelNode(f, args);
    Node n;
    OK(cudaGraphAddKernelNode(&n, g, after.data(), after.size(), &k));
    return n;
}

static unsigned long long attribute(cudaGraphMemAttributeType a) {
    unsigned long long v = 99;
    OK(cudaDeviceGetGraphMemAttribute(0, a, &v));
    return v;
}

static void memory(const char *what) {
    std::printf("%s: used %llu high %llu reserved %llu high %llu\n", what, attribute(cudaGraphMemAttrUsedMemCurrent),
                attribute(cudaGraphMemAttrUsedMemHigh), attribute(cudaGraphMemAttrReservedMemCurrent),
                attribute(cudaGraphMemAttrReservedMemHigh));
}

static int value() {
    int v;
    OK(cudaMemcpyAsync(&v, d, sizeof v, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    return v;
}

static void inside() {
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    Node a, f;
    cudaMemAllocNodeParams p = request(1 << 20), q = {};
    SAY(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    std::printf("address %d\n", p.dptr != nullptr);
    SAY(cudaGraphMemAllocNodeGetParams(a, &q));
    std::printf("same %d bytes %zu\n", q.dptr == p.dptr, q.bytesize);
    Node k = launch(g, {a}, store, (int *)p.dptr, 5), k2 = launch(g, {k}, sum, d, (const int *)p.dptr);
    SAY(cudaGraphAddMemFreeNode(&f, g, &k2, 1, p.dptr));
    void *got = nullptr;
    SAY(cudaGraphMemFreeNodeGetParams(f, &got));
    std::printf("same %d\n", got == p.dptr);
    Node x;
    SAY(cudaGraphAddMemFreeNode(&x, g, &f, 1, p.dptr));
    SAY(cudaGraphAddMemFreeNode(&x, g, nullptr, 0, nullptr));
    SAY(cudaGraphAddMemFreeNode(&x, g, nullptr, 0, d));
    SAY(cudaGraphDestroyNode(a));
    SAY(cudaGraphDestroyNode(f));
    Node e;
    OK(cudaGraphAddEmptyNode(&e, g, nullptr, 0));
    SAY(addEdges(g, &e, &a, 1));
    SAY(removeEdges(g, &a, &k, 1));
    shape("memory", g);
    Graph clone, parent;
    SAY(cudaGraphClone(&clone, g));
    OK(cudaGraphCreate(&parent, 0));
    SAY(cudaGraphAddChildGraphNode(&x, parent, nullptr, 0, g));
    memory("before");
    Exec exec, second;
    SAY(instantiate(&exec, g));
    SAY(instantiate(&second, g));
    memory("instantiated");
    OK(cudaMemsetAsync(d, 0, 4, s));
    SAY(cudaGraphLaunch(exec, s));
    SAY(cudaGraphLaunch(exec, s));
    std::printf("value %d\n", value());
    memory("launched");
    SAY(cudaDeviceGraphMemTrim(0));
    memory("trimmed");
    SAY(update(exec, g));
    unsigned on;
    SAY(cudaGraphNodeSetEnabled(exec, a, 0));
    SAY(cudaGraphNodeGetEnabled(exec, a, &on));
    SAY(cudaGraphExecDestroy(exec));
    SAY(instantiate(&second, g));
    SAY(cudaGraphExecDestroy(second));
    SAY(cudaGraphDestroy(g));
    SAY(cudaDeviceGraphMemTrim(0));
    memory("destroyed");
}

static void outside() {
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    Node a;
    cudaMemAllocNodeParams p = request(4096);
    OK(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    int *m = (int *)p.dptr;
    launch(g, {a}, store, m, 9);
    Exec exec, automatic;
    OK(instantiate(&exec, g));
    SAY(cudaGraphLaunch(exec, s));
    memory("allocated");
    OK(cudaMemsetAsync(d, 0, 4, s));
    sum<<<1, 1, 0, s>>>(d, m);
    std::printf("value %d\n", value());
    SAY(cudaGraphLaunch(exec, s));
    SAY(cudaFreeAsync(m, s));
    SAY(cudaFreeAsync(m, s));
    OK(cudaStreamSynchronize(s));
    memory("freed");
    SAY(cudaGraphLaunch(exec, s));
    SAY(cudaFree(m));
    SAY(cudaGraphLaunch(exec, s));
    Graph h;
    OK(cudaGraphCreate(&h, 0));
    Node f;
    SAY(cudaGraphAddMemFreeNode(&f, h, nullptr, 0, m));
    Exec frees;
    SAY(instantiate(&frees, h));
    SAY(cudaGraphLaunch(frees, s));
    OK(cudaStreamSynchronize(s));
    memory("freed by a graph");
    SAY(cudaGraphLaunch(frees, s));
    SAY(cudaStreamSynchronize(s));
    SAY(cudaGraphExecDestroy(exec));
    SAY(instantiate(&automatic, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    SAY(cudaGraphLaunch(automatic, s));
    SAY(cudaGraphLaunch(automatic, s));
    OK(cudaMemsetAsync(d, 0, 4, s));
    sum<<<1, 1, 0, s>>>(d, m);
    std::printf("value %d\n", value());
    memory("automatic");
    SAY(cudaGraphExecDestroy(automatic));
    SAY(cudaGraphDestroy(g));
    SAY(cudaFree(m));
    memory("end");
}

static void refusals() {
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    Node n;
    cudaMemAllocNodeParams p = request(0);
    SAY(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p));
    p = request(1ull << 50);
    SAY(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p));
    p = request(64), p.poolProps.allocType = cudaMemAllocationTypeInvalid;
    SAY(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p));
    p = request(64), p.poolProps.location.id = 99;
    SAY(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p));
    p = request(64), p.poolProps.location.type = cudaMemLocationTypeInvalid;
    SAY(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p));
    p = request(64), p.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    SAY(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p));
    SAY(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, nullptr));
    unsigned long long v = 0;
    SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v));
    SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &v));
    SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v));
    v = 5;
    SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v));
    SAY(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttributeType(9), &v));
    SAY(cudaDeviceGetGraphMemAttribute(99, cudaGraphMemAttrUsedMemHigh, &v));
    SAY(cudaDeviceGraphMemTrim(99));
    memory("reset");
    p = request(1 << 22);
    OK(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p));
    int *first = (int *)p.dptr;
    Node k, f, n2, f2;
    k = launch(g, {n}, store, first, 1);
    OK(cudaGraphAddMemFreeNode(&f, g, &k, 1, first));
    p = request(1 << 22);
    OK(cudaGraphAddMemAllocNode(&n2, g, &f, 1, &p));
    std::printf("address used again %d\n", p.dptr == first);
    OK(cudaGraphAddMemFreeNode(&f2, g, &n2, 1, p.dptr));
    Exec exec;
    OK(instantiate(&exec, g));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    memory("two after another");
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    OK(cudaDeviceGraphMemTrim(0));
}

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    d = device<int>(1024);
    OK(cudaStreamCreate(&s));
    store<<<1, 1, 0, s>>>(d, 0);
    sum<<<1, 1, 0, s>>>(d, d + 1);
    OK(cudaDeviceSynchronize());
    inside();
    outside();
    refusals();
    OK(cudaDeviceSynchronize());
    return verdict();
}
