// Record runs the kernels that `vectors write DIR` made and ptxas compiled:
//
//	record DIR      DIR/MODULE.cubin, DIR/manifest, DIR/operands -> DIR/results
//
// A kernel that fails takes its process with it: its results are zeros, and a
// new process goes on with the next one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Line {
	char module[32], kernel[32];
	size_t at, size, results, threads;
};

static void check(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	fprintf(stderr, "record: %s: %s\n", what, cudaGetErrorString(e));
	_exit(2);
}

static std::vector<char> contents(const std::string &path)
{
	std::vector<char> b;
	FILE *f = fopen(path.c_str(), "rb");
	if (!f) {
		perror(path.c_str());
		exit(1);
	}
	char part[1 << 16];
	for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
		b.insert(b.end(), part, part + n);
	fclose(f);
	return b;
}

// measure runs lines from a number on and returns the number it stopped at.
static void measure(const std::string &dir, const std::vector<Line> &lines, size_t from, FILE *results)
{
	std::vector<char> operands = contents(dir + "/operands"), result;
	char *in, *out;
	size_t most = 1;
	for (const Line &l : lines)
		most = l.results > most ? l.results : most;
	check(cudaMalloc(&in, operands.size()), "operands");
	check(cudaMalloc(&out, most), "results");
	check(cudaMemcpy(in, operands.data(), operands.size(), cudaMemcpyHostToDevice), "operands");
	cudaLibrary_t library;
	std::string loaded;
	for (size_t i = from; i < lines.size(); i++) {
		const Line &l = lines[i];
		if (loaded != l.module) {
			loaded = l.module;
			check(cudaLibraryLoadFromFile(&library, (dir + "/" + loaded + ".cubin").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), l.module);
		}
		cudaKernel_t kernel;
		check(cudaLibraryGetKernel(&kernel, library, l.kernel), l.kernel);
		check(cudaMemset(out, 0, l.results), "clear");
		void *a = in + l.at, *b = out, *args[] = {&a, &b};
		check(cudaLaunchKernel((const void *)kernel, dim3(l.threads / 128), dim3(128), args, 0, nullptr), l.kernel);
		check(cudaDeviceSynchronize(), l.kernel);
		result.resize(l.results);
		check(cudaMemcpy(result.data(), out, l.results, cudaMemcpyDeviceToHost), "copy");
		fwrite(result.data(), 1, l.results, results);
		fflush(results);
	}
}

int main(int argc, char **argv)
{
	std::string dir = argv[1];
	std::vector<Line> lines;
	std::vector<size_t> ends;
	FILE *f = fopen((dir + "/manifest").c_str(), "r");
	Line l;
	size_t end = 0;
	while (f && fscanf(f, "%31s %31s %zu %zu %zu %zu%*[^\n]", l.module, l.kernel, &l.at, &l.size, &l.results, &l.threads) == 6) {
		lines.push_back(l);
		ends.push_back(end += l.results);
	}
	FILE *results = fopen((dir + "/results").c_str(), "wb");
	for (size_t from = 0; from < lines.size();) {
		fflush(results);
		if (fork() == 0) {
			measure(dir, lines, from, results);
			_exit(0);
		}
		int status;
		wait(&status);
		fseek(results, 0, SEEK_END);
		size_t have = ftell(results);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			break;
		while (from < lines.size() && ends[from] <= have)
			from++;
		if (from == lines.size())
			break;
		printf("failed: %s %s\n", lines[from].module, lines[from].kernel);
		std::vector<char> zeros(ends[from] - have);
		fwrite(zeros.data(), 1, zeros.size(), results);
		from++;
	}
	fclose(results);
	return 0;
}
