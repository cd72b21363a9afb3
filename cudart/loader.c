// Loading the core at the first call that needs it: by a front, and by a preloaded core in a child that was forked
// before the first call (the Go runtime of the parent does not live in the child; a fresh copy of the core does).

#define _GNU_SOURCE
#include "lockstep.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char ls_own_path[PATH_MAX];

// A relative LD_PRELOAD entry means something only until the program changes its directory.
__attribute__((constructor)) static void find_own_path(void) {
  Dl_info info;
  if (!dladdr((void *)ls_bind, &info) || !info.dli_fname)
    return;
  if (info.dli_fname[0] != '/' && realpath(info.dli_fname, ls_own_path))
    return;
  snprintf(ls_own_path, sizeof ls_own_path, "%s", info.dli_fname);
}

static void *load_core(void) {
  char path[PATH_MAX + 16];
  if (!ls_own_path[0])
    find_own_path();
  if (!ls_core_path(path, sizeof path)) {
    fprintf(stderr, "lockstep: no path for the core library\n");
    return NULL;
  }
  void *core = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!core)
    fprintf(stderr, "lockstep: cannot load the core: %s\n", dlerror());
  return core;
}

static void bind(void) {
  void *core = load_core();
  ls_attach_fn *attach = core ? (ls_attach_fn *)dlsym(core, "lockstep_attach") : NULL;
  if (!attach) {
    if (core)
      fprintf(stderr, "lockstep: %s is not lockstep's core library\n", ls_own_path);
    ls_redirect((void *)ls_uninitialized);
    return;
  }
  const struct ls_core *c = attach(ls_major());
  __atomic_store_n(&ls_flush_core, c->flush, __ATOMIC_RELEASE);
  ls_log_adopt(c->log);
  for (int i = 0; i < ls_symbol_count; i++) {
    if (ls_kinds[i] == LS_C)
      continue;
    void *target = dlsym(core, ls_names[i]);
    __atomic_store_n(&ls_slots[i], target ? target : (void *)ls_uninitialized, __ATOMIC_RELEASE);
  }
}

void ls_bind(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, bind);
}
