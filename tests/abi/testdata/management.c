// What the management library answers, one line a call: the code and, where it does not change from run to run or from card
// to card, what it stored.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An argument is a letter: d the device, D a second handle of it, 0 to 9 a number, b a buffer, c another, n a count of 64
// entries, N a count of 0, o a null pointer, s the size of a buffer, P this process. "vN:S" is a buffer that begins with
// version N of a structure of S bytes.
static const struct {
  const char *name, *arguments;
  int words; // of the buffer that are printed, of c after those of b when negative
} calls[] = {
    {"nvmlSystemGetDriverVersion", "bs", 0},
    {"nvmlSystemGetDriverVersion", "b2", 0},
    {"nvmlSystemGetNVMLVersion", "bs", 0},
    {"nvmlSystemGetCudaDriverVersion", "b", 0},
    {"nvmlSystemGetCudaDriverVersion_v2", "b", 0},
    {"nvmlSystemGetProcessName", "Pbs", 0},
    {"nvmlSystemGetProcessName", "Pb1", 0},
    {"nvmlSystemGetProcessName", "0bs", 0},
    {"nvmlSystemGetHicVersion", "Nb", 0},
    {"nvmlSystemGetDriverBranch", "v1:84s", 0},
    {"nvmlSystemGetConfComputeCapabilities", "b", 0},
    {"nvmlSystemGetConfComputeState", "b", 0},
    {"nvmlSystemGetConfComputeGpusReadyState", "b", 0},
    {"nvmlSystemGetTopologyGpuSet", "0nb", 0},
    {"nvmlSystemGetNvlinkBwMode", "b", 0},
    {"nvmlUnitGetCount", "b", 1},
    {"nvmlUnitGetHandleByIndex", "0b", 0},
    {"nvmlGetExcludedDeviceCount", "b", 1},
    {"nvmlGetExcludedDeviceInfoByIndex", "0b", 0},
    {"nvmlDeviceGetCount_v2", "o", 0},
    {"nvmlDeviceGetHandleByIndex_v2", "9b", 0},
    {"nvmlDeviceGetHandleByIndex_v2", "0o", 0},
    {"nvmlDeviceGetHandleBySerial", "bc", 0},
    {"nvmlDeviceGetHandleByUUID", "bc", 0},
    {"nvmlDeviceGetHandleByPciBusId_v2", "bc", 0},
    {"nvmlDeviceGetName", "dbs", 4},
    {"nvmlDeviceGetName", "db3", 0},
    {"nvmlDeviceGetName", "dos", 0},
    {"nvmlDeviceGetName", "0bs", 0},
    {"nvmlDeviceGetBrand", "db", 1},
    {"nvmlDeviceGetBrand", "do", 0},
    {"nvmlDeviceGetIndex", "db", 1},
    {"nvmlDeviceGetSerial", "dbs", 0},
    {"nvmlDeviceGetUUID", "dbs", 1},
    {"nvmlDeviceGetMinorNumber", "db", 0},
    {"nvmlDeviceGetBoardPartNumber", "dbs", 0},
    {"nvmlDeviceGetBoardId", "db", 0},
    {"nvmlDeviceGetMultiGpuBoard", "db", 1},
    {"nvmlDeviceGetModuleId", "db", 0},
    {"nvmlDeviceGetInforomVersion", "d0bs", 0},
    {"nvmlDeviceGetInforomImageVersion", "dbs", 0},
    {"nvmlDeviceGetInforomConfigurationChecksum", "db", 0},
    {"nvmlDeviceValidateInforom", "d", 0},
    {"nvmlDeviceGetLastBBXFlushTime", "dbc", 0},
    {"nvmlDeviceGetVbiosVersion", "dbs", 0},
    {"nvmlDeviceGetPciInfo", "db", 0},
    {"nvmlDeviceGetPciInfo_v2", "db", 0},
    {"nvmlDeviceGetPciInfo_v3", "db", 0},
    {"nvmlDeviceGetPciInfoExt", "dv1:64", 0},
    {"nvmlDeviceGetDisplayMode", "db", 1},
    {"nvmlDeviceGetDisplayActive", "db", 1},
    {"nvmlDeviceGetPersistenceMode", "db", 0},
    {"nvmlDeviceGetMemoryInfo", "db", 0},
    {"nvmlDeviceGetMemoryInfo_v2", "dv2:40", 0},
    {"nvmlDeviceGetMemoryInfo_v2", "dv3:40", 0},
    {"nvmlDeviceGetBAR1MemoryInfo", "db", 0},
    {"nvmlDeviceGetMemoryBusWidth", "db", 1},
    {"nvmlDeviceGetComputeMode", "db", 1},
    {"nvmlDeviceGetCudaComputeCapability", "dbc", 1},
    {"nvmlDeviceGetArchitecture", "db", 1},
    {"nvmlDeviceGetNumGpuCores", "db", 1},
    {"nvmlDeviceGetBusType", "db", 1},
    {"nvmlDeviceGetIrqNum", "db", 0},
    {"nvmlDeviceGetPowerSource", "db", 1},
    {"nvmlDeviceGetEccMode", "dbc", -1},
    {"nvmlDeviceGetDefaultEccMode", "db", 1},
    {"nvmlDeviceGetTotalEccErrors", "d00b", 0},
    {"nvmlDeviceGetTotalEccErrors", "d10b", 0},
    {"nvmlDeviceGetTotalEccErrors", "d01b", 0},
    {"nvmlDeviceGetTotalEccErrors", "d90b", 0},
    {"nvmlDeviceGetDetailedEccErrors", "d00b", 0},
    {"nvmlDeviceGetMemoryErrorCounter", "d000b", 0},
    {"nvmlDeviceGetMemoryErrorCounter", "d001b", 0},
    {"nvmlDeviceGetMemoryErrorCounter", "d002b", 0},
    {"nvmlDeviceGetMemoryErrorCounter", "d003b", 0},
    {"nvmlDeviceGetMemoryErrorCounter", "d102b", 0},
    {"nvmlDeviceGetMemoryErrorCounter", "d007b", 0},
    {"nvmlDeviceGetSramEccErrorStatus", "dv1:232", 0},
    {"nvmlDeviceGetRetiredPages", "d0Nb", 0},
    {"nvmlDeviceGetRetiredPages_v2", "d0Nbc", 0},
    {"nvmlDeviceGetRetiredPagesPendingStatus", "db", 0},
    {"nvmlDeviceGetRemappedRows", "dbccc", 0},
    {"nvmlDeviceGetRowRemapperHistogram", "db", 0},
    {"nvmlDeviceGetUtilizationRates", "db", 0},
    {"nvmlDeviceGetEncoderUtilization", "dbc", 0},
    {"nvmlDeviceGetDecoderUtilization", "dbc", 0},
    {"nvmlDeviceGetJpgUtilization", "dbc", 0},
    {"nvmlDeviceGetOfaUtilization", "dbc", 0},
    {"nvmlDeviceGetProcessUtilization", "doN0", 0},
    {"nvmlDeviceGetSamples", "d00cnb", 0},
    {"nvmlDeviceGetTemperature", "d0b", 0},
    {"nvmlDeviceGetTemperature", "d1b", 0},
    {"nvmlDeviceGetTemperatureV", "dv1:12", 0},
    {"nvmlDeviceGetTemperatureThreshold", "d0b", 0},
    {"nvmlDeviceGetTemperatureThreshold", "d1b", 0},
    {"nvmlDeviceGetTemperatureThreshold", "d2b", 0},
    {"nvmlDeviceGetTemperatureThreshold", "d3b", 0},
    {"nvmlDeviceGetTemperatureThreshold", "d4b", 0},
    {"nvmlDeviceGetTemperatureThreshold", "d9b", 0},
    {"nvmlDeviceGetMarginTemperature", "dv1:8", 0},
    {"nvmlDeviceGetThermalSettings", "d0b", 0},
    {"nvmlDeviceGetFanSpeed", "db", 0},
    {"nvmlDeviceGetFanSpeed_v2", "d0b", 0},
    {"nvmlDeviceGetNumFans", "db", 1},
    {"nvmlDeviceGetMinMaxFanSpeed", "dbc", 0},
    {"nvmlDeviceGetPowerState", "db", 0},
    {"nvmlDeviceGetPerformanceState", "db", 0},
    {"nvmlDeviceGetPowerManagementMode", "db", 0},
    {"nvmlDeviceGetPowerManagementLimit", "db", 0},
    {"nvmlDeviceGetPowerManagementLimitConstraints", "dbc", 0},
    {"nvmlDeviceGetPowerManagementDefaultLimit", "db", 0},
    {"nvmlDeviceGetEnforcedPowerLimit", "db", 0},
    {"nvmlDeviceGetPowerUsage", "db", 0},
    {"nvmlDeviceGetTotalEnergyConsumption", "db", 0},
    {"nvmlDeviceGetGpuOperationMode", "dbc", 0},
    {"nvmlDeviceGetClockInfo", "d0b", 0},
    {"nvmlDeviceGetClockInfo", "d1b", 0},
    {"nvmlDeviceGetClockInfo", "d2b", 0},
    {"nvmlDeviceGetClockInfo", "d3b", 0},
    {"nvmlDeviceGetClockInfo", "d4b", 0},
    {"nvmlDeviceGetClockInfo", "d5b", 0},
    {"nvmlDeviceGetMaxClockInfo", "d0b", 1},
    {"nvmlDeviceGetMaxClockInfo", "d1b", 1},
    {"nvmlDeviceGetMaxClockInfo", "d2b", 1},
    {"nvmlDeviceGetMaxClockInfo", "d3b", 0},
    {"nvmlDeviceGetMaxClockInfo", "d9b", 0},
    {"nvmlDeviceGetMaxCustomerBoostClock", "d0b", 0},
    {"nvmlDeviceGetMaxCustomerBoostClock", "d2b", 0},
    {"nvmlDeviceGetApplicationsClock", "d0b", 0},
    {"nvmlDeviceGetApplicationsClock", "d2b", 0},
    {"nvmlDeviceGetDefaultApplicationsClock", "d0b", 0},
    {"nvmlDeviceGetDefaultApplicationsClock", "d2b", 0},
    {"nvmlDeviceGetClock", "d00b", 0},
    {"nvmlDeviceGetClock", "d01b", 0},
    {"nvmlDeviceGetClock", "d02b", 0},
    {"nvmlDeviceGetClock", "d03b", 0},
    {"nvmlDeviceGetSupportedMemoryClocks", "dnb", 2},
    {"nvmlDeviceGetSupportedMemoryClocks", "dNo", 0},
    {"nvmlDeviceGetSupportedGraphicsClocks", "d9Nb", 0},
    {"nvmlDeviceGetAutoBoostedClocksEnabled", "dbc", 0},
    {"nvmlDeviceGetSupportedClocksThrottleReasons", "db", 0},
    {"nvmlDeviceGetSupportedClocksEventReasons", "db", 0},
    {"nvmlDeviceGetCurrentClocksThrottleReasons", "db", 0},
    {"nvmlDeviceGetCurrentClocksEventReasons", "db", 0},
    {"nvmlDeviceGetViolationStatus", "d0b", 0},
    {"nvmlDeviceGetAdaptiveClockInfoStatus", "db", 0},
    {"nvmlDeviceGetDynamicPstatesInfo", "db", 0},
    {"nvmlDeviceGetSupportedPerformanceStates", "dbs", 0},
    {"nvmlDeviceGetMinMaxClockOfPState", "d00bc", 0},
    {"nvmlDeviceGetGpcClkVfOffset", "db", 0},
    {"nvmlDeviceGetMemClkVfOffset", "db", 0},
    {"nvmlDeviceGetComputeRunningProcesses", "dNb", 0},
    {"nvmlDeviceGetComputeRunningProcesses_v2", "dNb", 0},
    {"nvmlDeviceGetComputeRunningProcesses_v3", "dNb", 0},
    {"nvmlDeviceGetComputeRunningProcesses_v3", "dno", 0},
    {"nvmlDeviceGetComputeRunningProcesses_v3", "dob", 0},
    {"nvmlDeviceGetGraphicsRunningProcesses", "dNb", 0},
    {"nvmlDeviceGetGraphicsRunningProcesses_v2", "dNb", 0},
    {"nvmlDeviceGetGraphicsRunningProcesses_v3", "dNb", 0},
    {"nvmlDeviceGetMPSComputeRunningProcesses", "dNb", 0},
    {"nvmlDeviceGetMPSComputeRunningProcesses_v2", "dNb", 0},
    {"nvmlDeviceGetMPSComputeRunningProcesses_v3", "dNb", 0},
    {"nvmlDeviceGetAccountingMode", "db", 0},
    {"nvmlDeviceGetAccountingStats", "dPb", 0},
    {"nvmlDeviceGetAccountingPids", "dNb", 0},
    {"nvmlDeviceGetAccountingBufferSize", "db", 0},
    {"nvmlDeviceGetAPIRestriction", "d0b", 0},
    {"nvmlDeviceGetAPIRestriction", "d1b", 0},
    {"nvmlDeviceGetBridgeChipInfo", "db", 0},
    {"nvmlDeviceGetCurrPcieLinkGeneration", "db", 0},
    {"nvmlDeviceGetMaxPcieLinkGeneration", "db", 0},
    {"nvmlDeviceGetGpuMaxPcieLinkGeneration", "db", 1},
    {"nvmlDeviceGetCurrPcieLinkWidth", "db", 0},
    {"nvmlDeviceGetMaxPcieLinkWidth", "db", 1},
    {"nvmlDeviceGetPcieLinkMaxSpeed", "db", 1},
    {"nvmlDeviceGetPcieSpeed", "db", 0},
    {"nvmlDeviceGetPcieThroughput", "d0b", 0},
    {"nvmlDeviceGetPcieThroughput", "d1b", 0},
    {"nvmlDeviceGetPcieReplayCounter", "db", 0},
    {"nvmlDeviceGetNvLinkState", "d0b", 0},
    {"nvmlDeviceGetNvLinkVersion", "d0b", 0},
    {"nvmlDeviceGetNvLinkCapability", "d00b", 0},
    {"nvmlDeviceGetNvLinkRemotePciInfo_v2", "d0b", 0},
    {"nvmlDeviceGetNvLinkRemoteDeviceType", "d0b", 0},
    {"nvmlDeviceGetNvLinkErrorCounter", "d00b", 0},
    {"nvmlDeviceGetNvLinkUtilizationCounter", "d00bc", 0},
    {"nvmlDeviceGetTopologyCommonAncestor", "dDb", 1},
    {"nvmlDeviceGetTopologyNearestGpus", "d0Nb", 0},
    {"nvmlDeviceGetP2PStatus", "dD0b", 0},
    {"nvmlDeviceGetP2PStatus", "dD1b", 0},
    {"nvmlDeviceOnSameBoard", "dDb", 0},
    {"nvmlDeviceGetCpuAffinity", "d4b", 0},
    {"nvmlDeviceGetCpuAffinityWithinScope", "d4b0", 0},
    {"nvmlDeviceGetMemoryAffinity", "d1b0", 0},
    {"nvmlDeviceGetNumaNodeId", "db", 0},
    {"nvmlDeviceGetAddressingMode", "dv1:8", 0},
    {"nvmlDeviceGetMigMode", "dbc", -1},
    {"nvmlDeviceGetMaxMigDeviceCount", "db", 0},
    {"nvmlDeviceIsMigDeviceHandle", "db", 1},
    {"nvmlDeviceGetGpuInstanceId", "db", 0},
    {"nvmlDeviceGetComputeInstanceId", "db", 0},
    {"nvmlDeviceGetMigDeviceHandleByIndex", "d0b", 0},
    {"nvmlDeviceGetDeviceHandleFromMigDeviceHandle", "db", 0},
    {"nvmlDeviceGetAttributes_v2", "db", 0},
    {"nvmlDeviceGetVirtualizationMode", "db", 1},
    {"nvmlDeviceGetHostVgpuMode", "db", 0},
    {"nvmlDeviceGetSupportedVgpus", "dNb", 0},
    {"nvmlDeviceGetActiveVgpus", "dNb", 0},
    {"nvmlDeviceGetGridLicensableFeatures_v4", "db", 0},
    {"nvmlDeviceGetEncoderCapacity", "d0b", 0},
    {"nvmlDeviceGetEncoderStats", "dbcc", 0},
    {"nvmlDeviceGetEncoderSessions", "dNb", 0},
    {"nvmlDeviceGetFBCStats", "db", 0},
    {"nvmlDeviceGetFBCSessions", "dNb", 0},
    {"nvmlDeviceGetGspFirmwareVersion", "db", 0},
    {"nvmlDeviceGetGspFirmwareMode", "dbc", 0},
    {"nvmlDeviceGetDriverModel", "dbc", 0},
    {"nvmlDeviceGetConfComputeMemSizeInfo", "db", 0},
    {"nvmlDeviceGetGpuFabricInfo", "db", 0},
    {"nvmlDeviceGetGpuFabricInfoV", "dv2:36", 0},
    {"nvmlDeviceGetC2cModeInfoV", "dv1:8", 0},
    {"nvmlDeviceGetSupportedEventTypes", "db", 2},
    {"nvmlDeviceGetCapabilities", "dv1:8", 0},
    {"nvmlDeviceGetPlatformInfo", "dv2:44", 0},
    {"nvmlGpmQueryDeviceSupport", "db", 0},
    {"nvmlGpmQueryIfStreamingEnabled", "db", 0},
    {"nvmlDeviceGetLastBBXFlushTime", "dbc", 0},
};

typedef int (*function)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
static void *library;
static uintptr_t device;

static function named(const char *name) {
  function f;
  *(void **)&f = dlsym(library, name);
  return f;
}

#define CALL(f, a, b, c, d) (f)((uintptr_t)(a), (uintptr_t)(b), (uintptr_t)(c), (uintptr_t)(d), 0, 0)

// make runs one row of the table.
static void make(const char *name, const char *arguments, int words) {
  enum { size = 1 << 20 };
  static uint32_t b[size / 4], c[size / 4];
  static unsigned count;
  uintptr_t a[6] = {0};
  int n = 0;
  function f = named(name);
  memset(b, 0, size), memset(c, 0, size);
  for (const char *p = arguments; *p; p++) {
    unsigned version, bytes;
    int length;
    if (sscanf(p, "v%u:%u%n", &version, &bytes, &length) == 2) {
      b[0] = version << 24 | bytes, a[n++] = (uintptr_t)b, p += length - 1;
      continue;
    }
    switch (*p) {
    case 'd': case 'D': a[n++] = device; break;
    case 'b': a[n++] = (uintptr_t)b; break;
    case 'c': a[n++] = (uintptr_t)c; break;
    case 'n': count = 64, a[n++] = (uintptr_t)&count; break;
    case 'N': count = 0, a[n++] = (uintptr_t)&count; break;
    case 'o': a[n++] = 0; break;
    case 's': a[n++] = size; break;
    case 'P': a[n++] = (uintptr_t)getpid(); break;
    default: a[n++] = *p - '0';
    }
  }
  printf("%s(%s) -> ", name, arguments);
  if (!f) {
    puts("no such function");
    return;
  }
  int code = f(a[0], a[1], a[2], a[3], a[4], a[5]);
  printf("%d", code);
  for (int i = 0; code == 0 && i < abs(words); i++)
    printf(" %u", b[i]);
  if (code == 0 && words < 0)
    printf(" %u", c[0]);
  puts("");
}

static void events(void) {
  void *set = NULL, *other = NULL;
  struct {
    void *device;
    unsigned long long type, data;
    unsigned gpu, compute;
  } event;
  printf("create %d\n", CALL(named("nvmlEventSetCreate"), &set, 0, 0, 0));
  printf("create nowhere %d\n", CALL(named("nvmlEventSetCreate"), 0, 0, 0, 0));
  for (unsigned long long bit = 0; bit < 14; bit++)
    printf("register %#llx -> %d\n", 1ull << bit, CALL(named("nvmlDeviceRegisterEvents"), device, 1ull << bit, set, 0));
  printf("register nothing %d\n", CALL(named("nvmlDeviceRegisterEvents"), device, 0, set, 0));
  printf("register in none %d\n", CALL(named("nvmlDeviceRegisterEvents"), device, 8, 0, 0));
  printf("wait %d\n", CALL(named("nvmlEventSetWait_v2"), set, &event, 10, 0));
  printf("wait, old %d\n", CALL(named("nvmlEventSetWait"), set, &event, 0, 0));
  printf("wait for none %d\n", CALL(named("nvmlEventSetWait_v2"), 0, &event, 0, 0));
  printf("another %d\n", CALL(named("nvmlEventSetCreate"), &other, 0, 0, 0));
  printf("wait, nothing registered %d\n", CALL(named("nvmlEventSetWait_v2"), other, &event, 10, 0));
  printf("free %d %d\n", CALL(named("nvmlEventSetFree"), set, 0, 0, 0), CALL(named("nvmlEventSetFree"), 0, 0, 0, 0));
}

static void errors(void) {
  const char *(*text)(int);
  *(void **)&text = (void *)named("nvmlErrorString");
  for (int code = -1; code <= 32; code++)
    printf("%d: %s\n", code, text(code));
  printf("999: %s\n", text(999));
}

// fields asks for values by number, in one call.
static void fields(void) {
  static struct {
    unsigned id, scope;
    long long time, latency;
    int type, code;
    unsigned long long value;
  } f[260];
  memset(f, 0, sizeof f);
  for (unsigned i = 0; i < 260; i++)
    f[i].id = i + 1;
  printf("fields %d\n", CALL(named("nvmlDeviceGetFieldValues"), device, 260, f, 0));
  for (unsigned i = 0; i < 260; i++)
    printf("field %u: %d\n", f[i].id, f[i].code);
}

int main(void) {
  library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (!library)
    return puts(dlerror());
  unsigned n = 0;
  printf("before %d\n", CALL(named("nvmlDeviceGetCount_v2"), &n, 0, 0, 0));
  printf("init %d\n", CALL(named("nvmlInit_v2"), 0, 0, 0, 0));
  printf("handle %d\n", CALL(named("nvmlDeviceGetHandleByIndex_v2"), 0, &device, 0, 0));
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    make(calls[i].name, calls[i].arguments, calls[i].words);
  events();
  errors();
  fields();
  printf("shutdown %d\n", CALL(named("nvmlShutdown"), 0, 0, 0, 0));
  printf("after %d\n", CALL(named("nvmlShutdown"), 0, 0, 0, 0));
  return 0;
}
