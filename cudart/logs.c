#include "lockstep.h"

void ls_call_log(cudaLogsCallback_t f, void *user, int level, char *message, size_t length) {
  f(user, level, message, length);
}
