// Managed memory: variables and allocations that host and device see at one address.
#include "check.h"

__device__ __managed__ int total;
__device__ __managed__ int squares[8] = {1, 4, 9};

__global__ void sum(const int *v, int n) {
    int i = threadIdx.x;
    if (i < n) atomicAdd(&total, v[i]);
    if (i < 8) squares[i] += i;
}

struct List {
    int value;
    List *next;
};

__global__ void twice(List *l) {
    for (; l; l = l->next) l->value *= 2;
}

int main() {
    int *v = nullptr;
    OK(cudaMallocManaged(&v, 100 * sizeof(int)));
    for (int i = 0; i < 100; i++) v[i] = i;
    total = 0;
    sum<<<1, 128>>>(v, 100);
    OK(cudaDeviceSynchronize());
    total += 1;
    cudaPointerAttributes at;
    OK(cudaPointerGetAttributes(&at, v));
    std::printf("%d %d %d\n", total, at.type == cudaMemoryTypeManaged, at.hostPointer == at.devicePointer);
    for (int s : squares) std::printf("%d ", s);
    std::printf("\n");
    expect(total == 4951, "sum");

    List *head = nullptr;
    for (int i = 0; i < 5; i++) {
        List *l = nullptr;
        OK(cudaMallocManaged(&l, sizeof(List)));
        *l = {i, head};
        head = l;
    }
    twice<<<1, 1>>>(head);
    OK(cudaDeviceSynchronize());
    for (List *l = head, *next; l; l = next) {
        std::printf("%d ", l->value);
        next = l->next;
        OK(cudaFree(l));
    }
    std::printf("\n");
    OK(cudaFree(v));
    return verdict();
}
