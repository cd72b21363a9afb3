// Chapters of the driver's interface that meet something outside the device: graphics, other drivers, other processes.
#include "driver_chapters.h"

static CUcontext context;
static char host[4096];

static void begin(void) {
  if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0))
    puts("not prepared");
}

// ---- graphics

CUresult cuGLCtxCreate(CUcontext *, unsigned, CUdevice), cuGLCtxCreate_v2(CUcontext *, unsigned, CUdevice), cuGLInit(void);
CUresult cuGLGetDevices(unsigned *, CUdevice *, unsigned, int), cuGLGetDevices_v2(unsigned *, CUdevice *, unsigned, int);
CUresult cuGLRegisterBufferObject(unsigned), cuGLUnregisterBufferObject(unsigned), cuGLSetBufferObjectMapFlags(unsigned, unsigned);
CUresult cuGLMapBufferObject(unsigned *, unsigned *, unsigned), cuGLMapBufferObject_v2(CUdeviceptr *, size_t *, unsigned);
CUresult cuGLMapBufferObjectAsync(unsigned *, unsigned *, unsigned, CUstream);
CUresult cuGLMapBufferObjectAsync_v2(CUdeviceptr *, size_t *, unsigned, CUstream), cuGLUnmapBufferObject(unsigned);
CUresult cuGLUnmapBufferObjectAsync(unsigned, CUstream), cuGraphicsGLRegisterBuffer(CUhandle *, unsigned, unsigned);
CUresult cuGraphicsGLRegisterImage(CUhandle *, unsigned, unsigned, unsigned);

static void gl(void) {
  unsigned n = 7, size, low;
  CUdevice devices[4];
  CUcontext c = 0;
  CUdeviceptr p;
  CUhandle r;
  size_t bytes;
  begin();
  R(cuGLGetDevices(&n, devices, 4, 1));
  R(cuGLGetDevices_v2(&n, devices, 4, 1));
  R(cuGLGetDevices_v2(&n, devices, 4, 2));
  R(cuGLGetDevices_v2(&n, devices, 4, 9));
  R(cuGLGetDevices_v2(NULL, devices, 4, 1));
  R(cuGLInit());
  R(cuGLRegisterBufferObject(1));
  R(cuGLSetBufferObjectMapFlags(1, 0));
  R(cuGLSetBufferObjectMapFlags(1, 9));
  R(cuGLMapBufferObject(&low, &size, 1));
  R(cuGLMapBufferObject_v2(&p, &bytes, 1));
  R(cuGLMapBufferObjectAsync(&low, &size, 1, 0));
  R(cuGLMapBufferObjectAsync_v2(&p, &bytes, 1, 0));
  R(cuGLUnmapBufferObject(1));
  R(cuGLUnmapBufferObjectAsync(1, 0));
  R(cuGLUnregisterBufferObject(1));
  R(cuGraphicsGLRegisterBuffer(&r, 1, 0));
  R(cuGraphicsGLRegisterBuffer(&r, 1, 99));
  R(cuGraphicsGLRegisterBuffer(NULL, 1, 0));
  R(cuGraphicsGLRegisterImage(&r, 1, 0x0de1, 0));
  R(cuGLCtxCreate_v2(&c, 0, 0));
  R(cuGLCtxCreate(&c, 0, 0));
  R(cuGLCtxCreate_v2(&c, 0, 99));
  R(cuGLCtxCreate_v2(NULL, 0, 0));
}

CUresult cuGraphicsMapResources(unsigned, CUhandle *, CUstream), cuGraphicsUnmapResources(unsigned, CUhandle *, CUstream);
CUresult cuGraphicsUnregisterResource(CUhandle), cuGraphicsResourceSetMapFlags(CUhandle, unsigned);
CUresult cuGraphicsResourceSetMapFlags_v2(CUhandle, unsigned), cuGraphicsResourceGetMappedPointer(unsigned *, unsigned *, CUhandle);
CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *, size_t *, CUhandle);
CUresult cuGraphicsSubResourceGetMappedArray(CUarray *, CUhandle, unsigned, unsigned);
CUresult cuGraphicsResourceGetMappedMipmappedArray(CUhandle *, CUhandle);
CUresult cuGraphicsResourceGetMappedEglFrame(void *, CUhandle, unsigned, unsigned);

static void resources(void) {
  CUhandle none = 0, a;
  CUdeviceptr p;
  unsigned low, size;
  size_t bytes;
  begin();
  R(cuGraphicsMapResources(0, NULL, 0));
  R(cuGraphicsMapResources(1, NULL, 0));
  R(cuGraphicsMapResources(1, &none, 0));
  R(cuGraphicsUnmapResources(0, NULL, 0));
  R(cuGraphicsUnmapResources(1, &none, 0));
  R(cuGraphicsUnregisterResource(0));
  R(cuGraphicsResourceSetMapFlags(0, 0));
  R(cuGraphicsResourceSetMapFlags_v2(0, 0));
  R(cuGraphicsResourceGetMappedPointer(&low, &size, 0));
  R(cuGraphicsResourceGetMappedPointer_v2(&p, &bytes, 0));
  R(cuGraphicsSubResourceGetMappedArray(&a, 0, 0, 0));
  R(cuGraphicsResourceGetMappedMipmappedArray(&a, 0));
  R(cuGraphicsResourceGetMappedEglFrame(host, 0, 0, 0));
}

CUresult cuVDPAUGetDevice(CUdevice *, unsigned, void *), cuVDPAUCtxCreate(CUcontext *, unsigned, CUdevice, unsigned, void *);
CUresult cuVDPAUCtxCreate_v2(CUcontext *, unsigned, CUdevice, unsigned, void *);
CUresult cuGraphicsVDPAURegisterVideoSurface(CUhandle *, unsigned, unsigned), cuGraphicsVDPAURegisterOutputSurface(CUhandle *, unsigned, unsigned);

static int address(unsigned d, unsigned id, void **to) {
  (void)d, (void)id, (void)to;
  return 1;
}

static void vdpau(void) {
  CUdevice d;
  CUcontext c;
  CUhandle r;
  begin();
  R(cuVDPAUGetDevice(&d, 0, (void *)address));
  R(cuVDPAUGetDevice(NULL, 0, (void *)address));
  R(cuVDPAUGetDevice(&d, 0, NULL));
  R(cuVDPAUCtxCreate_v2(&c, 0, 0, 0, (void *)address));
  R(cuVDPAUCtxCreate(&c, 0, 0, 0, (void *)address));
  R(cuVDPAUCtxCreate_v2(NULL, 0, 0, 0, (void *)address));
  R(cuGraphicsVDPAURegisterVideoSurface(&r, 1, 0));
  R(cuGraphicsVDPAURegisterOutputSurface(&r, 1, 0));
}

CUresult cuGraphicsEGLRegisterImage(CUhandle *, void *, unsigned);
CUresult cuEGLStreamConsumerConnect(void **, void *), cuEGLStreamConsumerConnectWithFlags(void **, void *, unsigned);
CUresult cuEGLStreamConsumerDisconnect(void **), cuEGLStreamConsumerAcquireFrame(void **, CUhandle *, CUstream *, unsigned);
CUresult cuEGLStreamConsumerReleaseFrame(void **, CUhandle, CUstream *), cuEGLStreamProducerConnect(void **, void *, int, int);
CUresult cuEGLStreamProducerDisconnect(void **), cuEGLStreamProducerReturnFrame(void **, void *, CUstream *);

static void egl(void) {
  CUhandle r;
  void *connection = NULL;
  begin();
  R(cuGraphicsEGLRegisterImage(&r, host, 0));
  R(cuGraphicsEGLRegisterImage(&r, NULL, 0));
  R(cuEGLStreamConsumerConnect(&connection, host));
  R(cuEGLStreamConsumerConnect(&connection, NULL));
  R(cuEGLStreamConsumerConnectWithFlags(&connection, host, 0));
  R(cuEGLStreamProducerConnect(&connection, host, 64, 64));
  R(cuEGLStreamConsumerConnect(NULL, host));
}

CUresult cuEGLStreamProducerPresentFrame(void **, const void *, CUstream *);
static void eglFrames(void) {
  CUstream s = 0;
  CUhandle r = 0;
  void *connection = NULL;
  begin();
  R(cuEGLStreamConsumerDisconnect(NULL));
  R(cuEGLStreamProducerDisconnect(NULL));
  R(cuEGLStreamConsumerAcquireFrame(NULL, &r, &s, 0));
  R(cuEGLStreamConsumerReleaseFrame(NULL, r, &s));
  R(cuEGLStreamProducerReturnFrame(NULL, host, &s));
  R(cuEGLStreamConsumerDisconnect(&connection));
  R(cuEGLStreamProducerDisconnect(&connection));
  R(cuEGLStreamConsumerAcquireFrame(&connection, &r, &s, 0));
  R(cuEGLStreamConsumerReleaseFrame(&connection, r, &s));
  R(cuEGLStreamProducerReturnFrame(&connection, host, &s));
}

// ---- memory and semaphores of other drivers

typedef struct {
  int type, pad;
  uint64_t handle[2];
  uint64_t size;
  unsigned flags, reserved[16];
} memoryHandle;
typedef struct {
  int type, pad;
  uint64_t handle[2];
  unsigned flags, reserved[16];
} semaphoreHandle;
typedef struct {
  uint64_t offset, size;
  unsigned flags, reserved[16];
} bufferPart;

CUresult cuImportExternalMemory(CUhandle *, const memoryHandle *), cuDestroyExternalMemory(CUhandle);
CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *, CUhandle, const bufferPart *);
CUresult cuImportExternalSemaphore(CUhandle *, const semaphoreHandle *), cuDestroyExternalSemaphore(CUhandle);
CUresult cuSignalExternalSemaphoresAsync(const CUhandle *, const void *, unsigned, CUstream);
CUresult cuWaitExternalSemaphoresAsync(const CUhandle *, const void *, unsigned, CUstream);
CUresult cuMemExportToShareableHandle(void *, CUhandle, int, unsigned long long);

static void external(void) {
  enum { M = 1 << 21 };
  CUmemAllocationProp prop = {1, 1, {1, 0}, NULL, {0}};
  CUmemAllocationProp plain = {1, 0, {1, 0}, NULL, {0}};
  memoryHandle m = {1, 0, {(uint64_t)-1, 0}, M, 0, {0}};
  semaphoreHandle k = {1, 0, {(uint64_t)-1, 0}, 0, {0}};
  bufferPart part = {0, M, 0, {0}};
  CUhandle h, x = 0, e;
  CUdeviceptr p = 0, q = 0;
  int fd = -1, other = -1, v = 0;
  begin();
  R(cuImportExternalMemory(&x, &m));
  R(cuImportExternalSemaphore(&x, &k));
  R(cuMemCreate(&h, M, &plain, 0));
  R(cuMemExportToShareableHandle(&fd, h, 1, 0));
  R(cuMemRelease(h));
  R(cuMemCreate(&h, M, &prop, 0));
  R(cuMemExportToShareableHandle(&fd, h, 1, 0));
  R(cuMemExportToShareableHandle(&other, h, 1, 1));
  R(cuMemExportToShareableHandle(NULL, h, 1, 0));
  printf("fds %d\n", fd > 2);
  m.handle[0] = fd;
  R(cuImportExternalMemory(&e, &m));
  R(cuExternalMemoryGetMappedBuffer(&q, e, &part));
  R(cuMemsetD32_v2(q, 77, 4));
  part.size = 2 * M;
  R(cuExternalMemoryGetMappedBuffer(&q, e, &part));
  R(cuMemAddressReserve(&p, M, 0, 0, 0));
  R(cuMemMap(p, M, 0, h, 0));
  CUmemAccessDesc access = {{1, 0}, 3};
  R(cuMemSetAccess(p, M, &access, 1));
  V(cuMemcpyDtoH_v2(&v, p, 4), "%d", v);
  R(cuMemFree_v2(q));
  R(cuDestroyExternalMemory(e));
  m.type = 99;
  R(cuImportExternalMemory(&x, &m));
  m.type = 1, m.size = 0;
  R(cuImportExternalMemory(&x, &m));
  R(cuImportExternalMemory(&x, NULL));
  R(cuImportExternalMemory(NULL, &m));
  R(cuSignalExternalSemaphoresAsync(NULL, NULL, 0, 0));
  R(cuWaitExternalSemaphoresAsync(NULL, NULL, 0, 0));
  R(cuSignalExternalSemaphoresAsync(NULL, NULL, 1, 0));
  R(cuMemRelease(h));
}

typedef struct {
  void *list, *parameters;
  unsigned count;
} semaphoreNode;
CUresult cuGraphCreate(CUgraph *, unsigned);
CUresult cuGraphAddExternalSemaphoresSignalNode(CUhandle *, CUgraph, const CUhandle *, size_t, const semaphoreNode *);
CUresult cuGraphAddExternalSemaphoresWaitNode(CUhandle *, CUgraph, const CUhandle *, size_t, const semaphoreNode *);
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUhandle, semaphoreNode *), cuGraphExternalSemaphoresSignalNodeSetParams(CUhandle, const semaphoreNode *);
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUhandle, semaphoreNode *), cuGraphExternalSemaphoresWaitNodeSetParams(CUhandle, const semaphoreNode *);
CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUhandle, CUhandle, const semaphoreNode *);
CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUhandle, CUhandle, const semaphoreNode *);
CUresult cuGraphInstantiateWithFlags(CUhandle *, CUgraph, unsigned long long), cuGraphLaunch(CUhandle, CUstream);

static void semaphoreNodes(void) {
  CUgraph g;
  CUhandle s = 0, w = 0, exec = 0;
  semaphoreNode p = {NULL, NULL, 0}, got = {&p, &p, 9};
  begin();
  R(cuGraphCreate(&g, 0));
  R(cuGraphAddExternalSemaphoresSignalNode(&s, g, NULL, 0, &p));
  R(cuGraphAddExternalSemaphoresSignalNode(&s, g, NULL, 0, NULL));
  R(cuGraphAddExternalSemaphoresWaitNode(&w, g, &s, 1, &p));
  V(cuGraphExternalSemaphoresSignalNodeGetParams(s, &got), "%u", got.count);
  V(cuGraphExternalSemaphoresWaitNodeGetParams(w, &got), "%u", got.count);
  R(cuGraphExternalSemaphoresWaitNodeGetParams(s, &got));
  R(cuGraphExternalSemaphoresSignalNodeGetParams(s, NULL));
  R(cuGraphExternalSemaphoresSignalNodeSetParams(s, &p));
  R(cuGraphExternalSemaphoresWaitNodeSetParams(w, &p));
  R(cuGraphExternalSemaphoresWaitNodeSetParams(s, &p));
  R(cuGraphInstantiateWithFlags(&exec, g, 0));
  R(cuGraphExecExternalSemaphoresSignalNodeSetParams(exec, s, &p));
  R(cuGraphExecExternalSemaphoresWaitNodeSetParams(exec, w, &p));
  R(cuGraphLaunch(exec, 0));
  R(cuCtxSynchronize());
}

// ---- logs

typedef void (*logged)(void *, int, char *, size_t);
CUresult cuLogsRegisterCallback(logged, void *, CUhandle *), cuLogsUnregisterCallback(CUhandle), cuLogsCurrent(unsigned *, unsigned);
CUresult cuLogsDumpToFile(unsigned *, text, unsigned), cuLogsDumpToMemory(unsigned *, char *, size_t *, unsigned);
static int messages;
static void message(void *user, int level, char *text, size_t length) {
  messages += user == host && level == 0 && length == strlen(text);
}

static void logs(void) {
  CUhandle h = 0;
  CUdeviceptr p;
  unsigned at = 0, later = 0;
  size_t size = sizeof host, two = 2;
  begin();
  R(cuLogsRegisterCallback(NULL, NULL, &h));
  R(cuLogsRegisterCallback(message, host, &h));
  R(cuLogsCurrent(&at, 0));
  R(cuLogsCurrent(NULL, 0));
  R(cuLogsCurrent(&at, 1));
  R(cuMemAlloc_v2(&p, 0));
  printf("messages %d\n", messages);
  R(cuLogsCurrent(&later, 0));
  printf("advanced %u\n", later - at);
  V(cuLogsDumpToMemory(&at, host, &size, 0), "%d", size > 0);
  R(cuLogsDumpToMemory(NULL, host, &two, 0));
  R(cuLogsDumpToMemory(&at, NULL, &size, 0));
  R(cuLogsDumpToMemory(&at, host, NULL, 0));
  size = sizeof host;
  R(cuLogsDumpToMemory(&at, host, &size, 1));
  R(cuLogsDumpToFile(&at, NULL, 0));
  R(cuLogsDumpToFile(&at, "/nowhere/at/all", 0));
  R(cuLogsDumpToFile(NULL, "/dev/null", 0));
  R(cuLogsUnregisterCallback(h));
  R(cuLogsUnregisterCallback(0));
}

// ---- processes

CUresult cuCheckpointProcessGetState(int, int *), cuCheckpointProcessGetRestoreThreadId(int, int *), cuCheckpointProcessLock(int, void *);
CUresult cuCheckpointProcessCheckpoint(int, void *), cuCheckpointProcessRestore(int, void *), cuCheckpointProcessUnlock(int, void *);
#include <unistd.h>

static void checkpoint(void) {
  int state = -1, tid = -1, self = getpid();
  uint64_t arguments[8] = {0};
  begin();
  V(cuCheckpointProcessGetState(self, &state), "%d", state);
  R(cuCheckpointProcessGetState(self, NULL));
  R(cuCheckpointProcessGetState(1 << 22, &state));
  R(cuCheckpointProcessGetState(0, &state));
  R(cuCheckpointProcessGetState(-1, &state));
  V(cuCheckpointProcessGetRestoreThreadId(self, &tid), "%d", tid > 0);
  R(cuCheckpointProcessGetRestoreThreadId(self, NULL));
  R(cuCheckpointProcessGetRestoreThreadId(1 << 22, &tid));
  R(cuCheckpointProcessCheckpoint(self, arguments));
  R(cuCheckpointProcessRestore(self, arguments));
  R(cuCheckpointProcessUnlock(self, arguments));
  R(cuCheckpointProcessLock(1 << 22, arguments));
  arguments[0] = 1000;
  R(cuCheckpointProcessLock(self, arguments));
  V(cuCheckpointProcessGetState(self, &state), "%d", state);
  R(cuCheckpointProcessLock(self, arguments));
  R(cuCheckpointProcessRestore(self, NULL));
  R(cuCheckpointProcessUnlock(self, NULL));
  V(cuCheckpointProcessGetState(self, &state), "%d", state);
  R(cuCtxSynchronize());
}

// ---- coredumps

static void coredump(void) {
  char path[1024] = "core.%p";
  size_t size;
  int n;
  begin();
  for (int a = 0; a < 8; a++) {
    uint64_t v = 0;
    if (a == 6) // the pipe, whose name is the driver's
      continue;
    size = a == 3 || a == 4 ? sizeof path : sizeof n;
    if (a == 3 || a == 4) {
      V(cuCoredumpGetAttribute(a, path, &size), "a %d: %d", a, size > 0);
    } else {
      V(cuCoredumpGetAttribute(a, &v, &size), "a %d: %llu, %zu", a, (unsigned long long)v, size);
    }
  }
  n = 1, size = sizeof n;
  R(cuCoredumpSetAttribute(2, &n, &size));
  size = sizeof n;
  V(cuCoredumpGetAttribute(2, &n, &size), "%d", n);
  n = 1, size = sizeof n;
  R(cuCoredumpSetAttribute(1, &n, &size));
  R(cuCoredumpSetAttribute(99, &n, &size));
  R(cuCoredumpSetAttribute(1, NULL, &size));
  R(cuCoredumpSetAttribute(1, &n, NULL));
  n = 1, size = sizeof n;
  R(cuCoredumpSetAttributeGlobal(1, &n, &size));
  strcpy(path, "core.x"), size = strlen(path) + 1;
  R(cuCoredumpSetAttributeGlobal(3, path, &size));
  size = sizeof path;
  V(cuCoredumpGetAttributeGlobal(3, path, &size), "%s", path);
}

// ---- notifications, atomics, writes of others, handles of ranges

CUresult cuDeviceRegisterAsyncNotification(CUdevice, void *, void *, CUhandle *), cuDeviceUnregisterAsyncNotification(CUdevice, CUhandle);
CUresult cuDeviceGetHostAtomicCapabilities(unsigned *, const int *, unsigned, CUdevice);
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned *, const int *, unsigned, CUdevice, CUdevice);
CUresult cuFlushGPUDirectRDMAWrites(int, int), cuDeviceGetNvSciSyncAttributes(void *, CUdevice, int);
CUresult cuMemGetHandleForAddressRange(void *, CUdeviceptr, size_t, int, unsigned long long);
CUresult cuMemBatchDecompressAsync(void *, size_t, unsigned, size_t *, CUstream);

static void neighbours(void) {
  CUhandle h = 0;
  CUdeviceptr p;
  unsigned caps[16];
  int operations[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, fd = -1;
  size_t failed = 9;
  begin();
  R(cuDeviceRegisterAsyncNotification(0, (void *)neighbours, NULL, &h));
  R(cuDeviceRegisterAsyncNotification(0, NULL, NULL, &h));
  R(cuDeviceRegisterAsyncNotification(99, (void *)neighbours, NULL, &h));
  R(cuDeviceUnregisterAsyncNotification(0, 0));
  R(cuDeviceUnregisterAsyncNotification(99, h));
  R(cuDeviceUnregisterAsyncNotification(0, h));
  V(cuDeviceGetHostAtomicCapabilities(caps, operations, 13, 0), "%u %u %u", caps[0], caps[5], caps[12]);
  R(cuDeviceGetHostAtomicCapabilities(caps, operations, 0, 0));
  R(cuDeviceGetHostAtomicCapabilities(NULL, operations, 1, 0));
  R(cuDeviceGetHostAtomicCapabilities(caps, NULL, 1, 0));
  R(cuDeviceGetHostAtomicCapabilities(caps, operations, 1, 99));
  operations[0] = 99;
  R(cuDeviceGetHostAtomicCapabilities(caps, operations, 1, 0));
  operations[0] = 0;
  R(cuDeviceGetP2PAtomicCapabilities(caps, operations, 1, 0, 0));
  R(cuDeviceGetP2PAtomicCapabilities(caps, operations, 1, 0, 99));
  R(cuFlushGPUDirectRDMAWrites(0, 100));
  R(cuFlushGPUDirectRDMAWrites(0, 200));
  R(cuFlushGPUDirectRDMAWrites(0, 7));
  R(cuFlushGPUDirectRDMAWrites(1, 100));
  R(cuDeviceGetNvSciSyncAttributes(host, 0, 1));
  R(cuDeviceGetNvSciSyncAttributes(NULL, 0, 1));
  R(cuMemAlloc_v2(&p, 1 << 21));
  R(cuMemGetHandleForAddressRange(&fd, p, 1 << 21, 1, 0));
  R(cuMemGetHandleForAddressRange(&fd, p, 4096, 1, 0));
  R(cuMemGetHandleForAddressRange(&fd, p, 1000, 1, 0));
  R(cuMemGetHandleForAddressRange(&fd, p, 1 << 22, 1, 0));
  R(cuMemGetHandleForAddressRange(&fd, 4096, 4096, 1, 0));
  R(cuMemGetHandleForAddressRange(&fd, p, 4096, 9, 0));
  R(cuMemGetHandleForAddressRange(NULL, p, 4096, 1, 0));
  R(cuMemBatchDecompressAsync(host, 1, 0, &failed, 0));
  R(cuMemBatchDecompressAsync(NULL, 1, 0, &failed, 0));
  R(cuMemBatchDecompressAsync(host, 0, 0, &failed, 0));
  R(cuMemBatchDecompressAsync(host, 1, 1, NULL, 0));
  printf("failed %zu\n", failed);
}

typedef struct {
  unsigned devices;
  size_t size;
  unsigned long long types, flags;
} multicastProp;
CUresult cuMulticastGetGranularity(size_t *, const multicastProp *, int), cuMulticastAddDevice(CUhandle, CUdevice);
CUresult cuMulticastBindMem(CUhandle, size_t, CUhandle, size_t, size_t, unsigned long long);
CUresult cuMulticastBindAddr(CUhandle, size_t, CUdeviceptr, size_t, unsigned long long), cuMulticastUnbind(CUhandle, CUdevice, size_t, size_t);

static void multicast(void) {
  multicastProp p = {2, 1 << 21, 0, 0};
  size_t n = 0;
  int yes = -1;
  begin();
  V(cuDeviceGetAttribute(&yes, 132, 0), "%d", yes);
  V(cuMulticastGetGranularity(&n, &p, 0), "%zu", n);
  V(cuMulticastGetGranularity(&n, &p, 1), "%zu", n);
  R(cuMulticastGetGranularity(&n, &p, 9));
  R(cuMulticastGetGranularity(NULL, &p, 0));
  R(cuMulticastGetGranularity(&n, NULL, 0));
  p.devices = 0;
  R(cuMulticastGetGranularity(&n, &p, 0));
  p.devices = 1;
  R(cuMulticastGetGranularity(&n, &p, 0));
  p.devices = 2, p.size = 0;
  R(cuMulticastGetGranularity(&n, &p, 0));
  R(cuMulticastAddDevice(0, 0));
  R(cuMulticastBindMem(0, 0, 0, 0, 1 << 21, 0));
  R(cuMulticastBindAddr(0, 0, 0, 1 << 21, 0));
  R(cuMulticastUnbind(0, 0, 0, 1 << 21));
}

CHAPTERS({"gl", gl}, {"resources", resources}, {"vdpau", vdpau}, {"egl", egl}, {"egl_frames", eglFrames}, {"external", external},
         {"semaphore_nodes", semaphoreNodes}, {"logs", logs}, {"checkpoint", checkpoint}, {"coredump", coredump},
         {"neighbours", neighbours}, {"multicast", multicast})
