package rt

// Copy is one copy of a batch.
type Copy struct{ Dst, Src, Size uint64 }

// BatchOrder says when the sources of the copies from First on are read: in
// stream order, during the call, or at any time from the call on.
type BatchOrder struct {
	Order int32
	First uint64
}

// The orders of reading a source.
const (
	orderStream = 1
	orderCall   = 2
	orderAny    = 3
)

func checkOrder(order int32) error {
	if order < orderStream || order > orderAny {
		return fail(ErrInvalidValue, "source access order %d", order)
	}
	return nil
}

// needStream refuses the legacy default stream, which batches do not take, and
// captured ones, whose capture goes on.
func (t *Thread) needStream(h StreamHandle) error {
	if h == LegacyStream {
		return fail(ErrInvalidValue, "a batch in the legacy default stream")
	}
	_, _, m, err := t.work(h)
	if m != nil {
		err = fail(ErrCaptureUnsupported, "a batch in a captured stream")
	}
	return err
}

// wholeBatch stands for no copy of a batch in particular.
const wholeBatch = -1

// MemcpyBatch is cudaMemcpyBatchAsync. With an error comes the number of the copy
// it is about, -1 for none in particular.
func (t *Thread) MemcpyBatch(list []Copy, orders []BatchOrder, h StreamHandle) (int, error) {
	if err := t.needStream(h); err != nil {
		return wholeBatch, err
	}
	if len(list) == 0 || len(orders) == 0 || len(orders) > len(list) || orders[0].First != 0 {
		return wholeBatch, fail(ErrInvalidValue, "%d copies with %d attributes", len(list), len(orders))
	}
	for i, o := range orders {
		if err := checkOrder(o.Order); err != nil {
			return wholeBatch, err
		}
		if o.First >= uint64(len(list)) || i > 0 && o.First <= orders[i-1].First {
			return wholeBatch, fail(ErrInvalidValue, "attributes from copy %d on", o.First)
		}
	}
	for i, c := range list {
		if c.Size == 0 {
			return i, fail(ErrInvalidValue, "a copy of no bytes")
		}
	}
	for i, c := range list {
		for len(orders) > 1 && orders[1].First <= uint64(i) {
			orders = orders[1:]
		}
		if err := t.Memcpy(c.Dst, c.Src, c.Size, anyDirection, Order{Stream: h, Async: true, Staged: orders[0].Order == orderCall}); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// BatchEnd is one end of a copy of a box. Place is, of memory, the length of a row
// and the height of a layer in elements, 0 for as much as is copied; of an array
// the element where it begins.
type BatchEnd struct {
	Kind   int32
	Handle uint64 // address or array
	Place  [3]uint64
}

// Kinds of ends.
const (
	endMemory = 1
	endArray  = 2
)

// BatchCopy is one copy of a box. Its extent is in elements.
type BatchCopy struct {
	Src, Dst BatchEnd
	Extent   Extent
	Order    int32
}

// Memcpy3DBatch is cudaMemcpy3DBatchAsync. With an error comes the number of the
// copy it is about, -1 for none in particular.
func (t *Thread) Memcpy3DBatch(list []BatchCopy, flags uint64, h StreamHandle) (int, error) {
	if err := t.needStream(h); err != nil {
		return wholeBatch, err
	}
	if len(list) == 0 || flags != 0 {
		return wholeBatch, fail(ErrInvalidValue, "%d copies with flags %#x", len(list), flags)
	}
	for i, c := range list {
		if err := t.copyBatch(c, h); err != nil {
			return i, err
		}
	}
	return 0, nil
}

func (t *Thread) copyBatch(c BatchCopy, h StreamHandle) error {
	if err := checkOrder(c.Order); err != nil {
		return err
	}
	if e := c.Extent; e.Width == 0 || e.Height == 0 || e.Depth == 0 {
		return fail(ErrInvalidValue, "a copy of %v elements", e)
	}
	unit := uint64(1) // the size of an element, which only arrays have
	for _, e := range []BatchEnd{c.Src, c.Dst} {
		if e.Kind == endArray {
			a, err := t.array(e.Handle)
			if err != nil {
				return err
			}
			unit = a.format.bytes()
		}
	}
	src, err := c.Src.end(c.Extent, unit)
	if err != nil {
		return err
	}
	dst, err := c.Dst.end(c.Extent, unit)
	if err != nil {
		return err
	}
	return t.Memcpy3D(dst, src, c.Extent, anyDirection, Order{Stream: h, Async: true, Staged: c.Order == orderCall})
}

// end is the end in the terms of a copy of a box.
func (e BatchEnd) end(size Extent, unit uint64) (End, error) {
	switch e.Kind {
	case endArray:
		return End{Array: e.Handle, X: e.Place[0], Y: e.Place[1], Z: e.Place[2]}, nil
	case endMemory:
		row, height := e.Place[0], e.Place[1]
		if row == 0 {
			row = size.Width
		}
		if height == 0 {
			height = size.Height
		}
		if row < size.Width || height < size.Height {
			return End{}, fail(ErrInvalidValue, "rows of %d and layers of %d for %v elements", row, height, size)
		}
		return End{Memory: Volume{Addr: e.Handle, Pitch: row * unit, Height: height}}, nil
	}
	return End{}, fail(ErrInvalidValue, "operand of type %d", e.Kind)
}
