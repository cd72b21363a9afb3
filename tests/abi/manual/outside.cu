#include "manual.h"

// What needs something beside CUDA: graphics, other drivers.
extern "C" {
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **, unsigned, unsigned);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **, unsigned, unsigned, unsigned);
cudaError_t cudaGLGetDevices(unsigned *, int *, unsigned, int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(unsigned);
cudaError_t cudaGLUnregisterBufferObject(unsigned);
cudaError_t cudaGLMapBufferObject(void **, unsigned);
cudaError_t cudaGLUnmapBufferObject(unsigned);
cudaError_t cudaGraphicsEGLRegisterImage(cudaGraphicsResource **, void *, unsigned);
cudaError_t cudaEGLStreamConsumerConnect(void *, void *);
cudaError_t cudaEventCreateFromEGLSync(cudaEvent_t *, void *, unsigned);
cudaError_t cudaVDPAUGetDevice(int *, unsigned, void *);
cudaError_t cudaVDPAUSetVDPAUDevice(int, unsigned, void *);
}

CHAPTER(outside_graphics) {
  cudaGraphicsResource_t r = nullptr;
  unsigned n = 0;
  int devices[4];
  void *p = nullptr;
  size_t z = 0;
  cudaArray_t a = nullptr;
  cudaMipmappedArray_t m = nullptr;
  C(cudaGraphicsGLRegisterBuffer(&r, 1, 0));
  C(cudaGraphicsGLRegisterImage(&r, 1, 0x0DE1, 0));
  C(cudaGLGetDevices(&n, devices, 4, 1));
  C(cudaGraphicsMapResources(0, nullptr, 0));
  C(cudaGraphicsUnmapResources(0, nullptr, 0));
  C(cudaGraphicsMapResources(1, nullptr, 0));
  C(cudaGraphicsUnregisterResource(nullptr));
  C(cudaGraphicsResourceSetMapFlags(nullptr, 0));
  C(cudaGraphicsResourceGetMappedPointer(&p, &z, nullptr));
  C(cudaGraphicsSubResourceGetMappedArray(&a, nullptr, 0, 0));
  C(cudaGraphicsResourceGetMappedMipmappedArray(&m, nullptr));
  C(cudaGLSetGLDevice(0));
  C(cudaGLRegisterBufferObject(1));
  C(cudaGLMapBufferObject(&p, 1));
  C(cudaGLUnmapBufferObject(1));
  C(cudaGLUnregisterBufferObject(1));
}

CHAPTER(outside_egl) {
  cudaGraphicsResource_t r = nullptr;
  cudaEvent_t e = nullptr;
  C(cudaGraphicsEGLRegisterImage(&r, nullptr, 0));
  C(cudaEventCreateFromEGLSync(&e, nullptr, 0));
}

CHAPTER(outside_external) {
  cudaExternalMemory_t x = nullptr;
  cudaExternalSemaphore_t s = nullptr;
  cudaExternalMemoryHandleDesc d;
  cudaExternalSemaphoreHandleDesc e;
  memset(&d, 0, sizeof d);
  memset(&e, 0, sizeof e);
  for (int type = 0; type < 12; type++) {
    d.type = (cudaExternalMemoryHandleType)type;
    d.handle.fd = -1;
    d.size = 4096;
    V("memory of type %d: %d", type, cudaImportExternalMemory(&x, &d));
  }
  for (int type = 0; type < 14; type++) {
    e.type = (cudaExternalSemaphoreHandleType)type;
    e.handle.fd = -1;
    V("semaphore of type %d: %d", type, cudaImportExternalSemaphore(&s, &e));
  }
  C(cudaImportExternalMemory(nullptr, &d));
  C(cudaImportExternalMemory(&x, nullptr));
  C(cudaDestroyExternalMemory(nullptr));
  C(cudaDestroyExternalSemaphore(nullptr));
  void *p = nullptr;
  cudaExternalMemoryBufferDesc b;
  memset(&b, 0, sizeof b);
  C(cudaExternalMemoryGetMappedBuffer(&p, nullptr, &b));
  C(cudaSignalExternalSemaphoresAsync(nullptr, nullptr, 0, 0));
  C(cudaWaitExternalSemaphoresAsync(nullptr, nullptr, 0, 0));
  C(cudaDeviceGetNvSciSyncAttributes(nullptr, 0, cudaNvSciSyncAttrSignal));
}

#if CUDART_VERSION >= 13000
static void logged(void *, cudaLogLevel, char *, size_t) {}

CHAPTER(outside_logs) {
  cudaLogsCallbackHandle h = nullptr;
  cudaLogIterator i = 0, j = 0;
  char text[4096];
  size_t n = sizeof text;
  C(cudaLogsRegisterCallback(logged, nullptr, &h));
  V("handle %d", h != nullptr);
  C(cudaLogsRegisterCallback(nullptr, nullptr, &h));
  C(cudaLogsRegisterCallback(logged, nullptr, nullptr));
  C(cudaLogsCurrent(&i, 0));
  C(cudaLogsCurrent(&i, 1));
  C(cudaLogsCurrent(nullptr, 0));
  C(cudaSetDevice(99));
  C(cudaMemcpy(nullptr, nullptr, 1, cudaMemcpyDefault));
  C(cudaLogsCurrent(&j, 0));
  C(cudaLogsDumpToMemory(&i, text, &n, 0));
  V("some text %d", n > 0);
  printf("--- text of the log\n%.*s\n---\n", (int)n, text);
  n = 10;
  C(cudaLogsDumpToMemory(nullptr, text, &n, 0));
  V("%zu", n);
  n = sizeof text;
  C(cudaLogsDumpToMemory(nullptr, text, &n, 1));
  C(cudaLogsDumpToMemory(nullptr, nullptr, &n, 0));
  C(cudaLogsDumpToMemory(nullptr, text, nullptr, 0));
  C(cudaLogsDumpToFile(nullptr, "/nonexistent/place", 0));
  C(cudaLogsDumpToFile(nullptr, "/dev/null", 0));
  C(cudaLogsDumpToFile(nullptr, nullptr, 0));
  C(cudaLogsUnregisterCallback(h));
  C(cudaLogsUnregisterCallback(nullptr));
}
#endif
