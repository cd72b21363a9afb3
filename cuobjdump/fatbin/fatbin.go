package fatbin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

const (
	// Magic opens a fat binary.
	Magic = 0xBA55ED50
	// HeaderSize is the number of bytes needed to learn a fat binary's size.
	HeaderSize = 16

	entryHeaderSize = 64
	entryMarker     = 0x0101
	payloadAlign    = 8
)

// Offsets within an entry's header.
const (
	offKind         = 0
	offMarker       = 2
	offHeaderSize   = 4
	offPayloadSize  = 8
	offCompressed   = 16
	offOptions      = 20
	offMinor        = 24
	offMajor        = 26
	offSM           = 28
	offName         = 32
	offNameLength   = 36
	offFlags        = 40
	offUncompressed = 56
)

// Kind says what an entry's payload is.
type Kind uint16

// The kinds of payload. Others exist in odd corners; they parse and are never selected.
const (
	PTX   Kind = 1
	ELF   Kind = 2
	LTOIR Kind = 8
)

func (k Kind) String() string {
	switch k {
	case PTX:
		return "ptx"
	case ELF:
		return "elf"
	case LTOIR:
		return "lto-ir"
	}
	return fmt.Sprintf("kind %d", uint16(k))
}

// Flags are the flag bits of an entry as stored.
type Flags uint64

// The flag bits that matter to a loader.
const (
	Is64Bit    Flags = 1 << 0
	HasDebug   Flags = 1 << 1
	ForLinux   Flags = 1 << 4
	ForMac     Flags = 1 << 5
	ForWindows Flags = 1 << 6
	InLZ4      Flags = 1 << 13
	InZSTD     Flags = 1 << 15
	IsLTO      Flags = 1 << 16
	ArchExact  Flags = 1 << 20 // the "a" of sm_90a
	ArchFamily Flags = 1 << 21 // the "f" of sm_100f
)

// Entry is one image of a fat binary: a PTX module, a cubin, or something only
// a linker can read. It refers to the parsed bytes, which must stay unchanged.
type Entry struct {
	Kind Kind
	// SM is the target's number: 90 for sm_90 and for compute_90.
	SM int
	// Suffix is "", "a" (this SM only) or "f" (this family only).
	Suffix string
	// ISAMajor and ISAMinor are the PTX version of a PTX entry, the container
	// version of an ELF entry.
	ISAMajor, ISAMinor int
	Flags              Flags
	// Name is the source file's name, present in builds with line information.
	Name string
	// Options are the ptxas options recorded in a PTX entry. HasOptions tells an
	// empty record, which toolkits from 12 on write, from none.
	Options    string
	HasOptions bool

	stored []byte // compressed, or as is and padded
	size   uint64 // uncompressed; of no meaning when stored as is
}

// Target is the entry's architecture as nvcc spells it: sm_90a.
func (e *Entry) Target() string {
	return fmt.Sprintf("sm_%d%s", e.SM, e.Suffix)
}

// Compressed says whether Payload has to decompress.
func (e *Entry) Compressed() bool { return e.Flags&(InLZ4|InZSTD) != 0 }

// Fatbin is a parsed fat binary.
type Fatbin struct {
	Entries []Entry
}

// CorruptError reports bytes that are not a fat binary, or a damaged one. For a
// CUDA program it is cudaErrorInvalidKernelImage (200).
type CorruptError struct {
	Offset int // of the damaged part, in the bytes given to Parse or in the payload
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("fat binary is corrupt at byte %#x: %s", e.Offset, e.Reason)
}

func corrupt(offset int, format string, args ...any) error {
	return &CorruptError{Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// IsFatbin says whether data begins as a fat binary does.
func IsFatbin(data []byte) bool {
	return len(data) >= 4 && binary.LittleEndian.Uint32(data) == Magic
}

// Size reads the number of bytes of a whole fat binary from its first
// HeaderSize bytes, for callers who hold a pointer and no length.
func Size(header []byte) (int, error) {
	headerSize, bodySize, err := parseHeader(header)
	if err != nil {
		return 0, err
	}
	return headerSize + bodySize, nil
}

func parseHeader(data []byte) (headerSize, bodySize int, err error) {
	if len(data) < HeaderSize {
		return 0, 0, corrupt(0, "%d bytes are too few for a header", len(data))
	}
	le := binary.LittleEndian
	if magic := le.Uint32(data); magic != Magic {
		return 0, 0, corrupt(0, "the magic number is %#x, not %#x", magic, uint32(Magic))
	}
	if version := le.Uint16(data[4:]); version != 1 {
		return 0, 0, corrupt(4, "container version %d is unknown", version)
	}
	headerSize = int(le.Uint16(data[6:]))
	if headerSize < HeaderSize {
		return 0, 0, corrupt(6, "a header of %d bytes is too short", headerSize)
	}
	size := le.Uint64(data[8:])
	if size > math.MaxInt64-math.MaxUint16 {
		return 0, 0, corrupt(8, "size %#x is impossible", size)
	}
	return headerSize, int(size), nil
}

// Parse reads the fat binary at the start of data. Bytes after its end are
// ignored. The result refers to data.
func Parse(data []byte) (*Fatbin, error) {
	f, _, err := parse(data, 0)
	return f, err
}

// ParseAll reads the fat binaries that lie one after another, with zero bytes
// between them, in a section such as .nv_fatbin.
func ParseAll(data []byte) ([]*Fatbin, error) {
	var all []*Fatbin
	for at := skipZeros(data, 0); at < len(data); {
		f, size, err := parse(data[at:], at)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
		at = skipZeros(data, at+size)
	}
	return all, nil
}

func skipZeros(data []byte, at int) int {
	return len(data) - len(bytes.TrimLeft(data[at:], "\x00"))
}

// parse reads one fat binary and returns its size; origin is where data lies in
// what the caller gave, for messages.
func parse(data []byte, origin int) (*Fatbin, int, error) {
	headerSize, bodySize, err := parseHeader(data)
	if err != nil {
		return nil, 0, shift(err, origin)
	}
	if bodySize > len(data)-headerSize {
		return nil, 0, corrupt(origin, "it needs %d bytes and %d are there", headerSize+bodySize, len(data))
	}
	end := headerSize + bodySize
	f := &Fatbin{}
	for at := headerSize; at < end; {
		entry, size, err := parseEntry(data[at:end])
		if err != nil {
			return nil, 0, shift(err, origin+at)
		}
		f.Entries = append(f.Entries, entry)
		at += size
	}
	return f, end, nil
}

func shift(err error, by int) error {
	if c, ok := err.(*CorruptError); ok {
		c.Offset += by
	}
	return err
}

// parseEntry reads the entry at the start of data, which ends where the fat
// binary ends, and returns the bytes that it occupies.
func parseEntry(data []byte) (Entry, int, error) {
	if len(data) < entryHeaderSize {
		return Entry{}, 0, corrupt(0, "%d bytes are too few for an entry", len(data))
	}
	le := binary.LittleEndian
	if marker := le.Uint16(data[offMarker:]); marker != entryMarker {
		return Entry{}, 0, corrupt(offMarker, "entry version %#x is unknown", marker)
	}
	headerSize := uint64(le.Uint32(data[offHeaderSize:]))
	if headerSize < entryHeaderSize || headerSize > uint64(len(data)) {
		return Entry{}, 0, corrupt(offHeaderSize, "an entry header of %d bytes does not fit", headerSize)
	}
	payloadSize := le.Uint64(data[offPayloadSize:])
	if payloadSize > uint64(len(data))-headerSize {
		return Entry{}, 0, corrupt(offPayloadSize, "a payload of %d bytes does not fit", payloadSize)
	}
	header, payload := data[:headerSize], data[headerSize:headerSize+payloadSize]

	e := Entry{
		Kind:     Kind(le.Uint16(header[offKind:])),
		SM:       int(le.Uint32(header[offSM:])),
		ISAMajor: int(le.Uint16(header[offMajor:])),
		ISAMinor: int(le.Uint16(header[offMinor:])),
		Flags:    Flags(le.Uint64(header[offFlags:])),
		stored:   payload,
		size:     le.Uint64(header[offUncompressed:]),
	}
	switch {
	case e.Flags&ArchExact != 0:
		e.Suffix = "a"
	case e.Flags&ArchFamily != 0:
		e.Suffix = "f"
	}
	if e.Compressed() {
		size := uint64(le.Uint32(header[offCompressed:]))
		if size > payloadSize {
			return Entry{}, 0, corrupt(offCompressed, "%d compressed bytes do not fit in a payload of %d", size, payloadSize)
		}
		e.stored = payload[:size]
	}
	var err error
	if e.Name, err = text(header, le.Uint32(header[offName:]), le.Uint32(header[offNameLength:])); err != nil {
		return Entry{}, 0, err
	}
	if e.Kind == PTX || e.Kind == LTOIR {
		if e.Options, e.HasOptions, err = options(header); err != nil {
			return Entry{}, 0, err
		}
	}
	return e, int(headerSize + payloadSize), nil
}

// options reads the string behind the options record: a pair (offset, length)
// to which the header points. In ELF entries the same record holds
// compatibility data that is not text.
func options(header []byte) (value string, present bool, err error) {
	at := binary.LittleEndian.Uint32(header[offOptions:])
	if at == 0 {
		return "", false, nil
	}
	if uint64(at)+8 > uint64(len(header)) {
		return "", false, corrupt(offOptions, "an options record at %d lies outside the entry header", at)
	}
	offset := binary.LittleEndian.Uint32(header[at:])
	length := binary.LittleEndian.Uint32(header[at+4:])
	value, err = text(header, offset, length)
	return value, offset != 0, err
}

func text(header []byte, offset, length uint32) (string, error) {
	if length == 0 {
		return "", nil
	}
	if uint64(offset)+uint64(length) > uint64(len(header)) {
		return "", corrupt(int(offset), "a string of %d bytes lies outside the entry header", length)
	}
	return string(bytes.TrimRight(header[offset:offset+length], "\x00")), nil
}
