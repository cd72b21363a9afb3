// Package vectors makes a kernel for each instruction form of package ptx/ops,
// with operands for it, so that a card and the engine can run the same and
// their results be compared bit for bit.
//
//	Forms()  ->  Form.Kernel  ->  card  ->  Record  ->  tests/vectors/h200
//	                          ->  engine            ->  compared with it
//
// A kernel has three parts: thread i loads source s of the form from word
// s*Threads+i of the input, runs the form's body, and stores the results as
// record i of the output. Nothing is known when it is compiled, so nothing is
// folded; nothing stands beside the instruction, so nothing is contracted.
//
// Most forms are compared in every test run, by handlers alone and by machine
// code of each level that the processor has; go test -all adds the matrix forms on a million tiles and the
// multifunction unit on all operands.
//
// Textures and surfaces have accesses (Accesses) instead of forms: an object, an
// instruction, coordinates. Their record is h200.texture.zst, made with the command
// scripts/record/texture.
//
// The command scripts/record/vectors writes kernels and operands for a card
// and files what comes back.
package vectors
