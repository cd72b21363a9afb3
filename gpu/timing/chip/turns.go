package chip

func init() { RegisterPlacement("turns", turns{}) }

// turns deals CTAs out to the SMs in turn.
type turns struct{}

func (turns) Better(*Residents, int, int) bool { return false }

func (turns) Any() bool { return true }
