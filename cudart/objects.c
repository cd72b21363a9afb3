// Leads the calls of programs that contain NVIDIA's static runtime to us: over each of its functions goes a jump to our
// trampoline of that name, before the object that contains it runs its constructors. NVIDIA's code is then never called.
// What is loaded with the process is looked at by our constructor, what dlopen loads when the loader has mapped it.

#define _GNU_SOURCE
#include "embedded.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

// One library of ours does it in a process, though several may be preloaded; all of them see one copy of this variable.
LS_EXPORT const void *lockstep_redirector;

static int redirects(void) { return lockstep_redirector == ls_trampolines; }

// ---- one object

static struct ls_embedded embedded; // the object at hand; used under the loader's lock

// entry is where a function's jump goes: behind an endbr64, where the function has one and the jump still fits.
static uint64_t entry(const struct ls_function *f) {
  static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  int kept = f->room >= LS_JUMP + sizeof endbr64 && memcmp((void *)f->address, endbr64, sizeof endbr64) == 0;
  return f->address + (kept ? sizeof endbr64 : 0);
}

static void redirect(const struct ls_embedded *e) {
  uint64_t from = -1, to = 0;
  for (int i = 0; i < ls_runtime_count; i++) {
    const struct ls_function *f = &e->functions[i];
    if (!f->address)
      continue;
    from = entry(f) < from ? entry(f) : from;
    to = entry(f) + LS_JUMP > to ? entry(f) + LS_JUMP : to;
  }
  if (!ls_open_text(from, to)) {
    fprintf(stderr, "lockstep: the system does not let the calls of a program with a static runtime be redirected; "
                    "link it again with \"nvcc -cudart shared\"\n");
    return;
  }
  for (int i = 0; i < ls_runtime_count; i++)
    if (e->functions[i].address && e->functions[i].room >= LS_JUMP)
      ls_jump(entry(&e->functions[i]), ls_trampolines[i]);
  ls_close_text(from, to);
}

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return NULL;
}

// ---- all objects

static unsigned long long loaded; // objects that the process has loaded since its start, and that were looked at
static int decided;               // an object's runtime has told the CUDA major

struct walk {
  unsigned long long position, loaded;
};

// look visits each object; those that were there at the last walk come first.
static int look(struct dl_phdr_info *info, size_t size, void *state) {
  (void)size;
  struct walk *w = state;
  w->loaded = info->dlpi_adds;
  if (w->position++ + info->dlpi_subs < loaded)
    return 0;
  const ElfW(Dyn) *dynamic = dynamic_of(info);
  if (!dynamic || !ls_may_embed((const char *)info->dlpi_addr, dynamic) ||
      ls_find_embedded(&embedded, info) != LS_EMBEDDED)
    return 0;
  redirect(&embedded);
  if (!decided) // the program comes before its libraries
    ls_set_major(embedded.major);
  decided = 1;
  return 0;
}

static void look_at_objects(void) {
  struct walk w = {0};
  dl_iterate_phdr(look, &w);
  loaded = w.loaded;
}

// ---- objects that come with the process

// comes_first stops at the first of our library and the loader.
static int comes_first(struct dl_phdr_info *info, size_t size, void *ours) {
  (void)size;
  uint64_t self = (uint64_t)ls_trampolines - info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && self - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
      return *(int *)ours = 1;
  return info->dlpi_addr == _r_debug.r_ldbase;
}

// What the process starts with precedes the loader in its list, what dlopen loads comes after. A library of ours that
// comes later finds runtimes that have registered device code and made calls: redirected now, they would be torn.
__attribute__((constructor)) static void start(void) {
  int with_process = 0;
  dl_iterate_phdr(comes_first, &with_process);
  if (!with_process || lockstep_redirector)
    return;
  lockstep_redirector = ls_trampolines;
  look_at_objects();
}

// ---- objects that come later

static void list_changed(void) {
  if (_r_debug.r_state == RT_CONSISTENT)
    look_at_objects();
}

static int met; // the loader calls list_changed

// The loader calls an empty function whenever its list of objects is complete again, before new objects are relocated and
// initialised; debuggers stop there. It is a return and padding up to 16 bytes, which the jump takes. Where a debugger's
// breakpoint is there already, libraries loaded later keep their runtime.
static void meet_loader(void) {
  static const unsigned char plain[] = {0xc3}, marked[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xc3};
  uint64_t at = _r_debug.r_brk;
  int known = at && at % 16 == 0 &&
              (memcmp((void *)at, plain, sizeof plain) == 0 || memcmp((void *)at, marked, sizeof marked) == 0);
  if (!known || !ls_open_text(at, at + LS_JUMP))
    return;
  ls_jump(at, (void *)list_changed);
  ls_close_text(at, at + LS_JUMP);
  met = 1;
}

// caller is who asks for the driver: NVIDIA's runtime, where it was not redirected.
struct caller {
  uint64_t address;
  enum ls_runtime runtime;
  const char *path;
};

static int around_caller(struct dl_phdr_info *info, size_t size, void *state) {
  (void)size;
  struct caller *c = state;
  const ElfW(Dyn) *dynamic = dynamic_of(info);
  uint64_t at = c->address - info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD || at - info->dlpi_phdr[i].p_vaddr >= info->dlpi_phdr[i].p_memsz)
      continue;
    if (dynamic && ls_may_embed((const char *)info->dlpi_addr, dynamic))
      c->runtime = ls_find_embedded(&embedded, info);
    c->path = info->dlpi_name[0] ? info->dlpi_name : program_invocation_name;
    return 1;
  }
  return 0;
}

// report_caller says once why a program that wants the driver has not reached us.
static void report_caller(uint64_t from) {
  static int said;
  struct caller c = {.address = from, .runtime = LS_NONE};
  dl_iterate_phdr(around_caller, &c);
  int explained = c.runtime == LS_STRIPPED || (c.runtime == LS_EMBEDDED && !met);
  if (!explained || __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    return;
  if (c.runtime == LS_STRIPPED)
    fprintf(stderr, "lockstep: %s contains NVIDIA's runtime but no symbol table, so its calls cannot be led here; "
                    "link it again without -s, or with \"nvcc -cudart shared\"\n", c.path);
  else
    fprintf(stderr, "lockstep: %s contains NVIDIA's runtime and was loaded under a debugger, so its calls are not led "
                    "here; link it again with \"nvcc -cudart shared\"\n", c.path);
}

typedef void *dlopen_fn(const char *, int);

static dlopen_fn *next_dlopen(void) {
  static dlopen_fn *next; // atomic
  dlopen_fn *found = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!found) {
    found = (dlopen_fn *)dlsym(RTLD_NEXT, "dlopen");
    __atomic_store_n(&next, found, __ATOMIC_RELAXED);
  }
  return found;
}

// The call at the end is a jump, so that libc sees who called: that decides where it searches.
LS_EXPORT void *dlopen(const char *file, int mode) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (redirects()) {
    pthread_once(&once, meet_loader);
    if (file && strcmp(file, "libcuda.so.1") == 0)
      report_caller((uint64_t)__builtin_return_address(0));
  }
  return next_dlopen()(file, mode);
}
