package fatbin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

func TestEveryFieldOfAnEntryIsRead(t *testing.T) {
	e := New(PTX, 90, "a", []byte(ptxText))
	e.ISAMajor, e.ISAMinor = 8, 4
	data := withExtras(e, 48, func(h []byte) {
		le := binary.LittleEndian
		le.PutUint32(h[offName:], 64)
		le.PutUint32(h[offNameLength:], 4)
		copy(h[64:], "k.cu")
		le.PutUint32(h[offOptions:], 72)
		le.PutUint32(h[72:], 80)
		le.PutUint32(h[76:], 11)
		copy(h[80:], "-O2 -lineno")
	})
	f, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Entries) != 1 {
		t.Fatalf("%d entries, want 1", len(f.Entries))
	}
	got := f.Entries[0]
	if got.Kind != PTX || got.SM != 90 || got.Suffix != "a" || got.ISAMajor != 8 || got.ISAMinor != 4 {
		t.Errorf("got %+v", got)
	}
	if got.Name != "k.cu" || got.Options != "-O2 -lineno" || !got.HasOptions {
		t.Errorf("name %q, options %q (%t)", got.Name, got.Options, got.HasOptions)
	}
	if got.Target() != "sm_90a" {
		t.Errorf("target %s", got.Target())
	}
}

func TestAnEmptyOptionsRecordIsToldFromNone(t *testing.T) {
	for name, c := range map[string]struct {
		offset uint32
		want   bool
	}{"as 12.4 writes it": {72, true}, "as 11.8 writes it": {0, false}} {
		data := withExtras(New(PTX, 75, "", []byte(ptxText)), 8, func(h []byte) {
			binary.LittleEndian.PutUint32(h[offOptions:], 64)
			binary.LittleEndian.PutUint32(h[64:], c.offset)
		})
		f, err := Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := f.Entries[0].HasOptions; got != c.want {
			t.Errorf("%s: HasOptions %t, want %t", name, got, c.want)
		}
	}
}

func TestPayloadsComeBackWhateverTheCompression(t *testing.T) {
	plain := New(PTX, 75, "", []byte(ptxText))
	cubin := New(ELF, 75, "", bytes.Repeat([]byte("\x7fELF cubin \x00\x00\x00\x00\x00"), 100))
	for name, e := range map[string]Entry{
		"stored": plain, "lz4": inLZ4(t, plain), "zstd": inZSTD(t, plain),
		"stored cubin": cubin, "lz4 cubin": inLZ4(t, cubin), "zstd cubin": inZSTD(t, cubin),
	} {
		f, err := Parse(Encode(New(ELF, 80, "", []byte("other")), e))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := f.Entries[1].Payload()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := ptxText
		if e.Kind == ELF {
			want = string(cubin.stored)
		}
		if string(got) != want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestPTXLosesItsPadding(t *testing.T) {
	e := New(PTX, 75, "", []byte("ret;\x00\x00\x00\x00"))
	for name, e := range map[string]Entry{"stored": e, "lz4": inLZ4(t, e)} {
		got, err := e.Payload()
		if err != nil || string(got) != "ret;" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestLinkTimeCodeIsNotAnImage(t *testing.T) {
	e := New(LTOIR, 90, "", []byte("????"))
	if _, err := e.Payload(); !errors.Is(err, errLTO) {
		t.Errorf("got %v", err)
	}
}

func TestConcatenatedFatBinariesAreAllFound(t *testing.T) {
	one := Encode(New(ELF, 80, "", []byte("12345678")))
	two := Encode(New(PTX, 75, "", []byte(ptxText)), New(PTX, 90, "", []byte(ptxText)))
	section := append(append(append(append([]byte{}, make([]byte, 8)...), one...), make([]byte, 24)...), two...)
	all, err := ParseAll(append(section, 0, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || len(all[0].Entries) != 1 || len(all[1].Entries) != 2 {
		t.Errorf("got %d fat binaries", len(all))
	}
	if all, err := ParseAll(make([]byte, 64)); err != nil || len(all) != 0 {
		t.Errorf("of zeros: %d, %v", len(all), err)
	}
	_, err = ParseAll(append(section, "junk"...))
	var c *CorruptError
	if !errors.As(err, &c) || c.Offset != len(section) {
		t.Errorf("junk after the last: %v, want a complaint about byte %#x", err, len(section))
	}
}

func TestSizeIsKnownFromTheHeaderAlone(t *testing.T) {
	data := Encode(New(PTX, 75, "", []byte(ptxText)))
	if n, err := Size(data[:HeaderSize]); err != nil || n != len(data) {
		t.Errorf("got %d, %v; want %d", n, err, len(data))
	}
	if _, err := Size(data[:HeaderSize-1]); err == nil {
		t.Error("a cut header gave a size")
	}
	data[15] = 0xff
	if n, err := Size(data); err == nil {
		t.Errorf("an impossible size gave %d", n)
	}
}

func TestEveryTruncationIsAnError(t *testing.T) {
	data := Encode(inLZ4(t, New(PTX, 75, "", []byte(ptxText))), inZSTD(t, New(PTX, 90, "", []byte(ptxText))))
	for n := range data {
		f, err := Parse(data[:n])
		var c *CorruptError
		if !errors.As(err, &c) {
			t.Fatalf("of %d bytes: %v, %v", n, f, err)
		}
	}
}

func TestDamagedHeadersAreNamed(t *testing.T) {
	put16 := func(at int, v uint16) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint16(b[at:], v) }
	}
	put32 := func(at int, v uint32) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint32(b[at:], v) }
	}
	const entry = HeaderSize
	for want, damage := range map[string]func([]byte){
		"magic number":             put32(0, 0x12345678),
		"version 9 is unknown":     put16(4, 9),
		"header of 8 bytes":        put16(6, 8),
		"entry version":            put16(entry+offMarker, 7),
		"entry header of 63 bytes": put32(entry+offHeaderSize, 63),
		"entry header of 42949":    put32(entry+offHeaderSize, 0xffffffff),
		"payload of 18446":         func(b []byte) { binary.LittleEndian.PutUint64(b[entry+offPayloadSize:], 1<<64-1) },
		"compressed bytes":         put32(entry+offCompressed, 1<<30),
		"options record":           put32(entry+offOptions, 61),
		"string of":                put32(entry+offNameLength, 1),
		"string of 4294967295":     func(b []byte) { put32(entry+offName, 1<<31)(b); put32(entry+offNameLength, 1<<32-1)(b) },
	} {
		data := Encode(inLZ4(t, New(PTX, 75, "", []byte(ptxText))))
		put32(entry+offName, 64)(data)
		damage(data)
		_, err := Parse(data)
		var c *CorruptError
		if !errors.As(err, &c) || !strings.Contains(err.Error(), want) {
			t.Errorf("want a complaint about %q, got %v", want, err)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
	}
}

func TestNoBitFlipPanicsOrGrows(t *testing.T) {
	entries := []Entry{
		inLZ4(t, New(PTX, 75, "", []byte(ptxText))),
		inZSTD(t, New(PTX, 90, "f", []byte(ptxText))),
		New(ELF, 90, "", []byte("\x7fELF stored")),
	}
	entries[0].Name = "k.cu"
	data := Encode(entries...)
	for bit := range len(data) * 8 {
		data[bit/8] ^= 1 << (bit % 8)
		readAll(t, data)
		data[bit/8] ^= 1 << (bit % 8)
	}
}

// readAll uses everything that a loader would, and holds the errors to their type.
func readAll(t testing.TB, data []byte) {
	t.Helper()
	all, err := ParseAll(data)
	var c *CorruptError
	if err != nil && !errors.As(err, &c) {
		t.Fatalf("parse: an error of another type: %v", err)
	}
	for _, f := range all {
		for i := range f.Entries {
			payload, err := f.Entries[i].Payload()
			if err != nil && !errors.As(err, &c) && !errors.Is(err, errLTO) {
				t.Fatalf("payload: an error of another type: %v", err)
			}
			if len(payload) > MaxPayload {
				t.Fatalf("a payload of %d bytes", len(payload))
			}
		}
		_, _ = Select(f.Entries, 90)
	}
}

func FuzzFatbin(f *testing.F) {
	plain := New(PTX, 75, "", []byte(ptxText))
	f.Add(Encode())
	f.Add(Encode(plain))
	f.Add(Encode(inLZ4(f, plain), New(ELF, 90, "a", []byte("\x7fELF"))))
	f.Add(Encode(inZSTD(f, plain), New(LTOIR, 90, "", []byte("x"))))
	f.Add(append(Encode(plain), Encode(plain)...))
	for _, name := range []string{"11.8-all.fatbin", "13.0-speed.fatbin", "13.0-size.fatbin", "13.0-lto.fatbin"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) { readAll(t, data) })
}
