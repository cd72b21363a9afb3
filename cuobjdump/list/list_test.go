package list

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

const folder = "../testdata"

func dump(t *testing.T, file string, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Dump(&out, filepath.Join(folder, file), o); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return out.String()
}

func TestImagesAreListedByTheNameOfTheirFile(t *testing.T) {
	both := Options{ListPTX: true, ListELF: true}
	for _, c := range []struct {
		file    string
		options Options
		want    string
	}{
		{"12.4.fatbin", Options{ListPTX: true}, "PTX file    1: 12.4.1.sm_75.ptx\nPTX file    2: 12.4.2.sm_90a.ptx\n"},
		{"12.4.fatbin", Options{ListELF: true}, "ELF file    1: 12.4.1.sm_75.cubin\n"},
		{"12.4-all.fatbin", both, "ELF file    1: kernels.sm_90a.cubin\nPTX file    1: kernels.sm_90a.ptx\n"},
		{"13.0-balance.fatbin", Options{ListPTX: true}, "PTX file    1: 13.0-balance.1.sm_80.ptx\nPTX file    2: 13.0-balance.2.sm_100f.ptx\n"},
		{"13.0-sm_90.cubin", both, "ELF file    1: 13.0-sm_90.sm_90.cubin\n"},
		{"13.0-host", both, "ELF file    1: 13.1.sm_80.cubin\n"},
	} {
		if got := dump(t, c.file, c.options); got != c.want {
			t.Errorf("%s: got %q, want %q", c.file, got, c.want)
		}
	}
}

func TestAllAddsRelocatableCode(t *testing.T) {
	got := dump(t, "13.0-host", Options{ListPTX: true, ListELF: true, All: true})
	want := "ELF file    1: 13.1.sm_80.cubin\n" +
		"ELF file    2: 13.2.sm_80.cubin\nPTX file    1: 13.1.sm_80.ptx\n" +
		"ELF file    3: 13.3.sm_80.cubin\nPTX file    2: 13.2.sm_80.ptx\n"
	if got != want {
		t.Errorf("got %q", got)
	}
}

func TestNothingToListIsAnErrorWithAHint(t *testing.T) {
	for _, c := range []struct {
		file    string
		options Options
		want    string
	}{
		{"13.0-host", Options{ListPTX: true}, "-all"},
		{"13.0-none.fatbin", Options{ListELF: true}, "no image of that kind"},
		{"12.4.fatbin", Options{ExtractPTX: "sm_35"}, "no image of that kind and name"},
		{"README.md", Options{}, "no device code"},
	} {
		err := Dump(&bytes.Buffer{}, filepath.Join(folder, c.file), c.options)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

func TestMembersOfAnArchiveAreNumberedThrough(t *testing.T) {
	path := filepath.Join(folder, "12.4-host.a")
	got := dump(t, "12.4-host.a", Options{ListPTX: true})
	want := fmt.Sprintf("\nmember %[1]s:12.4-host.o:\nPTX file    1: 12.4-host.1.sm_80.ptx\n"+
		"\nmember %[1]s:part.o:\nPTX file    2: 12.4-host.2.sm_80.ptx\n", path)
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHeadersTellHowAnImageWasMade(t *testing.T) {
	got := dump(t, "11.8-all.fatbin", Options{})
	want := `
Fatbin elf code:
================
arch = sm_75
code version = [1,7]
host = linux
compile_size = 64bit
compressed
identifier = kernels.cu

Fatbin ptx code:
================
arch = sm_75
code version = [7,8]
host = linux
compile_size = 64bit
compressed
identifier = kernels.cu
ptxasOptions = -O2 --generate-line-info ` + "\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := dump(t, "13.0-lto.fatbin", Options{}); !strings.Contains(got, "\nFatbin nvvm code:\n=================\narch = sm_90\n") {
		t.Errorf("got %q", got)
	}
}

func TestTextFollowsTheHeader(t *testing.T) {
	got := dump(t, "13.0-none.fatbin", Options{PTX: true})
	if !strings.HasPrefix(got, "\nFatbin ptx code:\n") || !strings.Contains(got, ".target sm_80\n") || !strings.HasSuffix(got, "}\n\n\n") {
		t.Errorf("got %.200q ... %q", got, got[max(0, len(got)-20):])
	}
}

func TestResourcesHaveTheFormOfTheTool(t *testing.T) {
	got := dump(t, "12.4-sm_90a.cubin", Options{Resources: true})
	want := `
Resource usage:
 Common:
  GLOBAL:16 CONSTANT[3]:4 CONSTANT[4]:16
 Function cluster:
  REG:8 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function empty:
  REG:4 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:528 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function recursive:
  REG:28 STACK:UNKNOWN SHARED:0 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestExtractionWritesTheImages(t *testing.T) {
	out := t.TempDir()
	got := dump(t, "11.8-all.fatbin", Options{ExtractPTX: "all", ExtractELF: "sm_75", Folder: out})
	want := "Extracting ELF file    1: kernels.sm_75.cubin\n" +
		"Extracting PTX file and ptxas options    1: kernels.sm_75.ptx -arch=sm_75 -O2 --generate-line-info \n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for name, start := range map[string]string{"kernels.sm_75.cubin": "\x7fELF", "kernels.sm_75.ptx": "\n"} {
		if data, err := os.ReadFile(filepath.Join(out, name)); err != nil || !strings.HasPrefix(string(data), start) {
			t.Errorf("%s: %.8q, %v", name, data, err)
		}
	}
}

func TestExtractionKeepsFilesOfOneNameApart(t *testing.T) {
	e := fatbin.New(fatbin.PTX, 75, "", []byte("first"))
	e.Name = "../../sub/k.cu"
	again := fatbin.New(fatbin.PTX, 75, "", []byte("second"))
	again.Name = "other/k.cu"
	out := t.TempDir()
	path := filepath.Join(out, "two.fatbin")
	if err := os.WriteFile(path, fatbin.Encode(e, again), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Dump(&bytes.Buffer{}, path, Options{ExtractPTX: "all", Folder: out}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"k.sm_75.ptx": "first", "k.sm_75.2.ptx": "second"} {
		if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestBarePTXIsListedAndPrinted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k.ptx")
	text := ".version 8.4\n.target sm_90a\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Dump(&out, path, Options{ListPTX: true}); err != nil || out.String() != "PTX file    1: k.sm_90a.ptx\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	if err := Dump(&out, path, Options{PTX: true}); err != nil || out.String() != text+"\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestAFailingWriterIsReported(t *testing.T) {
	if err := Dump(failingWriter{}, filepath.Join(folder, "12.4.fatbin"), Options{}); err == nil {
		t.Error("no error")
	}
}

// deviceFunction matches the register count of a device function, which the
// tool gives as 0 for some architectures although the cubin has it.
var deviceFunction = regexp.MustCompile(`REG:\d+( STACK:0 SHARED:0 LOCAL:0 TEXTURE)`)

func TestOutputEqualsThatOfTheTool(t *testing.T) {
	tool, err := exec.LookPath("cuobjdump")
	if err != nil {
		t.Skip("no cuobjdump in PATH to compare with")
	}
	if version, err := exec.Command(tool, "--version").Output(); err != nil || !bytes.Contains(version, []byte("release 13.")) {
		t.Skip("the cuobjdump in PATH is not of CUDA 13, which alone knows all fixtures")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*[nat]"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, flags := range [][]string{
		{}, {"-lptx"}, {"-lelf"}, {"-lelf", "-lptx"}, {"-ptx"}, {"-res-usage"}, {"-all"}, {"-all", "-lptx"}, {"-all", "-res-usage", "-ptx"},
	} {
		has := func(flag string) bool { return slices.Contains(flags, flag) }
		options := Options{
			ListPTX: has("-lptx"), ListELF: has("-lelf"), PTX: has("-ptx"), Resources: has("-res-usage"), All: has("-all"),
		}
		for _, file := range files {
			path, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := exec.Command(tool, append(slices.Clone(flags), path)...).Output()
			if err != nil {
				t.Fatalf("%s %v: %v", file, flags, err)
			}
			var got bytes.Buffer
			if err := Dump(&got, path, options); err != nil && len(want) > 0 {
				t.Errorf("%s %v: %v", file, flags, err)
			}
			plain := func(b []byte) string { return string(deviceFunction.ReplaceAll(b, []byte("REG:0$1"))) }
			if plain(got.Bytes()) != plain(want) {
				t.Errorf("%s %v differs from the tool", file, flags)
			}
		}
	}
}
