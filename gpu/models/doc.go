// Package models holds what the simulated GPUs are, one data file a model.
//
//	h200.cfg --Load--> GPU{Launch, SM, Memory, ...}
//
// A line of a file is "name value # source". The fields of GPU say which names
// there are, their units and meaning, and by the tag attr which attribute of
// cudaDeviceGetAttribute reports them.
package models
