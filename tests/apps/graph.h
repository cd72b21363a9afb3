// What the graph programs share: calls whose result is printed, and names for calls
// whose arguments changed between toolkits.
#pragma once
#include "check.h"
#include <cstring>

// SAY prints a call and the name of what it returned, and clears the last error.
#define SAY(call) say(#call, call)

inline cudaError_t say(const char *what, cudaError_t e) {
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    (void)cudaGetLastError();
    return e;
}

using Node = cudaGraphNode_t;
using Graph = cudaGraph_t;
using Exec = cudaGraphExec_t;

#if CUDART_VERSION >= 13000
#define EDGES nullptr,
#else
#define EDGES
#endif

inline cudaError_t addEdges(Graph g, const Node *from, const Node *to, size_t n) { return cudaGraphAddDependencies(g, from, to, EDGES n); }
inline cudaError_t removeEdges(Graph g, const Node *from, const Node *to, size_t n) { return cudaGraphRemoveDependencies(g, from, to, EDGES n); }
inline cudaError_t getEdges(Graph g, Node *from, Node *to, size_t *n) { return cudaGraphGetEdges(g, from, to, EDGES n); }
inline cudaError_t dependencies(Node node, Node *all, size_t *n) { return cudaGraphNodeGetDependencies(node, all, EDGES n); }
inline cudaError_t dependents(Node node, Node *all, size_t *n) { return cudaGraphNodeGetDependentNodes(node, all, EDGES n); }

inline cudaError_t updateDependencies(cudaStream_t s, Node *nodes, size_t n, unsigned flags) {
#if CUDART_VERSION >= 13000
    return cudaStreamUpdateCaptureDependencies(s, nodes, nullptr, n, flags);
#else
    return cudaStreamUpdateCaptureDependencies(s, nodes, n, flags);
#endif
}

inline cudaError_t captureInfo(cudaStream_t s, cudaStreamCaptureStatus *status, unsigned long long *id, Graph *graph, const Node **nodes, size_t *n) {
#if CUDART_VERSION >= 13000
    return cudaStreamGetCaptureInfo(s, status, id, graph, nodes, nullptr, n);
#else
    return cudaStreamGetCaptureInfo_v2(s, status, id, graph, nodes, n);
#endif
}

inline cudaError_t instantiate(Exec *exec, Graph graph, unsigned long long flags = 0) { return cudaGraphInstantiateWithFlags(exec, graph, flags); }

// update is cudaGraphExecUpdate; it prints the result and whether a node is named.
inline cudaError_t update(Exec exec, Graph graph) {
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t e = cudaGraphExecUpdate(exec, graph, &info);
    std::printf("  update result %d, node %d, from %d\n", info.result, info.errorNode != nullptr, info.errorFromNode != nullptr);
#else
    Node node = nullptr;
    cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
    cudaError_t e = cudaGraphExecUpdate(exec, graph, &node, &result);
    std::printf("  update result %d, node %d\n", result, node != nullptr);
#endif
    return e;
}

// kernelNode describes a launch of f with one argument.
template <class F> cudaKernelNodeParams kernelNode(F f, void **args, unsigned grid = 1, unsigned block = 1) {
    cudaKernelNodeParams p = {};
    p.func = reinterpret_cast<void *>(f);
    p.gridDim = dim3(grid);
    p.blockDim = dim3(block);
    p.kernelParams = args;
    return p;
}

// shape prints how many nodes, roots and edges a graph has, and its types in order.
inline void shape(const char *what, Graph g) {
    size_t nodes = 0, roots = 0, edges = 0;
    OK(cudaGraphGetNodes(g, nullptr, &nodes));
    OK(cudaGraphGetRootNodes(g, nullptr, &roots));
    OK(getEdges(g, nullptr, nullptr, &edges));
    std::printf("%s: %zu nodes, %zu roots, %zu edges, types", what, nodes, roots, edges);
    std::vector<Node> all(nodes), from(edges), to(edges);
    OK(cudaGraphGetNodes(g, all.data(), &nodes));
    if (edges) OK(getEdges(g, from.data(), to.data(), &edges));
    for (Node n : all) {
        cudaGraphNodeType type;
        OK(cudaGraphNodeGetType(n, &type));
        std::printf(" %d", type);
    }
    auto index = [&](Node n) {
        for (size_t i = 0; i < all.size(); i++)
            if (all[i] == n) return int(i);
        return -1;
    };
    std::printf(", edges");
    for (size_t i = 0; i < edges; i++) std::printf(" %d-%d", index(from[i]), index(to[i]));
    std::printf("\n");
}
