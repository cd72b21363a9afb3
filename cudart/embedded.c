// NVIDIA's static runtime inside another object: nvcc links it by default, and its functions are then symbols of the
// program itself, where no library of ours stands in front of them. This file finds them, by the object's symbol table.

#define _GNU_SOURCE
#include "embedded.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// names are the symbols of an object as the loader sees them.
struct names {
  const ElfW(Sym) * symbols;
  const char *strings;
  size_t size;                     // of the strings, in bytes
  const uint32_t *hash, *gnu_hash; // NULL where there is none
};

// names_of takes them from the dynamic section; glibc has relocated its addresses, except in objects it never writes to.
static struct names names_of(const char *base, const ElfW(Dyn) * dynamic) {
  struct names n = {0};
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    const char *address = (const char *)dynamic->d_un.d_ptr;
    if (address < base)
      address += (size_t)base;
    if (dynamic->d_tag == DT_SYMTAB)
      n.symbols = (const void *)address;
    else if (dynamic->d_tag == DT_STRTAB)
      n.strings = address;
    else if (dynamic->d_tag == DT_STRSZ)
      n.size = dynamic->d_un.d_val;
    else if (dynamic->d_tag == DT_HASH)
      n.hash = (const void *)address;
    else if (dynamic->d_tag == DT_GNU_HASH)
      n.gnu_hash = (const void *)address;
  }
  return n;
}

// undefined_symbols bounds the symbols that an object takes from others: a GNU hash table begins after them, unless it is
// empty; the older kind has a link for each symbol. Without either, the string table that linkers put behind the symbols
// is the bound; tools that edit libraries move it.
static size_t undefined_symbols(const struct names *n) {
  if (n->gnu_hash && n->gnu_hash[1] > 1)
    return n->gnu_hash[1];
  if (n->hash)
    return n->hash[1];
  return n->strings > (const char *)n->symbols ? (n->strings - (const char *)n->symbols) / sizeof *n->symbols : 0;
}

// imports reports whether an object takes the named symbol from another one.
static int imports(const char *base, const ElfW(Dyn) * dynamic, const char *name) {
  struct names n = names_of(base, dynamic);
  if (!n.symbols || !n.strings)
    return 0;
  size_t count = undefined_symbols(&n);
  for (size_t i = 1; i < count && n.symbols[i].st_name < n.size; i++)
    if (n.symbols[i].st_shndx == SHN_UNDEF && strcmp(n.strings + n.symbols[i].st_name, name) == 0)
      return 1;
  return 0;
}

// Every static runtime from 11.8 to 13.0 takes dlvsym from libc, and hardly anything else does: the files of other
// objects need not be opened.
int ls_may_embed(const char *base, const ElfW(Dyn) * dynamic) { return imports(base, dynamic, "dlvsym"); }

static const char DEVICE_CODE[] = ".nvFatBinSegment"; // the section where device code is registered from

// file is an object's file in memory.
struct file {
  const char *bytes;
  size_t size;
};

static int map_file(struct file *f, const char *path) {
  struct stat s;
  int d = open(path, O_RDONLY | O_CLOEXEC);
  if (d < 0)
    return 0;
  f->size = fstat(d, &s) == 0 && s.st_size > 0 ? s.st_size : 0;
  f->bytes = f->size ? mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, d, 0) : MAP_FAILED;
  close(d);
  return f->bytes != MAP_FAILED;
}

// part returns the bytes at an offset, or NULL where the file has fewer.
static const void *part(const struct file *f, uint64_t offset, uint64_t size) {
  return offset <= f->size && size <= f->size - offset ? f->bytes + offset : NULL;
}

// symbol_table is a .symtab with its names.
struct symbol_table {
  const ElfW(Sym) *symbols;
  size_t count;
  const char *names;
  size_t names_size; // the last byte is 0
};

static int open_table(struct symbol_table *t, const struct file *f, const ElfW(Shdr) * table, const ElfW(Shdr) * names) {
  t->symbols = part(f, table->sh_offset, table->sh_size);
  t->count = table->sh_size / sizeof *t->symbols;
  t->names = part(f, names->sh_offset, names->sh_size);
  t->names_size = names->sh_size;
  return t->symbols && t->names && t->names_size && t->names[t->names_size - 1] == 0;
}

// sections of a file, as far as they matter.
struct sections {
  struct symbol_table symbols;
  int symbol_table, device_code; // whether there is one
};

// same_segments reports whether a file is the one that info was loaded from.
static int same_segments(const struct file *f, const ElfW(Ehdr) * header, const struct dl_phdr_info *info) {
  size_t size = info->dlpi_phnum * sizeof *info->dlpi_phdr;
  const void *segments = part(f, header->e_phoff, size);
  return segments && memcmp(segments, info->dlpi_phdr, size) == 0;
}

// read_sections looks through the section headers of the file that info was loaded from.
static struct sections read_sections(const struct file *f, const struct dl_phdr_info *info) {
  struct sections found = {0};
  const ElfW(Ehdr) *header = part(f, 0, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || !same_segments(f, header, info))
    return found;
  const uint32_t count = header->e_shnum;
  const ElfW(Shdr) *table = part(f, header->e_shoff, (uint64_t)count * sizeof *table);
  if (!table || header->e_shstrndx >= count)
    return found;
  const ElfW(Shdr) *names = &table[header->e_shstrndx];
  for (uint32_t i = 0; i < count; i++) {
    const char *name = part(f, names->sh_offset + table[i].sh_name, sizeof DEVICE_CODE);
    if (name && memcmp(name, DEVICE_CODE, sizeof DEVICE_CODE) == 0)
      found.device_code = 1;
    if (table[i].sh_type == SHT_SYMTAB && table[i].sh_link < count)
      found.symbol_table = open_table(&found.symbols, f, &table[i], &table[table[i].sh_link]);
  }
  return found;
}

// symbol_index looks up a name of the runtime, whose names come first in ls_names and are sorted.
static int symbol_index(const char *name) {
  int low = 0, high = ls_runtime_count;
  while (low < high) {
    int middle = (low + high) / 2, order = strcmp(name, ls_names[middle]);
    if (order == 0)
      return middle;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return -1;
}

static int names_api(const char *name) {
  return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0;
}

// room is how many bytes belong to a function. Compilers begin each at a multiple of 16 and fill the gap with no-ops, but
// what follows the last one of a section may be anything.
static uint64_t room(const struct symbol_table *t, const ElfW(Sym) * function) {
  uint64_t from = function->st_value, end = from + function->st_size;
  if (function->st_size >= LS_JUMP || from % 16)
    return function->st_size;
  end = (end + 15) & -16;
  for (size_t i = 0; i < t->count; i++)
    if (t->symbols[i].st_value > from && t->symbols[i].st_value < end)
      end = t->symbols[i].st_value;
  return end - from;
}

// collect fills in the addresses of the functions in a table. A global symbol goes before a local one of that name, which
// may be a function of one of the program's own units.
static void collect(struct ls_embedded *e, const struct symbol_table *t, uint64_t base) {
  for (size_t i = 0; i < t->count; i++) {
    const ElfW(Sym) *s = &t->symbols[i];
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF || s->st_name >= t->names_size ||
        !names_api(t->names + s->st_name))
      continue;
    int index = symbol_index(t->names + s->st_name);
    if (index >= 0 && (!e->functions[index].address || ELF64_ST_BIND(s->st_info) == STB_GLOBAL))
      e->functions[index] = (struct ls_function){base + s->st_value, room(t, s)};
  }
}

// program_major is the CUDA major that most of the functions found belong to: each has functions that no other has, and
// a newer runtime of the same major may have some that are not listed.
static int program_major(const struct ls_embedded *e) {
  int votes[3] = {0}, best = 0;
  for (int i = 0; i < ls_runtime_count; i++)
    for (int m = 0; m < 3; m++)
      votes[m] += e->functions[i].address && ls_majors[i] >> m & 1;
  for (int m = 1; m < 3; m++)
    if (votes[m] >= votes[best])
      best = m;
  return 11 + best;
}

enum ls_runtime ls_find_embedded(struct ls_embedded *e, const struct dl_phdr_info *info) {
  struct file f;
  memset(e, 0, sizeof *e);
  if (!map_file(&f, info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe"))
    return LS_NONE;
  struct sections s = read_sections(&f, info);
  if (s.symbol_table)
    collect(e, &s.symbols, info->dlpi_addr);
  munmap((void *)f.bytes, f.size);
  if (!s.symbol_table)
    return s.device_code ? LS_STRIPPED : LS_NONE;
  int registers = symbol_index("__cudaRegisterFatBinary");
  if (registers < 0 || !e->functions[registers].address)
    return LS_NONE;
  e->major = program_major(e);
  return LS_EMBEDDED;
}
