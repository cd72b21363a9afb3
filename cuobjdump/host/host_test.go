package host

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cuobjdump/elf"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
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

// outline writes what was found as "member section[bare]: kind target, ...; ...".
func outline(objects []Object) string {
	var lines []string
	for _, o := range objects {
		for _, s := range o.Sections {
			var images []string
			for _, f := range s.Fatbins {
				for i := range f.Entries {
					images = append(images, fmt.Sprintf("%s %s", f.Entries[i].Kind, f.Entries[i].Target()))
				}
			}
			name := strings.TrimSpace(o.Member + " " + s.Name)
			if s.Bare {
				name += "bare"
			}
			lines = append(lines, name+": "+strings.Join(images, ", "))
		}
	}
	return strings.Join(lines, "; ")
}

const ptxText = "\n// made by hand, /* nested */\n.version 8.4 /* two\nlines */\n.target sm_90a, debug\n.address_size 64\n"

func TestEveryKindOfFileIsOpened(t *testing.T) {
	ptxFile := filepath.Join(t.TempDir(), "k.ptx")
	if err := os.WriteFile(ptxFile, []byte(ptxText), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"../testdata/13.0-host":            ".nv_fatbin: elf sm_80; __nv_relfatbin: elf sm_80, ptx sm_80, elf sm_80, ptx sm_80",
		"../testdata/12.4-host.a":          "12.4-host.o __nv_relfatbin: elf sm_80, ptx sm_80; part.o __nv_relfatbin: elf sm_80, ptx sm_80",
		"../testdata/12.4.fatbin":          ": elf sm_75, ptx sm_75, ptx sm_90a",
		"../testdata/12.4-sm_90a.cubin":    "bare: elf sm_90a",
		"../testdata/13.0-sm_80-rdc.cubin": "bare: elf sm_80",
		ptxFile:                            "bare: ptx sm_90a",
	} {
		file, err := Open(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got := outline(file.Objects); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestFilesWithoutDeviceCodeSaySo(t *testing.T) {
	object := hostELF(t, ".text", []byte("code"))
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("int main() {}"), "object": object,
		"archive": archive(member("plain.o/", object)), "half a directive": []byte(".version 8.4"),
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, ErrNoDeviceCode) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
}

func TestDamageIsReportedByItsPlace(t *testing.T) {
	bad := fixture(t, "12.4.fatbin")[:100]
	var corruptFatbin *fatbin.CorruptError
	_, err := Parse(hostELF(t, Linked, bad))
	if !errors.As(err, &corruptFatbin) || !strings.Contains(err.Error(), Linked) {
		t.Errorf("section: %v", err)
	}
	_, err = Parse(archive(member("bad.o/", hostELF(t, Relocatable, bad))))
	if !errors.As(err, &corruptFatbin) || !strings.Contains(err.Error(), "member bad.o") {
		t.Errorf("member: %v", err)
	}
	var corruptELF *elf.CorruptError
	if _, err = Parse(fixture(t, "13.0-sm_90.cubin")[:500]); !errors.As(err, &corruptELF) {
		t.Errorf("cubin: %v", err)
	}
}

func TestArchivesOfOddShapeAreHandled(t *testing.T) {
	object := hostELF(t, Linked, fixture(t, "13.0-none.fatbin"))
	long := strings.Repeat("long", 10) + ".o"
	got, err := Parse(archive(
		member("/", []byte("odd")), // symbol table, padded to an even size
		member("//", []byte("first.o/\n"+long+"/\n")),
		member("/9", object), member("short.o/", object),
		member("readme/", []byte("text")), member("/999", object),
	))
	want := long + " .nv_fatbin: ptx sm_80; short.o .nv_fatbin: ptx sm_80; /999 .nv_fatbin: ptx sm_80"
	if err != nil || outline(got) != want {
		t.Errorf("got %q, %v", outline(got), err)
	}
	if _, err := Parse([]byte(thinArchiveMagic)); !errors.Is(err, errThinArchive) {
		t.Errorf("thin: %v", err)
	}
	whole := archive(member("short.o/", object))
	for n := len(archiveMagic) + 1; n < len(whole); n += 7 {
		if _, err := Parse(whole[:n]); err == nil {
			t.Fatalf("%d bytes of %d are accepted", n, len(whole))
		}
	}
}

func TestTargetsOfPTXAreRead(t *testing.T) {
	for text, want := range map[string]string{
		".version 7.8\n.target sm_75\n":                          "sm_75 7.8",
		"//c\n.version 9.0 .target compute_100f":                 "sm_100f 9.0",
		".version 6.3\r\n.target sm_53, texmode_independent":     "sm_53 6.3",
		"/* a / b */ .version 8.0 // x\n\t.target\tsm_90a,debug": "sm_90a 8.0",
		".version 8.0 .target sm_":                               "",
		".target sm_90 .version 8.0":                             "",
		".version 8.0 .target 90":                                "",
		"/* .version 8.0 .target sm_90":                          "",
		"a/b .version 8.0 .target sm_90":                         "",
	} {
		e, ok := ptxEntry([]byte(text))
		got := ""
		if ok {
			got = fmt.Sprintf("%s %d.%d", e.Target(), e.ISAMajor, e.ISAMinor)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// hostELF makes the smallest host object with one section of that name.
func hostELF(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	names := "\x00" + name + "\x00.shstrtab\x00"
	data := make([]byte, 64, 64+len(content)+len(names)+3*64)
	copy(data, "\x7fELF\x02\x01\x01")
	put := func(at int, v uint64, n int) {
		for i := range n {
			data[at+i] = byte(v >> (8 * i))
		}
	}
	data = append(append(data, content...), names...)
	sections := len(data)
	data = append(data, make([]byte, 3*64)...)
	put(18, 62, 2)
	put(40, uint64(sections), 8)
	put(58, 64, 2)
	put(60, 3, 2)
	put(62, 2, 2)
	for i, s := range []struct{ name, kind, offset, size int }{
		{1, 1, 64, len(content)}, {len(name) + 2, 3, 64 + len(content), len(names)},
	} {
		at := sections + (i+1)*64
		put(at, uint64(s.name), 4)
		put(at+4, uint64(s.kind), 4)
		put(at+24, uint64(s.offset), 8)
		put(at+32, uint64(s.size), 8)
	}
	return data
}

func archive(members ...[]byte) []byte {
	return append([]byte(archiveMagic), bytes.Join(members, nil)...)
}

func member(name string, content []byte) []byte {
	out := fmt.Appendf(nil, "%-16s%-12d%-6d%-6d%-8s%-10d%s", name, 0, 0, 0, "644", len(content), memberHeaderEnd)
	out = append(out, content...)
	if len(content)%2 == 1 {
		out = append(out, '\n')
	}
	return out
}

func FuzzHost(f *testing.F) {
	f.Add([]byte(ptxText))
	f.Add(archive(member("a.o/", []byte("\x7fELF"))))
	f.Add(fixture(f, "12.4-host.a"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		objects, err := Parse(data)
		if err != nil {
			return
		}
		for _, o := range objects {
			if len(o.Sections) == 0 {
				panic("an object without sections")
			}
		}
	})
}
