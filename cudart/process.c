// The core's life in its process: who uses it, what a forked child may do, and the one flush at the end. Core only.

#define _GNU_SOURCE
#include "lockstep.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

void ls_flush(int finish); // Go

static pid_t owner;   // process that entered Go; 0 while none has
static int flushed;   // atomic
static int attached;  // loaded by a front: its slots, not ours, are called from the program

// on_signal_stack reports whether a signal handler is running: Go cannot be entered from one.
static int on_signal_stack(void) {
  stack_t s;
  return sigaltstack(NULL, &s) == 0 && s.ss_flags & SS_ONSTACK;
}

// flush_once ends the run, after the work that nobody has waited for if the program ends in peace.
static void flush_once(int finish) {
  pid_t pid = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
  if (pid && pid == getpid() && !on_signal_stack() && !__atomic_exchange_n(&flushed, 1, __ATOMIC_ACQ_REL))
    ls_flush(finish);
}

void ls_flush_once(void) { flush_once(0); }

static void begin_use(void) {
  at_quick_exit(ls_flush_once);
  __atomic_store_n(&owner, getpid(), __ATOMIC_RELEASE);
}

void ls_print(const void *text, size_t size) { fwrite(text, 1, size, stdout); }

// The variable that counts is the first of the program's libraries; the core, linked by Go, finds its own by default.
int ls_redirecting(void) {
  void *program = dlopen(NULL, RTLD_LAZY);
  const void **redirector = program ? dlsym(program, "lockstep_redirector") : NULL;
  return redirector && *redirector;
}

void ls_used(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin_use);
}

__attribute__((destructor)) static void at_exit(void) { flush_once(1); }

// forked runs in the child of a fork. Go's threads are not there, so Go must not be entered.
static void forked(void) {
  __atomic_store_n(&ls_flush_core, NULL, __ATOMIC_RELEASE);
  ls_log_forked();
  ls_redirect(owner || attached ? (void *)ls_uninitialized : (void *)ls_lazy);
}

__attribute__((constructor)) static void start(void) {
  pthread_atfork(NULL, NULL, forked);
  __atomic_store_n(&ls_flush_core, ls_flush_once, __ATOMIC_RELEASE);
}

// ls_core_path makes a private copy of the core: the loader would otherwise return the one that is already here.
const char *ls_core_path(char *path, int size) {
  struct stat s;
  int from = open(ls_own_path, O_RDONLY | O_CLOEXEC);
  int to = memfd_create("libcudart.so", MFD_CLOEXEC);
  int ok = from >= 0 && to >= 0 && fstat(from, &s) == 0;
  for (off_t at = 0; ok && at < s.st_size;)
    ok = sendfile(to, from, &at, s.st_size - at) > 0;
  if (from >= 0)
    close(from);
  if (!ok)
    return NULL;
  snprintf(path, size, "/proc/self/fd/%d", to);
  return path;
}

const struct ls_core *lockstep_attach(int major) {
  static struct ls_core core;
  attached = 1;
  ls_set_major(major);
  core.log = ls_log;
  core.flush = ls_flush_once;
  return &core;
}
