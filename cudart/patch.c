// Writing jumps over code that is not ours.

#define _GNU_SOURCE
#include "embedded.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int protect(uint64_t from, uint64_t to, int protection) {
  uint64_t page = sysconf(_SC_PAGESIZE);
  from &= -page;
  return mprotect((void *)from, to - from, protection) == 0;
}

// The code stays executable meanwhile: another thread may be in a function beside.
int ls_open_text(uint64_t from, uint64_t to) { return protect(from, to, PROT_READ | PROT_WRITE | PROT_EXEC); }
void ls_close_text(uint64_t from, uint64_t to) { protect(from, to, PROT_READ | PROT_EXEC); }

// The eight bytes that begin the jump change at once and last: whoever runs into them meets the old code or the jump.
void ls_jump(uint64_t at, const void *target) {
  union {
    char bytes[16];
    uint64_t begin;
  } code = {.bytes = {(char)0xff, 0x25}};
  memcpy(code.bytes + 6, &target, sizeof target);
  memcpy((char *)at + 8, code.bytes + 8, LS_JUMP - 8);
  __atomic_store_n((uint64_t *)at, code.begin, __ATOMIC_SEQ_CST);
}
