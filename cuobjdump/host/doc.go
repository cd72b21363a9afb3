// Package host finds the device code in files: host executables, shared
// libraries, objects and archives of them, fat binaries, cubins and PTX text.
//
//	path -> Open -> File{Objects{Sections{Fatbins}}}
//
// A host file holds fat binaries in the section .nv_fatbin and, where code is
// compiled separately (nvcc -rdc=true), relocatable ones in __nv_relfatbin. A
// bare cubin or PTX text becomes a fat binary of one entry, so that all that
// follows sees one form.
package host
