// Two modules compiled apart and linked: functions, variables and pointers across them.
#include "../check.h"
#include "shared.h"

static __device__ int private_step(int x) { return x - 1; }

__global__ void run(int *out) {
    int t = threadIdx.x;
    out[t] = square(t) + base;
    out[8 + t] = deeper(t, t);
    out[16 + t] = steps[t & 1](t) * 10 + private_step(t);
}

int main() {
    int *out = device<int>(24), now = 200, size = 5;
    std::vector<int> want(24);
    for (int i = 0; i < 2; i++) {
        run<<<1, 8>>>(out);
        OK(cudaDeviceSynchronize());
        for (int t = 0; t < 8; t++) {
            want[t] = t * t + (i ? 200 : 100);
            want[8 + t] = t + t * (i ? 5 : 3) + 1;
            want[16 + t] = (t & 1 ? t + 1 : t * t) * 10 + t - 1;
        }
        auto got = host(out, 24);
        equal("linked", got, want);
        std::printf("%d %d %d\n", got[4], got[12], got[20]);
        OK(cudaMemcpyToSymbol(base, &now, sizeof now));
        OK(cudaMemcpyToSymbol(factor, &size, sizeof size));
    }
    return verdict();
}
