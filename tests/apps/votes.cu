// Votes, ballots, matches and the active mask, in whole and in partial warps.
#include "check.h"

constexpr unsigned full = 0xffffffffu;

__global__ void votes(unsigned *out) {
    int t = threadIdx.x;
    unsigned *o = out + t;
    o[0 * 32] = __ballot_sync(full, t % 3 == 0);
    o[1 * 32] = __any_sync(full, t == 17);
    o[2 * 32] = __all_sync(full, t < 32);
    o[3 * 32] = __all_sync(full, t < 31);
    o[4 * 32] = __match_any_sync(full, t % 5);
    int pred = 0;
    o[5 * 32] = __match_all_sync(full, 7, &pred) + pred;
    o[6 * 32] = __match_all_sync(full, t / 31, &pred) + pred;
    if (t & 1) {
        o[7 * 32] = __ballot_sync(0xaaaaaaaau, t > 8);
        o[8 * 32] = __match_any_sync(0xaaaaaaaau, (unsigned long long)(t / 8) << 40);
        o[9 * 32] = __activemask();
    }
    __syncwarp();
    if (t < 7) o[10 * 32] = __shfl_sync(0x7fu, t * 10, 6);
    __syncwarp();
    unsigned lanes;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    o[11 * 32] = __popc(lanes & __ballot_sync(full, t % 2));
}

// The last warp of a block of 40 has 8 lanes.
__global__ void partial(unsigned *out) {
    if (threadIdx.x < 32) return;
    out[threadIdx.x - 32] = __activemask();
    out[8 + threadIdx.x - 32] = __ballot_sync(__activemask(), threadIdx.x & 1);
}

int main() {
    const int rows = 12;
    unsigned *out = device<unsigned>(rows * 32);
    votes<<<1, 32>>>(out);
    OK(cudaDeviceSynchronize());
    auto got = host(out, rows * 32);
    std::vector<unsigned> want(rows * 32);
    unsigned thirds = 0, fifths[5] = {}, eighths[4] = {};
    for (int t = 0; t < 32; t++) {
        thirds |= (t % 3 == 0) * (1u << t);
        fifths[t % 5] |= 1u << t;
        eighths[t / 8] |= (t & 1) * (1u << t);
    }
    for (int t = 0; t < 32; t++) {
        unsigned row[rows] = {thirds, 1, 1, 0, fifths[t % 5], full + 1, 0,
                              0xaaaaaaaau & ~0x1ffu, eighths[t / 8], 0xaaaaaaaau,
                              t < 7 ? 60u : 0, unsigned(t / 2)};
        for (int i = 0; i < rows; i++) want[i * 32 + t] = i >= 7 && i <= 9 && t % 2 == 0 ? 0 : row[i];
    }
    equal("votes", got, want);
    for (int i = 0; i < rows; i++) std::printf("%2d: %08x %08x %08x\n", i, got[i * 32], got[i * 32 + 1], got[i * 32 + 31]);

    unsigned *rest = device<unsigned>(16);
    partial<<<1, 40>>>(rest);
    OK(cudaDeviceSynchronize());
    std::vector<unsigned> tail(16, 0xffu);
    for (int i = 8; i < 16; i++) tail[i] = 0xaau;
    equal("partial", host(rest, 16), tail);
    return verdict();
}
