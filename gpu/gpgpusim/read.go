package gpgpusim

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Name is the file that GPGPU-Sim reads in the working directory.
const Name = "gpgpusim.config"

// Value is an option as a file gives it.
type Value struct {
	Option *Option
	Text   string
	File   string // empty for GPGPU-Sim's own default
	Line   int
}

// Place says where a value stands, as errors begin.
func (v *Value) Place() string {
	if v.File == "" {
		return "default"
	}
	return v.File + ":" + strconv.Itoa(v.Line)
}

// File is what a configuration file and those that it includes say.
type File struct {
	Name   string
	Values []*Value // of options that the files give, the last of each, in the order of Options

	open  func(name string) ([]byte, error)
	index map[string]*Value
}

// Is reports whether a text is a configuration of GPGPU-Sim: its first token
// begins with a dash.
func Is(text string) bool {
	words := tokens("", text)
	return len(words) > 0 && strings.HasPrefix(words[0].text, "-")
}

// Read reads a file and those that it includes. open gives the content of a file;
// an included one is sought beside the file that names it. All problems are
// reported at once, each with file, line and option.
func Read(name string, open func(name string) ([]byte, error)) (*File, error) {
	r := &reader{file: &File{Name: name, open: open, index: map[string]*Value{}}}
	r.include(name, "")
	for i := range Options {
		if v := r.file.index[Options[i].Name]; v != nil {
			r.file.Values = append(r.file.Values, v)
		}
	}
	return r.file, r.failure()
}

// problems collects what is wrong with a file.
type problems []string

func (p *problems) complain(place, format string, args ...any) {
	*p = append(*p, place+": "+fmt.Sprintf(format, args...))
}

func (p *problems) failure() error {
	if len(*p) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(*p, "\n"))
}

// reader is the state of one Read.
type reader struct {
	problems
	file  *File
	depth int
}

// maxDepth bounds inclusions, which may be circular.
const maxDepth = 16

// include reads a file that the text at place asks for.
func (r *reader) include(name, place string) {
	if place == "" {
		place = name
	}
	if r.depth == maxDepth {
		r.complain(place, "-config: files include one another %d times", maxDepth)
		return
	}
	text, err := r.file.open(name)
	if err != nil {
		r.complain(place, "cannot read %s: %v", name, err)
		return
	}
	r.depth++
	words := tokens(name, string(text))
	for len(words) > 0 {
		words = r.take(words)
	}
	r.depth--
}

// take reads the option that begins words and returns the rest.
func (r *reader) take(words []token) (rest []token) {
	w := words[0]
	next := token{}
	if len(words) > 1 {
		next = words[1]
	}
	if w.text == "-config" {
		if next.text == "" {
			r.complain(w.place(), "-config names no file")
			return nil
		}
		r.include(beside(w.file, next.text), w.place())
		return words[2:]
	}
	o := find(w.text)
	if o == nil {
		r.complain(w.place(), "unknown option %s%s", w.text, proposal(w.text))
		return skip(words[1:])
	}
	v := &Value{Option: o, File: w.file, Line: w.line}
	r.file.index[o.Name] = v
	if o.Kind == Flag && next.text != "0" && next.text != "1" {
		v.Text = "1" // a flag without a number is on
		return words[1:]
	}
	if len(words) == 1 {
		r.complain(w.place(), "%s has no value", w.text)
		return nil
	}
	v.Text = next.text
	if err := o.Kind.check(v.Text); err != nil {
		r.complain(w.place(), "%s: %v", o.Name, err)
	}
	return words[2:]
}

// skip leaves out the values of an option that is not known.
func skip(words []token) []token {
	for len(words) > 0 && !strings.HasPrefix(words[0].text, "-") {
		words = words[1:]
	}
	return words
}

// beside is the path of a file that another one names.
func beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}

// token is a word of a file.
type token struct {
	text, file string
	line       int
}

func (t token) place() string { return t.file + ":" + strconv.Itoa(t.line) }

// tokens divides a text into words. A word that begins with a quotation mark goes
// on until one ends with it, over ends of lines.
func tokens(file, text string) (words []token) {
	open := false
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			if open {
				last := &words[len(words)-1]
				last.text += " " + word
				open = !strings.HasSuffix(word, `"`)
				if !open {
					last.text = strings.TrimSuffix(last.text, `"`)
				}
				continue
			}
			if quoted, ok := strings.CutPrefix(word, `"`); ok {
				word, ok = strings.CutSuffix(quoted, `"`)
				open = !ok
			}
			words = append(words, token{word, file, i + 1})
		}
	}
	return words
}
