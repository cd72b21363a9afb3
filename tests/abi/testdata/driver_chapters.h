// What the programs driver_*.c share: each logs what driver calls return, right ones and mistakes, one line a call; the
// argument names the chapter. What differs from run to run (addresses, times) is not printed.
#include "cuda_driver.h"

#define R(call) printf("%s -> %d\n", #call, (int)(call))
#define V(call, format, ...) \
  do { \
    int code_ = (int)(call); \
    printf("%s -> %d", #call, code_); \
    if (code_ == 0) \
      printf(", " format, __VA_ARGS__); \
    puts(""); \
  } while (0)

struct chapter {
  const char *name;
  void (*run)(void);
};

// runChapter runs the chapter that the argument names, or lists all.
static int runChapter(int argc, char **argv, const struct chapter *chapters, size_t n) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t i = 0; i < n; i++)
    if (argc > 1 && strcmp(argv[1], chapters[i].name) == 0) {
      printf("== %s\n", chapters[i].name);
      chapters[i].run();
      return 0;
    } else if (argc == 1) {
      puts(chapters[i].name);
    }
  return argc > 1;
}

#define CHAPTERS(...) \
  int main(int argc, char **argv) { \
    static const struct chapter chapters[] = {__VA_ARGS__}; \
    return runChapter(argc, argv, chapters, sizeof chapters / sizeof *chapters); \
  }
