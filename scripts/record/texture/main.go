// Texture writes the texture and surface accesses of package tests/vectors for
// a card, and files what comes back.
//
//	texture write DIR [PREFIX...]  DIR/m*.ptx, DIR/operands, DIR/texels, DIR/manifest, of
//	                               the accesses whose names begin so
//	texture file DIR TO NAME       what record.sh left in DIR, as TO/NAME.texture.zst;
//	                               accesses that are not in DIR keep what is recorded
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/tests/vectors"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "texture:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "write":
		return write(args[1], args[2:])
	case len(args) == 4 && args[0] == "file":
		return file(args[1], filepath.Join(args[2], args[3]+".texture.zst"))
	}
	return fmt.Errorf("usage: texture write DIR [PREFIX...] | texture file DIR TO NAME")
}

// pool is a file of byte strings, each of which stands in it once.
type pool struct {
	file *os.File
	at   map[string]int
	size int
}

func newPool(path string) (*pool, error) {
	f, err := os.Create(path)
	return &pool{file: f, at: map[string]int{}}, err
}

// place is the offset of the bytes of a name.
func (p *pool) place(name string, content func() []byte) (int, error) {
	at, ok := p.at[name]
	if ok {
		return at, nil
	}
	b := content()
	at = p.size
	p.at[name] = at
	p.size += len(b)
	_, err := p.file.Write(b)
	return at, err
}

func write(dir string, prefixes []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	operands, err1 := newPool(filepath.Join(dir, "operands"))
	texels, err2 := newPool(filepath.Join(dir, "texels"))
	list, err3 := os.Create(filepath.Join(dir, "manifest"))
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	manifest := bufio.NewWriter(list)
	modules := map[string]string{}
	for _, a := range vectors.Accesses() {
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(a.Name, p) }) {
			continue
		}
		at, err1 := operands.place(a.SetName(), a.Operands)
		from, err2 := texels.place(a.Object.TexelName(), a.Object.TexelData)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		text := vectors.AccessModule(a)
		module, ok := modules[text]
		if !ok {
			module = fmt.Sprintf("m%03d", len(modules))
			modules[text] = module
			if err := os.WriteFile(filepath.Join(dir, module+".ptx"), []byte(text), 0o644); err != nil {
				return err
			}
		}
		fmt.Fprintln(manifest, a.Line(module, at, from))
	}
	return errors.Join(manifest.Flush(), list.Close(), operands.file.Close(), texels.file.Close())
}

// nameField is the number of the name's field in a line of the manifest.
const nameField = 40

// file writes a record of the results in a folder, those aside that failed: what
// record.cu printed is in the file log.
func file(dir, to string) error {
	card, err1 := os.ReadFile(filepath.Join(dir, "card"))
	results, err2 := os.ReadFile(filepath.Join(dir, "results"))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	manifest, err1 := os.ReadFile(filepath.Join(dir, "manifest"))
	log, err2 := os.ReadFile(filepath.Join(dir, "log"))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	entries, err := recorded(to)
	if err != nil {
		return err
	}
	known := map[string]*vectors.Access{}
	for _, a := range vectors.Accesses() {
		known[a.Name] = a
	}
	for line := range strings.Lines(string(manifest)) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), " ", nameField+1)
		size, err := strconv.Atoi(fields[4])
		if err != nil || len(results) < size {
			return fmt.Errorf("the results of %s are missing", fields[nameField])
		}
		name := fields[nameField]
		delete(entries, name)
		if a := known[name]; a != nil && !strings.Contains(string(log), "failed: "+strings.TrimSpace(name)+": ") {
			entries[name] = vectors.AccessEntry(a, results[:size])
		}
		results = results[size:]
	}
	r := vectors.Record{Card: strings.Join(strings.Fields(string(card)), " ")}
	for _, a := range vectors.Accesses() {
		if e, ok := entries[a.Name]; ok {
			r.Entries = append(r.Entries, e)
		}
	}
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	return errors.Join(r.Write(w), w.Close())
}

// recorded are the entries of a record by name, none if there is no record.
func recorded(path string) (map[string]vectors.Entry, error) {
	entries := map[string]vectors.Entry{}
	stored, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return entries, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := vectors.ReadRecord(stored)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, e := range r.Entries {
		entries[e.Name] = e
	}
	return entries, nil
}
