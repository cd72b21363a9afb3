// Package elf reads cubins, the ELF files that hold a GPU's machine code, and
// finds sections in the ELF files of the host.
//
//	bytes -> Open -> File{Sections, Symbols} -> Parse -> Cubin{Functions, Symbols, Banks}
//
// A cubin describes each of its functions in sections named after it: .text.K
// is the code, .nv.constant0.K the image of constant bank 0 up to the end of the
// parameters, .nv.shared.K the static shared memory, and .nv.info.K a list of
// attribute records (registers, stack, parameters and so on). Attribute codes
// that are not known here are skipped by their length.
//
// Both generations of the ELF header flags are read: ABI 7 (up to CUDA 12) and
// ABI 8 (CUDA 13). Machine code is not decoded here (cuobjdump/sass) and
// relocations are not applied.
//
// The reader is this package's own because debug/elf refuses cubins up to CUDA
// 12, whose header carries the toolkit's version where ELF has its own, and
// because images come from a running program: it copies nothing, bounds every
// name, and needs no length in advance (Size).
package elf
