// Record runs the accesses that `texture write DIR` made:
//
//	record DIR      DIR/m*.cubin, DIR/manifest, DIR/operands, DIR/texels -> DIR/results
//
// The results of an access that fails are zeros. If it takes its process with it,
// a new one goes on.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Access {
	char module[32];
	size_t operands, operandBytes, threads, results;
	int dump;
	size_t texels, texelBytes;
	int resource, surface, bits[4], kind, width, height, depth, levels;
	unsigned flags;
	int view, element;
	int address[3], linear, linearMip, normal, srgb, normalized;
	unsigned border[4];
	int anisotropy;
	unsigned bias, least, most;
	int seamless, noTrilinear;
	char name[200];
};

static bool readAccess(FILE *f, Access &a)
{
	return fscanf(f, "%31s %zu %zu %zu %zu %d %zu %zu %d %d %d %d %d %d %d %d %d %d %d %u %d %d %d %d %d %d %d %d %d %d %u %u %u %u %d %u %u %u %d %d %199[^\n]",
		a.module, &a.operands, &a.operandBytes, &a.threads, &a.results, &a.dump, &a.texels, &a.texelBytes, &a.resource, &a.surface,
		&a.bits[0], &a.bits[1], &a.bits[2], &a.bits[3], &a.kind, &a.width, &a.height, &a.depth, &a.levels, &a.flags, &a.view, &a.element,
		&a.address[0], &a.address[1], &a.address[2], &a.linear, &a.linearMip, &a.normal, &a.srgb, &a.normalized,
		&a.border[0], &a.border[1], &a.border[2], &a.border[3], &a.anisotropy, &a.bias, &a.least, &a.most, &a.seamless, &a.noTrilinear, a.name) == 41;
}

static const char *doing = "";

static void check(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	printf("failed: %s: %s: %s\n", doing, what, cudaGetErrorName(e));
	fflush(stdout);
	throw e;
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

static float real(unsigned bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

struct Object {
	cudaArray_t array = nullptr;
	cudaMipmappedArray_t mipmap = nullptr;
	char *memory = nullptr;
	size_t pitch = 0;
	unsigned long long handle = 0;
};

static int halved(int n, int level) { return n >> level > 1 ? n >> level : 1; }

// move copies a level between the host and an array, in either direction.
static void move(const Access &a, cudaArray_t array, int level, char *host, bool up)
{
	bool layered = a.flags & (cudaArrayLayered | cudaArrayCubemap);
	cudaExtent e = make_cudaExtent(halved(a.width, level), halved(a.height, level), layered ? a.depth : halved(a.depth, level));
	cudaMemcpy3DParms p = {};
	cudaPitchedPtr pitched = make_cudaPitchedPtr(host, e.width * a.element, e.width, e.height);
	p.extent = e;
	if (up)
		p.srcPtr = pitched, p.dstArray = array, p.kind = cudaMemcpyHostToDevice;
	else
		p.dstPtr = pitched, p.srcArray = array, p.kind = cudaMemcpyDeviceToHost;
	check(cudaMemcpy3D(&p), "cudaMemcpy3D");
}

static void moveAll(const Access &a, const Object &o, char *host, bool up)
{
	if (a.kind >= cudaChannelFormatKindUnsignedBlockCompressed1 && a.kind <= cudaChannelFormatKindUnsignedBlockCompressed7SRGB) {
		size_t row = size_t(a.width) / 4 * a.element;
		check(cudaMemcpy2DToArray(o.array, 0, 0, host, row, row, a.height / 4, cudaMemcpyHostToDevice), "cudaMemcpy2DToArray");
		return;
	}
	if (a.resource == cudaResourceTypeLinear || a.resource == cudaResourceTypePitch2D) {
		size_t row = size_t(a.width) * a.element;
		size_t rows = a.resource == cudaResourceTypeLinear ? 1 : a.height;
		check(cudaMemcpy2D(up ? o.memory : host, up ? o.pitch : row, up ? host : o.memory, up ? row : o.pitch, row, rows, cudaMemcpyDefault), "cudaMemcpy2D");
		return;
	}
	bool layered = a.flags & (cudaArrayLayered | cudaArrayCubemap);
	for (int level = 0; level < a.levels; level++) {
		cudaArray_t array = o.array;
		if (o.mipmap)
			check(cudaGetMipmappedArrayLevel(&array, o.mipmap, level), "cudaGetMipmappedArrayLevel");
		move(a, array, level, host, up);
		host += size_t(halved(a.width, level)) * halved(a.height, level) * (layered ? a.depth : halved(a.depth, level)) * a.element;
	}
}

static void make(const Access &a, char *texels, Object &o)
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc(a.bits[0], a.bits[1], a.bits[2], a.bits[3], cudaChannelFormatKind(a.kind));
	cudaExtent extent = make_cudaExtent(a.width, a.height, a.depth);
	cudaResourceDesc r = {};
	r.resType = cudaResourceType(a.resource);
	switch (r.resType) {
	case cudaResourceTypeArray:
		check(cudaMalloc3DArray(&o.array, &format, extent, a.flags), "cudaMalloc3DArray");
		r.res.array.array = o.array;
		break;
	case cudaResourceTypeMipmappedArray:
		check(cudaMallocMipmappedArray(&o.mipmap, &format, extent, a.levels, a.flags), "cudaMallocMipmappedArray");
		r.res.mipmap.mipmap = o.mipmap;
		break;
	case cudaResourceTypeLinear:
		o.pitch = size_t(a.width) * a.element;
		check(cudaMalloc(&o.memory, o.pitch), "cudaMalloc");
		r.res.linear = {o.memory, format, o.pitch};
		break;
	default:
		check(cudaMallocPitch(&o.memory, &o.pitch, size_t(a.width) * a.element, a.height), "cudaMallocPitch");
		r.res.pitch2D = {o.memory, format, size_t(a.width), size_t(a.height), o.pitch};
	}
	moveAll(a, o, texels, true);
	if (a.surface) {
		check(cudaCreateSurfaceObject(&o.handle, &r), "cudaCreateSurfaceObject");
		return;
	}
	cudaTextureDesc t = {};
	cudaResourceViewDesc view = {};
	for (int i = 0; i < 3; i++)
		t.addressMode[i] = cudaTextureAddressMode(a.address[i]);
	t.filterMode = cudaTextureFilterMode(a.linear);
	t.readMode = cudaTextureReadMode(a.normal);
	t.sRGB = a.srgb;
	for (int i = 0; i < 4; i++)
		t.borderColor[i] = real(a.border[i]);
	t.normalizedCoords = a.normalized;
	t.maxAnisotropy = a.anisotropy;
	t.mipmapFilterMode = cudaTextureFilterMode(a.linearMip);
	t.mipmapLevelBias = real(a.bias);
	t.minMipmapLevelClamp = real(a.least);
	t.maxMipmapLevelClamp = real(a.most);
	t.seamlessCubemap = a.seamless;
	t.disableTrilinearOptimization = a.noTrilinear;
	if (a.view) {
		view.format = cudaResourceViewFormat(a.view);
		view.width = a.view >= cudaResViewFormatUnsignedBlockCompressed1 ? 4 * a.width : a.width;
		view.height = a.view >= cudaResViewFormatUnsignedBlockCompressed1 ? 4 * a.height : a.height;
		view.depth = a.depth;
		view.lastMipmapLevel = a.levels - 1;
	}
	check(cudaCreateTextureObject(&o.handle, &r, &t, a.view ? &view : nullptr), "cudaCreateTextureObject");
}

// measure runs accesses from a number on.
static void measure(const std::string &dir, const std::vector<Access> &all, size_t from, FILE *results)
{
	std::vector<char> operands = contents(dir + "/operands"), texels = contents(dir + "/texels"), result;
	char *in, *out;
	size_t most = 1;
	for (const Access &a : all)
		most = a.results > most ? a.results : most;
	check(cudaMalloc(&in, operands.size()), "operands");
	check(cudaMalloc(&out, most), "results");
	check(cudaMemcpy(in, operands.data(), operands.size(), cudaMemcpyHostToDevice), "operands");
	std::map<std::string, cudaLibrary_t> libraries;
	for (size_t i = from; i < all.size(); i++) {
		const Access &a = all[i];
		doing = a.name;
		result.assign(a.results, 0);
		Object o;
		try {
			cudaKernel_t kernel;
			if (!libraries.count(a.module)) {
				cudaLibrary_t library;
				check(cudaLibraryLoadFromFile(&library, (dir + "/" + a.module + ".cubin").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), a.module);
				libraries[a.module] = library;
			}
			check(cudaLibraryGetKernel(&kernel, libraries[a.module], "k"), a.module);
			make(a, texels.data() + a.texels, o);
			check(cudaMemset(out, 0, most), "clear");
			char *pin = in + a.operands;
			void *args[] = {&o.handle, &pin, &out};
			check(cudaLaunchKernel((const void *)kernel, dim3(a.threads / 128), dim3(128), args, 0, nullptr), "launch");
			check(cudaDeviceSynchronize(), "run");
			if (a.dump)
				moveAll(a, o, result.data(), false);
			else
				check(cudaMemcpy(result.data(), out, a.results, cudaMemcpyDeviceToHost), "copy");
		} catch (cudaError_t) {
			if (cudaDeviceSynchronize() != cudaSuccess)
				_exit(2);
		}
		fwrite(result.data(), 1, a.results, results);
		fflush(results);
		if (a.surface)
			cudaDestroySurfaceObject(o.handle);
		else
			cudaDestroyTextureObject(o.handle);
		cudaFreeArray(o.array);
		cudaFreeMipmappedArray(o.mipmap);
		cudaFree(o.memory);
		cudaGetLastError();
	}
}

int main(int argc, char **argv)
{
	std::string dir = argv[1];
	std::vector<Access> all;
	std::vector<size_t> ends;
	FILE *f = fopen((dir + "/manifest").c_str(), "r");
	Access a;
	size_t end = 0;
	while (f && readAccess(f, a)) {
		all.push_back(a);
		ends.push_back(end += a.results);
	}
	printf("%zu accesses\n", all.size());
	FILE *results = fopen((dir + "/results").c_str(), "wb");
	for (size_t from = 0; from < all.size();) {
		fflush(results);
		fflush(stdout);
		if (fork() == 0) {
			try {
				measure(dir, all, from, results);
			} catch (cudaError_t) {
				_exit(2);
			}
			_exit(0);
		}
		int status;
		wait(&status);
		fseek(results, 0, SEEK_END);
		size_t have = ftell(results);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			break;
		while (from < all.size() && ends[from] <= have)
			from++;
		if (from == all.size())
			break;
		printf("zeros: %s\n", all[from].name);
		std::vector<char> zeros(ends[from] - have);
		fwrite(zeros.data(), 1, zeros.size(), results);
		from++;
	}
	fclose(results);
	return 0;
}
