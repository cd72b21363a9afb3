package fatbin

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// texts returns inputs that exercise long literals, long matches and overlaps.
func texts() [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	var all [][]byte
	for _, n := range []int{0, 1, 4, 12, 13, 15, 16, 64, 269, 270, 271, 1000, 70000} {
		noise := make([]byte, n)
		words := make([]byte, n)
		for i := range n {
			noise[i] = byte(r.Uint32())
			words[i] = "abcdef ptx"[r.IntN(2)*r.IntN(10)]
		}
		all = append(all, noise, words, make([]byte, n), bytes.Repeat([]byte("ab"), n/2))
	}
	return all
}

func TestLZ4DecodesWhatItsReferenceWrites(t *testing.T) {
	for _, want := range texts() {
		dst := make([]byte, len(want))
		if err := decodeLZ4(dst, lz4Block(t, want)); err != nil {
			t.Fatalf("of %d bytes: %v", len(want), err)
		}
		if !bytes.Equal(dst, want) {
			t.Errorf("of %d bytes: wrong result", len(want))
		}
	}
}

func TestLZ4RefusesWhatDoesNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		size int
		src  []byte
	}{
		"literals past the input":     {9, []byte{0x90, 'a'}},
		"literals past the output":    {1, []byte{0x20, 'a', 'b'}},
		"unfinished literal length":   {300, []byte{0xf0, 255}},
		"distance zero":               {9, []byte{0x10, 'a', 0, 0, 0x40, 'a', 'b', 'c', 'd'}},
		"distance before the start":   {9, []byte{0x10, 'a', 2, 0, 0x40, 'a', 'b', 'c', 'd'}},
		"match past the output":       {4, []byte{0x10, 'a', 1, 0}},
		"match without distance":      {9, []byte{0x10, 'a', 1}},
		"unfinished match length":     {300, []byte{0x1f, 'a', 1, 0, 255}},
		"fewer bytes than promised":   {3, []byte{0x20, 'a', 'b'}},
		"nothing where something was": {1, nil},
	} {
		err := decodeLZ4(make([]byte, c.size), c.src)
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLZ4AgreesWithItsReferenceOnDamage(t *testing.T) {
	src := lz4Block(t, []byte(strings.Repeat("mov.u32 %r1, %tid.x; ", 20)+ptxText))
	size := 20*21 + len(ptxText)
	for bit := range len(src) * 8 {
		src[bit/8] ^= 1 << (bit % 8)
		compareLZ4(t, src, size)
		src[bit/8] ^= 1 << (bit % 8)
	}
	for n := range src {
		compareLZ4(t, src[:n], size)
	}
}

// compareLZ4 demands that whatever we accept, the reference decodes to the same
// bytes. The reference's own checks at the end of a block differ, so what it
// accepts and we refuse is not an error.
func compareLZ4(t testing.TB, src []byte, size int) {
	t.Helper()
	ours := make([]byte, size)
	if decodeLZ4(ours, src) != nil || len(src) == 0 {
		return
	}
	theirs := make([]byte, size)
	n, err := lz4.UncompressBlock(src, theirs)
	if err != nil {
		return
	}
	if !bytes.Equal(ours, theirs[:n]) {
		t.Fatalf("results differ for %x", src)
	}
}

func FuzzLZ4(f *testing.F) {
	for _, text := range texts() {
		if len(text) <= 300 {
			f.Add(lz4Block(f, text), len(text))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, size int) {
		if size < 0 || size > 1<<20 {
			return
		}
		compareLZ4(t, src, size)
	})
}

func TestImplausibleSizesAreRefusedBeforeAllocation(t *testing.T) {
	e := New(PTX, 75, "", []byte(strings.Repeat("x", 1<<16)))
	for name, e := range map[string]Entry{"lz4": inLZ4(t, e), "zstd": inZSTD(t, e)} {
		for _, size := range []uint64{MaxPayload, MaxPayload + 1, 1 << 40, 1<<64 - 1} {
			e.size = size
			allocated := testing.AllocsPerRun(1, func() {
				if _, err := e.Payload(); err == nil {
					t.Errorf("%s: size %d was believed", name, size)
				}
			})
			if allocated > 100 {
				t.Errorf("%s: %v allocations", name, allocated)
			}
		}
	}
}

func TestZSTDFramesMustHoldWhatTheHeaderSays(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	frame := w.EncodeAll([]byte(ptxText), nil)
	e := compressed(New(PTX, 75, "", nil), InZSTD, frame, len(ptxText))
	if _, err := e.Payload(); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]Entry{
		"one byte less":  compressed(e, InZSTD, frame, len(ptxText)-1),
		"one byte more":  compressed(e, InZSTD, frame, len(ptxText)+1),
		"a frame behind": compressed(e, InZSTD, append(append([]byte{}, frame...), frame...), len(ptxText)),
		"no frame":       compressed(e, InZSTD, []byte(ptxText), len(ptxText)),
		"nothing":        compressed(e, InZSTD, nil, 1),
	} {
		_, err := bad.Payload()
		var c *CorruptError
		if !errors.As(err, &c) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestZSTDStreamsWithoutASizeAreRead(t *testing.T) {
	text := bytes.Repeat([]byte(ptxText), 3000)
	var frame bytes.Buffer
	w, err := zstd.NewWriter(&frame, zstd.WithWindowSize(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(text); i += len(ptxText) {
		if _, err := w.Write(text[i : i+len(ptxText)]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	e := compressed(New(PTX, 75, "", nil), InZSTD, frame.Bytes(), len(text))
	got, err := e.Payload()
	if err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func BenchmarkPayload(b *testing.B) {
	e := New(PTX, 75, "", bytes.Repeat([]byte(ptxText+"mov.u32 %r1, %tid.x;"), 100))
	for name, e := range map[string]Entry{"lz4": inLZ4(b, e), "zstd": inZSTD(b, e)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(e.size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Payload(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
