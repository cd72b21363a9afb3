package elf

import (
	"encoding/binary"
	"slices"
)

// Record is one attribute record of a .nv.info section, as stored. Its value is
// empty, one, two, or any number of bytes long.
type Record struct {
	Code  byte
	Value []byte
}

// word returns the i-th 32-bit word of the value, 0 where it is too short.
func (r Record) word(i int) int {
	if len(r.Value) < 4*i+4 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(r.Value[4*i:]))
}

// half returns the i-th 16-bit word of the value, 0 where it is too short.
func (r Record) half(i int) int {
	if len(r.Value) < 2*i+2 {
		return 0
	}
	return int(binary.LittleEndian.Uint16(r.Value[2*i:]))
}

func (r Record) triple() [3]int { return [3]int{r.word(0), r.word(1), r.word(2)} }

// readRecords splits an attribute section: a format byte, an attribute code, and
// a value whose length follows from the format.
func readRecords(section *Section) ([]Record, error) {
	const (
		noValue = 1
		oneByte = 2
		twoByte = 3
		sized   = 4
	)
	var records []Record
	for data := section.Data; len(data) > 0; {
		if len(data) < 4 {
			return nil, corrupt(section.Name, "%d bytes are too few for a record", len(data))
		}
		r, used := Record{Code: data[1]}, 4
		switch data[0] {
		case noValue:
		case oneByte:
			r.Value = data[2:3]
		case twoByte:
			r.Value = data[2:4]
		case sized:
			used += int(binary.LittleEndian.Uint16(data[2:]))
			if used > len(data) {
				return nil, corrupt(section.Name, "record %#x of %d bytes does not fit", r.Code, used)
			}
			r.Value = data[4:used]
		default:
			return nil, corrupt(section.Name, "record format %d is unknown", data[0])
		}
		records = append(records, r)
		data = data[used:]
	}
	return records, nil
}

// The attribute codes that are understood.
const (
	codeMaxThreads      = 0x05
	codeParamBank       = 0x0a
	codeReqNTID         = 0x10
	codeFrameSize       = 0x11
	codeMinStackSize    = 0x12
	codeParam           = 0x17
	codeParamSize       = 0x19
	codeMaxRegisters    = 0x1b
	codeMaxStackSize    = 0x23
	codeRegisters       = 0x2f
	codeClusterSize     = 0x3d
	codeExplicitCluster = 0x3e
	codeMaxClusterRank  = 0x3f
	codeParamWide       = 0x45
	codeBarriers        = 0x4c
)

// perFunction says what the records of .nv.info.K say of the function K.
var perFunction = map[byte]func(f *Function, r Record){
	codeMaxThreads:      func(f *Function, r Record) { f.MaxNTID = r.triple() },
	codeReqNTID:         func(f *Function, r Record) { f.ReqNTID = r.triple() },
	codeParam:           func(f *Function, r Record) { f.addParam(r, r.word(2)>>18) },
	codeParamWide:       func(f *Function, r Record) { f.addParam(r, r.half(4)) },
	codeParamSize:       func(f *Function, r Record) { f.ParamSize = r.half(0) },
	codeParamBank:       func(f *Function, r Record) { f.ParamBase, f.ParamSize = r.half(2), r.half(3) },
	codeMaxRegisters:    func(f *Function, r Record) { f.MaxRegisters = r.half(0) },
	codeClusterSize:     func(f *Function, r Record) { f.ClusterSize = r.triple() },
	codeExplicitCluster: func(f *Function, _ Record) { f.ExplicitCluster = true },
	codeMaxClusterRank:  func(f *Function, r Record) { f.MaxClusterRank = r.word(0) },
	codeBarriers: func(f *Function, r Record) {
		if len(r.Value) > 0 {
			f.Barriers = int(r.Value[0])
		}
	},
}

// perSymbol says what the records of .nv.info, whose first word is a symbol's
// index, say of the function of that name.
var perSymbol = map[byte]func(f *Function, value int){
	codeRegisters:    func(f *Function, value int) { f.Registers = value },
	codeFrameSize:    func(f *Function, value int) { f.FrameSize = value },
	codeMinStackSize: func(f *Function, value int) { f.StackSize = value },
	codeMaxStackSize: func(f *Function, value int) { f.MaxStackSize = value },
}

func (f *Function) addParam(r Record, size int) {
	f.Params = append(f.Params, Param{Ordinal: r.half(2), Offset: r.half(3), Size: size})
}

// apply takes over what the records say. Records that are not understood stay in
// f.Records only.
func (f *Function) apply(records []Record) {
	f.Records = records
	for _, r := range records {
		if set, ok := perFunction[r.Code]; ok {
			set(f, r)
		}
	}
	slices.SortStableFunc(f.Params, func(a, b Param) int { return a.Ordinal - b.Ordinal })
}
