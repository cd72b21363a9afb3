// Package dram models a memory channel: its controller's queues and the banks
// behind it, command by command.
//
//	Push --> queue of each bank --scheduler--> ACT, PRE, RD, WR, refresh --> Pop
//
// All times are cycles of the command clock. Between two commands a channel
// sleeps until the first constraint that holds the next one back ends; an idle
// channel catches up with the refreshes that it slept through. Schedulers
// register by name, one a file.
package dram
