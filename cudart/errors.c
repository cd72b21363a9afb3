// Names and texts of errors, in C so that a forked child can still print what happened to it.

#include "lockstep.h"

static const struct ls_error_text *find(int code) {
  for (int i = 0; i < ls_error_text_count; i++)
    if (ls_error_texts[i].code == code)
      return &ls_error_texts[i];
  return NULL;
}

const char *ls_cudaGetErrorName(int code) {
  const struct ls_error_text *e = find(code);
  return e ? e->name : "unrecognized error code";
}

const char *ls_cudaGetErrorString(int code) {
  const struct ls_error_text *e = find(code);
  return e ? e->text : "unrecognized error code";
}
