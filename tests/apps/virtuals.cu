// Function pointers and virtual calls that differ from lane to lane.
#include "check.h"
#include <new>

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ __noinline__ int power(int a, int b) {
    int r = 1;
    while (b-- > 0) r *= a;
    return r;
}

__device__ Operation operations[4] = {add, sub, mul, power};

__global__ void indirect(int *out, Operation last) {
    int t = threadIdx.x;
    Operation f = t < 24 ? operations[t % 4] : last;
    out[t] = f(t, 3);
}

__global__ void choose(Operation *f) { *f = mul; }

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
    __device__ virtual int sides() const { return 4; }
};
struct Rectangle : Shape {
    int w, h;
    __device__ Rectangle(int w, int h) : w(w), h(h) {}
    __device__ int area() const override { return w * h; }
};
struct Square : Rectangle {
    __device__ explicit Square(int w) : Rectangle(w, w) {}
    __device__ int area() const override { return Rectangle::area() + 1000; }
};
struct Triangle : Shape {
    int b, h;
    __device__ Triangle(int b, int h) : b(b), h(h) {}
    __device__ int area() const override { return b * h / 2; }
    __device__ int sides() const override { return 3; }
};

union Room {
    char rectangle[sizeof(Rectangle)], square[sizeof(Square)], triangle[sizeof(Triangle)];
    long long align;
};

// The objects are made by one kernel and used by another.
__global__ void make(Room *rooms, Shape **shapes) {
    int t = threadIdx.x;
    void *p = rooms + t;
    if (t % 3 == 0) shapes[t] = new (p) Rectangle(t, 2);
    if (t % 3 == 1) shapes[t] = new (p) Square(t);
    if (t % 3 == 2) shapes[t] = new (p) Triangle(t, 10);
}

__global__ void measure(Shape *const *shapes, int *out) {
    const Shape *s = shapes[threadIdx.x];
    out[threadIdx.x] = s->area() * 10 + s->sides();
}

int main() {
    Operation *chosen = device<Operation>(1);
    choose<<<1, 1>>>(chosen);
    OK(cudaDeviceSynchronize());
    int *out = device<int>(32);
    indirect<<<1, 32>>>(out, host(chosen, 1)[0]);
    OK(cudaDeviceSynchronize());
    std::vector<int> want(32);
    for (int t = 0; t < 32; t++) {
        int by[4] = {t + 3, t - 3, t * 3, t * t * t};
        want[t] = by[t < 24 ? t % 4 : 2];
    }
    equal("pointers", host(out, 32), want);

    Shape **shapes = device<Shape *>(32);
    make<<<1, 32>>>(device<Room>(32), shapes);
    measure<<<1, 32>>>(shapes, out);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++) {
        int area[3] = {t * 2, t * t + 1000, t * 10 / 2}, sides[3] = {4, 4, 3};
        want[t] = area[t % 3] * 10 + sides[t % 3];
    }
    auto got = host(out, 32);
    equal("virtual calls", got, want);
    std::printf("%d %d %d\n", got[0], got[1], got[2]);
    return verdict();
}
