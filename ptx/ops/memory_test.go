package ops

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

const (
	rBase isa.Reg = 0 // address, two rows
	rVal  isa.Reg = 4 // value, up to four rows
	rVec  isa.Reg = 8 // further vector elements
)

func pattern(b []byte) {
	for i := range b {
		b[i] = byte(i*7 + i>>8*13 + 0x35)
	}
}

// extension is what a register of some bits holds after a load of b, as rows.
func extension(b []byte, signed bool, bits int) (rows [4]uint32) {
	fill := byte(0)
	if signed && b[len(b)-1]&0x80 != 0 {
		fill = 0xff
	}
	for i := range bits / 8 {
		v := fill
		if i < len(b) {
			v = b[i]
		}
		rows[i/4] |= uint32(v) << (8 * (i % 4))
	}
	return rows
}

func TestLoadsExtendToTheirRegister(t *testing.T) {
	for _, name := range words(memoryTypes) {
		typ := isa.ParseType(name)
		for _, bits := range []int{16, 32, 64, 128} {
			if bits < typ.Bits() {
				continue
			}
			for _, m := range masks {
				b := newBench(t)
				pattern(b.a)
				b.Mask = m
				size := uint64(typ.Bytes())
				address := func(l int) uint64 { return uint64(l*37%64) * size }
				b.set64(rBase, func(l int) uint64 { return heapA + address(l) })
				b.run("ld.global."+name, bits, isa.Inst{D: rVal, A: rBase, Imm: 64, Space: isa.Global})
				for row := range max(bits/32, 1) {
					b.want(fmt.Sprintf("ld.%s to %d bits", name, bits), rVal+isa.Reg(row), func(l int) uint32 {
						return extension(b.a[address(l)+64:][:size], typ.IsSigned(), bits)[row]
					})
				}
			}
		}
	}
}

func TestStoresChopAndLeaveNeighboursAlone(t *testing.T) {
	for _, name := range words(memoryTypes) {
		size := isa.ParseType(name).Bytes()
		for _, m := range masks {
			b := newBench(t)
			pattern(b.a)
			before := slices.Clone(b.a)
			b.Mask = m
			b.set64(rBase, func(l int) uint64 { return uint64(heapA + 2*size*l) })
			b.run("st.global."+name, 0, isa.Inst{A: rBase, B: rVal, Space: isa.Global})
			for l := range m.All {
				for i := range size {
					before[2*size*l+i] = byte(b.Regs[rVal+isa.Reg(i/4)][l] >> (8 * (i % 4)))
				}
			}
			if !slices.Equal(before, b.a) {
				t.Errorf("st.global.%s wrote other bytes with mask %08x", name, uint32(m))
			}
		}
	}
}

func TestVectorsHoldTheirElementsInOrder(t *testing.T) {
	for _, c := range []struct {
		mods string
		n    int
		rows isa.Reg // of an element's register
		size int
	}{{"v2.b8", 2, 1, 1}, {"v4.u8", 4, 1, 1}, {"v2.u16", 2, 1, 2}, {"v4.f32", 4, 1, 4}, {"v2.u32", 2, 1, 4}, {"v8.b32", 8, 1, 4}, {"v2.f64", 2, 2, 8}, {"v4.b64", 4, 2, 8}} {
		for _, m := range masks {
			b := newBench(t)
			pattern(b.a)
			b.Mask = m
			var regs []isa.Reg
			for i := range c.n {
				regs = append(regs, rVec+isa.Reg(i)*c.rows)
			}
			total := c.n * c.size
			b.set64(rBase, func(l int) uint64 { return uint64(heapA + total*(31-l)) })
			b.run("ld.global."+c.mods, 32*int(c.rows), isa.Inst{Vec: regs, A: rBase, Space: isa.Global})
			for i, r := range regs {
				for k := range c.rows {
					b.want("ld."+c.mods, r+k, func(l int) uint32 {
						at := total*(31-l) + i*c.size
						return extension(b.a[at:at+c.size], false, 64)[k]
					})
				}
			}
			b.set64(rBase, func(l int) uint64 { return uint64(heapB + total*(31-l)) })
			b.run("st.global."+c.mods, 0, isa.Inst{Vec: regs, A: rBase, Space: isa.Global})
			for l := range m.All {
				at := total * (31 - l)
				if !slices.Equal(b.a[at:at+total], b.b[at:at+total]) {
					t.Errorf("st.%s lane %d wrote % x, want % x", c.mods, l, b.b[at:at+total], b.a[at:at+total])
				}
			}
		}
	}
}

func TestALoadMayOverwriteItsOwnAddress(t *testing.T) {
	b := newBench(t)
	pattern(b.a)
	b.set64(rBase, func(l int) uint64 { return uint64(heapA + 8*l) })
	b.run("ld.global.u64", 64, isa.Inst{D: rBase, A: rBase, Space: isa.Global})
	b.want("ld", rBase, func(l int) uint32 { return extension(b.a[8*l:8*l+8], false, 64)[0] })
}

func TestGenericAccessesFollowTheirWindows(t *testing.T) {
	for _, m := range masks {
		b := newBench(t)
		b.Mask = m
		// Lane l mod 4 reaches one of two allocations, shared or local memory.
		b.set64(rBase, func(l int) uint64 {
			return [4]uint64{heapA, heapB, isa.SharedWindow, isa.LocalWindow}[l%4] + uint64(8*l)
		})
		b.set(rVal, func(l int) uint32 { return uint32(1000 + l) })
		b.run("st.u32", 0, isa.Inst{A: rBase, B: rVal})
		b.trapped("st", isa.NoTrap, 0)
		for l := range isa.WarpSize {
			local, _ := b.Local.At(l, uint32(8*l), 4)
			at := [4][]byte{b.a[8*l:], b.b[8*l:], b.CTA.Shared[8*l:], local}[l%4]
			want := uint32(0)
			if m.Has(l) {
				want = uint32(1000 + l)
			}
			if got := extension(at[:4], false, 32)[0]; got != want {
				t.Errorf("mask %08x lane %d stored %d, want %d", uint32(m), l, got, want)
			}
		}
		b.run("ld.u32", 32, isa.Inst{D: rVec, A: rBase})
		b.want("ld", rVec, func(l int) uint32 { return uint32(1000 + l) })
	}
}

func TestNarrowSpacesIgnoreTheUpperWord(t *testing.T) {
	for _, space := range []isa.Space{isa.Shared, isa.Local, isa.Frame} {
		b := newBench(t)
		b.Base = 32
		b.set64(rBase, func(l int) uint64 { return 0xabcd_0000_0000_0000 | uint64(4*l%64) })
		b.set(rVal, func(l int) uint32 { return uint32(l * l) })
		mods := "shared"
		if space != isa.Shared {
			mods = "local"
			b.set(rBase, func(l int) uint32 { return 12 })
		} else {
			b.set(rBase, func(l int) uint32 { return uint32(4 * l) })
		}
		b.run("st."+mods+".u32", 0, isa.Inst{A: rBase, B: rVal, Imm: 4, Space: space})
		b.run("ld."+mods+".u32", 32, isa.Inst{D: rVec, A: rBase, Imm: 4, Space: space})
		b.trapped(mods, isa.NoTrap, 0)
		b.want(mods, rVec, func(l int) uint32 { return uint32(l * l) })
		if space == isa.Frame {
			if got, _ := b.Local.At(5, 32+16, 1); got[0] != 25 {
				t.Errorf("a frame access ignored the frame's base")
			}
		}
	}
}

func TestKernelParametersAreTheSameForAllLanes(t *testing.T) {
	for _, m := range masks {
		b := newBench(t)
		pattern(b.CTA.Params)
		b.Mask = m
		b.Consts = make([]isa.Lanes, 2)
		for l := range isa.WarpSize {
			b.Consts[0][l] = 8
		}
		b.run("ld.param.s16", 64, isa.Inst{D: rVal, A: ^isa.Reg(0), Space: isa.Param, Imm: 2})
		want := extension(b.CTA.Params[10:12], true, 64)
		b.want("ld.param", rVal, func(int) uint32 { return want[0] })
		b.want("ld.param", rVal+1, func(int) uint32 { return want[1] })
		b.run("ld.param.v2.u64", 64, isa.Inst{Vec: []isa.Reg{rVec, rVec + 2}, A: ^isa.Reg(0), Space: isa.Param, Imm: 8})
		b.want("ld.param.v2", rVec+3, func(int) uint32 { return extension(b.CTA.Params[24:32], false, 64)[1] })
		b.set64(rBase, func(int) uint64 { return isa.ParamWindow + 4 })
		b.run("ld.u32", 32, isa.Inst{D: rVal + 2, A: rBase})
		b.want("ld of a parameter's generic address", rVal+2, func(int) uint32 { return extension(b.CTA.Params[4:8], false, 32)[0] })
		b.run("st.u32", 0, isa.Inst{A: rBase, B: rVal})
		b.trapped("a store to a parameter", isa.IllegalAddress, m.First())
	}
}

func TestWrongAddressesTrapInTheFirstWrongLane(t *testing.T) {
	for _, c := range []struct {
		what, text string
		space      isa.Space
		bad        uint64
		kind       isa.TrapKind
	}{
		{"past an allocation", "ld.global.u32", isa.Global, heapA + 4096, isa.IllegalAddress},
		{"across its end", "ld.global.v4.u32", isa.Global, heapA + 4096 - 8, isa.Misaligned},
		{"before it", "ld.global.u32", isa.Global, heapA - 4, isa.IllegalAddress},
		{"null", "st.u32", isa.Generic, 0, isa.IllegalAddress},
		{"wild", "ld.u64", isa.Generic, 0xffff_ffff_ffff_fff8, isa.IllegalAddress},
		{"odd", "ld.global.u16", isa.Global, heapA + 1, isa.Misaligned},
		{"half a vector", "st.global.v2.f32", isa.Global, heapA + 4, isa.Misaligned},
		{"a shared address as global", "ld.global.u32", isa.Global, isa.SharedWindow, isa.IllegalAddress},
		{"past shared memory", "ld.shared.u32", isa.Shared, 8192, isa.IllegalAddress},
		{"last shared word, too wide", "ld.shared.u64", isa.Shared, 8188, isa.Misaligned},
		{"past generic shared memory", "st.u8", isa.Generic, isa.SharedWindow + 8192, isa.IllegalAddress},
		{"past local memory", "st.local.u32", isa.Local, 256, isa.IllegalAddress},
		{"misaligned local memory", "ld.local.u32", isa.Local, 6, isa.Misaligned},
		{"generic local memory", "ld.u32", isa.Generic, isa.LocalWindow + 1<<20, isa.IllegalAddress},
	} {
		for _, lane := range []int{0, 7, 31} {
			b := newBench(t)
			good := uint64(0)
			if c.space == isa.Global || c.space == isa.Generic {
				good = heapA
			}
			b.Mask = isa.Full << lane
			b.set64(rBase, func(l int) uint64 {
				if l == lane {
					return c.bad
				}
				return good + 64
			})
			b.run(c.text, 32, isa.Inst{D: rVal, B: rVal, A: rBase, Vec: vecFor(c.text), Space: c.space})
			b.trapped(c.what, c.kind, lane)
		}
	}
}

func vecFor(text string) []isa.Reg {
	for _, w := range splitDots(text) {
		switch w {
		case "v2":
			return []isa.Reg{rVec, rVec + 1}
		case "v4":
			return []isa.Reg{rVec, rVec + 1, rVec + 2, rVec + 3}
		}
	}
	return nil
}

func TestAnEffectListsTheAccesses(t *testing.T) {
	b := newBench(t)
	b.Effect = &isa.Effect{}
	b.Mask = 0x80000001
	b.set64(rBase, func(l int) uint64 { return isa.SharedWindow + uint64(l)*4 })
	b.run("st.u32", 0, isa.Inst{A: rBase, B: rVal})
	want := []isa.Access{
		{Lane: 0, Space: isa.Shared, Write: true, Bytes: 4, Addr: 0},
		{Lane: 31, Space: isa.Shared, Write: true, Bytes: 4, Addr: 124},
	}
	if !slices.Equal(b.Effect.Accesses, want) {
		t.Errorf("accesses %v, want %v", b.Effect.Accesses, want)
	}
}

// TestSharedVariableByThreeRoads is case C30 of the failing cases.
func TestSharedVariableByThreeRoads(t *testing.T) {
	b := newBench(t)
	b.Mask = 1
	b.Consts = make([]isa.Lanes, 1)
	b.Consts[0][0] = 1024 // the variable
	b.Regs[rVal][0] = 7
	b.run("cvta.shared.u64", 64, isa.Inst{D: rBase, A: ^isa.Reg(0)})
	b.run("st.u32", 0, isa.Inst{A: rBase, B: rVal})
	b.run("ld.shared.u32", 32, isa.Inst{D: rVec, A: ^isa.Reg(0), Space: isa.Shared})
	b.want("ld.shared", rVec, func(int) uint32 { return 7 })
	b.run("cvta.to.shared.u64", 64, isa.Inst{D: 20, A: rBase})
	b.want("cvta.to", 20, func(int) uint32 { return 1024 })
	b.want("cvta.to", 21, func(int) uint32 { return 0 })
	b.run("isspacep.shared", 0, isa.Inst{P: 2, A: rBase})
	b.run("isspacep.global", 0, isa.Inst{P: 3, A: rBase})
	if b.Preds[2] != 1 || b.Preds[3] != 0 {
		t.Errorf("isspacep says shared %d, global %d", b.Preds[2], b.Preds[3])
	}
}

func TestFrameAddressIsALocalAddress(t *testing.T) {
	b := newBench(t)
	b.Base = 48
	in := isa.Inst{D: rBase, Imm: 16}
	FrameAddress.Bind(&isa.Form{DBits: 64})(b.Warp, &in)
	b.run("cvta.local.u64", 64, isa.Inst{D: rBase, A: rBase})
	b.set(rVal, func(l int) uint32 { return uint32(l) })
	b.run("st.u32", 0, isa.Inst{A: rBase, B: rVal})
	if got, _ := b.Local.At(9, 64, 4); got[0] != 9 {
		t.Errorf("the variable of lane 9 holds %v", got)
	}
}

func TestTrapAndBreakpointEndTheGrid(t *testing.T) {
	for _, name := range []string{"trap", "brkpt"} {
		b := newBench(t)
		b.Mask = 0xf0
		b.run(name, 0, isa.Inst{})
		b.trapped(name, isa.TrapInstruction, 4)
	}
}

func TestSpellingsOfMemoryAndControl(t *testing.T) {
	for _, text := range []string{
		"ld.global.nc.v4.f32", "ld.global.L1::no_allocate.L2::128B.v2.u64", "ld.volatile.shared.f32", "ld.relaxed.gpu.v2.u64",
		"ld.acquire.sys.global.u32", "ld.mmio.relaxed.sys.global.u32", "ld.weak.b64", "ld.param::func.b64", "ld.shared::cluster.u32",
		"ld.global.nc.L1::evict_last.L2::cache_hint.v4.u32", "ldu.global.v2.f32", "ld.const.f64", "ld.lu.local.u32", "ld.v8.b32",
		"st.release.sys.global.u32", "st.global.cs.v4.u32", "st.wt.u8", "st.mmio.relaxed.sys.global.u32", "st.param.b128", "st.volatile.v2.b64",
		"prefetch.global.L2::evict_last", "prefetch.L1", "prefetch.param.tensormap", "prefetchu.L1", "discard.global.L2", "applypriority.global.L2::evict_normal",
		"createpolicy.fractional.L2::evict_last.b64", "createpolicy.range.L2::evict_last.L2::evict_unchanged.b64", "createpolicy.cvt.L2.b64",
		"membar.cta", "membar.gl", "membar.sys", "membar.proxy.alias", "fence.sc.cta", "fence.acq_rel.gpu", "fence.cluster", "fence.proxy.async",
		"fence.proxy.async.shared::cta", "fence.mbarrier_init.release.cluster", "fence.proxy.tensormap::generic.acquire.gpu",
		"bra", "bra.uni", "brx.idx", "call.uni", "ret", "exit", "nanosleep.u32", "pmevent.mask", "setmaxnreg.inc.sync.aligned.u32", "griddepcontrol.wait",
		"mapa.shared::cluster.u32", "getctarank.u64", "isspacep.param::entry", "cvta.to.param.u64", "cvta.global.u32",
	} {
		words := splitDots(text)
		form, _, err := Lookup(words[0], words[1:])
		if err != nil {
			t.Error(err)
			continue
		}
		if form.Op.Bind != nil && form.Op.Bind(form) == nil {
			t.Errorf("%s has no handler", text)
		}
	}
	for _, text := range []string{"ld.global.v8.u64", "st.v4.b128"} {
		words := splitDots(text)
		if form, _, err := Lookup(words[0], words[1:]); err == nil && form.Op.Bind(form) != nil {
			t.Errorf("%s is honoured", text)
		}
	}
}

func TestEvenlySpacedAddresses(t *testing.T) {
	for _, text := range []string{"u32", "u64", "v2.u32", "v4.f32", "u8"} {
		for _, stride := range []int{-64, -16, 0, 4, 8, 16, 64, 1 << 31} {
			for _, space := range []isa.Space{isa.Global, isa.Shared, isa.Generic} {
				b := newBench(t)
				mem := b.a
				mods, base := "global.", uint64(heapA)
				switch space {
				case isa.Shared:
					mods, base, mem = "shared.", 0, b.CTA.Shared
				case isa.Generic:
					mods, base, mem = "", isa.SharedWindow, b.CTA.Shared
				}
				pattern(mem)
				at := func(l int) uint64 { return uint64((2048 + stride*l) & 0xfff) }
				b.set64(rBase, func(l int) uint64 { return base + at(l) })
				regs := vecFor(text)
				size := 4 * max(len(regs), 1)
				b.run("ld."+mods+text, 32, isa.Inst{D: rVec, A: rBase, Vec: regs, Space: space})
				if b.Trap.Kind != isa.NoTrap {
					if b.Trap.Kind != isa.Misaligned || stride%size == 0 && text != "u64" {
						t.Errorf("%s stride %d: %+v", text, stride, b.Trap)
					}
					continue
				}
				if text == "u8" || text == "u64" {
					size = 1
				}
				for i := range size / 4 {
					b.want(fmt.Sprintf("ld.%s%s stride %d", mods, text, stride), rVec+isa.Reg(i), func(l int) uint32 { return extension(mem[at(l)+uint64(4*i):][:4], false, 32)[0] })
				}
			}
		}
	}
}

func TestALineThatLeavesMemoryTrapsWhereItDoes(t *testing.T) {
	for _, c := range []struct{ base, stride, lane int }{{4096 - 64, 4, 16}, {60, -4, 16}, {0, 1 << 28, 1}, {4096 - 4, 0, -1}, {4096, 0, 0}, {2, 4, 0}, {0, 6, 1}} {
		b := newBench(t)
		b.set64(rBase, func(l int) uint64 { return uint64(heapA + c.base + c.stride*l) })
		b.run("ld.global.u32", 32, isa.Inst{D: rVec, A: rBase, Space: isa.Global})
		switch {
		case c.lane < 0:
			b.trapped("a line inside", isa.NoTrap, 0)
		case (c.base+c.stride*c.lane)%4 != 0:
			b.trapped("a misaligned line", isa.Misaligned, c.lane)
		default:
			b.trapped(fmt.Sprintf("a line from %d by %d", c.base, c.stride), isa.IllegalAddress, c.lane)
		}
	}
}

func BenchmarkMemory(b *testing.B) {
	lines := map[string]func(l int) uint64{
		"uniform":   func(int) uint64 { return 64 },
		"coalesced": func(l int) uint64 { return uint64(4 * l) },
		"strided":   func(l int) uint64 { return uint64(16 * l) },
		"scattered": func(l int) uint64 { return uint64(16*l*7) % 1024 },
	}
	for _, c := range []struct {
		text  string
		space isa.Space
		bits  int
	}{
		{"ld.global.u32", isa.Global, 32}, {"ld.global.u64", isa.Global, 64}, {"ld.global.v4.f32", isa.Global, 32}, {"ld.u32", isa.Generic, 32},
		{"ld.shared.u32", isa.Shared, 32}, {"ld.local.u32", isa.Frame, 32}, {"ld.global.u8", isa.Global, 32}, {"st.global.u32", isa.Global, 0}, {"st.shared.u32", isa.Shared, 0},
		{"atom.add.u32", isa.Generic, 32},
	} {
		for _, line := range []string{"uniform", "coalesced", "strided", "scattered"} {
			if line == "coalesced" && strings.ContainsAny(c.text, "v6") && c.text != "ld.global.u64" || c.space == isa.Frame && line != "uniform" {
				continue
			}
			b.Run(c.text+"/"+line, func(b *testing.B) {
				w := newBench(&testing.T{})
				base := uint64(0)
				if c.space == isa.Global || c.space == isa.Generic {
					base = heapA
				}
				scale := uint64(1)
				if c.bits == 64 {
					scale = 2
				}
				w.set64(rBase, func(l int) uint64 { return base + scale*lines[line](l) })
				h := w.bind(c.text, c.space, c.bits)
				in := isa.Inst{D: rVal, A: rBase, B: rVal, Vec: vecFor(c.text), Space: c.space}
				b.ReportAllocs()
				for b.Loop() {
					h(w.Warp, &in)
				}
			})
		}
	}
}
