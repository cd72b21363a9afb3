package lower

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// definitions are the instructions that give each register of a body a value, in the order of the text.
type definitions struct{ first, list []int32 }

func definitionsOf(b *ast.Body) definitions {
	d := definitions{first: make([]int32, len(b.Regs)+1)}
	for i := range b.Insts {
		eachDefined(b, &b.Insts[i], func(r int32) { d.first[r+1]++ })
	}
	for r := range b.Regs {
		d.first[r+1] += d.first[r]
	}
	d.list = make([]int32, d.first[len(b.Regs)])
	next := slices.Clone(d.first)
	for i := range b.Insts {
		eachDefined(b, &b.Insts[i], func(r int32) {
			d.list[next[r]] = int32(i)
			next[r]++
		})
	}
	return d
}

func (d *definitions) of(r int32) []int32 { return d.list[d.first[r]:d.first[r+1]] }

func (d *definitions) count(r int32) int { return len(d.of(r)) }

// only is the one instruction that defines a register.
func (d *definitions) only(r int32) (int32, bool) {
	if all := d.of(r); len(all) == 1 {
		return all[0], true
	}
	return 0, false
}

// between reports whether a register is defined between two instructions in the text.
func (d *definitions) between(r, from, to int32) bool {
	all := d.of(r)
	i, _ := slices.BinarySearch(all, from+1)
	return i < len(all) && all[i] < to
}

// eachDefined calls f for the registers that an instruction gives values.
func eachDefined(b *ast.Body, x *ast.Inst, f func(r int32)) {
	if x.Count > 0 {
		eachRegister(b, &b.Args(x)[0], func(r int32, address bool) {
			if !address {
				f(r)
			}
		})
	}
}

// eachRegister calls f for the registers in an operand and says whether they are of an address.
func eachRegister(b *ast.Body, a *ast.Operand, f func(r int32, address bool)) {
	if a.Kind == ast.Register || a.Kind == ast.Sum {
		f(a.Index, a.Has(ast.Address) || a.Kind == ast.Sum)
		return
	}
	elems := b.Elems(a)
	for i := range elems {
		eachRegister(b, &elems[i], func(r int32, address bool) { f(r, address || a.Has(ast.Address)) })
	}
}

// read is a use of a register: the operand of an instruction that is the register, -1 if it is part of an operand.
type read struct {
	at  int32
	arg int
}

// chains finds the uses of values.
type chains struct {
	body    *ast.Body
	defined *definitions
	reads   map[int32][]read   // of registers that hold products, in the order of the text
	reached map[int32][]read   // by definition, of registers with several
	single  map[int32]bool     // definitions that share none of their uses with others
	steps   int                // that may still be made through the code
	visited map[int32]struct{} // of the walk under way
}

// chains prepares for the uses of products and of what they are moved to.
func (c *contraction) chains() *chains {
	u := &chains{body: c.body, defined: &c.defined, reads: map[int32][]read{}, reached: map[int32][]read{}, single: map[int32]bool{}, steps: 1 << 22}
	for i := range c.body.Insts {
		x := &c.body.Insts[i]
		k := c.kinds[x.Op].operation
		if c.products[int32(i)] != nil {
			u.reads[c.body.Args(x)[0].Index] = nil
		} else if (k == '=' || k == '~') && c.copies(x) {
			if _, ok := u.reads[c.body.Args(x)[1].Index]; ok {
				u.reads[c.body.Args(x)[0].Index] = nil
			}
		}
	}
	for i := range c.body.Insts {
		u.note(int32(i))
	}
	for i := range c.header {
		if v := &c.body.Vars[i]; v.Space == ast.RegSpace {
			u.read(v.Reg, read{int32(len(c.body.Insts)), -1}) // by what calls the function
		}
	}
	return u
}

func (u *chains) read(r int32, use read) {
	if list, ok := u.reads[r]; ok {
		u.reads[r] = append(list, use)
	}
}

// note notes what an instruction reads. The first operand is a result, or an address; wgmma adds to it.
func (u *chains) note(at int32) {
	x := &u.body.Insts[at]
	args := u.body.Args(x)
	accumulates := u.body.Opcodes[x.Op].Name == "wgmma"
	for n := range args {
		direct := n
		if !scalar(&args[n]) {
			direct = -1
		}
		eachRegister(u.body, &args[n], func(r int32, address bool) {
			if n > 0 || address || accumulates {
				u.read(r, read{at, direct})
			}
		})
	}
}

// of lists the uses of the value that an instruction gives its result. It reports false if one of them may have another
// value, or if there are too many ways through the code to tell.
func (u *chains) of(at int32) ([]read, bool) {
	r := u.body.Args(&u.body.Insts[at])[0].Index
	if u.defined.count(r) == 1 {
		return u.reads[r], true
	}
	if _, ok := u.reached[at]; !ok {
		u.separate(r)
	}
	return u.reached[at], u.single[at] && u.steps > 0
}

// separate finds the uses of each definition of a register.
func (u *chains) separate(r int32) {
	by := map[read]int{}
	for _, at := range u.defined.of(r) {
		u.reached[at] = u.walk(r, at)
		for _, use := range u.reached[at] {
			by[use]++
		}
	}
	for _, at := range u.defined.of(r) {
		u.single[at] = !slices.ContainsFunc(u.reached[at], func(use read) bool { return by[use] > 1 })
	}
}

// walk lists the uses of a register that the code after an instruction comes to before another definition.
func (u *chains) walk(r, from int32) (list []read) {
	u.visited = map[int32]struct{}{}
	reads := u.reads[r]
	next := u.after(from, nil)
	for len(next) > 0 && u.steps > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if _, ok := u.visited[at]; ok {
			continue
		}
		u.steps--
		u.visited[at] = struct{}{}
		i, _ := slices.BinarySearchFunc(reads, at, func(a read, at int32) int { return cmp.Compare(a.at, at) })
		for ; i < len(reads) && reads[i].at == at; i++ {
			list = append(list, reads[i])
		}
		if int(at) == len(u.body.Insts) {
			continue
		}
		if _, defines := slices.BinarySearch(u.defined.of(r), at); !defines || u.body.Insts[at].Guard >= 0 {
			next = u.after(at, next)
		}
	}
	return list
}

// after appends the instructions that may follow one.
func (u *chains) after(at int32, list []int32) []int32 {
	x := &u.body.Insts[at]
	args := u.body.Args(x)
	for i := range args {
		switch a := &args[i]; a.Kind {
		case ast.CodeLabel:
			list = append(list, u.body.Labels[a.Index].Inst)
		case ast.TableName:
			targets := u.body.Targets(&u.body.Tables[a.Index])
			for j := range targets {
				if targets[j].Kind == ast.CodeLabel {
					list = append(list, u.body.Labels[targets[j].Index].Inst)
				}
			}
		}
	}
	switch u.body.Opcodes[x.Op].Name {
	case "ret":
		return append(list, int32(len(u.body.Insts)))
	case "bra", "brx", "exit", "trap":
		if x.Guard < 0 {
			return list
		}
	}
	return append(list, at+1)
}

func sortedKeys[V any](m map[int32]V) []int32 { return slices.Sorted(maps.Keys(m)) }
