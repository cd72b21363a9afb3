package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// symbol is one line of a list.
type symbol struct {
	name   string
	majors []string
	kind   kind
	since  int // driver: version that brought it
}

// group is a library of NVIDIA's and the list of its symbols.
type group struct {
	title string
	list  string
	parse func(fields []string) (symbol, error)
	width int // fields of a line
	what  string
}

// groups are numbered as enum ls_group in lockstep.h.
var groups = []group{
	{"CUDA runtime API", "cudart/symbols.txt", parseRuntime, 3, "name majors kind"},
	{"CUDA driver API", "cudart/driver.txt", parseDriver, 3, "name version kind"},
	{"Management library (NVML)", "cudart/management.txt", parseManagement, 2, "name kind"},
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

// read reads the list of a group.
func (g group) read() ([]symbol, error) {
	f, err := os.Open(g.list)
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
		s, err := g.symbol(line)
		if err == nil && seen[s.name] {
			err = fmt.Errorf("%s is listed twice", s.name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", g.list, n, err)
		}
		seen[s.name] = true
		all = append(all, s)
	}
	if err := checkOrder(all); err != nil {
		return nil, fmt.Errorf("%s: %w", g.list, err)
	}
	return all, lines.Err()
}

// maxSymbols is the size of the tables in C that are indexed by symbol.
const maxSymbols = 2048

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

func (g group) symbol(line string) (symbol, error) {
	fields := strings.Fields(line)
	if len(fields) != g.width {
		return symbol{}, fmt.Errorf("want %q, got %q", g.what, line)
	}
	s, err := g.parse(fields)
	if err != nil {
		return symbol{}, err
	}
	k, ok := kinds[fields[g.width-1]]
	if !ok {
		return symbol{}, fmt.Errorf("unknown kind %q", fields[g.width-1])
	}
	s.name, s.kind = fields[0], k
	return s, nil
}

func parseRuntime(fields []string) (symbol, error) {
	s := symbol{majors: strings.Split(fields[1], ",")}
	for _, m := range s.majors {
		if !slices.Contains(allMajors, m) {
			return symbol{}, fmt.Errorf("unknown major %q", m)
		}
	}
	return s, nil
}

func parseDriver(fields []string) (symbol, error) {
	since, err := strconv.Atoi(fields[1])
	return symbol{majors: allMajors, since: since}, err
}

func parseManagement([]string) (symbol, error) { return symbol{majors: allMajors}, nil }
