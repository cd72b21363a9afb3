// What main.cu uses of other.cu: a variable, functions, and a table of them.
#pragma once

typedef int (*Step)(int);

extern __device__ int base;
extern __constant__ int factor;
extern __device__ Step steps[2];
__device__ int square(int x);
__device__ int deeper(int x, int depth);
