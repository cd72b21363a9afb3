package sm

func init() { Register("oldest", func(*Config) Policy { return oldest{} }) }

// oldest issues from the warp that came first.
type oldest struct{}

func (oldest) Pick(v *View, set uint32) int { return v.Oldest(set) }
func (oldest) Issued(*View, int)            {}
