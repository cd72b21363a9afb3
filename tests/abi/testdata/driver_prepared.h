// A context, memory and a module that the chapters of most programs driver_*.c begin with.
#include "driver_chapters.h"

#define UNUSED __attribute__((unused)) // by some of the programs

static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .global .align 4 .b8 counters[64];\n"
    ".visible .const .align 4 .u32 scale = 3;\n"
    ".visible .entry add(.param .u64 p, .param .u32 n)\n{\n"
    "  .reg .u64 %rd<4>; .reg .u32 %r<5>; .reg .pred %q;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; setp.ge.u32 %q, %r2, %r1; @%q ret;\n"
    "  cvta.to.global.u64 %rd1, %rd1; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;\n"
    "  ld.global.u32 %r3, [%rd3]; add.u32 %r3, %r3, 7; st.global.u32 [%rd3], %r3; ret;\n}\n"
    ".visible .entry bounded()\n.maxntid 64, 1, 1\n{\n  ret;\n}\n"
    ".visible .entry wild()\n{\n  .reg .u64 %rd1; mov.u64 %rd1, 16; st.global.u32 [%rd1], 1; ret;\n}\n"
    ".visible .entry stop()\n{\n  trap;\n}\n"
    ".visible .entry odd(.param .u64 p)\n{\n  .reg .u64 %rd1; ld.param.u64 %rd1, [p]; add.u64 %rd1, %rd1, 2;"
    " st.global.u32 [%rd1], 1; ret;\n}\n"
    ".visible .entry shared48()\n{\n  .shared .align 4 .b8 s[1024]; .reg .u32 %r1; mov.u32 %r1, s; st.shared.u32 [%r1], 1; ret;\n}\n";

UNUSED static CUdevice device;
UNUSED static CUcontext context;
UNUSED static CUmodule module;
UNUSED static CUfunction add, bounded, wild, stop, odd, shared48;
UNUSED static CUdeviceptr memory;
UNUSED static char host[1 << 16];

UNUSED static void prepare(void) {
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) || cuMemAlloc_v2(&memory, 65536) ||
      cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&add, module, "add") ||
      cuModuleGetFunction(&bounded, module, "bounded") || cuModuleGetFunction(&wild, module, "wild") ||
      cuModuleGetFunction(&stop, module, "stop") || cuModuleGetFunction(&odd, module, "odd") ||
      cuModuleGetFunction(&shared48, module, "shared48"))
    puts("not prepared");
}
