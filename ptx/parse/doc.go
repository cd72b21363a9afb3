// Package parse turns PTX text into the tree of ptx/ast.
//
//	text -> scan.Scanner -> module statements -> ast.Module
//	                          function bodies skipped by brace matching
//	                        Func.Load -> body statements -> ast.Body
//
// [Lazy] parses what stands at module level and leaves bodies and sections to
// their Load; most kernels of a module are never launched. [Parse] loads
// everything and so gives the complete list of errors. Both give the same tree.
//
// The parser knows the module language (PTX ISA manual, chapters 4 to 7 and
// 11) and the shape of operands. It does not know the instructions: any
// mnemonic with any modifiers parses, and the instruction table judges them.
//
// What parses is what ptxas accepts, with a few liberties: module-level names may
// be declared after their use; the words of a declaration may stand in any order;
// label and symbol offsets in initialisers may be negative; .target may narrow
// the targets later on. The rules of the ABI and of single targets are not checked.
//
// After an error the parser goes on behind the next semicolon or closing
// brace. Every list of errors has at most [MaxErrors] entries.
package parse
