// Loads the driver by name, as NVIDIA's runtime does, and asks for a private table.
#include "abi.h"
#include <dlfcn.h>

int main(int count, char **names) {
  void *driver = count > 1 ? dlopen(names[1], RTLD_NOW) : NULL;
  CHECK(driver);
  int (*find)(const void **, const void *) = (int (*)(const void **, const void *))dlsym(driver, "cuGetExportTable");
  const void *table = NULL;
  char id[16] = "a private table";
  CHECK(find && find(&table, id) != 0 && !table);
}
