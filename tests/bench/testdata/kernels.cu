// The kernels that BenchmarkKernels times; kernels.ptx is
// nvcc -ptx -arch=compute_80 -O3 kernels.cu
//
// Each takes two buffers of floats (or words) and a size. Their contents are
// kernels_test.go's.
#include <cuda_fp16.h>
#include <mma.h>

extern "C" {

__global__ void gemm_naive(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

__global__ void gemm_tiled(const float *a, const float *b, float *c, int n) {
    __shared__ float s[16][16], t[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void stencil(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    int i = y * n + x;
    c[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]) + b[i];
}

__global__ void reduction(const float *a, const float *b, float *c, int n) {
    __shared__ float s[256];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half >= 32; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        sum = s[threadIdx.x];
        for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x == 0) c[blockIdx.x] = sum;
    }
}

__global__ void scan(const int *a, const int *b, int *c, int n) {
    __shared__ int s[2][256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, from = 0;
    s[0][t] = a[i];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2, from ^= 1) {
        s[from ^ 1][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
        __syncthreads();
    }
    c[i] = s[from][t];
}

__global__ void histogram(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[a[i] & 255], 1);
    __syncthreads();
    atomicAdd(&c[threadIdx.x], s[threadIdx.x]);
}

// One level of a breadth-first search of a graph with eight edges a vertex.
__global__ void bfs(const unsigned *edges, const unsigned *level, unsigned *next, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || (level[v] & 3)) return;
    for (int e = 0; e < 8; e++) {
        unsigned w = edges[(v * 8 + e) & (n - 1)] & (n - 1);
        if (level[w] & 1) next[w] = 1;
    }
}

__global__ void nbody(const float4 *a, const float4 *b, float4 *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = a[i];
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j++) {
        float4 q = a[j];
        float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
        float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = q.w * r * r * r;
        x += dx * s, y += dy * s, z += dz * s;
    }
    c[i] = make_float4(x, y, z, p.w);
}

__device__ float cnd(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float v = 0.39894228f * expf(-0.5f * d * d) * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - v : v;
}

__global__ void blackscholes(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 10 + fabsf(a[i]), x = 10 + fabsf(b[i]), t = 1.5f, r = 0.02f, v = 0.3f, q = sqrtf(t);
    float d = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * q);
    c[i] = s * cnd(d) - x * expf(-r * t) * cnd(d - v * q);
}

// One block sorts 512 words in shared memory.
__global__ void sort(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    __shared__ unsigned s[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[t] = a[base + t];
    s[t + 256] = a[base + t + 256];
    for (int k = 2; k <= 512; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (j - 1));
            unsigned p = s[i], q = s[i + j];
            if ((p > q) == ((i & k) == 0)) s[i] = q, s[i + j] = p;
        }
    __syncthreads();
    c[base + t] = s[t];
    c[base + t + 256] = s[t + 256];
}

__global__ void fp64(const double *a, const double *b, double *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = a[i] * 1e-3, y = 1;
    for (int k = 0; k < 64; k++) y = fma(y, x, 1.0 / (k + 1)) * 0.5 + x;
    c[i] = y;
}

__global__ void halfs(const __half2 *a, const __half2 *b, __half2 *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = a[i], y = b[i];
    for (int k = 0; k < 64; k++) y = __hfma2(x, y, __hadd2(x, y));
    c[i] = y;
}

__global__ void hashing(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = a[i];
    unsigned long long s = h;
    for (int k = 0; k < 64; k++) {
        h ^= h >> 16, h *= 0x85ebca6b, h ^= h >> 13, h *= 0xc2b2ae35, h ^= h >> 16;
        s = s * 6364136223846793005ull + h;
        h = __funnelshift_l(h, h, 7) + (unsigned)(s >> 33);
    }
    c[i] = h;
}

__global__ void divergence(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = (a[i] & 127) + 1, steps = 0;
    while (x != 1) {
        if (x & 1) x = 3 * x + 1; else x /= 2;
        steps++;
    }
    c[i] = steps;
}

typedef unsigned (*step)(unsigned);
__device__ __noinline__ unsigned up(unsigned x) { return x * 3 + 1; }
__device__ __noinline__ unsigned down(unsigned x) { return x ^ (x >> 3); }
__device__ step steps[2] = {up, down};

__global__ void calls(const unsigned *a, const unsigned *b, unsigned *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = a[i];
    for (int k = 0; k < 16; k++) x = steps[k & 1](x) + k;
    c[i] = x;
}

// A warp makes 16 by 16 elements of the product of a and the transposed b, in halves.
__global__ void mma(const float *a, const float *b, float *c, int n) {
    using namespace nvcuda;
    __shared__ __half s[256], t[256];
    int row = blockIdx.y * 16, col = blockIdx.x * 16, lane = threadIdx.x;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0);
    for (int k = 0; k < n; k += 16) {
        for (int i = lane; i < 256; i += 32) {
            s[i] = __float2half(a[(row + i / 16) * n + k + i % 16]);
            t[i] = __float2half(b[(col + i / 16) * n + k + i % 16]);
        }
        __syncwarp();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> y;
        wmma::load_matrix_sync(x, s, 16);
        wmma::load_matrix_sync(y, t, 16);
        wmma::mma_sync(sum, x, y, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
}

__global__ void tiny(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
}
