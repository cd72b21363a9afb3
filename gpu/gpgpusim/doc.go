// Package gpgpusim reads the configuration files of GPGPU-Sim and says what they
// mean here.
//
//	gpgpusim.config --Read--> File --Translate--> lines for package option
//
// The grammar is GPGPU-Sim's: tokens "-name value" divided by white space,
// comments from # to the end of the line, quoted values, -config that includes
// another file. The table of all options is one slice, Options; each row either
// becomes parameters of lockstep or says why it has no counterpart.
package gpgpusim
