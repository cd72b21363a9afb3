package host

import (
	"errors"
	"fmt"
	"os"

	"github.com/lockstep-sim/lockstep/cuobjdump/elf"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

// The sections of a host file that hold fat binaries.
const (
	Linked      = ".nv_fatbin"
	Relocatable = "__nv_relfatbin"
)

// ErrNoDeviceCode says that a file holds nothing for a GPU.
var ErrNoDeviceCode = errors.New("no device code")

// File is all device code of one file.
type File struct {
	Path    string
	Objects []Object
}

// Object is one host object: a member of an archive, or the file itself.
type Object struct {
	Member   string // name in the archive, "" outside one
	Sections []Section
}

// Section is a section with fat binaries. It has no name in a file that is
// itself a fat binary, a cubin or PTX text.
type Section struct {
	Name string
	// Bare is true when the file is the image, without a fat binary around it.
	Bare    bool
	Fatbins []*fatbin.Fatbin
}

// Open reads a file's device code. The error wraps ErrNoDeviceCode when there is
// none, and a *fatbin.CorruptError or *elf.CorruptError when it is damaged.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read device code: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read device code of %s: it is not a regular file", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read device code: %w", err)
	}
	objects, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("read device code of %s: %w", path, err)
	}
	return &File{Path: path, Objects: objects}, nil
}

// Parse finds the device code in a file's content. The result refers to data.
func Parse(data []byte) ([]Object, error) {
	if isArchive(data) {
		return parseArchive(data)
	}
	sections, err := parseObject(data)
	if err != nil {
		return nil, err
	}
	if len(sections) == 0 {
		return nil, ErrNoDeviceCode
	}
	return []Object{{Sections: sections}}, nil
}

// parseObject reads everything but an archive. An object without device code
// has no sections.
func parseObject(data []byte) ([]Section, error) {
	if elf.IsELF(data) && !elf.IsCubin(data) {
		return hostSections(data)
	}
	fatbins, err := Images(data)
	if err != nil || len(fatbins) == 0 {
		return nil, err
	}
	return []Section{{Bare: !fatbin.IsFatbin(data), Fatbins: fatbins}}, nil
}

func hostSections(data []byte) ([]Section, error) {
	file, err := elf.Open(data)
	if err != nil {
		return nil, err
	}
	var sections []Section
	for _, name := range []string{Linked, Relocatable} {
		for i := range file.Sections {
			if file.Sections[i].Name != name {
				continue
			}
			fatbins, err := fatbin.ParseAll(file.Sections[i].Data)
			if err != nil {
				return nil, fmt.Errorf("section %s: %w", name, err)
			}
			if len(fatbins) > 0 {
				sections = append(sections, Section{Name: name, Fatbins: fatbins})
			}
		}
	}
	return sections, nil
}

// Images reads an image of any form that the driver loads: fat binaries one
// after another, a cubin, or PTX text. Data of no such form has none.
func Images(data []byte) ([]*fatbin.Fatbin, error) {
	switch {
	case fatbin.IsFatbin(data):
		return fatbin.ParseAll(data)
	case elf.IsCubin(data):
		cubin, err := elf.Parse(data)
		if err != nil {
			return nil, err
		}
		return single(fatbin.New(fatbin.ELF, cubin.SM, cubin.Suffix, data)), nil
	}
	if e, ok := ptxEntry(data); ok {
		return single(e), nil
	}
	return nil, nil
}

func single(e fatbin.Entry) []*fatbin.Fatbin {
	return []*fatbin.Fatbin{{Entries: []fatbin.Entry{e}}}
}
