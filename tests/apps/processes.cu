// Children: a shell, a pipe, a fork before CUDA is used and one after.
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

__global__ void set(int *p) { *p = 42; }

// use tries to allocate, launch and copy, and gives the first error.
static int use() {
    int *d = nullptr, v = 0;
    cudaError_t e = cudaMalloc(&d, sizeof v);
    if (e != cudaSuccess) return e;
    set<<<1, 1>>>(d);
    e = cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) return e;
    return v == 42 ? 0 : 100;
}

// forked gives what use() gave in a child.
static int forked() {
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(use());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void commands() {
    std::fflush(stdout);
    int status = std::system("echo from a shell");
    char line[64] = "";
    FILE *p = popen("echo through a pipe", "r");
    if (p && std::fgets(line, sizeof line, p)) std::printf("%s", line);
    std::printf("%d %d\n", status, p ? pclose(p) : -1);
}

int main() {
    commands();
    std::printf("child before: %d\n", forked());
    std::printf("here: %d\n", use());
    commands();
    std::printf("child after: %d\n", forked());
    std::printf("here: %d\n", use());
    return verdict();
}
