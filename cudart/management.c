// Texts of the management library's errors: the only part of it that needs no device.

#include "lockstep.h"

static const char *const texts[] = {
    "Success", "Uninitialized", "Invalid Argument", "Not Supported", "Insufficient Permissions", "Already Initialized",
    "Not Found", "Insufficient Size", "Insufficient External Power", "Driver Not Loaded", "Timeout",
    "Interrupt Request Issue", "NVML Shared Library Not Found", "Function Not Found", "Corrupted infoROM",
    "GPU is lost", "GPU requires restart", "The operating system has blocked the request",
    "Driver/library version mismatch", "In use by another client", "Insufficient Memory", "No data",
};

const char *ls_nvmlErrorString(int code) {
  return code >= 0 && code < (int)(sizeof texts / sizeof *texts) ? texts[code] : "Unknown Error";
}
