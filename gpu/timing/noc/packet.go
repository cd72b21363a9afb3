package noc

// Kind is what a packet asks for.
type Kind uint8

// The kinds. Every request has one reply, which a write's and a reduction's is
// without data.
const (
	Read   Kind = iota
	Write       // of the sectors that Full marks wholly, of the others in part
	Atomic      // read, modify, write at L2; the old values come back
	Reduce      // the same without the old values
	Ahead       // a read whose data stay in L2
	Copy        // a read by a slice of another partition
)

func (k Kind) String() string {
	return [...]string{"read", "write", "atomic", "reduce", "ahead", "copy"}[k]
}

// Packet is a request for sectors of one line, or the reply to one.
type Packet struct {
	Addr    uint64 // of the line
	Tag     uint32 // the sender's
	Src     uint16 // the SM
	Kind    Kind
	Reply   bool
	Sectors uint8
	Full    uint8    // sectors written wholly, or worked on by an atomic wholly
	Lanes   uint8    // operations of an atomic
	Depths  [4]uint8 // most operations of an atomic on one address, by sector
}

// Carries is the number of sectors that travel with the packet: data and, where
// some are written in part, one that says which bytes.
func (p *Packet) Carries() int {
	data := p.Kind != Read && p.Kind != Ahead
	if p.Reply {
		data = p.Kind == Read || p.Kind == Atomic
	}
	if !data {
		return 0
	}
	n := int(popcount[p.Sectors])
	if p.Kind == Write && p.Full != p.Sectors {
		n++
	}
	return n
}

var popcount = func() (t [256]uint8) {
	for i := 1; i < 256; i++ {
		t[i] = t[i>>1] + uint8(i&1)
	}
	return t
}()
