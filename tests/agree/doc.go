// Package agree compares what lockstep accepts with what ptxas accepts.
//
//	go test ./tests/agree -run Corpus -corpus DIR -ptxas PATH[,PATH...]
//
// checks every .ptx file below DIR: what one of the assemblers accepts must
// parse and lower, what all of them refuse must be refused. It prints a table
// and the files on which they differ. Verdicts are kept in DIR/verdicts, by
// content, so that a second run asks no assembler.
//
//	go test ./tests/agree -run Variants -ptxas PATH [-spellings N] [-variants N] [-operands "g+4 7 ..."] [-swaps] [-mnemonics NAME,...]
//
// does the same with well-formed instructions of every row, with what N
// mistakes make of each, with each of these operands in every place, and with
// modifiers that stand beside one another swapped.
//
//	go test ./tests/agree -run Runs -runs ZLUDA/ptx/src/test/spirv_run/mod.rs
//
// runs the kernels of ZLUDA's tests and compares with the results that their authors have
// written down.
//
// The driver's JIT judges as ptxas does. Of 3,501 texts of these tables, all for sm_90a or older, the driver of an H200
// (580.159.04, cuModuleLoadDataEx) gave a verdict on 2,820. Four of eight processes, each with an eighth of the texts, fell over
// one, and 677 texts behind those were never tried. 15 verdicts differ:
//
//   - it takes a predicate in a list of registers (9 instructions of types.txt), and falls over it in three others and over
//     movmatrix with "_" for its result;
//   - it takes .reg and .extern .local at module level (2: .reg .u32 x; .extern .local .u32 x;);
//   - it links, so that a function or variable that nobody defines is an error (2); ptxas -c leaves it open;
//   - an .extern .const of more than 64 KiB is refused (1), and a kernel whose parameter is .ptr .texref has no image (200, 1).
//
// A text of a version that it does not know gives error 222, one with another mistake 218.
//
// Of 3,200 mutants of files of the corpora ptxas alone refused 22 that it can judge before they were mended. Of 1,700 with a seed
// never used before, ptxas 13.0 alone refuses one that it can judge (a floating-point literal for a descriptor of tcgen05.mma), and
// lockstep alone 6, all of this kind.
// Of what ptxas 13.0 takes, this is refused:
//
//   - a modifier of tensormap.replace, testp or tcgen05.cp in any instruction (mov.u32.rank), which means nothing there, and none
//     in testp; the types of tensormap.replace in the other order;
//   - testp without its test, for which it takes a predicate that nobody wrote, and red.async and st.async without their mbarrier;
//   - a result of a conversion in braces (cvt.rz.bf16.f32 {%d}, %a;);
//   - an address without brackets in cp.async.bulk, and an offset of a predicate (%p + 4);
//   - the name of a function as any source (add.u64 %d, %a, kernel;), for which it puts what lies in its own memory into the code;
//   - a sum of a floating-point register (%f + 4), on which it crashes without -O0;
//   - a sum of a register that is narrower than the operand (add.u64 %d, %r + 4, %a;), for whose upper half it takes a register
//     that nobody wrote, and of a wider one, whose upper half it drops.
package agree
