// A template that both units instantiate, and what each offers.
#pragma once

template <class T> __global__ void fill(T *p, T v) { p[threadIdx.x] = v + T(threadIdx.x); }

void first(int *d);
void second(int *d);
