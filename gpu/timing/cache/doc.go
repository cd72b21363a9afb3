// Package cache models the tags of a sectored cache and its miss status holding
// registers. It holds no data and has no clock: its owner decides what an access
// costs.
//
//	Read, Write --Result--> hit | merged | miss: fetch these sectors | stall
//	Fill <-- the sectors that came; names the waiters that have all they wanted
//
// A line is found by a table, whatever the associativity. Replacement policies
// register by name, one a file.
package cache
