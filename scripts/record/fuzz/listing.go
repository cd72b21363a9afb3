package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// listing is the text of a kernel and its functions, of which lines can be left
// out.
type listing struct {
	lines []line
	gone  []bool
}

type line struct {
	text   string
	body   int // which function it is in
	fixed  bool
	writes []string // registers that no line before writes
	reads  []string
}

var (
	registerName = regexp.MustCompile(`%[a-z]+[0-9]*`)
	instruction  = regexp.MustCompile(`^\t+(@!?%[a-z0-9]+ )?([a-z][a-z0-9_.:]*) ?([^;]*);`)
	// What says who arrives where stays, as a mask must go on to name the lanes,
	// what hands on the carry flag, and what tells the threads and their memory
	// apart.
	control = regexp.MustCompile(`^\s*(@!?%[a-z0-9]+ )?(bra|brx|ret|exit|bar|barrier|vote|match|call|\.|\{|\}|not\.b32 %tr|and\.b32 %tr|sub\.u32 %tr|addc|subc|[a-z]+\.([a-z]+\.)?cc|[a-z0-9.]+ %(i|t|block|ublock|mem|in|slot|record|shared|gshared|glocal|tr0|r0, %[a-z]+id))`)
)

func newListing(text string) *listing {
	l := &listing{}
	body, written := 0, map[string]bool{}
	for _, t := range strings.SplitAfter(text, "\n") {
		if strings.HasPrefix(t, ".") {
			body++
			written = map[string]bool{}
		}
		x := line{text: t, body: body}
		m := instruction.FindStringSubmatch(t)
		x.fixed = m == nil || control.MatchString(t)
		if m != nil {
			x.scan(m, written)
		}
		l.lines = append(l.lines, x)
	}
	l.gone = make([]bool, len(l.lines))
	return l
}

// scan finds the registers of an instruction: guard, mnemonic, operands.
func (x *line) scan(m []string, written map[string]bool) {
	results, operands := "", m[3]
	switch name, _, _ := strings.Cut(m[2], "."); name {
	case "st", "red", "bra", "brx", "ret", "exit", "bar", "barrier", "call", "prefetch", "fence", "membar", "nanosleep":
	default:
		end := strings.Index(operands, ",")
		if strings.HasPrefix(operands, "{") {
			end = strings.Index(operands, "}")
		}
		if end < 0 {
			end = len(operands)
		}
		results, operands = operands[:end], operands[end:]
	}
	x.reads = registerName.FindAllString(m[1]+operands, -1)
	for _, r := range registerName.FindAllString(results, -1) {
		if m[1] != "" {
			x.reads = append(x.reads, r) // it keeps its value where the guard does not hold
		}
		if !written[r] {
			written[r] = true
			x.writes = append(x.writes, r)
		}
	}
}

// leave leaves out what it can of a range of lines and reports whether that is
// anything: what is fixed stays, and what gives a register its first value while
// another line reads it.
func (l *listing) leave(from, to int) (*listing, bool) {
	less := &listing{l.lines, slices.Clone(l.gone)}
	read := map[string]bool{}
	for i, x := range l.lines {
		less.gone[i] = l.gone[i] || i >= from && i < to && !x.fixed
		if !less.gone[i] {
			for _, r := range x.reads {
				read[fmt.Sprint(x.body, r)] = true
			}
		}
	}
	some := false
	for i, x := range l.lines[:to] {
		if less.gone[i] && !l.gone[i] {
			less.gone[i] = !slices.ContainsFunc(x.writes, func(r string) bool { return read[fmt.Sprint(x.body, r)] })
			some = some || less.gone[i]
		}
	}
	return less, some
}

func (l *listing) String() string {
	var b strings.Builder
	for i, x := range l.lines {
		if !l.gone[i] {
			b.WriteString(x.text)
		}
	}
	return b.String()
}
