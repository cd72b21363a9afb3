package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

const (
	inMap            = "tile {global|shared::cta} "
	replacingTargets = "90a " + matrixTargets
)

// tensorMaps is the part of PTX ISA 9.7.9.27 and 9.7.13.16 that changes tensor
// maps and copies them.
var tensorMaps = []isa.Op{
	{Name: "tensormap", Mods: "replace global_address " + inMap, Types: "b1024 / b64", Args: "[a], b:1", Unit: isa.LSU, Class: isa.Variable, Since: 83, SM: 90, Doc: "9.7.9.27", Bind: bindReplace},
	{Name: "tensormap", Mods: "replace rank " + inMap, Types: "b1024 / b32", Args: "[a], b:1", Unit: isa.LSU, Class: isa.Variable, Since: 83, SM: 90, Doc: "9.7.9.27", Bind: bindReplace},
	{Name: "tensormap", Mods: "replace box_dim|global_dim|element_stride " + inMap, Types: "b1024 / b32", Args: "[a], c:u32, b:1", Unit: isa.LSU, Class: isa.Variable, Since: 83, SM: 90, Doc: "9.7.9.27", Bind: bindReplace},
	{Name: "tensormap", Mods: "replace global_stride " + inMap, Types: "b1024 / b64", Args: "[a], c:u32, b:1", Unit: isa.LSU, Class: isa.Variable, Since: 83, SM: 90, Doc: "9.7.9.27", Bind: bindReplace},
	{Name: "tensormap", Mods: "replace elemtype|interleave_layout|swizzle_mode|fill_mode|swizzle_atomicity " + inMap, Types: "b1024 / b32", Args: "[a], b:1", Unit: isa.LSU, Class: isa.Variable, Since: 83, SM: 90, Doc: "9.7.9.27", Bind: bindReplace},
	{Name: "tensormap", Mods: "cp_fenceproxy global shared::cta tensormap::generic release cta|cluster|gpu|sys sync aligned", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 83, SM: 90, Doc: "9.7.13.16", Bind: bindCopyMap},
}

// replaceable says how each field of a tensor map is written; ord is the
// dimension, where the field has several.
var replaceable = map[string]func(m *tensormap.Map, ord uint32, v uint64){
	"global_address":    func(m *tensormap.Map, _ uint32, v uint64) { m.Address = v },
	"rank":              func(m *tensormap.Map, _ uint32, v uint64) { m.Rank = int(uint32(v)) + 1 },
	"box_dim":           func(m *tensormap.Map, ord uint32, v uint64) { m.Box[ord] = uint32(v) },
	"global_dim":        func(m *tensormap.Map, ord uint32, v uint64) { m.Dim[ord] = v },
	"global_stride":     func(m *tensormap.Map, ord uint32, v uint64) { m.Stride[ord] = v },
	"element_stride":    func(m *tensormap.Map, ord uint32, v uint64) { m.Step[ord] = uint32(v) },
	"elemtype":          func(m *tensormap.Map, _ uint32, v uint64) { m.Elem = tensormap.Elem(v) },
	"interleave_layout": func(m *tensormap.Map, _ uint32, v uint64) { m.Interleave = tensormap.Interleave(v) },
	"swizzle_mode":      func(m *tensormap.Map, _ uint32, v uint64) { m.Swizzle = tensormap.Swizzle(v) },
	"fill_mode":         func(m *tensormap.Map, _ uint32, v uint64) { m.FillNaN = v != 0 },
	"swizzle_atomicity": func(m *tensormap.Map, _ uint32, v uint64) { m.Atom = tensormap.Atom(v) },
}

// ordinals is the number of dimensions that a field of several has.
var ordinals = map[string]uint32{"box_dim": tensormap.MaxRank, "global_dim": tensormap.MaxRank, "element_stride": tensormap.MaxRank, "global_stride": tensormap.MaxRank - 1}

// bindReplace writes one field of the map at A. A map that no encoding makes
// stays one: what is wrong with it shows when it is used.
func bindReplace(f *isa.Form) isa.Handler {
	field := f.Mods[1]
	for _, m := range f.Mods {
		if replaceable[m] != nil {
			field = m
		}
	}
	write, several, wide := replaceable[field], ordinals[field], f.Type(1) == isa.B64
	return func(w *isa.Warp, in *isa.Inst) {
		place := pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			object := w.Bytes(in.Space, l, place.address(w, l), tensormap.Size, tensormap.Size, true)
			if object == nil {
				return
			}
			ord := uint32(0)
			if several > 0 {
				if ord = w.Row(in.C)[l]; ord >= several {
					w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "the tensor map has no such dimension"})
					return
				}
			}
			v := uint64(w.Row(in.B)[l])
			if wide {
				v = w.Get64(in.B, l)
			}
			m, _ := tensormap.Decode(object)
			write(&m, ord, v)
			changed := m.Encode()
			copy(object, changed[:])
		}
	}
}

// bindCopyMap copies a tensor map from shared memory, once for the warp.
func bindCopyMap(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		l := w.Mask.First()
		source, target := pointer{base: in.B, space: isa.Shared}, pointer{in.A, isa.Global, in.Imm}
		if w.Row(in.C)[l] != tensormap.Size {
			w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "a tensor map has 128 bytes"})
			return
		}
		from := w.Bytes(isa.Shared, l, source.address(w, l), tensormap.Size, tensormap.Size, false)
		if from == nil {
			return
		}
		if to := w.Bytes(isa.Global, l, target.address(w, l), tensormap.Size, tensormap.Size, true); to != nil {
			copy(to, from)
		}
	}
}
