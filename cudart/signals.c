// Signal handlers of the program must run on the alternate stack: a signal that lands on a Go thread would otherwise push
// its frame onto an 8 KB goroutine stack. The functions that install handlers are therefore interposed and add SA_ONSTACK.

#define _GNU_SOURCE
#include "lockstep.h"

#include <dlfcn.h>
#include <signal.h>

typedef int sigaction_fn(int, const struct sigaction *, struct sigaction *);

// The next sigaction in line: libc's, or that of another library which interposes it. Not looked up when it is needed:
// dlsym waits for a dlopen under way, and the starting Go runtime, for which that dlopen may wait, installs handlers.
sigaction_fn __sigaction;
static sigaction_fn *next = __sigaction;

__attribute__((constructor)) static void find_next(void) {
  sigaction_fn *found = (sigaction_fn *)dlsym(RTLD_NEXT, "sigaction");
  if (found)
    __atomic_store_n(&next, found, __ATOMIC_RELEASE);
}

LS_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  struct sigaction copy;
  if (action) {
    copy = *action;
    copy.sa_flags |= SA_ONSTACK;
    action = &copy;
  }
  return __atomic_load_n(&next, __ATOMIC_ACQUIRE)(number, action, old);
}

static sighandler_t install(int number, sighandler_t handler, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
  sigemptyset(&action.sa_mask);
  if (flags & SA_RESTART)
    sigaddset(&action.sa_mask, number);
  return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

LS_EXPORT sighandler_t signal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
LS_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
LS_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) {
  return install(number, handler, SA_RESETHAND | SA_NODEFER);
}
