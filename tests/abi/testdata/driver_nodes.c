// Chapters of the driver's interface about graphs, and about calls that do many things at once.
#include "driver_chapters.h"

static CUcontext context;
static CUdeviceptr memory, managed;
static CUmodule module;
static CUfunction add;
static CUstream stream;
static char host[1 << 16];

static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 n)\n{\n  .reg .u64 %rd<4>; .reg .u32 %r<5>;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;\n"
    "  add.u64 %rd3, %rd1, %rd2; red.global.add.u32 [%rd3], %r1; ret;\n}\n";

static void begin(void) {
  if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0) || cuMemAlloc_v2(&memory, 1 << 16) || cuMemAllocManaged(&managed, 1 << 22, 1) ||
      cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&add, module, "add") || cuStreamCreate(&stream, 1) ||
      cuMemsetD8_v2(memory, 0, 1 << 16))
    puts("not prepared");
}

static int value(CUdeviceptr at) {
  int v = -1;
  cuCtxSynchronize();
  return cuMemcpyDtoH_v2(&v, at, 4) ? -1 : v;
}

// ---- operations on memory

typedef struct {
  int operation;
  unsigned small;
  CUdeviceptr address;
  uint64_t value;
  unsigned flags, pad;
  uint64_t alias, rest;
} operation;
typedef struct {
  CUcontext context;
  unsigned count;
  operation *list;
  unsigned flags;
} operationNode;

CUresult cuStreamBatchMemOp_v2(CUstream, unsigned, operation *, unsigned), cuStreamBatchMemOp(CUstream, unsigned, operation *, unsigned);
CUresult cuStreamWaitValue64_v2(CUstream, CUdeviceptr, uint64_t, unsigned), cuStreamWriteValue64_v2(CUstream, CUdeviceptr, uint64_t, unsigned);
CUresult cuGraphCreate(CUgraph *, unsigned), cuGraphDestroy(CUgraph), cuGraphAddBatchMemOpNode(CUhandle *, CUgraph, const CUhandle *, size_t, const operationNode *);
CUresult cuGraphBatchMemOpNodeGetParams(CUhandle, operationNode *), cuGraphBatchMemOpNodeSetParams(CUhandle, const operationNode *);
CUresult cuGraphExecBatchMemOpNodeSetParams(CUhandle, CUhandle, const operationNode *);
CUresult cuGraphInstantiateWithFlags(CUhandle *, CUgraph, unsigned long long), cuGraphLaunch(CUhandle, CUstream), cuGraphExecDestroy(CUhandle);

CUresult cuStreamWaitValue32(CUstream, CUdeviceptr, uint32_t, unsigned), cuStreamWriteValue32(CUstream, CUdeviceptr, uint32_t, unsigned);
CUresult cuStreamWaitValue64(CUstream, CUdeviceptr, uint64_t, unsigned), cuStreamWriteValue64(CUstream, CUdeviceptr, uint64_t, unsigned);

static void memoryOperations(void) {
  operation o[3] = {{2, 0, 0, 5, 0, 0, 0, 0}, {1, 0, 0, 5, 1, 0, 0, 0}, {5, 0, 0, 1, 0, 0, 0, 0}};
  operationNode n = {0, 2, o, 0}, got = {0, 0, NULL, 0};
  CUgraph g;
  CUhandle node, empty, exec;
  begin();
  o[0].address = o[1].address = memory, o[2].address = memory + 8;
  R(cuStreamBatchMemOp_v2(stream, 3, o, 0));
  printf("%d %d\n", value(memory), value(memory + 8));
  R(cuStreamBatchMemOp(stream, 2, o, 0));
  R(cuStreamBatchMemOp_v2(stream, 0, o, 0));
  R(cuStreamBatchMemOp_v2(stream, 3, o, 1));
  R(cuStreamBatchMemOp_v2(stream, 257, o, 0));
  for (int i = 0; i <= 7; i++) {
    operation one = {i, 0, memory, 5, 0, 0, 0, 0};
    printf("operation %d\n", i);
    R(cuStreamBatchMemOp_v2(stream, 1, &one, 0));
    R(cuStreamSynchronize(stream));
  }
  operation barrier = {6, 1, 0, 0, 0, 0, 0, 0};
  R(cuStreamBatchMemOp_v2(stream, 1, &barrier, 0));
  R(cuStreamBatchMemOp(stream, 1, &barrier, 0));
  barrier.small = 2;
  R(cuStreamBatchMemOp_v2(stream, 1, &barrier, 0));
  o[0].address = memory + 2;
  R(cuStreamBatchMemOp_v2(stream, 1, o, 0));
  o[0].address = 4096;
  R(cuStreamBatchMemOp_v2(stream, 1, o, 0));
  o[0].address = managed;
  R(cuStreamBatchMemOp_v2(stream, 1, o, 0));
  o[0].address = (CUdeviceptr)host;
  R(cuStreamBatchMemOp_v2(stream, 1, o, 0));
  o[0].address = memory, o[0].flags = 1;
  R(cuStreamBatchMemOp_v2(stream, 1, o, 0));
  o[0].flags = 8;
  R(cuStreamBatchMemOp_v2(stream, 1, o, 0));
  o[0].flags = 0, o[1].flags = 7;
  R(cuStreamBatchMemOp_v2(stream, 2, o, 0));
  o[1].flags = 1u << 30 | 1;
  R(cuStreamBatchMemOp_v2(stream, 2, o, 0));
  o[1].flags = 1;
  R(cuStreamWriteValue64_v2(stream, memory + 16, 1ull << 40, 0));
  R(cuStreamWaitValue64_v2(stream, memory + 16, 1ull << 40, 0));
  R(cuStreamWaitValue64_v2(stream, memory + 16, 1ull << 40, 2));
  R(cuStreamWriteValue64_v2(stream, memory + 4, 1, 0));
  R(cuStreamWriteValue32(stream, memory, 1, 0));
  R(cuStreamWaitValue32(stream, memory, 1, 1));
  R(cuStreamWriteValue64(stream, memory, 1, 0));
  R(cuStreamWaitValue64(stream, memory, 1, 1));
  R(cuStreamWriteValue32_v2(stream, managed, 1, 0));
  R(cuStreamWriteValue32_v2(stream, memory, 1, 1));
  R(cuStreamSynchronize(stream));
  R(cuGraphCreate(&g, 0));
  R(cuGraphAddBatchMemOpNode(&node, g, NULL, 0, &n));
  n.context = context;
  R(cuGraphAddBatchMemOpNode(&node, g, NULL, 0, &n));
  R(cuGraphAddBatchMemOpNode(&node, g, NULL, 0, NULL));
  n.count = 0;
  R(cuGraphAddBatchMemOpNode(&empty, g, NULL, 0, &n));
  n.count = 2, n.flags = 1;
  R(cuGraphAddBatchMemOpNode(&empty, g, NULL, 0, &n));
  n.flags = 0;
  V(cuGraphBatchMemOpNodeGetParams(node, &got), "%u, context %d, value %d", got.count, got.context == context, (int)got.list[0].value);
  o[0].value = o[1].value = 9;
  R(cuGraphBatchMemOpNodeSetParams(node, &n));
  R(cuGraphInstantiateWithFlags(&exec, g, 0));
  R(cuGraphLaunch(exec, stream));
  printf("%d\n", value(memory));
  o[0].value = o[1].value = 11;
  R(cuGraphExecBatchMemOpNodeSetParams(exec, node, &n));
  n.count = 1;
  R(cuGraphExecBatchMemOpNodeSetParams(exec, node, &n));
  n.count = 2;
  R(cuGraphLaunch(exec, stream));
  printf("%d\n", value(memory));
}

// ---- graphs

typedef struct {
  CUdeviceptr dst;
  size_t pitch;
  unsigned value, size;
  size_t width, height;
} memsetNode;
typedef struct {
  cudaHostFn_t f;
  void *user;
} hostNode;
typedef struct {
  int result;
  CUhandle node, from;
} updateInfo;
typedef struct {
  CUmemPoolProps pool;
  const CUmemAccessDesc *access;
  size_t count, size;
  CUdeviceptr at;
} allocNode;

CUresult cuGraphAddKernelNode_v2(CUhandle *, CUgraph, const CUhandle *, size_t, const CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphKernelNodeGetParams_v2(CUhandle, CUDA_KERNEL_NODE_PARAMS *), cuGraphKernelNodeSetParams_v2(CUhandle, const CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphExecKernelNodeSetParams_v2(CUhandle, CUhandle, const CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphAddMemcpyNode(CUhandle *, CUgraph, const CUhandle *, size_t, const CUDA_MEMCPY3D *, CUcontext);
CUresult cuGraphMemcpyNodeGetParams(CUhandle, CUDA_MEMCPY3D *), cuGraphMemcpyNodeSetParams(CUhandle, const CUDA_MEMCPY3D *);
CUresult cuGraphAddMemsetNode(CUhandle *, CUgraph, const CUhandle *, size_t, const memsetNode *, CUcontext), cuGraphMemsetNodeGetParams(CUhandle, memsetNode *);
CUresult cuGraphMemsetNodeSetParams(CUhandle, const memsetNode *), cuGraphExecMemsetNodeSetParams(CUhandle, CUhandle, const memsetNode *, CUcontext);
CUresult cuGraphExecMemcpyNodeSetParams(CUhandle, CUhandle, const CUDA_MEMCPY3D *, CUcontext);
CUresult cuGraphAddHostNode(CUhandle *, CUgraph, const CUhandle *, size_t, const hostNode *), cuGraphHostNodeGetParams(CUhandle, hostNode *);
CUresult cuGraphAddEmptyNode(CUhandle *, CUgraph, const CUhandle *, size_t), cuGraphAddChildGraphNode(CUhandle *, CUgraph, const CUhandle *, size_t, CUgraph);
CUresult cuGraphChildGraphNodeGetGraph(CUhandle, CUgraph *), cuGraphAddEventRecordNode(CUhandle *, CUgraph, const CUhandle *, size_t, CUevent);
CUresult cuGraphAddEventWaitNode(CUhandle *, CUgraph, const CUhandle *, size_t, CUevent), cuGraphEventRecordNodeGetEvent(CUhandle, CUevent *);
CUresult cuGraphAddMemAllocNode(CUhandle *, CUgraph, const CUhandle *, size_t, allocNode *), cuGraphAddMemFreeNode(CUhandle *, CUgraph, const CUhandle *, size_t, CUdeviceptr);
CUresult cuGraphMemFreeNodeGetParams(CUhandle, CUdeviceptr *), cuGraphMemAllocNodeGetParams(CUhandle, allocNode *);
CUresult cuGraphAddDependencies(CUgraph, const CUhandle *, const CUhandle *, size_t), cuGraphRemoveDependencies(CUgraph, const CUhandle *, const CUhandle *, size_t);
CUresult cuGraphGetNodes(CUgraph, CUhandle *, size_t *), cuGraphGetRootNodes(CUgraph, CUhandle *, size_t *), cuGraphGetEdges(CUgraph, CUhandle *, CUhandle *, size_t *);
CUresult cuGraphNodeGetType(CUhandle, int *), cuGraphDestroyNode(CUhandle), cuGraphClone(CUgraph *, CUgraph), cuGraphNodeFindInClone(CUhandle *, CUhandle, CUgraph);
CUresult cuGraphNodeGetDependencies(CUhandle, CUhandle *, size_t *), cuGraphNodeGetDependentNodes(CUhandle, CUhandle *, size_t *);
CUresult cuGraphNodeSetEnabled(CUhandle, CUhandle, unsigned), cuGraphNodeGetEnabled(CUhandle, CUhandle, unsigned *), cuGraphUpload(CUhandle, CUstream);
CUresult cuGraphExecUpdate_v2(CUhandle, CUgraph, updateInfo *), cuGraphExecGetFlags(CUhandle, uint64_t *), cuGraphExecUpdate(CUhandle, CUgraph, CUhandle *, int *);
CUresult cuGraphKernelNodeSetAttribute(CUhandle, int, const void *), cuGraphKernelNodeGetAttribute(CUhandle, int, void *), cuGraphKernelNodeCopyAttributes(CUhandle, CUhandle);
CUresult cuGraphDebugDotPrint(CUgraph, text, unsigned), cuDeviceGetGraphMemAttribute(CUdevice, int, void *), cuDeviceGraphMemTrim(CUdevice);
CUresult cuGraphInstantiate(CUhandle *, CUgraph, CUhandle *, char *, size_t), cuGraphInstantiate_v2(CUhandle *, CUgraph, CUhandle *, char *, size_t);

static int called;
static void count(void *user) { called += *(int *)user; }

static void graphs(void) {
  unsigned one = 1, enabled = 9;
  int three = 3, type = 9;
  size_t n = 9, m = 9;
  void *arguments[] = {&memory, &one};
  CUgraph g = 0, copy = 0, child = 0;
  CUhandle k = 0, s = 0, c = 0, h = 0, e = 0, x = 0, f = 0, list[16], to[16], exec = 0, exec2 = 0;
  CUevent event;
  CUDA_KERNEL_NODE_PARAMS kernel = {{(void *)0, {1, 1, 1}, {4, 1, 1}, 0, arguments, NULL}, NULL, NULL}, got;
  memsetNode set = {0, 0, 7, 4, 4, 1}, gotSet;
  CUDA_MEMCPY3D cp, gotCopy;
  hostNode call = {count, &three}, gotHost;
  updateInfo info;
  uint64_t flags = 9;
  begin();
  kernel.base.func = (void *)add, set.dst = memory;
  memset(&cp, 0, sizeof cp);
  cp.srcMemoryType = 2, cp.srcDevice = memory, cp.dstMemoryType = 1, cp.dstHost = (uint64_t)host, cp.WidthInBytes = 16, cp.Height = cp.Depth = 1;
  R(cuGraphCreate(&g, 1));
  R(cuGraphCreate(NULL, 0));
  R(cuGraphCreate(&g, 0));
  R(cuGraphAddMemsetNode(&s, g, NULL, 0, &set, context));
  R(cuGraphAddMemsetNode(&x, g, NULL, 0, &set, 0));
  R(cuGraphAddMemsetNode(&x, g, NULL, 0, NULL, context));
  R(cuGraphAddKernelNode_v2(&k, g, &s, 1, &kernel));
  R(cuGraphAddKernelNode_v2(&x, g, NULL, 1, &kernel));
  R(cuGraphAddKernelNode_v2(NULL, g, NULL, 0, &kernel));
  kernel.base.blockDim.x = 2000;
  R(cuGraphAddKernelNode_v2(&x, g, NULL, 0, &kernel));
  kernel.base.blockDim.x = 4, kernel.base.func = NULL;
  R(cuGraphAddKernelNode_v2(&x, g, NULL, 0, &kernel));
  kernel.base.func = (void *)add;
  R(cuGraphAddMemcpyNode(&c, g, &k, 1, &cp, context));
  R(cuGraphAddHostNode(&h, g, &c, 1, &call));
  R(cuGraphAddHostNode(&x, g, &c, 1, NULL));
  R(cuGraphAddEmptyNode(&e, g, &h, 1));
  R(cuGraphNodeGetType(k, &type));
  printf("type %d\n", type);
  V(cuGraphKernelNodeGetParams_v2(k, &got), "%u, %d", got.base.blockDim.x, (CUfunction)got.base.func == add);
  V(cuGraphMemsetNodeGetParams(s, &gotSet), "%u %zu", gotSet.value, gotSet.width);
  V(cuGraphMemcpyNodeGetParams(c, &gotCopy), "%zu", gotCopy.WidthInBytes);
  V(cuGraphHostNodeGetParams(h, &gotHost), "%d", gotHost.user == &three);
  R(cuGraphHostNodeGetParams(k, &gotHost));
  n = 16;
  V(cuGraphGetNodes(g, list, &n), "%zu", n);
  V(cuGraphGetNodes(g, NULL, &n), "%zu", n);
  n = 16;
  V(cuGraphGetRootNodes(g, list, &n), "%zu %d", n, list[0] == s || list[1] == s);
  n = 16;
  V(cuGraphGetEdges(g, list, to, &n), "%zu", n);
  n = 16;
  V(cuGraphNodeGetDependencies(k, list, &n), "%zu %d", n, list[0] == s);
  m = 16;
  V(cuGraphNodeGetDependentNodes(k, list, &m), "%zu %d", m, list[0] == c);
  R(cuGraphInstantiateWithFlags(&exec, g, 0));
  V(cuGraphExecGetFlags(exec, &flags), "%d", (int)flags);
  R(cuGraphInstantiateWithFlags(&exec2, g, 1 << 30));
  R(cuGraphInstantiate(&exec2, g, &x, host, 64));
  R(cuGraphExecDestroy(exec2));
  R(cuGraphInstantiate_v2(&exec2, g, &x, host, 64));
  R(cuGraphUpload(exec, stream));
  R(cuGraphLaunch(exec, stream));
  R(cuGraphLaunch(exec, stream));
  printf("%d, ", value(memory)), printf("called %d\n", called);
  one = 5;
  R(cuGraphExecKernelNodeSetParams_v2(exec, k, &kernel));
  set.value = 100;
  R(cuGraphExecMemsetNodeSetParams(exec, s, &set, context));
  set.width = 8;
  R(cuGraphExecMemsetNodeSetParams(exec, s, &set, context));
  set.width = 4;
  R(cuGraphExecMemcpyNodeSetParams(exec, c, &cp, context));
  R(cuGraphNodeSetEnabled(exec, h, 0));
  R(cuGraphNodeSetEnabled(exec, k, 0));
  V(cuGraphNodeGetEnabled(exec, k, &enabled), "%u", enabled);
  R(cuGraphLaunch(exec, stream));
  printf("%d, ", value(memory)), printf("called %d\n", called);
  R(cuGraphNodeSetEnabled(exec, k, 1));
  R(cuGraphLaunch(exec, stream));
  printf("%d, ", value(memory)), printf("called %d\n", called);
  R(cuGraphClone(&copy, g));
  R(cuGraphNodeFindInClone(&x, k, copy));
  V(cuGraphExecUpdate_v2(exec, copy, &info), "%d", info.result);
  R(cuGraphDestroyNode(x));
  R(cuGraphExecUpdate_v2(exec, copy, &info));
  printf("result %d\n", info.result);
  R(cuGraphExecUpdate_v2(exec, copy, NULL));
  R(cuGraphAddDependencies(g, &s, &h, 1));
  R(cuGraphAddDependencies(g, &s, &h, 1));
  R(cuGraphAddDependencies(g, &h, &s, 1));
  R(cuGraphAddDependencies(g, &s, &s, 1));
  R(cuGraphRemoveDependencies(g, &s, &h, 1));
  R(cuGraphRemoveDependencies(g, &s, &h, 1));
  R(cuGraphCreate(&child, 0));
  R(cuGraphAddEmptyNode(&x, child, NULL, 0));
  R(cuGraphAddChildGraphNode(&x, g, NULL, 0, child));
  R(cuGraphChildGraphNodeGetGraph(x, &copy));
  R(cuEventCreate(&event, 0));
  R(cuGraphAddEventRecordNode(&x, g, NULL, 0, event));
  R(cuGraphAddEventWaitNode(&f, g, &x, 1, event));
  V(cuGraphEventRecordNodeGetEvent(x, &event), "%d", event != 0);
  R(cuGraphEventRecordNodeGetEvent(f, &event));
  uint64_t v[8], w[8];
  memset(v, 0, sizeof v), memset(w, 0, sizeof w);
  R(cuGraphAddKernelNode_v2(&x, g, NULL, 0, &kernel));
  for (int a = 0; a < 16; a++) {
    printf("attribute %d\n", a);
    R(cuGraphKernelNodeGetAttribute(k, a, v));
    R(cuGraphKernelNodeSetAttribute(k, a, v));
  }
  v[0] = 1;
  R(cuGraphKernelNodeSetAttribute(k, 2, v));
  R(cuGraphKernelNodeCopyAttributes(x, k));
  V(cuGraphKernelNodeGetAttribute(x, 2, w), "%d", (int)w[0]);
  R(cuGraphKernelNodeCopyAttributes(x, s));
  R(cuGraphDebugDotPrint(g, "/dev/null", 0));
  R(cuGraphDebugDotPrint(g, "/nowhere/at/all", 0));
  R(cuGraphDebugDotPrint(g, NULL, 0));
  R(cuGraphDestroy(g));
  R(cuGraphLaunch(exec, stream));
  R(cuGraphLaunch(0, stream));
  R(cuGraphExecDestroy(exec));
  R(cuGraphExecDestroy(0));
}

static void graphMemory(void) {
  CUgraph g;
  CUhandle a = 0, s = 0, f = 0, x = 0, exec = 0, exec2 = 0;
  CUmemAccessDesc access = {{1, 0}, 3};
  allocNode alloc, got;
  memsetNode set = {0, 0, 7, 4, 4, 1};
  CUdeviceptr p = 0;
  uint64_t bytes = 0;
  begin();
  memset(&alloc, 0, sizeof alloc);
  R(cuGraphCreate(&g, 0));
  R(cuGraphAddMemAllocNode(&a, g, NULL, 0, &alloc));
  alloc.pool.allocType = 1, alloc.pool.location.type = 1, alloc.size = 1 << 20;
  alloc.access = &access, alloc.count = 1;
  R(cuGraphAddMemAllocNode(&a, g, NULL, 0, &alloc));
  access.location.id = 99;
  R(cuGraphAddMemAllocNode(&x, g, NULL, 0, &alloc));
  access.location.id = 0, access.flags = 9;
  R(cuGraphAddMemAllocNode(&x, g, NULL, 0, &alloc));
  access.flags = 3, alloc.count = 0, alloc.size = 0;
  R(cuGraphAddMemAllocNode(&x, g, NULL, 0, &alloc));
  V(cuGraphMemAllocNodeGetParams(a, &got), "%zu, %zu", got.size, got.count);
  p = got.at, set.dst = p;
  R(cuGraphAddMemsetNode(&s, g, &a, 1, &set, context));
  R(cuGraphAddMemFreeNode(&f, g, &s, 1, p));
  R(cuGraphAddMemFreeNode(&x, g, &s, 1, p));
  R(cuGraphAddMemFreeNode(&x, g, &s, 1, memory));
  V(cuGraphMemFreeNodeGetParams(f, &p), "%d", p == got.at);
  R(cuGraphInstantiateWithFlags(&exec, g, 0));
  R(cuGraphInstantiateWithFlags(&exec2, g, 0));
  R(cuGraphLaunch(exec, stream));
  R(cuGraphLaunch(exec, stream));
  R(cuCtxSynchronize());
  V(cuDeviceGetGraphMemAttribute(0, 0, &bytes), "%d", (int)bytes);
  V(cuDeviceGetGraphMemAttribute(0, 1, &bytes), "%d", bytes > 0);
  R(cuDeviceGetGraphMemAttribute(0, 9, &bytes));
  R(cuGraphClone(&g, g));
  R(cuGraphExecDestroy(exec));
  R(cuDeviceGraphMemTrim(0));
}

// ---- capture

CUresult cuStreamBeginCapture_v2(CUstream, int), cuStreamEndCapture(CUstream, CUgraph *), cuStreamGetCaptureInfo_v2(CUstream, int *, uint64_t *, CUgraph *, const CUhandle **, size_t *);
CUresult cuStreamUpdateCaptureDependencies(CUstream, CUhandle *, size_t, unsigned);

static void capture(void) {
  CUgraph g = 0, other = 0;
  CUhandle exec = 0, nodes[8];
  const CUhandle *after = NULL;
  CUstream t;
  CUevent e;
  CUdeviceptr p;
  int status = 9;
  uint64_t id = 0;
  size_t n = 0;
  begin();
  R(cuStreamCreate(&t, 1));
  R(cuEventCreate(&e, 2));
  R(cuStreamBeginCapture_v2(0, 0));
  R(cuStreamBeginCapture_v2(stream, 9));
  R(cuStreamBeginCapture_v2(stream, 0));
  R(cuStreamBeginCapture_v2(stream, 0));
  V(cuStreamIsCapturing(stream, &status), "%d", status);
  R(cuMemsetD32Async(memory, 3, 4, stream));
  R(cuMemcpyDtoHAsync_v2(host, memory, 16, stream));
  R(cuEventRecord(e, stream));
  R(cuStreamWaitEvent(t, e, 0));
  R(cuMemsetD32Async(memory + 64, 4, 4, t));
  V(cuStreamGetCaptureInfo_v2(stream, &status, &id, &g, &after, &n), "%d %zu", status, n);
  V(cuStreamIsCapturing(t, &status), "%d", status);
  R(cuEventRecord(e, t));
  R(cuStreamWaitEvent(stream, e, 0));
  nodes[0] = after[0];
  R(cuStreamUpdateCaptureDependencies(stream, nodes, 1, 1));
  R(cuStreamUpdateCaptureDependencies(stream, nodes, 1, 9));
  R(cuStreamEndCapture(t, &other));
  R(cuStreamEndCapture(stream, &g));
  V(cuGraphGetNodes(g, NULL, &n), "%zu", n);
  R(cuGraphInstantiateWithFlags(&exec, g, 0));
  R(cuGraphLaunch(exec, stream));
  printf("%d %d\n", value(memory), value(memory + 64));
  R(cuStreamEndCapture(stream, &g));
  R(cuStreamBeginCapture_v2(stream, 0));
  R(cuMemAlloc_v2(&p, 64));
  R(cuStreamIsCapturing(stream, &status));
  printf("status %d\n", status);
  R(cuStreamEndCapture(stream, &g));
  R(cuStreamBeginCapture_v2(stream, 2));
  R(cuMemAlloc_v2(&p, 64));
  R(cuStreamSynchronize(stream));
  R(cuStreamEndCapture(stream, &g));
  R(cuStreamBeginCapture_v2(stream, 2));
  R(cuMemAllocAsync(&p, 64, stream));
  R(cuMemFreeAsync(p, stream));
  R(cuStreamEndCapture(stream, &g));
  V(cuGraphGetNodes(g, NULL, &n), "%zu", n);
}

// ---- batches

typedef struct {
  int order;
  cudaMemLocation from, to;
  unsigned flags;
} attributes;
typedef struct {
  int type, pad;
  uint64_t words[4];
} operand;
typedef struct {
  operand src, dst;
  size_t width, height, depth;
  int order;
  unsigned flags;
} boxCopy;

CUresult cuMemcpyBatchAsync(CUdeviceptr *, CUdeviceptr *, size_t *, size_t, attributes *, size_t *, size_t, size_t *, CUstream);
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *, CUdeviceptr *, size_t *, size_t, attributes *, size_t *, size_t, CUstream);
CUresult cuMemcpy3DBatchAsync(size_t, boxCopy *, size_t *, unsigned long long, CUstream), cuMemcpy3DBatchAsync_v2(size_t, boxCopy *, unsigned long long, CUstream);

static void batches(void) {
  attributes a = {1, {0, 0}, {0, 0}, 0};
  CUdeviceptr dst[2], src[2];
  size_t sizes[2] = {64, 64}, at[2] = {0, 1}, failed = 77;
  boxCopy box;
  begin();
  dst[0] = memory, dst[1] = memory + 1024, src[0] = memory + 2048, src[1] = memory + 4096;
  R(cuMemsetD32_v2(src[0], 5, 16));
  R(cuMemsetD32_v2(src[1], 6, 16));
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 1, &failed, stream));
  printf("%d %d, failed %zu\n", value(dst[0]), value(dst[1]), failed);
  R(cuMemcpyBatchAsync_v2(dst, src, sizes, 2, &a, at, 1, stream));
  R(cuMemcpyBatchAsync_v2(dst, src, sizes, 2, &a, at, 1, 0));
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 1, &failed, 0));
  printf("failed %zu\n", failed);
  R(cuMemcpyBatchAsync(dst, src, sizes, 0, &a, at, 1, &failed, stream));
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 0, &failed, stream));
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, NULL, at, 1, &failed, stream));
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, NULL, 1, &failed, stream));
  R(cuMemcpyBatchAsync(NULL, src, sizes, 2, &a, at, 1, &failed, stream));
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 1, NULL, stream));
  a.order = 9, failed = 77;
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 1, &failed, stream));
  printf("failed %zu\n", failed);
  a.order = 1, sizes[1] = 0, failed = 77;
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 1, &failed, stream));
  printf("failed %zu\n", failed);
  sizes[1] = 1 << 30, failed = 77;
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 1, &failed, stream));
  printf("failed %zu\n", failed);
  at[0] = 1;
  R(cuMemcpyBatchAsync(dst, src, sizes, 2, &a, at, 1, &failed, stream));
  memset(&box, 0, sizeof box);
  box.src.type = box.dst.type = 1, box.src.words[0] = src[0], box.dst.words[0] = dst[0] + 256;
  box.width = 64, box.height = 2, box.depth = 1, box.order = 1;
  failed = 77;
  R(cuMemcpy3DBatchAsync(1, &box, &failed, 0, stream));
  printf("%d, failed %zu\n", value(dst[0] + 256), failed);
  R(cuMemcpy3DBatchAsync_v2(1, &box, 0, stream));
  R(cuMemcpy3DBatchAsync_v2(1, &box, 0, 0));
  R(cuMemcpy3DBatchAsync_v2(1, &box, 1, stream));
  R(cuMemcpy3DBatchAsync_v2(0, &box, 0, stream));
  R(cuMemcpy3DBatchAsync_v2(1, NULL, 0, stream));
  box.depth = 0, failed = 77;
  R(cuMemcpy3DBatchAsync(1, &box, &failed, 0, stream));
  printf("failed %zu\n", failed);
  box.depth = 1, box.src.type = 9;
  R(cuMemcpy3DBatchAsync_v2(1, &box, 0, stream));
  R(cuStreamSynchronize(stream));
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr *, size_t *, size_t, cudaMemLocation *, size_t *, size_t, unsigned long long, CUstream);
CUresult cuMemDiscardBatchAsync(CUdeviceptr *, size_t *, size_t, unsigned long long, CUstream);
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *, size_t *, size_t, cudaMemLocation *, size_t *, size_t, unsigned long long, CUstream);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr, size_t, cudaMemLocation, unsigned, CUstream);

static void prefetches(void) {
  CUdeviceptr list[2];
  size_t sizes[2] = {1 << 20, 1 << 20}, at[2] = {0, 1};
  cudaMemLocation to[2] = {{1, 0}, {2, 0}};
  begin();
  list[0] = managed, list[1] = managed + (1 << 21);
  R(cuMemPrefetchBatchAsync(list, sizes, 2, to, at, 2, 0, stream));
  R(cuMemDiscardBatchAsync(list, sizes, 2, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 2, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 1, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 0, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 0, to, at, 1, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(NULL, sizes, 2, to, at, 1, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, NULL, at, 1, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, NULL, 1, 0, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 1, 1, stream));
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 1, 0, 0));
  R(cuMemDiscardBatchAsync(list, sizes, 2, 0, 0));
  R(cuMemPrefetchBatchAsync(list, sizes, 2, to, at, 1, 0, 0));
  list[0] = memory;
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 1, 0, stream));
  list[0] = managed, sizes[0] = 0;
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 1, 0, stream));
  sizes[0] = 1 << 20, to[0].id = 99;
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 1, 0, stream));
  to[0].id = 0, to[0].type = 9;
  R(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 2, to, at, 1, 0, stream));
  R(cuMemPrefetchAsync_v2(managed, 1 << 20, to[1], 0, stream));
  R(cuMemPrefetchAsync_v2(managed, 1 << 20, to[0], 0, stream));
  R(cuStreamSynchronize(stream));
}

CUresult cuLibraryGetUnifiedFunction(void **, CUlibrary, text);
static void unified(void) {
  CUlibrary l;
  void *f = NULL;
  begin();
  R(cuLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
  R(cuLibraryGetUnifiedFunction(&f, l, "add"));
  R(cuLibraryGetUnifiedFunction(&f, l, "none"));
  R(cuLibraryGetUnifiedFunction(NULL, l, "add"));
  R(cuLibraryGetUnifiedFunction(&f, 0, "add"));
  R(cuLibraryGetUnifiedFunction(&f, l, NULL));
}

CHAPTERS({"memory_operations", memoryOperations}, {"graphs", graphs}, {"graph_memory", graphMemory}, {"capture", capture},
         {"batches", batches}, {"prefetches", prefetches}, {"unified", unified})
