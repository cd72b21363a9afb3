// Device variables whose initial values are addresses of others: lists, tables, strings.
#include "check.h"

struct Node {
    int value;
    const Node *next;
};

__device__ int numbers[4] = {1, 2, 3};
__device__ int *middle = numbers + 2;
__device__ int *both[2] = {numbers + 1, nullptr};
__device__ int **indirect = both;
__device__ Node ends[2] = {{99, nullptr}, {20, nullptr}};
__device__ Node inner = {30, ends + 1};
__device__ Node chain = {10, &inner};
__device__ const char *const words[3] = {"zero", "one", "two"};
__constant__ const int *table[2] = {numbers, numbers + 3};
__device__ double zeros[3];
__device__ unsigned char bytes[5] = {1, 2, 250};
__device__ short pairs[2][2] = {{-1, 2}, {3, -4}};
__device__ float halves = 0.5f;
__device__ long long wide = -1234567890123LL;

__global__ void read(int *o, int word) {
    o[0] = *middle;
    o[1] = **indirect;
    o[2] = both[1] == nullptr;
    int sum = 0;
    for (const Node *n = &chain; n; n = n->next) sum = sum * 100 + n->value;
    o[3] = sum;
    o[4] = words[word][0] * 256 + words[word][2];
    o[5] = *table[0] + table[1][-1];
    o[6] = int(zeros[2]) + numbers[3];
    o[7] = bytes[2] + bytes[4];
    o[8] = pairs[1][1] * pairs[0][1];
    o[9] = int(halves * 8);
    o[10] = int(wide % 1000003);
    numbers[1] = 77;
    o[11] = *both[0];
}

int main() {
    int *o = device<int>(12);
    read<<<1, 1>>>(o, 2);
    OK(cudaDeviceSynchronize());
    auto got = host(o, 12);
    equal("values", got, std::vector<int>{3, 2, 1, 103020, 't' * 256 + 'o', 4, 0, 250, -8, 4,
                                          int(-1234567890123LL % 1000003), 77});
    for (int v : got) std::printf("%d ", v);
    std::printf("\n");

    // The host moves a pointer: the device sees it.
    void *address = nullptr;
    OK(cudaGetSymbolAddress(&address, numbers));
    int *first = static_cast<int *>(address);
    OK(cudaMemcpyToSymbol(middle, &first, sizeof first));
    read<<<1, 1>>>(o, 1);
    OK(cudaDeviceSynchronize());
    got = host(o, 12);
    expect(got[0] == 1 && got[1] == 77 && got[4] == 'o' * 256 + 'e', "after the host's change");
    return verdict();
}
