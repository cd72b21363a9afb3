package parse

import (
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

const (
	filtering = "filter_mode addr_mode_0 addr_mode_1 addr_mode_2"
	sizes     = "width height depth channel_data_type channel_order array_size"
)

// settings are the fields of opaque variables (ISA 5.3), as ptxas has them.
var settings = map[ast.Type][]string{
	ast.Texref:     strings.Fields(sizes + " normalized_coords num_mipmap_levels num_samples " + filtering),
	ast.Samplerref: strings.Fields("force_unnormalized_coords " + filtering),
	ast.Surfref:    strings.Fields(sizes + " memory_layout"),
}

// modes are the names that settings have for values.
var modes = strings.Fields("nearest linear wrap mirror clamp_ogl clamp_to_edge clamp_to_border")

// opaqueRules reports settings that a variable does not have, and samplers in modules whose textures contain them.
func (p *module) opaqueRules(v *ast.Var) {
	if !v.Type.IsOpaque() {
		return
	}
	if v.Type == ast.Samplerref && !p.m.Independent() {
		p.report(v.Pos, "a .samplerref needs .target texmode_independent")
	}
	for _, f := range v.Fields {
		switch {
		case !slices.Contains(settings[v.Type], f.Name):
			p.report(f.Pos, "a .%s has no %s", v.Type, f.Name)
		case f.Value != "" && !slices.Contains(modes, f.Value):
			p.report(f.Pos, "no setting is named %s", f.Value)
		}
	}
}

// addressRules reports addresses in an initial value that are of no memory of the device, or of functions with an offset.
func (p *module) addressRules(v *ast.Var) {
	if v.Init == nil {
		return
	}
	for i := range v.Init.Relocs {
		r := &v.Init.Relocs[i]
		s, ok := p.m.Lookup(r.Name)
		switch {
		case !ok:
		case s.Func >= 0 && (r.Addend != 0 || r.Generic):
			p.report(r.Pos, "the address of a function stands alone")
		case s.Var >= 0 && p.m.Vars[s.Var].Space != ast.GlobalSpace && p.m.Vars[s.Var].Space != ast.ConstSpace && p.m.Vars[s.Var].Space != ast.TexSpace:
			p.report(r.Pos, "%s is not in .global or .const", r.Name)
		}
	}
}

// masksByte reports a mask of one whole byte.
func masksByte(mask uint64) bool {
	for ; mask != 0; mask >>= 8 {
		if mask == 0xff {
			return true
		}
		if mask&0xff != 0 {
			return false
		}
	}
	return false
}
