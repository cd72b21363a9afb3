// Package link makes loadable modules of PTX texts, and kernels of modules.
//
//	text --Parse--> Unit --Link--> Module --Kernel--> isa.Kernel
//	                                  |
//	                              Variables (the caller gives them memory)
//
// Bodies are parsed and lowered only for kernels that are asked for. Each
// kernel has its own copy of the functions that it reaches, because the place
// of a shared variable depends on the kernel; the code address of a function is
// the same for all.
//
// Linking follows the PTX rules: names without linkage are private to their
// unit, .visible ones are unique, .weak ones give way, .common ones merge, and
// .extern ones must be found, except functions that the device provides.
package link
