package ops

import (
	"math"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// tensorMove is the shape of tcgen05.ld and st: which cell register r of a lane
// is, and how many registers there are.
type tensorMove struct {
	rows, regs int
	at         func(lane, r int) (row, column int)
	split      bool // the upper lanes take columns of their own
	packed     bool // a register holds two columns
}

func tensorMoveOf(f *isa.Form) tensorMove {
	n := 1
	for _, m := range f.Mods {
		if rest, ok := strings.CutPrefix(m, "x"); ok {
			n = atoi(rest)
		}
	}
	m := tensorMove{rows: 16, regs: n, packed: f.Any("pack::16b", "unpack::16b") != ""}
	switch f.Any("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2") {
	case "32x32b":
		m.rows, m.at = 32, func(lane, r int) (int, int) { return lane, r }
	case "16x64b":
		m.at = func(lane, r int) (int, int) { return lane>>2 + lane&1<<3, 2*r + lane>>1&1 }
	case "16x128b":
		m.regs *= 2
		m.at = func(lane, r int) (int, int) { return lane>>2 + r&1<<3, r>>1<<2 + lane&3 }
	case "16x256b":
		m.regs *= 4
		m.at = func(lane, r int) (int, int) { return lane>>2 + r>>1&1<<3, r>>2<<3 + lane&3<<1 + r&1 }
	default:
		m.split, m.at = true, func(lane, r int) (int, int) { return lane & 15, r }
	}
	return m
}

func atoi(s string) (n int) {
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}

func checkTensorMove(f *isa.Form, in *isa.Inst) string {
	m := tensorMoveOf(f)
	if len(in.Vec) != m.regs+1 {
		return wrongRegisters
	}
	return ""
}

// cell is where register r of lane l lies: one cell, or the first of two.
func (m *tensorMove) cell(w *isa.Warp, in *isa.Inst, addr uint32, l, r, second int) *uint32 {
	row, column := m.at(l, r)
	if m.packed {
		column = 2*column + second
	}
	if m.split && l >= 16 {
		column += int(in.Imm)
	}
	lane := addr>>16 + uint32(row)
	if int(lane/isa.WarpSize) != w.Index%groupWarps {
		w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: uint64(addr), Bytes: 4, Note: "a warp reaches only the 32 lanes of tensor memory of its own place in the warpgroup"})
		return nil
	}
	return tensorCell(w, w.CTA, l, lane, addr&0xffff+uint32(column))
}

func bindLanesLoad(f *isa.Form) isa.Handler {
	m, red := tensorMoveOf(f), tensorReduction(f)
	if m.regs > 128 {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		regs, addr := in.Vec[:m.regs], w.Row(in.Vec[m.regs])[w.Mask.First()]
		for l := range w.Mask.All {
			var all uint32
			for r, reg := range regs {
				c := m.cell(w, in, addr, l, r, 0)
				if c == nil {
					return
				}
				v := *c
				if m.packed {
					if c = m.cell(w, in, addr, l, r, 1); c == nil {
						return
					}
					v = v&0xffff | *c<<16
				}
				w.Regs[reg][l] = v
				if red != nil {
					all = red(r == 0, all, v)
				}
			}
			if red != nil {
				w.Regs[in.D][l] = all
			}
		}
	}
}

// tensorReduction combines the registers of a lane, nil without ld.red.
func tensorReduction(f *isa.Form) func(first bool, a, b uint32) uint32 {
	if !f.Has("red") {
		return nil
	}
	pick := pairReduction(f)
	absolute := f.Has("abs")
	return func(first bool, a, b uint32) uint32 {
		if absolute {
			b &= math.MaxInt32
		}
		if first {
			return b
		}
		return pick(a, b)
	}
}

func pairReduction(f *isa.Form) func(a, b uint32) uint32 {
	least, nan := f.Has("min"), f.Has("NaN")
	switch f.Type(0) {
	case isa.U32:
		if least {
			return func(a, b uint32) uint32 { return min(a, b) }
		}
		return func(a, b uint32) uint32 { return max(a, b) }
	case isa.S32:
		if least {
			return func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }
		}
		return func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }
	}
	pick := alu.MaxF32
	switch {
	case least && nan:
		pick = alu.MinNaNF32
	case nan:
		pick = alu.MaxNaNF32
	case least:
		pick = alu.MinF32
	}
	return pick
}

func bindLanesStore(f *isa.Form) isa.Handler {
	m := tensorMoveOf(f)
	if m.regs > 128 {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		addr := w.Row(in.Vec[0])[w.Mask.First()]
		for r, reg := range in.Vec[1:] {
			row := w.Row(reg)
			for l := range w.Mask.All {
				c := m.cell(w, in, addr, l, r, 0)
				if c == nil {
					return
				}
				*c = row[l]
				if m.packed {
					*c &= 0xffff
					if c = m.cell(w, in, addr, l, r, 1); c == nil {
						return
					}
					*c = row[l] >> 16
				}
			}
		}
	}
}
