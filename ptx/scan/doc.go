// Package scan turns PTX text into tokens.
//
// The scanner is driven by a table of character classes and allocates nothing:
// a [Token] is a kind and two offsets. Comments, blank space, lines that start
// with # and @@DWARF lines of old text are skipped.
//
// Lexical rules: PTX ISA manual, chapter 4. Conversion of literals to values is
// here too ([Integer], [FloatBits]).
package scan
