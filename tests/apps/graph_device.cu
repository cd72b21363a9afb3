// Graphs that kernels launch: at once, after the graph that launches, beside it, and again and again.
#include "graph.h"
#include <string>

#if CUDART_VERSION < 13000
int main() { return verdict(); } // the libraries of 12.4 for devices are not at hand
#else

__global__ void add(int *p, int v) { atomicAdd(p, v); }
__global__ void store(int *p, int v) { *p = v; }
__global__ void copy(int *to, const int *from) { *to = *from; }
// list appends v to the list at p, whose first word is its length.
__global__ void list(int *p, int v) { p[1 + p[0]++] = v; }
// Kernels that launch store what the launch returned.
__global__ void fire(Exec *x, int *code) { *code = cudaGraphLaunch(*x, cudaStreamGraphFireAndForget); }
__global__ void tail(Exec *x, int *code) { *code = cudaGraphLaunch(*x, cudaStreamGraphTailLaunch); }
__global__ void sibling(Exec *x, int *code) { *code = cudaGraphLaunch(*x, cudaStreamGraphFireAndForgetAsSibling); }
__global__ void again(int *left, int *code) {
    if (--*left > 0) *code = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}
__global__ void mine(Exec *x, int *same) { *same = cudaGetCurrentGraphExec() == *x; }
__global__ void many(Exec *x, int n, int *codes) {
    for (int i = 0; i < n; i++) codes[i] = cudaGraphLaunch(x[i], cudaStreamGraphFireAndForget);
}

static cudaStream_t s;

template <class... Args> static Node launch(Graph g, std::vector<Node> after, void (*f)(Args...), Args... values) {
    void *args[] = {&values...};
    cudaKernelNodeParams k = kernelNode(f, args);
    Node n;
    OK(cudaGraphAddKernelNode(&n, g, after.data(), after.size(), &k));
    return n;
}

// ready is an executable for kernels that is known to the device, single one of a graph of one kernel.
static Exec ready(Graph g) {
    Exec x;
    OK(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphUpload(x, s));
    OK(cudaStreamSynchronize(s));
    return x;
}

template <class... Args> static Exec single(void (*f)(Args...), Args... values) {
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    launch(g, {}, f, values...);
    return ready(g);
}

// onDevice is where kernels read the executable.
static Exec *onDevice(Exec x) { return device(std::vector<Exec>{x}); }

static void run(Exec x, int times = 1) {
    for (int i = 0; i < times; i++) {
        SAY(cudaGraphLaunch(x, s));
        SAY(cudaStreamSynchronize(s));
    }
}

static void show(const char *what, const int *p, size_t n) {
    std::printf("%s:", what);
    for (int v : host(p, n)) std::printf(" %d", v);
    std::puts("");
}

// A graph launched at once is complete when the graph that launched it is, and before its tails.
static void fired() {
    int *at = device<int>(64), *code = device<int>(1);
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    Node a = launch(g, {}, fire, onDevice(single(add, at, 3)), code);
    launch(g, {a}, add, at + 1, 1);
    Exec x = ready(g);
    run(x, 3);
    show("fired", at, 2);
    show("code", code, 1);
}

// A tail sees all that the graph does after the launch, and what it fired.
static void tails() {
    int *at = device<int>(8), *code = device<int>(4);
    Graph g, h;
    OK(cudaGraphCreate(&h, 0));
    launch(h, {}, copy, at + 2, (const int *)at);
    launch(h, {}, copy, at + 3, (const int *)(at + 1));
    Exec end = ready(h);
    OK(cudaGraphCreate(&g, 0));
    Node a = launch(g, {}, tail, onDevice(end), code);
    Node b = launch(g, {a}, fire, onDevice(single(store, at + 1, 7)), code + 1);
    launch(g, {b}, store, at, 5);
    run(ready(g), 2);
    show("tails", at, 4);
    show("codes", code, 2);
}

// Tails run in the order in which they were launched, those of a tail before the others.
static void order() {
    int *l = device<int>(32), *code = device<int>(8);
    Graph g, h;
    OK(cudaGraphCreate(&h, 0));
    Node a = launch(h, {}, list, l, 2);
    a = launch(h, {a}, tail, onDevice(single(list, l, 3)), code);
    launch(h, {a}, tail, onDevice(single(list, l, 4)), code + 1);
    OK(cudaGraphCreate(&g, 0));
    a = launch(g, {}, list, l, 1);
    a = launch(g, {a}, tail, onDevice(ready(h)), code + 2);
    a = launch(g, {a}, tail, onDevice(single(list, l, 5)), code + 3);
    launch(g, {a}, tail, onDevice(single(list, l, 6)), code + 4);
    run(ready(g), 2);
    show("order", l, 13);
    show("codes", code, 5);
}

// A graph that launches itself as its tail repeats.
static void repeated() {
    int *at = device<int>(2), *left = device(std::vector<int>{1000}), *code = device<int>(1);
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    Node a = launch(g, {}, add, at, 1);
    launch(g, {a}, again, left, code);
    Exec x = ready(g);
    run(x);
    show("repeated", at, 1);
    show("left", left, 1);
    show("code", code, 1);
    run(x);
    show("repeated", at, 1);
}

// A sibling is no part of the graph that launches it.
static void siblings() {
    int *at = device<int>(2), *code = device<int>(2);
    Graph g, h;
    OK(cudaGraphCreate(&h, 0));
    Node a = launch(h, {}, sibling, onDevice(single(add, at, 1)), code);
    launch(h, {a}, add, at + 1, 1);
    run(ready(h), 2);
    show("siblings", at, 2);
    OK(cudaGraphCreate(&g, 0));
    launch(g, {}, fire, onDevice(ready(h)), code + 1);
    run(ready(g), 2);
    show("siblings of a fired graph", at, 2);
    show("codes", code, 2);
}

// Kernels know the graph that they belong to; outside of graphs there is none.
static void current() {
    int *same = device<int>(3);
    Exec *place = device<Exec>(2);
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    launch(g, {}, mine, place, same);
    Exec x = ready(g);
    OK(cudaMemcpy(place, &x, sizeof x, cudaMemcpyHostToDevice));
    run(x);
    mine<<<1, 1>>>(place + 1, same + 1);
    OK(cudaDeviceSynchronize());
    Exec plain;
    OK(instantiate(&plain, g));
    OK(cudaMemcpy(place, &plain, sizeof plain, cudaMemcpyHostToDevice));
    run(plain);
    show("current: in a graph for kernels it was the last, outside none is", same, 2);
}

// Copies and fills of a graph, and changes by the host before it is sent again.
static void contents() {
    int *at = device(std::vector<int>{1, 2, 3, 4, 0, 0, 0, 0}), *code = device<int>(1);
    Graph g, h;
    OK(cudaGraphCreate(&h, 0));
    Node n, m;
    OK(cudaGraphAddMemcpyNode1D(&n, h, nullptr, 0, at + 4, at, 8, cudaMemcpyDeviceToDevice));
    cudaMemsetParams set = {};
    set.dst = at + 6, set.elementSize = 4, set.value = 9, set.width = 2, set.height = 1;
    OK(cudaGraphAddMemsetNode(&m, h, &n, 1, &set));
    Node k = launch(h, {m}, add, at + 7, 1);
    Exec y = ready(h);
    OK(cudaGraphCreate(&g, 0));
    launch(g, {}, fire, onDevice(y), code);
    Exec x = ready(g);
    run(x);
    show("contents", at, 8);
    int v = 100, *p = at + 7;
    void *args[] = {&p, &v};
    cudaKernelNodeParams other = kernelNode(add, args);
    SAY(cudaGraphExecKernelNodeSetParams(y, k, &other));
    SAY(cudaGraphUpload(y, s));
    run(x);
    show("changed", at, 8);
}

// As many graphs as one may fire, and one more.
static void limits() {
    const int n = 121;
    int *at = device<int>(1), *codes = device<int>(n);
    std::vector<Exec> all;
    for (int i = 0; i < n; i++) all.push_back(single(add, at, 1));
    Graph g;
    OK(cudaGraphCreate(&g, 0));
    launch(g, {}, many, device(all), n, codes);
    run(ready(g));
    show("limits", codes, n);
    show("done", at, 1);
}

int main(int argc, char **argv) {
    OK(cudaStreamCreate(&s));
    std::string which = argc > 1 ? argv[1] : "";
    if (which == "limits") limits();
    if (which == "") fired(), tails(), order(), repeated(), siblings(), current(), contents();
    return verdict();
}
#endif
