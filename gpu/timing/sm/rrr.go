package sm

func init() { Register("rrr", func(*Config) Policy { return &rrr{} }) }

// rrr is strict round robin, as GPGPU-Sim has it: the turn goes on when a warp has
// issued, ended or waits for others; until then nobody else issues.
type rrr struct{ turn int }

func (p *rrr) Pick(v *View, set uint32) int {
	for able := v.Live &^ v.Parked; able != 0 && able>>p.turn&1 == 0; {
		p.turn = (p.turn + 1) % 32
	}
	if set>>p.turn&1 != 0 {
		return p.turn
	}
	return -1
}

func (p *rrr) Issued(*View, int) { p.turn = (p.turn + 1) % 32 }
