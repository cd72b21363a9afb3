package parse

import (
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// Bounds on nesting: of parentheses and of braces in a list, which recurse, and
// of blocks, which do not.
const (
	maxDepth  = 200
	maxBlocks = 1000
)

// parser is a token stream with one token of look-ahead and an error list.
//
// After fail the current token is Illegal and stays so until recover: every
// accept is false and every further fail is silent, so that rules need no
// error returns. Loops must end on a token that is not theirs.
type parser struct {
	m      *ast.Module
	s      scan.Scanner
	t      scan.Token // current token
	errs   ast.Errors
	failed bool
	at     scan.Token // where the statement failed
	depth  int        // nesting of the expression or list being parsed
	braces int        // open braces inside the current statement
	// expanded counts the names made by parameterised variables and labels.
	expanded int64
}

func (p *parser) next() {
	if p.failed {
		return
	}
	p.t = p.s.Next()
	if p.t.Kind == scan.Illegal {
		p.fail(ast.Pos(p.t.Start), "%s", p.s.Msg)
	}
}

func (p *parser) pos() ast.Pos { return ast.Pos(p.t.Start) }

// text is the text of the current token.
func (p *parser) text() string { return p.s.Src[p.t.Start:p.t.End] }

// word is the text of the current token without its first byte: the name of a
// directive.
func (p *parser) word() string { return p.s.Src[p.t.Start+1 : p.t.End] }

// fail records an error and makes the rules in progress end.
func (p *parser) fail(pos ast.Pos, format string, args ...any) {
	if !p.failed {
		p.report(pos, format, args...)
		p.failed, p.at = true, p.t
		p.t.Kind = scan.Illegal
	}
}

// report records an error and goes on.
func (p *parser) report(pos ast.Pos, format string, args ...any) {
	if len(p.errs) < MaxErrors {
		p.errs = append(p.errs, p.m.Errorf(pos, format, args...))
	}
}

func (p *parser) result() error {
	if len(p.errs) == 0 {
		return nil
	}
	return p.errs
}

// accept takes a token of that kind, if it is the current one.
func (p *parser) accept(k scan.Kind) bool {
	if p.t.Kind != k {
		return false
	}
	p.next()
	return true
}

// expect takes a token of that kind or fails.
func (p *parser) expect(k scan.Kind) bool {
	if p.accept(k) {
		return true
	}
	p.unexpected(k.String())
	return false
}

// unexpected fails at the current token.
func (p *parser) unexpected(wanted string) {
	if p.failed {
		return
	}
	got := p.t.Kind.String()
	if p.t.Kind != scan.EOF && p.t.End-p.t.Start <= 60 {
		got = p.text()
	}
	p.fail(p.pos(), "expected %s, found %s", wanted, got)
}

// name takes an identifier.
func (p *parser) name() (string, ast.Pos) {
	s, pos := p.text(), p.pos()
	if s == "WARP_SZ" {
		p.fail(pos, "WARP_SZ is a constant")
	}
	p.expect(scan.Ident)
	return s, pos
}

// enter counts one more level of nesting and fails when there are too many.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.pos(), "nested more than %d deep", maxDepth)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// recover skips to behind the next semicolon, or to the brace that closes the
// block around the failed statement. through tells it to skip behind the end of
// a braced block that the statement opens.
func (p *parser) recover(through bool) {
	depth := p.braces
	p.failed, p.depth, p.braces = false, 0, 0
	for p.t = p.at; ; p.t = p.s.Next() {
		switch p.t.Kind {
		case scan.EOF:
			return
		case scan.LBrace:
			depth++
		case scan.RBrace:
			if depth == 0 && !through {
				return
			}
			depth--
			if depth <= 0 && through {
				p.next()
				p.accept(scan.Semicolon)
				return
			}
		case scan.Semicolon:
			if depth <= 0 || !through {
				p.next()
				return
			}
		}
	}
}

// str takes a string and returns what is between the quotes.
func (p *parser) str() string {
	s := p.text()
	if !p.expect(scan.String) {
		return ""
	}
	return s[1 : len(s)-1]
}

// integer takes an integral expression.
func (p *parser) integer() int64 {
	pos := p.pos()
	v := p.expr()
	if v.float() {
		p.fail(pos, "expected an integer, found a floating-point number")
	}
	return int64(v.bits)
}

// plain takes an integer where ptxas takes no expression.
func (p *parser) plain() int64 {
	if p.t.Kind != scan.Number && (p.t.Kind != scan.Ident || p.text() != "WARP_SZ") {
		p.unexpected("an integer")
		return 0
	}
	return int64(p.unary().bits)
}

// count takes an integer between low and high.
func (p *parser) count(what string, low, high int64) int64 {
	pos := p.pos()
	n := p.plain()
	if !p.failed && (n < low || n > high) {
		p.fail(pos, "%s %d is not between %d and %d", what, n, low, high)
		return low
	}
	return n
}
