// The kernels of kernels.cu as a C programmer writes them: the same algorithm on
// the same data, a loop where the kernel has threads. TestFigures compares them:
//
//   gcc -O3 -march=native native.c -lm
//   native NAME N REPEATS
//
// runs one REPEATS times and prints the least nanoseconds of processor time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { bytes = 4 << 20 };

static unsigned *words(int k) {
    unsigned *w = aligned_alloc(64, bytes), seed = 12345 + k;
    for (int i = 0; i < bytes / 4; i++) {
        seed = seed * 1664525 + 1013904223;
        w[i] = 0x3f000000 | seed >> 8;
    }
    return w;
}

static void gemm_naive(const float *a, const float *b, float *c, int n) {
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
            c[row * n + col] = sum;
        }
}

static void gemm_tiled(const float *a, const float *b, float *c, int n) {
    for (int by = 0; by < n; by += 16)
        for (int bx = 0; bx < n; bx += 16) {
            float s[16][16], t[16][16], sum[16][16] = {0};
            for (int k = 0; k < n; k += 16) {
                for (int y = 0; y < 16; y++)
                    for (int x = 0; x < 16; x++) {
                        s[y][x] = a[(by + y) * n + k + x];
                        t[y][x] = b[(k + y) * n + bx + x];
                    }
                for (int y = 0; y < 16; y++)
                    for (int x = 0; x < 16; x++)
                        for (int i = 0; i < 16; i++) sum[y][x] += s[y][i] * t[i][x];
            }
            for (int y = 0; y < 16; y++)
                for (int x = 0; x < 16; x++) c[(by + y) * n + bx + x] = sum[y][x];
        }
}

static void stencil(const float *a, const float *b, float *c, int n) {
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            int i = y * n + x;
            c[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]) + b[i];
        }
}

static void reduction(const float *a, const float *b, float *c, int n) {
    for (int block = 0; block < 64; block++) {
        float sum = 0;
        for (int i = 0; i < n / 64; i++) sum += a[block * (n / 64) + i];
        c[block] = sum;
    }
}

static void scan(const int *a, const int *b, int *c, int n) {
    for (int base = 0; base < n; base += 256) {
        int s[2][256], from = 0;
        for (int t = 0; t < 256; t++) s[0][t] = a[base + t];
        for (int d = 1; d < 256; d *= 2, from ^= 1)
            for (int t = 0; t < 256; t++) s[from ^ 1][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
        for (int t = 0; t < 256; t++) c[base + t] = s[from][t];
    }
}

static void histogram(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    unsigned s[256] = {0};
    for (int i = 0; i < n; i++) s[a[i] & 255]++;
    for (int i = 0; i < 256; i++) c[i] += s[i];
}

static void bfs(const unsigned *edges, const unsigned *level, unsigned *next, int n) {
    for (int v = 0; v < n; v++) {
        if (level[v] & 3) continue;
        for (int e = 0; e < 8; e++) {
            unsigned w = edges[(v * 8 + e) & (n - 1)] & (n - 1);
            if (level[w] & 1) next[w] = 1;
        }
    }
}

typedef struct {
    float x, y, z, w;
} float4;

static void nbody(const float4 *a, const float4 *b, float4 *c, int n) {
    for (int i = 0; i < n; i++) {
        float4 p = a[i];
        float x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            float4 q = a[j];
            float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
            float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = q.w * r * r * r;
            x += dx * s, y += dy * s, z += dz * s;
        }
        c[i] = (float4){x, y, z, p.w};
    }
}

static float cnd(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float v = 0.39894228f * expf(-0.5f * d * d) * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - v : v;
}

static void blackscholes(const float *a, const float *b, float *c, int n) {
    for (int i = 0; i < n; i++) {
        float s = 10 + fabsf(a[i]), x = 10 + fabsf(b[i]), t = 1.5f, r = 0.02f, v = 0.3f, q = sqrtf(t);
        float d = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * q);
        c[i] = s * cnd(d) - x * expf(-r * t) * cnd(d - v * q);
    }
}

static void sort(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    for (int base = 0; base < n; base += 512) {
        unsigned s[512];
        memcpy(s, a + base, sizeof s);
        for (int k = 2; k <= 512; k *= 2)
            for (int j = k / 2; j; j /= 2)
                for (int t = 0; t < 256; t++) {
                    int i = 2 * t - (t & (j - 1));
                    unsigned p = s[i], q = s[i + j];
                    if ((p > q) == ((i & k) == 0)) s[i] = q, s[i + j] = p;
                }
        memcpy(c + base, s, sizeof s);
    }
}

static void fp64(const double *a, const double *b, double *c, int n) {
    for (int i = 0; i < n; i++) {
        double x = a[i] * 1e-3, y = 1;
        for (int k = 0; k < 64; k++) y = fma(y, x, 1.0 / (k + 1)) * 0.5 + x;
        c[i] = y;
    }
}

static void halfs(const _Float16 *a, const _Float16 *b, _Float16 *c, int n) {
    for (int i = 0; i < 2 * n; i++) {
        _Float16 x = a[i], y = b[i];
        for (int k = 0; k < 64; k++) y = x * y + (x + y);
        c[i] = y;
    }
}

static unsigned left(unsigned x, int n) { return x << n | x >> (32 - n); }

static void hashing(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    for (int i = 0; i < n; i++) {
        unsigned h = a[i];
        unsigned long long s = h;
        for (int k = 0; k < 64; k++) {
            h ^= h >> 16, h *= 0x85ebca6b, h ^= h >> 13, h *= 0xc2b2ae35, h ^= h >> 16;
            s = s * 6364136223846793005ull + h;
            h = left(h, 7) + (unsigned)(s >> 33);
        }
        c[i] = h;
    }
}

static void divergence(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    for (int i = 0; i < n; i++) {
        unsigned x = (a[i] & 127) + 1, steps = 0;
        while (x != 1) {
            if (x & 1) x = 3 * x + 1; else x /= 2;
            steps++;
        }
        c[i] = steps;
    }
}

__attribute__((noinline)) static unsigned up(unsigned x) { return x * 3 + 1; }
__attribute__((noinline)) static unsigned down(unsigned x) { return x ^ (x >> 3); }
static unsigned (*volatile steps[2])(unsigned) = {up, down};

static void calls(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    for (int i = 0; i < n; i++) {
        unsigned x = a[i];
        for (int k = 0; k < 16; k++) x = steps[k & 1](x) + k;
        c[i] = x;
    }
}

static void mma(const float *a, const float *b, float *c, int n) {
    for (int row = 0; row < n; row += 16)
        for (int col = 0; col < n; col += 16) {
            _Float16 s[16][16], t[16][16];
            float sum[16][16] = {0};
            for (int k = 0; k < n; k += 16) {
                for (int y = 0; y < 16; y++)
                    for (int x = 0; x < 16; x++) {
                        s[y][x] = a[(row + y) * n + k + x];
                        t[y][x] = b[(col + y) * n + k + x];
                    }
                for (int y = 0; y < 16; y++)
                    for (int x = 0; x < 16; x++)
                        for (int i = 0; i < 16; i++) sum[y][x] += (float)s[y][i] * (float)t[x][i];
            }
            for (int y = 0; y < 16; y++)
                for (int x = 0; x < 16; x++) c[(row + y) * n + col + x] = sum[y][x];
        }
}

static const struct {
    const char *name;
    void *run;
} all[] = {
    {"gemm_naive", gemm_naive}, {"gemm_tiled", gemm_tiled}, {"stencil", stencil}, {"reduction", reduction}, {"scan", scan},
    {"histogram", histogram}, {"bfs", bfs}, {"nbody", nbody}, {"blackscholes", blackscholes}, {"sort", sort}, {"fp64", fp64},
    {"halfs", halfs}, {"hashing", hashing}, {"divergence", divergence}, {"calls", calls}, {"mma", mma},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * t.tv_sec + t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    unsigned *w[3] = {words(0), words(1), words(2)};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (strcmp(argv[1], all[k].name)) continue;
        void (*volatile run)(void *, void *, void *, int) = (void (*)(void *, void *, void *, int))all[k].run;
        double least = 1e18;
        for (int i = 0; i < atoi(argv[3]); i++) {
            double start = now();
            run(w[0], w[1], w[2], atoi(argv[2]));
            double took = now() - start;
            if (took < least) least = took;
        }
        printf("%.0f\n", least);
        return 0;
    }
    return 2;
}
