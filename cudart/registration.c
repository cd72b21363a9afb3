// What nvcc's static constructors call. They run before main, possibly before the Go runtime of a preloaded core has
// started, so they only append to a list; Go drains it at the beginning of the next API call.

#include "lockstep.h"

#include <stdlib.h>

static struct ls_log own = {.append = PTHREAD_MUTEX_INITIALIZER, .take = PTHREAD_MUTEX_INITIALIZER};
struct ls_log *ls_log = &own;

// lock_log locks the log that counts: ls_log may change while a thread waits for the lock of the old one.
static struct ls_log *lock_log(void) {
  for (;;) {
    struct ls_log *log = __atomic_load_n(&ls_log, __ATOMIC_ACQUIRE);
    pthread_mutex_lock(&log->append);
    if (log == __atomic_load_n(&ls_log, __ATOMIC_ACQUIRE))
      return log;
    pthread_mutex_unlock(&log->append);
  }
}

static void append_chain(struct ls_log *log, struct ls_record *first, struct ls_record *last, uint64_t count) {
  if (log->last)
    log->last->next = first;
  else
    log->first = first;
  log->last = last;
  __atomic_add_fetch(&log->appended, count, __ATOMIC_RELEASE);
}

// append adds a copy of r. Without memory the registration is lost, and the kernel later unknown, as in CUDA.
static void append(struct ls_record r) {
  struct ls_record *copy = malloc(sizeof *copy);
  if (!copy || !r.image) {
    free(copy);
    return;
  }
  *copy = r;
  struct ls_log *log = lock_log();
  append_chain(log, copy, copy, 1);
  pthread_mutex_unlock(&log->append);
}

void ls_log_adopt(struct ls_log *theirs) {
  struct ls_log *ours = lock_log();
  if (ours != theirs) {
    pthread_mutex_lock(&theirs->append);
    if (ours->first)
      append_chain(theirs, ours->first, ours->last, ours->appended - ours->taken);
    pthread_mutex_unlock(&theirs->append);
    ours->first = ours->last = NULL;
    __atomic_store_n(&ls_log, theirs, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&ours->append);
}

int ls_log_pending(void) {
  return __atomic_load_n(&ls_log->appended, __ATOMIC_ACQUIRE) != __atomic_load_n(&ls_log->taken, __ATOMIC_ACQUIRE);
}

void ls_log_forked(void) {
  pthread_mutex_init(&ls_log->append, NULL);
  pthread_mutex_init(&ls_log->take, NULL);
}

static struct ls_record *in_hand; // under take

// release frees the record that Go has finished with.
static void release(struct ls_log *log) {
  if (in_hand) {
    free(in_hand);
    in_hand = NULL;
    __atomic_add_fetch(&log->taken, 1, __ATOMIC_RELEASE);
  }
}

void ls_log_begin(void) { pthread_mutex_lock(&ls_log->take); }

struct ls_record *ls_log_take(void) {
  struct ls_log *log = ls_log;
  for (;;) {
    release(log);
    pthread_mutex_lock(&log->append);
    if ((in_hand = log->first) && !(log->first = in_hand->next))
      log->last = NULL;
    pthread_mutex_unlock(&log->append);
    if (!in_hand)
      return NULL;
    struct ls_image *image = in_hand->image;
    if (in_hand->kind == LS_UNREGISTER ? image->seen : !image->dead) {
      image->seen |= in_hand->kind == LS_FATBIN;
      return in_hand;
    }
  }
}

void ls_log_end(void) {
  release(ls_log);
  pthread_mutex_unlock(&ls_log->take);
}

void **ls___cudaRegisterFatBinary(void *wrapper) {
  struct ls_image *image = calloc(1, sizeof *image);
  if (image) {
    image->wrapper = wrapper;
    append((struct ls_record){.kind = LS_FATBIN, .image = image});
  }
  return (void **)image;
}

void ls___cudaRegisterFatBinaryEnd(void **handle) {
  append((struct ls_record){.kind = LS_FATBIN_END, .image = (void *)handle});
}

// The image's memory may go away when this returns (dlclose), hence the wait for a reader. The handle itself is never
// freed: a late second call must find it.
void ls___cudaUnregisterFatBinary(void **handle) {
  struct ls_image *image = (void *)handle;
  if (!image)
    return;
  struct ls_log *log = __atomic_load_n(&ls_log, __ATOMIC_ACQUIRE);
  pthread_mutex_lock(&log->take);
  int again = image->dead;
  image->dead = 1;
  pthread_mutex_unlock(&log->take);
  if (!again)
    append((struct ls_record){.kind = LS_UNREGISTER, .image = image});
}

void ls___cudaRegisterFunction(void **handle, const char *stub, char *mangled, const char *name) {
  (void)mangled;
  append((struct ls_record){.kind = LS_FUNCTION, .image = (void *)handle, .host = stub, .name = name});
}

void ls___cudaRegisterVar(void **handle, char *shadow, char *address, const char *name, int external, size_t size,
                          int constant, int global) {
  (void)address;
  append((struct ls_record){.kind = LS_VARIABLE, .image = (void *)handle, .host = shadow, .name = name, .size = size,
                            .external = external, .constant = constant, .global = global});
}

void ls___cudaRegisterManagedVar(void **handle, void **slot, char *address, const char *name, int external, size_t size,
                                 int constant, int global) {
  (void)address;
  append((struct ls_record){.kind = LS_MANAGED, .image = (void *)handle, .host = slot, .name = name, .size = size,
                            .external = external, .constant = constant, .global = global});
}

// device_name is what the device code calls a reference. The compiler passes it where the prototype has an address; name
// is how the source spells it, such as ::space::reference.
static const char *device_name(const void **device, const char *name) { return device ? (const char *)device : name; }

void ls___cudaRegisterTexture(void **handle, const void *reference, const void **device, const char *name,
                              int dimension, int normalized, int external) {
  append((struct ls_record){.kind = LS_TEXTURE, .image = (void *)handle, .host = reference, .name = device_name(device, name),
                            .dimension = dimension, .normalized = normalized, .external = external});
}

void ls___cudaRegisterSurface(void **handle, const void *reference, const void **device, const char *name,
                              int dimension, int external) {
  append((struct ls_record){.kind = LS_SURFACE, .image = (void *)handle, .host = reference, .name = device_name(device, name),
                            .dimension = dimension, .external = external});
}

void ls___cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size) {
  append((struct ls_record){.kind = LS_HOST_VARIABLE, .image = (void *)handle, .host = host, .name = name, .size = size});
}

// Unified function tables serve function pointers shared by host and device on hardware that has them.
void ls___cudaRegisterUnifiedTable(void **handle, void *table) { (void)handle, (void)table; }
