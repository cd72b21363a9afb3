// cuGetProcAddress: the forms of each function of the driver by name and release. In C, so that a front answers with its own
// addresses.

#include "lockstep.h"

#include <string.h>

// What cuGetProcAddress_v2 says of its search.
enum { FOUND, UNKNOWN, TOO_NEW };

static int is_version(const char *rest) { return rest[0] == '_' && rest[1] == 'v' && rest[2] >= '2' && rest[2] <= '9'; }

static int is_twin(const char *rest) { return strcmp(rest, "_ptsz") == 0 || strcmp(rest, "_ptds") == 0; }

// form_of tells whether a symbol is a form of a function: its name, perhaps a version, perhaps the mark of the twins for
// per-thread default streams.
static int form_of(const char *symbol, const char *name, size_t length, int *twin) {
  if (strncmp(symbol, name, length) != 0)
    return 0;
  const char *rest = symbol + length;
  rest += is_version(rest) ? 3 : 0;
  *twin = is_twin(rest);
  return *twin || !*rest;
}

// first_not_below is where names of the driver that begin with a name can be.
static int first_not_below(const char *name) {
  int low = ls_runtime_count, high = ls_runtime_count;
  while (high < ls_symbol_count && ls_groups[high] == LS_DRIVER)
    high++;
  while (low < high) {
    int middle = (low + high) / 2;
    if (strcmp(ls_names[middle], name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Functions without a stream have no form for per-thread default streams; then the other one is meant.
int ls_driver_entry(const char *name, uint32_t version, int per_thread, const void **address) {
  size_t length = strlen(name);
  int known = 0, twins = 0, best = -1, best_twin = 0;
  *address = NULL;
  if (length < 3 || is_version(name + length - 3) || (length > 5 && is_twin(name + length - 5)))
    return UNKNOWN;
  for (int i = first_not_below(name); i < ls_symbol_count && strncmp(ls_names[i], name, length) == 0; i++) {
    int twin;
    if (!form_of(ls_names[i], name, length, &twin))
      continue;
    known = 1;
    twins |= twin;
    if (ls_since[i] > version || (twin && !per_thread))
      continue;
    if (best < 0 || ls_since[i] > ls_since[best] || (twin && !best_twin))
      best = i, best_twin = twin;
  }
  if (best < 0 || (per_thread && twins && !best_twin))
    return known ? TOO_NEW : UNKNOWN;
  *address = ls_trampolines[best];
  return FOUND;
}

enum {
  FLAGS = 3, PER_THREAD_STREAM = 2,
  NEWEST = 13000, // the release of the driver (rt.DriverVersion)
  INVALID_VALUE = 1, NOT_FOUND = 500,
};

// search answers both forms of the call.
static int search(const char *name, const void **address, int version, uint64_t flags, int *result) {
  if (!name || !address || flags > FLAGS || version > NEWEST)
    return INVALID_VALUE;
  int twin = flags ? (flags & PER_THREAD_STREAM) != 0 : ls_symbol >> 16 & 1;
  *result = ls_driver_entry(name, version, twin, address);
  return 0;
}

// Since CUDA 12 a function that is not there is no error: result says so.
int ls_cuGetProcAddress_v2(const char *name, const void **address, int version, uint64_t flags, int *result) {
  int found = UNKNOWN;
  int code = search(name, address, version, flags, &found);
  if (result && !code)
    *result = found;
  return code;
}

int ls_cuGetProcAddress(const char *name, const void **address, int version, uint64_t flags) {
  int found;
  int code = search(name, address, version, flags, &found);
  return code ? code : found == FOUND ? 0 : NOT_FOUND;
}
