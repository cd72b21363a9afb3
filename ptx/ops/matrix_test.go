package ops

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// encode is the pattern of a small whole number in a type, and its width in bits.
func encode(t isa.Type, v int) (pattern uint64, bits int) {
	switch t {
	case isa.F16:
		return uint64(alu.CvtF16F32(alu.RN, math.Float32bits(float32(v)))), 16
	case isa.BF16:
		return uint64(math.Float32bits(float32(v)) >> 16), 16
	case isa.TF32, isa.F32:
		return uint64(math.Float32bits(float32(v))), 32
	case isa.F64:
		return math.Float64bits(float64(v)), 64
	case isa.E4M3:
		return uint64(alu.CvtTinyF32(alu.E4M3, math.Float32bits(float32(v)))), 8
	case isa.E5M2:
		return uint64(alu.CvtTinyF32(alu.E5M2, math.Float32bits(float32(v)))), 8
	case isa.U4, isa.S4:
		return uint64(v) & 15, 4
	case isa.U8, isa.S8:
		return uint64(v) & 255, 8
	case isa.B1:
		return uint64(v) & 1, 1
	}
	return uint64(uint32(v)), 32
}

// grid is a matrix of small whole numbers.
type grid [][]int

func newGrid(rows, cols int, f func(i, j int) int) grid {
	g := make(grid, rows)
	for i := range g {
		g[i] = make([]int, cols)
		for j := range g[i] {
			g[i][j] = f(i, j)
		}
	}
	return g
}

func (b grid) times(c grid, d grid) grid {
	return newGrid(len(b), len(c[0]), func(i, j int) int {
		sum := d[i][j]
		for k := range c {
			sum += b[i][k] * c[k][j]
		}
		return sum
	})
}

// spot is where element i of a lane lies, in the words of the manual: g is the
// lane's group and q its number within it.
type spot func(g, q, i int) (row, col int)

// deal puts a matrix into registers from first on, by the manual's layout.
func (b *bench) deal(m grid, t isa.Type, first isa.Reg, n int, at spot) (regs []isa.Reg) {
	_, bits := encode(t, 0)
	rows := max(bits/32, 1)
	for r := 0; r < (n*bits+31)/32; r += rows {
		regs = append(regs, first+isa.Reg(r))
	}
	for r := range (n*bits + 31) / 32 {
		b.set(first+isa.Reg(r), func(int) uint32 { return 0 })
	}
	for l := range isa.WarpSize {
		for i := range n {
			row, col := at(l>>2, l&3, i)
			v, _ := encode(t, m[row][col])
			for part := range rows {
				word := i*bits/32 + part
				b.Regs[first+isa.Reg(word)][l] |= uint32(v>>(32*part)) << (i * bits % 32)
			}
		}
	}
	return regs
}

// mmaCase is a shape with the layouts that the manual gives for it.
type mmaCase struct {
	shape      string
	m, k       int
	na, nb, nc int
	a, b, c    spot
}

func eightRows(i int) int { return i & 1 * 8 }

var sixteenByEight spot = func(g, q, i int) (int, int) { return g + i>>1*8, 2*q + i&1 }

// layouts follow the manual's text, "row = groupID for ai where ..." and so on.
var layouts = map[string]mmaCase{
	"m16n8k8.16":   {"m16n8k8", 16, 8, 4, 2, 4, func(g, q, i int) (int, int) { return g + i>>1*8, q*2 + i&1 }, func(g, q, i int) (int, int) { return q*2 + i, g }, sixteenByEight},
	"m16n8k16.16":  {"m16n8k16", 16, 16, 8, 4, 4, func(g, q, i int) (int, int) { return g + i>>1&1*8, q*2 + i&1 + i>>2*8 }, func(g, q, i int) (int, int) { return q*2 + i&1 + i>>1*8, g }, sixteenByEight},
	"m16n8k4.32":   {"m16n8k4", 16, 4, 2, 1, 4, func(g, q, i int) (int, int) { return g + i*8, q }, func(g, q, _ int) (int, int) { return q, g }, sixteenByEight},
	"m16n8k8.32":   {"m16n8k8", 16, 8, 4, 2, 4, func(g, q, i int) (int, int) { return g + eightRows(i), q + i>>1*4 }, func(g, q, i int) (int, int) { return q + 4*i, g }, sixteenByEight},
	"m8n8k4.64":    {"m8n8k4", 8, 4, 1, 1, 2, func(g, q, _ int) (int, int) { return g, q }, func(g, q, _ int) (int, int) { return q, g }, sixteenByEight},
	"m16n8k16.64":  {"m16n8k16", 16, 16, 8, 4, 4, func(g, q, i int) (int, int) { return g + eightRows(i), q + i>>1*4 }, func(g, q, i int) (int, int) { return q + 4*i, g }, sixteenByEight},
	"m8n8k16.8":    {"m8n8k16", 8, 16, 4, 4, 2, func(g, q, i int) (int, int) { return g, q*4 + i }, func(g, q, i int) (int, int) { return q*4 + i, g }, sixteenByEight},
	"m16n8k16.8":   {"m16n8k16", 16, 16, 8, 4, 4, func(g, q, i int) (int, int) { return g + i>>2*8, q*4 + i&3 }, func(g, q, i int) (int, int) { return q*4 + i, g }, sixteenByEight},
	"m16n8k32.8":   {"m16n8k32", 16, 32, 16, 8, 4, func(g, q, i int) (int, int) { return g + i>>2&1*8, q*4 + i&3 + i>>3*16 }, func(g, q, i int) (int, int) { return q*4 + i&3 + i>>2*16, g }, sixteenByEight},
	"m8n8k32.4":    {"m8n8k32", 8, 32, 8, 8, 2, func(g, q, i int) (int, int) { return g, q*8 + i }, func(g, q, i int) (int, int) { return q*8 + i, g }, sixteenByEight},
	"m16n8k32.4":   {"m16n8k32", 16, 32, 16, 8, 4, func(g, q, i int) (int, int) { return g + i>>3*8, q*8 + i&7 }, func(g, q, i int) (int, int) { return q*8 + i, g }, sixteenByEight},
	"m16n8k64.4":   {"m16n8k64", 16, 64, 32, 16, 4, func(g, q, i int) (int, int) { return g + i>>3&1*8, q*8 + i&7 + i>>4*32 }, func(g, q, i int) (int, int) { return q*8 + i&7 + i>>3*32, g }, sixteenByEight},
	"m8n8k128.1":   {"m8n8k128", 8, 128, 32, 32, 2, func(g, q, i int) (int, int) { return g, q*32 + i }, func(g, q, i int) (int, int) { return q*32 + i, g }, sixteenByEight},
	"m16n8k128.1":  {"m16n8k128", 16, 128, 64, 32, 4, func(g, q, i int) (int, int) { return g + i>>5*8, q*32 + i&31 }, func(g, q, i int) (int, int) { return q*32 + i, g }, sixteenByEight},
	"m16n8k256.1":  {"m16n8k256", 16, 256, 128, 64, 4, func(g, q, i int) (int, int) { return g + i>>5&1*8, q*32 + i&31 + i>>6*128 }, func(g, q, i int) (int, int) { return q*32 + i&31 + i>>5*128, g }, sixteenByEight},
	"m16n8k8.wide": {"m16n8k8", 16, 8, 4, 2, 4, func(g, q, i int) (int, int) { return g + eightRows(i), q + i>>1*4 }, func(g, q, i int) (int, int) { return q + 4*i, g }, sixteenByEight},
	"m16n8k4.wide": {"m16n8k4", 16, 4, 2, 1, 4, func(g, q, i int) (int, int) { return g + i*8, q }, func(g, q, _ int) (int, int) { return q, g }, sixteenByEight},
}

func TestMmaLayoutsAreTheManuals(t *testing.T) {
	for _, c := range []struct{ layout, tail string }{
		{"m16n8k8.16", "f32.f16.f16.f32"}, {"m16n8k8.16", "f16.f16.f16.f16"}, {"m16n8k16.16", "f32.f16.f16.f32"}, {"m16n8k16.16", "f16.f16.f16.f16"},
		{"m16n8k8.16", "f32.bf16.bf16.f32"}, {"m16n8k16.16", "f32.bf16.bf16.f32"}, {"m16n8k4.32", "f32.tf32.tf32.f32"}, {"m16n8k8.32", "f32.tf32.tf32.f32"},
		{"m16n8k32.8", "f32.e4m3.e5m2.f32"}, {"m8n8k4.64", "f64.f64.f64.f64"}, {"m16n8k4.wide", "f64.f64.f64.f64"}, {"m16n8k8.wide", "f64.f64.f64.f64"}, {"m16n8k16.64", "f64.f64.f64.f64"},
		{"m8n8k16.8", "s32.s8.u8.s32"}, {"m16n8k16.8", "s32.u8.s8.s32"}, {"m16n8k32.8", "s32.s8.s8.s32"},
		{"m8n8k32.4", "s32.s4.u4.s32"}, {"m16n8k32.4", "s32.u4.s4.s32"}, {"m16n8k64.4", "s32.s4.s4.s32"},
		{"m8n8k128.1", "s32.b1.b1.s32.and.popc"}, {"m16n8k128.1", "s32.b1.b1.s32.and.popc"}, {"m16n8k256.1", "s32.b1.b1.s32.and.popc"},
	} {
		l := layouts[c.layout]
		types := strings.Split(c.tail, ".")
		d, ta, tb, tc := isa.ParseType(types[0]), isa.ParseType(types[1]), isa.ParseType(types[2]), isa.ParseType(types[3])
		value := func(t isa.Type, seed int) func(i, j int) int {
			return func(i, j int) int {
				v := (i*seed + j*5 + i*j) % 4
				if t.IsSigned() || t.IsFloat() {
					v -= 2
				}
				return v
			}
		}
		b := newBench(t)
		b.Regs = make([]isa.Lanes, 128)
		ma, mb, mc := newGrid(l.m, l.k, value(ta, 3)), newGrid(l.k, 8, value(tb, 7)), newGrid(l.m, 8, func(i, j int) int { return 10*i - j })
		if ta == isa.B1 {
			ma, mb = newGrid(l.m, l.k, func(i, j int) int { return (i*j + i + j) / 3 & 1 }), newGrid(l.k, 8, func(i, j int) int { return (i*3 + j) / 2 & 1 })
		}
		regs := b.deal(newGrid(l.m, 8, func(int, int) int { return 0 }), d, 0, l.nc, l.c)
		vec := append(regs, b.deal(ma, ta, 16, l.na, l.a)...)
		vec = append(vec, b.deal(mb, tb, 48, l.nb, l.b)...)
		vec = append(vec, b.deal(mc, tc, 80, l.nc, l.c)...)
		text := fmt.Sprintf("mma.sync.aligned.%s.row.col.%s", l.shape, c.tail)
		b.run(text, 32, isa.Inst{Vec: vec})
		b.trapped(text, isa.NoTrap, 0)
		got := append([]isa.Lanes(nil), b.Regs[:16]...)
		want := ma.times(mb, mc)
		b.deal(want, d, 0, l.nc, l.c)
		for r := range got {
			if r < 8 && got[r] != b.Regs[r] {
				t.Errorf("%s: register %d\n%x, want\n%x", text, r, got[r], b.Regs[r])
			}
		}
	}
}

// TestMatrixMultiplyOfOnes is case C17 of the failing cases, one warp of it.
func TestMatrixMultiplyOfOnes(t *testing.T) {
	for _, two := range []bool{false, true} {
		b := newBench(t)
		b.set(20, func(int) uint32 { return 0x3c003c00 })
		b.set(21, func(int) uint32 { return 0x3c003c00 })
		want := float32(16)
		if two {
			b.set(21, func(int) uint32 { return 0x40004000 })
			want = 32
		}
		b.set(22, func(int) uint32 { return 0 })
		b.run("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 32, isa.Inst{Vec: []isa.Reg{0, 1, 2, 3, 20, 20, 20, 20, 21, 21, 22, 22, 22, 22}})
		for r := range isa.Reg(4) {
			b.want("mma", r, func(int) uint32 { return math.Float32bits(want) })
		}
	}
}

func TestSaturatingMmaClamps(t *testing.T) {
	for text, want := range map[string]uint32{"": 0x80000000 + 16 - 2, ".satfinite": 0x7fffffff} {
		b := newBench(t)
		b.set(20, func(int) uint32 { return 0x01010101 })
		b.set(21, func(int) uint32 { return 0x7ffffffe })
		b.run("mma.sync.aligned.m8n8k16.row.col"+text+".s32.s8.s8.s32", 32, isa.Inst{Vec: []isa.Reg{0, 1, 20, 20, 21, 21}})
		b.want("mma"+text, 0, func(int) uint32 { return want })
	}
}

func TestMmaOfQuads(t *testing.T) {
	for _, dc := range []string{"f32.f16.f16.f32", "f16.f16.f16.f16", "f32.f16.f16.f16"} {
		for _, order := range []string{"row.col", "col.row", "row.row", "col.col"} {
			b := newBench(t)
			types := strings.Split(dc, ".")
			dHalf, cHalf := types[0] == "f16", types[3] == "f16"
			element := func(q, i, j, seed int) int { return (q*5+i*seed+j*3)%5 - 2 }
			for l := range isa.WarpSize {
				q, up := l%16/4, l/16*4
				for r := range isa.Reg(2) {
					b.Regs[16+r][l], b.Regs[20+r][l] = 0, 0
				}
				for i := range 4 {
					row, k := l%4+up, i // a row holds the lane's number
					if strings.HasPrefix(order, "col") {
						row, k = i+up, l%4
					}
					a, _ := encode(isa.F16, element(q, row, k, 2))
					b.Regs[16+i/2][l] |= uint32(a) << (16 * (i % 2))
					k, col := i, l%4+up
					if strings.HasSuffix(order, "row") {
						k, col = l%4, i+up
					}
					x, _ := encode(isa.F16, element(q, k, col, 7))
					b.Regs[20+i/2][l] |= uint32(x) << (16 * (i % 2))
				}
				for i := range 8 {
					row, col := l%4+up, i
					if !cHalf {
						row, col = l&1+i&2+up, i&4+l&2+i&1
					}
					c := 8*row + col - q
					if cHalf {
						v, _ := encode(isa.F16, c)
						b.Regs[24+i/2][l] = b.Regs[24+i/2][l]*uint32(i%2)&0xffff | uint32(v)<<(16*(i%2))
					} else {
						v, _ := encode(isa.F32, c)
						b.Regs[24+i][l] = uint32(v)
					}
				}
			}
			vec := rangeOf(0, 8)
			if dHalf {
				vec = rangeOf(0, 4)
			}
			vec = append(append(vec, 16, 17, 20, 21), rangeOf(24, 8)...)
			if cHalf {
				vec = vec[:len(vec)-4]
			}
			text := "mma.sync.aligned.m8n8k4." + order + "." + dc
			b.run(text, 32, isa.Inst{Vec: vec})
			b.trapped(text, isa.NoTrap, 0)
			for l := range isa.WarpSize {
				q, up := l%16/4, l/16*4
				for i := range 8 {
					row, col := l%4+up, i
					got := b.Regs[i/2][l] >> (16 * (i % 2)) & 0xffff
					typ := isa.F16
					if !dHalf {
						row, col = l&1+i&2+up, i&4+l&2+i&1
						got, typ = b.Regs[i][l], isa.F32
					}
					sum := 8*row + col - q
					for k := range 4 {
						sum += element(q, row, k, 2) * element(q, k, col, 7)
					}
					if want, _ := encode(typ, sum); uint64(got) != want {
						t.Fatalf("%s lane %d element %d is %#x, want %#x (%d)", text, l, i, got, want, sum)
					}
				}
			}
		}
	}
}

func rangeOf(first isa.Reg, n int) (regs []isa.Reg) {
	for i := range n {
		regs = append(regs, first+isa.Reg(i))
	}
	return regs
}

// lay writes a matrix into memory, by rows or by columns.
func lay(mem []byte, m grid, t isa.Type, byRow bool, stride int) {
	for i := range m {
		for j := range m[i] {
			at := j*stride + i
			if byRow {
				at = i*stride + j
			}
			v, bits := encode(t, m[i][j])
			for k := range bits {
				mem[(at*bits+k)/8] |= byte(v>>k&1) << ((at*bits + k) % 8)
			}
		}
	}
}

func TestWmmaMultipliesMatricesInMemory(t *testing.T) {
	for _, c := range []struct {
		shape      string
		m, n, k    int
		tail       string // of the multiplication
		mods       string
		ab, d, acc string
		na, nb, nc int // rows of registers
	}{
		{"m16n16k16", 16, 16, 16, "f32.f32", "", "f16", "f32", "f32", 8, 8, 8}, {"m16n16k16", 16, 16, 16, "f16.f16", "", "f16", "f16", "f16", 8, 8, 4},
		{"m32n8k16", 32, 8, 16, "f32.f32", "", "f16", "f32", "f32", 8, 8, 8}, {"m8n32k16", 8, 32, 16, "f32.f32", "", "f16", "f32", "f32", 8, 8, 8},
		{"m8n32k16", 8, 32, 16, "f16.f16", "", "f16", "f16", "f16", 8, 8, 4},
		{"m16n16k16", 16, 16, 16, "f32.bf16.bf16.f32", "", "bf16", "f32", "f32", 4, 4, 8}, {"m8n32k16", 8, 32, 16, "f32.bf16.bf16.f32", "", "bf16", "f32", "f32", 2, 8, 8},
		{"m16n16k8", 16, 16, 8, "f32.tf32.tf32.f32", "", "tf32", "f32", "f32", 4, 4, 8}, {"m8n8k4", 8, 8, 4, "f64.f64.f64.f64.rn", "", "f64", "f64", "f64", 2, 2, 4},
		{"m16n16k16", 16, 16, 16, "s32.s8.s8.s32", "", "s8", "s32", "s32", 2, 2, 8}, {"m32n8k16", 32, 8, 16, "s32.u8.u8.s32", "", "u8", "s32", "s32", 4, 1, 8},
		{"m8n32k16", 8, 32, 16, "s32.s8.s8.s32", "", "s8", "s32", "s32", 1, 4, 8}, {"m8n8k32", 8, 8, 32, "s32.s4.s4.s32", "", "s4", "s32", "s32", 1, 1, 2},
		{"m8n8k128", 8, 8, 128, "s32.b1.b1.s32", "and.popc.", "b1", "s32", "s32", 1, 1, 2},
	} {
		for _, byRow := range []bool{false, true} {
			b := newBench(t)
			b.Regs = make([]isa.Lanes, 160)
			ab, acc := isa.ParseType(c.ab), isa.ParseType(c.acc)
			limit := 4
			if ab == isa.B1 {
				limit = 2
			}
			a := newGrid(c.m, c.k, func(i, j int) int { return (i*3 + j*5 + i*j) % limit })
			bb := newGrid(c.k, c.n, func(i, j int) int { return (i*7 + j + i*j) % limit })
			sum := newGrid(c.m, c.n, func(i, j int) int { return i*c.n - j })
			pad := 0
			if byRow {
				pad = 32
			}
			order := map[bool]string{true: "row", false: "col"}
			wide := func(rows, cols int, byRow bool) int { return map[bool]int{true: cols, false: rows}[byRow] + pad }
			aRow, bRow := byRow, byRow
			if ab.Bits() < 8 {
				aRow, bRow = true, false // the only layouts of sub-byte matrices
				pad *= 4
			}
			mem := b.CTA.Memory.(*fakeMemory).add(0x7100_0000_0000, 1<<16)
			lay(mem[0:], a, ab, aRow, wide(c.m, c.k, aRow))
			lay(mem[0x4000:], bb, ab, bRow, wide(c.k, c.n, bRow))
			lay(mem[0x8000:], sum, acc, byRow, wide(c.m, c.n, byRow))
			do := func(text string, offset int64, first isa.Reg, rows, stride int) {
				b.set64(150, func(int) uint64 { return 0x7100_0000_0000 })
				b.set(152, func(int) uint32 { return uint32(stride) })
				step := 1
				if strings.HasSuffix(text, "f64") {
					step = 2
				}
				var vec []isa.Reg
				for r := 0; r < rows; r += step {
					vec = append(vec, first+isa.Reg(r))
				}
				b.wmma(text, isa.Inst{A: 150, C: 152, Imm: offset, Vec: vec, Space: isa.Global}, 3)
			}
			do("wmma.load.a.sync.aligned."+order[aRow]+"."+c.shape+".global."+c.ab, 0, 16, c.na, wide(c.m, c.k, aRow))
			do("wmma.load.b.sync.aligned."+order[bRow]+"."+c.shape+".global."+c.ab, 0x4000, 32, c.nb, wide(c.k, c.n, bRow))
			do("wmma.load.c.sync.aligned."+order[byRow]+"."+c.shape+".global."+c.acc, 0x8000, 48, c.nc, wide(c.m, c.n, byRow))
			step := 1
			if c.ab == "f64" {
				step = 2
			}
			var vec []isa.Reg
			for _, part := range []struct {
				first isa.Reg
				n     int
			}{{64, c.nc}, {16, c.na}, {32, c.nb}, {48, c.nc}} {
				for r := 0; r < part.n; r += step {
					vec = append(vec, part.first+isa.Reg(r))
				}
			}
			text := "wmma.mma." + c.mods + "sync.aligned." + order[aRow] + "." + order[bRow] + "." + c.shape + "." + c.tail
			b.wmma(text, isa.Inst{Vec: vec}, 4)
			do("wmma.store.d.sync.aligned."+order[byRow]+"."+c.shape+".global."+c.d, 0xc000, 64, c.nc, wide(c.m, c.n, byRow))
			b.trapped(text, isa.NoTrap, 0)
			want := make([]byte, 0x4000)
			lay(want, a.times(bb, sum), isa.ParseType(c.d), byRow, wide(c.m, c.n, byRow))
			if string(want) != string(mem[0xc000:]) {
				t.Errorf("%s by row %v: wrong product", text, byRow)
			}
		}
	}
}

// wmma runs a spelling whose row depends on the number of operands.
func (b *bench) wmma(text string, in isa.Inst, operands int) {
	b.t.Helper()
	words := splitDots(text)
	form, _, err := Lookup(words[0], words[1:], make([]Shape, operands)...)
	if err != nil {
		b.t.Fatal(err)
	}
	form.Space = in.Space
	h := form.Op.Bind(form)
	if h == nil {
		b.t.Fatalf("%s has no handler", text)
	}
	h(b.Warp, &in)
}

func TestWmmaWithoutStrideIsDense(t *testing.T) {
	b := newBench(t)
	m := newGrid(16, 16, func(i, j int) int { return 16*i + j })
	lay(b.a, m, isa.F32, true, 16)
	b.set64(40, func(int) uint64 { return heapA })
	b.wmma("wmma.load.c.sync.aligned.row.m16n16k16.global.f32", isa.Inst{A: 40, Vec: rangeOf(0, 8), Space: isa.Global}, 2)
	b.set64(40, func(int) uint64 { return heapB })
	b.wmma("wmma.store.d.sync.aligned.row.m16n16k16.f32", isa.Inst{A: 40, Vec: rangeOf(0, 8)}, 2)
	if string(b.a) != string(b.b) {
		t.Error("load and store do not agree")
	}
	b.set64(40, func(int) uint64 { return heapB + 4096 - 512 })
	b.wmma("wmma.store.d.sync.aligned.row.m16n16k16.f32", isa.Inst{A: 40, Vec: rangeOf(0, 8)}, 2)
	b.trapped("a matrix across the end of memory", isa.IllegalAddress, 0)
}

func TestLdmatrixAndStmatrix(t *testing.T) {
	for n, x := range map[int]string{1: "x1", 2: "x2", 4: "x4"} {
		for _, trans := range []bool{false, true} {
			b := newBench(t)
			row := func(l int) int { return (l*5%32)*16 + 64 }
			for l := range isa.WarpSize {
				for j := range 8 { // element j of row l%8 of matrix l/8
					b.CTA.Shared[row(l)+2*j], b.CTA.Shared[row(l)+2*j+1] = byte(l), byte(j)
				}
			}
			b.set(40, func(l int) uint32 { return uint32(row(l)) })
			mods := x
			if trans {
				mods += ".trans"
			}
			b.run("ldmatrix.sync.aligned.m8n8."+mods+".shared.b16", 32, isa.Inst{A: 40, Vec: rangeOf(0, n), Space: isa.Shared})
			for i := range n {
				b.want("ldmatrix", isa.Reg(i), func(l int) uint32 {
					at := func(r, c int) uint32 { return uint32(8*i+r) | uint32(c)<<8 }
					r, c := l/4, l%4*2
					if trans {
						return at(c, r) | at(c+1, r)<<16
					}
					return at(r, c) | at(r, c+1)<<16
				})
			}
			before := string(b.CTA.Shared)
			for l := range 8 * n {
				clear(b.CTA.Shared[row(l) : row(l)+16])
			}
			b.run("stmatrix.sync.aligned.m8n8."+mods+".shared.b16", 32, isa.Inst{A: 40, Vec: rangeOf(0, n), Space: isa.Shared})
			if before != string(b.CTA.Shared) {
				t.Errorf("stmatrix.%s does not restore what ldmatrix read", mods)
			}
			b.set(40, func(l int) uint32 { return uint32(row(l)) + uint32(l/(8*n-1)*8) })
			b.run("ldmatrix.sync.aligned.m8n8."+mods+".shared.b16", 32, isa.Inst{A: 40, Vec: rangeOf(0, n), Space: isa.Shared})
			b.trapped("a misaligned row", isa.Misaligned, 8*n-1)
		}
	}
}

func TestMovmatrixTransposes(t *testing.T) {
	b := newBench(t)
	b.set(1, func(l int) uint32 { return uint32(2*l) | uint32(2*l+1)<<16 })
	b.run("movmatrix.sync.aligned.m8n8.trans.b16", 32, isa.Inst{D: 0, A: 1})
	b.want("movmatrix", 0, func(l int) uint32 {
		r, c := l/4, l%4*2
		return uint32(8*c+r) | uint32(8*(c+1)+r)<<16
	})
}

func BenchmarkMma(b *testing.B) {
	for _, text := range []string{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64"} {
		b.Run(text, func(b *testing.B) {
			w := newBench(&testing.T{})
			for i := range w.Regs {
				w.set(isa.Reg(i), func(l int) uint32 { return 0x3c003c00 + uint32(l*i) })
			}
			h := w.bind(text, 0, 32)
			vec := append(rangeOf(0, 4), append(rangeOf(16, 4), append(rangeOf(20, 2), rangeOf(24, 4)...)...)...)
			if strings.Contains(text, "f64") {
				vec = nil
				for _, p := range [][2]int{{0, 4}, {8, 8}, {24, 4}, {32, 4}} {
					for i := range p[1] {
						vec = append(vec, isa.Reg(p[0]+2*i))
					}
				}
			}
			in := isa.Inst{Vec: vec}
			for b.Loop() {
				h(w.Warp, &in)
			}
			if w.Trap.Kind != 0 {
				b.Fatal(w.Trap)
			}
		})
	}
}
