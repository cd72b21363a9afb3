package fatbin

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const folder = "../testdata"

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFatBinariesOfAllToolkitsAreRead(t *testing.T) {
	for _, c := range []struct {
		file string
		want []string // kind, target, version, how packed
	}{
		{"11.8.fatbin", []string{"ptx sm_75 7.8 lz4", "ptx sm_90 7.8 lz4"}},
		{"11.8-all.fatbin", []string{"elf sm_75 1.7 lz4", "ptx sm_75 7.8 lz4"}},
		{"12.4.fatbin", []string{"elf sm_75 1.7 stored", "ptx sm_75 8.4 lz4", "ptx sm_90a 8.4 lz4"}},
		{"12.4-all.fatbin", []string{"elf sm_90a 1.7 lz4", "ptx sm_90a 8.4 lz4"}},
		{"13.0-none.fatbin", []string{"ptx sm_80 9.0 stored"}},
		{"13.0-speed.fatbin", []string{"ptx sm_80 9.0 lz4", "ptx sm_90 9.0 lz4"}},
		{"13.0-balance.fatbin", []string{"elf sm_80 1.8 stored", "ptx sm_80 9.0 zstd", "ptx sm_100f 9.0 zstd"}},
		{"13.0-size.fatbin", []string{"elf sm_80 1.8 zstd", "ptx sm_80 9.0 zstd", "ptx sm_90 9.0 zstd"}},
		{"13.0-lto.fatbin", []string{"lto-ir sm_90 1.65 zstd"}},
	} {
		f, err := Parse(fixture(t, c.file))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		var got []string
		for i := range f.Entries {
			got = append(got, describe(&f.Entries[i]))
			checkPayload(t, c.file, &f.Entries[i])
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s: got %q, want %q", c.file, got, c.want)
		}
	}
}

func describe(e *Entry) string {
	packed := "stored"
	if e.Flags&InLZ4 != 0 {
		packed = "lz4"
	}
	if e.Flags&InZSTD != 0 {
		packed = "zstd"
	}
	return fmt.Sprintf("%s %s %d.%d %s", e.Kind, e.Target(), e.ISAMajor, e.ISAMinor, packed)
}

func checkPayload(t *testing.T, file string, e *Entry) {
	t.Helper()
	payload, err := e.Payload()
	switch {
	case e.Kind == LTOIR:
		if err == nil {
			t.Errorf("%s: link-time code was read", file)
		}
	case err != nil:
		t.Errorf("%s: %v", file, err)
	case e.Kind == ELF && !bytes.HasPrefix(payload, []byte("\x7fELF")):
		t.Errorf("%s: a cubin begins with %q", file, payload[:4])
	case e.Kind == PTX:
		text := string(payload)
		if !strings.Contains(text, ".target "+e.Target()) || !strings.Contains(text, ".visible .entry scale(") {
			t.Errorf("%s: PTX for %s is %.60q", file, e.Target(), text)
		}
		if strings.Contains(text, "\x00") {
			t.Errorf("%s: padding is left", file)
		}
	}
}

func TestNamesAndOptionsOfLineInfoBuildsAreRead(t *testing.T) {
	for file, want := range map[string]string{
		"11.8-all.fatbin": "-O2 --generate-line-info ",
		"12.4-all.fatbin": "--generate-line-info ",
	} {
		f, err := Parse(fixture(t, file))
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Entries {
			e := &f.Entries[i]
			if e.Name != "kernels.cu" {
				t.Errorf("%s: name %q", file, e.Name)
			}
			if e.Kind == PTX && strings.TrimSpace(e.Options) != strings.TrimSpace(want) {
				t.Errorf("%s: options %q, want %q", file, e.Options, want)
			}
		}
	}
}

func TestEncodeKeepsARealFatBinary(t *testing.T) {
	for _, file := range []string{"11.8.fatbin", "12.4-all.fatbin", "13.0-size.fatbin"} {
		before, err := Parse(fixture(t, file))
		if err != nil {
			t.Fatal(err)
		}
		after, err := Parse(Encode(before.Entries...))
		if err != nil {
			t.Fatal(err)
		}
		for i := range before.Entries {
			a, b := &before.Entries[i], &after.Entries[i]
			one, errOne := a.Payload()
			two, errTwo := b.Payload()
			if describe(a) != describe(b) || a.Name != b.Name || !bytes.Equal(one, two) || errOne != nil || errTwo != nil {
				t.Errorf("%s entry %d: %s became %s", file, i, describe(a), describe(b))
			}
		}
	}
}

func TestTruncatedRealFatBinariesAreErrors(t *testing.T) {
	for _, file := range []string{"13.0-size.fatbin", "13.0-speed.fatbin", "11.8-all.fatbin"} {
		data := fixture(t, file)
		for n := range data {
			if _, err := Parse(data[:n]); err == nil {
				t.Fatalf("%s: %d bytes of %d are accepted", file, n, len(data))
			}
		}
	}
}

func TestBitFlipsInRealPayloadsDoNotCrash(t *testing.T) {
	for _, file := range []string{"13.0-size.fatbin", "13.0-speed.fatbin"} {
		data := fixture(t, file)
		for i := range data {
			bit := byte(1) << (i * 5 % 8)
			data[i] ^= bit
			readAll(t, data)
			data[i] ^= bit
		}
	}
}
