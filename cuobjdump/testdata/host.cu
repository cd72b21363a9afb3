// A host program in two translation units, for the fixtures with sections of a
// host file. See README.

#ifdef PART
__device__ int helper(int x) { return x * 5; }
#else
extern __device__ int helper(int);
__global__ void go(int *out) { *out = helper(3); }
int main() { go<<<1, 1>>>(0); }
#endif
