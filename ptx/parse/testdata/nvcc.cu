// Source of the nvcc-*.ptx here, made with -ptx and the flags in their names.
#include <cstdio>
struct B { virtual __device__ int f(int) = 0; };
struct D : B { int k; __device__ int f(int x) override { return x * k; } };
__device__ int g[4] = {1,2,3,4};
__device__ int *gp = g + 1;
__constant__ float cf[3] = {1.5f, 2.0f, -3.25f};
__managed__ double md = 3.5;
__shared__ int dummy;
extern __shared__ int dyn[];
template<class T> __global__ void add(T *a, const T *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += b[i] * cf[i % 3];
}
template __global__ void add<float>(float*, const float*, int);
template __global__ void add<double>(double*, const double*, int);
__global__ void k(B *p, int *o, int sw) {
  __shared__ float4 s[32];
  s[threadIdx.x] = make_float4(1,2,3,4);
  __syncthreads();
  int v = p->f(3);
  switch (sw) { case 0: v += 1; break; case 1: v *= 3; break; case 2: v ^= 77; break; case 3: v = __popc(v); break; case 4: v = sw * 9; break; case 5: v = (int)sinf(v); break; }
  o[threadIdx.x] = v + (int)s[31 - threadIdx.x].x + *gp + (int)md;
  printf("hi %d %s\n", v, "abc");
  dyn[threadIdx.x] = v;
  atomicAdd(&o[3], __shfl_xor_sync(~0u, v, 3));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p trap; }" :: "r"(sw));
}
int main() { add<float><<<1,1>>>(0,0,0); k<<<1,1>>>(0,0,0); }
