package fatbin

import "encoding/binary"

// New makes an entry with a stored payload, for Encode and for images that come
// bare: a PTX file, a cubin. A target of ("a", 90) is sm_90a.
func New(kind Kind, sm int, suffix string, payload []byte) Entry {
	flags := Is64Bit | ForLinux
	switch suffix {
	case "a":
		flags |= ArchExact
	case "f":
		flags |= ArchFamily
	}
	return Entry{Kind: kind, SM: sm, Suffix: suffix, Flags: flags, stored: payload}
}

// Encode writes a fat binary of entries. Payloads are written as they are
// stored, compressed or not; names are kept, options are not.
func Encode(entries ...Entry) []byte {
	le := binary.LittleEndian
	out := make([]byte, HeaderSize)
	for i := range entries {
		out = appendEntry(out, &entries[i])
	}
	le.PutUint32(out, Magic)
	le.PutUint16(out[4:], 1)
	le.PutUint16(out[6:], HeaderSize)
	le.PutUint64(out[8:], uint64(len(out)-HeaderSize))
	return out
}

func appendEntry(out []byte, e *Entry) []byte {
	le := binary.LittleEndian
	headerSize := entryHeaderSize + align(len(e.Name))
	header := make([]byte, headerSize, headerSize+align(len(e.stored)))
	le.PutUint16(header[offKind:], uint16(e.Kind))
	le.PutUint16(header[offMarker:], entryMarker)
	le.PutUint32(header[offHeaderSize:], uint32(headerSize))
	le.PutUint64(header[offPayloadSize:], uint64(align(len(e.stored))))
	le.PutUint16(header[offMinor:], uint16(e.ISAMinor))
	le.PutUint16(header[offMajor:], uint16(e.ISAMajor))
	le.PutUint32(header[offSM:], uint32(e.SM))
	le.PutUint64(header[offFlags:], uint64(e.Flags))
	if e.Name != "" {
		le.PutUint32(header[offName:], entryHeaderSize)
		le.PutUint32(header[offNameLength:], uint32(len(e.Name)))
		copy(header[entryHeaderSize:], e.Name)
	}
	if e.Compressed() {
		le.PutUint32(header[offCompressed:], uint32(len(e.stored)))
		le.PutUint64(header[offUncompressed:], e.size)
	}
	entry := append(header, e.stored...)
	return append(out, entry[:headerSize+align(len(e.stored))]...)
}

func align(n int) int { return (n + payloadAlign - 1) &^ (payloadAlign - 1) }
