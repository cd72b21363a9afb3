// Package stat lists the counters of structs by the tags of their fields.
//
//	struct{Hits uint64 `stat:"hits" unit:"requests" doc:"..."`} --List--> []Counter
//
// The field is the counter; there is no second copy. Tags:
//
//	stat    the counter's name; a struct field without it is looked into
//	prefix  of a struct field: precedes the names inside
//	of      of an array: the names of its elements, divided by commas
//	unit    what is counted
//	doc     what it means
package stat
