// Launches that cannot be: each is refused, none leaves work behind, none stays.
#include "check.h"

__global__ void add(int *p) { atomicAdd(p, 1); }
__global__ void __launch_bounds__(64) bounded(int *p) { atomicAdd(p, 1); }

static void report(const char *what) {
    cudaError_t e = cudaGetLastError();
    std::printf("%s: %d %s\n", what, e, cudaGetErrorName(e));
}

int main() {
    int *d = device<int>(1);
    const dim3 grids[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 65536, 1}, {1, 1, 65536}};
    const dim3 blocks[] = {{0, 1, 1}, {1, 0, 1}, {1025, 1, 1}, {1, 1, 65}, {32, 33, 1}, {1, 1025, 1}};
    for (auto g : grids) {
        add<<<g, 32>>>(d);
        report("grid");
    }
    for (auto b : blocks) {
        add<<<1, b>>>(d);
        report("block");
    }
    bounded<<<1, 65>>>(d);
    report("bounds");
    add<<<1, 32, 49 * 1024>>>(d);
    report("shared");
    add<<<1, 32, 1 << 30>>>(d);
    report("much shared");
    void *args[] = {&d};
    std::printf("no function: %s\n", cudaGetErrorName(cudaLaunchKernel(static_cast<const void *>(&d), dim3(1), dim3(1), args, 0, nullptr)));
    std::printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    report("last");
    report("then");

    add<<<dim3(70000, 1, 1), 1>>>(d);
    report("wide");
    add<<<dim3(2, 3, 4), dim3(4, 2, 3)>>>(d);
    report("deep");
    bounded<<<1, 64>>>(d);
    report("within bounds");
    OK(cudaDeviceSynchronize());
    int n = host(d, 1)[0];
    std::printf("count %d\n", n);
    expect(n == 70000 + 24 * 24 + 64, "only the good launches ran");
    return verdict();
}
