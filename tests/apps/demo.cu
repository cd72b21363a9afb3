// A first look: the Mandelbrot set drawn by a kernel, then a plate of metal that warms up
// from one edge. The host draws and heats the same and compares.
#include "check.h"
#include <cstring>

constexpr int W = 76, H = 24;

// shade tells how soon the point under (x, y) escapes.
__host__ __device__ inline char shade(int x, int y) {
    const char *shades = " .:-=+*#%@";
    float cr = -2.2f + x * (3.2f / W), ci = -1.2f + y * (2.4f / H), r = 0, i = 0;
    int n = 0;
    for (; n < 90 && r * r + i * i < 4; n++) {
        float t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
    }
    return n == 90 ? '@' : shades[n < 27 ? n / 3 : 8];
}

__global__ void mandelbrot(char *picture) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) picture[y * W + x] = shade(x, y);
}

constexpr int P = 40; // the plate's side

__host__ __device__ inline float warmed(const float *p, int x, int y) {
    int c = y * P + x;
    return p[c] + 0.2f * (p[c - 1] + p[c + 1] + p[c - P] + p[c + P] - 4 * p[c]);
}

__global__ void heat(const float *from, float *to) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= P - 1 || y >= P - 1) return;
    to[y * P + x] = warmed(from, x, y);
}

static void draw() {
    char *d = device<char>(W * H);
    mandelbrot<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(d);
    OK(cudaDeviceSynchronize());
    auto picture = host(d, W * H);
    std::vector<char> want(W * H);
    for (int i = 0; i < W * H; i++) want[i] = shade(i % W, i / W);
    for (int y = 0; y < H; y++) std::printf("%.*s\n", W, &picture[y * W]);
    equal("picture", picture, want);
}

static void warm() {
    const int steps = 60;
    std::vector<float> plate(P * P), next;
    for (int y = 0; y < P; y++) plate[y * P] = 100;
    next = plate;
    float *a = device(plate), *b = device(plate);
    for (int i = 0; i < steps; i++) {
        heat<<<dim3(3, 5), dim3(16, 8)>>>(a, b);
        std::swap(a, b);
        for (int y = 1; y < P - 1; y++)
            for (int x = 1; x < P - 1; x++) next[y * P + x] = warmed(plate.data(), x, y);
        std::swap(plate, next);
    }
    OK(cudaDeviceSynchronize());
    auto got = host(a, P * P);
    equal("plate", got, plate);
    std::printf("\nheat after %d steps, along the middle:", steps);
    for (int x = 0; x < P; x += 5) std::printf(" %.1f", got[P / 2 * P + x]);
    std::printf("\n");
}

int main() {
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    std::printf("%s, %d multiprocessors, compute capability %d.%d\n\n", p.name, p.multiProcessorCount, p.major, p.minor);
    draw();
    warm();
    return verdict();
}
