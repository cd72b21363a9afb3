// Graphs whose nodes decide what runs, and graphs for kernels to launch: what is refused, and with which code.
#include "manual.h"

#if CUDART_VERSION >= 12040

#if CUDART_VERSION >= 13000
#define ADD(node, g, p) cudaGraphAddNode(node, g, nullptr, nullptr, 0, p)
#define AFTER(node, g, d, p) cudaGraphAddNode(node, g, d, nullptr, 1, p)
#else
#define ADD(node, g, p) cudaGraphAddNode(node, g, nullptr, 0, p)
#define AFTER(node, g, d, p) cudaGraphAddNode(node, g, d, 1, p)
#endif

static int *d;

static cudaGraphNodeParams conditional(cudaGraphConditionalHandle h, int type, unsigned size) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  p.conditional.handle = h;
  p.conditional.type = (cudaGraphConditionalNodeType)type;
  p.conditional.size = size;
  return p;
}

// addition is a kernel that adds value to *d.
static cudaGraphNodeParams addition(int value) {
  static int values[64], n, one = 1;
  static void *arguments[64][3];
  int i = n++;
  values[i] = value;
  arguments[i][0] = &d, arguments[i][1] = &one, arguments[i][2] = &values[i];
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = (void *)add;
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments[i];
  return p;
}

static void value(const char *what) {
  int v = -1;
  cudaDeviceSynchronize();
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  cudaMemset(d, 0, 4);
  V("%s: %d", what, v);
}

CHAPTER(graph_conditional_made) {
  cudaGraph_t g, h;
  cudaGraphConditionalHandle c = 0, other = 0;
  cudaGraphNode_t n, k;
  C(cudaMalloc(&d, 256));
  C(cudaMemset(d, 0, 256));
  C(cudaGraphCreate(&g, 0));
  C(cudaGraphCreate(&h, 0));
  C(cudaGraphConditionalHandleCreate(&c, g, 1, cudaGraphCondAssignDefault));
  C(cudaGraphConditionalHandleCreate(&other, g, 1, 2));
  C(cudaGraphConditionalHandleCreate(&other, g, 1, 0));
  C(cudaGraphConditionalHandleCreate(nullptr, g, 1, 0));
  C(cudaGraphConditionalHandleCreate(&other, nullptr, 1, 0));
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  for (int type = 0; type <= 4; type++)
    for (unsigned size = 0; size <= 3; size++) {
      p = conditional(c, type, size);
      cudaGraph_t scratch;
      cudaGraphConditionalHandle own;
      cudaGraphCreate(&scratch, 0);
      cudaGraphConditionalHandleCreate(&own, scratch, 1, cudaGraphCondAssignDefault);
      p.conditional.handle = own;
      C(ADD(&n, scratch, &p));
      V("type %d, size %u", type, size);
      cudaGraphDestroy(scratch);
    }
  p = conditional(0, cudaGraphCondTypeIf, 1);
  C(ADD(&n, g, &p));
  p = conditional(c, cudaGraphCondTypeIf, 1);
  C(ADD(&n, h, &p)); // a handle of another graph
  C(ADD(nullptr, g, &p));
  C(ADD(&n, g, &p));
  V("body %d", p.conditional.phGraph_out != nullptr && p.conditional.phGraph_out[0] != nullptr);
  cudaGraph_t body = p.conditional.phGraph_out[0];
  cudaGraphNodeParams q = conditional(c, cudaGraphCondTypeIf, 1);
  C(ADD(&k, g, &q)); // the handle once more
  cudaGraphNodeType type;
  C(cudaGraphNodeGetType(n, &type));
  V("%d", (int)type);
  C(cudaGraphDestroy(body));
  // what bodies may hold
  cudaGraphNodeParams a = addition(1);
  C(ADD(&k, body, &a));
  C(cudaGraphAddEmptyNode(&k, body, nullptr, 0));
  C(cudaGraphAddMemcpyNode1D(&k, body, nullptr, 0, d + 8, d, 4, cudaMemcpyDeviceToDevice));
  int host = 0;
  C(cudaGraphAddMemcpyNode1D(&k, body, nullptr, 0, &host, d, 4, cudaMemcpyDeviceToHost));
  C(cudaGraphDestroyNode(k));
  cudaMemsetParams m = {};
  m.dst = d + 16, m.elementSize = 4, m.width = 1, m.height = 1, m.value = 7;
  C(cudaGraphAddMemsetNode(&k, body, nullptr, 0, &m));
  cudaHostNodeParams f = {[](void *) {}, nullptr};
  C(cudaGraphAddHostNode(&k, body, nullptr, 0, &f));
  cudaEvent_t e;
  C(cudaEventCreate(&e));
  C(cudaGraphAddEventRecordNode(&k, body, nullptr, 0, e));
  C(cudaGraphAddEventWaitNode(&k, body, nullptr, 0, e));
  cudaMemAllocNodeParams alloc = {};
  alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  alloc.bytesize = 64;
  C(cudaGraphAddMemAllocNode(&k, body, nullptr, 0, &alloc));
  cudaGraph_t child;
  C(cudaGraphCreate(&child, 0));
  C(cudaGraphAddEmptyNode(&k, child, nullptr, 0));
  C(cudaGraphAddChildGraphNode(&k, body, nullptr, 0, child));
  C(cudaGraphClone(&child, g));
  C(cudaGraphClone(&child, body));
  C(cudaGraphAddChildGraphNode(&k, h, nullptr, 0, g));
  cudaGraphExec_t exec, exec2;
  C(cudaGraphInstantiate(&exec, body, 0));
  C(cudaGraphInstantiate(&exec, g, 0));
  C(cudaGraphInstantiate(&exec2, g, 0));
  C(cudaGraphLaunch(exec, 0));
  value("if, default 1");
  C(cudaGraphDestroyNode(n));
  C(cudaGraphInstantiate(&exec2, g, 0));
  cudaGetLastError();
}

CHAPTER(graph_conditional_runs) {
  cudaGraph_t g;
  cudaGraphConditionalHandle c;
  cudaGraphNode_t n, k;
  cudaGraphExec_t exec;
  C(cudaMalloc(&d, 256));
  C(cudaMemset(d, 0, 256));
  for (unsigned size : {1u, 2u, 4u})
    for (int type : {0, 2})
      for (unsigned v : {0u, 1u, 2u, 3u, 100u}) {
        cudaGraphCreate(&g, 0);
        cudaGraphConditionalHandleCreate(&c, g, v, cudaGraphCondAssignDefault);
        cudaGraphNodeParams p = conditional(c, type, size);
        int code = ADD(&n, g, &p);
        V("type %d of %u, value %u: %d", type, size, v, code);
        if (code) {
          cudaGetLastError();
          continue;
        }
        for (unsigned i = 0; i < size; i++) {
          cudaGraphNodeParams a = addition(100 + i);
          int added = ADD(&k, p.conditional.phGraph_out[i], &a);
          if (added)
            V("body %u: %d", i, added);
        }
        C(cudaGraphInstantiate(&exec, g, 0));
        C(cudaGraphLaunch(exec, 0));
        value("once");
        C(cudaGraphLaunch(exec, 0));
        C(cudaGraphLaunch(exec, 0));
        value("twice");
        cudaGraphExecDestroy(exec);
        cudaGraphDestroy(g);
      }
}

// Values of a handle without a default, and instances that are updated.
CHAPTER(graph_conditional_updates) {
  cudaGraph_t g[2];
  cudaGraphConditionalHandle c[2];
  cudaGraphNode_t n[2], k[2];
  cudaGraphExec_t exec;
  C(cudaMalloc(&d, 256));
  C(cudaMemset(d, 0, 256));
  for (int i = 0; i < 2; i++) {
    C(cudaGraphCreate(&g[i], 0));
    C(cudaGraphConditionalHandleCreate(&c[i], g[i], 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = conditional(c[i], cudaGraphCondTypeIf, 1), a = addition(1 + i);
    C(ADD(&n[i], g[i], &p));
    C(ADD(&k[i], p.conditional.phGraph_out[0], &a));
  }
  C(cudaGraphInstantiate(&exec, g[0], 0));
  cudaGraphExecUpdateResultInfo info = {};
  C(cudaGraphExecUpdate(exec, g[1], &info));
  V("result %d", (int)info.result);
  C(cudaGraphLaunch(exec, 0));
  value("updated");
  cudaGraphNodeParams a = addition(10);
  C(cudaGraphExecNodeSetParams(exec, k[0], &a));
  C(cudaGraphLaunch(exec, 0));
  value("a node of the body changed");
  cudaGraphNodeParams p = conditional(c[0], cudaGraphCondTypeWhile, 1);
  C(cudaGraphExecNodeSetParams(exec, n[0], &p));
  C(cudaGraphNodeSetParams(n[0], &p));
  size_t count = 9;
  C(cudaGraphGetNodes(g[0], nullptr, &count));
  V("%zu", count);
  unsigned enabled = 9;
  C(cudaGraphNodeSetEnabled(exec, n[0], 0));
  C(cudaGraphNodeGetEnabled(exec, n[0], &enabled));
  cudaGetLastError();
}

// Graphs for kernels to launch.
CHAPTER(graph_device_made) {
  cudaGraph_t g;
  cudaGraphNode_t k, m;
  cudaGraphExec_t exec = nullptr, again = nullptr;
  int host = 0;
  C(cudaMalloc(&d, 256));
  C(cudaMemset(d, 0, 256));
  C(cudaGraphCreate(&g, 0));
  C(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch)); // empty
  cudaGraphNodeParams a = addition(1);
  C(ADD(&k, g, &a));
  for (unsigned long long flags = 0; flags < 16; flags++) {
    cudaGraphExec_t one = nullptr;
    C(cudaGraphInstantiate(&one, g, flags));
    unsigned long long got = 99;
    if (one) {
      C(cudaGraphExecGetFlags(one, &got));
      V("flags %llu: %llu", flags, got);
      C(cudaGraphExecDestroy(one));
    }
  }
  C(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
  if (exec == nullptr)
    return;
  C(cudaGraphInstantiate(&again, g, cudaGraphInstantiateFlagDeviceLaunch));
  C(cudaGraphUpload(exec, 0));
  C(cudaGraphLaunch(exec, 0));
  value("launched by the host");
  C(cudaGraphExecDestroy(exec));
  C(cudaGraphAddMemcpyNode1D(&m, g, nullptr, 0, d + 8, d, 4, cudaMemcpyDeviceToDevice));
  C(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
  C(cudaGraphAddMemcpyNode1D(&m, g, nullptr, 0, &host, d, 4, cudaMemcpyDeviceToHost));
  C(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
  C(cudaGraphDestroyNode(m));
  cudaHostNodeParams f = {[](void *) {}, nullptr};
  C(cudaGraphAddHostNode(&m, g, nullptr, 0, &f));
  C(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
  C(cudaGraphDestroyNode(m));
  cudaEvent_t e;
  C(cudaEventCreate(&e));
  C(cudaGraphAddEventRecordNode(&m, g, nullptr, 0, e));
  C(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
  cudaGraphInstantiateParams params = {};
  params.flags = cudaGraphInstantiateFlagDeviceLaunch;
  C(cudaGraphInstantiateWithParams(&exec, g, &params));
  V("result %d, node %d", (int)params.result_out, params.errNode_out == m);
  C(cudaGraphDestroyNode(m));
  params = {};
  params.flags = cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUpload;
  C(cudaGraphInstantiateWithParams(&exec, g, &params));
  V("result %d", (int)params.result_out);
  cudaGraphConditionalHandle c;
  C(cudaGraphConditionalHandleCreate(&c, g, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams p = conditional(c, cudaGraphCondTypeIf, 1);
  C(ADD(&m, g, &p));
  C(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
  cudaGetLastError();
}

#endif
