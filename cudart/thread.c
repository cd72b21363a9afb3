// Host threads and the call under way. Core only.

#include "lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// host_thread numbers a host thread that has made a call. Numbers are small and reused, so that Go can index by them.
struct host_thread {
  uint32_t number;
  struct host_thread *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct host_thread *ended, *leaving, *vacant; // under lock: a number goes from one to the next
static uint32_t last_number;               // under lock
static uint32_t ended_count;               // atomic

static LS_TLS uint32_t self;
LS_TLS int32_t ls_stub_error;

static void thread_exit(void *thread) {
  struct host_thread *t = thread;
  self = 0; // a later destructor of the program may call again, as a new thread
  pthread_mutex_lock(&lock);
  t->next = ended;
  ended = t;
  __atomic_add_fetch(&ended_count, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
}

static pthread_key_t key;
static void make_key(void) { pthread_key_create(&key, thread_exit); }

static void register_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  pthread_mutex_lock(&lock);
  struct host_thread *t = vacant;
  if (t) {
    vacant = t->next;
  } else {
    t = malloc(sizeof *t);
    if (t)
      t->number = ++last_number;
  }
  pthread_mutex_unlock(&lock);
  if (!t)
    return; // stays number 0, which Go shares among threads without memory
  self = t->number;
  pthread_setspecific(key, t);
}

uint32_t ls_thread_ended(void) {
  pthread_mutex_lock(&lock);
  struct host_thread *t = ended;
  if (t) {
    ended = t->next;
    t->next = leaving;
    leaving = t;
    __atomic_sub_fetch(&ended_count, 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  return t ? t->number : 0;
}

void ls_thread_forgotten(uint32_t number) {
  pthread_mutex_lock(&lock);
  for (struct host_thread **at = &leaving; *at; at = &(*at)->next) {
    struct host_thread *t = *at;
    if (t->number == number) {
      *at = t->next;
      t->next = vacant;
      vacant = t;
      break;
    }
  }
  pthread_mutex_unlock(&lock);
}

struct ls_call ls_enter(void) {
  if (!self) {
    ls_used();
    register_thread();
  }
  struct ls_call call = {
      .thread = self,
      .symbol = ls_symbol & 0xffff,
      .group = ls_groups[ls_symbol & 0xffff],
      .per_thread = ls_symbol >> 16 & 1,
      .last_error = ls_stub_error,
      .callback = ls_in_callback,
      .pending = ls_log_pending() || __atomic_load_n(&ended_count, __ATOMIC_ACQUIRE),
  };
  ls_stub_error = 0;
  return call;
}

// unsupported answers the calls that have no export: it names each one once.
static int unsupported(void) {
  static const struct {
    const char *name;
    int code;
  } answers[] = {{"cudaErrorNotSupported", 801}, {"CUDA_ERROR_NOT_SUPPORTED", 801}, {"NVML_ERROR_NOT_SUPPORTED", 3}};
  static uint8_t named[2048];
  uint32_t symbol = ls_symbol & 0xffff;
  int group = ls_groups[symbol], code = answers[group].code;
  if (group == LS_RUNTIME)
    ls_stub_error = code;
  if (symbol < sizeof named && !__atomic_exchange_n(&named[symbol], 1, __ATOMIC_RELAXED)) {
    char line[160];
    int n = snprintf(line, sizeof line, "lockstep: %s is not supported; it returns %s\n", ls_names[symbol], answers[group].name);
    if (write(2, line, n) < 0)
      return code;
  }
  return code;
}

void *ls_otherwise = (void *)unsupported;
