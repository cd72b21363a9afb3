// Assembly macros behind zsymbols.S: one SYMBOL line per exported name, and a GROUP line before those of a library.
//
// A trampoline notes which symbol was called in the thread-local ls_symbol (index, with bit 16 set for the
// per-thread-default-stream twins) and jumps through its slot. It touches only %r11, so every argument register
// and the stack reach the target as the program left them.
//
// A slot holds ls_<base name> where that is defined: C code of this library, or in the core a Go export. Otherwise the
// weak definition below stands in and jumps to *ls_otherwise: the lazy loader in a front, the stub in the core. Symbols
// that return no error code cannot be stubs and have no stand-in: without a definition the library does not link.

#define LS_TRAMPOLINE 32 // bytes, as in lockstep.h

#ifndef LS_MAJORS
#define LS_MAJORS 15
#endif
#ifndef LS_GROUPS // a bit for each library whose symbols are wanted: 1 runtime, 2 driver, 4 management
#define LS_GROUPS 7
#endif
#ifdef LS_FRONT_MAJOR
#define IN_FRONT 1
#else
#define IN_FRONT 0
#endif

// GROUP begins the symbols of a library: enum ls_group.
.macro GROUP number
  .set ls_group_now, \number
.endm

.set ls_index, 0

.macro SYMBOL name, base, twin, majors, kind, since
  .text
  .if ls_group_now || (\majors) & LS_MAJORS
  .globl \name
  .type \name, @function
  .set \name, .
  .size \name, LS_TRAMPOLINE
  .endif
  movq ls_symbol@GOTTPOFF(%rip), %r11
  movl $(ls_index + (\twin << 16)), %fs:(%r11)
  jmp *ls_slots + 8*ls_index(%rip)
  .balign LS_TRAMPOLINE, 0xcc
  .set ls_index, ls_index + 1

  .if \twin == 0 && (\kind == 0 || (\kind == 1 && IN_FRONT))
  .weak ls_\base
  .hidden ls_\base
  .set ls_\base, ls_default
  .endif

  .section .data.rel.local.ls_slots, "aw"
  .quad ls_\base
  .section .data.rel.ro.local.ls_names, "aw"
  .quad 7f
  .section .rodata.ls_kinds, "a"
  .byte \kind
  .section .rodata.ls_majors, "a"
  .byte \majors
  .section .rodata.ls_groups, "a"
  .byte ls_group_now
  .section .rodata.ls_since, "a"
  .long \since
  .section .rodata.ls_strings, "aMS", @progbits, 1
7:
  .string "\name"
.endm

.macro TABLE name, section, flags
  .globl \name
  .hidden \name
  .section \section, "\flags"
  .p2align 3
\name:
.endm

TABLE ls_slots, .data.rel.local.ls_slots, aw
TABLE ls_names, .data.rel.ro.local.ls_names, aw
TABLE ls_kinds, .rodata.ls_kinds, a
TABLE ls_majors, .rodata.ls_majors, a
TABLE ls_groups, .rodata.ls_groups, a
TABLE ls_since, .rodata.ls_since, a

  .text
  .globl ls_default
  .hidden ls_default
  .type ls_default, @function
ls_default:
  jmp *ls_otherwise(%rip)
  .size ls_default, . - ls_default

// ls_lazy binds all slots, then continues the call that found them unbound. The six integer and eight vector argument
// registers and %rax (the vector count of a variadic call) survive.
  .globl ls_lazy
  .hidden ls_lazy
  .type ls_lazy, @function
ls_lazy:
  subq $184, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movq %rdi, 128(%rsp)
  movq %rsi, 136(%rsp)
  movq %rdx, 144(%rsp)
  movq %rcx, 152(%rsp)
  movq %r8, 160(%rsp)
  movq %r9, 168(%rsp)
  movq %rax, 176(%rsp)
  call ls_bind
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  movq 128(%rsp), %rdi
  movq 136(%rsp), %rsi
  movq 144(%rsp), %rdx
  movq 152(%rsp), %rcx
  movq 160(%rsp), %r8
  movq 168(%rsp), %r9
  movq 176(%rsp), %rax
  addq $184, %rsp
  movq ls_symbol@GOTTPOFF(%rip), %r11
  movzwl %fs:(%r11), %r10d
  leaq ls_slots(%rip), %r11
  jmp *(%r11,%r10,8)
  .size ls_lazy, . - ls_lazy

// All trampolines of the runtime are in all its libraries: a program with a static runtime of any major can be led to any
// front.
  .globl ls_trampolines
  .hidden ls_trampolines
  .p2align 5
ls_trampolines:

  .section .note.GNU-stack, "", @progbits
  .text
