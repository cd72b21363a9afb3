// Chapters of the driver's interface about contexts that have a part of a device, and about work across streams.
#include "driver_chapters.h"

typedef struct {
  int type;
  unsigned char internal[92];
  unsigned count, least, align, flags;
  unsigned char rest[32];
  void *next;
} resource;

CUresult cuDeviceGetDevResource(CUdevice, resource *, int), cuCtxGetDevResource(CUcontext, resource *, int);
CUresult cuGreenCtxGetDevResource(CUhandle, resource *, int), cuDevResourceGenerateDesc(CUhandle *, resource *, unsigned);
CUresult cuDevSmResourceSplitByCount(resource *, unsigned *, const resource *, resource *, unsigned, unsigned);
CUresult cuGreenCtxCreate(CUhandle *, CUhandle, CUdevice, unsigned), cuGreenCtxDestroy(CUhandle), cuCtxFromGreenCtx(CUcontext *, CUhandle);
CUresult cuGreenCtxStreamCreate(CUstream *, CUhandle, unsigned, int), cuGreenCtxRecordEvent(CUhandle, CUevent), cuGreenCtxWaitEvent(CUhandle, CUevent);
CUresult cuGreenCtxGetId(CUhandle, unsigned long long *), cuStreamGetGreenCtx(CUstream, CUhandle *);
CUresult cuStreamGetCtx_v2(CUstream, CUcontext *, CUhandle *), cuCtxRecordEvent(CUcontext, CUevent), cuCtxWaitEvent(CUcontext, CUevent);

static CUcontext context;
static CUdeviceptr memory;

static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .entry places(.param .u64 p)\n{\n  .reg .u64 %rd<4>; .reg .u32 %r<4>;\n"
    "  ld.param.u64 %rd1, [p]; mov.u32 %r1, %smid; mov.u32 %r2, %nsmid; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n"
    "  red.global.add.u32 [%rd3], 1; st.global.u32 [%rd1+4096], %r2; ret;\n}\n";

static void begin(void) {
  if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) || cuMemAlloc_v2(&memory, 1 << 16))
    puts("not prepared");
}

static void splits(void) {
  static resource whole, groups[200], rest, again[200];
  unsigned n;
  begin();
  R(cuDeviceGetDevResource(0, &whole, 1));
  printf("type %d count %u least %u align %u\n", whole.type, whole.count, whole.least, whole.align);
  R(cuDeviceGetDevResource(0, &whole, 0));
  R(cuDeviceGetDevResource(0, &whole, 2));
  R(cuDeviceGetDevResource(0, NULL, 1));
  R(cuDeviceGetDevResource(99, &whole, 1));
  R(cuDeviceGetDevResource(0, &whole, 1));
  static const unsigned counts[] = {1, 2, 7, 8, 9, 12, 16, 17, 24, 30, 32, 40, 48, 64, 65, 66, 80, 100, 128, 131, 132, 133};
  for (unsigned flags = 0; flags < 4; flags++)
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
      n = 200, memset(&rest, 0, sizeof rest);
      int code = cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, flags, counts[i]);
      printf("split %u, flags %u -> %d", counts[i], flags, code);
      if (code == 0)
        printf(", %u groups of %u (%u, %u), rest %d: %u (%u, %u)", n, groups[0].count, groups[0].least, groups[0].align, rest.type,
               rest.count, rest.least, rest.align);
      puts("");
      n = 0;
      code = cuDevSmResourceSplitByCount(NULL, &n, &whole, NULL, flags, counts[i]);
      printf("  asked -> %d, %u\n", code, n);
    }
  n = 3;
  V(cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, 0, 16), "%u, rest %u", n, rest.count);
  n = 1;
  V(cuDevSmResourceSplitByCount(again, &n, &rest, &groups[10], 0, 8), "%u of %u, rest %u", n, again[0].count, groups[10].count);
  n = 2;
  V(cuDevSmResourceSplitByCount(again, &n, &groups[0], &groups[10], 0, 8), "%u of %u, rest %u", n, again[0].count, groups[10].count);
  n = 2;
  R(cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, 9, 8));
  R(cuDevSmResourceSplitByCount(groups, NULL, &whole, &rest, 0, 8));
  R(cuDevSmResourceSplitByCount(groups, &n, NULL, &rest, 0, 8));
}

static void green(void) {
  static resource whole, groups[64], rest, mixed[2];
  static unsigned seen[1025];
  CUhandle desc = 0, g = 0, h = 0;
  CUcontext c = 0, current = 0;
  CUstream s = 0, t = 0;
  CUevent e;
  CUmodule module;
  CUfunction places;
  unsigned n = 64, used = 0, flags = 0;
  unsigned long long id = 0, id2 = 0;
  void *arguments[] = {&memory};
  begin();
  R(cuDeviceGetDevResource(0, &whole, 1));
  R(cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, 0, 16));
  R(cuDevResourceGenerateDesc(&desc, groups, 1));
  R(cuDevResourceGenerateDesc(NULL, groups, 1));
  R(cuDevResourceGenerateDesc(&desc, NULL, 1));
  mixed[0] = groups[0], mixed[1] = whole;
  R(cuDevResourceGenerateDesc(&desc, mixed, 2));
  R(cuDevResourceGenerateDesc(&desc, groups, 2));
  R(cuGreenCtxCreate(&g, desc, 0, 0));
  R(cuGreenCtxCreate(&g, desc, 0, 2));
  R(cuGreenCtxCreate(&g, 0, 0, 1));
  R(cuGreenCtxCreate(NULL, desc, 0, 1));
  R(cuGreenCtxCreate(&g, desc, 99, 1));
  R(cuGreenCtxCreate(&g, desc, 0, 1));
  V(cuGreenCtxGetDevResource(g, &rest, 1), "%u (%u, %u)", rest.count, rest.least, rest.align);
  R(cuGreenCtxGetDevResource(g, &rest, 9));
  R(cuGreenCtxGetDevResource(g, NULL, 1));
  R(cuGreenCtxGetDevResource(0, &rest, 1));
  R(cuGreenCtxGetId(g, &id));
  R(cuGreenCtxGetId(g, NULL));
  R(cuGreenCtxGetId(0, &id2));
  R(cuCtxGetId(context, &id2));
  printf("ids differ %d\n", id != id2);
  R(cuCtxFromGreenCtx(&c, g));
  R(cuCtxFromGreenCtx(NULL, g));
  R(cuCtxFromGreenCtx(&c, 0));
  printf("same %d\n", c == context);
  V(cuCtxGetDevResource(c, &rest, 1), "%u", rest.count);
  V(cuCtxGetDevResource(context, &rest, 1), "%u", rest.count);
  R(cuCtxGetDevResource(0, &rest, 1));
  R(cuCtxGetDevResource(c, NULL, 1));
  R(cuGreenCtxStreamCreate(&s, g, 0, 0));
  R(cuGreenCtxStreamCreate(&s, g, 2, 0));
  R(cuGreenCtxStreamCreate(NULL, g, 1, 0));
  R(cuGreenCtxStreamCreate(&s, 0, 1, 0));
  R(cuGreenCtxStreamCreate(&s, g, 1, 0));
  V(cuStreamGetGreenCtx(s, &h), "same %d", h == g);
  V(cuStreamGetGreenCtx(0, &h), "none %d", h == 0);
  R(cuStreamGetGreenCtx(s, NULL));
  current = 0, h = 0;
  V(cuStreamGetCtx_v2(s, &current, &h), "context %d, green %d", current == 0, h == g);
  current = 0, h = 7;
  V(cuStreamGetCtx_v2(0, &current, &h), "context %d, green %d", current == context, h == 0);
  R(cuStreamGetCtx(s, &current));
  printf("primary %d, green's %d\n", current == context, current == c);
  V(cuStreamGetFlags(s, &flags), "%u", flags);
  R(cuModuleLoadData(&module, ptx));
  R(cuModuleGetFunction(&places, module, "places"));
  R(cuMemsetD32_v2(memory, 0, 2048));
  R(cuLaunchKernel(places, 4096, 1, 1, 32, 1, 1, 0, s, arguments, NULL));
  R(cuStreamSynchronize(s));
  R(cuMemcpyDtoH_v2(seen, memory, sizeof seen));
  for (int i = 0; i < 1024; i++) used += seen[i] != 0;
  printf("multiprocessors %u, nsmid %u\n", used, seen[1024]);
  R(cuEventCreate(&e, 0));
  R(cuGreenCtxRecordEvent(g, e));
  R(cuGreenCtxWaitEvent(g, e));
  R(cuGreenCtxRecordEvent(0, e));
  R(cuGreenCtxRecordEvent(g, 0));
  R(cuGreenCtxWaitEvent(g, 0));
  R(cuEventSynchronize(e));
  R(cuCtxSetCurrent(c));
  R(cuCtxGetCurrent(&current));
  printf("green's %d\n", current == c);
  R(cuStreamCreate(&t, 0));
  V(cuStreamGetGreenCtx(t, &h), "same %d", h == g);
  V(cuCtxGetFlags(&flags), "%u", flags);
  R(cuMemsetD32_v2(memory, 0, 2048));
  R(cuLaunchKernel(places, 4096, 1, 1, 32, 1, 1, 0, 0, arguments, NULL));
  R(cuCtxSynchronize());
  R(cuMemcpyDtoH_v2(seen, memory, sizeof seen));
  used = 0;
  for (int i = 0; i < 1024; i++) used += seen[i] != 0;
  printf("multiprocessors %u\n", used);
  R(cuGreenCtxDestroy(g));
  R(cuGreenCtxDestroy(0));
  R(cuCtxGetCurrent(&current));
  R(cuStreamQuery(s));
  R(cuStreamDestroy_v2(s));
}

static void contextEvents(void) {
  CUcontext other, c;
  CUevent e, f;
  CUstream s;
  begin();
  R(cuStreamCreate(&s, 1));
  R(cuEventCreate(&e, 0));
  R(cuCtxRecordEvent(context, e));
  R(cuEventSynchronize(e));
  R(cuCtxWaitEvent(context, e));
  R(cuCtxRecordEvent(context, 0));
  R(cuCtxWaitEvent(context, 0));
  R(cuCtxRecordEvent(0, e));
  R(cuCtxWaitEvent(0, e));
  R(cuCtxCreate_v2(&other, 0, 0));
  R(cuEventCreate(&f, 0));
  R(cuCtxRecordEvent(context, f));
  R(cuCtxWaitEvent(context, f));
  R(cuCtxRecordEvent(other, f));
  R(cuCtxPopCurrent_v2(&c));
  R(cuCtxSynchronize());
}

CHAPTERS({"splits", splits}, {"green", green}, {"context_events", contextEvents})
