package scan

import "strings"

// Scanner reads tokens from Src. The zero value with Src set is ready.
type Scanner struct {
	Src string
	Pos int32  // offset of the next byte to read
	Msg string // why the last Illegal token is illegal
}

// Character classes.
const (
	blank  = 1 << iota // space and line ends
	letter             // starts a name: letters
	sigil              // starts a name when more follows: _ $ %
	digit
	alone // punctuation that is always a token of its own
	word  // goes on in a name: letters, digits, _ and $
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = letter|word, letter|word
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit | word
	}
	for _, c := range " \t\r\n" {
		t[c] = blank
	}
	t['_'], t['$'], t['%'] = sigil|word, sigil|word, sigil
	for c, k := range single {
		if k != EOF {
			t[c] |= alone
		}
	}
	return t
}()

// single holds the punctuation that no longer token starts with.
var single = [256]Kind{
	',': Comma, ';': Semicolon, ':': Colon, '(': LParen, ')': RParen, '{': LBrace, '}': RBrace,
	'[': LBracket, ']': RBracket, '+': Plus, '-': Minus, '*': Star, '~': Tilde, '^': Caret, '?': Question,
}

// follow says that a character may be completed to a longer operator by c.
type follow struct {
	c    byte
	kind Kind
}

// operators holds the punctuation that may have a second character.
var operators = [256]struct {
	alone Kind
	two   [2]follow
}{
	'<': {Less, [2]follow{{'<', Shl}, {'=', LessEq}}},
	'>': {Greater, [2]follow{{'>', Shr}, {'=', GreaterEq}}},
	'=': {Equal, [2]follow{{'=', EqEq}}},
	'!': {Bang, [2]follow{{'=', NotEq}}},
	'&': {Amp, [2]follow{{'&', AndAnd}}},
	'|': {Pipe, [2]follow{{'|', OrOr}}},
}

// Next returns the next token; at the end of the text EOF, again and again.
func (s *Scanner) Next() Token {
	src, i := s.Src, int(s.Pos)
	for i < len(src) {
		c := src[i]
		k := class[c]
		switch {
		case k&blank != 0:
			i++
			continue
		case k&letter != 0:
			return s.name(i)
		case k&alone != 0:
			s.Pos = int32(i + 1)
			return Token{single[c], int32(i), int32(i + 1)}
		case k&digit != 0:
			return s.number(i)
		case k&sigil != 0:
			return s.sigil(i)
		}
		if j := s.skip(i); j > i {
			i = j
			continue
		}
		return s.rest(i)
	}
	s.Pos = int32(i)
	return Token{EOF, int32(i), int32(i)}
}

// name reads an identifier that starts at i.
func (s *Scanner) name(i int) Token {
	src, j := s.Src, i+1
	for j < len(src) && class[src[j]]&word != 0 {
		j++
	}
	s.Pos = int32(j)
	return Token{Ident, int32(i), int32(j)}
}

// sigil reads a name that starts with _, $ or %, or the character alone.
func (s *Scanner) sigil(i int) Token {
	t := s.name(i)
	if t.End > t.Start+1 {
		return t
	}
	switch s.Src[i] {
	case '_':
		t.Kind = Underscore
	case '%':
		t.Kind = Percent
	default:
		return s.illegal(t, "$ alone is not a name")
	}
	return t
}

// rest reads dotted words, strings, operators and what is not PTX.
func (s *Scanner) rest(i int) Token {
	src, c := s.Src, s.Src[i]
	t := Token{Start: int32(i), End: int32(i + 1)}
	s.Pos = t.End
	switch {
	case c == '.':
		return s.dot(i)
	case c == '"':
		return s.str(i)
	case c == '/':
		if i+1 < len(src) && src[i+1] == '*' {
			s.Pos = int32(len(src))
			t.End = s.Pos
			return s.illegal(Token{Start: t.Start, End: t.Start + 2}, "comment is not closed")
		}
		t.Kind = Slash
		return t
	case c == '@':
		t.Kind = At
		return t
	}
	op := &operators[c]
	switch {
	case c == '#':
		return s.illegal(t, "only line markers may start with #")
	case op.alone == EOF:
		return s.illegal(t, "character does not belong to the language")
	}
	t.Kind = op.alone
	for _, f := range op.two {
		if f.kind != EOF && i+1 < len(src) && src[i+1] == f.c {
			t.Kind, t.End = f.kind, t.End+1
			s.Pos = t.End
		}
	}
	return t
}

// dot reads .name, or a number such as .5.
func (s *Scanner) dot(i int) Token {
	src := s.Src
	if i+1 < len(src) {
		if class[src[i+1]]&digit != 0 {
			return s.number(i)
		}
		if class[src[i+1]]&word != 0 {
			t := s.name(i + 1)
			return Token{Dot, int32(i), t.End}
		}
	}
	return s.illegal(Token{Start: int32(i), End: int32(i + 1)}, "a dot needs a word after it")
}

// Dotted extends a name over the dotted words that follow it without a blank,
// double colons included: the whole of ld.shared::cta.u32.
func (s *Scanner) Dotted(t Token) Token {
	src, j := s.Src, int(t.End)
	for j < len(src) {
		c := src[j]
		switch {
		case class[c]&word != 0 || c == '.':
			j++
			continue
		case c == ':' && j+2 < len(src) && src[j+1] == ':' && class[src[j+2]]&word != 0:
			j += 2
			continue
		}
		break
	}
	t.End = int32(j)
	s.Pos = t.End
	return t
}

// At reports whether the next token starts with that character; if so it moves
// there.
func (s *Scanner) At(want byte) bool {
	i := int(s.Pos)
	for i < len(s.Src) {
		switch c := s.Src[i]; {
		case c == want:
			s.Pos = int32(i)
			return true
		case class[c]&blank != 0:
			i++
		default:
			j := s.skip(i)
			if j == i {
				return false
			}
			i = j
		}
	}
	return false
}

// str reads a string. It has no escapes and ends at the next quote.
func (s *Scanner) str(i int) Token {
	j, ok := stringEnd(s.Src, i)
	s.Pos = int32(j)
	if !ok {
		return s.illegal(Token{Start: int32(i), End: int32(i + 1)}, "string is not closed")
	}
	return Token{String, int32(i), int32(j)}
}

// stringEnd returns the offset after the string that starts at i, or the end of
// the text and false when it is not closed.
func stringEnd(src string, i int) (int, bool) {
	if n := strings.IndexByte(src[i+1:], '"'); n >= 0 {
		return i + n + 2, true
	}
	return len(src), false
}

func (s *Scanner) illegal(t Token, msg string) Token {
	s.Msg = msg
	t.Kind = Illegal
	return t
}

// skip returns the offset after the comment or skipped line at i, or i when
// there is none or the comment does not end.
func (s *Scanner) skip(i int) int {
	src := s.Src
	switch src[i] {
	case '/':
		return commentEnd(src, i)
	case '#':
		if startsLine(src, i) && isLineMarker(src[i+1:]) {
			return lineEnd(src, i)
		}
	case '@':
		if strings.HasPrefix(src[i:], "@@DWARF") {
			return lineEnd(src, i)
		}
	}
	return i
}

// commentEnd returns the offset after the comment at i, or i when there is none
// or it does not end.
func commentEnd(src string, i int) int {
	if i+1 >= len(src) {
		return i
	}
	switch src[i+1] {
	case '/':
		return lineEnd(src, i)
	case '*':
		if n := strings.Index(src[i+2:], "*/"); n >= 0 {
			return i + n + 4
		}
	}
	return i
}

func lineEnd(src string, i int) int {
	if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

// startsLine reports whether only blanks stand before i on its line.
func startsLine(src string, i int) bool {
	for j := i - 1; j >= 0 && src[j] != '\n'; j-- {
		if class[src[j]]&blank == 0 {
			return false
		}
	}
	return true
}

// isLineMarker reports whether what follows a # is a line number, as a C
// preprocessor leaves it.
func isLineMarker(s string) bool {
	s = strings.TrimLeft(s, " \t")
	s = strings.TrimLeft(strings.TrimPrefix(s, "line"), " \t")
	return s != "" && class[s[0]]&digit != 0
}

// Block returns the offset after the brace that closes the one at i, counting
// braces outside strings and comments, or the end of the text and false when
// there is none.
func Block(src string, i int32) (int32, bool) {
	s := Scanner{Src: src}
	depth := 0
	for j := int(i); j < len(src); {
		switch src[j] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return int32(j + 1), true
			}
		case '"':
			j, _ = stringEnd(src, j)
			continue
		case '/', '#', '@':
			if k := s.skip(j); k > j {
				j = k
				continue
			}
			if strings.HasPrefix(src[j:], "/*") {
				return int32(len(src)), false
			}
		}
		j++
	}
	return int32(len(src)), false
}
