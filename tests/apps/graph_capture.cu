// Capture of streams: the graphs that come of it, forks and joins, and how captures fail.
#include "graph.h"
#include <thread>

__global__ void add(int *p) { atomicAdd(p, 1); }
__global__ void store(int *p, int v) { *p = v; }
__global__ void sum(int *p, const int *q) { *p += *q; }
static void count(void *p) { ++*static_cast<int *>(p); }

static int *d, *pinned;
static cudaStream_t s, t, u;
static cudaEvent_t e, f;

static void end(cudaStream_t stream, const char *what) {
    Graph g = nullptr;
    cudaError_t code = cudaStreamEndCapture(stream, &g);
    std::printf("%s: end %s\n", what, cudaGetErrorName(code));
    (void)cudaGetLastError();
    if (!g) return;
    shape(what, g);
    OK(cudaGraphDestroy(g));
}

static void status(cudaStream_t stream, const char *what) {
    cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone;
    cudaError_t code = cudaStreamIsCapturing(stream, &st);
    std::printf("%s: %s %d\n", what, cudaGetErrorName(code), st);
    (void)cudaGetLastError();
}

static void simple() {
    Graph g;
    Exec exec;
    static int calls;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    status(s, "begun");
    OK(cudaMemsetAsync(d, 0, 64, s));
    store<<<1, 1, 0, s>>>(d, 5);
    add<<<2, 32, 0, s>>>(d);
    OK(cudaMemcpyAsync(pinned, d, 64, cudaMemcpyDeviceToHost, s));
    OK(cudaLaunchHostFunc(s, count, &calls));
    SAY(cudaStreamEndCapture(s, &g));
    status(s, "ended");
    shape("line", g);
    OK(instantiate(&exec, g));
    pinned[0] = -1;
    for (int i = 0; i < 3; i++) OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    std::printf("value %d calls %d\n", pinned[0], calls);
}

static void forks() {
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 1);
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    status(t, "forked");
    store<<<1, 1, 0, t>>>(d + 1, 2);
    store<<<1, 1, 0, s>>>(d + 2, 3);
    OK(cudaEventRecord(f, t));
    OK(cudaStreamWaitEvent(s, f, 0));
    sum<<<1, 1, 0, s>>>(d + 1, d + 2);
    Graph g;
    Exec exec;
    SAY(cudaStreamEndCapture(s, &g));
    status(t, "joined");
    shape("fork and join", g);
    OK(instantiate(&exec, g));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    std::printf("value %d\n", host(d + 1, 1)[0]);

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    OK(cudaStreamWaitEvent(u, e, 0));
    store<<<1, 1, 0, t>>>(d, 1);
    store<<<1, 1, 0, u>>>(d + 1, 1);
    OK(cudaEventRecord(f, t));
    OK(cudaStreamWaitEvent(u, f, 0));
    store<<<1, 1, 0, u>>>(d + 2, 1);
    OK(cudaEventRecord(f, u));
    OK(cudaStreamWaitEvent(s, f, 0));
    end(s, "through two streams");

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 1);
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    OK(cudaEventRecord(f, t));
    OK(cudaStreamWaitEvent(s, f, 0));
    end(s, "nothing forked");

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    store<<<1, 1, 0, t>>>(d, 1);
    end(s, "not joined");
    status(s, "then s");
    status(t, "then t");

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    end(s, "not joined and empty");

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    end(t, "by the other stream");
    status(s, "then s");
    status(t, "then t");
    end(s, "after that");

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    SAY(cudaEventRecord(f, t));
    store<<<1, 1, 0, t>>>(d, 1);
    OK(cudaStreamWaitEvent(s, f, 0));
    end(s, "work after the join");
}

static void failures() {
    end(s, "never begun");
    Graph g = nullptr;
    SAY(cudaStreamEndCapture(s, nullptr));
    SAY(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
    SAY(cudaStreamEndCapture(nullptr, &g));
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureMode(7)));
    SAY(cudaStreamIsCapturing(s, nullptr));
    SAY(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
    status(cudaStreamPerThread, "per thread");
    end(cudaStreamPerThread, "per thread");

    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 1);
    store<<<1, 1, 0, t>>>(d, 1);
    OK(cudaEventRecord(e, s));
    SAY(cudaStreamWaitEvent(t, e, 0));
    status(s, "merged s");
    status(t, "merged t");
    end(s, "merged s");
    end(t, "merged t");

    OK(cudaEventRecord(e, t));
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamWaitEvent(s, e, 0));
    status(s, "isolated");
    end(s, "isolated");

    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    end(s, "one");
    SAY(cudaEventQuery(e));
    SAY(cudaEventSynchronize(e));
    SAY(cudaStreamWaitEvent(t, e, 0));
    status(t, "event of an ended capture");
    SAY(cudaEventRecord(e, t));
    SAY(cudaStreamWaitEvent(t, e, 0));

    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamSynchronize(s));
    store<<<1, 1, 0, s>>>(d, 1);
    SAY(cudaGetLastError());
    SAY(cudaMemsetAsync(d, 0, 4, s));
    SAY(cudaEventRecord(e, s));
    SAY(cudaStreamWaitEvent(s, f, 0));
    SAY(cudaLaunchHostFunc(s, count, nullptr));
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    unsigned long long id = 0;
    cudaStreamCaptureStatus st;
    SAY(captureInfo(s, &st, &id, nullptr, nullptr, nullptr));
    std::printf("status %d\n", st);
    end(s, "invalid");
    SAY(cudaStreamQuery(s));

    for (auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        SAY(cudaStreamBeginCapture(s, mode));
        std::thread([] {
            store<<<1, 1, 0, s>>>(d, 1);
            std::printf("launch from another thread: %s\n", cudaGetErrorName(cudaGetLastError()));
            end(s, "from another thread");
        }).join();
        status(s, "then");
        end(s, "from this thread");
    }

    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 1);
    SAY(cudaStreamDestroy(s));
    OK(cudaStreamCreate(&s));
    OK(cudaDeviceSynchronize());

    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    end(s, "empty");
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    SAY(cudaStreamWaitEvent(nullptr, e, 0));
    status(s, "legacy waits");
    end(s, "legacy waits");

    cudaStream_t n;
    OK(cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking));
    SAY(cudaStreamBeginCapture(n, cudaStreamCaptureModeGlobal));
    add<<<1, 1>>>(d);
    SAY(cudaGetLastError());
    SAY(cudaStreamQuery(nullptr));
    status(n, "independent");
    end(n, "independent");
    SAY(cudaStreamBeginCapture(n, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, t>>>(d);
    SAY(cudaStreamSynchronize(t));
    SAY(cudaStreamSynchronize(nullptr));
    SAY(cudaDeviceSynchronize());
    status(n, "relaxed");
    end(n, "relaxed");
}

static void information() {
    unsigned long long id = 77, second = 0;
    cudaStreamCaptureStatus st;
    Graph g = nullptr, result;
    const Node *nodes = nullptr;
    size_t n = 99;
    SAY(captureInfo(s, &st, &id, &g, &nodes, &n));
    std::printf("status %d n %zu\n", st, n);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SAY(captureInfo(s, &st, &id, &g, &nodes, &n));
    std::printf("status %d graph %d n %zu\n", st, g != nullptr, n);
    store<<<1, 1, 0, s>>>(d, 1);
    SAY(captureInfo(s, &st, &second, &g, &nodes, &n));
    std::printf("same %d n %zu\n", id == second, n);
    Node first = nodes[0], extra;
    int *p = d, v = 4;
    void *args[] = {&p, &v};
    cudaKernelNodeParams k = kernelNode(store, args);
    SAY(cudaGraphAddKernelNode(&extra, g, nullptr, 0, &k));
    SAY(updateDependencies(s, &extra, 1, cudaStreamAddCaptureDependencies));
    SAY(captureInfo(s, &st, nullptr, nullptr, &nodes, &n));
    std::printf("n %zu: %d %d\n", n, nodes[0] == first, n > 1 && nodes[1] == extra);
    store<<<1, 1, 0, s>>>(d, 2);
    SAY(updateDependencies(s, &extra, 1, cudaStreamSetCaptureDependencies));
    store<<<1, 1, 0, s>>>(d, 3);
    SAY(updateDependencies(s, nullptr, 0, cudaStreamSetCaptureDependencies));
    store<<<1, 1, 0, s>>>(d, 4);
    SAY(updateDependencies(s, nullptr, 1, cudaStreamSetCaptureDependencies));
    SAY(updateDependencies(s, &extra, 1, 7));
    SAY(updateDependencies(t, &extra, 1, 0));
    SAY(captureInfo(nullptr, &st, &id, nullptr, nullptr, nullptr));
    SAY(captureInfo(s, nullptr, &id, nullptr, nullptr, nullptr));
    SAY(cudaStreamEndCapture(s, &result));
    std::printf("same graph %d\n", result == g);
    if (result) shape("by hand", result);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 1);
    SAY(captureInfo(s, &st, &second, &g, &nodes, &n));
    std::printf("same %d\n", id == second);
    store<<<1, 1, 0, s>>>(d, 1);
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    SAY(captureInfo(t, &st, &id, &result, &nodes, &n));
    std::printf("same %d graph %d n %zu\n", id == second, result == g, n);
    OK(cudaEventRecord(e, t));
    OK(cudaStreamWaitEvent(s, e, 0));
    end(s, "information");
}

static void modes() {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));
    std::printf("was %d\n", mode);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    int *p;
    SAY(cudaMalloc(&p, 64));
    status(s, "relaxed thread");
    mode = cudaStreamCaptureModeGlobal;
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));
    std::printf("was %d\n", mode);
    std::thread([] {
        int *q;
        SAY(cudaMalloc(&q, 64));
        cudaStreamCaptureMode m = cudaStreamCaptureModeThreadLocal;
        SAY(cudaThreadExchangeStreamCaptureMode(&m));
        std::printf("was %d\n", m);
    }).join();
    end(s, "another thread allocated");
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    std::thread([] {
        int *q;
        cudaStreamCaptureMode m = cudaStreamCaptureModeThreadLocal;
        SAY(cudaThreadExchangeStreamCaptureMode(&m));
        SAY(cudaMalloc(&q, 64));
    }).join();
    end(s, "a thread of its own mode");
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    mode = cudaStreamCaptureModeThreadLocal;
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));
    SAY(cudaMalloc(&p, 64));
    end(s, "local");
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    mode = cudaStreamCaptureModeGlobal;
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));
    SAY(cudaMalloc(&p, 64));
    end(s, "relaxed");
    mode = cudaStreamCaptureMode(5);
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));
}

static void toGraph() {
#if CUDART_VERSION >= 12030
    Graph g, got = nullptr;
    Node a;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEmptyNode(&a, g, nullptr, 0));
    SAY(cudaStreamBeginCaptureToGraph(s, g, &a, nullptr, 1, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 1);
    SAY(cudaStreamEndCapture(s, &got));
    std::printf("same %d\n", got == g);
    shape("continued", g);
    SAY(cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(d, 1);
    SAY(cudaStreamSynchronize(s));
    SAY(cudaStreamEndCapture(s, &got));
    size_t n = 0;
    SAY(cudaGraphGetNodes(g, nullptr, &n));
    OK(cudaGraphCreate(&g, 0));
    SAY(cudaStreamBeginCaptureToGraph(s, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 1, cudaStreamCaptureModeGlobal));
    status(s, "to no graph");
    if (cudaStreamEndCapture(s, &got)) (void)cudaGetLastError();
#endif
}

static void launchesInside() {
    Graph g;
    Exec exec;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s>>>(d);
    OK(cudaStreamEndCapture(s, &g));
    OK(instantiate(&exec, g));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SAY(cudaMemsetAsync(d, 0, 4, s));
    SAY(cudaGraphLaunch(exec, s));
    SAY(cudaGraphLaunch(exec, s));
    end(s, "launches");
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    add<<<1, 1, 0, s>>>(d);
    SAY(cudaStreamWaitEvent(s, f, cudaEventWaitExternal));
    end(s, "an event of another capture");
    OK(cudaEventRecord(f, t));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    add<<<1, 1, 0, s>>>(d);
    SAY(cudaStreamWaitEvent(s, f, cudaEventWaitExternal));
    end(s, "external events");
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SAY(cudaMemcpyAsync(d, d + 8, 0, cudaMemcpyDeviceToDevice, s));
    SAY(cudaMemsetAsync(d, 0, 0, s));
    SAY(cudaMemcpy2DAsync(d, 16, d + 64, 32, 8, 3, cudaMemcpyDeviceToDevice, s));
    SAY(cudaMemset2DAsync(d, 32, 1, 8, 3, s));
    int *p = nullptr;
    SAY(cudaMallocAsync(&p, 1024, s));
    store<<<1, 1, 0, s>>>(p, 1);
    SAY(cudaFreeAsync(p, s));
    end(s, "other work");
}

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    d = device<int>(1024);
    OK(cudaMallocHost(&pinned, 4096));
    for (cudaStream_t *x : {&s, &t, &u}) OK(cudaStreamCreate(x));
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    store<<<1, 1, 0, s>>>(d, 0);
    sum<<<1, 1, 0, s>>>(d, d + 1);
    add<<<1, 1, 0, s>>>(d);
    OK(cudaDeviceSynchronize());
    simple();
    forks();
    failures();
    information();
    modes();
    toGraph();
    launchesInside();
    OK(cudaDeviceSynchronize());
    return verdict();
}
