package elf

import (
	"encoding/binary"
	"fmt"
)

// SymbolKind is the type of a symbol.
type SymbolKind byte

// Symbol types; the last three are CUDA's own.
const (
	NoType      SymbolKind = 0
	Object      SymbolKind = 1
	Func        SymbolKind = 2
	SectionName SymbolKind = 3
	Texture     SymbolKind = 10
	Sampler     SymbolKind = 11
	Surface     SymbolKind = 12
)

// entrySymbol marks a kernel, as opposed to a device function, in a symbol's
// "other" byte.
const entrySymbol = 0x10

// Symbol is a named place in a section: a function, or a __device__ or
// __constant__ variable.
type Symbol struct {
	Name string
	Kind SymbolKind
	// Entry is true for a kernel.
	Entry bool
	// Local is true for a name that other modules do not see.
	Local bool
	// Section is the index of the section that holds the symbol, -1 for an
	// undefined or absolute one; Value is the offset within it in bytes.
	Section int
	Value   uint64
	Size    uint64
}

// Symbols returns the symbol table, index 0 included, so that indices found in
// other sections apply. A file without one has no symbols.
func (f *File) Symbols() ([]Symbol, error) {
	table := f.sectionOfType(typeSymbols)
	if table == nil {
		return nil, nil
	}
	if int64(table.Link) >= int64(len(f.Sections)) {
		return nil, corrupt(table.Name, "names are in section %d of %d", table.Link, len(f.Sections))
	}
	names := string(f.Sections[table.Link].Data)
	var wide []byte
	if s := f.sectionOfType(typeSymbolSections); s != nil {
		wide = s.Data
	}
	symbols := make([]Symbol, len(table.Data)/symbolSize)
	for i := range symbols {
		s, err := f.readSymbol(table.Data[i*symbolSize:][:symbolSize], names, wide, i)
		if err != nil {
			return nil, corrupt(fmt.Sprintf("symbol %d", i), "%v", err)
		}
		symbols[i] = s
	}
	return symbols, nil
}

func (f *File) sectionOfType(kind uint32) *Section {
	for i := range f.Sections {
		if f.Sections[i].Type == kind {
			return &f.Sections[i]
		}
	}
	return nil
}

// readSymbol decodes one symbol. Section numbers that do not fit in it are in
// wide, four bytes each.
func (f *File) readSymbol(raw []byte, names string, wide []byte, index int) (Symbol, error) {
	le := binary.LittleEndian
	label, err := name(names, le.Uint32(raw))
	if err != nil {
		return Symbol{}, err
	}
	section := int(le.Uint16(raw[6:]))
	switch {
	case section == indexIsElsewhere && len(wide) >= 4*(index+1):
		section = int(le.Uint32(wide[4*index:]))
	case section >= firstReservedSymbol:
		section = 0
	}
	if section >= len(f.Sections) {
		return Symbol{}, fmt.Errorf("it is in section %d of %d", section, len(f.Sections))
	}
	if section == 0 {
		section = -1
	}
	return Symbol{
		Name:    label,
		Kind:    SymbolKind(raw[4] & 15),
		Entry:   raw[5]&entrySymbol != 0 && SymbolKind(raw[4]&15) == Func,
		Local:   raw[4]>>4 == 0,
		Section: section,
		Value:   le.Uint64(raw[8:]),
		Size:    le.Uint64(raw[16:]),
	}, nil
}
