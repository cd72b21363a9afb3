// Integer and bit intrinsics against plain arithmetic on the host.
#include "check.h"

typedef unsigned long long Wide;

constexpr int ops = 30;

__global__ void compute(const unsigned *in, Wide *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    int s = int(a), t = int(b);
    Wide w = Wide(a) << 32 | b, x = Wide(b) << 32 | c, *o = out + i * ops;
    *o++ = __clz(s);
    *o++ = __ffs(s);
    *o++ = __popc(a);
    *o++ = __brev(a);
    *o++ = __clzll(w);
    *o++ = __ffsll(w);
    *o++ = __popcll(w);
    *o++ = __brevll(w);
    *o++ = __byte_perm(a, b, c);
    *o++ = __funnelshift_l(a, b, c);
    *o++ = __funnelshift_r(a, b, c);
    *o++ = __funnelshift_lc(a, b, c);
    *o++ = __funnelshift_rc(a, b, c);
    *o++ = unsigned(__mulhi(s, t));
    *o++ = __umulhi(a, b);
    *o++ = __umul64hi(w, x);
    *o++ = Wide(__mul64hi((long long)w, (long long)x));
    *o++ = unsigned(__mul24(s, t));
    *o++ = __umul24(a, b);
    *o++ = __sad(s, t, c);
    *o++ = __usad(a, b, c);
    *o++ = unsigned(__hadd(s, t));
    *o++ = unsigned(__rhadd(s, t));
    *o++ = __uhadd(a, b);
    *o++ = __urhadd(a, b);
    *o++ = unsigned(__dp4a(s, t, int(c)));
    *o++ = __vadd4(a, b);
    *o++ = __vcmpgtu4(a, b);
    *o++ = w / (x | 1) + w % (x | 1);
    *o++ = unsigned(s % (t | 1)) + (a / (b | 1)) + (a >> (c & 31)) + unsigned(s >> (c & 31));
}

static int bits(Wide w) {
    int n = 0;
    for (; w; w &= w - 1) n++;
    return n;
}
static int leading(Wide w, int width) {
    int n = 0;
    while (n < width && !(w >> (width - 1 - n) & 1)) n++;
    return n;
}
static int first(Wide w) { return w ? bits((w & -w) - 1) + 1 : 0; }
static Wide reversed(Wide w, int width) {
    Wide r = 0;
    for (int i = 0; i < width; i++) r |= (w >> i & 1) << (width - 1 - i);
    return r;
}
static unsigned permuted(unsigned a, unsigned b, unsigned how) {
    Wide all = Wide(b) << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++) r |= unsigned(all >> (how >> 4 * i & 7) * 8 & 255) << 8 * i;
    return r;
}
template <class F> static unsigned bytewise(unsigned a, unsigned b, F f) {
    unsigned r = 0;
    for (int i = 0; i < 32; i += 8) r |= (f(a >> i & 255, b >> i & 255) & 255u) << i;
    return r;
}
static int low24(unsigned v) { return int(v << 8) >> 8; }

static void expected(unsigned a, unsigned b, unsigned c, Wide *o) {
    long long s = int(a), t = int(b);
    Wide w = Wide(a) << 32 | b, x = Wide(b) << 32 | c, both = Wide(b) << 32 | a;
    unsigned n = c & 31, m = c < 32 ? c : 32;
    *o++ = leading(a, 32);
    *o++ = first(a);
    *o++ = bits(a);
    *o++ = reversed(a, 32);
    *o++ = leading(w, 64);
    *o++ = first(w);
    *o++ = bits(w);
    *o++ = reversed(w, 64);
    *o++ = permuted(a, b, c);
    *o++ = unsigned(both << n >> 32);
    *o++ = unsigned(both >> n);
    *o++ = m == 32 ? a : unsigned(both << m >> 32);
    *o++ = unsigned(both >> m);
    *o++ = unsigned(s * t >> 32);
    *o++ = unsigned(Wide(a) * b >> 32);
    *o++ = Wide(static_cast<unsigned __int128>(w) * x >> 64);
    *o++ = Wide(static_cast<__int128>((long long)w) * (long long)x >> 64);
    *o++ = unsigned((long long)low24(a) * low24(b));
    *o++ = unsigned(Wide(a & 0xffffff) * (b & 0xffffff));
    *o++ = unsigned((s > t ? s - t : t - s) + c);
    *o++ = unsigned((a > b ? a - b : b - a) + c);
    *o++ = unsigned((s + t) >> 1);
    *o++ = unsigned((s + t + 1) >> 1);
    *o++ = unsigned((Wide(a) + b) >> 1);
    *o++ = unsigned((Wide(a) + b + 1) >> 1);
    int dot = int(c);
    for (int i = 0; i < 32; i += 8) dot += int(static_cast<signed char>(a >> i)) * static_cast<signed char>(b >> i);
    *o++ = unsigned(dot);
    *o++ = bytewise(a, b, [](unsigned p, unsigned q) { return p + q; });
    *o++ = bytewise(a, b, [](unsigned p, unsigned q) { return p > q ? 255u : 0u; });
    *o++ = w / (x | 1) + w % (x | 1);
    *o++ = unsigned(int(a) % (int(b) | 1)) + a / (b | 1) + (a >> n) + unsigned(int(a) >> n);
}

int main() {
    const int n = 300;
    const unsigned special[] = {0, 1, 0xffffffffu, 0x80000000u, 0x7fffffffu, 31, 32, 33, 0x00800000u, 0x3210};
    Random r(10);
    std::vector<unsigned> in(3 * n);
    for (int i = 0; i < 3 * n; i++) in[i] = i < 300 ? special[r.below(10)] : r.next() >> r.below(32);
    // The smallest number by -1 has no quotient.
    for (int i = 0; i < n; i++)
        if (in[3 * i] == 0x80000000u && in[3 * i + 1] == 0xffffffffu) in[3 * i] = 5;
    Wide *out = device<Wide>(n * ops);
    compute<<<3, 128>>>(device(in), out, n);
    OK(cudaDeviceSynchronize());
    std::vector<Wide> want(n * ops);
    for (int i = 0; i < n; i++) expected(in[3 * i], in[3 * i + 1], in[3 * i + 2], &want[i * ops]);
    auto got = host(out, n * ops);
    for (int op = 0; op < ops; op++) {
        unsigned sum = 0;
        int wrong = -1;
        for (int i = n - 1; i >= 0; i--) {
            sum = mix(sum, unsigned(got[i * ops + op] ^ got[i * ops + op] >> 32));
            if (got[i * ops + op] != want[i * ops + op]) wrong = i;
        }
        std::printf("%2d %08x\n", op, sum);
        if (wrong < 0) continue;
        differences()++;
        std::printf("operation %d of %08x %08x %08x: %llx, not %llx\n", op, in[3 * wrong], in[3 * wrong + 1],
                    in[3 * wrong + 2], got[wrong * ops + op], want[wrong * ops + op]);
    }
    return verdict();
}
