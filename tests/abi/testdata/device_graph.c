// A kernel that asks for the launch of a graph prints the code, and the last error of its thread.
#include "cuda_driver.h"

static const char ptx[] =
    ".version 7.8\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 r) cudaGraphLaunch (.param .b64 graph, .param .b64 stream);\n"
    ".extern .func (.param .b32 r) cudaGetLastError ();\n"
    ".visible .entry ask(.param .u64 p)\n{\n  .reg .u64 %rd<3>; .reg .u32 %r<3>;\n  .param .b64 graph; .param .b64 stream; .param .b32 r;\n"
    "  ld.param.u64 %rd1, [p]; mov.u64 %rd2, 0x100000000000000; st.param.b64 [graph], %rd2; st.param.b64 [stream], %rd2;\n"
    "  call (r), cudaGraphLaunch, (graph, stream); ld.param.b32 %r1, [r]; st.global.u32 [%rd1], %r1;\n"
    "  call (r), cudaGetLastError, (); ld.param.b32 %r2, [r]; st.global.u32 [%rd1+4], %r2; ret;\n}\n";

int main(void) {
  CUcontext context;
  CUmodule module;
  CUfunction ask;
  CUdeviceptr p;
  int codes[2] = {0, 0};
  void *arguments[] = {&p};
  if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0) || cuMemAlloc_v2(&p, 8) || cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&ask, module, "ask") ||
      cuLaunchKernel(ask, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL) || cuMemcpyDtoH_v2(codes, p, 8))
    return 1;
  printf("%d %d\n", codes[0], codes[1]);
  return 0;
}
