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
package agree
