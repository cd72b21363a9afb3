package vectors

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// slot is the kernel's own memory in a space: code that puts its address in
// %u0.
var slot = map[string]string{
	"global": "mov.u64 %u0, gl;\nmad.wide.u32 %u0, %i, 64, %u0;",
	"local":  ".local .align 16 .b8 lo[32];\nmov.u64 %u0, lo;",
	"shared": "mov.u32 %r10, sh;\nmov.u32 %r11, %tid.x;\nmad.lo.u32 %r10, %r11, 64, %r10;\ncvt.u64.u32 %u0, %r10;",
	"":       "mov.u32 %r10, sh;\nmov.u32 %r11, %tid.x;\nmad.lo.u32 %r10, %r11, 64, %r10;\ncvt.u64.u32 %u0, %r10;\ncvta.shared.u64 %u0, %u0;",
}

// atomicForms are the kernels of an atomic operation in the global and shared
// spaces and through a generic address: each thread works on a place of its
// own and stores what the operation returned and what it left there.
func atomicForms(form *isa.Form, args []ops.Arg) []*Form {
	if form.Type(0).Bits() == 128 {
		return nil
	}
	n := 1
	if v := form.Any("v2", "v4", "v8"); v != "" {
		n = int(v[1] - '0')
	}
	t := form.Type(0)
	b := newBuilder(form)
	space := form.Any("global", "shared")
	var before, after strings.Builder
	if n > 1 { // only in global memory
		before.WriteString(slot["global"] + "\n")
	} else {
		before.WriteString(slot[space] + "\n")
	}
	where := space
	if where != "" {
		where = "." + where
	}
	var left []string
	for i := range n {
		fmt.Fprintf(&before, "st%s.b%d [%%u0+%d], %s;\n", where, t.Bits(), i*t.Bits()/8, b.source(kindOf(t)))
		left = append(left, b.result(t.Bits()))
	}
	for _, a := range args {
		switch a.Role {
		case "d", "D", "b", "c", "V":
			var list []string
			for range n {
				if a.Role == "d" || a.Role == "D" {
					list = append(list, b.result(t.Bits()))
				} else {
					list = append(list, b.source(kindOf(t)))
				}
			}
			if a.Role == "D" || a.Role == "V" {
				b.add("{" + strings.Join(list, ", ") + "}")
			} else {
				b.add(list[0])
			}
		case "[a]":
			b.add("[%u0]")
		}
	}
	for i, r := range left {
		fmt.Fprintf(&after, "ld%s.b%d %s, [%%u0+%d];\n", where, t.Bits(), r, i*t.Bits()/8)
	}
	b.f.Threads = 2048
	return []*Form{b.finish("", before.String()+b.instruction()+"\n"+after.String())}
}

// memoryForms are the kernels of a load or store: of a load what registers of
// the type's width and of 64 bits then hold, of a store what 64-bit registers
// leave in memory.
func memoryForms(form *isa.Form) []*Form {
	space := form.Any("global", "shared", "local")
	t := form.Type(0)
	if t.Bits() == 128 || form.Has("v8") {
		return nil
	}
	n := 1
	if v := form.Any("v2", "v4"); v != "" {
		n = int(v[1] - '0')
	}
	if n*t.Bits() > 128 {
		return nil
	}
	var all []*Form
	for _, bits := range []int{max(t.Bits(), 16), 64} {
		if bits == 64 && t.Kind() == isa.Float && t != isa.F64 {
			continue
		}
		all = append(all, memoryForm(form, n, bits, space))
	}
	return all
}

func memoryForm(form *isa.Form, n, bits int, space string) *Form {
	b := newBuilder(form)
	b.f.Threads = 1024
	where := ""
	if space != "" {
		where = "." + space
	}
	store := fmt.Sprintf("\nst%s.b64 [%%u0], %%u1;\nst%s.b64 [%%u0+8], %%u2;\n", where, where)
	var list []string
	if form.Op.Name == "ld" {
		for range n {
			list = append(list, b.result(bits))
		}
		fill := fmt.Sprintf("\nmov.b64 %%u1, %s;\nmov.b64 %%u2, %s;", b.source("i64"), b.source("i64"))
		return b.finish(fmt.Sprintf("to %d", bits), slot[space]+fill+store+b.f.Name+" "+braced(list)+", [%u0];")
	}
	for range n {
		list = append(list, b.source(Kind(fmt.Sprintf("i%d", bits))))
	}
	fill := "\nmov.u64 %u1, 0x1122334455667788;\nmov.u64 %u2, %u1;"
	take := fmt.Sprintf("\nld%s.b64 %s, [%%u0];\nld%s.b64 %s, [%%u0+8];", where, b.result(64), where, b.result(64))
	return b.finish(fmt.Sprintf("from %d", bits), slot[space]+fill+store+b.f.Name+" [%u0], "+braced(list)+";"+take)
}

func braced(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return "{" + strings.Join(list, ", ") + "}"
}
