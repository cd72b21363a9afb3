// Executable graphs: instantiation, launches, updates of parameters and of whole graphs.
#include "graph.h"

__global__ void add(int *p) { atomicAdd(p, 1); }
__global__ void store(int *p, int v) { *p = v; }
__global__ void spin(volatile int *flag) { while (!*flag) {} }
__global__ void meet(volatile int *mine, volatile int *other) { *mine = 1; while (!*other) {} }
static void count(void *p) { ++*static_cast<int *>(p); }

static int *d, *pinned, host1, host2;
static cudaStream_t s;

static Node kernel(Graph g, int *p, int v, std::vector<Node> after = {}) {
    void *args[] = {&p, &v};
    cudaKernelNodeParams k = kernelNode(store, args);
    Node n;
    OK(cudaGraphAddKernelNode(&n, g, after.data(), after.size(), &k));
    return n;
}

static void instantiation() {
    Graph g;
    Exec exec = nullptr;
    OK(cudaGraphCreate(&g, 0));
    SAY(instantiate(&exec, g));
    SAY(cudaGraphLaunch(exec, s));
    SAY(cudaStreamSynchronize(s));
    SAY(instantiate(nullptr, g));
    SAY(instantiate(&exec, nullptr));
    SAY(cudaGraphLaunch(nullptr, s));
    SAY(cudaGraphExecDestroy(nullptr));
    SAY(cudaGraphUpload(nullptr, s));
    for (unsigned long long flags : {1, 2, 4, 8, 5, 16, 64}) {
        Exec other = nullptr;
        std::printf("flags %llu ", flags);
        SAY(instantiate(&other, g, flags));
#if CUDART_VERSION >= 12000
        unsigned long long got = 99;
        if (other) SAY(cudaGraphExecGetFlags(other, &got));
        std::printf("flags %llu\n", got);
#endif
    }
    kernel(g, d, 5);
#if CUDART_VERSION >= 12000
    for (unsigned long long flags : {0, 2, 4, 8, 5, 16}) {
        Exec other = nullptr;
        cudaGraphInstantiateParams p = {};
        p.flags = flags, p.uploadStream = s;
        std::printf("flags %llu ", flags);
        SAY(cudaGraphInstantiateWithParams(&other, g, &p));
        std::printf("result %d node %d\n", p.result_out, p.errNode_out != nullptr);
    }
    SAY(cudaGraphInstantiateWithParams(&exec, g, nullptr));
#endif
    Node a = kernel(g, d, 6), b = kernel(g, d, 7, {a});
    OK(cudaGraphAddDependencies(g, &b, &a, EDGES 1));
#if CUDART_VERSION >= 12000
    cudaGraphInstantiateParams p = {};
    SAY(cudaGraphInstantiateWithParams(&exec, g, &p));
    std::printf("result %d node %d\n", p.result_out, p.errNode_out != nullptr);
#endif
}

static int value() {
    int v;
    OK(cudaMemcpyAsync(&v, d, sizeof v, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    return v;
}

static void launches() {
    Graph g;
    Exec exec;
    OK(cudaGraphCreate(&g, 0));
    int *p = d;
    void *args[] = {&p};
    cudaKernelNodeParams k = kernelNode(add, args, 3, 64);
    Node n;
    OK(cudaGraphAddKernelNode(&n, g, nullptr, 0, &k));
    OK(instantiate(&exec, g));
    OK(cudaMemsetAsync(d, 0, 4, s));
    SAY(cudaGraphUpload(exec, s));
    for (int i = 0; i < 5; i++) OK(cudaGraphLaunch(exec, s));
    std::printf("five launches: %d\n", value());
    SAY(cudaGraphDestroy(g));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphLaunch(exec, nullptr));
    OK(cudaGraphLaunch(exec, cudaStreamPerThread));
    OK(cudaDeviceSynchronize());
    std::printf("eight launches: %d\n", value());
    OK(cudaGraphLaunch(exec, s));
    SAY(cudaGraphExecDestroy(exec));
    std::printf("nine launches: %d\n", value());
}

static void parameters() {
    Graph g, elsewhere;
    Exec exec;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&elsewhere, 0));
    Node k = kernel(g, d, 1), foreign = kernel(elsewhere, d, 2), m, c, h, e;
    cudaMemsetParams ms = {};
    ms.dst = d + 1, ms.value = 3, ms.elementSize = 4, ms.width = 2, ms.height = 1;
    OK(cudaGraphAddMemsetNode(&m, g, &k, 1, &ms));
    OK(cudaGraphAddMemcpyNode1D(&c, g, &m, 1, pinned, d, 16, cudaMemcpyDeviceToHost));
    cudaHostNodeParams hp = {count, &host1};
    OK(cudaGraphAddHostNode(&h, g, &c, 1, &hp));
    OK(cudaGraphAddEmptyNode(&e, g, &h, 1));
    OK(instantiate(&exec, g));
    auto show = [&](const char *what) {
        OK(cudaMemsetAsync(d, 0, 32, s));
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        std::printf("%s: %d %d %d %d host %d %d\n", what, pinned[0], pinned[1], pinned[2], pinned[3], host1, host2);
    };
    show("first");
    int *p = d, v = 11;
    void *args[] = {&p, &v};
    cudaKernelNodeParams kp = kernelNode(store, args);
    SAY(cudaGraphExecKernelNodeSetParams(exec, k, &kp));
    show("kernel");
    cudaKernelNodeParams bad = kernelNode(add, args);
    SAY(cudaGraphExecKernelNodeSetParams(exec, k, &bad));
    bad = kp, bad.gridDim.x = 0;
    SAY(cudaGraphExecKernelNodeSetParams(exec, k, &bad));
    SAY(cudaGraphExecKernelNodeSetParams(exec, foreign, &kp));
    SAY(cudaGraphExecKernelNodeSetParams(exec, m, &kp));
    SAY(cudaGraphExecKernelNodeSetParams(exec, nullptr, &kp));
    SAY(cudaGraphExecKernelNodeSetParams(nullptr, k, &kp));
    show("still");
    ms.value = 4;
    SAY(cudaGraphExecMemsetNodeSetParams(exec, m, &ms));
    ms.width = 1;
    SAY(cudaGraphExecMemsetNodeSetParams(exec, m, &ms));
    ms.height = 2, ms.pitch = 8;
    SAY(cudaGraphExecMemsetNodeSetParams(exec, m, &ms));
    ms.elementSize = 1, ms.height = 1, ms.width = 4;
    SAY(cudaGraphExecMemsetNodeSetParams(exec, m, &ms));
    show("memset");
    SAY(cudaGraphExecMemcpyNodeSetParams1D(exec, c, pinned + 1, d, 12, cudaMemcpyDeviceToHost));
    show("memcpy");
    SAY(cudaGraphExecMemcpyNodeSetParams1D(exec, c, d + 8, pinned, 16, cudaMemcpyHostToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(exec, c, pinned, d, 1 << 30, cudaMemcpyDeviceToHost));
    show("memcpy too");
    hp.userData = &host2;
    SAY(cudaGraphExecHostNodeSetParams(exec, h, &hp));
    show("host");
    unsigned on = 9;
    SAY(cudaGraphNodeGetEnabled(exec, k, &on));
    std::printf("enabled %u\n", on);
    SAY(cudaGraphNodeSetEnabled(exec, k, 0));
    SAY(cudaGraphNodeGetEnabled(exec, k, &on));
    std::printf("enabled %u\n", on);
    show("disabled");
    SAY(cudaGraphNodeSetEnabled(exec, k, 5));
    SAY(cudaGraphNodeGetEnabled(exec, k, &on));
    std::printf("enabled %u\n", on);
    SAY(cudaGraphNodeSetEnabled(exec, m, 0));
    SAY(cudaGraphNodeSetEnabled(exec, c, 0));
    SAY(cudaGraphNodeSetEnabled(exec, h, 0));
    SAY(cudaGraphNodeSetEnabled(exec, e, 0));
    SAY(cudaGraphNodeGetEnabled(exec, h, &on));
    SAY(cudaGraphNodeSetEnabled(exec, foreign, 0));
    SAY(cudaGraphNodeGetEnabled(exec, k, nullptr));
    show("more disabled");
    OK(cudaGraphDestroyNode(k));
    cudaKernelNodeParams after = kernelNode(store, args);
    Node again = kernel(g, d, 9);
    SAY(cudaGraphExecKernelNodeSetParams(exec, again, &after));
}

static void updates() {
    Graph g, h;
    Exec exec;
    OK(cudaGraphCreate(&g, 0));
    Node a = kernel(g, d, 1);
    kernel(g, d + 1, 2, {a});
    OK(instantiate(&exec, g));
    SAY(update(exec, g));
    OK(cudaGraphClone(&h, g));
    SAY(update(exec, h));
    Graph other;
    OK(cudaGraphCreate(&other, 0));
    Node x = kernel(other, d, 21);
    SAY(update(exec, other));
    Node y = kernel(other, d + 1, 22, {x});
    SAY(update(exec, other));
    OK(cudaGraphLaunch(exec, s));
    std::printf("updated %d\n", value());
    OK(removeEdges(other, &x, &y, 1));
    SAY(update(exec, other));
    Node z;
    OK(cudaGraphDestroyNode(y));
    OK(cudaGraphAddEmptyNode(&z, other, &x, 1));
    SAY(update(exec, other));
    OK(cudaGraphDestroyNode(z));
    int *p = d;
    void *args[] = {&p};
    cudaKernelNodeParams k = kernelNode(add, args);
    OK(cudaGraphAddKernelNode(&y, other, &x, 1, &k));
    SAY(update(exec, other));
    OK(cudaGraphLaunch(exec, s));
    std::printf("function changed %d\n", value());
    SAY(cudaGraphExecUpdate(exec, nullptr, nullptr
#if CUDART_VERSION < 12000
        , nullptr
#endif
        ));
    // Kinds of copies and of sets.
    Graph c1, c2;
    Exec copy;
    OK(cudaGraphCreate(&c1, 0));
    OK(cudaGraphCreate(&c2, 0));
    Node n;
    OK(cudaGraphAddMemcpyNode1D(&n, c1, nullptr, 0, d, pinned, 64, cudaMemcpyHostToDevice));
    OK(instantiate(&copy, c1));
    OK(cudaGraphAddMemcpyNode1D(&n, c2, nullptr, 0, pinned, d, 64, cudaMemcpyDeviceToHost));
    SAY(update(copy, c2));
    OK(cudaGraphMemcpyNodeSetParams1D(n, d + 4, pinned, 32, cudaMemcpyHostToDevice));
    SAY(update(copy, c2));
    Graph nested, parent;
    Exec whole;
    OK(cudaGraphCreate(&parent, 0));
    OK(cudaGraphCreate(&nested, 0));
    kernel(nested, d, 31);
    Node child;
    OK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, nested));
    OK(instantiate(&whole, parent));
    OK(cudaGraphDestroy(nested));
    OK(cudaGraphCreate(&nested, 0));
    kernel(nested, d, 32);
    SAY(cudaGraphExecChildGraphNodeSetParams(whole, child, nested));
    OK(cudaGraphLaunch(whole, s));
    std::printf("child %d\n", value());
    kernel(nested, d, 33);
    SAY(cudaGraphExecChildGraphNodeSetParams(whole, child, nested));
    Graph inner;
    OK(cudaGraphChildGraphNodeGetGraph(child, &inner));
    Node innerNode;
    size_t one = 1;
    OK(cudaGraphGetNodes(inner, &innerNode, &one));
    int v = 41;
    void *two[] = {&p, &v};
    k = kernelNode(store, two);
    SAY(cudaGraphExecKernelNodeSetParams(whole, innerNode, &k));
    OK(cudaGraphLaunch(whole, s));
    std::printf("in child %d\n", value());
}

// Branches run at the same time, and a fork of many ends before its join.
static void branches() {
    Graph g;
    Exec exec;
    OK(cudaGraphCreate(&g, 0));
    int *a = d + 100, *b = d + 101;
    void *first[] = {&a, &b}, *second[] = {&b, &a};
    cudaKernelNodeParams p = kernelNode(meet, first), q = kernelNode(meet, second);
    Node n;
    OK(cudaGraphAddKernelNode(&n, g, nullptr, 0, &p));
    OK(cudaGraphAddKernelNode(&n, g, nullptr, 0, &q));
    OK(instantiate(&exec, g));
    OK(cudaMemset(a, 0, 8));
    OK(cudaGraphLaunch(exec, s));
    SAY(cudaStreamSynchronize(s));
    Graph wide;
    OK(cudaGraphCreate(&wide, 0));
    cudaMemsetParams m = {};
    m.dst = d, m.elementSize = 4, m.width = 64, m.height = 1, m.value = 1;
    Node root, join;
    OK(cudaGraphAddMemsetNode(&root, wide, nullptr, 0, &m));
    std::vector<Node> middle(64);
    for (int i = 0; i < 64; i++) {
        int *to = d + i;
        void *args[] = {&to};
        cudaKernelNodeParams k = kernelNode(add, args, 1, 32);
        OK(cudaGraphAddKernelNode(&middle[i], wide, &root, 1, &k));
    }
    OK(cudaGraphAddMemcpyNode1D(&join, wide, middle.data(), middle.size(), pinned, d, 256, cudaMemcpyDeviceToHost));
    OK(instantiate(&exec, wide));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    int total = 0;
    for (int i = 0; i < 64; i++) total += pinned[i];
    std::printf("wide: %d\n", total);
}

static void eventsInGraphs() {
    cudaEvent_t a, b;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    Graph g;
    Exec exec;
    OK(cudaGraphCreate(&g, 0));
    Node n1, n2, n3;
    OK(cudaGraphAddEventRecordNode(&n1, g, nullptr, 0, a));
    n2 = kernel(g, d, 51, {n1});
    OK(cudaGraphAddEventRecordNode(&n3, g, &n2, 1, b));
    OK(instantiate(&exec, g));
    SAY(cudaEventQuery(a));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    SAY(cudaEventQuery(a));
    SAY(cudaEventSynchronize(b));
    float ms = -1;
    SAY(cudaEventElapsedTime(&ms, a, b));
    std::printf("positive %d\n", ms > 0);
    SAY(cudaGraphExecEventRecordNodeSetEvent(exec, n3, a));
    SAY(cudaGraphExecEventWaitNodeSetEvent(exec, n3, a));
    SAY(cudaGraphExecEventRecordNodeSetEvent(exec, n3, nullptr));
    Graph w;
    OK(cudaGraphCreate(&w, 0));
    OK(cudaGraphAddEventWaitNode(&n1, w, nullptr, 0, b));
    kernel(w, d, 52, {n1});
    Exec waits;
    OK(instantiate(&waits, w));
    cudaStream_t t;
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    int *flag;
    OK(cudaHostAlloc(&flag, 4, cudaHostAllocMapped));
    *flag = 0;
    spin<<<1, 1, 0, t>>>(flag);
    OK(cudaEventRecord(b, t));
    OK(cudaGraphLaunch(waits, s));
    SAY(cudaStreamQuery(s));
    *flag = 1;
    OK(cudaStreamSynchronize(s));
    std::printf("after the wait %d\n", value());
    SAY(cudaGraphExecEventWaitNodeSetEvent(waits, n1, a));
    OK(cudaDeviceSynchronize());
}

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    d = device<int>(1024);
    OK(cudaMallocHost(&pinned, 4096));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    instantiation();
    launches();
    parameters();
    updates();
    branches();
    eventsInGraphs();
    OK(cudaDeviceSynchronize());
    return verdict();
}
