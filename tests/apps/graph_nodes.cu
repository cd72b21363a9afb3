// Graphs as data: nodes of each kind, edges, clones, parameters, and what is refused.
#include "graph.h"

__global__ void add(int *p) { atomicAdd(p, 1); }
__global__ void store(int *p, int v) { *p = v; }
__device__ int variable[4];
static void nothing(void *) {}

static int *d, *d2, *pinned;

static Node empty(Graph g, std::vector<Node> after = {}) {
    Node n;
    OK(cudaGraphAddEmptyNode(&n, g, after.data(), after.size()));
    return n;
}

static void topology() {
    Graph g;
    SAY(cudaGraphCreate(nullptr, 0));
    SAY(cudaGraphCreate(&g, 1));
    SAY(cudaGraphCreate(&g, 0));
    shape("fresh", g);
    Node a = empty(g), b = empty(g, {a}), c = empty(g, {a}), e = empty(g, {b, c});
    shape("diamond", g);
    Node out[8] = {};
    size_t n = 1;
    SAY(cudaGraphGetNodes(g, out, &n));
    std::printf("n %zu first %d\n", n, out[0] == a);
    n = 8;
    out[7] = a;
    SAY(cudaGraphGetNodes(g, out, &n));
    std::printf("n %zu cleared %d\n", n, out[7] == nullptr);
    SAY(cudaGraphGetNodes(g, nullptr, nullptr));
    SAY(cudaGraphGetNodes(nullptr, nullptr, &n));
    n = 8;
    SAY(cudaGraphGetRootNodes(g, out, &n));
    std::printf("roots %zu\n", n);
    Node from[8], to[8];
    n = 2;
    SAY(getEdges(g, from, to, &n));
    std::printf("edges %zu\n", n);
    n = 8;
    SAY(getEdges(g, from, nullptr, &n));
    SAY(dependencies(e, nullptr, &n));
    std::printf("dependencies %zu\n", n);
    n = 8;
    SAY(dependencies(e, out, &n));
    std::printf("%zu: %d %d\n", n, out[0] == b, out[1] == c);
    SAY(dependents(a, nullptr, &n));
    std::printf("dependents %zu\n", n);
    n = 8;
    SAY(dependents(a, out, &n));
    std::printf("%zu: %d %d\n", n, out[0] == b, out[1] == c);
    SAY(dependents(nullptr, out, &n));
    SAY(addEdges(g, &b, &c, 1));
    shape("chained", g);
    SAY(addEdges(g, &b, &c, 1));
    SAY(addEdges(g, &c, &b, 1));
    shape("cyclic", g);
    Exec exec = nullptr;
    SAY(instantiate(&exec, g));
    SAY(removeEdges(g, &c, &b, 1));
    SAY(removeEdges(g, &c, &b, 1));
    SAY(addEdges(g, &a, &a, 1));
    SAY(addEdges(g, nullptr, nullptr, 0));
    SAY(addEdges(g, nullptr, nullptr, 1));
    SAY(addEdges(nullptr, &a, &b, 1));
    Node twice[] = {a, a};
    Node x = nullptr;
    SAY(cudaGraphAddEmptyNode(&x, g, twice, 2));
    SAY(cudaGraphAddEmptyNode(&x, g, nullptr, 1));
    SAY(cudaGraphAddEmptyNode(nullptr, g, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(&x, nullptr, nullptr, 0));
    Graph other;
    OK(cudaGraphCreate(&other, 0));
    Node foreign = empty(other);
    SAY(cudaGraphAddEmptyNode(&x, g, &foreign, 1));
    SAY(addEdges(g, &a, &foreign, 1));
    SAY(removeEdges(g, &a, &foreign, 1));
    Node fromTwo[] = {a, b}, toTwo[] = {e, foreign};
    SAY(addEdges(g, fromTwo, toTwo, 2));
    shape("after refusals", g);
    SAY(cudaGraphDestroyNode(c));
    shape("without c", g);
    SAY(cudaGraphDestroyNode(nullptr));
    SAY(cudaGraphDestroy(other));
    SAY(cudaGraphDestroy(g));
    SAY(cudaGraphDestroy(nullptr));
}

static void clones() {
    Graph g, clone, second;
    OK(cudaGraphCreate(&g, 0));
    Node a = empty(g), b = empty(g, {a});
    SAY(cudaGraphClone(&clone, g));
    shape("clone", clone);
    Node x = nullptr;
    SAY(cudaGraphNodeFindInClone(&x, a, clone));
    std::printf("found other %d\n", x != a);
    SAY(cudaGraphNodeFindInClone(&x, x, clone));
    SAY(cudaGraphNodeFindInClone(&x, a, g));
    Node later = empty(g, {b});
    SAY(cudaGraphNodeFindInClone(&x, later, clone));
    SAY(cudaGraphClone(&second, clone));
    SAY(cudaGraphNodeFindInClone(&x, a, second));
    SAY(cudaGraphClone(nullptr, g));
    SAY(cudaGraphClone(&clone, nullptr));
    SAY(cudaGraphNodeFindInClone(nullptr, a, second));
    OK(cudaGraphNodeFindInClone(&x, b, clone));
    SAY(cudaGraphDestroyNode(x));
    SAY(cudaGraphNodeFindInClone(&x, b, clone));
    shape("original", g);
    shape("cut clone", clone);
    SAY(cudaGraphDestroyNode(b));
    shape("cut original", g);
}

static void kernels() {
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    int v = 7;
    void *args[] = {&d, &v};
    cudaKernelNodeParams p = kernelNode(store, args, 2, 32);
    Node n;
    SAY(cudaGraphAddKernelNode(&n, g, nullptr, 0, &p));
    v = 9;
    cudaKernelNodeParams q = {};
    SAY(cudaGraphKernelNodeGetParams(n, &q));
    std::printf("grid %u block %u shared %u value %d extra %d function %d\n", q.gridDim.x, q.blockDim.x, q.sharedMemBytes,
                *(int *)q.kernelParams[1], q.extra != nullptr, q.func == p.func);
    SAY(cudaGraphKernelNodeSetParams(n, &p));
    OK(cudaGraphKernelNodeGetParams(n, &q));
    std::printf("value %d\n", *(int *)q.kernelParams[1]);
    cudaKernelNodeParams bad = p;
    Node x;
    bad.func = nullptr;
    SAY(cudaGraphAddKernelNode(&x, g, nullptr, 0, &bad));
    bad = p, bad.func = &v;
    SAY(cudaGraphAddKernelNode(&x, g, nullptr, 0, &bad));
    bad = p, bad.gridDim.x = 0;
    SAY(cudaGraphAddKernelNode(&x, g, nullptr, 0, &bad));
    bad = p, bad.blockDim.x = 2000;
    SAY(cudaGraphAddKernelNode(&x, g, nullptr, 0, &bad));
    bad = p, bad.sharedMemBytes = 1 << 20;
    SAY(cudaGraphAddKernelNode(&x, g, nullptr, 0, &bad));
    bad = p, bad.kernelParams = nullptr;
    SAY(cudaGraphAddKernelNode(&x, g, nullptr, 0, &bad));
    SAY(cudaGraphAddKernelNode(&x, g, nullptr, 0, nullptr));
    SAY(cudaGraphKernelNodeSetParams(n, nullptr));
    SAY(cudaGraphKernelNodeGetParams(n, nullptr));
    SAY(cudaGraphKernelNodeGetParams(nullptr, &q));
    cudaKernelNodeParams one = kernelNode(add, args);
    SAY(cudaGraphKernelNodeSetParams(n, &one));
    cudaGraphNodeType type;
    SAY(cudaGraphNodeGetType(n, &type));
    SAY(cudaGraphNodeGetType(n, nullptr));
    SAY(cudaGraphNodeGetType(nullptr, &type));
    cudaMemsetParams m;
    SAY(cudaGraphMemsetNodeGetParams(n, &m));
    cudaHostNodeParams h;
    SAY(cudaGraphHostNodeGetParams(n, &h));
    cudaMemcpy3DParms c;
    SAY(cudaGraphMemcpyNodeGetParams(n, &c));
    Graph inner;
    SAY(cudaGraphChildGraphNodeGetGraph(n, &inner));
    cudaEvent_t event;
    SAY(cudaGraphEventRecordNodeGetEvent(n, &event));

    cudaKernelNodeAttrValue value = {};
    value.cooperative = 1;
    SAY(cudaGraphKernelNodeSetAttribute(n, cudaKernelNodeAttributeCooperative, &value));
    value = {};
    SAY(cudaGraphKernelNodeGetAttribute(n, cudaKernelNodeAttributeCooperative, &value));
    std::printf("cooperative %d\n", value.cooperative);
    value.priority = -3;
    SAY(cudaGraphKernelNodeSetAttribute(n, cudaKernelNodeAttributePriority, &value));
    value.priority = -77;
    SAY(cudaGraphKernelNodeSetAttribute(n, cudaKernelNodeAttributePriority, &value));
    value = {};
    SAY(cudaGraphKernelNodeGetAttribute(n, cudaKernelNodeAttributePriority, &value));
    std::printf("priority %d\n", value.priority);
    SAY(cudaGraphKernelNodeSetAttribute(n, cudaKernelNodeAttrID(99), &value));
    SAY(cudaGraphKernelNodeGetAttribute(n, cudaKernelNodeAttrID(99), &value));
    SAY(cudaGraphKernelNodeGetAttribute(n, cudaKernelNodeAttributeAccessPolicyWindow, &value));
    std::printf("window %zu\n", value.accessPolicyWindow.num_bytes);
    Node k2;
    OK(cudaGraphAddKernelNode(&k2, g, nullptr, 0, &one));
#if CUDART_VERSION >= 13000
    SAY(cudaGraphKernelNodeCopyAttributes(k2, n));
#else
    SAY(cudaGraphKernelNodeCopyAttributes(n, k2));
#endif
    value = {};
    SAY(cudaGraphKernelNodeGetAttribute(k2, cudaKernelNodeAttributePriority, &value));
    std::printf("copied priority %d\n", value.priority);
    Node e = empty(g);
    SAY(cudaGraphKernelNodeGetAttribute(e, cudaKernelNodeAttributePriority, &value));
    SAY(cudaGraphKernelNodeGetParams(e, &q));
}

static void copies() {
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    std::vector<int> pageable(64);
    Node n, x;
    SAY(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, d, pinned, 64, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms p = {};
    SAY(cudaGraphMemcpyNodeGetParams(n, &p));
    std::printf("extent %zu %zu %zu kind %d dst %d src %d pitch %zu %zu\n", p.extent.width, p.extent.height, p.extent.depth, p.kind,
                p.dstPtr.ptr == d, p.srcPtr.ptr == pinned, p.dstPtr.pitch, p.srcPtr.pitch);
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, d, pageable.data(), 64, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, d, d2, 64, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, d, d2, 64, cudaMemcpyDefault));
    OK(cudaGraphMemcpyNodeGetParams(x, &p));
    std::printf("kind %d\n", p.kind);
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, d, pinned, 0, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, d, pinned, 1 << 30, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, nullptr, pinned, 64, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, d, pinned, 64, cudaMemcpyKind(9)));
    SAY(cudaGraphAddMemcpyNode1D(&x, g, nullptr, 0, pageable.data(), pageable.data() + 32, 64, cudaMemcpyHostToHost));
    SAY(cudaGraphMemcpyNodeSetParams1D(n, d2, pinned, 32, cudaMemcpyHostToDevice));
    SAY(cudaGraphMemcpyNodeSetParams1D(n, pinned, d2, 32, cudaMemcpyDeviceToHost));
    SAY(cudaGraphMemcpyNodeSetParams1D(n, pinned, d2, 32, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&x, g, nullptr, 0, variable, pinned, 16, 0, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&x, g, nullptr, 0, variable, pinned, 16, 4, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&x, g, nullptr, 0, pinned, pinned, 16, 0, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&x, g, nullptr, 0, variable, pinned, 16, 0, cudaMemcpyDeviceToHost));
    SAY(cudaGraphAddMemcpyNodeFromSymbol(&x, g, nullptr, 0, pinned, variable, 16, 0, cudaMemcpyDeviceToHost));
    SAY(cudaGraphMemcpyNodeSetParamsFromSymbol(x, pinned, variable, 8, 8, cudaMemcpyDeviceToHost));
    SAY(cudaGraphMemcpyNodeSetParamsToSymbol(x, variable, pinned, 8, 8, cudaMemcpyHostToDevice));
    SAY(cudaGraphMemcpyNodeSetParamsToSymbol(x, variable, pinned, 16, 8, cudaMemcpyHostToDevice));
    p = {};
    p.srcPtr = make_cudaPitchedPtr(pinned, 32, 32, 4);
    p.dstPtr = make_cudaPitchedPtr(d, 64, 64, 4);
    p.extent = make_cudaExtent(16, 3, 2);
    p.kind = cudaMemcpyHostToDevice;
    SAY(cudaGraphAddMemcpyNode(&x, g, nullptr, 0, &p));
    cudaMemcpy3DParms q = {};
    SAY(cudaGraphMemcpyNodeGetParams(x, &q));
    std::printf("extent %zu %zu %zu pitch %zu %zu ysize %zu %zu xsize %zu\n", q.extent.width, q.extent.height, q.extent.depth,
                q.srcPtr.pitch, q.dstPtr.pitch, q.srcPtr.ysize, q.dstPtr.ysize, q.dstPtr.xsize);
    SAY(cudaGraphMemcpyNodeSetParams(x, &p));
    SAY(cudaGraphMemcpyNodeSetParams(x, nullptr));
    SAY(cudaGraphAddMemcpyNode(&x, g, nullptr, 0, nullptr));
    p.extent.width = 100;
    SAY(cudaGraphAddMemcpyNode(&x, g, nullptr, 0, &p));
    p.extent = make_cudaExtent(0, 0, 0);
    SAY(cudaGraphAddMemcpyNode(&x, g, nullptr, 0, &p));
    shape("copies", g);
}

static void sets() {
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    Node n, x;
    cudaMemsetParams p = {};
    p.dst = d, p.value = 0x1234, p.elementSize = 2, p.width = 8, p.height = 1;
    SAY(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &p));
    cudaMemsetParams q = {};
    SAY(cudaGraphMemsetNodeGetParams(n, &q));
    std::printf("value %#x size %u width %zu height %zu pitch %zu\n", q.value, q.elementSize, q.width, q.height, q.pitch);
    p.elementSize = 3;
    SAY(cudaGraphAddMemsetNode(&x, g, nullptr, 0, &p));
    p.elementSize = 4, p.height = 4, p.pitch = 64;
    SAY(cudaGraphMemsetNodeSetParams(n, &p));
    p.pitch = 8;
    SAY(cudaGraphMemsetNodeSetParams(n, &p));
    p.pitch = 64, p.height = 0;
    SAY(cudaGraphMemsetNodeSetParams(n, &p));
    p.height = 1, p.width = 0;
    SAY(cudaGraphMemsetNodeSetParams(n, &p));
    p.width = 1 << 28;
    SAY(cudaGraphMemsetNodeSetParams(n, &p));
    p.width = 1, p.elementSize = 1, p.value = 300;
    SAY(cudaGraphMemsetNodeSetParams(n, &p));
    OK(cudaGraphMemsetNodeGetParams(n, &q));
    std::printf("value %#x size %u width %zu height %zu pitch %zu\n", q.value, q.elementSize, q.width, q.height, q.pitch);
    p.dst = nullptr;
    SAY(cudaGraphAddMemsetNode(&x, g, nullptr, 0, &p));
    int local;
    p.dst = &local;
    SAY(cudaGraphAddMemsetNode(&x, g, nullptr, 0, &p));
    p.dst = reinterpret_cast<char *>(d) + 1, p.elementSize = 4, p.value = 1;
    SAY(cudaGraphAddMemsetNode(&x, g, nullptr, 0, &p));
    SAY(cudaGraphAddMemsetNode(&x, g, nullptr, 0, nullptr));
}

static void others() {
    Graph g, child, inner = nullptr;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&child, 0));
    Node n, x;
    cudaHostNodeParams h = {nothing, &g}, k = {};
    SAY(cudaGraphAddHostNode(&n, g, nullptr, 0, &h));
    SAY(cudaGraphHostNodeGetParams(n, &k));
    std::printf("function %d data %d\n", k.fn == nothing, k.userData == &g);
    h.fn = nullptr;
    SAY(cudaGraphAddHostNode(&x, g, nullptr, 0, &h));
    SAY(cudaGraphHostNodeSetParams(n, &h));
    SAY(cudaGraphHostNodeSetParams(n, nullptr));
    Node e = empty(child);
    SAY(cudaGraphAddChildGraphNode(&n, g, nullptr, 0, child));
    SAY(cudaGraphChildGraphNodeGetGraph(n, &inner));
    std::printf("a copy %d\n", inner != child);
    shape("child", inner);
    SAY(cudaGraphNodeFindInClone(&x, e, inner));
    empty(child);
    shape("child", inner);
    empty(inner);
    shape("grown child", inner);
    SAY(cudaGraphDestroy(child));
    SAY(cudaGraphAddChildGraphNode(&x, g, nullptr, 0, nullptr));
    SAY(cudaGraphDestroy(inner));
    cudaEvent_t a, b, got = nullptr;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    SAY(cudaGraphAddEventRecordNode(&n, g, nullptr, 0, a));
    SAY(cudaGraphEventRecordNodeGetEvent(n, &got));
    std::printf("event %d\n", got == a);
    SAY(cudaGraphEventRecordNodeSetEvent(n, b));
    SAY(cudaGraphEventRecordNodeGetEvent(n, &got));
    std::printf("event %d\n", got == b);
    SAY(cudaGraphEventWaitNodeGetEvent(n, &got));
    SAY(cudaGraphEventRecordNodeSetEvent(n, nullptr));
    SAY(cudaGraphAddEventWaitNode(&n, g, nullptr, 0, a));
    SAY(cudaGraphEventWaitNodeSetEvent(n, b));
    SAY(cudaGraphEventWaitNodeGetEvent(n, &got));
    std::printf("event %d\n", got == b);
    SAY(cudaGraphAddEventWaitNode(&x, g, nullptr, 0, nullptr));
    SAY(cudaGraphAddEventRecordNode(&x, g, nullptr, 0, nullptr));
    cudaExternalSemaphoreSignalNodeParams sem = {};
    SAY(cudaGraphAddExternalSemaphoresSignalNode(&x, g, nullptr, 0, &sem));
    SAY(cudaGraphAddExternalSemaphoresSignalNode(&x, g, nullptr, 0, nullptr));
    cudaExternalSemaphoreWaitNodeParams wait = {};
    SAY(cudaGraphAddExternalSemaphoresWaitNode(&x, g, nullptr, 0, &wait));
    cudaExternalSemaphoreSignalNodeParams signals = {};
    OK(cudaGraphAddExternalSemaphoresSignalNode(&n, g, nullptr, 0, &sem));
    SAY(cudaGraphExternalSemaphoresSignalNodeGetParams(n, &signals));
    std::printf("semaphores %u\n", signals.numExtSems);
    SAY(cudaGraphExternalSemaphoresSignalNodeSetParams(n, &sem));
    SAY(cudaGraphExternalSemaphoresWaitNodeGetParams(n, &wait));
    shape("all", g);
    SAY(cudaGraphDebugDotPrint(g, nullptr, 0));
    SAY(cudaGraphDebugDotPrint(g, "/no/such/folder/graph.dot", 0));
    SAY(cudaGraphDebugDotPrint(g, "/tmp/lockstep_graph.dot", cudaGraphDebugDotFlagsVerbose));
    std::FILE *f = std::fopen("/tmp/lockstep_graph.dot", "r");
    char line[512] = "";
    if (f && std::fgets(line, sizeof line, f)) std::printf("%s", line);
    if (f) std::fclose(f), std::remove("/tmp/lockstep_graph.dot");
}

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    d = device<int>(1024), d2 = device<int>(1024);
    OK(cudaMallocHost(&pinned, 4096));
    topology();
    clones();
    kernels();
    copies();
    sets();
    others();
    OK(cudaDeviceSynchronize());
    return verdict();
}
