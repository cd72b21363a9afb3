package scan

// Kind is the kind of a token.
type Kind uint8

// Token kinds. One-character tokens are named after the character.
const (
	EOF     Kind = iota
	Illegal      // Scanner.Msg says why
	Ident        // also %r1, $L__BB0_1, and _ alone is Underscore
	Dot          // a dotted word such as .reg
	Number       // an integer, in any base, U suffix included
	Float        // 2.5, 1e1, and bit patterns 0f... and 0d...
	String
	Underscore
	Comma
	Semicolon
	Colon
	LParen
	RParen
	LBrace
	RBrace
	LBracket
	RBracket
	Less
	Greater
	Equal
	Plus
	Minus
	Star
	Slash
	Percent
	Bang
	Tilde
	Amp
	Pipe
	Caret
	Question
	At
	Shl
	Shr
	LessEq
	GreaterEq
	EqEq
	NotEq
	AndAnd
	OrOr
	numKinds
)

var kindNames = [numKinds]string{
	EOF: "end of text", Illegal: "illegal text", Ident: "name", Dot: "directive", Number: "number",
	Float: "floating-point number", String: "string", Underscore: "_", Comma: ",", Semicolon: ";",
	Colon: ":", LParen: "(", RParen: ")", LBrace: "{", RBrace: "}", LBracket: "[", RBracket: "]",
	Less: "<", Greater: ">", Equal: "=", Plus: "+", Minus: "-", Star: "*", Slash: "/", Percent: "%",
	Bang: "!", Tilde: "~", Amp: "&", Pipe: "|", Caret: "^", Question: "?", At: "@", Shl: "<<",
	Shr: ">>", LessEq: "<=", GreaterEq: ">=", EqEq: "==", NotEq: "!=", AndAnd: "&&", OrOr: "||",
}

// String names the kind for messages.
func (k Kind) String() string { return kindNames[k] }

// Token is a kind and the half-open range of offsets of its text.
type Token struct {
	Kind       Kind
	Start, End int32
}
