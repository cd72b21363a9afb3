// Programs that link NVRTC and ask it for machine code get PTX: the two functions that give a cubin are found here before
// they are found in NVRTC, and hand out what its two for PTX give. The driver's loaders take either.

#define _GNU_SOURCE
#include "lockstep.h"

#include <dlfcn.h>

enum { LS_NVRTC_NO_PROGRAM = 4 }; // NVRTC_ERROR_INVALID_PROGRAM, where NVRTC is not loaded or lacks a function

typedef int ls_nvrtc_size(void *program, size_t *size);
typedef int ls_nvrtc_code(void *program, char *code);

static int size_by(const char *function, void *program, size_t *size) {
  ls_nvrtc_size *ask = (ls_nvrtc_size *)dlsym(RTLD_NEXT, function);
  return ask ? ask(program, size) : LS_NVRTC_NO_PROGRAM;
}

// ptx_size is the size of a program's PTX, where it was compiled to machine code; 0 where it was not, or has no PTX.
static size_t ptx_size(void *program) {
  size_t machine = 0, ptx = 0;
  if (size_by("nvrtcGetCUBINSize", program, &machine) != 0 || machine == 0)
    return 0;
  return size_by("nvrtcGetPTXSize", program, &ptx) == 0 && ptx > 1 ? ptx : 0; // 1: an empty string
}

LS_EXPORT int nvrtcGetCUBINSize(void *program, size_t *size) {
  size_t ptx = size ? ptx_size(program) : 0;
  if (!ptx)
    return size_by("nvrtcGetCUBINSize", program, size);
  *size = ptx;
  return 0;
}

LS_EXPORT int nvrtcGetCUBIN(void *program, char *code) {
  ls_nvrtc_code *get = (ls_nvrtc_code *)dlsym(RTLD_NEXT, ptx_size(program) ? "nvrtcGetPTX" : "nvrtcGetCUBIN");
  return get ? get(program, code) : LS_NVRTC_NO_PROGRAM;
}
