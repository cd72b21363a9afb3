// Package list prints and extracts the device code of a file as NVIDIA's
// cuobjdump does, line for line, so that scripts written for it keep working:
//
//	Dump(w, path, Options{...})   host.Open -> images -> list | extract | dump
//
// Where the tool overwrites one extracted file with another of the same name,
// the later one gets its number into the name.
package list
