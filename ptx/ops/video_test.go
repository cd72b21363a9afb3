package ops

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// selected or-s the encodings of selectors written as "d.b1 -a.h0 c".
func selected(t *testing.T, f *isa.Form, text string) (imm int64, err error) {
	t.Helper()
	for _, word := range words(text) {
		word, negated := strings.CutPrefix(word, "-")
		role, digits, _ := strings.Cut(word, ".")
		half := strings.HasPrefix(digits, "h")
		var nibbles uint32
		count := 0
		for _, c := range strings.TrimLeft(digits, "bh") {
			nibbles, count = nibbles<<4|uint32(c-'0'), count+1
		}
		s, err := Select(f, role+".", half, nibbles, count, negated)
		if err != nil {
			return 0, err
		}
		imm |= s
	}
	return imm, nil
}

// runVideo executes a video instruction; c < 0 leaves out the third operand.
func runVideo(t *testing.T, text, selectors string, a, b uint32, c int64) uint32 {
	t.Helper()
	shapes := make([]Shape, 4)
	if c < 0 {
		shapes = shapes[:3]
	}
	w := strings.Split(text, ".")
	f, _, err := Lookup(w[0], w[1:], shapes...)
	if err != nil {
		t.Fatal(err)
	}
	warp := isa.Warp{Mask: 0x80, Regs: make([]isa.Lanes, 4)}
	in := isa.Inst{D: 0, A: 1, B: 2, C: 3}
	if in.Imm, err = selected(t, f, selectors); err != nil {
		t.Fatalf("%s %s: %v", text, selectors, err)
	}
	warp.Regs[1][7], warp.Regs[2][7], warp.Regs[3][7] = a, b, uint32(c)
	f.Op.Bind(f)(&warp, &in)
	if warp.Regs[0][6] != 0 {
		t.Errorf("%s wrote a lane outside the mask", text)
	}
	return warp.Regs[0][7]
}

func TestVideoInstructions(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		text, selectors string
		a, b            uint32
		c               int64
		want            uint32
	}{
		{"vadd.s32.s32.s32", "", 1, 0xffffffff, none, 0},
		{"vadd.s32.s32.s32.sat", "", 0x7fffffff, 1, none, 0x7fffffff},
		{"vadd.u32.u32.u32.sat", "", 0xffffffff, 1, none, 0},
		{"vadd.u32.s32.s32.sat", "", 0xffffffff, 0, none, 0},
		{"vadd.s32.u32.s32.sat", "a.b0 b.h1", 0x1234_56f0, 0xffff_0000, none, 0xef},
		{"vadd.s32.s32.s32.sat", "d.b2 a.h0 b.h0", 100, 100, 0x11223344, 0x117f3344},
		{"vadd.u32.u32.u32", "d.h1", 0x12345, 1, 0x99998888, 0x00018888},
		{"vadd.s32.u32.u32.add", "", 1, 2, 0xffffffff, 2},
		{"vsub.s32.u32.u32.max", "", 1, 2, 0xfffffff0, 0xffffffff},
		{"vsub.u32.u32.u32.min", "b.b1", 0x500, 0x0300, 7, 7},
		{"vabsdiff.u32.s32.s32", "", 0x80000000, 0x7fffffff, none, 0xffffffff},
		{"vabsdiff.s32.s32.s32.sat", "", 0x80000000, 0x7fffffff, none, 0x7fffffff},
		{"vmin.s32.u32.s32", "", 0xffffffff, 0xffffffff, none, 0xffffffff},
		{"vmin.u32.u32.u32", "a.b3", 0x05000000, 9, none, 5},
		{"vmax.u32.u32.s32", "", 3, 0xffffffff, none, 3},
		{"vshl.u32.u32.u32.clamp", "", 1, 40, none, 0},
		{"vshl.u32.u32.u32.wrap", "", 1, 40, none, 256},
		{"vshl.u32.u32.u32.clamp.sat", "", 1, 40, none, 0xffffffff},
		{"vshl.s32.s32.u32.clamp.sat", "", 0xfffffffe, 31, none, 0x80000000},
		{"vshl.u32.u32.u32.clamp.sat", "", 0xffffffff, 99, none, 0},
		{"vshr.s32.s32.u32.clamp", "", 0x80000000, 77, none, 0xffffffff},
		{"vshr.u32.u32.u32.wrap.add", "", 0x80, 36, 1, 9},
		{"vshr.u32.u32.u32.clamp", "d.b3", 0x80, 4, 0x00ffffff, 0x08ffffff},
		{"vmad.u32.u32.u32", "a.h1", 0x0003_0000, 5, 7, 22},
		{"vmad.u32.u32.u32.sat", "", 0xffffffff, 0xffffffff, 0, 1},
		{"vmad.u32.u32.u32.po.shr7", "", 0xffffffff, 0xffffffff, 0xffffffff, 0},
		{"vmad.s32.u32.u32.sat", "-a", 0xffffffff, 0xffffffff, 0, 0xffffffff},
		{"vmad.s32.u32.u32", "-a", 3, 5, 1, 0xfffffff2},
		{"vmad.s32.s32.s32", "-a -b", 3, 5, 1, 16},
		{"vmad.s32.s32.s32", "-c", 3, 5, 1, 14},
		{"vmad.s32.s32.s32.shr15", "", 0xffff8000, 3, 0, 0xfffffffd},
		{"vmad.s32.s32.u32.sat", "", 0x80000000, 0xffffffff, 0, 0x7fffffff},
		{"vset.u32.s32.lt", "", 1, 0xffffffff, none, 0},
		{"vset.s32.u32.lt", "", 0xffffffff, 0xffffffff, none, 1},
		{"vset.u32.u32.eq.add", "", 4, 4, 10, 11},
		{"vset.u32.u32.ne", "d.b1", 4, 5, 0xffffffff, 0xffff01ff},
		{"vadd2.s32.s32.s32", "", 0x0001_ffff, 0x0002_0001, 0, 0x0003_0000},
		{"vadd2.s32.s32.s32.sat", "", 0x7fff_8000, 0x0001_ffff, 0, 0x7fff_8000},
		{"vadd2.u32.u32.u32", "d.h1", 0x0001_0001, 0x0002_0002, 0x9999_8888, 0x0003_8888},
		{"vadd2.u32.u32.u32.add", "", 0xffff_0001, 0x0001_0002, 5, 0x1_0000 + 3 + 5},
		{"vsub2.s32.u32.u32", "a.h32 b.h01", 0x0001_0002, 0x0005_0005, 0, 0x0003_0004},
		{"vavrg2.s32.s32.s32", "", 0x0003_fffd, 0, 0, 0x0002_fffe},
		{"vabsdiff2.u32.s32.s32", "", 0x8000_0001, 0x7fff_0003, 0, 0xffff_0002},
		{"vmin2.u32.u32.u32", "", 0x0001_ffff, 0x0002_0001, 0, 0x0001_0001},
		{"vmax2.s32.s32.s32", "", 0x0001_ffff, 0x0002_0001, 0, 0x0002_0001},
		{"vset2.u32.u32.lt", "", 0x0001_0005, 0x0002_0001, 0, 0x0001_0000},
		{"vset2.u32.u32.ge.add", "", 0x0003_0005, 0x0002_0001, 40, 42},
		{"vadd4.u32.u32.u32.sat", "", 0xff01_0203, 0x0101_0101, 0, 0xff02_0304},
		{"vadd4.u32.u32.u32", "d.b20", 0x0102_0304, 0x1010_1010, 0xaabb_ccdd, 0xaa12_cc14},
		{"vsub4.s32.u32.u32", "a.b4444", 0, 0x0102_0305, 0, 0x0403_0200},
		{"vavrg4.u32.u32.u32", "", 0xff00_0301, 0xff01_0400, 0, 0xff01_0401},
		{"vabsdiff4.u32.u32.u32.add", "", 0x0105_00ff, 0x0501_0000, 1, 4 + 4 + 0 + 255 + 1},
		{"vabsdiff4.u32.u32.u32.add", "d.b3", 0x0105_00ff, 0x0501_0000, 1, 5},
		{"vmin4.s32.s32.s32", "", 0x80_7f_01_ff, 0x00_00_00_00, 0, 0x80_00_00_ff},
		{"vmax4.u32.u32.u32", "", 0x80_7f_01_ff, 0x01_80_02_00, 0, 0x80_80_02_ff},
		{"vset4.s32.s32.gt", "", 0x01_ff_00_05, 0, 0, 0x01_00_00_01},
	} {
		if got := runVideo(t, c.text, c.selectors, c.a, c.b, c.c); got != c.want {
			t.Errorf("%s %#x, %#x, %#x with %q = %#x, want %#x", c.text, c.a, c.b, c.c, c.selectors, got, c.want)
		}
	}
}

func TestSelectorsThatDoNotExistAreRefused(t *testing.T) {
	for _, c := range []struct{ text, selectors string }{
		{"vadd.u32.u32.u32", "a.b4"},
		{"vadd.u32.u32.u32", "a.b10"},
		{"vadd.u32.u32.u32", "a.h2"},
		{"vadd.u32.u32.u32", "-a"},
		{"vmad.u32.u32.u32.po", "-a"},
		{"vmad.u32.u32.u32", "c.b0"},
		{"vadd2.u32.u32.u32", "a.b10"},
		{"vadd2.u32.u32.u32", "a.h1"},
		{"vadd2.u32.u32.u32", "a.h41"},
		{"vadd4.u32.u32.u32", "b.b3218"},
		{"vadd4.u32.u32.u32", "d.b4"},
		{"vadd4.u32.u32.u32", "d.h1"},
	} {
		w := strings.Split(c.text, ".")
		f, _, err := Lookup(w[0], w[1:])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := selected(t, f, c.selectors); err == nil {
			t.Errorf("%s takes %s", c.text, c.selectors)
		}
	}
}
