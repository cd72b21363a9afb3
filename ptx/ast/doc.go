// Package ast holds the syntax tree of a PTX module.
//
//	text --ptx/parse--> Module --ptx/lower--> executable form
//	                      |
//	                      +-- Vars, Files, Aliases, Sections, Pragmas
//	                      +-- Funcs --Load--> Body: Insts, Operands, Regs, Vars, Labels, Tables, Scopes, Locs
//
// The tree is a set of flat slices that refer to each other by index, so that
// a walk touches memory in order and a function costs a handful of
// allocations. All strings are parts of the module's text.
//
// # Places
//
// A [Pos] is a byte offset into [Module.Text]; [Module.Place] turns it into a
// line and a column, [Module.Errorf] into an [Error] that prints the source
// line with a caret.
//
// # Functions
//
// A [Func] is the header: name, linkage, parameters, directives. Its [Body]
// comes from [Func.Load], which parses the text between the braces on first
// use, may be called from several goroutines, and gives the same result each
// time. A module parsed in full has loaded every body already.
//
// # Instructions
//
// An [Inst] is an opcode, a guard and a run of operands in Body.Operands
// ([Body.Args]). Distinct opcode spellings of a body are listed once in
// Body.Opcodes, so a lowering checks each spelling once, not once per
// instruction. Modifiers keep their source order and lose their dot; names
// such as shared::cta and L2::128B are one modifier each.
//
// An [Operand] is 24 bytes. What Index and Value mean depends on Kind:
//
//	Kind      written             Index                    Value
//	Int       5 0x1FU (1<<4)|3    -                        64-bit value; Unsigned when its type is u64
//	Float32   0f3F800000          -                        32 bits
//	Float64   0d... 2.5           -                        64 bits
//	Register  %r1 v.x a.b0        Body.Regs                offset in bytes; digits of a b/h selector
//	Special   %tid.x              Specials                 0
//	Local     depot param_0       Body.Vars                offset in bytes
//	Global    name                Body.Symbols             offset in bytes
//	CodeLabel $L__BB0_2           Body.Labels              0
//	TableName prototype_0         Body.Tables              0
//	Vector    {a, b, _}           first in Body.Operands   number of elements
//	List      (a, b)              first in Body.Operands   number of elements
//	Pair      p|q                 first in Body.Operands   2
//	Tuple     [tex, {x, y}]       first in Body.Operands   number of elements
//	Sink      _                   -                        -
//	Sum       %r1+4               Body.Regs                constant added to the register
//
// A Sum is a source operand, which the manual does not know but ptxas and other
// front-ends accept; register offsets inside brackets are no Sums.
//
// The flag Address marks brackets: [%rd1+4] is a Register with Address and Value 4,
// [sym] a Global with Address, [16] an Int with Address. Not marks !p, Minus
// marks -r, Unified marks [a].unified. Part selects a vector element or a video
// selector of a Register or Special.
//
// # Names
//
// Registers, variables, labels and tables declared in a function are resolved
// by block scope. Body.Regs lists the registers that are used, in order of
// first use, with their declared types; Body.RegDecls keeps the declarations
// as written. A parameterised variable, unlike a register, is expanded to one Var
// for each name. Body.Vars starts with the function's returns and parameters.
// What is left over is a module-level name: Body.Symbols lists each once, and
// each is declared somewhere in the module.
//
// # Initial values
//
// The initialiser of a variable and the contents of a section are an [Image]:
// bytes in little-endian order plus relocations for the addresses in it.
//
// # Printing
//
// [Module.Format] writes canonical text. Parsing that text gives an equal tree
// apart from positions.
//
// The language is that of the PTX ISA manual, chapters 4 (syntax), 5 (state
// spaces, types, variables), 6 (operands), 7 (ABI), 10 (special registers) and
// 11 (directives). Not modelled: which modifiers and operand types an
// instruction allows; that is the instruction table's to say.
package ast
