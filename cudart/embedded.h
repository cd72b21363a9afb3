// Objects that contain NVIDIA's static runtime (embedded.c), and leading their calls to us (patch.c, objects.c).

#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "lockstep.h"

#include <link.h>

#pragma GCC visibility push(hidden)

enum { LS_MAX_SYMBOLS = 2048 };

struct ls_function {
  uint64_t address; // 0 = the object does not have it
  uint64_t room;    // bytes that may be written there
};

// ls_embedded is the runtime inside one object: its functions by the index of ls_names.
struct ls_embedded {
  int major; // CUDA major: 11, 12, 13
  struct ls_function functions[LS_MAX_SYMBOLS];
};

// ls_may_embed is a cheap test of a loaded object: without a runtime inside it nearly always returns 0.
int ls_may_embed(const char *base, const ElfW(Dyn) * dynamic);
// ls_runtime is what an object's file tells. LS_STRIPPED: it has device code but no symbol table, so a runtime that it
// may contain cannot be found.
enum ls_runtime { LS_NONE, LS_EMBEDDED, LS_STRIPPED };
// ls_find_embedded reads the symbol table in a loaded object's file, and fills e in where there is a runtime.
enum ls_runtime ls_find_embedded(struct ls_embedded *e, const struct dl_phdr_info *info);

// LS_JUMP is the size of the jump that ls_patch writes: jmp *0(%rip), and the address behind it.
enum { LS_JUMP = 14 };
// ls_open_text makes code writable, ls_close_text ends that. ls_open_text returns 0 where the system forbids it.
int ls_open_text(uint64_t from, uint64_t to);
void ls_close_text(uint64_t from, uint64_t to);
// ls_jump writes a jump to target over open code.
void ls_jump(uint64_t at, const void *target);

#pragma GCC visibility pop

#endif
