package chip

func init() { RegisterPlacement("fewest", fewestCTAs{}) }

// fewestCTAs gives CTAs to the SM that holds the fewest.
type fewestCTAs struct{}

func (fewestCTAs) Better(v *Residents, n, best int) bool { return v.CTAs(n) < v.CTAs(best) }

func (fewestCTAs) Any() bool { return false }
