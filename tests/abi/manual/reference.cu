#include "manual.h"

#if CUDART_VERSION < 12000
texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<float, cudaTextureType2D, cudaReadModeElementType> mipmapped;
surface<void, 2> face;

__global__ void fetch(float *out) {
  out[0] = tex1Dfetch(line, 3);
  out[1] = tex2D(plane, 1.5f, 2.5f);
  out[2] = tex2D(bytes, 1.5f, 2.5f);
}

CHAPTER(reference_bind) {
  float *d, *out, host[64];
  size_t offset = 99, pitch;
  for (int i = 0; i < 64; i++) host[i] = i;
  C(cudaMalloc(&d, 4096));
  C(cudaMalloc(&out, 64));
  C(cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice));
  C(cudaBindTexture(&offset, line, d, 256));
  V("offset %zu", offset);
  C(cudaBindTexture(&offset, line, (char *)d + 4, 100));
  V("offset %zu", offset);
  C(cudaBindTexture(nullptr, line, (char *)d + 4, 100));
  C(cudaGetTextureAlignmentOffset(&offset, line));
  V("offset %zu", offset);
  C(cudaBindTexture(&offset, line, d));
  C(cudaBindTexture(&offset, line, WILD, 100));
  C(cudaBindTexture(&offset, line, d, 0));
  C(cudaUnbindTexture(line));
  C(cudaGetTextureAlignmentOffset(&offset, line));
  C(cudaUnbindTexture(line));
  C(cudaBindTexture(&offset, line, d, 256));
  cudaArray_t a, b;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), u = cudaCreateChannelDesc<unsigned char>();
  C(cudaMallocArray(&a, &f, 8, 8));
  C(cudaMallocArray(&b, &u, 8, 8, cudaArraySurfaceLoadStore));
  C(cudaMemcpyToArray(a, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
  C(cudaMemcpyToArray(b, 0, 0, host, 64, cudaMemcpyHostToDevice));
  C(cudaBindTextureToArray(plane, a));
  C(cudaBindTextureToArray(bytes, b));
  C(cudaBindTextureToArray(plane, b));
  C(cudaBindTextureToArray(plane, a));
  C(cudaBindTextureToArray(plane, (cudaArray_const_t) nullptr));
  C(cudaBindTextureToArray(plane, a));
  LAUNCH(fetch<<<1, 1>>>(out));
  float got[3] = {0, 0, 0};
  C(cudaMemcpy(got, out, 12, cudaMemcpyDeviceToHost));
  V("%g %g %g", got[0], got[1], got[2]);
  const textureReference *t = nullptr;
  C(cudaGetTextureReference(&t, &line));
  V("own address %d, filter %d, channel %d %d", t == (const textureReference *)&line, t ? t->filterMode : -1, t ? t->channelDesc.x : -1, t ? t->channelDesc.f : -1);
  C(cudaGetTextureReference(&t, d));
  const surfaceReference *s = nullptr;
  C(cudaGetSurfaceReference(&s, &face));
  C(cudaGetSurfaceReference(&s, d));
  C(cudaBindSurfaceToArray(face, b));
  C(cudaBindSurfaceToArray(face, a));
  C(cudaMallocPitch(&d, &pitch, 64, 4));
  C(cudaBindTexture2D(&offset, plane, d, 16, 4, pitch));
  V("offset %zu", offset);
  C(cudaBindTexture2D(&offset, plane, (char *)d + 32, 8, 4, pitch));
  V("offset %zu", offset);
  C(cudaBindTexture2D(&offset, plane, d, 16, 4, 60));
  cudaMipmappedArray_t m;
  C(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(16, 16, 0), 3));
  C(cudaBindTextureToMipmappedArray(mipmapped, m));
  C(cudaUnbindTexture(mipmapped));
}
#endif
