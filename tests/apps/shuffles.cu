// Shuffles that ask lanes which do not execute, in every mode: in a divergent branch and after an exit.
#include "check.h"

enum { down, up, butterfly, indexed, modes };
const char *const names[modes] = {"down", "up", "bfly", "idx"};

template <int mode> __device__ int shuffle(unsigned members, int v, int by, int &inside) {
    int d;
#define SHUFFLE(name, clamp)                                                                                         \
    asm volatile("{ .reg .pred p; shfl.sync." name ".b32 %0|p, %2, %3, " clamp ", %4; selp.s32 %1, 1, 0, p; }"       \
                 : "=r"(d), "=r"(inside)                                                                             \
                 : "r"(v), "r"(by), "r"(members))
    if (mode == down) SHUFFLE("down", "31");
    if (mode == up) SHUFFLE("up", "0");
    if (mode == butterfly) SHUFFLE("bfly", "31");
    if (mode == indexed) SHUFFLE("idx", "31");
    return d;
}

// Lanes first to first + 7 shuffle; the others hold values and do not.
template <int mode> __global__ void ask(int *out, const int *in, int first, int by, bool leave) {
    int lane = threadIdx.x, v = in[lane], inside = 0;
    bool member = lane >= first && lane < first + 8;
    if (leave && !member) return;
    int d = -1;
    if (member) d = shuffle<mode>(0xffu << first, v, mode == indexed ? lane + by : by, inside);
    out[lane] = d;
    out[lane + 32] = inside;
    out[lane + 64] = v;
}

template <int mode> void run(int *out, const int *in, int first, int by, bool leave) {
    OK(cudaMemset(out, 0, 96 * sizeof(int)));
    ask<mode><<<1, 32>>>(out, in, first, by, leave);
    OK(cudaDeviceSynchronize());
    auto got = host(out, 96);
    std::printf("%s by %d, %s:", names[mode], by, leave ? "others have left" : "others wait");
    for (int i = first; i < first + 8; i++) std::printf(" %d%s", got[i], got[i + 32] ? "" : "(outside)");
    std::printf("\n");
}

int main() {
    std::vector<int> v(32);
    for (int i = 0; i < 32; i++) v[i] = 100 + i;
    int *in = device(v), *out = device<int>(96);
    for (bool leave : {false, true})
        for (int by : {2, 8, 16}) {
            run<down>(out, in, 0, by, leave);
            run<up>(out, in, 24, by, leave);
            run<butterfly>(out, in, 8, by, leave);
            run<indexed>(out, in, 0, by, leave);
        }
    return verdict();
}
