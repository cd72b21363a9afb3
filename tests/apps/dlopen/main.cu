// Two libraries with kernels of one name, opened while the program runs; one is closed again.
#include "../check.h"
#include <dlfcn.h>

typedef int (*Step)(int *);

static __global__ void k(int *d) { *d += 100; }

static Step load(const char *file, const char *name, int flags, void **library) {
    *library = dlopen(file, flags);
    Step s = *library ? reinterpret_cast<Step>(dlsym(*library, name)) : nullptr;
    if (s) return s;
    std::printf("%s: %s\n", file, dlerror());
    std::exit(2);
}

int main() {
    int *d = device<int>(1);
    void *a = nullptr, *b = nullptr;
    Step step_a = load("dlopen_a.so", "step_a", RTLD_NOW, &a);
    Step step_b = load("dlopen_b.so", "step_b", RTLD_NOW | RTLD_LOCAL, &b);
    k<<<1, 1>>>(d);
    int e = step_a(d) | step_b(d);
    std::printf("%d %d\n", host(d, 1)[0], e);
    dlclose(a);
    e |= step_b(d);
    k<<<1, 1>>>(d);
    e |= cudaDeviceSynchronize();
    std::printf("%d %d\n", host(d, 1)[0], e);
    step_a = load("dlopen_a.so", "step_a", RTLD_NOW, &a);
    e |= step_a(d);
    std::printf("%d %d\n", host(d, 1)[0], e);
    expect(host(d, 1)[0] == 232 && e == 0, "every step ran");
    return verdict();
}
