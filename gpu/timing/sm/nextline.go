package sm

func init() { RegisterPrefetcher("next_line", nextLine{}) }

// nextLine asks for the line that follows a miss.
type nextLine struct{}

func (nextLine) Line(missed uint64, n int) (uint64, bool) { return missed + 1, n == 0 }
