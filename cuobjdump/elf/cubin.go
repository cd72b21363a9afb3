package elf

import (
	"slices"
	"strconv"
	"strings"
)

// Cubin is the machine code of one module for one architecture.
type Cubin struct {
	// SM is the architecture's number, 90 for sm_90.
	SM int
	// Suffix is "a" for a cubin that runs on that SM only. A family ("f") cubin
	// cannot be told from a plain one; the fat binary knows.
	Suffix string
	// Relocatable is true before the device linker: addresses are not final.
	Relocatable bool
	// Functions are those that have code of their own, kernels and, in
	// relocatable cubins, device functions; in the order of their sections.
	Functions []Function
	// Banks are the constant banks that all functions share: 3 holds the
	// __constant__ variables, 4 addresses.
	Banks []Bank
	// GlobalSize is the size in bytes of all __device__ variables.
	GlobalSize int
	Symbols    []Symbol
	// Records are the attributes of the module, see .nv.info.
	Records []Record
	// File gives access to all other sections.
	File *File
}

// Unbounded is the stack size of a function whose need cannot be known, because
// of recursion or indirect calls.
const Unbounded = 0xffffffff

// Function is a kernel or a device function.
type Function struct {
	// Name is the mangled name.
	Name string
	// Entry is true for a kernel.
	Entry bool
	// Code is the machine code.
	Code []byte

	// Registers is the number of 32-bit registers a thread needs.
	Registers int
	// MaxRegisters is the limit that the compiler was given, 255 for none.
	MaxRegisters int
	// Barriers is the number of named barriers in use.
	Barriers int
	// SharedSize is the size of static shared memory in bytes. From sm_90 on it
	// may begin with ReservedShared bytes of the system's.
	SharedSize int
	// LocalSize is the size of .nv.local in bytes; nonzero in old code only.
	LocalSize int
	// FrameSize is the function's own stack frame in bytes.
	FrameSize int
	// StackSize is the stack in bytes that a thread needs at least, callees
	// included, or Unbounded.
	StackSize int
	// MaxStackSize is the stack limit in bytes that the compiler recorded.
	MaxStackSize int

	// MaxNTID and ReqNTID are the limits of .maxntid and .reqntid; zero for none.
	MaxNTID, ReqNTID [3]int
	// ClusterSize is the cluster of .reqnctapercluster, zero for none;
	// MaxClusterRank that of .maxclusterrank. ExplicitCluster demands a launch
	// with cluster dimensions.
	ClusterSize     [3]int
	MaxClusterRank  int
	ExplicitCluster bool

	// ParamBase and ParamSize locate the parameters in constant bank 0, in bytes.
	ParamBase, ParamSize int
	// Params are the parameters in order.
	Params []Param
	// Banks are the function's own constant banks by index: 0 with room for
	// parameters, 2 with the compiler's constants.
	Banks []Bank
	// Textures, Samplers and Surfaces count references bound by name.
	Textures, Samplers, Surfaces int
	// Records are all attributes of the function, see .nv.info.
	Records []Record
}

// Param is a kernel parameter: its position, and its place within the parameter
// area in bytes.
type Param struct {
	Ordinal, Offset, Size int
}

// Bank is a constant bank's initial content.
type Bank struct {
	Index int
	Data  []byte
}

// ReservedShared is the number of bytes at the start of shared memory that the
// system keeps for itself from sm_90 on (CUDA: reservedSharedMemPerBlock).
const ReservedShared = 0x400

// IsCubin says whether data is an ELF file for a GPU.
func IsCubin(data []byte) bool {
	return len(data) >= headerSize && IsELF(data) && data[18] == MachineCUDA && data[19] == 0
}

// Parse reads a cubin. The result refers to data.
func Parse(data []byte) (*Cubin, error) {
	file, err := Open(data)
	if err != nil {
		return nil, err
	}
	if file.Machine != MachineCUDA {
		return nil, corrupt("header", "machine %d is not a GPU", file.Machine)
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	c := &Cubin{Relocatable: file.Type == TypeRelocatable, Symbols: symbols, File: file}
	if err := c.readArch(); err != nil {
		return nil, err
	}
	if err := c.readFunctions(); err != nil {
		return nil, err
	}
	return c, nil
}

// readArch reads the architecture from the header flags, whose layout follows
// the ABI version: up to 7 (CUDA 12) the SM is in bits 0-7 and bit 11 marks an
// "a" target, from 8 (CUDA 13) the SM is in bits 8-15 and an attribute of the
// compatibility section marks it.
func (c *Cubin) readArch() error {
	const (
		firstABIWithSMInByte1 = 8
		exactBefore8          = 0x800
		codeExact             = 0x09
	)
	if c.File.ABIVersion < firstABIWithSMInByte1 {
		c.SM = int(c.File.Flags & 0xff)
		if c.File.Flags&exactBefore8 != 0 {
			c.Suffix = "a"
		}
		return nil
	}
	c.SM = int(c.File.Flags >> 8 & 0xff)
	section := c.File.Section(".nv.compat")
	if section == nil {
		return nil
	}
	records, err := readRecords(section)
	for _, r := range records {
		if r.Code == codeExact && len(r.Value) > 0 && r.Value[0] == 1 {
			c.Suffix = "a"
		}
	}
	return err
}

// readFunctions makes a function of each .text section, then hands every other
// section to the function, if any, that its name ends in.
func (c *Cubin) readFunctions() error {
	byName := map[string]int{}
	entries := map[string]bool{}
	for i := range c.Symbols {
		if c.Symbols[i].Entry {
			entries[c.Symbols[i].Name] = true
		}
	}
	for i := range c.File.Sections {
		s := &c.File.Sections[i]
		if label, ok := strings.CutPrefix(s.Name, ".text."); ok {
			byName[label] = len(c.Functions)
			c.Functions = append(c.Functions, Function{
				Name: label, Entry: entries[label], Code: s.Data,
				Registers: int(s.Info >> 24), Barriers: int(s.Flags >> 20 & 0x7f),
			})
		}
	}
	lookup := func(label string) *Function {
		if i, ok := byName[label]; ok {
			return &c.Functions[i]
		}
		return nil
	}
	for i := range c.File.Sections {
		if err := c.readSection(&c.File.Sections[i], lookup); err != nil {
			return err
		}
	}
	sortBanks(c.Banks)
	for i := range c.Functions {
		sortBanks(c.Functions[i].Banks)
	}
	return nil
}

func sortBanks(banks []Bank) {
	slices.SortStableFunc(banks, func(a, b Bank) int { return a.Index - b.Index })
}

// readSection takes over one section of a function or of the module. lookup
// gives the function of a name, or nil.
func (c *Cubin) readSection(s *Section, lookup func(string) *Function) error {
	switch {
	case s.Name == ".nv.info":
		return c.readModuleInfo(s, lookup)
	case strings.HasPrefix(s.Name, ".nv.info."):
		f := lookup(s.Name[len(".nv.info."):])
		if f == nil {
			return nil
		}
		records, err := readRecords(s)
		f.apply(records)
		return err
	case s.Name == ".nv.global" || s.Name == ".nv.global.init":
		c.GlobalSize += int(s.Size)
	case strings.HasPrefix(s.Name, ".nv.shared."):
		if f := lookup(s.Name[len(".nv.shared."):]); f != nil {
			f.SharedSize = int(s.Size)
		}
	case strings.HasPrefix(s.Name, ".nv.local."):
		if f := lookup(s.Name[len(".nv.local."):]); f != nil {
			f.LocalSize = int(s.Size)
		}
	case strings.HasPrefix(s.Name, ".nv.constant"):
		c.readBank(s, lookup)
	case strings.HasPrefix(s.Name, ".rel.nv.constant0."):
		if f := lookup(s.Name[len(".rel.nv.constant0."):]); f != nil {
			c.countReferences(f, s.Data)
		}
	}
	return nil
}

// readBank takes over a section such as .nv.constant3 or .nv.constant0.kernel.
func (c *Cubin) readBank(s *Section, lookup func(string) *Function) {
	number, label, ofFunction := strings.Cut(s.Name[len(".nv.constant"):], ".")
	index, err := strconv.Atoi(number)
	if err != nil {
		return
	}
	bank := Bank{Index: index, Data: s.Data}
	if !ofFunction {
		c.Banks = append(c.Banks, bank)
	} else if f := lookup(label); f != nil {
		f.Banks = append(f.Banks, bank)
	}
}

func (c *Cubin) readModuleInfo(s *Section, lookup func(string) *Function) error {
	records, err := readRecords(s)
	if err != nil {
		return err
	}
	c.Records = records
	for _, r := range records {
		set, ok := perSymbol[r.Code]
		if symbol := r.word(0); ok && symbol < len(c.Symbols) {
			if f := lookup(c.Symbols[symbol].Name); f != nil {
				set(f, r.word(1))
			}
		}
	}
	return nil
}

// countReferences counts the textures and surfaces whose handles are to be
// written into a function's constant bank: the relocations (16 bytes each,
// symbol in the upper word of the second half) against such symbols.
func (c *Cubin) countReferences(f *Function, relocations []byte) {
	for ; len(relocations) >= 16; relocations = relocations[16:] {
		symbol := Record{Value: relocations}.word(3)
		if symbol >= len(c.Symbols) {
			continue
		}
		switch c.Symbols[symbol].Kind {
		case Texture:
			f.Textures++
		case Sampler:
			f.Samplers++
		case Surface:
			f.Surfaces++
		}
	}
}

// Function returns the function of that mangled name, or nil.
func (c *Cubin) Function(name string) *Function {
	for i := range c.Functions {
		if c.Functions[i].Name == name {
			return &c.Functions[i]
		}
	}
	return nil
}

// StaticShared is the static shared memory of f in bytes without the part that
// the system reserves, as a program is told it.
func (c *Cubin) StaticShared(f *Function) int {
	if c.SM >= 90 && !c.Relocatable && f.SharedSize >= ReservedShared {
		return f.SharedSize - ReservedShared
	}
	return f.SharedSize
}
