package elf

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// The parts of the ELF64 format that are used here (System V ABI, "Object Files").
const (
	headerSize        = 64
	sectionHeaderSize = 64
	programHeaderSize = 56
	symbolSize        = 24

	typeSymbols         = 2  // SHT_SYMTAB
	typeNoBits          = 8  // SHT_NOBITS
	typeSymbolSections  = 18 // SHT_SYMTAB_SHNDX
	indexIsElsewhere    = 0xffff
	countIsElsewhere    = 0
	firstReservedSymbol = 0xff00

	// TypeRelocatable is the type of an object file.
	TypeRelocatable = 1
	// MachineCUDA is the machine number of a cubin.
	MachineCUDA = 190

	// maxName bounds the work that one name can cause. The longest mangled names
	// of real kernels are a few thousand bytes.
	maxName = 1 << 16
	// maxImage bounds the size that Size believes, maxReserved that of a section
	// without content: no device has more memory.
	maxImage    = 1 << 30
	maxReserved = 1 << 42
)

// CorruptError reports a damaged ELF image. For a CUDA program it is
// cudaErrorInvalidKernelImage (200).
type CorruptError struct {
	Part   string // "header", "section 7", ".nv.info.kernel"
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("elf image is corrupt: %s: %s", e.Part, e.Reason)
}

func corrupt(part, format string, args ...any) error {
	return &CorruptError{Part: part, Reason: fmt.Sprintf(format, args...)}
}

// File is an ELF64 little-endian file. It refers to the bytes given to Open.
type File struct {
	OSABI, ABIVersion byte
	Type, Machine     uint16
	Flags             uint32
	Sections          []Section
}

// Section is one section of a file.
type Section struct {
	Name       string
	Type       uint32
	Flags      uint64
	Link, Info uint32
	// Size is the section's size in bytes. Data is its content, nil for a section
	// that takes no room in the file.
	Size uint64
	Data []byte
}

// IsELF says whether data begins as an ELF file does.
func IsELF(data []byte) bool {
	return len(data) >= 4 && string(data[:4]) == "\x7fELF"
}

// table locates a table of headers in a file.
type table struct {
	offset uint64
	count  int
}

func (t table) end(entrySize int) uint64 { return t.offset + uint64(t.count*entrySize) }

// Open reads the headers and the section names of an ELF file.
func Open(data []byte) (*File, error) {
	sections, err := sectionTable(data)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	f := &File{
		OSABI:      data[7],
		ABIVersion: data[8],
		Type:       le.Uint16(data[16:]),
		Machine:    le.Uint16(data[18:]),
		Flags:      le.Uint32(data[48:]),
		Sections:   make([]Section, sections.count),
	}
	nameOffsets := make([]uint32, sections.count)
	for i := range f.Sections {
		header := data[sections.offset+uint64(i)*sectionHeaderSize:][:sectionHeaderSize]
		nameOffsets[i] = le.Uint32(header)
		if f.Sections[i], err = readSection(data, header, i); err != nil {
			return nil, err
		}
	}
	if sections.count == 0 {
		return f, nil
	}
	namesIndex := uint32(le.Uint16(data[62:]))
	if namesIndex == indexIsElsewhere {
		namesIndex = f.Sections[0].Link
	}
	if int(namesIndex) >= len(f.Sections) {
		return nil, corrupt("header", "section names are in section %d of %d", namesIndex, len(f.Sections))
	}
	names := string(f.Sections[namesIndex].Data)
	for i := range f.Sections {
		if f.Sections[i].Name, err = name(names, nameOffsets[i]); err != nil {
			return nil, corrupt(fmt.Sprintf("section %d", i), "%v", err)
		}
	}
	return f, nil
}

// sectionTable checks the file header and that the section headers lie inside data.
func sectionTable(data []byte) (table, error) {
	if len(data) < headerSize || !IsELF(data) {
		return table{}, corrupt("header", "it is not an ELF file")
	}
	if class, order := data[4], data[5]; class != 2 || order != 1 {
		return table{}, corrupt("header", "it is not a 64-bit little-endian file")
	}
	le := binary.LittleEndian
	t := table{offset: le.Uint64(data[40:]), count: int(le.Uint16(data[60:]))}
	if t.offset == 0 {
		return table{}, nil
	}
	if size := le.Uint16(data[58:]); size != sectionHeaderSize {
		return table{}, corrupt("header", "section headers have %d bytes", size)
	}
	room := uint64(len(data))
	if t.offset > room || room-t.offset < sectionHeaderSize {
		return table{}, corrupt("header", "section headers lie at %#x of %#x bytes", t.offset, room)
	}
	if t.count == countIsElsewhere {
		count := le.Uint64(data[t.offset+32:])
		t.count = int(min(count, math.MaxInt32))
	}
	if uint64(t.count) > (room-t.offset)/sectionHeaderSize {
		return table{}, corrupt("header", "%d section headers do not fit", t.count)
	}
	return t, nil
}

func readSection(data, header []byte, index int) (Section, error) {
	le := binary.LittleEndian
	s := Section{
		Type:  le.Uint32(header[4:]),
		Flags: le.Uint64(header[8:]),
		Size:  le.Uint64(header[32:]),
		Link:  le.Uint32(header[40:]),
		Info:  le.Uint32(header[44:]),
	}
	if s.Type == 0 || s.Type == typeNoBits {
		if s.Size > maxReserved {
			return s, corrupt(fmt.Sprintf("section %d", index), "a size of %#x bytes", s.Size)
		}
		return s, nil
	}
	offset, room := le.Uint64(header[24:]), uint64(len(data))
	if offset > room || s.Size > room-offset {
		return s, corrupt(fmt.Sprintf("section %d", index), "%#x bytes at %#x lie outside the file", s.Size, offset)
	}
	s.Data = data[offset : offset+s.Size]
	return s, nil
}

func name(names string, offset uint32) (string, error) {
	if uint64(offset) >= uint64(len(names)) {
		if offset == 0 {
			return "", nil
		}
		return "", fmt.Errorf("its name lies outside the string table")
	}
	rest := names[offset:min(uint64(len(names)), uint64(offset)+maxName)]
	end := strings.IndexByte(rest, 0)
	if end < 0 {
		return "", fmt.Errorf("its name has no end")
	}
	return rest[:end], nil
}

// Section returns the first section of that name, or nil.
func (f *File) Section(name string) *Section {
	for i := range f.Sections {
		if f.Sections[i].Name == name {
			return &f.Sections[i]
		}
	}
	return nil
}

// Size finds the size in bytes of an ELF image of which only the start is known.
// head returns its first n bytes, or fewer where no more can be read.
func Size(head func(n int) []byte) (int, error) {
	start := head(headerSize)
	if len(start) < headerSize || !IsELF(start) {
		return 0, corrupt("header", "it is not an ELF file")
	}
	le := binary.LittleEndian
	sections := table{le.Uint64(start[40:]), int(le.Uint16(start[60:]))}
	programs := table{le.Uint64(start[32:]), int(le.Uint16(start[56:]))}
	if sections.offset > maxImage || programs.offset > maxImage {
		return 0, corrupt("header", "header tables at %#x and %#x", sections.offset, programs.offset)
	}
	if sections.offset != 0 && sections.count == countIsElsewhere {
		first := head(int(sections.offset) + sectionHeaderSize)
		if len(first) < int(sections.offset)+sectionHeaderSize {
			return 0, corrupt("header", "section headers cannot be read")
		}
		sections.count = int(min(le.Uint64(first[sections.offset+32:]), maxImage/sectionHeaderSize))
	}
	end := sections.end(sectionHeaderSize)
	headers := head(int(end))
	if uint64(len(headers)) < end {
		return 0, corrupt("header", "section headers cannot be read")
	}
	size := max(headerSize, end, programs.end(programHeaderSize))
	for i := range sections.count {
		header := headers[sections.offset+uint64(i)*sectionHeaderSize:]
		if kind := le.Uint32(header[4:]); kind == 0 || kind == typeNoBits {
			continue
		}
		offset, length := le.Uint64(header[24:]), le.Uint64(header[32:])
		if offset > maxImage || length > maxImage {
			return 0, corrupt(fmt.Sprintf("section %d", i), "%#x bytes at %#x", length, offset)
		}
		size = max(size, offset+length)
	}
	return int(size), nil
}
