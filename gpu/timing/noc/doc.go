// Package noc models the network between SMs and L2 slices.
//
//	SM --Port--> Crossbar --> slice --> Crossbar --Port--> SM
//
// A Packet is a request or its reply: a line, sectors of it, no data. A Port is
// what an SM sees: credits on one side, replies on the other, each a wire of
// fixed latency, so that an SM can run that many cycles without looking at the
// rest. A Crossbar keeps a queue for each pair of input and output and moves
// whole packets, flit by flit, as its arbiter decides. Arbiters register by name,
// one a file.
package noc
