// Package memory models everything beyond the SMs' ports: the crossbars, the L2
// slices, and the memory channels.
//
//	Port --> up Crossbar --> slice --> Channel
//	  ^                        |  ^-------'
//	  '---- down Crossbar <----'
//
// Addresses go to slices by a hash that is one to one for any number of slices;
// inside a slice and its channel they are dense. Slices belong to partitions; a
// slice of another partition than the SM's takes longer. Crossbars and slices
// run on the fabric's clock, channels on the memory's, ports on the SMs'.
package memory
