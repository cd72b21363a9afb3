// Streams and events: order within and between them, waits, queries, and a stream that
// is destroyed while it works.
#include "check.h"

__global__ void push(int *p, int digit) { *p = *p * 10 + digit; }

__global__ void count(int *p, int n) {
    for (int i = 0; i < n; i++) atomicAdd(p, 1);
}

__global__ void square(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= p[i];
}

static int value(const int *d) { return host(d, 1)[0]; }

static void destroyed() {
    int *d = device<int>(1);
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    count<<<1, 1, 0, s>>>(d, 2000);
    count<<<1, 1, 0, s>>>(d, 2000);
    OK(cudaStreamDestroy(s));
    OK(cudaDeviceSynchronize());
    std::printf("destroyed with work: %d\n", value(d));
}

// A wait on an event never recorded does nothing; a wait takes the latest record.
static void events() {
    int *d = device<int>(1);
    cudaStream_t a, b;
    cudaEvent_t never, e;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&never));
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    OK(cudaStreamWaitEvent(b, never, 0));
    OK(cudaEventQuery(never));
    push<<<1, 1, 0, a>>>(d, 1);
    OK(cudaEventRecord(e, a));
    push<<<1, 1, 0, a>>>(d, 2);
    OK(cudaEventRecord(e, a));
    OK(cudaStreamWaitEvent(b, e, 0));
    push<<<1, 1, 0, b>>>(d, 3);
    OK(cudaStreamSynchronize(b));
    OK(cudaStreamQuery(a));
    std::printf("events: %d\n", value(d));

    float ms = -1;
    cudaEvent_t start, stop;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventRecord(start, a));
    count<<<1, 32, 0, a>>>(d, 10);
    OK(cudaEventRecord(stop, a));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventElapsedTime(&ms, start, stop));
    expect(ms > 0 && ms < 10000, "time passes between two events");
    std::printf("untimed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, start, e)));
    std::printf("unrecorded: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, start, never)));
    cudaGetLastError();
    for (auto x : {never, e, start, stop}) OK(cudaEventDestroy(x));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}

// The default stream waits for the others, and they for it.
static void legacy() {
    int *d = device<int>(1);
    cudaStream_t a, b;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    push<<<1, 1, 0, a>>>(d, 1);
    push<<<1, 1>>>(d, 2);
    push<<<1, 1, 0, b>>>(d, 3);
    push<<<1, 1, 0, cudaStreamLegacy>>>(d, 4);
    push<<<1, 1, 0, a>>>(d, 5);
    OK(cudaDeviceSynchronize());
    std::printf("legacy: %d\n", value(d));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}

// Four streams copy in, compute and copy out.
static void pipeline() {
    const int streams = 4, n = 512;
    int *h = nullptr, *d = device<int>(streams * n);
    OK(cudaHostAlloc(reinterpret_cast<void **>(&h), streams * n * sizeof(int), cudaHostAllocDefault));
    std::vector<int> want(streams * n);
    for (int i = 0; i < streams * n; i++) {
        h[i] = i - 1000;
        want[i] = h[i] * h[i];
    }
    cudaStream_t s[streams];
    for (int i = 0; i < streams; i++) {
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        int *part = d + i * n;
        OK(cudaMemcpyAsync(part, h + i * n, n * sizeof(int), cudaMemcpyHostToDevice, s[i]));
        square<<<n / 128, 128, 0, s[i]>>>(part, n);
        OK(cudaMemcpyAsync(h + i * n, part, n * sizeof(int), cudaMemcpyDeviceToHost, s[i]));
    }
    for (int i = 0; i < streams; i++) {
        OK(cudaStreamSynchronize(s[i]));
        OK(cudaStreamDestroy(s[i]));
    }
    equal("pipeline", std::vector<int>(h, h + streams * n), want);
    std::printf("pipeline: %d streams\n", streams);
}

static void properties() {
    int least = 0, greatest = 0, priority = 9;
    unsigned flags = 9;
    cudaStream_t s;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
    OK(cudaStreamGetPriority(s, &priority));
    OK(cudaStreamGetFlags(s, &flags));
    std::printf("priorities %d to %d, this %d, flags %u\n", least, greatest, priority, flags);
    OK(cudaStreamDestroy(s));
}

int main() {
    destroyed();
    events();
    legacy();
    pipeline();
    properties();
    return verdict();
}
