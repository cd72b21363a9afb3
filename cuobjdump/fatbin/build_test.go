package fatbin

import (
	"encoding/binary"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

const ptxText = ".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n" +
	"// a comment long enough to compress, a comment long enough to compress\n"

func compressed(e Entry, flag Flags, packed []byte, size int) Entry {
	e.Flags |= flag
	e.stored, e.size = packed, uint64(size)
	return e
}

func inLZ4(t testing.TB, e Entry) Entry {
	t.Helper()
	return compressed(e, InLZ4, lz4Block(t, e.stored), len(e.stored))
}

func inZSTD(t testing.TB, e Entry) Entry {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return compressed(e, InZSTD, w.EncodeAll(e.stored, nil), len(e.stored))
}

// lz4Block compresses with the module that serves as oracle. It leaves input
// that does not compress to the caller; such input becomes one run of literals.
func lz4Block(t testing.TB, src []byte) []byte {
	t.Helper()
	dst := make([]byte, lz4.CompressBlockBound(len(src)))
	n, err := lz4.CompressBlock(src, dst, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		return dst[:n]
	}
	token := min(len(src), 15) << 4
	out := []byte{byte(token)}
	if rest := len(src) - 15; rest >= 0 {
		for ; rest >= 255; rest -= 255 {
			out = append(out, 255)
		}
		out = append(out, byte(rest))
	}
	return append(out, src...)
}

// withExtras rewrites a one-entry fat binary so that its entry header carries
// extra bytes, and lets edit fill them in.
func withExtras(e Entry, extra int, edit func(header []byte)) []byte {
	plain := Encode(e)
	out := append([]byte{}, plain[:HeaderSize+entryHeaderSize]...)
	out = append(out, make([]byte, extra)...)
	out = append(out, plain[HeaderSize+entryHeaderSize:]...)
	le := binary.LittleEndian
	le.PutUint64(out[8:], uint64(len(out)-HeaderSize))
	header := out[HeaderSize : HeaderSize+entryHeaderSize+extra]
	le.PutUint32(header[offHeaderSize:], uint32(len(header)))
	edit(header)
	return out
}
