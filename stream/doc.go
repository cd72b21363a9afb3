// Package stream orders the work that a program gives to its devices.
//
//	Submit --rules--> graph of commands --ready--> simulation goroutine --> grids, copies, ...
//	                       ^                            |
//	                       +------- completion ---------+--> waiting host threads, events
//
// The rules of the CUDA Programming Guide ("Asynchronous Concurrent Execution"
// and "API synchronization behavior") become edges of a graph at the moment a
// command is submitted: a command waits for the one before it in its stream, a
// command of the legacy default stream for the last one of every blocking
// stream, a command of a blocking stream for the last one of the legacy
// default stream, and a command behind a wait for the record that the event
// held when the wait was submitted. What runs next is then only a matter of
// taking ready commands: by priority, then in order of submission.
//
// One goroutine executes the commands of a device: one of the simulation's own,
// which exists while there is work, or that of a host thread which waits and finds
// nobody at work. Copies and the like are done at once, grids run concurrently in
// slices of a budget, so that a kernel which waits for another stream or for the
// host does not stop the others. Functions of the host run on a goroutine of their
// own.
// On a device that simulates time all of it waits until the host wants time to
// pass (patience.go), so that how fast the host is decides nothing.
//
// A graph (Launch) is commands with edges of their own between two that have a
// place in the stream; a step may be repeated, with a body of further steps.
//
// An error that a command returns is sticky: the device drops what it still
// has, and all that wait are told, until Recover.
//
// Not here: what a command does, and which error a program sees (cudart/rt).
package stream
