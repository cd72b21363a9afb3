// The C side of lockstep: what the core, the fronts and Go share. Names begin with ls_ and stay inside the library.
//
//   program --> trampoline (zsymbols.S) --> slot --> C code here | Go export ls_<name> | stub | lazy loader
//
// A front is the same C code without Go: its slots load the core (libcudart.so beside it) at the first call. There is one
// for each major of the runtime, one for the driver, and one for the management library.

#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_types.h"
#include "driver_types.h"

#pragma GCC visibility push(hidden)

#define LS_EXPORT __attribute__((visibility("default")))
#define LS_TLS __thread __attribute__((tls_model("initial-exec")))

// ---- symbols and slots (zsymbols.S, slots.c)

enum ls_kind { LS_ERROR, LS_VALUE, LS_C };           // the kinds of symbols.txt
enum ls_group { LS_RUNTIME, LS_DRIVER, LS_MANAGEMENT }; // libcudart, libcuda, libnvidia-ml

extern LS_TLS uint32_t ls_symbol; // symbol that this thread called last; bit 16: its per-thread-stream twin
extern void *ls_slots[];
extern const char *const ls_names[];
extern const uint8_t ls_kinds[];
extern const uint8_t ls_majors[];             // bit 0: CUDA 11 has the symbol, bit 1: 12, bit 2: 13
extern const uint8_t ls_groups[];             // enum ls_group
extern const uint32_t ls_since[];             // driver: the version that brought the symbol, as cuGetProcAddress takes it
extern const char ls_trampolines[][32];       // by the same index, also those that the library does not export
extern const int ls_symbol_count, ls_runtime_count;
extern void *ls_otherwise; // where slots without an implementation lead

void ls_default(void);
void ls_lazy(void);
void ls_bind(void);
// ls_redirect points every slot that is not C code of this library to target.
void ls_redirect(void *target);
int ls_uninitialized(void); // a slot's target: returns cudaErrorInitializationError

// ---- registration log (registration.c)

enum ls_record_kind {
  LS_FATBIN, LS_FATBIN_END, LS_FUNCTION, LS_VARIABLE, LS_MANAGED, LS_TEXTURE, LS_SURFACE, LS_HOST_VARIABLE,
  LS_UNREGISTER,
};

// ls_image is one registered fat binary; its address is the handle that the program holds.
struct ls_image {
  const void *wrapper;
  int seen; // Go has taken the LS_FATBIN record
  int dead; // unregistered: its memory may be unmapped
};

// ls_record is one registration call. name and host belong to the program and are valid until the image is dead.
struct ls_record {
  struct ls_record *next;
  struct ls_image *image;
  int kind;
  int external, constant, global, dimension, normalized;
  const void *host; // stub, shadow variable, managed pointer slot, or reference
  const char *name; // device name
  uint64_t size;
};

// ls_log is the list of registrations, in call order. There is one that counts in a process: a front hands its own to
// the core and continues in the core's.
struct ls_log {
  pthread_mutex_t append; // held while the list changes
  pthread_mutex_t take;   // held while Go reads records, and by unregistration: an image is not unmapped meanwhile
  struct ls_record *first, *last;
  uint64_t appended, taken;
};

extern struct ls_log *ls_log;
// ls_log_adopt moves the records of ours to the end of theirs and continues there.
void ls_log_adopt(struct ls_log *theirs);
int ls_log_pending(void);
void ls_log_forked(void); // in a forked child: nobody holds the locks
// ls_log_begin, ls_log_take, ls_log_end bracket a reading: take returns the next record or NULL, valid until the next
// take or end.
void ls_log_begin(void);
struct ls_record *ls_log_take(void);
void ls_log_end(void);

// ---- launch configuration (configuration.c)

struct ls_configuration {
  dim3 grid, block;
  size_t shared;
  void *stream;
};
// ls_arguments holds what cudaSetupArgument collected on this thread.
struct ls_arguments {
  struct ls_configuration configuration;
  const void *bytes;
  size_t size;
};
// ls_take_arguments ends a cudaConfigureCall sequence; it returns 0 where there was none.
int ls_take_arguments(struct ls_arguments *out);

// ---- errors (errors.c, zerrors.c)

// ls_error_text is a row of cudart/rt's table. text11 and text12 are what older majors say, NULL where they say the same.
struct ls_error_text {
  int code, since; // first major that has the code
  const char *name, *text, *text11, *text12;
};
extern const struct ls_error_text ls_error_texts[];
extern const int ls_error_text_count;
// ls_driver_name is a code of the driver. Without a text it has that of the runtime's code of that number.
struct ls_driver_name {
  int code;
  const char *name, *text;
};
extern const struct ls_driver_name ls_driver_names[];
extern const int ls_driver_name_count;

// ---- functions of the driver by name (entries.c)

// ls_driver_entry finds the newest form of a function that a release has, 12030 for 12.3. The result is what
// cuGetProcAddress_v2 says: 0 found, 1 unknown, 2 newer than the release.
int ls_driver_entry(const char *name, uint32_t version, int per_thread, const void **address);

// ---- core and front (loader.c, attach)

// ls_core is what the core tells a front that loads it.
struct ls_core {
  struct ls_log *log;
  void (*flush)(void);
};
typedef const struct ls_core *ls_attach_fn(int major);
LS_EXPORT ls_attach_fn lockstep_attach;

int ls_major(void);                    // CUDA major of the program: 11, 12, 13
void ls_set_major(int major);          // told by the program itself
extern char ls_own_path[];             // of this library, absolute; filled by the constructor
extern void (*ls_flush_core)(void);    // NULL while no core is loaded
const char *ls_core_path(char *, int); // file to load at the first call

// ---- calls (thread.c, core only)

// ls_call is what a Go export needs to know about the call under way.
struct ls_call {
  uint32_t thread;    // number of the host thread: 1, 2, ...; reused after a thread ended
  uint32_t symbol;    // index into ls_names
  int32_t last_error; // set by a stub since the last call, else 0
  uint8_t group;      // enum ls_group: which interface it is made through
  uint8_t per_thread; // called by its _ptsz or _ptds name
  uint8_t pending;    // registrations or ended threads wait to be drained
  uint8_t callback;   // made by a function that a stream called: not permitted
};
struct ls_call ls_enter(void);
// ls_thread_ended returns the number of a host thread that has ended, or 0; ls_thread_forgotten lets another thread have
// it, once Go has forgotten the state of the old one.
uint32_t ls_thread_ended(void);
void ls_thread_forgotten(uint32_t number);
extern LS_TLS int32_t ls_stub_error;

// ---- functions that streams call (callback.c, core only)

extern LS_TLS uint8_t ls_in_callback; // this thread runs one
void ls_call_host(cudaHostFn_t f, void *user);
void ls_call_log(cudaLogsCallback_t f, void *user, int level, char *message, size_t length);
void ls_call_stream(cudaStreamCallback_t f, cudaStream_t stream, cudaError_t status, void *user);
void ls_call_driver_stream(CUstreamCallback f, CUhandle stream, CUresult status, void *user);
size_t ls_call_shared(CUoccupancyB2DSize f, int threads); // may make API calls

// ---- process (process.c, major.c; core only)

int ls_redirecting(void); // a library of ours was there from the start, so that a static runtime was led here (objects.c)
void ls_used(void); // marks Go as in use by this process
void ls_flush_once(void);
void ls_print(const void *text, size_t size); // to the program's stdout

#pragma GCC visibility pop

#endif
