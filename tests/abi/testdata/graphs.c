// The calls for graphs and capture whose arguments differ between majors, as a program of each makes them.
#include "abi.h"
#include <string.h>

int cudaRuntimeGetVersion(int *);
int cudaMalloc(void **, size_t);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaMemset(void *, int, size_t);
int cudaMemsetAsync(void *, int, size_t, void *);
int cudaStreamCreate(void **);
int cudaStreamSynchronize(void *);
int cudaStreamBeginCapture(void *, int);
int cudaStreamEndCapture(void *, void **);
int cudaGraphCreate(void **, unsigned);
int cudaGraphAddEmptyNode(void **, void *, void **, size_t);
int cudaGraphAddMemsetNode(void **, void *, void **, size_t, const void *);
int cudaGraphLaunch(void *, void *);
int cudaGraphDestroy(void *);
int cudaGraphExecDestroy(void *);
// These have other arguments in another major.
int cudaGraphInstantiate();
int cudaGraphExecUpdate();
int cudaGraphGetEdges();
int cudaGraphNodeGetDependencies();
int cudaGraphNodeGetDependentNodes();
int cudaGraphAddDependencies();
int cudaGraphRemoveDependencies();
int cudaStreamGetCaptureInfo();
int cudaStreamUpdateCaptureDependencies();

typedef struct { unsigned char from, to, type, reserved[5]; } edge_data;
typedef struct { void *dst; size_t pitch; unsigned value, size; size_t width, height; } memset_node;
typedef struct { int result; void *node, *from; } update_info;

static int major;
static void *device, *stream;

static int value(void) {
  int v;
  CHECK(cudaStreamSynchronize(stream) == 0);
  CHECK(cudaMemcpy(&v, device, sizeof v, 2) == 0);
  return v;
}

static void *instantiate(void *graph) {
  void *exec = NULL, *node = &node;
  char text[16] = "untouched";
  if (major < 12) {
    CHECK(cudaGraphInstantiate(&exec, graph, &node, text, sizeof text) == 0);
    CHECK(text[0] == 0);
  } else {
    CHECK(cudaGraphInstantiate(&exec, graph, 0ull) == 0);
    CHECK(cudaGraphInstantiate(&node, graph, 1ull << 40) == 1);
  }
  CHECK(exec);
  return exec;
}

static void update(void *exec, void *graph, int code, int result) {
  update_info i = {99, &i, &i};
  if (major < 12) {
    CHECK(cudaGraphExecUpdate(exec, graph, &i.node, &i.result) == code);
  } else {
    CHECK(cudaGraphExecUpdate(exec, graph, &i) == code);
    CHECK(i.from == NULL);
  }
  CHECK(i.result == result && i.node == NULL);
}

static void edges(void) {
  void *graph, *a, *b, *from, *to, *got = NULL;
  size_t n = 1;
  edge_data data = {0}, told = {7, 7, 7, {7}};
  CHECK(cudaGraphCreate(&graph, 0) == 0);
  CHECK(cudaGraphAddEmptyNode(&a, graph, NULL, 0) == 0);
  CHECK(cudaGraphAddEmptyNode(&b, graph, NULL, 0) == 0);
  if (major >= 13) {
    CHECK(cudaGraphAddDependencies(graph, &a, &b, &data, (size_t)1) == 0);
    CHECK(cudaGraphGetEdges(graph, &from, &to, &told, &n) == 0);
    CHECK(memcmp(&told, &data, sizeof data) == 0);
    CHECK(cudaGraphNodeGetDependencies(b, &got, NULL, &n) == 0 && n == 1 && got == a);
    CHECK(cudaGraphNodeGetDependentNodes(a, &got, NULL, &n) == 0 && n == 1 && got == b);
  } else {
    CHECK(cudaGraphAddDependencies(graph, &a, &b, (size_t)1) == 0);
    CHECK(cudaGraphGetEdges(graph, &from, &to, &n) == 0);
    CHECK(cudaGraphNodeGetDependencies(b, &got, &n) == 0 && n == 1 && got == a);
    CHECK(cudaGraphNodeGetDependentNodes(a, &got, &n) == 0 && n == 1 && got == b);
  }
  CHECK(n == 1 && from == a && to == b);
  if (major >= 13)
    CHECK(cudaGraphRemoveDependencies(graph, &a, &b, NULL, (size_t)1) == 0);
  else
    CHECK(cudaGraphRemoveDependencies(graph, &a, &b, (size_t)1) == 0);
  CHECK(cudaGraphDestroy(graph) == 0);
}

static void updates(void) {
  void *graph, *other, *node;
  memset_node m = {.dst = device, .value = 5, .size = 4, .width = 1, .height = 1};
  CHECK(cudaGraphCreate(&graph, 0) == 0 && cudaGraphCreate(&other, 0) == 0);
  CHECK(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &m) == 0);
  void *exec = instantiate(graph);
  update(exec, other, 910, major < 12 ? 6 : 2);
  m.value = 6;
  CHECK(cudaGraphAddMemsetNode(&node, other, NULL, 0, &m) == 0);
  CHECK(cudaGraphLaunch(exec, stream) == 0 && value() == 5);
  update(exec, other, 0, 0);
  CHECK(cudaGraphLaunch(exec, stream) == 0 && value() == 6);
  CHECK(cudaGraphExecDestroy(exec) == 0);
}

static void capture(void) {
  int status = -1;
  unsigned long long id = 0;
  void *graph = NULL, *result = NULL;
  void *const *nodes = NULL;
  const edge_data *data = NULL;
  size_t n = 99;
  CHECK(cudaStreamBeginCapture(stream, 0) == 0);
  CHECK(cudaMemsetAsync(device, 1, 4, stream) == 0);
  if (major >= 13) {
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &data, &n) == 0);
    CHECK(n == 1 && nodes && data && data->type == 0 && graph);
    CHECK(cudaStreamUpdateCaptureDependencies(stream, NULL, NULL, (size_t)0, 1u) == 0);
  } else {
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id) == 0);
    CHECK(cudaStreamUpdateCaptureDependencies(stream, NULL, (size_t)0, 1u) == 0);
  }
  CHECK(status == 1 && id != 0);
  CHECK(cudaMemsetAsync((char *)device + 4, 1, 4, stream) == 0);
  CHECK(cudaStreamEndCapture(stream, &result) == 0 && (major < 13 || result == graph));
  CHECK(cudaMemset(device, 0, 8) == 0);
  void *exec = instantiate(result);
  CHECK(cudaGraphLaunch(exec, stream) == 0 && value() == 0x01010101);
}

int main(void) {
  CHECK(cudaRuntimeGetVersion(&major) == 0);
  major /= 1000;
  CHECK(cudaMalloc(&device, 64) == 0 && cudaStreamCreate(&stream) == 0);
  edges();
  updates();
  capture();
  puts("ok");
  return 0;
}
