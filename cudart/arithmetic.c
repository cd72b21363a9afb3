// Threads of the Go runtime execute kernels. A thread inherits its creator's mode of floating-point arithmetic, and the
// creator may be a thread of the program that flushes subnormals or rounds otherwise; hence they start in the default
// mode. Linked with --wrap=pthread_create, which concerns the calls of this library only. Core only.

#include <pthread.h>
#include <stdint.h>
#include <xmmintrin.h>

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

__attribute__((visibility("hidden")))
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  const uint16_t x87 = 0x037f;
  uint16_t saved_x87;
  unsigned saved_sse = _mm_getcsr();
  __asm__ volatile("fnstcw %0" : "=m"(saved_x87));
  _mm_setcsr(0x1f80);
  __asm__ volatile("fldcw %0" : : "m"(x87));
  int result = __real_pthread_create(thread, attributes, start, argument);
  _mm_setcsr(saved_sse);
  __asm__ volatile("fldcw %0" : : "m"(saved_x87));
  return result;
}
