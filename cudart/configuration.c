// The per-thread state of <<<>>>: configurations pushed and not yet popped, and the arguments that the launch protocol of
// CUDA 9 and before collects one by one.

#include "lockstep.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64, ARGUMENT_BYTES = 32764 };

static LS_TLS int depth;
static LS_TLS struct ls_configuration *stack;
static LS_TLS char *arguments;
static LS_TLS size_t argument_bytes;

// A thread's stack lives until the thread ends.
static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;
static void make_key(void) { pthread_key_create(&stack_key, free); }

static int allocate(void) {
  if (stack)
    return 1;
  pthread_once(&stack_once, make_key);
  stack = malloc(DEPTH * sizeof *stack + ARGUMENT_BYTES);
  if (!stack)
    return 0;
  arguments = (char *)(stack + DEPTH);
  pthread_setspecific(stack_key, stack);
  return 1;
}

unsigned ls___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  if (depth == DEPTH || !allocate())
    return 1;
  stack[depth++] = (struct ls_configuration){grid, block, shared, stream};
  argument_bytes = 0;
  return 0;
}

int ls___cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream) {
  if (depth == 0)
    return 52; // cudaErrorMissingConfiguration
  struct ls_configuration *c = &stack[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  *stream = c->stream;
  return 0;
}

int ls_cudaConfigureCall(dim3 grid, dim3 block, size_t shared, void *stream) {
  return ls___cudaPushCallConfiguration(grid, block, shared, stream) ? 2 : 0;
}

int ls_cudaSetupArgument(const void *value, size_t size, size_t offset) {
  if (depth == 0)
    return 52;
  if (size > ARGUMENT_BYTES || offset > ARGUMENT_BYTES - size)
    return 1;
  if (offset > argument_bytes)
    memset(arguments + argument_bytes, 0, offset - argument_bytes);
  memcpy(arguments + offset, value, size);
  if (argument_bytes < offset + size)
    argument_bytes = offset + size;
  return 0;
}

int ls_take_arguments(struct ls_arguments *out) {
  if (depth == 0)
    return 0;
  out->configuration = stack[--depth];
  out->bytes = arguments;
  out->size = argument_bytes;
  argument_bytes = 0;
  return 1;
}

cudaChannelFormatDesc ls_cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (cudaChannelFormatDesc){x, y, z, w, kind};
}
