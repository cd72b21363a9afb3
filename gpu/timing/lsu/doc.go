// Package lsu models the shared part of an SM's memory pipeline.
//
//	Accept --> coalescer, pending request table --> L1 --> miss queue --> Port
//	   |                                            |                      |
//	   '-----> shared-memory banks --------------> return link <-- fill <--'
//
// An instruction's addresses become requests of lines and sectors when it is
// accepted; nothing of the instruction is kept beyond that. Loads are answered
// when their data have crossed the return link, stores and reductions when L2
// has acknowledged them.
package lsu
