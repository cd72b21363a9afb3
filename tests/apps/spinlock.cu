// A lock that the lanes of one warp take in turn: ends only where threads progress by themselves.
#include "check.h"

__device__ int lock;
__device__ int tickets, serving;

__global__ void spin(volatile int *count) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    *count = *count + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

// A ticket lock: lanes are served in the order of their tickets.
__global__ void ticket(volatile int *count, int *order) {
    int mine = atomicAdd(&tickets, 1);
    while (*const_cast<volatile int *>(&serving) != mine) {
    }
    __threadfence();
    order[mine] = *count;
    *count = *count + 1;
    __threadfence();
    atomicAdd(&serving, 1);
}

int main() {
    int *count = device<int>(1), *order = device<int>(96);
    spin<<<2, 64>>>(count);
    OK(cudaDeviceSynchronize());
    std::printf("lock taken %d times\n", host(count, 1)[0]);
    expect(host(count, 1)[0] == 128, "every thread had the lock once");

    OK(cudaMemset(count, 0, sizeof(int)));
    ticket<<<3, 32>>>(count, order);
    OK(cudaDeviceSynchronize());
    std::vector<int> want(96);
    for (int i = 0; i < 96; i++) want[i] = i;
    equal("order", host(order, 96), want);
    return verdict();
}
