package ops

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// fastSpellings lists what has a micro-operation, sorted.
func fastSpellings() []string {
	var all []string
	for s := range fasts() {
		if approximate(s) {
			continue // see TestApproximationsGiveTheReferencesBits
		}
		if strings.HasPrefix(s, "shfl") || strings.HasPrefix(s, "vote") || strings.HasPrefix(s, "bar") {
			continue // see TestLanesMeetInMicroOperations
		}
		if strings.HasPrefix(s, "setp") {
			i := strings.LastIndexByte(s, '.')
			for _, op := range words("and or xor") {
				all = append(all, s[:i]+"."+op+s[i:])
			}
		}
		for _, name := range words("fma mad div rcp sqrt") {
			if strings.HasPrefix(s, name+".f") || strings.HasPrefix(s, name+".b") || strings.HasPrefix(s, name+".sat") || strings.HasPrefix(s, name+".ftz") {
				s = strings.Replace(s, name, name+".rn", 1)
			}
		}
		for _, types := range words(".f32.s .f32.u .f64.s .f64.u .f32.f64 .f16.s .f16.u .f16.f32 .bf16.f32 .f16x2.f32 .bf16x2.f32") {
			s = strings.Replace(s, "cvt"+types, "cvt.rn"+types, 1)
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func approximate(spelling string) bool {
	return strings.Contains(spelling, ".approx") || strings.Contains(spelling, ".full")
}

// words of any meaning that are hard on some operation.
var hard = []uint64{
	0, 1, 2, 31, 32, 33, 63, 64, 65, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
	0x3f800000, 0xbf800000, 0x3f000000, 0x3effffff, 0x3f000001, 0x40200000, 0xc0200000, 0x00800000, 0x807fffff, 0x007fffff, 0x00000001, 0x80800000, 0x80000003,
	0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0xffc12345, 0xff812345, 0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000,
	1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x0010000000000000, 0x000fffffffffffff, 0x8000000000000001,
	0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000, 0xfff8000000012345, 0xfff0000000012345,
	0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x36a0000000000000, 0x380fffffe0000000, 0x47efffffefffffff, 0x47effffff0000000,
}

// draw makes the contents of a register of some width.
func draw(r *rand.Rand, bits int) uint64 {
	v := r.Uint64()
	switch r.IntN(4) {
	case 0:
		v = []uint64{0x7ff0000000012345, 0xfff8000000000001, 0x7fc12345ffc00001, 0x0080000000800000, 0x3f7fffffbf7ffffe, 0x3f7fffffbf7fffff}[r.IntN(6)] >> (32 * r.IntN(2))
	case 1:
		v = hard[r.IntN(len(hard))]
	case 2:
		v = uint64(r.Uint32()&0x0fffffff + 0x38000000) // a float of ordinary size
		if bits == 64 {
			v = r.Uint64()&0x00ffffffffffffff | 0x3f<<56
		}
	}
	if bits < 64 {
		v &= 1<<bits - 1
	}
	return v
}

// lone runs the micro-operations of one instruction on a warp.
func lone(t *testing.T, v simd.Level, w *isa.Warp, in *isa.Inst) {
	t.Helper()
	fn := &isa.Function{Code: []isa.Inst{*in, {Flow: isa.Exit}}, Consts: w.Consts}
	p := simd.New(fn)
	var s simd.State
	s.Use(v)
	s.EnterCTA(w.CTA)
	s.EnterFrame(w)
	x := simd.Path{Mask: w.Mask, Stop: -1, Left: 10}
	s.Run(p, &x)
	if x.PC != 1 || x.Left != 9 || x.Threads != w.Mask.Count() {
		t.Fatalf("the run ended at %d with %d left and %d threads", x.PC, x.Left, x.Threads)
	}
}

// eachLevel runs a test for each level of machine code.
func eachLevel(t *testing.T, test func(t *testing.T, v simd.Level)) {
	for _, v := range []simd.Level{simd.AVX2, simd.AVX512} {
		t.Run(v.String(), func(t *testing.T) {
			if !v.Supported() {
				t.Skip("this processor does not have it")
			}
			test(t, v)
		})
	}
}

func TestMicroOperationsGiveTheReferencesBits(t *testing.T) {
	eachLevel(t, microOperationsGiveTheReferencesBits)
}

func microOperationsGiveTheReferencesBits(t *testing.T, v simd.Level) {
	for _, text := range fastSpellings() {
		t.Run(text, func(t *testing.T) {
			name, mods, _ := strings.Cut(text, ".")
			_, args, err := Lookup(name, strings.Split(mods, "."))
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, uint64(len(text))))
			for round := range 120 {
				x := newTrial(t, text, len(args), 0)
				code, variant := Fast(x.form)
				if code == 0 {
					t.Fatal("it has no micro-operation")
				}
				for _, arg := range x.args {
					bits := arg.Type(x.form).Bits()
					x.place(arg, func(int) uint64 { return draw(r, max(bits, 1)) })
				}
				x.in.Fast, x.w.CTA = code, &isa.CTA{}
				if variant != 0 {
					x.in.Imm = variant
				}
				x.in.SNot = round&1 != 0 && name != "mov"
				x.in.QNot = round&2 != 0
				if round%4 == 3 {
					x.in.D = x.in.A // in place
				}
				x.w.Mask = isa.Full
				if round%3 != 0 {
					x.w.Mask = isa.Mask(r.Uint32()) | 1<<r.IntN(32)
				}
				compareEngines(t, v, x, round)
			}
		})
	}
}

// Approximations may leave; those that do not are tried all along the range.
func TestApproximationsGiveTheReferencesBits(t *testing.T) {
	eachLevel(t, approximationsGiveTheReferencesBits)
}

func approximationsGiveTheReferencesBits(t *testing.T, v simd.Level) {
	r := rand.New(rand.NewPCG(9, 9))
	for text := range fasts() {
		if !approximate(text) {
			continue
		}
		taken := 0
		for round := range 3000 {
			operands := 2
			if strings.HasPrefix(text, "div") {
				operands = 3
			}
			x := newTrial(t, text, operands, 0)
			for _, arg := range x.args {
				x.place(arg, func(int) uint64 {
					switch {
					case operands == 3 && arg.Role == "a": // what is divided may be anything
						return draw(r, 32)
					case round%3 == 0:
						return uint64(r.Uint32()&0x80ffffff | uint32(1+r.IntN(132))<<23) // up to 64
					case round%3 == 1:
						return uint64(r.Uint32()&0x81ffffff | 0x3f000000)
					}
					return uint64(r.Uint32()&0x80000000|0x3f800000+r.Uint32()%0x06000000) &^ (uint64(round%2) << 31) &^ (0x7fffff * uint64(r.IntN(2)))
				})
			}
			if strings.HasPrefix(text, "lg2") || strings.Contains(text, "sqrt") {
				for l := range isa.WarpSize {
					x.w.Regs[x.in.A][l] &= 0x7fffffff // roots and logarithms
				}
			}
			x.in.Fast, _ = Fast(x.form)
			x.w.Mask, x.w.CTA = isa.Full, &isa.CTA{}
			if round%2 == 0 {
				x.w.Mask = isa.Mask(r.Uint32()) | 1
			}
			if !leaves(v, x) {
				taken++
				compareEngines(t, v, x, round)
			}
		}
		if taken < 500 {
			t.Errorf("%s: %d of 3000 rounds did not leave", text, taken)
		}
	}
}

// leaves reports whether a trial's micro-operation leaves it to the handler.
func leaves(v simd.Level, x *trial) bool {
	saved := slices.Clone(x.w.Regs)
	p := simd.New(&isa.Function{Code: []isa.Inst{x.in, {Flow: isa.Exit}}})
	var s simd.State
	s.Use(v)
	s.EnterFrame(&x.w)
	path := simd.Path{Mask: x.w.Mask, Stop: -1, Left: 10}
	s.Run(p, &path)
	copy(x.w.Regs, saved)
	return path.PC == 0
}

func TestLanesMeetInMicroOperations(t *testing.T) { eachLevel(t, lanesMeetInMicroOperations) }

func lanesMeetInMicroOperations(t *testing.T, v simd.Level) {
	r := rand.New(rand.NewPCG(3, 3))
	for text := range fasts() {
		if !strings.HasPrefix(text, "shfl") && !strings.HasPrefix(text, "vote") {
			continue
		}
		for round := range 60 {
			name, mods, _ := strings.Cut(text, ".")
			_, args, err := Lookup(name, strings.Split(mods, "."))
			if err != nil {
				t.Fatal(err)
			}
			x := newTrial(t, text, len(args), 0)
			for _, arg := range x.args {
				switch arg.Role {
				case "m":
				case "s":
					x.place(arg, func(int) uint64 { return map[int]uint64{0: 0, 1: 1}[min(round%3, r.IntN(2)+round%3/2)] })
				case "c":
					bound := uint64([]int{0x1f, 0, 0x181f, 0x1800, 0x100f, 0x1f1f}[r.IntN(6)])
					x.place(arg, func(int) uint64 { return bound + uint64(round%2*r.IntN(9999)) })
				default:
					x.place(arg, func(int) uint64 { return uint64(r.IntN(40)) })
				}
			}
			x.in.M, x.w.Consts = -1, make([]isa.Lanes, 1)
			for l := range isa.WarpSize {
				x.w.Consts[0][l] = 0xffffffff
			}
			x.in.Fast, _ = Fast(x.form)
			x.in.Flow, x.in.SNot = x.form.Op.Flow, round&4 != 0
			x.w.Mask, x.w.CTA = isa.Full, &isa.CTA{}
			compareEngines(t, v, x, round)
		}
	}
}

func TestSpecialRegistersHaveMicroOperations(t *testing.T) {
	eachLevel(t, specialRegistersHaveMicroOperations)
}

func specialRegistersHaveMicroOperations(t *testing.T, v simd.Level) {
	for _, name := range words("%tid.x %tid.y %tid.z %ctaid.x %ctaid.y %ctaid.z %nctaid.x %nctaid.y %nctaid.z %ntid.x %ntid.y %ntid.z %laneid") {
		op, _ := Special(name)
		x := &trial{form: &isa.Form{Op: op, DBits: 32}}
		x.exec = op.Bind(x.form)
		x.in.D, x.in.Guard = 1, isa.PT
		if x.in.Fast, x.in.Imm = Fast(x.form); x.in.Fast == 0 {
			t.Errorf("%s has no micro-operation", name)
			continue
		}
		for _, m := range masks {
			x.w = isa.Warp{Mask: m, Regs: make([]isa.Lanes, 3), Preds: []isa.Mask{isa.Full, 0}}
			x.w.CTA = &isa.CTA{Ctaid: [3]uint32{1, 2, 3}, Nctaid: [3]uint32{4, 5, 6}, Ntid: [3]uint32{7, 8, 9}}
			for i := range x.w.Tid {
				for l := range isa.WarpSize {
					x.w.Tid[i][l] = uint32(100*i + l)
				}
			}
			compareEngines(t, v, x, 0)
		}
	}
}

// compareEngines executes a trial by its handler and by its micro-operation.
func compareEngines(t *testing.T, v simd.Level, x *trial, round int) {
	t.Helper()
	before, preds := slices.Clone(x.w.Regs), slices.Clone(x.w.Preds)
	x.exec(&x.w, &x.in)
	want, wantPreds := x.w.Regs, x.w.Preds
	x.w.Regs, x.w.Preds = slices.Clone(before), preds
	lone(t, v, &x.w, &x.in)
	for i := range want {
		for l := range isa.WarpSize {
			if x.w.Regs[i][l] != want[i][l] {
				t.Fatalf("round %d, mask %08x, row %d, lane %d: %#x, the reference has %#x; rows before: %s", round, uint32(x.w.Mask), i, l, x.w.Regs[i][l], want[i][l], column(before, l))
			}
		}
	}
	for i := range wantPreds {
		if x.w.Preds[i] != wantPreds[i] && isa.PredReg(i) != isa.PSink {
			t.Fatalf("round %d, mask %08x, predicate %d: %08x, the reference has %08x", round, uint32(x.w.Mask), i, x.w.Preds[i], wantPreds[i])
		}
	}
}

func column(rows []isa.Lanes, l int) string {
	var b strings.Builder
	for i := range rows {
		b.WriteString(" ")
		b.WriteString(hex(rows[i][l]))
	}
	return b.String()
}

func hex(v uint32) string {
	const digits = "0123456789abcdef"
	var b [8]byte
	for i := range b {
		b[i] = digits[v>>(28-4*i)&15]
	}
	return string(b[:])
}
