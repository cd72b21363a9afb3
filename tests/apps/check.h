// What the programs here share: calls that must succeed, memory on the device,
// comparisons with the host's answer, and the last line.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

// OK ends the program, saying so, when a CUDA call fails.
#define OK(call) ok((call), #call, __LINE__)

inline void ok(cudaError_t e, const char *call, int line) {
    if (e == cudaSuccess) return;
    std::printf("line %d: %s: %s\n", line, call, cudaGetErrorName(e));
    std::exit(2);
}

inline int &differences() {
    static int n;
    return n;
}

// expect counts and names a condition that does not hold.
inline void expect(bool holds, const char *what) {
    if (holds) return;
    differences()++;
    std::printf("wrong: %s\n", what);
}

// equal compares element by element and names the first that differs.
template <class T> void equal(const char *what, const std::vector<T> &got, const std::vector<T> &want) {
    expect(got.size() == want.size(), what);
    for (size_t i = 0; i < got.size() && i < want.size(); i++) {
        if (got[i] == want[i]) continue;
        differences()++;
        std::printf("wrong: %s[%zu] is %.17g, not %.17g\n", what, i, double(got[i]), double(want[i]));
        return;
    }
}

// verdict prints the last line and gives the exit status.
inline int verdict() {
    std::puts(differences() ? "FAIL" : "PASS");
    return differences() != 0;
}

// device gives a device array of n elements, zeroed.
template <class T> T *device(size_t n) {
    T *p = nullptr;
    OK(cudaMalloc(&p, n * sizeof(T)));
    OK(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}

// device gives a device copy of v.
template <class T> T *device(const std::vector<T> &v) {
    T *p = nullptr;
    OK(cudaMalloc(&p, v.size() * sizeof(T)));
    OK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

// host gives a host copy of n elements at p.
template <class T> std::vector<T> host(const T *p, size_t n) {
    std::vector<T> v(n);
    OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}

// Random numbers that are the same everywhere.
struct Random {
    unsigned long long state;
    explicit Random(unsigned long long seed) : state(seed) {}
    unsigned next() {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        unsigned x = unsigned(((state >> 18) ^ state) >> 27), r = unsigned(state >> 59);
        return x >> r | x << (-r & 31);
    }
    unsigned below(unsigned n) { return next() % n; }
};

// mix folds x into a checksum.
inline unsigned mix(unsigned sum, unsigned x) { return (sum ^ x) * 16777619u; }

template <class T> unsigned checksum(const std::vector<T> &v) {
    unsigned sum = 2166136261u;
    auto bytes = reinterpret_cast<const unsigned char *>(v.data());
    for (size_t i = 0; i < v.size() * sizeof(T); i++) sum = mix(sum, bytes[i]);
    return sum;
}
