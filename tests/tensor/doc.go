// Package tensor compares bulk and tensor copies (PTX ISA 9.7.9.25.4, .5) with
// a card: one kernel a mode, one line a case.
//
//	Cases --Text--> card (scripts/record/tensor) --> testdata/h200.txt
//	      --Run---> our engine --------------------> compared, byte for byte
//
// A case fills global memory with a pattern, encodes a tensor map, lets one CTA
// copy, and keeps what memory holds then.
package tensor
