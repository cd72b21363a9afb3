package ast

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Pos is a byte offset into the text of a module.
type Pos int32

// Place turns an offset into a line and a column, both from 1. The column
// counts bytes.
func (m *Module) Place(pos Pos) (line, col int) {
	m.once.Do(m.findLines)
	line = sort.Search(len(m.lines), func(i int) bool { return m.lines[i] > pos })
	return line, int(pos-m.lines[line-1]) + 1
}

// findLines records where each line starts.
func (m *Module) findLines() {
	m.lines = append(make([]Pos, 0, 1+strings.Count(m.Text, "\n")), 0)
	for at := 0; ; {
		i := strings.IndexByte(m.Text[at:], '\n')
		if i < 0 {
			return
		}
		at += i + 1
		m.lines = append(m.lines, Pos(at))
	}
}

// Line returns the text of the line that holds pos, without its end.
func (m *Module) Line(pos Pos) string {
	start := strings.LastIndexByte(m.Text[:pos], '\n') + 1
	rest := m.Text[start:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSuffix(rest, "\r")
}

// Errorf makes an error at a place of the module.
func (m *Module) Errorf(pos Pos, format string, args ...any) *Error {
	pos = min(max(pos, 0), Pos(len(m.Text)))
	line, col := m.Place(pos)
	return &Error{
		File: m.File, Line: line, Column: col, Pos: pos,
		Msg: fmt.Sprintf(format, args...), Source: m.Line(pos),
	}
}

// Error is one complaint about the text of a module.
type Error struct {
	File         string
	Line, Column int // both from 1
	Pos          Pos
	Msg          string
	Source       string // the whole source line
}

// widest source excerpt that Error prints, in bytes.
const widest = 120

// Error prints file:line:column: message, the source line and a caret.
func (e *Error) Error() string {
	src, col := e.Source, min(e.Column-1, len(e.Source))
	if len(src) > widest {
		from := max(0, min(col-widest/2, len(src)-widest))
		src, col = src[from:from+widest], col-from
	}
	var b strings.Builder
	b.WriteString(e.File + ":" + strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column) + ": " + e.Msg + "\n")
	b.WriteString(src + "\n")
	for i := range col {
		if src[i] == '\t' {
			b.WriteByte('\t')
		} else if src[i]&0xc0 != 0x80 {
			b.WriteByte(' ')
		}
	}
	b.WriteByte('^')
	return b.String()
}

// Errors is a list of complaints in source order.
type Errors []*Error

// Error prints every complaint, one after the other.
func (l Errors) Error() string {
	parts := make([]string, len(l))
	for i, e := range l {
		parts[i] = e.Error()
	}
	return strings.Join(parts, "\n")
}
