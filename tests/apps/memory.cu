// Allocation: reuse, sizes that cannot be had, pointers that are none of ours, attributes.
#include "check.h"

static const char *name(cudaError_t e) { return cudaGetErrorName(e); }

static const char *kind(const void *p) {
    static const char *const names[] = {"unregistered", "host", "device", "managed"};
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, p));
    return names[a.type];
}

int main() {
    int *d = nullptr, *h = nullptr, local = 5, zero[4] = {1, 2, 3, 4};
    OK(cudaFree(nullptr));
    OK(cudaMalloc(&d, 16));
    OK(cudaMallocHost(&h, 16));
    expect(reinterpret_cast<size_t>(d) % 256 == 0, "allocations are aligned to 256 bytes");
    std::printf("%s %s %s\n", kind(d), kind(h), kind(&local));

    OK(cudaMemset(d, 0, 16));
    OK(cudaMemcpy(zero, d, 12, cudaMemcpyDefault));
    expect(zero[0] == 0 && zero[2] == 0 && zero[3] == 4, "cudaMemcpyDefault copies what it says");
    OK(cudaMemset(reinterpret_cast<char *>(d) + 3, 0x7f, 2));
    OK(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
    std::printf("%08x %08x\n", unsigned(h[0]), unsigned(h[1]));

    void *p = nullptr, *empty = &local;
    std::printf("too large: %s\n", name(cudaMalloc(&p, size_t(1) << 46)));
    std::printf("last: %s\n", name(cudaGetLastError()));
    std::printf("then: %s\n", name(cudaGetLastError()));
    std::printf("none: %s %d\n", name(cudaMalloc(&empty, 0)), empty == nullptr);
    std::printf("nowhere: %s\n", name(cudaMalloc(nullptr, 4)));
    std::printf("host address: %s\n", name(cudaFree(&local)));
    std::printf("inside: %s\n", name(cudaFree(d + 1)));
    OK(cudaFree(d));
    std::printf("twice: %s\n", name(cudaFree(d)));
    std::printf("not pinned: %s\n", name(cudaFreeHost(&local)));
    std::printf("direction: %s\n", name(cudaMemcpy(zero, h, 4, static_cast<cudaMemcpyKind>(9))));
    cudaGetLastError();
    OK(cudaFreeHost(h));

    size_t before = 0, during = 0, after = 0, total = 0;
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaMalloc(&p, 64 << 20));
    OK(cudaMemGetInfo(&during, &total));
    OK(cudaFree(p));
    OK(cudaMemGetInfo(&after, &total));
    expect(before - during == 64 << 20, "64 MiB less are free");
    expect(after == before, "and free again");
    for (int i = 0; i < 200; i++) {
        OK(cudaMalloc(&p, 1000 + i));
        OK(cudaFree(p));
    }
    OK(cudaMemGetInfo(&after, &total));
    expect(after == before, "nothing is lost by 200 allocations");
    return verdict();
}
