package isa

// LocalMemory is the local memory of a warp's lanes, Stride bytes for each.
type LocalMemory struct {
	Bytes  []byte
	Stride uint32
	Floor  uint32 // where the memory that lanes ask for begins, above all frames
	Top    Lanes  // bytes that each lane has there
}

// At returns n bytes of lane l's local memory at offset off.
func (m *LocalMemory) At(l int, off uint32, n int) ([]byte, bool) {
	if uint64(off)+uint64(n) > uint64(m.Stride) {
		return nil, false
	}
	i := uint32(l)*m.Stride + off
	return m.Bytes[i : i+uint32(n)], true
}

// Reset gives each lane stride bytes, all zero.
func (m *LocalMemory) Reset(stride uint32) {
	n := int(stride) * WarpSize
	if cap(m.Bytes) < n {
		m.Bytes = make([]byte, n)
	}
	m.Bytes, m.Stride = m.Bytes[:n], stride
	clear(m.Bytes)
}

// Grow makes room for at least stride bytes in each lane.
func (m *LocalMemory) Grow(stride uint32) {
	if stride <= m.Stride {
		return
	}
	stride = max(stride, 2*m.Stride)
	n, old, bytes := int(stride)*WarpSize, m.Bytes, m.Bytes
	if cap(old) < n {
		bytes = make([]byte, n)
	}
	bytes = bytes[:n]
	for l := WarpSize - 1; l >= 0; l-- { // in the same memory lanes move upwards
		lane := bytes[uint32(l)*stride:][:stride]
		copy(lane, old[uint32(l)*m.Stride:][:m.Stride])
		clear(lane[m.Stride:])
	}
	m.Bytes, m.Stride = bytes, stride
}

// GlobalBytes returns the n bytes at global address a, nil after raising
// IllegalAddress. The last span used is kept, so that neighbouring accesses
// need one compare.
func (w *Warp) GlobalBytes(l int, a uint64, n int, write bool) []byte {
	if off := a - w.cache.Lo; off <= uint64(len(w.cache.Bytes))-uint64(n) && a >= w.cache.Lo && len(w.cache.Bytes) >= n {
		return w.cache.Bytes[off : off+uint64(n)]
	}
	return w.globalSlow(l, a, n, write)
}

func (w *Warp) globalSlow(l int, a uint64, n int, write bool) []byte {
	s, ok := w.GlobalSpan(l, a, n, write)
	if !ok {
		return nil
	}
	return s.Bytes[a-s.Lo : a-s.Lo+uint64(n)]
}

// GlobalSpan is GlobalBytes for those who look at all bytes around: ok is false after
// raising IllegalAddress.
func (w *Warp) GlobalSpan(l int, a uint64, n int, write bool) (s Span, ok bool) {
	s, ok = w.CTA.Memory.Span(a)
	if !ok || a+uint64(n) > s.Hi || a+uint64(n) < a || write && s.ReadOnly {
		w.Raise(Trap{Kind: IllegalAddress, Lane: l, Addr: a, Bytes: n, Space: Global, Write: write})
		return s, false
	}
	if !s.ReadOnly { // those who take the cached span may write to it
		w.cache = s
	}
	return s, true
}

// Refresh drops the cached span when an allocation has been freed since it was
// taken. An engine calls it whenever it starts to run the warp.
func (w *Warp) Refresh() {
	if g := w.CTA.Memory.Generation(); g != w.gen {
		w.gen, w.cache = g, Span{}
	}
}

// Bytes returns the n bytes that lane l reaches at address a in a space; for
// Generic the address decides. It checks alignment to align bytes and bounds,
// raises a trap and returns nil if either fails, and notes the access in the
// Effect if one is wanted.
func (w *Warp) Bytes(s Space, l int, a uint64, n, align int, write bool) []byte {
	if a&uint64(align-1) != 0 {
		w.Raise(Trap{Kind: Misaligned, Lane: l, Addr: a, Bytes: n, Space: s, Write: write})
		return nil
	}
	said := s
	if s == Generic {
		s = SpaceOf(a)
	}
	if s == SharedCluster {
		s = Shared
	}
	if w.Effect != nil {
		x := Access{Lane: uint8(l), Space: s, Write: write, Bytes: uint8(n), Addr: a}
		if s == Shared {
			x.Locate(w.CTA, a)
		}
		w.Effect.Accesses = append(w.Effect.Accesses, x)
	}
	var b []byte
	kind := IllegalAddress
	switch s {
	case Shared:
		if b = w.sharedBytes(said, uint32(a), n, write); b == nil {
			kind = w.CTA.SharedTrap(said, uint32(a))
		}
	case Local:
		b, _ = w.Local.At(l, uint32(a), n)
	case Param:
		if !write {
			b = within(w.CTA.Params, uint32(a), n)
		}
	default:
		return w.GlobalBytes(l, a, n, write)
	}
	if b == nil {
		w.Raise(Trap{Kind: kind, Lane: l, Addr: a, Bytes: n, Space: s, Write: write})
	}
	return b
}

// sharedBytes is Bytes for shared memory: of the CTA alone if the instruction
// said so.
func (w *Warp) sharedBytes(said Space, a uint32, n int, write bool) []byte {
	if said == Shared && a>>ClusterShift != w.CTA.Rank {
		return nil
	}
	bytes, base := w.CTA.SharedAt(a, write)
	return within(bytes, a-base, n)
}

func within(b []byte, off uint32, n int) []byte {
	if uint64(off)+uint64(n) > uint64(len(b)) {
		return nil
	}
	return b[off : off+uint32(n)]
}

// Cached is the span that the warp's last global access fell into.
func (w *Warp) Cached() Span { return w.cache }
