// Vectors writes the kernels and operands of package tests/vectors for a card,
// and files what comes back.
//
//	vectors write DIR [PREFIX...]  DIR/batch*.ptx, DIR/operands, DIR/manifest, of the
//	                               forms whose names begin so
//	vectors file DIR TO NAME       what record.sh left in DIR, as TO/NAME.*.zst; forms
//	                               that are not in DIR keep what is recorded
//	vectors merge FILE INTO        the entries of one record into another
//
// record.sh does all that needs the card: it runs the kernels by record.cu and
// measures the multifunction unit by mufu.cu.
package main

import (
	"bufio"
	"encoding/binary"
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
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "write":
		return write(args[1], args[2:])
	case len(args) == 4 && args[0] == "file":
		return file(args[1], args[2], args[3])
	case len(args) == 3 && args[0] == "merge":
		return mergeFiles(args[1], args[2])
	}
	return fmt.Errorf("usage: vectors write DIR [PREFIX...] | vectors file DIR TO NAME | vectors merge FILE INTO")
}

// write puts everything that a card needs into a folder. A line of the manifest
// is a kernel: module, name, offset and size of its operands, size of its
// results, threads, the form's name.
func write(dir string, prefixes []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	operands, err := os.Create(filepath.Join(dir, "operands"))
	if err != nil {
		return err
	}
	defer operands.Close()
	list, err := os.Create(filepath.Join(dir, "manifest"))
	if err != nil {
		return err
	}
	defer list.Close()
	manifest := bufio.NewWriter(list)
	sets := map[string][2]int{}
	at := 0
	for n, batch := range vectors.BatchesOf(chosen(prefixes)) {
		module := fmt.Sprintf("batch%03d", n)
		if err := os.WriteFile(filepath.Join(dir, module+".ptx"), []byte(batch.Text()), 0o644); err != nil {
			return err
		}
		for i, f := range batch {
			set, ok := sets[f.SetName()]
			if !ok {
				b := f.Operands()
				if _, err := operands.Write(b); err != nil {
					return err
				}
				set = [2]int{at, len(b)}
				sets[f.SetName()] = set
				at += len(b)
			}
			fmt.Fprintln(manifest, module, vectors.KernelName(i), set[0], set[1], f.Size(), f.Threads, f.Name)
		}
	}
	return manifest.Flush()
}

// chosen are the forms whose names begin with one of the prefixes, all without any.
func chosen(prefixes []string) []*vectors.Form {
	return slices.DeleteFunc(vectors.Forms(), func(f *vectors.Form) bool {
		return len(prefixes) > 0 && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(f.Name, p) })
	})
}

// file reads what a card left in a folder and writes records of it.
func file(dir, to, name string) error {
	card, err := os.ReadFile(filepath.Join(dir, "card"))
	if err != nil {
		return err
	}
	kernels := vectors.Record{Card: strings.TrimSpace(string(card))}
	if err := fileKernels(dir, &kernels); err != nil {
		return err
	}
	if err := merge(filepath.Join(to, name+".kernels.zst"), &kernels); err != nil {
		return err
	}
	unit := vectors.Record{Card: kernels.Card}
	if err := fileSums(dir, &unit); err != nil || len(unit.Entries) == 0 {
		return err
	}
	return store(filepath.Join(to, name+".mufu.zst"), &unit)
}

func mergeFiles(from, into string) error {
	stored, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	r, err := vectors.ReadRecord(stored)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return merge(into, r)
}

// merge stores a record and keeps the entries of the stored one that it has no
// newer ones of, as far as there still are such forms.
func merge(path string, r *vectors.Record) error {
	entries := map[string]vectors.Entry{}
	if stored, err := os.ReadFile(path); err == nil {
		old, err := vectors.ReadRecord(stored)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, e := range old.Entries {
			entries[e.Name] = e
		}
	}
	for _, e := range r.Entries {
		entries[e.Name] = e
	}
	r.Entries = nil
	for _, f := range vectors.Forms() {
		if e, ok := entries[f.Name]; ok {
			r.Entries = append(r.Entries, e)
		}
	}
	return store(path, r)
}

func fileKernels(dir string, r *vectors.Record) error {
	results, err := os.ReadFile(filepath.Join(dir, "results"))
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest"))
	if err != nil {
		return err
	}
	forms := map[string]*vectors.Form{}
	for _, f := range vectors.Forms() {
		forms[f.Name] = f
	}
	for line := range strings.Lines(string(manifest)) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 7)
		size, err := strconv.Atoi(fields[4])
		if err != nil || len(results) < size {
			return fmt.Errorf("the results of %s are missing", fields[6])
		}
		if f := forms[fields[6]]; f != nil {
			r.Add(f, results[:size])
		}
		results = results[size:]
	}
	return nil
}

// fileSums reads the files hash.FUNCTION, if there are any.
func fileSums(dir string, r *vectors.Record) error {
	files, err := filepath.Glob(filepath.Join(dir, "hash.*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		sums := make([]uint64, len(b)/8)
		for i := range sums {
			sums[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		r.AddSums(strings.TrimPrefix(filepath.Base(f), "hash."), sums)
	}
	return nil
}

func store(path string, r *vectors.Record) error {
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := r.Write(w); err != nil {
		return err
	}
	return w.Close()
}
