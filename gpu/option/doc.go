// Package option reads named settings into tagged struct fields.
//
//	lines "name value # source" --Read--> fields tagged opt:"name"
//
// The field is the value that a model reads; there is no second copy. Tags:
//
//	opt      the setting's name; a struct field without it is looked into
//	unit     bytes, cycles, kHz, ...
//	default  the value without a setting; none means that the setting is required
//	doc      what it means
//	src      where the default comes from; "guess" is an honest answer
//
// Names are checked strictly: one that no field has is an error which proposes
// the nearest that exists.
package option
