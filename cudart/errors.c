// Names and texts of errors, in C so that a forked child can still print what happened to it.

#include "lockstep.h"

static const char unrecognized[] = "unrecognized error code";

// find looks for a code that the program's CUDA major knows.
static const struct ls_error_text *find(int code) {
  for (int i = 0; i < ls_error_text_count; i++)
    if (ls_error_texts[i].code == code && ls_error_texts[i].since <= ls_major())
      return &ls_error_texts[i];
  return NULL;
}

const char *ls_cudaGetErrorName(int code) {
  const struct ls_error_text *e = find(code);
  return e ? e->name : unrecognized;
}

const char *ls_cudaGetErrorString(int code) {
  const struct ls_error_text *e = find(code);
  if (!e)
    return unrecognized;
  if (ls_major() < 12 && e->text11)
    return e->text11;
  return ls_major() < 13 && e->text12 ? e->text12 : e->text;
}

// ---- the driver's

static const struct ls_driver_name *find_driver(int code) {
  for (int i = 0; i < ls_driver_name_count; i++)
    if (ls_driver_names[i].code == code)
      return &ls_driver_names[i];
  return NULL;
}

static const char *newest_text(int code) {
  for (int i = 0; i < ls_error_text_count; i++)
    if (ls_error_texts[i].code == code)
      return ls_error_texts[i].text;
  return NULL;
}

enum { INVALID_VALUE = 1 };

// answer stores what the driver says of a code, NULL where it knows none.
static int answer(const char **to, const char *text) {
  if (to)
    *to = text;
  return to && text ? 0 : INVALID_VALUE;
}

int ls_cuGetErrorName(int code, const char **name) {
  const struct ls_driver_name *n = find_driver(code);
  return answer(name, n ? n->name : NULL);
}

int ls_cuGetErrorString(int code, const char **text) {
  const struct ls_driver_name *n = find_driver(code);
  return answer(text, !n ? NULL : n->text ? n->text : newest_text(code));
}
