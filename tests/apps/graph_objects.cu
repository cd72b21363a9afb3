// User objects that graphs keep alive, and when their destructors run.
#include "graph.h"
#include <atomic>
#include <chrono>
#include <thread>

__global__ void add(int *p) { atomicAdd(p, 1); }

static std::atomic<int> destroyed[8];
static void destroy(void *p) { ++*static_cast<std::atomic<int> *>(p); }

// settled waits for destructors, which run on a thread of their own.
static int settled(int i, int want) {
    for (int k = 0; k < 1000 && destroyed[i] < want; k++) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return destroyed[i];
}

static cudaUserObject_t object(int i, unsigned count = 1) {
    cudaUserObject_t o;
    OK(cudaUserObjectCreate(&o, &destroyed[i], destroy, count, cudaUserObjectNoDestructorSync));
    return o;
}

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    int *d = device<int>(1);
    cudaUserObject_t o = nullptr;
    SAY(cudaUserObjectCreate(nullptr, &destroyed[7], destroy, 1, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&o, &destroyed[7], nullptr, 1, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&o, &destroyed[7], destroy, 0, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&o, &destroyed[7], destroy, 1, 0));
    SAY(cudaUserObjectCreate(&o, &destroyed[7], destroy, 1, 4));
    SAY(cudaUserObjectCreate(&o, nullptr, destroy, 0x80000000u, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectRetain(nullptr, 1));
    SAY(cudaUserObjectRelease(nullptr, 1));

    o = object(0);
    SAY(cudaUserObjectRetain(o, 2));
    SAY(cudaUserObjectRetain(o, 0));
    SAY(cudaUserObjectRelease(o, 0));
    SAY(cudaUserObjectRelease(o, 2));
    std::printf("alive %d\n", int(destroyed[0]));
    SAY(cudaUserObjectRelease(o, 1));
    std::printf("gone %d\n", settled(0, 1));

    Graph g, clone;
    Exec exec;
    OK(cudaGraphCreate(&g, 0));
    void *args[] = {&d};
    cudaKernelNodeParams k = kernelNode(add, args);
    Node n;
    OK(cudaGraphAddKernelNode(&n, g, nullptr, 0, &k));
    o = object(1);
    SAY(cudaGraphRetainUserObject(g, o, 1, 0));
    SAY(cudaGraphRetainUserObject(g, o, 0, 0));
    SAY(cudaGraphRetainUserObject(g, nullptr, 1, 0));
    SAY(cudaGraphRetainUserObject(nullptr, o, 1, 0));
    SAY(cudaGraphRetainUserObject(g, o, 1, 8));
    SAY(cudaUserObjectRelease(o, 1));
    std::printf("held by the graph %d\n", int(destroyed[1]));
    SAY(cudaGraphReleaseUserObject(g, o, 1));
    std::printf("released by the graph %d\n", settled(1, 1));

    o = object(2, 3);
    SAY(cudaGraphRetainUserObject(g, o, 3, cudaGraphUserObjectMove));
    SAY(cudaGraphReleaseUserObject(g, o, 2));
    std::printf("one is left %d\n", int(destroyed[2]));
    OK(cudaGraphClone(&clone, g));
    SAY(cudaGraphReleaseUserObject(g, o, 1));
    std::printf("held by the clone %d\n", int(destroyed[2]));
    OK(instantiate(&exec, clone));
    SAY(cudaGraphDestroy(clone));
    std::printf("held by the executable %d\n", int(destroyed[2]));
    OK(cudaGraphLaunch(exec, nullptr));
    SAY(cudaGraphExecDestroy(exec));
    OK(cudaDeviceSynchronize());
    std::printf("nobody holds it %d\n", settled(2, 1));

    o = object(3);
    SAY(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    SAY(cudaGraphDestroy(g));
    std::printf("gone with the graph %d\n", settled(3, 1));
    std::printf("never %d\n", int(destroyed[7]));
    return verdict();
}
