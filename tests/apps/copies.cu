// Pitched and three-dimensional memory: set, copied, and refused where the numbers do not fit.
#include "check.h"

typedef std::vector<unsigned char> Bytes;

// Padding stays as it was; a pitch below the width is refused.
static void pitched() {
    unsigned char *d = nullptr;
    size_t p = 0, w = 100, h = 4;
    OK(cudaMallocPitch(reinterpret_cast<void **>(&d), &p, w, h));
    OK(cudaMemset(d, 0xAA, p * h));
    OK(cudaMemset2D(d, p, 0x11, w, h));
    Bytes all = host(d, p * h), want(p * h), tight(w * h);
    for (size_t i = 0; i < all.size(); i++) want[i] = i % p < w ? 0x11 : 0xAA;
    equal("set", all, want);
    OK(cudaMemcpy2D(tight.data(), w, d, p, w, h, cudaMemcpyDeviceToHost));
    equal("copy", tight, Bytes(w * h, 0x11));
    std::printf("pitch %zu\n", p);
    std::printf("narrow: %s\n", cudaGetErrorName(cudaMemcpy2D(tight.data(), w / 2, d, p, w, h, cudaMemcpyDeviceToHost)));
    std::printf("empty: %s\n", cudaGetErrorName(cudaMemcpy2D(tight.data(), w, d, p, 0, h, cudaMemcpyDeviceToHost)));
    cudaGetLastError();
    OK(cudaFree(d));
}

__global__ void twice(int *p, size_t pitch, int w, int h) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < w && y < h) reinterpret_cast<int *>(reinterpret_cast<char *>(p) + y * pitch)[x] *= 2;
}

// A window of a host matrix goes to the device, is doubled, and comes back.
static void window() {
    const int w = 20, h = 10, ww = 7, wh = 5;
    std::vector<int> m(w * h), want;
    for (int i = 0; i < w * h; i++) m[i] = i;
    want = m;
    for (int y = 3; y < 3 + wh; y++)
        for (int x = 4; x < 4 + ww; x++) want[y * w + x] *= 2;
    int *d = nullptr;
    size_t p = 0;
    OK(cudaMallocPitch(reinterpret_cast<void **>(&d), &p, ww * sizeof(int), wh));
    OK(cudaMemcpy2D(d, p, &m[3 * w + 4], w * sizeof(int), ww * sizeof(int), wh, cudaMemcpyHostToDevice));
    twice<<<wh, 32>>>(d, p, ww, wh);
    OK(cudaMemcpy2DAsync(&m[3 * w + 4], w * sizeof(int), d, p, ww * sizeof(int), wh, cudaMemcpyDeviceToHost, 0));
    OK(cudaDeviceSynchronize());
    equal("window", m, want);
    OK(cudaFree(d));
}

// A box inside a box, host to device and device to device.
static void boxes() {
    const int w = 12, h = 6, d = 5;
    std::vector<int> m(w * h * d), back(w * h * d, -1), want(w * h * d, -1);
    for (int i = 0; i < w * h * d; i++) m[i] = i * 3;
    cudaPitchedPtr a, b;
    cudaExtent whole = make_cudaExtent(w * sizeof(int), h, d);
    OK(cudaMalloc3D(&a, whole));
    OK(cudaMalloc3D(&b, whole));
    OK(cudaMemset3D(a, 0, whole));
    OK(cudaMemset3D(b, 0xff, whole));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(m.data(), w * sizeof(int), w, h);
    p.dstPtr = a;
    p.extent = whole;
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    p = {};
    p.srcPtr = a;
    p.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    p.dstPtr = b;
    p.dstPos = make_cudaPos(3 * sizeof(int), 2, 0);
    p.extent = make_cudaExtent(4 * sizeof(int), 3, 2);
    p.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy3D(&p));
    p = {};
    p.srcPtr = b;
    p.dstPtr = make_cudaPitchedPtr(back.data(), w * sizeof(int), w, h);
    p.extent = whole;
    p.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&p));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++) want[(z * h + y + 2) * w + x + 3] = m[((z + 1) * h + y + 1) * w + x + 2];
    equal("boxes", back, want);
    std::printf("3-D pitch %zu, xsize %zu, ysize %zu\n", a.pitch, a.xsize, a.ysize);
    OK(cudaFree(a.ptr));
    OK(cudaFree(b.ptr));
}

int main() {
    pitched();
    window();
    boxes();
    return verdict();
}
