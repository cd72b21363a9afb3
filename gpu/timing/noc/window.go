package noc

// Addresses in packets. Below LocalWindow are those of the program's data; what it has no
// addresses for lies in windows above.
const (
	LocalWindow = 1 << 47             // local memory, of all SMs
	MapWindow   = LocalWindow | 1<<46 // descriptors of tensor maps that are parameters
	CodeWindow  = 1 << 48             // code, with its constants
	AddressBits = 49                  // all addresses are less than 1<<AddressBits
)
