// Prototypes for the test programs, written as a CUDA program sees them, and checks that name their line.
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>

typedef struct { unsigned x, y, z; } dim3;
typedef struct { int x, y, z, w, f; } channel;
int cudaGetDeviceCount(int *);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
const char *cudaGetErrorString(int);
const char *cudaGetErrorName(int);
channel cudaCreateChannelDesc(int, int, int, int, int);
int cudaGraphicsEGLRegisterImage(void *, void *, unsigned);
int cudaEventCreateFromEGLSync(void *, void *, unsigned);
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaUnregisterFatBinary(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void *);
int __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);

// check ends the process without exit handlers: a test that fails must not hang in one.
#define CHECK(claim)                                                        \
  do {                                                                      \
    if (!(claim)) {                                                         \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim);   \
      abort();                                                              \
    }                                                                       \
  } while (0)
