// Runner runs kernels of package tests/fuzz for the command beside it.
//
//	runner OPERANDS
//
// Commands come from stdin, one a line:
//
//	load CUBIN                              takes the place of the module before
//	run NAME GX GY GZ BX BY BZ SHARED SIZE  answers the memory that the kernel worked on
//
// An answer is a line, "ok" or what failed, and after "ok" of run SIZE bytes. The
// runner ends after a failure, as the device is of no use then.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static void check(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	printf("%s: %s\n", what, cudaGetErrorName(e));
	fflush(stdout);
	_Exit(1);
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static const size_t room = 8 << 20;

int main(int, char **argv)
{
	char *input, *memory;
	check(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 14), "stack");
	std::vector<char> operands(1 << 20);
	FILE *f = fopen(argv[1], "rb");
	size_t n = f ? fread(operands.data(), 1, operands.size(), f) : 0;
	check(cudaMalloc(&input, n + 8), "memory");
	check(cudaMemcpy(input, operands.data(), n, cudaMemcpyHostToDevice), "operands");
	check(cudaMalloc(&memory, room), "memory");
	std::vector<uint64_t> fresh(room / 8);
	for (size_t i = 0; i < fresh.size(); i++)
		fresh[i] = mix(i);
	std::vector<char> result(room);
	uint64_t packed[3] = {0x0123456789abcdef, 0xfedcba9876543210, 0x3ff8000040490fdb};
	cudaLibrary_t library = nullptr;
	char line[4096], name[1024];
	while (fgets(line, sizeof line, stdin)) {
		unsigned g[3], b[3], shared;
		size_t size;
		if (sscanf(line, "load %1023s", name) == 1) {
			if (library)
				cudaLibraryUnload(library);
			check(cudaLibraryLoadFromFile(&library, name, nullptr, nullptr, 0, nullptr, nullptr, 0), "load");
			puts("ok");
		} else if (sscanf(line, "run %1023s %u %u %u %u %u %u %u %zu", name, g, g + 1, g + 2, b, b + 1, b + 2, &shared, &size) == 9 && size <= room) {
			cudaKernel_t kernel;
			check(cudaLibraryGetKernel(&kernel, library, name), name);
			check(cudaMemcpy(memory, fresh.data(), size, cudaMemcpyHostToDevice), "fill");
			void *args[] = {&input, &memory, packed};
			check(cudaLaunchKernel((const void *)kernel, dim3(g[0], g[1], g[2]), dim3(b[0], b[1], b[2]), args, shared, nullptr), "launch");
			check(cudaDeviceSynchronize(), name);
			check(cudaMemcpy(result.data(), memory, size, cudaMemcpyDeviceToHost), "copy");
			puts("ok");
			fwrite(result.data(), 1, size, stdout);
		} else {
			printf("not understood: %s", line);
			return 1;
		}
		fflush(stdout);
	}
	return 0;
}
