// A compiler with NVRTC's functions that give code (-DCOMPILER), and a program that links it. What a program was compiled
// to is written in place of it: m machine code, p PTX.
#ifdef COMPILER
#include <stddef.h>
#include <string.h>

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";

static int size_of(const char *program, int of, size_t n, size_t *size) {
  if (!size)
    return 2;
  *size = strchr(program, of) ? n : 0;
  return 0;
}
int nvrtcGetCUBINSize(void *program, size_t *size) { return size_of(program, 'm', 4, size); }
int nvrtcGetPTXSize(void *program, size_t *size) { return size_of(program, 'p', sizeof ptx, size); }
int nvrtcGetCUBIN(void *program, char *code) { return memcpy(code, "\177ELF", strchr(program, 'm') ? 4 : 0) ? 0 : 1; }
int nvrtcGetPTX(void *program, char *code) { return strchr(program, 'p') && memcpy(code, ptx, sizeof ptx) ? 0 : 4; }

#else
#include "abi.h"
#include <string.h>

int cuInit(unsigned), cuDeviceGet(int *, int), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int nvrtcGetCUBINSize(void *program, size_t *size);
int nvrtcGetCUBIN(void *program, char *code);

static size_t code_of(const char *program, char *code) {
  size_t size = 99;
  CHECK(nvrtcGetCUBINSize((void *)program, &size) == 0);
  CHECK(nvrtcGetCUBIN((void *)program, code) == 0);
  return size;
}

int main(void) {
  char code[200] = "";
  int device;
  void *context, *module, *kernel;
  CHECK(cuInit(0) == 0 && cuDeviceGet(&device, 0) == 0 && cuDevicePrimaryCtxRetain(&context, device) == 0);
  CHECK(cuCtxSetCurrent(context) == 0);
  CHECK(code_of("mp", code) == strlen(code) + 1 && strncmp(code, ".version", 8) == 0);
  CHECK(cuModuleLoadData(&module, code) == 0 && cuModuleGetFunction(&kernel, module, "k") == 0);
  CHECK(code_of("m", code) == 4 && memcmp(code, "\177ELF", 4) == 0); // no PTX: what there is
  CHECK(code_of("p", code) == 0);                                    // a virtual architecture has no machine code
  CHECK(nvrtcGetCUBINSize("mp", NULL) == 2);
  puts("ok");
}
#endif
