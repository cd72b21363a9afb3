// Vectors writes the kernels and operands of package tests/vectors for a card,
// and files what comes back.
//
//	vectors write DIR           DIR/batch*.ptx, DIR/operands, DIR/manifest
//	vectors file DIR CARD TO    DIR/results, made from them, as the record TO
//
// CARD describes where the results come from. record.cu runs the kernels and
// record.sh all of it.
package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
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
	case len(args) == 2 && args[0] == "write":
		return write(args[1])
	case len(args) == 4 && args[0] == "file":
		return file(args[1], args[2], args[3])
	}
	return fmt.Errorf("usage: vectors write DIR | vectors file DIR CARD TO")
}

// write puts everything that a card needs into a folder. A line of the manifest
// is a kernel: module, name, offset and size of its operands, size of its
// results, threads, the form's name.
func write(dir string) error {
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
	for n, batch := range vectors.Batches() {
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

// file reads the results that a card left in a folder and writes the record.
func file(dir, card, to string) error {
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
	record := vectors.Record{Card: card}
	for line := range strings.Lines(string(manifest)) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 7)
		size, err := strconv.Atoi(fields[4])
		if err != nil || len(results) < size {
			return fmt.Errorf("the results of %s are missing", fields[6])
		}
		if f := forms[fields[6]]; f != nil {
			record.Add(f, results[:size])
		}
		results = results[size:]
	}
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	if err := record.Write(w); err != nil {
		return err
	}
	return w.Close()
}
