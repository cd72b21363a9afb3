// Conditional nodes: bodies that run once, repeatedly or by number, as kernels decide.
#include "graph.h"

#if CUDART_VERSION < 12040
int main() { return verdict(); }
#else

using Handle = cudaGraphConditionalHandle;

__global__ void set(Handle h, unsigned v) { cudaGraphSetConditional(h, v); }
__global__ void store(int *p, int v) { *p = v; }
__global__ void add(int *p, int v) { *p += v; }
__global__ void countDown(int *p, Handle h) { cudaGraphSetConditional(h, --*p > 0); }

static int *d;
static cudaStream_t s;

template <class... Args> static Node launch(Graph g, std::vector<Node> after, void (*f)(Args...), Args... values) {
    void *args[] = {&values...};
    cudaKernelNodeParams k = kernelNode(f, args);
    Node n;
    OK(cudaGraphAddKernelNode(&n, g, after.data(), after.size(), &k));
    return n;
}

static cudaError_t addNode(Node *n, Graph g, std::vector<Node> after, cudaGraphNodeParams *p) {
    return cudaGraphAddNode(n, g, after.data(), EDGES after.size(), p);
}

static cudaGraphNodeParams conditional(Handle h, cudaGraphConditionalNodeType type, unsigned size = 1) {
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = size;
    return p;
}

// look is shape where the runtime knows the type of conditional nodes.
static void look(const char *what, Graph g) {
    if (CUDART_VERSION >= 12080) shape(what, g);
}

static int run(Graph g, int first, int times = 1) {
    Exec exec;
    cudaError_t e = instantiate(&exec, g);
    if (e) {
        std::printf("instantiate: %s\n", cudaGetErrorName(e));
        (void)cudaGetLastError();
        return -1;
    }
    OK(cudaMemcpyAsync(d, &first, 4, cudaMemcpyHostToDevice, s));
    for (int i = 0; i < times; i++) OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(exec));
    return host(d, 1)[0];
}

static void ifs() {
    for (unsigned v : {0u, 1u, 7u}) {
        Graph g;
        Handle h;
        OK(cudaGraphCreate(&g, 0));
        OK(cudaGraphConditionalHandleCreate(&h, g, 0, 0));
        Node a = launch(g, {}, set, h, v), n;
        auto p = conditional(h, cudaGraphCondTypeIf);
        OK(addNode(&n, g, {a}, &p));
        launch(p.conditional.phGraph_out[0], {}, add, d, 5);
        launch(g, {n}, add, d, 100);
        std::printf("if %u: %d\n", v, run(g, 1));
        look("if", g);
    }
    for (unsigned v : {0u, 1u}) {
        Graph g;
        Handle h;
        OK(cudaGraphCreate(&g, 0));
        OK(cudaGraphConditionalHandleCreate(&h, g, v, cudaGraphCondAssignDefault));
        Node n;
        auto p = conditional(h, cudaGraphCondTypeIf);
        OK(addNode(&n, g, {}, &p));
        launch(p.conditional.phGraph_out[0], {}, add, d, 5);
        std::printf("default %u: %d\n", v, run(g, 1, 2));
    }
}

static void whiles() {
    Graph g;
    Handle h;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    Node n;
    auto p = conditional(h, cudaGraphCondTypeWhile);
    OK(addNode(&n, g, {}, &p));
    Graph body = p.conditional.phGraph_out[0];
    Node a = launch(body, {}, add, d + 1, 1);
    launch(body, {a}, countDown, d, h);
    OK(cudaMemset(d, 0, 64));
    std::printf("while: %d", run(g, 10));
    std::printf(", %d turns\n", host(d + 1, 1)[0]);
    OK(cudaMemset(d, 0, 64));
    std::printf("again: %d", run(g, 3, 2));
    std::printf(", %d turns\n", host(d + 1, 1)[0]);

    // A loop in a loop.
    Graph outer;
    Handle ho, hi;
    OK(cudaGraphCreate(&outer, 0));
    OK(cudaGraphConditionalHandleCreate(&ho, outer, 1, cudaGraphCondAssignDefault));
    OK(cudaGraphConditionalHandleCreate(&hi, outer, 0, 0));
    p = conditional(ho, cudaGraphCondTypeWhile);
    OK(addNode(&n, outer, {}, &p));
    Graph middle = p.conditional.phGraph_out[0];
    Node st = launch(middle, {}, store, d + 2, 3), on = launch(middle, {st}, set, hi, 1u), inner;
    auto q = conditional(hi, cudaGraphCondTypeWhile);
    OK(addNode(&inner, middle, {on}, &q));
    Graph deep = q.conditional.phGraph_out[0];
    Node x = launch(deep, {}, add, d + 1, 1);
    launch(deep, {x}, countDown, d + 2, hi);
    launch(middle, {inner}, countDown, d, ho);
    OK(cudaMemset(d, 0, 64));
    std::printf("nested: %d", run(outer, 4));
    std::printf(", %d turns\n", host(d + 1, 1)[0]);
}

static void captured() {
    Graph g;
    Handle h;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 4);
    cudaStreamCaptureStatus status;
    const Node *nodes;
    size_t n;
    OK(captureInfo(s, &status, nullptr, &g, &nodes, &n));
    OK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    auto p = conditional(h, cudaGraphCondTypeWhile);
    Node node;
    OK(addNode(&node, g, {nodes[0]}, &p));
    OK(updateDependencies(s, &node, 1, cudaStreamSetCaptureDependencies));
    cudaStream_t t;
    OK(cudaStreamCreate(&t));
    OK(cudaStreamBeginCaptureToGraph(t, p.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, t>>>(d + 1, 1);
    countDown<<<1, 1, 0, t>>>(d, h);
    Graph got;
    OK(cudaStreamEndCapture(t, &got));
    add<<<1, 1, 0, s>>>(d, 50);
    OK(cudaStreamEndCapture(s, &g));
    look("captured", g);
    OK(cudaMemset(d, 0, 64));
    std::printf("captured: %d", run(g, 9));
    std::printf(", %d turns\n", host(d + 1, 1)[0]);
}

static void switches() {
#if CUDART_VERSION >= 12080
    for (unsigned v = 0; v < 4; v++) {
        Graph g;
        Handle h;
        OK(cudaGraphCreate(&g, 0));
        OK(cudaGraphConditionalHandleCreate(&h, g, v, cudaGraphCondAssignDefault));
        auto p = conditional(h, cudaGraphCondTypeSwitch, 3);
        Node n;
        OK(addNode(&n, g, {}, &p));
        for (int i = 0; i < 3; i++) launch(p.conditional.phGraph_out[i], {}, add, d, 10 * (i + 1));
        std::printf("switch %u: %d\n", v, run(g, 1));
    }
    for (unsigned v = 0; v < 2; v++) {
        Graph g;
        Handle h;
        OK(cudaGraphCreate(&g, 0));
        OK(cudaGraphConditionalHandleCreate(&h, g, v, cudaGraphCondAssignDefault));
        auto p = conditional(h, cudaGraphCondTypeIf, 2);
        Node n;
        OK(addNode(&n, g, {}, &p));
        launch(p.conditional.phGraph_out[0], {}, add, d, 10);
        launch(p.conditional.phGraph_out[1], {}, add, d, 20);
        std::printf("if else %u: %d\n", v, run(g, 1));
    }
#endif
}

static void refusals() {
    Graph g, other, clone;
    Handle h;
    Node n, x;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&other, 0));
    SAY(cudaGraphConditionalHandleCreate(nullptr, g, 0, 0));
    SAY(cudaGraphConditionalHandleCreate(&h, nullptr, 0, 0));
    SAY(cudaGraphConditionalHandleCreate(&h, g, 0, 6));
    SAY(cudaGraphConditionalHandleCreate(&h, g, 0, 0));
    auto p = conditional(h, cudaGraphCondTypeIf);
    p.conditional.type = cudaGraphConditionalNodeType(9);
    SAY(addNode(&n, g, {}, &p));
    p = conditional(h, cudaGraphCondTypeIf, 0);
    SAY(addNode(&n, g, {}, &p));
    p = conditional(h, cudaGraphCondTypeWhile, 2);
    SAY(addNode(&n, g, {}, &p));
    p = conditional(h, cudaGraphCondTypeIf);
    SAY(addNode(&n, g, {}, &p));
    SAY(addNode(&x, g, {}, nullptr));
    p = conditional(h, cudaGraphCondTypeIf);
    SAY(addNode(&x, g, {}, &p));
    SAY(cudaGraphClone(&clone, g));
    SAY(cudaGraphAddChildGraphNode(&x, other, nullptr, 0, g));
    Exec exec;
    SAY(instantiate(&exec, g));
    Exec second;
    SAY(instantiate(&second, g));
    SAY(update(exec, g));
    cudaGraphNodeParams kind = {cudaGraphNodeType(77)};
    SAY(addNode(&x, g, {}, &kind));
    kind = {cudaGraphNodeTypeEmpty};
    SAY(addNode(&x, g, {}, &kind));
    p = conditional(h, cudaGraphCondTypeIf);
    SAY(cudaGraphNodeSetParams(n, &p));
    SAY(cudaGraphExecNodeSetParams(exec, n, &p));
    int *q = d, v = 3;
    void *args[] = {&q, &v};
    kind = {cudaGraphNodeTypeKernel};
    kind.kernel.func = (void *)store;
    kind.kernel.gridDim = kind.kernel.blockDim = dim3(1);
    kind.kernel.kernelParams = args;
    SAY(addNode(&x, g, {}, &kind));
    v = 4;
    SAY(cudaGraphNodeSetParams(x, &kind));
    kind.type = cudaGraphNodeTypeMemset;
    SAY(cudaGraphNodeSetParams(x, &kind));
    look("refusals", g);
    SAY(cudaGraphDestroyNode(n));
    SAY(cudaGraphDestroy(g));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&h, g, 0, 0));
    SAY(instantiate(&exec, g));
}

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    d = device<int>(16);
    OK(cudaStreamCreate(&s));
    ifs();
    whiles();
    captured();
    switches();
    refusals();
    OK(cudaDeviceSynchronize());
    return verdict();
}
#endif
