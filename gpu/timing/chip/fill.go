package chip

func init() { RegisterPlacement("fill", fill{}) }

// fill gives CTAs to the first SM that has room.
type fill struct{}

func (fill) Better(_ *Residents, n, best int) bool { return n < best }

func (fill) Any() bool { return false }
