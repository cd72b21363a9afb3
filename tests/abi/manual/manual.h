// What the chapters share. Each runs in a process of its own and logs every call with the code it returned, and the
// values that the call gave; nothing that differs from run to run, such as addresses, is printed as it is.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

// Toolkits may come without the header of these.
extern "C" cudaError_t cudaProfilerStart(void);
extern "C" cudaError_t cudaProfilerStop(void);

struct Chapter {
  const char *name;
  void (*run)();
  Chapter *next;
  Chapter(const char *name, void (*run)());
};

// CHAPTER(name) { ... } defines a chapter.
#define CHAPTER(name)                                                                                                  \
  static void chapter_##name();                                                                                        \
  static Chapter registered_##name(#name, chapter_##name);                                                             \
  static void chapter_##name()

// C(call) logs a call of the API; V(format, ...) logs values.
#define C(...) logCall((int)(__VA_ARGS__), #__VA_ARGS__)
#define V(...) (printf("    " __VA_ARGS__), putchar('\n'))

inline int logCall(int code, const char *text) {
  printf("%d %s\n", code, text);
  return code;
}

// launched is the code of a launch with the triple brackets.
#define LAUNCH(...) (__VA_ARGS__, logCall((int)cudaGetLastError(), #__VA_ARGS__))

__global__ void nothing();
__global__ void store(int *at, int value);
__global__ void spin(volatile int *until);
__global__ void add(int *at, int n, int value);

// Sum of n bytes of device memory, read back.
unsigned long long sum(const void *device, size_t n);

// A place that no device has.
#define WILD ((void *)0x12345000)
