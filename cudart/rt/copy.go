package rt

import (
	"hash/fnv"
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/stream"
)

// The directions of copies.
const (
	hostToHost     = 0
	hostToDevice   = 1
	deviceToHost   = 2
	deviceToDevice = 3
	anyDirection   = 4
)

// Order says which stream a copy or set is ordered in, and whether the host goes
// on at once.
type Order struct {
	Stream StreamHandle
	Async  bool
	Staged bool // the source is read during the call
}

// region is a place in memory: rows a pitch apart in slices a slice pitch apart,
// both in bytes; or a place in an image of tiles.
type region struct {
	addr, pitch, slice uint64
	tiles              *isa.Tiles
	x, y, z            uint64 // in the image; x in bytes
}

// box is the extent of a copy; width in bytes.
type box struct{ width, height, depth uint64 }

func (b box) empty() bool { return b.width == 0 || b.height == 0 || b.depth == 0 }

// reach is the number of bytes from the first to the last of the box in r; ok is
// false if rows or slices overlap or the number is absurd.
func (b box) reach(r region) (n uint64, ok bool) {
	const absurd = 1 << 48
	if b.width > absurd || b.height > absurd || b.depth > absurd {
		return 0, false
	}
	if b.height > 1 && (r.pitch < b.width || b.height > absurd/r.pitch) {
		return 0, false
	}
	if b.depth > 1 && (r.slice < r.pitch*(b.height-1)+b.width || b.depth > absurd/r.slice) {
		return 0, false
	}
	return r.slice*(b.depth-1) + r.pitch*(b.height-1) + b.width, true
}

// side tells who can reach an address.
type side uint8

const (
	plain  side = iota // memory of the host alone
	shared             // pinned, managed, registered
	device
)

func (c *Context) side(addr uint64) side {
	b, ok := c.memory.Lookup(addr)
	switch {
	case !ok:
		return plain
	case b.Kind == mem.Device:
		return device
	}
	return shared
}

// sideOf tells who can reach a region.
func (c *Context) sideOf(r region) side {
	if r.tiles != nil {
		return device
	}
	return c.side(r.addr)
}

// checkDirection compares a copy's kind with where its ends lie. What devices reach
// may stand for the host as well, and from host to host everything is taken
// (measured).
func checkDirection(kind int, dst, src side) error {
	wrong := false
	switch kind {
	case hostToHost, anyDirection:
	case hostToDevice:
		wrong = dst == plain
	case deviceToHost:
		wrong = src == plain
	case deviceToDevice:
		wrong = dst == plain || src == plain
	default:
		return fail(ErrInvalidMemcpyDirection, "copy kind %d", kind)
	}
	if wrong {
		return fail(ErrInvalidValue, "the addresses do not suit copy kind %d", kind)
	}
	return nil
}

// checkBounds refuses boxes that pass the end of an allocation, and writes where the
// device may only read.
func (c *Context) checkBounds(r region, b box, write bool) error {
	if r.tiles != nil {
		return nil // the array's extent was checked
	}
	n, ok := b.reach(r)
	if !ok {
		return fail(ErrInvalidValue, "rows of %d bytes at a pitch of %d", b.width, r.pitch)
	}
	if c.side(r.addr) == plain {
		return nil
	}
	reach := c.memory.Bytes
	if write {
		reach = c.memory.Writable
	}
	_, err := reach(r.addr, n)
	return err
}

// copyBox is all copies: it checks, and submits the work.
func (t *Thread) copyBox(dst, src region, b box, kind int, o Order) error {
	c, s, m, err := t.work(o.Stream)
	if err != nil {
		return err
	}
	if b.empty() {
		return nil
	}
	to, from, err := c.checkCopy(dst, src, b, kind)
	if err != nil {
		return err
	}
	if m != nil {
		return t.add(m, c.copyTask(dst, src, b, kind))
	}
	if o.Async && from == plain && to != plain && b.height == 1 && b.depth == 1 && b.width <= maxStaged && dst.tiles == nil {
		return c.copyStaged(s, dst.addr, src.addr, b.width)
	}
	return c.submitCopy(s, o.Staged || copyWaits(to, from, o.Async), c.transfer(wayOf(to, from), b.bytes(), func() error { return c.move(dst, src, b) }))
}

// checkCopy refuses copies whose ends do not suit their kind or their extent.
func (c *Context) checkCopy(dst, src region, b box, kind int) (to, from side, err error) {
	to, from = c.sideOf(dst), c.sideOf(src)
	if err := checkDirection(kind, to, from); err != nil {
		return to, from, err
	}
	if err := c.checkBounds(dst, b, true); err != nil {
		return to, from, err
	}
	return to, from, c.checkBounds(src, b, false)
}

// maxStaged is the size in bytes up to which an asynchronous copy from pageable
// memory takes the bytes with it instead of making the host wait (Programming
// Guide: API synchronization behavior).
const maxStaged = 64 << 10

// copyStaged takes the bytes at once, so that the host may change them.
func (c *Context) copyStaged(s *stream.Stream, dst, src, n uint64) error {
	staged := make([]byte, n)
	if err := c.memory.Read(src, staged); err != nil {
		return err
	}
	return c.submit(s, false, c.transfer(chip.Unpinned, n, func() error { return c.memory.Write(dst, staged) }))
}

// copyWaits says whether the host waits for a copy: not if it only concerns the
// device, and always if pageable memory takes part.
func copyWaits(dst, src side, async bool) bool {
	if async {
		return dst == plain || src == plain
	}
	return dst != device || src != device
}

// submitCopy submits a copy. A copy that the host waits for reports its own
// error to the host; one that fails later stops the device.
func (c *Context) submitCopy(s *stream.Stream, wait bool, x transfer) error {
	if !wait {
		return c.submit(s, false, x)
	}
	var failed error
	move := x.move
	x.move = func() error {
		if failed = move(); CodeOf(failed) == ErrLaunchFailure {
			return failed // which stops the device
		}
		return nil
	}
	err := c.submit(s, true, x)
	if err == nil {
		err = failed
	}
	return err
}

// move copies the bytes.
func (c *Context) move(dst, src region, b box) error {
	for z := range b.depth {
		if err := c.moveSlice(dst, src, b, z); err != nil {
			return err
		}
	}
	if c.device.runtime.config.Copied != nil && c.sideOf(dst) != device && c.sideOf(src) != plain {
		return c.report(src, b)
	}
	return nil
}

func (c *Context) moveSlice(dst, src region, b box, z uint64) error {
	if dst.tiles == nil && src.tiles == nil {
		to := mem.Plane{Addr: dst.addr + z*dst.slice, Pitch: dst.pitch}
		from := mem.Plane{Addr: src.addr + z*src.slice, Pitch: src.pitch}
		return c.memory.Copy2D(to, from, b.width, b.height)
	}
	for y := range b.height {
		if err := c.moveRow(dst, src, b.width, y, z); err != nil {
			return err
		}
	}
	return nil
}

// moveRow copies a row of which tiles take part: what goes where no memory is
// mapped is lost, and zeros come from there.
func (c *Context) moveRow(dst, src region, width, y, z uint64) error {
	for done := uint64(0); done < width; {
		to, run := dst.find(done, y, z)
		from, n := src.find(done, y, z)
		n = min(n, run, width-done)
		done += n
		var err error
		switch {
		case to == 0 && dst.tiles.Faults, from == 0 && src.tiles != nil && src.tiles.Faults:
			err = fail(ErrLaunchFailure, "a deferred array has no memory yet")
		case to == 0:
		case from == 0:
			err = c.memory.Write(to, make([]byte, n))
		default:
			err = c.memory.Copy(to, from, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// find is the address of a byte of the region, 0 if nothing is mapped there, and
// how many bytes follow it.
func (r region) find(x, y, z uint64) (addr, run uint64) {
	if r.tiles == nil {
		return r.addr + z*r.slice + y*r.pitch + x, math.MaxUint64
	}
	return r.tiles.Find(r.x+x, r.y+y, r.z+z)
}

// report tells of a copy to the host, by an FNV digest of the bytes.
func (c *Context) report(src region, b box) error {
	digest, row := fnv.New64a(), make([]byte, b.width)
	for z := range b.depth {
		for y := range b.height {
			if err := c.readRow(src, row, y, z); err != nil {
				return err
			}
			digest.Write(row)
		}
	}
	c.device.runtime.config.Copied(b.width*b.height*b.depth, digest.Sum64())
	return nil
}

// readRow reads a row of a region.
func (c *Context) readRow(src region, row []byte, y, z uint64) error {
	for x := 0; x < len(row); {
		addr, run := src.find(uint64(x), y, z)
		part := row[x:][:min(run, uint64(len(row)-x))]
		clear(part)
		if x += len(part); addr == 0 {
			continue
		}
		if err := c.memory.Read(addr, part); err != nil {
			return err
		}
	}
	return nil
}

// Memcpy is cudaMemcpy and cudaMemcpyAsync.
func (t *Thread) Memcpy(dst, src, n uint64, kind int, o Order) error {
	if n != 0 && (kind < hostToHost || kind > anyDirection) {
		return fail(ErrInvalidMemcpyDirection, "copy kind %d", kind)
	}
	return t.copyBox(region{addr: dst}, region{addr: src}, box{n, 1, 1}, kind, o)
}

// Pitched is a place in memory whose rows are Pitch bytes apart.
type Pitched struct{ Addr, Pitch uint64 }

// Memcpy2D is cudaMemcpy2D and cudaMemcpy2DAsync; width is in bytes.
func (t *Thread) Memcpy2D(dst, src Pitched, width, height uint64, kind int, o Order) error {
	if kind < hostToHost || kind > anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy kind %d", kind)
	}
	if err := t.checkPitch(width, height, dst.Pitch, src.Pitch); err != nil {
		return err
	}
	return t.copyBox(region{addr: dst.Addr, pitch: dst.Pitch}, region{addr: src.Addr, pitch: src.Pitch}, box{width, height, 1}, kind, o)
}

// checkPitch refuses pitches below the width or above the device's limit. The code
// depends on whether there is a second row (measured).
func (t *Thread) checkPitch(width, height uint64, pitches ...uint64) error {
	for _, p := range pitches {
		code := ErrInvalidValue
		if p < width && height > 1 {
			code = ErrInvalidPitchValue
		}
		if p < width || p > uint64(t.runtime.model.Memory.MaxPitch) {
			return fail(code, "a pitch of %d bytes for rows of %d", p, width)
		}
	}
	return nil
}

// MemcpyPeer is cudaMemcpyPeer and cudaMemcpyPeerAsync. Addresses say themselves
// which device they belong to.
func (t *Thread) MemcpyPeer(dst uint64, dstDevice int, src uint64, srcDevice int, n uint64, o Order) error {
	if _, err := t.peers(dstDevice, srcDevice); err != nil {
		return err
	}
	c, err := t.context()
	if err != nil {
		return err
	}
	if n != 0 && (c.side(dst) == plain || c.side(src) == plain) {
		return fail(ErrInvalidValue, "a copy between devices from %#x to %#x", src, dst)
	}
	if _, _, err := t.uncapturable(o.Stream); err != nil {
		return err
	}
	return t.copyBox(region{addr: dst}, region{addr: src}, box{n, 1, 1}, anyDirection, o)
}

// MemcpyToSymbol is cudaMemcpyToSymbol and its asynchronous form.
func (t *Thread) MemcpyToSymbol(host, src, n, offset uint64, kind int, o Order) error {
	if kind != hostToDevice && kind != deviceToDevice && kind != anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy to a symbol of kind %d", kind)
	}
	addr, err := t.symbolPart(host, n, offset)
	if err != nil {
		return err
	}
	return t.Memcpy(addr, src, n, kind, o)
}

// MemcpyFromSymbol is cudaMemcpyFromSymbol and its asynchronous form.
func (t *Thread) MemcpyFromSymbol(dst, host, n, offset uint64, kind int, o Order) error {
	if kind != deviceToHost && kind != deviceToDevice && kind != anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy from a symbol of kind %d", kind)
	}
	addr, err := t.symbolPart(host, n, offset)
	if err != nil {
		return err
	}
	return t.Memcpy(dst, addr, n, kind, o)
}

// symbolPart is the address of n bytes of a variable of the thread's device.
func (t *Thread) symbolPart(host, n, offset uint64) (uint64, error) {
	addr, err := t.GetSymbolAddress(host)
	if err != nil {
		return 0, err
	}
	s, err := t.runtime.symbol(host)
	if err != nil {
		return 0, err
	}
	if offset > s.size || n > s.size-offset {
		return 0, fail(ErrInvalidValue, "%d bytes at offset %d of %s, which has %d", n, offset, s.name, s.size)
	}
	return addr + offset, nil
}

// Memset is cudaMemset and cudaMemsetAsync.
func (t *Thread) Memset(addr uint64, value uint8, n uint64, o Order) error {
	return t.setBox(region{addr: addr}, value, box{n, 1, 1}, o)
}

// Memset2D is cudaMemset2D and cudaMemset2DAsync; width is in bytes.
func (t *Thread) Memset2D(dst Pitched, value uint8, width, height uint64, o Order) error {
	if height > 1 && dst.Pitch < width {
		return fail(ErrInvalidValue, "a pitch of %d bytes for rows of %d", dst.Pitch, width)
	}
	return t.setBox(region{addr: dst.Addr, pitch: dst.Pitch}, value, box{width, height, 1}, o)
}

// Volume is memory as cudaPitchedPtr describes it; Height is that of a slice in
// rows.
type Volume struct{ Addr, Pitch, Height uint64 }

func (v Volume) region() region {
	return region{addr: v.Addr, pitch: v.Pitch, slice: v.Pitch * v.Height}
}

// Memset3D is cudaMemset3D and cudaMemset3DAsync; the width is in bytes.
func (t *Thread) Memset3D(dst Volume, value uint8, e Extent, o Order) error {
	return t.setBox(dst.region(), value, box{e.Width, e.Height, e.Depth}, o)
}

// setBox is all sets.
func (t *Thread) setBox(dst region, value uint8, b box, o Order) error {
	return t.fill(Memset{
		Dst: dst.addr, Pitch: dst.pitch, slice: dst.slice, Value: uint32(value), Size: 1, Width: b.width, Height: b.height, depth: b.depth,
	}, o)
}

// fill submits a set. The host goes on at once where only device memory is
// concerned.
func (t *Thread) fill(set Memset, o Order) error {
	c, s, m, err := t.work(o.Stream)
	if err != nil || set.box().empty() {
		return err
	}
	if m != nil && c.side(set.Dst) == plain {
		return t.add(m, &setTask{c, set}) // its launch tells (measured)
	}
	if err := c.checkSet(&set); err != nil {
		return err
	}
	if m != nil {
		return t.add(m, &setTask{c, set})
	}
	return c.submitCopy(s, c.side(set.Dst) != device && !o.Async, c.filling(set.box(), func() error { return c.fill(&set) }))
}

// box is the extent of a set in bytes.
func (m *Memset) box() box { return box{m.Width * uint64(m.Size), m.Height, m.depth} }

// checkSet refuses sets outside of an allocation.
func (c *Context) checkSet(m *Memset) error {
	if c.side(m.Dst) == plain {
		return fail(ErrInvalidValue, "%#x is not device memory", m.Dst)
	}
	return c.checkBounds(region{addr: m.Dst, pitch: m.Pitch, slice: m.slice}, m.box(), true)
}
