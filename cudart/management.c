// Texts of the management library's errors: the only part of it that needs no device.

#include "lockstep.h"

static const char *const texts[] = {
    "Success", "Uninitialized", "Invalid Argument", "Not Supported", "Insufficient Permissions", "Already Initialized",
    "Not Found", "Insufficient Size", "Insufficient External Power", "Driver Not Loaded", "Timeout",
    "Interrupt Request Issue", "NVML Shared Library Not Found", "Function Not Found", "Corrupted infoROM",
    "GPU is lost", "GPU requires reset", "GPU access blocked by the operating system", "Driver/library version mismatch",
    "In use by another client", "Insufficient Memory", "No data", "vGPU ECC not supported", "Insufficient Resources",
    "Invalid Frequency", "Argument version mismatch", "Requested functionality has been deprecated",
    "System is not in ready state", "No supported GPUs were found",
    "Resource not in correct state to perform requested operation", "Reset type is not supported for given device",
};

const char *ls_nvmlErrorString(int code) {
  return code >= 0 && code < (int)(sizeof texts / sizeof *texts) ? texts[code] : "Unknown Error";
}
