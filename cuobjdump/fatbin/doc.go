// Package fatbin reads and writes the fat binary, the container in which nvcc
// embeds a program's device code.
//
//	bytes -> Parse -> Fatbin{Entries} -> Select(device) -> Choice{ELF, PTX}
//	                                                        | Payload
//	                                                        v
//	                                             decompressed PTX text or cubin
//
// A fat binary is a 16-byte header (magic, version, header size, total size)
// followed by entries. Each entry has a header of at least 64 bytes and a
// payload that is stored, an LZ4 block (toolkits up to 12.x and the "speed"
// mode of 13) or a Zstandard frame (13). All numbers are little endian. The
// layout is that of CUDA 8 to 13.
//
// Parse touches headers only; payloads are decompressed when asked for. Every
// size in the input is distrusted: a damaged image gives a *CorruptError and
// never a panic or a huge allocation.
//
// Not here: the registration wrapper around a fat binary in a running process
// (cudart/rt), and files on disk (cuobjdump/host).
package fatbin
