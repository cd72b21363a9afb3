// malloc, free, new and delete on the device; memory that outlives its kernel.
#include "check.h"

struct Cell {
    int value;
    Cell *next;
};

// Every thread builds a list, sums it and gives it back.
__global__ void lists(int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    Cell *head = nullptr;
    for (int i = 0; i <= t % 9; i++) head = new Cell{t * i, head};
    while (head) {
        Cell *next = head->next;
        sum += head->value;
        delete head;
        head = next;
    }
    out[t] = sum;
}

__global__ void make(int **p, int n) {
    int *q = static_cast<int *>(malloc(n * sizeof(int)));
    for (int i = 0; i < n; i++) q[i] = threadIdx.x * 1000 + i;
    p[threadIdx.x] = q;
}

__global__ void use(int **p, int n, int *out) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += p[threadIdx.x][i];
    out[threadIdx.x] = sum;
    free(p[threadIdx.x]);
}

__global__ void limits(int *out, size_t huge) {
    void *p = malloc(huge);
    out[0] = p == nullptr;
    free(p);
    free(nullptr);
    auto q = reinterpret_cast<size_t>(malloc(3));
    out[1] = q != 0 && q % 16 == 0;
    free(reinterpret_cast<void *>(q));
}

int main() {
    size_t limit = 0;
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    std::printf("heap %zu\n", limit);

    int *out = device<int>(64);
    std::vector<int> want(64);
    lists<<<2, 32>>>(out);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t++)
        for (int i = 0; i <= t % 9; i++) want[t] += t * i;
    equal("lists", host(out, 64), want);

    int **p = device<int *>(32);
    make<<<1, 32>>>(p, 25);
    use<<<1, 32>>>(p, 25, out);
    OK(cudaDeviceSynchronize());
    want.assign(32, 0);
    for (int t = 0; t < 32; t++) want[t] = 25 * 1000 * t + 300;
    equal("kept", host(out, 32), want);

    limits<<<1, 1>>>(out, size_t(1) << 40);
    OK(cudaDeviceSynchronize());
    equal("limits", host(out, 2), std::vector<int>{1, 1});
    return verdict();
}
