// Runs the cases that "tensor write" made on a card.
//

// A record is a case's number, the driver's code of encoding its map and of running it, and its result if both are 0.
#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

enum { sourceBytes = 1 << 18, targetBytes = 1 << 17, sharedBytes = 48 << 10, paramBytes = 72, threads = 128 };

struct Case {
    char name[128], kernel[64];
    int mode;
    unsigned type, rank;
    unsigned long long address, dims[5], strides[4];
    unsigned box[5], steps[5];
    int lower[3], upper[3];
    unsigned channels, pixels, interleave, swizzle, promotion, fill;
    int words[11];
    unsigned bytes;
};

static bool read(FILE *f, Case *c) {
    if (fscanf(f, "%127s %63s %d %u %u %llu", c->name, c->kernel, &c->mode, &c->type, &c->rank, &c->address) != 6) return false;
    for (auto &v : c->dims) if (fscanf(f, "%llu", &v) != 1) return false;
    for (auto &v : c->strides) if (fscanf(f, "%llu", &v) != 1) return false;
    for (auto &v : c->box) if (fscanf(f, "%u", &v) != 1) return false;
    for (auto &v : c->steps) if (fscanf(f, "%u", &v) != 1) return false;
    for (auto &v : c->lower) if (fscanf(f, "%d", &v) != 1) return false;
    for (auto &v : c->upper) if (fscanf(f, "%d", &v) != 1) return false;
    if (fscanf(f, "%u %u %u %u %u %u", &c->channels, &c->pixels, &c->interleave, &c->swizzle, &c->promotion, &c->fill) != 6) return false;
    for (auto &v : c->words) if (fscanf(f, "%d", &v) != 1) return false;
    return fscanf(f, "%u", &c->bytes) == 1;
}

static void pattern(unsigned seed, std::vector<uint8_t> &b) {
    for (size_t i = 0; i < b.size() / 4; i++) {
        uint32_t x = ((uint32_t)i + (seed << 20)) * 0x9e3779b1u;
        x ^= x >> 15;
        x *= 0x85ebca77u;
        x ^= x >> 13;
        memcpy(&b[4 * i], &x, 4);
    }
}

static CUresult encode(CUtensorMap *map, const Case &c, CUdeviceptr base) {
    void *at = (void *)(base + c.address);
    auto dims = (const cuuint64_t *)c.dims;
    auto strides = (const cuuint64_t *)c.strides;
    auto type = (CUtensorMapDataType)c.type;
    auto interleave = (CUtensorMapInterleave)c.interleave;
    auto swizzle = (CUtensorMapSwizzle)c.swizzle;
    auto promotion = (CUtensorMapL2promotion)c.promotion;
    auto fill = (CUtensorMapFloatOOBfill)c.fill;
    switch (c.mode) {
    case 1: return cuTensorMapEncodeTiled(map, type, c.rank, at, dims, strides, c.box, c.steps, interleave, swizzle, promotion, fill);
    case 2: return cuTensorMapEncodeIm2col(map, type, c.rank, at, dims, strides, c.lower, c.upper, c.channels, c.pixels, c.steps, interleave, swizzle, promotion, fill);
    }
    return CUDA_SUCCESS;
}

#define must(call) do { CUresult r_ = (call); if (r_) { fprintf(stderr, "%s: %d\n", #call, r_); exit(2); } } while (0)

int main(int argc, char **argv) {
    std::string dir = argv[1];
    int part = atoi(argv[2]), parts = atoi(argv[3]), first = atoi(argv[4]);
    setvbuf(stdout, nullptr, _IOLBF, 0);
    must(cuInit(0));
    CUdevice device;
    CUcontext context;
    must(cuDeviceGet(&device, 0));
    must(cuDevicePrimaryCtxRetain(&context, device));
    must(cuCtxSetCurrent(context));
    CUmodule module;
    must(cuModuleLoad(&module, (dir + "/kernels.cubin").c_str()));
    std::vector<uint8_t> source(sourceBytes), target(targetBytes), result(targetBytes + sharedBytes);
    pattern(1, source);
    pattern(2, target);
    CUdeviceptr a, b, out, object;
    must(cuMemAlloc(&a, source.size()));
    must(cuMemAlloc(&b, target.size()));
    must(cuMemAlloc(&out, result.size()));
    must(cuMemAlloc(&object, sizeof(CUtensorMap)));
    must(cuMemcpyHtoD(a, source.data(), source.size()));

    FILE *cases = fopen((dir + "/cases").c_str(), "r"), *results = fopen((dir + "/results." + argv[2]).c_str(), "ab");
    Case c;
    for (int n = 0; read(cases, &c); n++) {
        if (n < first || n % parts != part || c.name[0] == '-') continue;
        bool store = strncmp(c.kernel, "load_", 5) && strncmp(c.kernel, "bulk_shared_", 12);
        must(cuMemcpyHtoD(b, target.data(), target.size()));
        must(cuMemsetD8(out, 0, result.size()));
        alignas(8) uint8_t param[paramBytes] = {};
        CUtensorMap map = {};
        int head[3] = {n, encode(&map, c, store ? b : a), 0};
        if (head[1] == 0 && c.bytes > 0) {
            must(cuMemcpyHtoD(object, &map, sizeof map));
            memcpy(param, &object, 8);
            CUdeviceptr to = store ? b : out;
            memcpy(param + 8, &to, 8);
            memcpy(param + 16, &a, 8);
            memcpy(param + 24, c.words, sizeof c.words);
            CUfunction f;
            must(cuModuleGetFunction(&f, module, c.kernel));
            must(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, sharedBytes));
            void *args[] = {param};
            head[2] = cuLaunchKernel(f, strstr(c.kernel, "_cast") ? 2 : 1, 1, 1, threads, 1, 1, sharedBytes, 0, args, 0);
            if (!head[2]) head[2] = cuCtxSynchronize();
            if (!head[2]) head[2] = cuMemcpyDtoH(result.data(), to, c.bytes);
        }
        fwrite(head, sizeof head, 1, results);
        if (head[1] || head[2]) {
            printf("%s: encode %d run %d\n", c.name, head[1], head[2]);
        } else {
            fwrite(result.data(), 1, c.bytes, results);
            if (c.bytes > 0 && !store && result[0] != 1) printf("%s: bytes not as expected\n", c.name);
        }
        fflush(results);
        if (head[2]) { // the context is lost
            fclose(results);
            FILE *next = fopen((dir + "/next." + argv[2]).c_str(), "w");
            fprintf(next, "%d\n", n + 1);
            fclose(next);
            _exit(3);
        }
    }
    fclose(results);
    return 0;
}
