// Slots and what they lead to when a call cannot be answered.

#include "lockstep.h"

LS_TLS uint32_t ls_symbol;

void ls_redirect(void *target) {
  for (int i = 0; i < ls_symbol_count; i++)
    if (ls_kinds[i] != LS_C)
      __atomic_store_n(&ls_slots[i], target, __ATOMIC_RELEASE);
}

int ls_uninitialized(void) {
  enum { NVML_UNINITIALIZED = 1, CUDA_NOT_INITIALIZED = 3 };
  return ls_groups[ls_symbol & 0xffff] == LS_MANAGEMENT ? NVML_UNINITIALIZED : CUDA_NOT_INITIALIZED;
}
