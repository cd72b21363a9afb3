package mem

import "slices"

// Reserve finds size bytes of addresses, whole blocks, at the wished one if that is free, else at a multiple of
// align. Nothing is there yet. What the device's window has no room for gets a window of its own.
func (s *Space) Reserve(size, align, wish uint64) (uint64, error) {
	if _, err := s.arena(); err != nil {
		return 0, err
	}
	align = max(align, blockSize)
	if a := s.window(wish); a != nil {
		if at, err := a.reserve(size, align, wish); err == nil {
			return at, nil
		}
	}
	for a := range s.windows {
		if at, err := a.reserve(size, align, 0); err == nil {
			return at, nil
		}
	}
	need := size + align - blockSize
	a, err := s.further(need)
	if err != nil && s.shed() == nil {
		a, err = s.further(need)
	}
	if err != nil {
		return 0, err
	}
	return a.reserve(size, align, 0)
}

// shed gives windows for reservations that hold none back to the host.
func (s *Space) shed() (err error) {
	u := s.uva
	u.mu.Lock()
	defer u.mu.Unlock()
	var kept []*arena
	for _, a := range list(&s.more) {
		a.mu.Lock()
		free := a.blocks.takeAt(a.base, a.size)
		a.mu.Unlock()
		if free {
			err = joined(err, a.win.close())
		} else {
			kept = append(kept, a)
		}
	}
	s.more.Store(&kept)
	return err
}

// reserve takes size bytes of free blocks, at an address or, where that is 0, at a multiple of align.
func (a *arena) reserve(size, align, at uint64) (uint64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ok := false
	if at != 0 {
		ok = a.blocks.takeAt(at, size)
	} else {
		at, ok = a.blocks.take(size, align)
	}
	if !ok {
		return 0, a.noRoom()
	}
	if err := a.win.openTo(at + size - a.base); err != nil {
		a.blocks.give(at, at+size)
		return 0, outOfMemory("the host gives no more memory")
	}
	a.mark(at, at+size, false)
	return at, nil
}

// Unreserve gives addresses back where nothing is mapped any more.
func (s *Space) Unreserve(addr, size uint64) {
	if a := s.window(addr); a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.blocks.give(addr, addr+size)
		a.win.discard(addr-a.base, addr+size-a.base)
	}
}

// further makes a window of at least size bytes, for reservations only.
func (s *Space) further(size uint64) (*arena, error) {
	if s.cfg.Low {
		return nil, outOfMemory("no address space below 4 GiB")
	}
	w, err := reserveApart(max(size, 2*s.cfg.DeviceBytes))
	if err != nil {
		return nil, err
	}
	u := s.uva
	u.mu.Lock()
	defer u.mu.Unlock()
	if s.closed.Load() {
		return nil, joined(w.close(), ErrClosed)
	}
	a := newArena(w, 0, reservedPlace+u.reserved, u.forget)
	u.reserved += a.size
	l := append(slices.Clone(list(&s.more)), a)
	s.more.Store(&l)
	return a, nil
}

// windows yields those of the device's memory.
func (s *Space) windows(yield func(*arena) bool) {
	if a := s.dev.Load(); a != nil && !yield(a) {
		return
	}
	for _, a := range list(&s.more) {
		if !yield(a) {
			return
		}
	}
}

// window is that of the device's memory that holds an address, nil if none does.
func (s *Space) window(addr uint64) *arena {
	for a := range s.windows {
		if a.holds(addr) {
			return a
		}
	}
	return nil
}
