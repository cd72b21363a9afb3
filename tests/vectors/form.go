package vectors

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// The newest version and target of the forms: what the recording card has.
const (
	Version = 90
	Target  = 90
)

// Block is the number of threads of a CTA; Form.Threads is a multiple of it.
const Block = 128

// Form is one kernel: an instruction form with a way to give it operands.
//
// Body is PTX in which %s0, %s1 ... are the sources and %d0, %d1 ... the
// results. It may use %h, %r, %u and %p registers (16, 32, 64 bits,
// predicates), %i (the thread's number), %in, %out, %dst (where its record is)
// and, if it names it, the shared array sh, 64 bytes a thread.
type Form struct {
	Name    string
	Sources []Kind
	Results []int // bits of each, 1 for a predicate
	Threads int
	Body    string
	Edge    bool   // the operands lead to the edge of the normal numbers
	Pool    bool   // the sources are pools of matrix elements that Body loads itself
	Shared  int    // bytes of the array sh, 0 for 64 a thread
	Many    bool   // repeats another form on many operands and stores hashes
	Old     bool   // of a target that lets lanes vote and shuffle without naming them
	Entry   string // the kernel's directives
}

// widest first, so that every result is aligned in its record.
func (f *Form) layout() (offset []int, size int) {
	offset = make([]int, len(f.Results))
	order := make([]int, len(f.Results))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return f.Results[order[a]] > f.Results[order[b]] })
	most := 1
	for _, i := range order {
		offset[i] = size
		n := max(f.Results[i]/8, 1)
		size += n
		most = max(most, n)
	}
	return offset, (size + most - 1) / most * most
}

// Size is the number of bytes that the kernel stores.
func (f *Form) Size() int {
	_, size := f.layout()
	return size * f.Threads
}

// Record describes record i of the output, result by result.
func (f *Form) Record(out []byte, i int) string {
	offset, size := f.layout()
	var text []string
	for n, at := range offset {
		text = append(text, "0x"+hex(out[i*size+at:][:max(f.Results[n]/8, 1)]))
	}
	return strings.Join(text, " ")
}

// Tuple describes the operands of thread i.
func (f *Form) Tuple(in []byte, i int) string {
	var text []string
	for s, k := range f.Sources {
		text = append(text, "0x"+hex(in[8*(s*f.Threads+i):][:max(k.bits()/8, 1)]))
	}
	return strings.Join(text, " ")
}

// hex writes little-endian bytes as a number.
func hex(b []byte) string {
	var s strings.Builder
	for i := len(b) - 1; i >= 0; i-- {
		fmt.Fprintf(&s, "%02x", b[i])
	}
	return s.String()
}

// Forms lists every form, in a fixed order.
func Forms() []*Form {
	var all []*Form
	ops.Rows(func(op *isa.Op) {
		if op.SM > Target || op.Since > Version {
			return
		}
		ops.Spellings(op, plain, func(form *isa.Form, args []ops.Arg) {
			all = append(all, formsOf(form, args)...)
		})
	})
	all = append(all, exhaustForms()...)
	all = append(all, warpForms()...)
	all = append(all, blockForms()...)
	all = append(all, tableForms()...)
	all = append(all, matrixForms()...)
	all = append(all, groupForms()...)
	all = append(all, syncForms()...)
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(f *Form) bool {
		again := f == nil || seen[f.Name+f.Body]
		if !again {
			seen[f.Name+f.Body] = true
		}
		return again
	})
}

// plain admits the modifiers of memory instructions that matter to one thread:
// spaces and vectors, no orders, scopes and cache operators.
func plain(m string) bool {
	switch m {
	case "relaxed", "acquire", "release", "acq_rel", "weak", "volatile", "mmio", "cta", "cluster", "gpu", "sys", "gl", "nc", "L2::cache_hint",
		"const", "param", "param::entry", "param::func", "shared::cta", "shared::cluster", "ca", "cg", "cs", "lu", "cv", "wb", "wt":
		return false
	}
	return !strings.HasPrefix(m, "L1::") && !strings.HasPrefix(m, "L2::")
}

// unspecified lists the instructions whose results PTX leaves to the
// implementation, and why: nothing of them is compared.
var unspecified = map[string]string{
	"isspacep":     "where the windows of the state spaces lie (9.7.9.19)",
	"cvta":         "generic addresses depend on where the windows lie (9.7.9.20)",
	"mapa":         "shared::cluster addresses are opaque (9.7.9.23)",
	"getctarank":   "shared::cluster addresses are opaque (9.7.9.24)",
	"createpolicy": "a cache eviction policy is opaque (9.7.9.18)",
	"mbarrier":     "the state of a barrier is opaque (9.7.13.15)",
}

// made lists the instructions that other templates than the plain one make.
var made = map[string]bool{"vote": true, "activemask": true, "alloca": true, "stacksave": true, "stackrestore": true}

// formsOf are the kernels of one spelling: none for what other templates make.
func formsOf(form *isa.Form, args []ops.Arg) []*Form {
	op := form.Op
	switch {
	case op.Name == "atom" || op.Name == "red":
		return atomicForms(form, args)
	case (op.Name == "ld" || op.Name == "st") && !form.Has("async") && !form.Has("bulk"):
		return memoryForms(form)
	case unspecified[op.Name] != "" || made[op.Name] || op.Flow != isa.Next || op.Unit == isa.LSU || op.Unit == isa.Tensor || op.Unit == isa.Branch || op.Unit == isa.Tex:
		return nil
	case strings.HasPrefix(op.Doc, "9.7.2."):
		return carryForms(form, args)
	case strings.HasPrefix(op.Doc, "9.7.17.") || strings.HasPrefix(op.Doc, "9.7.18."):
		return videoForms(form, args)
	}
	return plainForms(form, args)
}

// exhaustForms give special values one by one where a random choice misses
// them: the NaN that stands for an element outside a tensor.
func exhaustForms() []*Form {
	var all []*Form
	for _, t := range []string{"f16", "bf16"} {
		one := map[string]string{"f16": "0x3c00", "bf16": "0x3f80"}[t]
		all = append(all, &Form{
			Name: "fma.rn.oob." + t + " all factors", Sources: []Kind{Kind(t)}, Results: []int{16, 16}, Threads: 1 << 16,
			Body: "mov.b16 %h0, " + one + ";\nfma.rn.oob." + t + " %d0, %s0, %h0, %h0;\nfma.rn.oob." + t + " %d1, %h0, %s0, %h0;",
		})
	}
	return all
}

// Kernel is the text of the form's kernel, without the module's head.
func (f *Form) Kernel(name string) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(".visible .entry %s(.param .u64 pin, .param .u64 pout) %s\n{", name, f.Entry)
	p("\t.reg .b64 %%in, %%out, %%src, %%dst;\n\t.reg .b32 %%i;")
	p("\t.reg .b16 %%h<16>;\n\t.reg .b32 %%r<64>;\n\t.reg .b64 %%u<64>;\n\t.reg .pred %%p<8>;")
	if !f.Old {
		p("\t.reg .b128 %%q<4>;")
	}
	if strings.Contains(f.Body, "sh") && strings.Contains(f.Body, " sh") {
		p("\t.shared .align 1024 .b8 sh[%d];", max(f.Shared, 64*Block))
	}
	for s, k := range f.Sources {
		p("\t.reg .%s %%s%d;", register(k.bits()), s)
	}
	for d, bits := range f.Results {
		p("\t.reg .%s %%d%d;", register(bits), d)
	}
	offset, size := f.layout()
	p("\tld.param.u64 %%in, [pin];\n\tld.param.u64 %%out, [pout];")
	p("\tmov.u32 %%i, %%ctaid.x;\n\tmad.lo.u32 %%i, %%i, %d, 0;\n\tmov.u32 %%r0, %%tid.x;\n\tadd.u32 %%i, %%i, %%r0;", Block)
	p("\tmad.wide.u32 %%src, %%i, 8, %%in;\n\tmad.wide.u32 %%dst, %%i, %d, %%out;", size)
	if !f.Pool {
		for s, k := range f.Sources {
			f.load(p, s, k)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(f.Body), "\n") {
		p("\t%s", strings.TrimSpace(line))
	}
	for d, bits := range f.Results {
		if bits == 1 {
			p("\tselp.u32 %%r0, 1, 0, %%d%d;\n\tst.global.u8 [%%dst+%d], %%r0;", d, offset[d])
			continue
		}
		p("\tst.global.b%d [%%dst+%d], %%d%d;", bits, offset[d], d)
	}
	p("\tret;\n}")
	return b.String()
}

func (f *Form) load(p func(format string, args ...any), s int, k Kind) {
	if k.bits() == 1 {
		p("\tld.global.u32 %%r0, [%%src+%d];\n\tsetp.ne.u32 %%s%d, %%r0, 0;", 8*s*f.Threads, s)
		return
	}
	p("\tld.global.b%d %%s%d, [%%src+%d];", k.bits(), s, 8*s*f.Threads)
}

func register(bits int) string {
	if bits == 1 {
		return "pred"
	}
	return fmt.Sprintf("b%d", bits)
}

// Head begins a module of kernels, of old ones or of the others. Its variable gl has 64
// bytes for each thread of a form that works on global memory; its function thrice is
// called by some.
func Head(old bool) string {
	target := fmt.Sprintf(".version %d.%d\n.target sm_%da", Version/10, Version%10, Target)
	if old {
		target = ".version 6.0\n.target sm_60"
	}
	return target + fmt.Sprintf("\n.address_size 64\n.global .align 128 .b8 gl[%d];\n", 64*4096) +
		".func (.param .b32 y) thrice(.param .b32 x)\n{\n\t.reg .b32 %r<3>;\n\tld.param.b32 %r1, [x];\n\tmul.lo.u32 %r2, %r1, 3;\n\tst.param.b32 [y], %r2;\n\tret;\n}\n"
}
