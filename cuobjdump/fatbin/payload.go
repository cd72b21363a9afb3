package fatbin

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// MaxPayload is the largest payload, in bytes after decompression, that is
// accepted. The largest cubins of NVIDIA's own libraries stay well below it.
const MaxPayload = 1 << 30

// The most output that one input byte can stand for: an LZ4 length byte counts
// up to 255, a four-byte Zstandard block repeats one byte 128 KiB long.
const (
	lz4MaxRatio       = 255
	zstdMaxBlock      = 128 << 10
	zstdMinBlockBytes = 4
)

// errLTO is what Payload says of link-time intermediate code.
var errLTO = errors.New("link-time intermediate code has a private format")

// Payload returns the image itself: PTX text without its padding, or a cubin.
// A compressed payload is decompressed anew at each call; a stored one is part
// of the bytes that were parsed and must not be changed. A damaged payload
// gives a *CorruptError.
func (e *Entry) Payload() ([]byte, error) {
	if e.Kind == LTOIR {
		return nil, fmt.Errorf("read %s entry: %w", e.Target(), errLTO)
	}
	data, err := e.decompress()
	if err != nil {
		return nil, fmt.Errorf("decompress %s entry for %s: %w", e.Kind, e.Target(), err)
	}
	if e.Kind == PTX {
		data = bytes.TrimRight(data, "\x00")
	}
	return data, nil
}

func (e *Entry) decompress() ([]byte, error) {
	switch {
	case !e.Compressed():
		return e.stored, nil
	case e.size > MaxPayload:
		return nil, corrupt(0, "%d bytes are more than a payload may have", e.size)
	case e.Flags&InZSTD != 0:
		return decodeZSTD(e.stored, e.size)
	}
	if e.size > lz4MaxRatio*uint64(len(e.stored)) {
		return nil, corrupt(0, "%d lz4 bytes cannot hold %d", len(e.stored), e.size)
	}
	dst := make([]byte, e.size)
	if err := decodeLZ4(dst, e.stored); err != nil {
		return nil, err
	}
	return dst, nil
}

func decodeZSTD(src []byte, size uint64) ([]byte, error) {
	blocks := uint64(len(src)/zstdMinBlockBytes + 1)
	if size > blocks*zstdMaxBlock {
		return nil, corrupt(0, "%d zstd bytes cannot hold %d", len(src), size)
	}
	var frame zstd.Header
	if err := frame.Decode(src); err != nil {
		return nil, corrupt(0, "zstd: %v", err)
	}
	if frame.HasFCS && frame.FrameContentSize != size {
		return nil, corrupt(0, "the zstd frame holds %d bytes, not %d", frame.FrameContentSize, size)
	}
	// A decoder of one's own per payload: a program has few, and a shared one
	// would keep its buffers for the life of the process.
	decoder, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(MaxPayload),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, fmt.Errorf("start zstd: %w", err)
	}
	defer decoder.Close()
	dst, err := decoder.DecodeAll(src, make([]byte, 0, size))
	if err != nil {
		return nil, corrupt(0, "zstd: %v", err)
	}
	if uint64(len(dst)) != size {
		return nil, corrupt(0, "the zstd frame holds %d bytes, not %d", len(dst), size)
	}
	return dst, nil
}
