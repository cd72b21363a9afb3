package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// symbol is one line of symbols.txt.
type symbol struct {
	name   string
	majors []string
	kind   kind
}

// kind says what a symbol returns and where it is implemented; the numbers are those of enum ls_kind in lockstep.h.
type kind int

const (
	kindError kind = iota
	kindValue
	kindC
)

var kinds = map[string]kind{"error": kindError, "value": kindValue, "c": kindC}

// allMajors are the columns of symbols.txt; a symbol's bit set is what LS_MAJORS selects.
var allMajors = []string{"11", "12", "13", "10"}

func (s symbol) base() string {
	return strings.TrimSuffix(strings.TrimSuffix(s.name, "_ptsz"), "_ptds")
}

func (s symbol) twin() bool { return s.base() != s.name }

func (s symbol) majorBits() int {
	bits := 0
	for _, m := range s.majors {
		bits |= 1 << slices.Index(allMajors, m)
	}
	return bits
}

func readSymbols(path string) ([]symbol, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []symbol
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		s, err := parseSymbol(line)
		if err == nil && seen[s.name] {
			err = fmt.Errorf("%s is listed twice", s.name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		seen[s.name] = true
		all = append(all, s)
	}
	if err := checkOrder(all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, lines.Err()
}

// maxSymbols is the size of the tables in C that are indexed by symbol.
const maxSymbols = 1024

// checkOrder checks what C relies on: it searches the names by halves.
func checkOrder(all []symbol) error {
	if len(all) > maxSymbols {
		return fmt.Errorf("%d symbols, more than %d", len(all), maxSymbols)
	}
	for i := 1; i < len(all); i++ {
		if all[i].name < all[i-1].name {
			return fmt.Errorf("%s stands behind %s; the names must be sorted", all[i].name, all[i-1].name)
		}
	}
	return nil
}

func parseSymbol(line string) (symbol, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return symbol{}, fmt.Errorf("want \"name majors kind\", got %q", line)
	}
	k, ok := kinds[fields[2]]
	if !ok {
		return symbol{}, fmt.Errorf("unknown kind %q", fields[2])
	}
	s := symbol{name: fields[0], majors: strings.Split(fields[1], ","), kind: k}
	for _, m := range s.majors {
		if !slices.Contains(allMajors, m) {
			return symbol{}, fmt.Errorf("unknown major %q", m)
		}
	}
	return s, nil
}
