package link

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// samplers are the samplers that the module's variables describe.
func (m *Module) samplers() map[uint64]*isa.Sampler {
	var all map[uint64]*isa.Sampler
	for _, v := range m.vars {
		if v.decl.Type != ast.Samplerref {
			continue
		}
		if all == nil {
			all = map[uint64]*isa.Sampler{}
		}
		all[v.Addr] = samplerOf(v.decl.Fields)
	}
	return all
}

// addressModes are the values of addr_mode_0 to 2 (PTX ISA 5.3). The two clamps
// are one to the hardware that is modelled.
var addressModes = map[string]isa.AddressMode{
	"wrap": isa.Wrap, "mirror": isa.Mirror, "clamp_ogl": isa.Clamp, "clamp_to_edge": isa.Clamp, "clamp_to_border": isa.Border,
}

func samplerOf(fields []ast.Field) *isa.Sampler {
	s := &isa.Sampler{Address: [3]isa.AddressMode{isa.Clamp, isa.Clamp, isa.Clamp}}
	for _, f := range fields {
		switch f.Name {
		case "filter_mode":
			s.Linear = f.Value == "linear"
		case "force_unnormalized_coords":
			s.InElements = f.Int != 0
		case "addr_mode_0", "addr_mode_1", "addr_mode_2":
			s.Address[f.Name[len(f.Name)-1]-'0'] = addressModes[f.Value]
		}
	}
	return s
}
