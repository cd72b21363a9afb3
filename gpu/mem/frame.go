package mem

// Frame is a range of addresses and where it lies in the simulated machine. The host chooses
// addresses, and not always the same; where things lie follows from the program alone.
type Frame struct {
	Lo, Hi uint64 // the range of addresses
	Place  uint64 // of Lo
}

// Contains reports whether addr is one of the range's addresses.
func (f Frame) Contains(addr uint64) bool { return addr-f.Lo < f.Hi-f.Lo }

// Of is where addr, one of the range's, lies.
func (f Frame) Of(addr uint64) uint64 { return addr - f.Lo + f.Place }

// Where windows and registered ranges lie in the simulated machine, the windows of devices after
// one another. A device's is twice its memory.
const (
	hostPlace       = 1 << 41
	registeredPlace = 2 << 41
	devicePlace     = 3 << 41
	deviceStep      = 2 * maxDeviceBytes
	reservedPlace   = devicePlace + maxDevices*deviceStep
)

// Frame finds the range with addr in it. It stays true for as long as Generation is the same.
func (s *Space) Frame(addr uint64) (f Frame, ok bool) {
	u := s.uva
	if a := u.host.Load(); a != nil && a.holds(addr) {
		return a.frame(), true
	}
	for _, d := range list(&u.spaces) {
		if a := d.window(addr); a != nil {
			return a.frame(), true
		}
	}
	// Registered memory is reached by whole pages, so those around a range belong to it.
	b, ok := u.touches(addr&^(pageSize-1), pageSize)
	if !ok {
		return Frame{}, false
	}
	lo := b.Base &^ (pageSize - 1)
	return Frame{Lo: lo, Hi: roundUp(b.End(), pageSize), Place: registeredPlace + b.place}, true
}

func (a *arena) frame() Frame {
	return Frame{Lo: a.base, Hi: a.base + a.size, Place: a.place}
}
