package elf

import (
	"bytes"
	debugelf "debug/elf"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
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

func cubins(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.cubin"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cubins in %s: %v", folder, err)
	}
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths
}

func parse(t testing.TB, name string) *Cubin {
	t.Helper()
	c, err := Parse(fixture(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

func function(t testing.TB, c *Cubin, name string) *Function {
	t.Helper()
	f := c.Function(name)
	if f == nil {
		t.Fatalf("no function %s", name)
	}
	return f
}

func TestArchitectureIsReadFromBothHeaderLayouts(t *testing.T) {
	for _, c := range []struct {
		file        string
		sm          int
		suffix      string
		relocatable bool
	}{
		{"11.8-sm_90.cubin", 90, "", false},
		{"12.4-sm_90a.cubin", 90, "a", false},
		{"13.0-sm_90.cubin", 90, "", false},
		{"13.0-sm_100a.cubin", 100, "a", false},
		{"13.0-sm_80-rdc.cubin", 80, "", true},
	} {
		got := parse(t, c.file)
		if got.SM != c.sm || got.Suffix != c.suffix || got.Relocatable != c.relocatable {
			t.Errorf("%s: sm_%d%s, relocatable %t", c.file, got.SM, got.Suffix, got.Relocatable)
		}
	}
}

func TestKernelsAreListedInTheOrderOfTheirSections(t *testing.T) {
	c := parse(t, "13.0-sm_90.cubin")
	var names []string
	for i := range c.Functions {
		names = append(names, c.Functions[i].Name)
		if !c.Functions[i].Entry {
			t.Errorf("%s is not a kernel", c.Functions[i].Name)
		}
	}
	want := []string{"cluster", "wide", "empty", "recursive", "locals", "_Z4fillIfEvPT_S0_", "scale"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if f := function(t, parse(t, "13.0-sm_80-rdc.cubin"), "_Z3fibi"); f.Entry {
		t.Error("a device function passes for a kernel")
	}
}

func TestResourcesEqualWhatTheCompilerReported(t *testing.T) {
	type resources struct{ registers, barriers, shared, frame, stack int }
	for _, c := range []struct {
		file, function string
		want           resources
	}{
		{"11.8-sm_90.cubin", "scale", resources{12, 1, 0x600, 0, 0}},
		{"11.8-sm_90.cubin", "cluster", resources{8, 6, 0, 0, 0}},
		{"11.8-sm_90.cubin", "locals", resources{29, 0, 0, 256, 256}},
		{"11.8-sm_90.cubin", "recursive", resources{28, 0, 0, 0, Unbounded}},
		{"12.4-sm_90a.cubin", "recursive", resources{28, 0, 0, 0, Unbounded}},
		{"12.4-sm_90a.cubin", "cluster", resources{8, 6, 0, 0, 0}},
		{"13.0-sm_90.cubin", "cluster", resources{8, 6, 0, 0, 0}},
		{"13.0-sm_90.cubin", "scale", resources{12, 1, 0x600, 0, 0}},
		{"13.0-sm_90.cubin", "_Z4fillIfEvPT_S0_", resources{10, 0, 0, 0, 0}},
		{"13.0-sm_100a.cubin", "scale", resources{12, 1, 0x600, 0, 0}},
		{"13.0-sm_80-rdc.cubin", "scale", resources{10, 1, 0x200, 0, 0}},
		{"13.0-sm_80-rdc.cubin", "_Z3fibi", resources{26, 0, 0, 32, 0}},
	} {
		f := function(t, parse(t, c.file), c.function)
		got := resources{f.Registers, f.Barriers, f.SharedSize, f.FrameSize, f.StackSize}
		if got != c.want {
			t.Errorf("%s %s: %+v, want %+v", c.file, c.function, got, c.want)
		}
	}
}

func TestParametersOfBothRecordFormsAreInOrder(t *testing.T) {
	scale := []Param{{0, 0, 8}, {1, 8, 2}, {2, 16, 8}}
	for _, c := range []struct {
		file, function string
		base, size     int
		want           []Param
	}{
		{"11.8-sm_90.cubin", "scale", 0x210, 24, scale},
		{"12.4-sm_90a.cubin", "scale", 0x210, 24, scale},
		{"13.0-sm_90.cubin", "scale", 0x210, 24, scale},
		{"13.0-sm_100a.cubin", "scale", 0x380, 24, scale},
		{"13.0-sm_80-rdc.cubin", "scale", 0x160, 24, scale},
		{"13.0-sm_90.cubin", "wide", 0x210, 4112, []Param{{0, 0, 8}, {1, 8, 4100}, {2, 4108, 4}}},
		{"13.0-sm_90.cubin", "empty", 0, 0, nil},
	} {
		f := function(t, parse(t, c.file), c.function)
		if f.ParamBase != c.base || f.ParamSize != c.size || !slices.Equal(f.Params, c.want) {
			t.Errorf("%s %s: %d bytes at %#x: %v", c.file, c.function, f.ParamSize, f.ParamBase, f.Params)
		}
	}
}

func TestLaunchLimitsAreRead(t *testing.T) {
	for _, file := range []string{"11.8-sm_90.cubin", "12.4-sm_90a.cubin", "13.0-sm_90.cubin"} {
		c := parse(t, file)
		if f := function(t, c, "scale"); f.MaxNTID != [3]int{128, 1, 1} || f.MaxRegisters != 255 {
			t.Errorf("%s: scale has limits %v, %d registers", file, f.MaxNTID, f.MaxRegisters)
		}
		f := function(t, c, "cluster")
		if f.ClusterSize != [3]int{2, 1, 1} || !f.ExplicitCluster {
			t.Errorf("%s: cluster of %v, explicit %t", file, f.ClusterSize, f.ExplicitCluster)
		}
	}
}

func TestReservedSharedMemoryIsNotTheProgram(t *testing.T) {
	for file, want := range map[string]int{"13.0-sm_90.cubin": 512, "13.0-sm_80-rdc.cubin": 512} {
		c := parse(t, file)
		if got := c.StaticShared(function(t, c, "scale")); got != want {
			t.Errorf("%s: %d bytes, want %d", file, got, want)
		}
		if got := c.StaticShared(function(t, c, "empty")); got != 0 {
			t.Errorf("%s: an empty kernel has %d bytes", file, got)
		}
	}
}

func TestVariablesAndBanksAreFound(t *testing.T) {
	c := parse(t, "13.0-sm_90.cubin")
	if c.GlobalSize != 16 {
		t.Errorf("%d bytes of variables, want 16", c.GlobalSize)
	}
	for name, want := range map[string]struct {
		section string
		size    uint64
	}{
		"bias": {".nv.constant3", 4}, "total": {".nv.global", 4}, "weights": {".nv.global.init", 12},
	} {
		i := slices.IndexFunc(c.Symbols, func(s Symbol) bool { return s.Name == name })
		if i < 0 {
			t.Errorf("no symbol %s", name)
			continue
		}
		s := c.Symbols[i]
		if got := c.File.Sections[s.Section].Name; got != want.section || s.Size != want.size || s.Kind != Object {
			t.Errorf("%s: %d bytes in %s", name, s.Size, got)
		}
	}
	if len(c.Banks) != 2 || c.Banks[0].Index != 3 || binary.LittleEndian.Uint32(c.Banks[0].Data) != 7 {
		t.Errorf("banks of the module: %v", c.Banks)
	}
	f := function(t, c, "scale")
	if len(f.Banks) != 1 || f.Banks[0].Index != 0 || len(f.Banks[0].Data) != f.ParamBase+f.ParamSize {
		t.Errorf("scale has %d banks", len(f.Banks))
	}
	if len(f.Code) == 0 || len(f.Code)%128 != 0 {
		t.Errorf("scale has %d bytes of code", len(f.Code))
	}
}

func TestSectionsAgreeWithTheStandardLibrary(t *testing.T) {
	for _, name := range append(cubins(t), "13.0-host") {
		data := inStandardForm(fixture(t, name))
		ours, err := Open(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		theirs, err := debugelf.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if len(ours.Sections) != len(theirs.Sections) {
			t.Fatalf("%s: %d sections, want %d", name, len(ours.Sections), len(theirs.Sections))
		}
		for i, want := range theirs.Sections {
			got := ours.Sections[i]
			if got.Name != want.Name || got.Size != want.Size || got.Type != uint32(want.Type) {
				t.Errorf("%s: section %d is %s, want %s", name, i, got.Name, want.Name)
			}
			if want.Type == debugelf.SHT_NOBITS || want.Type == debugelf.SHT_NULL {
				continue
			}
			if content, err := want.Data(); err != nil || !bytes.Equal(got.Data, content) {
				t.Errorf("%s: section %s differs", name, want.Name)
			}
		}
		compareSymbols(t, name, ours, theirs)
	}
}

// inStandardForm is data for debug/elf, which insists on the version field that
// cubins up to CUDA 12 use for the toolkit's version.
func inStandardForm(data []byte) []byte {
	data = slices.Clone(data)
	binary.LittleEndian.PutUint32(data[20:], 1)
	return data
}

func compareSymbols(t *testing.T, name string, ours *File, theirs *debugelf.File) {
	t.Helper()
	got, err := ours.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	want, err := theirs.Symbols()
	if errors.Is(err, debugelf.ErrNoSymbols) && len(got) == 0 {
		return
	}
	if err != nil || len(got) != len(want)+1 {
		t.Fatalf("%s: %d symbols, want %d (%v)", name, len(got), len(want)+1, err)
	}
	for i, w := range want {
		if g := got[i+1]; g.Name != w.Name || g.Value != w.Value || g.Size != w.Size {
			t.Errorf("%s: symbol %d is %s, want %s", name, i+1, g.Name, w.Name)
		}
	}
}

func TestSizeIsFoundFromTheStart(t *testing.T) {
	for _, name := range append(cubins(t), "13.0-host") {
		data := fixture(t, name)
		padded := append(slices.Clone(data), make([]byte, 4096)...)
		n, err := Size(func(n int) []byte { return padded[:n] })
		if err != nil || n != len(data) {
			t.Errorf("%s: %d, %v; want %d", name, n, err, len(data))
		}
	}
	if _, err := Size(func(n int) []byte { return make([]byte, n) }); err == nil {
		t.Error("zeros have a size")
	}
	data := fixture(t, "12.4-sm_90a.cubin")
	sections, err := sectionTable(data)
	if err != nil {
		t.Fatal(err)
	}
	for room := range int(sections.end(sectionHeaderSize)) {
		if n, err := Size(func(n int) []byte { return data[:min(n, room)] }); err == nil {
			t.Fatalf("with %d readable bytes: %d", room, n)
		}
	}
}

func TestHostFilesAreNotCubins(t *testing.T) {
	host := fixture(t, "13.0-host")
	if IsCubin(host) || !IsELF(host) || !IsCubin(fixture(t, "11.8-sm_90.cubin")) {
		t.Error("the machine number is misread")
	}
	if _, err := Parse(host); err == nil {
		t.Error("a host file parses as a cubin")
	}
}

// mustNotCrash uses everything, and holds errors to their type.
func mustNotCrash(t testing.TB, data []byte) error {
	t.Helper()
	c, err := Parse(data)
	var corrupt *CorruptError
	if err != nil && !errors.As(err, &corrupt) {
		t.Fatalf("an error of another type: %v", err)
	}
	if c != nil {
		for i := range c.Functions {
			c.StaticShared(&c.Functions[i])
		}
	}
	_, sizeErr := Size(func(n int) []byte { return data[:min(n, len(data))] })
	if sizeErr != nil && !errors.As(sizeErr, &corrupt) {
		t.Fatalf("an error of another type: %v", sizeErr)
	}
	return err
}

func TestTruncatedCubinsAreErrors(t *testing.T) {
	data := fixture(t, "13.0-sm_100a.cubin")
	for n := range data {
		c, err := Parse(data[:n])
		var corrupt *CorruptError
		if err != nil && !errors.As(err, &corrupt) {
			t.Fatalf("of %d bytes: an error of another type: %v", n, err)
		}
		// Nothing but program headers may be missing.
		if sections, e := sectionTable(data); err == nil && (e != nil || uint64(n) < sections.end(sectionHeaderSize)) {
			t.Fatalf("of %d bytes: %v", n, c)
		}
	}
}

func TestBitFlipsInACubinDoNotCrash(t *testing.T) {
	data := fixture(t, "13.0-sm_100a.cubin")
	file, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	skip := map[int]bool{} // machine code and constants are never interpreted
	for _, s := range file.Sections {
		if s.Flags&4 != 0 || s.Name == ".debug_frame" {
			start := bytes.Index(data, s.Data)
			for i := range s.Data {
				skip[start+i] = true
			}
		}
	}
	for i := range data {
		for bit := 0; bit < 8 && !skip[i]; bit += 1 + i%3 {
			data[i] ^= 1 << bit
			if c, err := Parse(data); err != nil && c != nil {
				t.Fatalf("byte %d: both a cubin and %v", i, err)
			}
			data[i] ^= 1 << bit
		}
	}
}

func TestManySectionsWithOneLongNameCostLittle(t *testing.T) {
	const sections = 60000
	le := binary.LittleEndian
	names := bytes.Repeat([]byte{'x'}, 1<<20)
	data := make([]byte, headerSize+sections*sectionHeaderSize)
	copy(data, "\x7fELF\x02\x01\x01")
	le.PutUint16(data[18:], MachineCUDA)
	le.PutUint64(data[40:], headerSize)
	le.PutUint16(data[58:], sectionHeaderSize)
	le.PutUint16(data[60:], sections)
	le.PutUint16(data[62:], 1)
	header := data[headerSize+sectionHeaderSize:]
	le.PutUint32(header[4:], 3)
	le.PutUint64(header[24:], uint64(len(data)))
	le.PutUint64(header[32:], uint64(len(names)))
	if err := mustNotCrash(t, append(data, names...)); err == nil {
		t.Error("a name of a million bytes is accepted")
	}
}

func TestUnknownRecordsAreSkippedByLength(t *testing.T) {
	s := &Section{Name: ".nv.info.k", Data: []byte{
		1, 0xf0, 0, 0, 2, 0xf1, 9, 0, 3, 0xf2, 1, 2, 4, 0xf3, 3, 0, 7, 7, 7,
		3, codeParamSize, 24, 0,
	}}
	records, err := readRecords(s)
	if err != nil || len(records) != 5 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	var f Function
	f.apply(records)
	if f.ParamSize != 24 {
		t.Errorf("a record behind unknown ones is lost: %d", f.ParamSize)
	}
	for name, data := range map[string][]byte{
		"cut": {4, 1}, "cut value": {4, 1, 9, 0, 1}, "odd format": {7, 1, 0, 0},
	} {
		if _, err := readRecords(&Section{Data: data}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestShortValuesReadAsZero(t *testing.T) {
	for code, set := range perFunction {
		for n := range 16 {
			set(&Function{}, Record{Code: code, Value: make([]byte, n)})
		}
	}
}

func FuzzELF(f *testing.F) {
	f.Add([]byte("\x7fELF"))
	for _, name := range cubins(f) {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if mustNotCrash(t, data) != nil {
			return
		}
		// What we accept, the standard library sees the same way or refuses.
		data = inStandardForm(data)
		ours, err := Open(data)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := debugelf.NewFile(bytes.NewReader(data))
		if err != nil || len(theirs.Sections) != len(ours.Sections) {
			return
		}
		for i, s := range theirs.Sections {
			if s.Flags&debugelf.SHF_COMPRESSED != 0 || ours.Sections[i].Data == nil {
				continue
			}
			content, err := io.ReadAll(s.Open())
			if err == nil && (!bytes.Equal(content, ours.Sections[i].Data) || s.Name != ours.Sections[i].Name) {
				t.Fatalf("section %d differs", i)
			}
		}
	})
}
