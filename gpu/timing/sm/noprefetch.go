package sm

func init() { RegisterPrefetcher("none", noPrefetch{}) }

// noPrefetch asks for nothing.
type noPrefetch struct{}

func (noPrefetch) Line(uint64, int) (uint64, bool) { return 0, false }
