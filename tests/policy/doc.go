// Package policy holds the rules of the architecture as tests: who may import
// whom, how large things may grow, what must inline, where opcodes may be
// named, and that documents speak only of what exists.
package policy
