package lower

import "github.com/lockstep-sim/lockstep/gpu/isa"

// join gives every branch the place where its sides meet again: the first
// instruction of the block that post-dominates it immediately.
func join(code []isa.Inst) {
	blocks, of := split(code)
	exit := int32(len(blocks))
	succ := make([][]int32, len(blocks))
	for b, block := range blocks {
		succ[b] = successors(code, block, of, exit)
	}
	ipdom := postDominators(succ, exit)
	for pc := range code {
		in := &code[pc]
		if in.Flow != isa.Jump && in.Flow != isa.JumpTable {
			continue
		}
		in.Join = isa.NoJoin
		if d := ipdom[of[pc]]; d >= 0 && d != exit {
			in.Join = blocks[d].start
		}
	}
}

// block is a straight run of instructions [start, end).
type block struct{ start, end int32 }

// split finds the basic blocks and the block of every instruction.
func split(code []isa.Inst) (blocks []block, of []int32) {
	leader := make([]bool, len(code)+1)
	leader[0] = true
	for pc := range code {
		in := &code[pc]
		switch in.Flow {
		case isa.Jump:
			leader[in.Target], leader[pc+1] = true, true
		case isa.JumpTable:
			for _, t := range in.Control.Table {
				leader[t] = true
			}
			leader[pc+1] = true
		case isa.Return, isa.Exit:
			leader[pc+1] = true
		}
	}
	of = make([]int32, len(code))
	for pc := range code {
		if leader[pc] {
			blocks = append(blocks, block{start: int32(pc)})
		}
		b := len(blocks) - 1
		of[pc], blocks[b].end = int32(b), int32(pc+1)
	}
	return blocks, of
}

// successors lists the blocks that may follow a block; exit stands for the end
// of the function.
func successors(code []isa.Inst, b block, of []int32, exit int32) []int32 {
	last := &code[b.end-1]
	guarded := last.Guard != isa.PT || last.GuardNot
	var next []int32
	switch last.Flow {
	case isa.Jump:
		next = append(next, of[last.Target])
	case isa.JumpTable:
		for _, t := range last.Control.Table {
			next = append(next, of[t])
		}
	case isa.Return, isa.Exit:
		next = append(next, exit)
	default:
		guarded = true
	}
	if guarded && int(b.end) < len(code) {
		next = append(next, of[b.end])
	}
	return next
}

// postDominators computes the immediate post-dominator of every block, -1
// where the exit cannot be reached (Cooper, Harvey and Kennedy's iteration on
// the reversed graph).
func postDominators(succ [][]int32, exit int32) []int32 {
	order := reverseOrder(succ, exit) // exit first
	number := make([]int32, exit+1)
	for i := range number {
		number[i] = -1
	}
	for i, b := range order {
		number[b] = int32(i)
	}
	idom := make([]int32, exit+1)
	for i := range idom {
		idom[i] = -1
	}
	idom[exit] = exit
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			d := int32(-1)
			for _, s := range succ[b] {
				if number[s] < 0 || idom[s] < 0 {
					continue
				}
				if d < 0 {
					d = s
				} else {
					d = meet(d, s, idom, number)
				}
			}
			if d != idom[b] {
				idom[b], changed = d, true
			}
		}
	}
	return idom[:exit]
}

func meet(a, b int32, idom, number []int32) int32 {
	for a != b {
		for number[a] > number[b] {
			a = idom[a]
		}
		for number[b] > number[a] {
			b = idom[b]
		}
	}
	return a
}

// reverseOrder is a reverse post-order of the reversed graph from exit.
func reverseOrder(succ [][]int32, exit int32) []int32 {
	pred := make([][]int32, exit+1)
	for b, next := range succ {
		for _, s := range next {
			pred[s] = append(pred[s], int32(b))
		}
	}
	type visit struct {
		block int32
		next  int
	}
	seen := make([]bool, exit+1)
	seen[exit] = true
	post := make([]int32, 0, exit+1)
	stack := []visit{{exit, 0}}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if v.next == len(pred[v.block]) {
			post = append(post, v.block)
			stack = stack[:len(stack)-1]
			continue
		}
		p := pred[v.block][v.next]
		v.next++
		if !seen[p] {
			seen[p] = true
			stack = append(stack, visit{p, 0})
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}
