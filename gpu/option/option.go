package option

import (
	"bufio"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Setting is one option of a struct: a field with its tags and present value.
type Setting struct {
	Name, Unit, Default, Doc, Source string

	tag   reflect.StructTag
	value reflect.Value
	set   bool
}

// Tag returns another tag of the field, and whether it has one.
func (s *Setting) Tag(key string) (string, bool) { return s.tag.Lookup(key) }

// Value is the present value as text.
func (s *Setting) Value() string { return fmt.Sprint(s.value.Interface()) }

// Int is the present value of a numeric or bool field.
func (s *Setting) Int() int64 {
	switch v := s.value; {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.Kind() == reflect.Bool && v.Bool():
		return 1
	}
	return 0
}

// List returns the options of the struct that target points to, in the order of
// its fields. The tag prefix of a field that is a struct precedes the names of
// the options inside.
func List(target any) []*Setting {
	return list(reflect.ValueOf(target).Elem(), "", nil)
}

func list(v reflect.Value, prefix string, to []*Setting) []*Setting {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, ok := f.Tag.Lookup("opt")
		switch {
		case ok:
			to = append(to, &Setting{
				Name: prefix + name, Unit: f.Tag.Get("unit"), Default: f.Tag.Get("default"),
				Doc: f.Tag.Get("doc"), Source: f.Tag.Get("src"),
				tag: f.Tag, value: v.Field(i),
			})
		case f.Type.Kind() == reflect.Struct:
			to = list(v.Field(i), prefix+f.Tag.Get("prefix"), to)
		}
	}
	return to
}

// File is settings as text and the name to call them by in messages.
type File struct{ Name, Text string }

// Read sets the fields of the struct that target points to: defaults first, then
// the lines of text. A line is a name, a value, and after " #" its source, which
// replaces the one in the tag; blank lines and lines that begin with # are
// comments. All problems are reported at once, each with file and line.
func Read(target any, file, text string) ([]*Setting, error) {
	r := newReader(target)
	r.readFile(File{file, text})
	return r.finish()
}

// ReadPart is Read of several files, of which later lines count more. Names that
// target has not are left to others and returned.
func ReadPart(target any, files ...File) (settings []*Setting, others []string, err error) {
	r := newReader(target)
	r.partial = true
	for _, f := range files {
		r.readFile(f)
	}
	settings, err = r.finish()
	return settings, r.others, err
}

func newReader(target any) *reader {
	r := &reader{settings: List(target), byName: map[string]*Setting{}}
	for _, s := range r.settings {
		r.byName[s.Name] = s
		if _, ok := s.tag.Lookup("default"); ok {
			s.set = true
			if err := assign(s.value, s.Default); err != nil {
				r.complain(0, "default of %s: %v", s.Name, err)
			}
		}
	}
	return r
}

func (r *reader) readFile(f File) {
	r.file, r.line = f.Name, 0
	for lines := bufio.NewScanner(strings.NewReader(f.Text)); lines.Scan(); {
		r.line++
		r.read(lines.Text())
	}
}

// finish reports the problems, settings without a value among them.
func (r *reader) finish() ([]*Setting, error) {
	for _, s := range r.settings {
		if !s.set {
			r.complain(0, "no value for %s (%s)", s.Name, s.Doc)
		}
	}
	return r.settings, r.failure()
}

// failure is all problems as one error.
func (r *reader) failure() error {
	if len(r.problems) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(r.problems, "\n"))
}

// Override sets those of the given settings, which may belong to several structs,
// that lines of text name. Unknown names are errors as in Read.
func Override(settings []*Setting, file, text string) error {
	r := &reader{settings: settings, byName: map[string]*Setting{}}
	for _, s := range settings {
		r.byName[s.Name] = s
	}
	r.readFile(File{file, text})
	return r.failure()
}

// Assignment gives an option a value; Source says where it comes from.
type Assignment struct{ Name, Value, Source string }

// Apply sets those of the given settings, which may belong to several structs,
// that the list names; a later assignment to a name counts. Errors begin with the
// source.
func Apply(settings []*Setting, list []Assignment) error {
	r := &reader{settings: settings, byName: map[string]*Setting{}}
	for _, s := range settings {
		r.byName[s.Name] = s
	}
	for _, a := range list {
		r.file = a.Source
		if s := r.byName[a.Name]; s == nil {
			r.complain(0, "unknown option %q%s", a.Name, r.proposal(a.Name))
		} else if err := assign(s.value, a.Value); err != nil {
			r.complain(0, "%s: %v", a.Name, err)
		} else {
			s.Source = a.Source
		}
	}
	return r.failure()
}

// reader is the state of one Read or Override.
type reader struct {
	file     string
	line     int
	settings []*Setting
	byName   map[string]*Setting
	problems []string
	partial  bool     // unknown names belong to others
	others   []string // these names
}

func (r *reader) complain(line int, format string, args ...any) {
	where := r.file
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	r.problems = append(r.problems, where+": "+fmt.Sprintf(format, args...))
}

func (r *reader) read(line string) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return
	}
	line, source, sourced := strings.Cut(line, " #")
	name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
	s := r.byName[name]
	if s == nil && r.partial {
		r.others = append(r.others, name)
		return
	}
	if s == nil {
		r.complain(r.line, "unknown option %q%s", name, r.proposal(name))
		return
	}
	if err := assign(s.value, strings.TrimSpace(value)); err != nil {
		r.complain(r.line, "%s: %v", name, err)
		return
	}
	s.set = true
	if sourced {
		s.Source = strings.TrimSpace(source)
	}
}

// proposal names the option whose spelling is nearest, if any is near.
func (r *reader) proposal(name string) string {
	var names []string
	for _, s := range r.settings {
		names = append(names, s.Name)
	}
	if best := Nearest(name, names); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// Nearest is the one of names whose spelling is nearest to name's, empty if none
// is near.
func Nearest(name string, names []string) string {
	best, least := "", len(name)/2+1
	for _, n := range names {
		if d := distance(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// assign parses text by the type of v.
func assign(v reflect.Value, text string) error {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(text)
		return nil
	case v.Kind() == reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is not true or false", text)
		}
		v.SetBool(b)
		return nil
	case v.CanInt():
		n, err := strconv.ParseInt(text, 0, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is not a whole number of %d bits", text, v.Type().Bits())
		}
		v.SetInt(n)
		return nil
	case v.CanUint():
		n, err := strconv.ParseUint(text, 0, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is not a positive whole number of %d bits", text, v.Type().Bits())
		}
		v.SetUint(n)
		return nil
	case v.CanFloat():
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		v.SetFloat(x)
		return nil
	}
	return fmt.Errorf("fields of type %v cannot be set", v.Type())
}
