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

// ---- what runs in a green context besides launches

CUresult cuStreamBeginCapture_v2(CUstream, int), cuStreamEndCapture(CUstream, CUgraph *), cuGraphCreate(CUgraph *, unsigned);
CUresult cuGraphInstantiateWithFlags(CUhandle *, CUgraph, unsigned long long), cuGraphLaunch(CUhandle, CUstream);
CUresult cuGraphGetNodes(CUgraph, CUhandle *, size_t *), cuGraphKernelNodeGetParams_v2(CUhandle, CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphAddKernelNode_v2(CUhandle *, CUgraph, const CUhandle *, size_t, const CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphKernelNodeSetParams_v2(CUhandle, const CUDA_KERNEL_NODE_PARAMS *), cuGraphClone(CUgraph *, CUgraph);
CUresult cuGraphExecKernelNodeSetParams_v2(CUhandle, CUhandle, const CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphAddMemsetNode(CUhandle *, CUgraph, const CUhandle *, size_t, const void *, CUcontext);
CUresult cuLaunchCooperativeKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, CUfunction, int, size_t);

// partition is a green context of at least count multiprocessors, the first of its split.
static CUhandle partition(unsigned count) {
  static resource whole, groups[64], rest;
  unsigned n = 64;
  CUhandle desc = 0, g = 0;
  if (cuDeviceGetDevResource(0, &whole, 1) || cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, 0, count) ||
      cuDevResourceGenerateDesc(&desc, groups, 1) || cuGreenCtxCreate(&g, desc, 0, 1))
    puts("no partition");
  return g;
}

// used prints how many multiprocessors ran blocks of places in a stream since the last time. A context does not wait for its
// green ones.
static void used(const char *what, CUstream in) {
  static unsigned seen[1025];
  unsigned n = 0;
  int code = cuStreamSynchronize(in), read = cuMemcpyDtoH_v2(seen, memory, sizeof seen);
  for (int i = 0; i < 1024; i++)
    n += seen[i] != 0;
  printf("%s: %d %d, multiprocessors %u, nsmid %u\n", what, code, read, n, seen[1024]);
  cuMemsetD32_v2(memory, 0, 2048);
  cuCtxSynchronize();
}

static void greenGraphs(void) {
  CUhandle g, node = 0, nodes[4], exec = 0, again = 0;
  CUcontext c = 0;
  CUstream s = 0, t = 0, u = 0;
  CUgraph graph = 0, made = 0, clone = 0;
  CUlibrary library = 0;
  CUkernel kernel = 0;
  CUmodule module;
  CUfunction places = 0;
  CUDA_KERNEL_NODE_PARAMS p, q;
  size_t n = 4;
  void *arguments[] = {&memory};
  begin();
  g = partition(16);
  R(cuCtxFromGreenCtx(&c, g));
  R(cuGreenCtxStreamCreate(&s, g, 1, 0));
  R(cuStreamCreate(&t, 1));
  R(cuModuleLoadData(&module, ptx));
  R(cuModuleGetFunction(&places, module, "places"));
  R(cuMemsetD32_v2(memory, 0, 2048));
  R(cuCtxSynchronize());
  // captured in the green context's stream
  R(cuStreamBeginCapture_v2(s, 0));
  R(cuLaunchKernel(places, 4096, 1, 1, 32, 1, 1, 0, s, arguments, NULL));
  R(cuStreamEndCapture(s, &graph));
  R(cuGraphGetNodes(graph, nodes, &n));
  V(cuGraphKernelNodeGetParams_v2(nodes[0], &q), "green's %d, primary %d, none %d", q.ctx == (void *)c, q.ctx == (void *)context, q.ctx == NULL);
  R(cuGraphInstantiateWithFlags(&exec, graph, 0));
  R(cuGraphLaunch(exec, s));
  used("captured there, launched there", s);
  R(cuGraphLaunch(exec, t));
  used("captured there, launched elsewhere", t);
  R(cuGraphLaunch(exec, 0));
  used("captured there, launched by default", 0);
  R(cuGraphClone(&clone, graph));
  R(cuGraphInstantiateWithFlags(&again, clone, 0));
  R(cuGraphLaunch(again, t));
  used("a clone, launched elsewhere", t);
  // captured in another stream
  R(cuStreamBeginCapture_v2(t, 0));
  R(cuLaunchKernel(places, 4096, 1, 1, 32, 1, 1, 0, t, arguments, NULL));
  R(cuStreamEndCapture(t, &graph));
  R(cuGraphInstantiateWithFlags(&exec, graph, 0));
  R(cuGraphLaunch(exec, s));
  used("captured elsewhere, launched there", s);
  // nodes made one by one
  memset(&p, 0, sizeof p);
  p.base.func = (void *)places, p.base.gridDim.x = 4096, p.base.gridDim.y = p.base.gridDim.z = 1;
  p.base.blockDim.x = 32, p.base.blockDim.y = p.base.blockDim.z = 1, p.base.kernelParams = arguments;
  R(cuGraphCreate(&made, 0));
  R(cuGraphAddKernelNode_v2(&node, made, NULL, 0, &p));
  V(cuGraphKernelNodeGetParams_v2(node, &q), "green's %d, primary %d, none %d", q.ctx == (void *)c, q.ctx == (void *)context, q.ctx == NULL);
  R(cuGraphInstantiateWithFlags(&exec, made, 0));
  R(cuGraphLaunch(exec, s));
  used("of no context, launched there", s);
  p.ctx = (void *)c;
  R(cuGraphExecKernelNodeSetParams_v2(exec, node, &p));
  R(cuGraphLaunch(exec, t));
  used("its context changed when instantiated", t);
  R(cuGraphKernelNodeSetParams_v2(node, &p));
  V(cuGraphKernelNodeGetParams_v2(node, &q), "green's %d, primary %d, none %d", q.ctx == (void *)c, q.ctx == (void *)context, q.ctx == NULL);
  R(cuGraphInstantiateWithFlags(&exec, made, 0));
  R(cuGraphLaunch(exec, t));
  used("its context changed", t);
  R(cuGraphCreate(&made, 0));
  R(cuGraphAddKernelNode_v2(&node, made, NULL, 0, &p));
  V(cuGraphKernelNodeGetParams_v2(node, &q), "green's %d, primary %d, none %d", q.ctx == (void *)c, q.ctx == (void *)context, q.ctx == NULL);
  R(cuGraphInstantiateWithFlags(&exec, made, 0));
  R(cuGraphLaunch(exec, t));
  used("of the green context, launched elsewhere", t);
  // kernels of libraries take the context that the node names
  R(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
  R(cuLibraryGetKernel(&kernel, library, "places"));
  for (int i = 0; i < 2; i++) {
    p.base.func = NULL, p.kern = (void *)kernel, p.ctx = i ? NULL : (void *)c;
    R(cuGraphCreate(&made, 0));
    R(cuGraphAddKernelNode_v2(&node, made, NULL, 0, &p));
    V(cuGraphKernelNodeGetParams_v2(node, &q), "green's %d, primary %d, none %d, function %d, kernel %d", q.ctx == (void *)c, q.ctx == (void *)context, q.ctx == NULL,
      q.base.func != NULL, q.kern == (void *)kernel);
    R(cuGraphInstantiateWithFlags(&exec, made, 0));
    R(cuGraphLaunch(exec, t));
    used(i ? "a kernel of no context" : "a kernel of the green context", t);
    p.ctx = i ? (void *)c : (void *)context;
    R(cuGraphExecKernelNodeSetParams_v2(exec, node, &p));
    R(cuGraphLaunch(exec, t));
    used("its context changed when instantiated", t);
    R(cuGraphKernelNodeSetParams_v2(node, &p));
    V(cuGraphKernelNodeGetParams_v2(node, &q), "green's %d, primary %d, none %d", q.ctx == (void *)c, q.ctx == (void *)context, q.ctx == NULL);
  }
  p.base.func = (void *)places, p.kern = NULL;
  // while the green context is current
  R(cuCtxSetCurrent(c));
  p.ctx = NULL;
  R(cuGraphCreate(&made, 0));
  R(cuGraphAddKernelNode_v2(&node, made, NULL, 0, &p));
  V(cuGraphKernelNodeGetParams_v2(node, &q), "green's %d, primary %d, none %d", q.ctx == (void *)c, q.ctx == (void *)context, q.ctx == NULL);
  R(cuGraphInstantiateWithFlags(&exec, made, 0));
  R(cuGraphLaunch(exec, 0));
  used("made and launched in it", 0);
  R(cuStreamCreate(&u, 0));
  R(cuGraphLaunch(exec, u));
  used("made and launched in its stream", u);
  R(cuLaunchKernel(places, 4096, 1, 1, 32, 1, 1, 0, t, arguments, NULL));
  used("launched in a stream of the primary context", t);
}

static void greenCooperative(void) {
  CUhandle g;
  CUcontext c = 0;
  CUstream s = 0;
  CUmodule module;
  CUfunction places = 0;
  int blocks = 0, least = 0, size = 0, n = 0;
  void *arguments[] = {&memory};
  begin();
  g = partition(16);
  R(cuCtxFromGreenCtx(&c, g));
  R(cuGreenCtxStreamCreate(&s, g, 1, 0));
  R(cuModuleLoadData(&module, ptx));
  R(cuModuleGetFunction(&places, module, "places"));
  R(cuMemsetD32_v2(memory, 0, 2048));
  V(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, places, 1024, 0), "%d", blocks);
  V(cuOccupancyMaxPotentialBlockSize(&least, &size, places, NULL, 0, 0), "%d of %d", least, size);
  R(cuLaunchCooperativeKernel(places, 132 * blocks, 1, 1, 1024, 1, 1, 0, 0, arguments));
  used("all of the device", 0);
  R(cuLaunchCooperativeKernel(places, 132 * blocks + 1, 1, 1, 1024, 1, 1, 0, 0, arguments));
  R(cuLaunchCooperativeKernel(places, 16 * blocks, 1, 1, 1024, 1, 1, 0, s, arguments));
  used("all of the green context", s);
  R(cuLaunchCooperativeKernel(places, 16 * blocks + 1, 1, 1, 1024, 1, 1, 0, s, arguments));
  R(cuLaunchCooperativeKernel(places, 132 * blocks, 1, 1, 1024, 1, 1, 0, s, arguments));
  R(cuCtxSynchronize());
  R(cuCtxSetCurrent(c));
  R(cuMemsetD32_v2(memory, 0, 2048));
  V(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, places, 1024, 0), "%d", blocks);
  V(cuOccupancyMaxPotentialBlockSize(&least, &size, places, NULL, 0, 0), "%d of %d", least, size);
  V(cuDeviceGetAttribute(&n, 16, 0), "%d", n);
  R(cuLaunchCooperativeKernel(places, 16 * blocks, 1, 1, 1024, 1, 1, 0, 0, arguments));
  used("all of the current green context", 0);
  R(cuLaunchCooperativeKernel(places, 16 * blocks + 1, 1, 1, 1024, 1, 1, 0, 0, arguments));
  R(cuCtxSynchronize());
}

CHAPTERS({"splits", splits}, {"green", green}, {"context_events", contextEvents}, {"green_graphs", greenGraphs},
         {"green_cooperative", greenCooperative})
