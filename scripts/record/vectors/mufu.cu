// Mufu measures the functions of the multifunction unit on all their operands.
//
//	mufu CUBIN hash NAME TO               a hash of each 2^20 operands, 4096 of them
//	mufu CUBIN dump NAME FIRST STEP N TO  results for the operands FIRST + i*STEP
//
// CUBIN is made of this file by nvcc -cubin. With the factor 1/2pi in it
// replaced by one, sin and cos are the unit's own, in turns.
//
// A dump stores second differences: a signed byte, or -128 and the 32-bit value.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifdef __CUDA_ARCH__
#define ASM(text) asm(text : "=r"(y) : "r"(x))
#define ASM64(text) asm("{.reg .b64 a; .reg .b32 z; mov.b64 a, {0, %1}; " text " a, a; mov.b64 {z, %0}, a;}" : "=r"(y) : "r"(x))
#else
#define ASM(text) y = x
#define ASM64(text) y = x
#endif

static __device__ uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

#define FUNCTION(name, code) \
	static __device__ uint32_t name(uint32_t x) { uint32_t y; code; return y; } \
	extern "C" __global__ void dump_##name(uint32_t *out, uint32_t first, uint32_t step) \
	{ \
		uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; \
		out[i] = name(first + i * step); \
	} \
	extern "C" __global__ void hash_##name(unsigned long long *out) \
	{ \
		uint64_t sum = 0; \
		for (uint32_t i = threadIdx.x; i < 1 << 20; i += blockDim.x) { \
			uint32_t x = blockIdx.x << 20 | i; \
			sum += mixed((uint64_t)x << 32 | name(x)); \
		} \
		atomicAdd(&out[blockIdx.x], (unsigned long long)sum); \
	}

FUNCTION(rcp_ftz, ASM("rcp.approx.ftz.f32 %0, %1;"))
FUNCTION(rsqrt_ftz, ASM("rsqrt.approx.ftz.f32 %0, %1;"))
FUNCTION(sqrt_ftz, ASM("sqrt.approx.ftz.f32 %0, %1;"))
FUNCTION(lg2_ftz, ASM("lg2.approx.ftz.f32 %0, %1;"))
FUNCTION(ex2_ftz, ASM("ex2.approx.ftz.f32 %0, %1;"))
FUNCTION(rcp, ASM("rcp.approx.f32 %0, %1;"))
FUNCTION(rsqrt, ASM("rsqrt.approx.f32 %0, %1;"))
FUNCTION(sqrt, ASM("sqrt.approx.f32 %0, %1;"))
FUNCTION(lg2, ASM("lg2.approx.f32 %0, %1;"))
FUNCTION(ex2, ASM("ex2.approx.f32 %0, %1;"))
FUNCTION(sin, ASM("sin.approx.f32 %0, %1;"))
FUNCTION(cos, ASM("cos.approx.f32 %0, %1;"))
FUNCTION(sin_ftz, ASM("sin.approx.ftz.f32 %0, %1;"))
FUNCTION(cos_ftz, ASM("cos.approx.ftz.f32 %0, %1;"))
FUNCTION(tanh, ASM("tanh.approx.f32 %0, %1;"))
FUNCTION(rcp64h, ASM64("rcp.approx.ftz.f64"))
FUNCTION(rsqrt64h, ASM64("rsqrt.approx.ftz.f64"))

static void check(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	fprintf(stderr, "mufu: %s: %s\n", what, cudaGetErrorString(e));
	exit(1);
}

static void put(FILE *f, uint32_t v) { fwrite(&v, 1, 4, f); }

static void encode(FILE *f, const std::vector<uint32_t> &v)
{
	uint32_t last = 0, slope = 0;
	for (uint32_t y : v) {
		int32_t d = y - last - slope;
		if (d >= -127 && d <= 127) {
			fputc(d & 255, f);
		} else {
			fputc(128, f);
			put(f, y);
		}
		slope = y - last;
		last = y;
	}
}

int main(int argc, char **argv)
{
	cudaLibrary_t library;
	cudaKernel_t kernel;
	check(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0), argv[1]);
	std::string name = std::string(argv[2]) + "_" + argv[3];
	check(cudaLibraryGetKernel(&kernel, library, name.c_str()), name.c_str());
	FILE *f = fopen(argv[argc - 1], "wb");
	if (!strcmp(argv[2], "hash")) {
		std::vector<uint64_t> sums(4096);
		uint64_t *out;
		check(cudaMalloc(&out, 4096 * 8), "memory");
		check(cudaMemset(out, 0, 4096 * 8), "clear");
		void *args[] = {&out};
		check(cudaLaunchKernel((const void *)kernel, dim3(4096), dim3(256), args, 0, nullptr), "launch");
		check(cudaMemcpy(sums.data(), out, 4096 * 8, cudaMemcpyDeviceToHost), "run");
		fwrite(sums.data(), 8, 4096, f);
	} else {
		uint32_t first = strtoul(argv[4], 0, 0), step = strtoul(argv[5], 0, 0), n = strtoul(argv[6], 0, 0), *out;
		std::vector<uint32_t> values(n);
		check(cudaMalloc(&out, n * 4ul), "memory");
		void *args[] = {&out, &first, &step};
		check(cudaLaunchKernel((const void *)kernel, dim3(n / 128), dim3(128), args, 0, nullptr), "launch");
		check(cudaMemcpy(values.data(), out, n * 4ul, cudaMemcpyDeviceToHost), "run");
		encode(f, values);
	}
	fclose(f);
	return 0;
}
