// Chapters of the driver's interface about finding its functions by name, release and way of streams.
#define _GNU_SOURCE
#include "driver_chapters.h"
#include <dlfcn.h>

static const int releases[] = {0,     1000,  2000,  2010,  2020,  2030,  3000,  3010,  3020,  4000,  4010,  4020,  5000,  5050,
                               6000,  6050,  7000,  7050,  8000,  9000,  9010,  9020,  10000, 10010, 10020, 11000, 11010, 11020,
                               11030, 11040, 11050, 11060, 11070, 11080, 12000, 12010, 12020, 12030, 12040, 12050, 12060, 12070,
                               12080, 12090, 13000, 13010, 14000, 99999};
enum { releaseCount = sizeof releases / sizeof *releases };

// answer is what a question for a name gives: the symbol, or why there is none.
static void answer(char *to, size_t size, text name, int release, uint64_t flags) {
  void *f = (void *)1;
  int found = -1;
  int code = cuGetProcAddress_v2(name, &f, release, flags, &found);
  Dl_info at;
  if (f && f != (void *)1 && dladdr(f, &at) && at.dli_sname && at.dli_saddr == f)
    snprintf(to, size, "%s", at.dli_sname);
  else
    snprintf(to, size, "%s", f ? "(unnamed)" : "none");
  if (code || found)
    snprintf(to + strlen(to), size - strlen(to), " (%d, %d)", code, found);
}

// history prints what a name leads to, from release to release.
static void history(text name, uint64_t flags, char before[][96]) {
  printf("%s, flags %d:", name, (int)flags);
  for (int i = 0; i < releaseCount; i++) {
    char now[96];
    answer(now, sizeof now, name, releases[i], flags);
    if (i == 0 || strcmp(now, before[i - 1]) != 0)
      printf(" %d %s%s", releases[i], now, i + 1 < releaseCount ? ";" : "");
    strcpy(before[i], now);
  }
  puts("");
}

// base is a symbol's name without the suffix of its form.
static int base(char *name) {
  char *end = name + strlen(name);
  if (end - name > 5 && (strcmp(end - 5, "_ptsz") == 0 || strcmp(end - 5, "_ptds") == 0))
    *(end -= 5) = 0;
  if (end - name > 3 && end[-3] == '_' && end[-2] == 'v' && end[-1] >= '2' && end[-1] <= '9')
    end[-3] = 0;
  return strcmp(name, "cuGetProcAddress") != 0;
}

// Every name of the driver's symbols (cudart/driver.txt, or what NAMES says).
static void names(void) {
  char line[256], last[256] = "", name[256];
  static char legacy[releaseCount][96], same[releaseCount][96], own[releaseCount][96];
  FILE *f = fopen(getenv("NAMES") ? getenv("NAMES") : "driver.txt", "r");
  while (f && fgets(line, sizeof line, f)) {
    if (line[0] == '#' || sscanf(line, "%255s", name) != 1 || !base(name) || strcmp(name, last) == 0)
      continue;
    strcpy(last, name);
    history(name, 0, legacy);
    for (int i = 0; i < releaseCount; i++)
      answer(same[i], sizeof *same, name, releases[i], 1), answer(own[i], sizeof *own, name, releases[i], 2);
    if (memcmp(legacy, same, sizeof same) != 0)
      history(name, 1, same);
    if (memcmp(legacy, own, sizeof own) != 0)
      history(name, 2, own);
  }
}

// Questions that are odd.
static void questions(void) {
  static const text odd[] = {"cuGetProcAddress", "cuGetProcAddress_v2", "cuMemAlloc_v2", "cuMemcpyHtoD_v2_ptds", "cuMemcpyHtoD_ptds",
                             "cuInit ", "CUINIT", "cuini", "nvmlInit", "cudaMalloc", "cu", "c", " ", "cuStreamGetCaptureInfo_v2"};
  void *f;
  int found;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    for (uint64_t flags = 0; flags < 8; flags++) {
      char now[96];
      answer(now, sizeof now, odd[i], 12080, flags);
      printf("\"%s\", flags %d: %s\n", odd[i], (int)flags, now);
    }
  f = (void *)1, found = 9;
  R(cuGetProcAddress_v2("", &f, 12000, 0, &found));
  printf("%d %d\n", f == (void *)1, found);
  R(cuGetProcAddress_v2("cuInit", &f, -1, 0, &found));
  R(cuGetProcAddress_v2("cuInit", &f, 12000, (uint64_t)1 << 40, &found));
  R(cuGetProcAddress_v2("cuInit", &f, 12000, 0, NULL));
  R(cuGetProcAddress("cuGetProcAddress", &f, 11030, 0));
  R(cuGetProcAddress("cuGetProcAddress", &f, 12000, 0));
  // through what was found
  int (*get)(text, void **, int, uint64_t, int *) = f;
  int (*version)(int *) = NULL;
  int v = 0;
  R(get("cuDriverGetVersion", (void **)&version, 12000, 0, &found));
  V(version(&v), "%d", v >= 13000);
}

CHAPTERS({"names", names}, {"questions", questions})
