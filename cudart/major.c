// Which CUDA major the program was built for: structures and some arguments differ by it. Core only.

#define _GNU_SOURCE
#include "lockstep.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static int major; // atomic; 0 = not known yet

// major_of_name reads a file name or a version node: both are spelled like the soname.
static int major_of_name(const char *path) {
  static const struct {
    const char *name;
    int major;
  } names[] = {{"libcudart.so.11.0", 11}, {"libcudart.so.12", 12}, {"libcudart.so.13", 13}};
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  for (int i = 0; i < 3; i++)
    if (strcmp(base, names[i].name) == 0)
      return names[i].major;
  return 0;
}

static int by_loaded_name(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  *(int *)found = major_of_name(info->dlpi_name);
  return *(int *)found != 0;
}

// node_major looks through the versions needed of one library. Its file name may be mangled, as in wheels; the nodes are not.
static int node_major(const char *strings, const ElfW(Verneed) * need) {
  const char *node = (const char *)need + need->vn_aux;
  for (int i = 0; i < need->vn_cnt; i++) {
    const ElfW(Vernaux) *n = (const void *)node;
    int m = major_of_name(strings + n->vna_name);
    if (m)
      return m;
    node += n->vna_next;
  }
  return 0;
}

// needed_major looks through an object's version needs.
static int needed_major(const char *base, const ElfW(Dyn) * dynamic) {
  const char *strings = NULL, *need = NULL;
  size_t count = 0;
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    // glibc has relocated these addresses, except in objects it never writes to.
    const char *address = (const char *)dynamic->d_un.d_ptr;
    if (address < base)
      address += (size_t)base;
    if (dynamic->d_tag == DT_STRTAB)
      strings = address;
    else if (dynamic->d_tag == DT_VERNEED)
      need = address;
    else if (dynamic->d_tag == DT_VERNEEDNUM)
      count = dynamic->d_un.d_val;
  }
  for (; strings && need && count; count--) {
    const ElfW(Verneed) *n = (const void *)need;
    int m = node_major(strings, n);
    if (m)
      return m;
    need += n->vn_next;
  }
  return 0;
}

// by_version_need looks at the first object only: the program itself.
static int by_version_need(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  const char *base = (const char *)info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      *(int *)found = needed_major(base, (const void *)(base + info->dlpi_phdr[i].p_vaddr));
  return 1;
}

void ls_set_major(int front) {
  int unknown = 0;
  if (front)
    __atomic_compare_exchange_n(&major, &unknown, front, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// ls_major returns 11, 12 or 13. The first front that is used decides; a core preloaded alone looks for a runtime library
// that the program brought along, then at the program's version needs, and else assumes 12.
int ls_major(void) {
  int m = __atomic_load_n(&major, __ATOMIC_ACQUIRE);
  if (m)
    return m;
  dl_iterate_phdr(by_loaded_name, &m);
  if (!m)
    dl_iterate_phdr(by_version_need, &m);
  ls_set_major(m ? m : 12);
  return __atomic_load_n(&major, __ATOMIC_ACQUIRE);
}
