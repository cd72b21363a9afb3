package list

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
	"github.com/lockstep-sim/lockstep/cuobjdump/host"
)

// Options say what Dump does. Extraction goes before lists, lists before dumps;
// without any of them Dump prints the header of each image.
type Options struct {
	// ListPTX and ListELF list images by the name they are extracted under.
	ListPTX, ListELF bool
	// ExtractPTX and ExtractELF write the images whose name contains the string,
	// or all for "all", into Folder.
	ExtractPTX, ExtractELF string
	Folder                 string
	// PTX prints the text of PTX images.
	PTX bool
	// Resources prints what each function of a cubin needs.
	Resources bool
	// All includes relocatable code where linked code is present.
	All bool
}

func (o Options) extracts() bool { return o.ExtractPTX != "" || o.ExtractELF != "" }
func (o Options) lists() bool    { return o.ListPTX || o.ListELF }

// Dump prints the device code of the file at path, which may be a host
// executable, library, object or archive, a fat binary, a cubin, or PTX text.
// It is an error if the file has nothing of what is asked for.
func Dump(w io.Writer, path string, o Options) error {
	file, err := host.Open(path)
	if err != nil {
		return err
	}
	d := dumper{w: w, options: o, written: map[string]bool{}}
	for _, object := range namedImages(file, o.All) {
		if object.member != "" {
			d.printf("\nmember %s:%s:\n", path, object.member)
		}
		for i := range object.images {
			if err := d.image(&object.images[i]); err != nil {
				return fmt.Errorf("dump %s: %w", path, err)
			}
		}
	}
	if d.err == nil && d.count == 0 && (o.extracts() || o.lists()) {
		return fmt.Errorf("dump %s: no image of that kind and name%s", path, hint(file, o.All))
	}
	return d.err
}

// hint says where else there is device code that was not looked at.
func hint(file *host.File, all bool) string {
	for _, object := range file.Objects {
		if !all && len(object.Sections) > 1 {
			return " among linked code (relocatable code: -all)"
		}
	}
	return ""
}

// image is an entry with the name and number by which lists know it.
type image struct {
	*fatbin.Entry
	name   string
	number int
	bare   bool // the file itself, not an entry of a fat binary
}

type namedObject struct {
	member string
	images []image
}

// namedImages numbers the images of each kind through the whole file. Without
// all it takes the first section of each object only, which is the linked one.
func namedImages(file *host.File, all bool) []namedObject {
	base := filepath.Base(file.Path)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	numbers := map[fatbin.Kind]int{}
	var objects []namedObject
	for _, object := range file.Objects {
		named := namedObject{member: object.Member}
		sections := object.Sections
		if !all {
			sections = sections[:1]
		}
		for _, section := range sections {
			for _, f := range section.Fatbins {
				for i := range f.Entries {
					e := &f.Entries[i]
					numbers[e.Kind]++
					m := image{Entry: e, number: numbers[e.Kind], bare: section.Bare}
					m.name = m.fileName(stem)
					named.images = append(named.images, m)
				}
			}
		}
		objects = append(objects, named)
	}
	return objects
}

// fileName is what the tool calls an image: after its source file if the entry
// names one, else after the file it is in, with a number. Names of cubins drop
// the "f" of a family, which a cubin by itself does not show.
func (m *image) fileName(stem string) string {
	target, extension := m.Target(), extensions[m.Kind]
	if m.Kind == fatbin.ELF {
		target = strings.TrimSuffix(target, "f")
	}
	switch {
	case m.Name != "":
		source := filepath.Base(m.Name)
		stem = strings.TrimSuffix(source, filepath.Ext(source))
	case !m.bare:
		stem = fmt.Sprintf("%s.%d", stem, m.number)
	}
	return fmt.Sprintf("%s.%s.%s", stem, target, extension)
}

var extensions = map[fatbin.Kind]string{fatbin.PTX: "ptx", fatbin.ELF: "cubin"}

// dumper prints one file. The first error of the writer stays in err.
type dumper struct {
	w       io.Writer
	options Options
	written map[string]bool // names of extracted files
	count   int             // images listed or extracted
	err     error
}

func (d *dumper) printf(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, args...)
	}
}

func (d *dumper) image(m *image) error {
	switch {
	case d.options.extracts():
		return d.extract(m)
	case d.options.lists():
		d.list(m)
		return nil
	}
	return d.dump(m)
}

func (d *dumper) list(m *image) {
	switch {
	case m.Kind == fatbin.PTX && d.options.ListPTX:
		d.printf("PTX file %4d: %s\n", m.number, m.name)
	case m.Kind == fatbin.ELF && d.options.ListELF:
		d.printf("ELF file %4d: %s\n", m.number, m.name)
	default:
		return
	}
	d.count++
}

func (d *dumper) extract(m *image) error {
	pattern := map[fatbin.Kind]string{fatbin.PTX: d.options.ExtractPTX, fatbin.ELF: d.options.ExtractELF}[m.Kind]
	if pattern == "" || pattern != "all" && !strings.Contains(m.name, pattern) {
		return nil
	}
	payload, err := m.Payload()
	if err != nil {
		return err
	}
	name := m.name
	if d.written[name] {
		extension := filepath.Ext(name)
		name = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, extension), m.number, extension)
	}
	d.written[name] = true
	d.count++
	if m.Kind == fatbin.PTX {
		options := ""
		if m.HasOptions {
			options = " " + m.Options
		}
		d.printf("Extracting PTX file and ptxas options %4d: %s -arch=%s%s\n", m.number, name, m.Target(), options)
	} else {
		d.printf("Extracting ELF file %4d: %s\n", m.number, name)
	}
	return os.WriteFile(filepath.Join(d.options.Folder, name), payload, 0o644)
}
