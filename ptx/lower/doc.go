// Package lower turns the syntax tree of a function into executable form.
//
//	ast.Body --opcodes--> rows (ptx/ops)     --Bind--> handlers
//	         --operands-> register rows, constant rows, predicates
//	         --labels---> program counters   --post-dominators--> joins
//
// It decides everything that can be decided before execution, so that an
// engine only follows pointers. Errors name the place in the text; all of a
// function's errors are reported together.
package lower
