package rt

import "errors"

// peers checks that both devices exist.
func (t *Thread) peers(a, b int) (same bool, err error) {
	for _, d := range []int{a, b} {
		if _, err := t.runtime.device(d); err != nil {
			return false, err
		}
	}
	return a == b, nil
}

// DeviceCanAccessPeer is cudaDeviceCanAccessPeer: every other device can.
func (t *Thread) DeviceCanAccessPeer(device, peer int) (bool, error) {
	same, err := t.peers(device, peer)
	return !same && err == nil, err
}

// DeviceEnablePeerAccess is cudaDeviceEnablePeerAccess.
func (t *Thread) DeviceEnablePeerAccess(peer int, flags uint32) error {
	if _, err := t.peers(t.device, peer); err != nil {
		return err
	}
	if flags != 0 {
		return fail(ErrInvalidValue, "peer access flags %#x", flags)
	}
	c, p, err := t.peer(peer)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.peers[peer] {
		return fail(ErrPeerAccessAlreadyEnabled, "device %d", peer)
	}
	c.peers[peer] = true
	c.memory.EnablePeer(p.memory)
	return nil
}

// DeviceDisablePeerAccess is cudaDeviceDisablePeerAccess.
func (t *Thread) DeviceDisablePeerAccess(peer int) error {
	c, p, err := t.peer(peer)
	if errors.Is(err, ErrPeerAccessUnsupported) {
		err = fail(ErrPeerAccessNotEnabled, "device %d to itself", peer)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.peers[peer] {
		return fail(ErrPeerAccessNotEnabled, "device %d", peer)
	}
	delete(c.peers, peer)
	c.memory.DisablePeer(p.memory)
	return nil
}

// peer finds the contexts of the thread's device and of another one.
func (t *Thread) peer(peer int) (own, other *Context, err error) {
	if own, err = t.context(); err != nil {
		return nil, nil, err
	}
	same, err := t.peers(own.device.ordinal, peer)
	if err != nil {
		return nil, nil, err
	}
	if same {
		return nil, nil, fail(ErrPeerAccessUnsupported, "device %d to itself", peer)
	}
	other, err = t.runtime.devices[peer].context()
	return own, other, err
}

// The attributes of cudaDeviceGetP2PAttribute.
const (
	p2pPerformanceRank = 1
	p2pAccess          = 2
	p2pNativeAtomics   = 3
	p2pArrays          = 4
)

// DeviceGetP2PAttribute is cudaDeviceGetP2PAttribute.
func (t *Thread) DeviceGetP2PAttribute(attribute, src, dst int) (int, error) {
	same, err := t.peers(src, dst)
	if err != nil {
		return 0, err
	}
	if same {
		return 0, fail(ErrInvalidDevice, "device %d to itself", src)
	}
	switch attribute {
	case p2pPerformanceRank:
		return 0, nil
	case p2pAccess, p2pNativeAtomics, p2pArrays:
		return 1, nil
	}
	return 0, fail(ErrInvalidValue, "peer attribute %d", attribute)
}
