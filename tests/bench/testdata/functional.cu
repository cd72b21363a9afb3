// Programs that another simulator runs as well (scripts/record/gpgpusim.sh):
//
//   functional gemm|stencil|pathfinder|bfs
//
// Each launches once to warm up, then prints the seconds that its launches and
// the copies among them took by the clock on the wall and by the process's
// processor time, and a checksum of the result, which is checked.
#include "../../apps/check.h"

#include <cstring>

#include <sys/resource.h>
#include <time.h>

static Random drawn(12345);

// span measures from its making to its report.
struct span {
    timespec wall;
    rusage used;
    span() { clock_gettime(CLOCK_MONOTONIC, &wall), getrusage(RUSAGE_SELF, &used); }
    static double seconds(const rusage &u) {
        return u.ru_utime.tv_sec + u.ru_stime.tv_sec + 1e-6 * (u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    }
    // report prints what has passed and the checksum of what was computed.
    template <class T> std::vector<T> report(const T *result, size_t n) const {
        span end;
        std::vector<T> v = host(result, n);
        std::printf("\ntook wall %.6f cpu %.6f checksum %08x\n",
                    end.wall.tv_sec - wall.tv_sec + 1e-9 * (end.wall.tv_nsec - wall.tv_nsec), seconds(end.used) - seconds(used), checksum(v));
        return v;
    }
};

// ---- C = A*B, a thread an element

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

static void gemm() {
    const int n = 256;
    std::vector<float> a(n * n), b(n * n), want(n * n);
    for (int i = 0; i < n * n; i++) a[i] = int(drawn.below(16)) - 8, b[i] = int(drawn.below(16)) - 8;
    float *da = device(a), *db = device(b), *dc = device<float>(n * n);
    multiply<<<dim3(1, 1), dim3(32, 8)>>>(da, db, dc, n);
    OK(cudaDeviceSynchronize());
    span s;
    multiply<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(da, db, dc, n);
    OK(cudaDeviceSynchronize());
    auto got = s.report(dc, n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) want[i * n + j] += a[i * n + k] * b[k * n + j]; // exact: small integers
    equal("gemm", got, want);
}

// ---- heat spreads on a chip: tiles with a border, two steps a launch

const int tile = 16, steps = 2;

__global__ void heat(const float *power, const float *from, float *to, int n) {
    __shared__ float t[2][tile][tile];
    const int inner = tile - 2 * steps, tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * inner + tx - steps, y = blockIdx.y * inner + ty - steps;
    const bool inside = x >= 0 && y >= 0 && x < n && y < n;
    float p = 0;
    if (inside) {
        t[0][ty][tx] = from[y * n + x];
        p = power[y * n + x];
    }
    __syncthreads();
    const int w = x <= 0 ? tx : tx - 1, e = x >= n - 1 ? tx : tx + 1, u = y <= 0 ? ty : ty - 1, d = y >= n - 1 ? ty : ty + 1;
    int now = 0;
    for (int i = 1; i <= steps; i++, now ^= 1) {
        if (inside && tx >= i && tx < tile - i && ty >= i && ty < tile - i) {
            float c = t[now][ty][tx];
            t[now ^ 1][ty][tx] = c + 0.05f * (p + (t[now][u][tx] + t[now][d][tx] - 2 * c) + (t[now][ty][w] + t[now][ty][e] - 2 * c) + 0.1f * (80 - c));
        }
        __syncthreads();
    }
    if (inside && tx >= steps && tx < tile - steps && ty >= steps && ty < tile - steps) to[y * n + x] = t[now][ty][tx];
}

static void stencil() {
    const int n = 512, launches = 4, blocks = (n + tile - 2 * steps - 1) / (tile - 2 * steps);
    std::vector<float> power(n * n), temperature(n * n), next(n * n);
    for (int i = 0; i < n * n; i++) power[i] = drawn.below(1024) / 1024.0f, temperature[i] = 60 + drawn.below(40);
    float *dp = device(power), *a = device(temperature), *b = device<float>(n * n);
    heat<<<dim3(1, 1), dim3(tile, tile)>>>(dp, a, b, n);
    OK(cudaDeviceSynchronize());
    span s;
    for (int i = 0; i < launches; i++) {
        heat<<<dim3(blocks, blocks), dim3(tile, tile)>>>(dp, a, b, n);
        std::swap(a, b);
    }
    OK(cudaDeviceSynchronize());
    auto got = s.report(a, n * n);
    for (int i = 0; i < launches * steps; i++, temperature.swap(next))
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                auto at = [&](int y, int x) { return temperature[(y < 0 ? 0 : y >= n ? n - 1 : y) * n + (x < 0 ? 0 : x >= n ? n - 1 : x)]; };
                float c = at(y, x);
                next[y * n + x] = c + 0.05f * (power[y * n + x] + (at(y - 1, x) + at(y + 1, x) - 2 * c) + (at(y, x - 1) + at(y, x + 1) - 2 * c) + 0.1f * (80 - c));
            }
    for (int i = 0; i < n * n; i++)
        if (got[i] - temperature[i] > 1e-3f || temperature[i] - got[i] > 1e-3f) return expect(false, "stencil");
}

// ---- the cheapest way from row to row of a grid, many rows a launch

const int width = 256, rows = 20;

__global__ void descend(const int *cost, const int *from, int *to, int cols, int row, int count) {
    __shared__ int s[2][width];
    const int inner = width - 2 * rows, t = threadIdx.x, x = blockIdx.x * inner + t - rows;
    const bool inside = x >= 0 && x < cols;
    if (inside) s[0][t] = from[x];
    __syncthreads();
    const int w = x <= 0 ? t : t - 1, e = x >= cols - 1 ? t : t + 1;
    int now = 0;
    for (int i = 0; i < count; i++, now ^= 1) {
        if (inside && t > i && t < width - 1 - i) s[now ^ 1][t] = min(min(s[now][w], s[now][t]), s[now][e]) + cost[(row + i) * cols + x];
        __syncthreads();
    }
    if (inside && t >= rows && t < width - rows) to[x] = s[now][t];
}

static void pathfinder() {
    const int cols = 20000, height = 101, blocks = (cols + width - 2 * rows - 1) / (width - 2 * rows);
    std::vector<int> cost(cols * height);
    for (int &c : cost) c = drawn.below(10);
    int *dc = device(cost), *a = device(std::vector<int>(cost.begin(), cost.begin() + cols)), *b = device<int>(cols);
    descend<<<1, width>>>(dc, a, b, cols, 1, rows);
    OK(cudaDeviceSynchronize());
    span s;
    for (int row = 1; row < height; row += rows) {
        descend<<<blocks, width>>>(dc, a, b, cols, row, rows < height - row ? rows : height - row);
        std::swap(a, b);
    }
    OK(cudaDeviceSynchronize());
    auto got = s.report(a, cols);
    std::vector<int> best(cost.begin(), cost.begin() + cols), next(cols);
    for (int row = 1; row < height; row++, best.swap(next))
        for (int x = 0; x < cols; x++) {
            int m = best[x];
            if (x > 0 && best[x - 1] < m) m = best[x - 1];
            if (x < cols - 1 && best[x + 1] < m) m = best[x + 1];
            next[x] = m + cost[row * cols + x];
        }
    equal("pathfinder", got, best);
}

// ---- breadth-first search, level by level, until a level finds nothing

struct node {
    int first, count;
};

__global__ void visit(const node *nodes, const int *edges, char *frontier, char *updating, const char *visited, int *depth, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || !frontier[v]) return;
    frontier[v] = 0;
    for (int i = nodes[v].first; i < nodes[v].first + nodes[v].count; i++) {
        int w = edges[i];
        if (!visited[w]) {
            depth[w] = depth[v] + 1;
            updating[w] = 1;
        }
    }
}

__global__ void advance(char *frontier, char *updating, char *visited, char *again, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || !updating[v]) return;
    frontier[v] = 1;
    visited[v] = 1;
    *again = 1;
    updating[v] = 0;
}

static void bfs() {
    const int n = 65536, block = 512;
    std::vector<node> nodes(n);
    std::vector<int> edges;
    for (int v = 0; v < n; v++) {
        nodes[v] = {(int)edges.size(), 2 + int(drawn.below(9))};
        for (int i = 0; i < nodes[v].count; i++) edges.push_back(drawn.below(n));
    }
    std::vector<char> mark(n);
    std::vector<int> depth(n, -1), want(n, -1);
    mark[0] = 1, depth[0] = want[0] = 0;
    node *dn = device(nodes);
    int *de = device(edges), *dd = device(depth);
    char *frontier = device(mark), *visited = device(mark), *updating = device<char>(n), *flag = device<char>(1), again;
    visit<<<1, block>>>(dn, de, updating, updating, visited, dd, n); // an empty frontier
    advance<<<1, block>>>(frontier, updating, visited, flag, n);
    OK(cudaDeviceSynchronize());
    span s;
    do {
        again = 0;
        OK(cudaMemcpy(flag, &again, 1, cudaMemcpyHostToDevice));
        visit<<<n / block, block>>>(dn, de, frontier, updating, visited, dd, n);
        advance<<<n / block, block>>>(frontier, updating, visited, flag, n);
        OK(cudaMemcpy(&again, flag, 1, cudaMemcpyDeviceToHost));
    } while (again);
    auto got = s.report(dd, n);
    std::vector<int> queue = {0};
    for (size_t i = 0; i < queue.size(); i++)
        for (int v = queue[i], e = nodes[v].first; e < nodes[v].first + nodes[v].count; e++)
            if (want[edges[e]] < 0) want[edges[e]] = want[v] + 1, queue.push_back(edges[e]);
    equal("bfs", got, want);
}

int main(int argc, char **argv) {
    const struct { const char *name; void (*run)(); } all[] = {{"gemm", gemm}, {"stencil", stencil}, {"pathfinder", pathfinder}, {"bfs", bfs}};
    for (auto &x : all)
        if (argc == 2 && !std::strcmp(argv[1], x.name)) return x.run(), verdict();
    std::fprintf(stderr, "usage: functional gemm|stencil|pathfinder|bfs\n");
    return 2;
}
