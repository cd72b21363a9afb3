// What copies, fills and launches take on a card: events around one and around two of them, the best of many.
// Build: nvcc -O2 -arch=sm_90 copies.cu -o copies. Its output gave copy.* of gpu/models/h200.cfg.
#include <cstdio>
#include <cuda_runtime.h>
#include <chrono>
#define C(x) do { cudaError_t status_ = (x); if (status_) printf("error %s: %s\n", #x, cudaGetErrorString(status_)); } while (0)
__global__ void empty() {}
__global__ void child() {}
static float best(cudaEvent_t a, cudaEvent_t b, int n, void (*f)(void *), void *p)
{
    float least = 1e30f;
    for (int i = 0; i < n; i++) {
        C(cudaEventRecord(a)); f(p); C(cudaEventRecord(b)); C(cudaEventSynchronize(b));
        float ms; C(cudaEventElapsedTime(&ms, a, b)); if (ms < least) least = ms;
    }
    return least * 1000;
}
struct Copy { void *d, *s; size_t n; cudaMemcpyKind k; };
static void copy(void *p) { Copy *c = (Copy *)p; C(cudaMemcpyAsync(c->d, c->s, c->n, c->k)); }
static void two(void *p) { copy(p); copy(p); }
static void launch(void *) { empty<<<1, 32>>>(); }
static void launches(void *) { for (int i = 0; i < 10; i++) empty<<<1, 32>>>(); }
static void nothing(void *) {}
struct Set { void *d; size_t n; };
static void set(void *p) { Set *s = (Set *)p; C(cudaMemsetAsync(s->d, 0, s->n)); }
int main()
{
    size_t most = 256u << 20; char *d, *e, *pin; char *page = new char[most];
    C(cudaMalloc(&d, most)); C(cudaMalloc(&e, most)); C(cudaMallocHost(&pin, most));
    for (size_t i = 0; i < most; i += 4096) page[i] = pin[i] = 1;
    cudaEvent_t a, b; C(cudaEventCreate(&a)); C(cudaEventCreate(&b));
    printf("nothing %.3f us\n", best(a, b, 50, nothing, 0));
    printf("launch %.3f us\nlaunches10 %.3f us\n", best(a, b, 50, launch, 0), best(a, b, 50, launches, 0));
    struct Way { const char *name; void *d, *s; cudaMemcpyKind k; };
    Way ways[] = {
        {"pinned_to_device", d, pin, cudaMemcpyHostToDevice}, {"device_to_pinned", pin, d, cudaMemcpyDeviceToHost},
        {"pageable_to_device", d, page, cudaMemcpyHostToDevice}, {"device_to_pageable", page, d, cudaMemcpyDeviceToHost},
        {"device_to_device", e, d, cudaMemcpyDeviceToDevice}};
    for (auto &w : ways)
        for (size_t n = 4; n <= most; n *= 4) {
            Copy c = {w.d, w.s, n, w.k};
            int times = n > (16u << 20) ? 5 : 30;
            printf("%s %zu bytes %.3f us, two %.3f us\n", w.name, n, best(a, b, times, copy, &c), best(a, b, times, two, &c));
        }
    for (size_t n = 4; n <= most; n *= 16) { Set s = {d, n}; printf("set %zu bytes %.3f us\n", n, best(a, b, 20, set, &s)); }
    // Both directions and a kernel at the same time.
    cudaStream_t s1, s2; C(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking)); C(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    for (int i = 0; i < 3; i++) {
        C(cudaDeviceSynchronize());
        auto t = std::chrono::steady_clock::now();
        C(cudaMemcpyAsync(d, pin, most / 2, cudaMemcpyHostToDevice, s1)); C(cudaMemcpyAsync(pin + most / 2, e, most / 2, cudaMemcpyDeviceToHost, s2));
        C(cudaDeviceSynchronize());
        printf("both ways %zu bytes each %.1f us of the host\n", most / 2, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - t).count());
        t = std::chrono::steady_clock::now();
        C(cudaMemcpyAsync(d, pin, most / 2, cudaMemcpyHostToDevice, s1)); C(cudaMemcpyAsync(d + most / 2, pin + most / 2, most / 2, cudaMemcpyHostToDevice, s2));
        C(cudaDeviceSynchronize());
        printf("same way %zu bytes each %.1f us of the host\n", most / 2, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - t).count());
    }
}
