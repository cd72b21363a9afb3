package sm

func init() { RegisterPrefetcher("stream", streamBuffer{}) }

// streamBuffer asks for the lines that follow a miss, as many as find room (Jouppi,
// ISCA 1990).
type streamBuffer struct{}

func (streamBuffer) Line(missed uint64, n int) (uint64, bool) { return missed + 1 + uint64(n), true }
