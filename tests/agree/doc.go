// Package agree compares what lockstep accepts with what ptxas accepts.
//
//	go test ./tests/agree -run Corpus -corpus DIR -ptxas PATH[,PATH...]
//
// checks every .ptx file below DIR: what one of the assemblers accepts must
// parse and lower, what all of them refuse must be refused. It prints a table
// and the files on which they differ. Verdicts are kept in DIR/verdicts, by
// content, so that a second run asks no assembler.
//
//	go test ./tests/agree -run Variants -ptxas PATH -variants N [-mnemonics NAME,...]
//
// does the same with well-formed instructions of every row, and with what N
// mistakes make of each.
//
//	go test ./tests/agree -run Runs -corpus DIR -runs TABLE
//
// runs kernels whose results their authors have written down.
//
// The driver's JIT judges as ptxas does. Of 3,501 texts of these tables, all for sm_90a or older, the driver of an H200
// (580.159.04, cuModuleLoadData) gave a verdict on 2,820; it fell over the others or over one before them. 16 differ:
//
//   - it takes a predicate in a list of registers (nine instructions of types.txt), and falls over it in others;
//   - it takes .reg and .extern .local at module level (.reg .u32 x; .extern .local .u32 x;);
//   - it links, so that a function or variable that nobody defines is an error; ptxas -c leaves it open;
//   - an .extern .const of more than 64 KiB is refused, and a kernel whose parameter is .ptr .texref has no image (200).
//
// A text of a version that it does not know gives error 222, one with another mistake 218.
package agree
