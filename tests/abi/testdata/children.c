// Children of every sort, before and after the first call.
#include "abi.h"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int child_status(int (*body)(void)) {
  pid_t pid = fork();
  if (pid == 0) {
    alarm(10);
    exit(body());
  }
  int status;
  waitpid(pid, &status, 0);
  return status;
}

static int answered(void) {
  int n;
  return cudaGetDeviceCount(&n) == 0 && n >= 1 ? 0 : 1;
}

static int refused(void) {
  int n;
  void *registered = __cudaRegisterFatBinary(&n);
  return cudaGetDeviceCount(&n) == 3 && cudaGetLastError() == 3 && cudaEventCreateFromEGLSync(&n, 0, 0) == 3 && registered &&
                 strcmp(cudaGetErrorName(3), "cudaErrorInitializationError") == 0
             ? 0
             : 1;
}

static void others(void) {
  CHECK(system("exit 3") >> 8 == 3);
  char line[16] = "";
  FILE *p = popen("echo hello", "r");
  CHECK(fgets(line, sizeof line, p) && strcmp(line, "hello\n") == 0 && pclose(p) == 0);
  pid_t pid = vfork();
  if (pid == 0) {
    execl("/nonexistent", "nonexistent", NULL);
    _exit(127);
  }
  int status;
  waitpid(pid, &status, 0);
  CHECK(WEXITSTATUS(status) == 127);
}

int main(void) {
  alarm(60);
  others();
  for (int i = 0; i < 5; i++)
    CHECK(child_status(answered) == 0);
  CHECK(answered() == 0);
  others();
  for (int i = 0; i < 5; i++)
    CHECK(child_status(refused) == 0);
  CHECK(answered() == 0);
  puts("ok");
}
