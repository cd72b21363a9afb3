// Package models holds what the simulated GPUs are, one data file a model.
//
//	h200.cfg --Load--> GPU{Launch, SM, Memory, ...}   what programs can learn
//	h200.cfg --Read--> any tagged struct              the timing model's parts
//
// A line of a file is "name value # source". The fields of GPU and of the timing
// packages' Config structs say which names there are, their units and meaning;
// the tag attr says which attribute of cudaDeviceGetAttribute reports a field.
// A first line "like other" takes what the file does not say from another model;
// the source of such values is "guess".
//
// Sources are named in short:
//
//	measured   read from a card, or timed on one
//	MICRO25    Huerta et al., MICRO 2025, and the configurations published with it
//	AccelSim   configurations of GPGPU-Sim 4 and Accel-Sim
//	AccelSim2  configurations of Accel-Sim 2.0
//	FlashSim   configurations and measurements of FlashGPU-Sim (arXiv 2609.15311)
//	Luo24      Luo et al., IPDPS 2024 and arXiv 2501.12084
//	product    the maker's data sheets and programming guide
//	fit        computed from the others so that a sum comes out as measured
//	guess      nobody knows
package models
