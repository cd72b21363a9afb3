// Tensor writes the kernels and cases of package tests/tensor for a card, and
// files what comes back.
//
//	tensor write DIR [NAME]   DIR/kernels.ptx, DIR/cases; those cases that the record
//	                          NAME has are left out
//	tensor file DIR NAME      DIR/results.* of record.cu as lines of NAME, beside those
//	                          that it has
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lockstep-sim/lockstep/tests/tensor"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tensor:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "write":
		return write(args[1], "")
	case len(args) == 3 && args[0] == "write":
		return write(args[1], args[2])
	case len(args) == 3 && args[0] == "file":
		return file(args[1], args[2])
	}
	return fmt.Errorf("usage: tensor write DIR [NAME] | tensor file DIR NAME")
}

func write(dir, name string) error {
	have, err := recorded(name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "kernels.ptx"), []byte(tensor.Text()), 0o644); err != nil {
		return err
	}
	var b strings.Builder
	cases := tensor.Cases()
	for i := range cases {
		line := fmt.Sprintln(cases[i].Line(), cases[i].ResultBytes())
		if have[cases[i].Name] != "" { // the numbers of the others stay
			line = "-" + line
		}
		b.WriteString(line)
	}
	return os.WriteFile(filepath.Join(dir, "cases"), []byte(b.String()), 0o644)
}

// file reads records of a case's number, the driver's codes of encoding and of
// running it, and its result, if it has one.
func file(dir, name string) error {
	names, err := filepath.Glob(filepath.Join(dir, "results.*"))
	if err != nil {
		return err
	}
	card, err := os.ReadFile(filepath.Join(dir, "card"))
	if err != nil {
		return err
	}
	have, err := recorded(name)
	if err != nil {
		return err
	}
	cases := tensor.Cases()
	lines := make([]string, len(cases))
	for i := range cases {
		lines[i] = have[cases[i].Name]
	}
	for _, n := range names {
		if err := read(n, cases, lines); err != nil {
			return fmt.Errorf("%s: %w", n, err)
		}
	}
	return os.WriteFile(name, []byte("# "+string(card)+strings.Join(lines, "")), 0o644)
}

// recorded are the lines of a record by the names of their cases, none if there is
// no record.
func recorded(name string) (map[string]string, error) {
	have := map[string]string{}
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return have, nil
	}
	for line := range strings.Lines(string(b)) {
		have[strings.Fields(line)[0]] = line
	}
	return have, err
}

func read(name string, cases []tensor.Case, lines []string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for r := bytes.NewReader(b); r.Len() > 0; {
		var head [3]int32
		if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
			return err
		}
		c := &cases[head[0]]
		if head[1] != 0 || head[2] != 0 {
			lines[head[0]] = fmt.Sprintf("%s %d %d\n", c.Name, head[1], head[2])
			continue
		}
		result := make([]byte, c.ResultBytes())
		if _, err := io.ReadFull(r, result); err != nil {
			return err
		}
		lines[head[0]] = fmt.Sprintf("%s 0 0 %s\n", c.Name, tensor.Digest(result))
	}
	return nil
}
