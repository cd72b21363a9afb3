// Package tma models the unit of an SM that makes bulk and tensor copies. It takes
// copies from the memory pipeline, fetches the descriptors of tensors, cuts what is
// copied into requests of L2 lines, and tells when all of a copy has come.
package tma
