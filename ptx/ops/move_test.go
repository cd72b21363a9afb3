package ops

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

func TestMovKeepsBits(t *testing.T) {
	for _, name := range words("b16 u16 s16") {
		check(t, "mov."+name, 0, try(0x7c01, 0x7c01))
	}
	for _, name := range words("b32 u32 s32 f32") {
		check(t, "mov."+name, 0, try(0x7f800001, 0x7f800001))
	}
	for _, name := range words("b64 u64 s64 f64") {
		check(t, "mov."+name, 0, try(0x7ff0000000000001, 0x7ff0000000000001))
	}
}

func TestMovOf128BitsMovesFourRows(t *testing.T) {
	b := newTrial(t, "mov.b128", 2, 128)
	b.in.D, b.in.A = b.register(), b.register()
	for i := range isa.Reg(4) {
		b.fill(b.in.A+i, 32, func(l int) uint64 { return uint64(i)<<8 | uint64(l) })
	}
	b.w.Mask = 0xf0
	b.exec(&b.w, &b.in)
	for i := range isa.Reg(4) {
		if got, want := b.w.Regs[b.in.D+i][5], uint32(i)<<8|5; got != want {
			t.Errorf("row %d is %#x, want %#x", i, got, want)
		}
		if b.w.Regs[b.in.D+i][0] != 0 {
			t.Errorf("row %d changed in a lane outside the mask", i)
		}
	}
}

// Packing puts the first element lowest; unpacking undoes it.
func TestMovPacksAndUnpacks(t *testing.T) {
	for _, c := range []struct {
		typ      string
		elements []uint64
		words    [4]uint32
	}{
		{"b16", try(0x34, 0x12), [4]uint32{0x1234}},
		{"b32", try(0x78, 0x56, 0x34, 0x12), [4]uint32{0x12345678}},
		{"b32", try(0x5678, 0x1234), [4]uint32{0x12345678}},
		{"b64", try(0xdef0, 0x9abc, 0x5678, 0x1234), [4]uint32{0x9abcdef0, 0x12345678}},
		{"b64", try(0x9abcdef0, 0x12345678), [4]uint32{0x9abcdef0, 0x12345678}},
		{"b128", try(1, 2, 3, 4), [4]uint32{1, 2, 3, 4}},
		{"b128", try(0x200000001, 0x400000003), [4]uint32{1, 2, 3, 4}},
	} {
		pack(t, c.typ, c.elements, c.words)
		unpack(t, c.typ, c.elements, c.words)
	}
}

// movShaped is a mov with a brace list.
func movShaped(t *testing.T, typ string, shapes ...Shape) (*isa.Form, isa.Handler) {
	t.Helper()
	form, _, err := Lookup("mov", []string{typ}, shapes...)
	if err != nil {
		t.Fatal(err)
	}
	return form, form.Op.Bind(form)
}

func pack(t *testing.T, typ string, elements []uint64, words [4]uint32) {
	form, exec := movShaped(t, typ, Plain, List)
	w := &isa.Warp{Mask: isa.Full &^ 1, Regs: make([]isa.Lanes, 4+4*len(elements))}
	in := &isa.Inst{}
	for i, e := range elements {
		r := isa.Reg(4 + 4*i)
		in.Vec = append(in.Vec, r)
		for l := range isa.WarpSize {
			w.Regs[r][l], w.Regs[r+1][l] = uint32(e), uint32(e>>32)
		}
	}
	exec(w, in)
	for i := range form.Type(0).Rows() {
		if got := w.Regs[i][31]; got != words[i] {
			t.Errorf("mov.%s d, %x: word %d is %#x, want %#x", typ, elements, i, got, words[i])
		}
		if w.Regs[i][0] != 0 {
			t.Errorf("mov.%s d, %x wrote lane 0", typ, elements)
		}
	}
}

func unpack(t *testing.T, typ string, elements []uint64, words [4]uint32) {
	_, exec := movShaped(t, typ, List, Plain)
	w := &isa.Warp{Mask: isa.Full &^ 1, Regs: make([]isa.Lanes, 4+4*len(elements))}
	in := &isa.Inst{}
	for i := range words {
		for l := range isa.WarpSize {
			w.Regs[i][l] = words[i]
		}
	}
	for i := range elements {
		in.Vec = append(in.Vec, isa.Reg(4+4*i))
	}
	exec(w, in)
	for i, e := range elements {
		r := isa.Reg(4 + 4*i)
		if got := w.Get64(r, 31); got != e {
			t.Errorf("mov.%s {..}, %x: element %d is %#x, want %#x", typ, words, i, got, e)
		}
		if w.Regs[r][0] != 0 {
			t.Errorf("mov.%s {..} wrote lane 0 of element %d", typ, i)
		}
	}
}

func TestPrmtModes(t *testing.T) {
	const a, b = 0x33221100, 0x77665544
	check(t, "prmt.b32", 0, try(a, b, 0x3210, a), try(a, b, 0x7654, b), try(a, b, 0x0525, 0x00552255),
		try(0x80, 0, 0x8008, 0xff8080ff), try(a, b, 0xf, 0))
	for _, c := range []struct {
		mode string
		want [4]uint64
	}{
		{"f4e", [4]uint64{0x33221100, 0x44332211, 0x55443322, 0x66554433}},
		{"b4e", [4]uint64{0x55667700, 0x66770011, 0x77001122, 0x00112233}},
		{"rc8", [4]uint64{0, 0x11111111, 0x22222222, 0x33333333}},
		{"ecl", [4]uint64{0x33221100, 0x33221111, 0x33222222, 0x33333333}},
		{"ecr", [4]uint64{0, 0x11111100, 0x22221100, 0x33221100}},
		{"rc16", [4]uint64{0x11001100, 0x33223322, 0x11001100, 0x33223322}},
	} {
		for i, want := range c.want {
			check(t, "prmt.b32."+c.mode, 0, try(a, b, uint64(i)|0xfff0, want))
		}
	}
}

// special runs a special register's operation and returns lane l.
func special(t *testing.T, w *isa.Warp, name string, dbits, l int) uint64 {
	t.Helper()
	op, ok := Special(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	w.Regs = []isa.Lanes{{}, {}}
	for i := range w.Regs {
		for l := range w.Regs[i] {
			w.Regs[i][l] = 0xdeadbeef
		}
	}
	op.Bind(&isa.Form{Op: op, DBits: dbits})(w, &isa.Inst{})
	for l := range isa.WarpSize {
		if !w.Mask.Has(l) && w.Regs[0][l] != 0xdeadbeef {
			t.Errorf("%s wrote lane %d, which is not in the mask", name, l)
		}
	}
	if dbits == 64 {
		return w.Get64(0, l)
	}
	return uint64(w.Regs[0][l])
}

func TestSpecialRegisters(t *testing.T) {
	w := &isa.Warp{Mask: 0xaaaaaaaa, Index: 3, CTA: &isa.CTA{
		Ctaid: [3]uint32{5, 6, 7}, Nctaid: [3]uint32{8, 9, 10}, Ntid: [3]uint32{128, 2, 1},
		GridID: 1<<33 | 4, Workspace: 0x1234_5678_9abc, SM: 17, NumSM: 132,
		Shared: make([]byte, isa.SharedReserved+300), DynamicShared: 100,
		Clock: func(bool) uint64 { return 0xabc_00000007 }, Rank: 1,
		Cluster: &isa.Cluster{Dim: [3]uint32{2, 1, 1}, ID: [3]uint32{2, 6, 7}, Count: [3]uint32{4, 9, 10}, CTAs: make([]*isa.CTA, 2)},
	}}
	for l := range isa.WarpSize {
		w.Tid[0][l], w.Tid[1][l] = uint32(l)+96, 1
	}
	for name, want := range map[string]uint64{
		"%tid.x": 107, "%tid.y": 1, "%tid.z": 0, "%tid.w": 0,
		"%ntid.x": 128, "%ntid.y": 2, "%ntid.z": 1, "%ntid.w": 0,
		"%ctaid.x": 5, "%ctaid.z": 7, "%ctaid.w": 0, "%nctaid.y": 9,
		"%laneid": 11, "%warpid": 3, "%nwarpid": 64, "%smid": 17, "%nsmid": 132,
		"%lanemask_eq": 1 << 11, "%lanemask_le": 1<<12 - 1, "%lanemask_lt": 1<<11 - 1,
		"%lanemask_ge": 0xfffff800, "%lanemask_gt": 0xfffff000,
		"%clock": 7, "%clock_hi": 0xabc, "%globaltimer_lo": 7, "%globaltimer_hi": 0xabc,
		"%envreg0": 0, "%envreg1": 0x1234, "%envreg2": 0x56789abc, "%envreg31": 0,
		"%clusterid.x": 2, "%nclusterid.x": 4, "%cluster_ctaid.x": 1, "%cluster_ctaid.z": 0, "%cluster_nctaid.x": 2, "%cluster_nctaid.y": 1,
		"%cluster_ctarank": 1, "%cluster_nctarank": 2,
		"%total_smem_size": 384, "%dynamic_smem_size": 100, "%aggr_smem_size": 300 + 1024,
		"%reserved_smem_offset_begin": 0, "%reserved_smem_offset_end": 288, "%pm7": 0,
	} {
		if got := special(t, w, name, 32, 11); got != want {
			t.Errorf("%s is %#x, want %#x", name, got, want)
		}
	}
	for name, want := range map[string]uint64{
		"%clock64": 0xabc_00000007, "%globaltimer": 0xabc_00000007, "%gridid": 1<<33 | 4,
		"%tid.x": 107, "%laneid": 11, "%ctaid.x": 5, "%pm0_64": 0, "%current_graph_exec": 0,
	} {
		if got := special(t, w, name, 64, 11); got != want {
			t.Errorf("%s in 64 bits is %#x, want %#x", name, got, want)
		}
	}
	w.CTA.Timer = func() uint64 { return 3<<32 | 5 }
	if lo, hi := special(t, w, "%globaltimer_lo", 32, 11), special(t, w, "%globaltimer_hi", 32, 11); lo != 5 || hi != 3 {
		t.Errorf("the timer of simulated time reads %d and %d", hi, lo)
	}
	if _, ok := Special("%tid.q"); ok {
		t.Error("there is a component q of tid")
	}
	w.Preds = []isa.Mask{isa.Full, 0, isa.Full}
	op, _ := Special("%is_explicit_cluster")
	op.Bind(&isa.Form{})(w, &isa.Inst{P: isa.PFree})
	if w.Preds[isa.PFree] != isa.Full&^w.Mask {
		t.Errorf("%%is_explicit_cluster gives %08x", w.Preds[isa.PFree])
	}
}
