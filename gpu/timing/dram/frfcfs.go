package dram

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

func init() {
	Register("frfcfs", func(c *Config) Scheduler { return frfcfs{starve: kit.Cycle(c.Starve)} })
}

// frfcfs serves the oldest request of the open row, or else the oldest. A request
// that has waited too long is served whatever its row.
type frfcfs struct{ starve kit.Cycle }

func (s frfcfs) Pick(c *Channel, bank int, now kit.Cycle) int32 {
	chain := &c.banks[bank].chain[c.mode]
	if chain.hit < 0 || now-c.requests.At(chain.head).since > s.starve {
		return chain.head
	}
	return chain.hit
}
