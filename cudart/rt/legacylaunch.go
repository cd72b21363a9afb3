package rt

import "encoding/binary"

// legacyLaunch is the state that cuFuncSetBlockShape, cuParamSetv and their
// relatives leave in a function, in place of arguments to its launch.
type legacyLaunch struct {
	block  [3]uint32
	shared uint64
	size   uint32
	params []byte
}

// maxLegacyParams bounds the parameters in bytes, as it does on all devices.
const maxLegacyParams = 4096

// legacyState finds a function and its state.
func (t *Thread) legacyState(handle uint64) (*legacyLaunch, error) {
	f, err := t.runtime.function(handle)
	if err != nil {
		return nil, err
	}
	t.runtime.registry.mu.Lock()
	defer t.runtime.registry.mu.Unlock()
	if f.legacy == nil {
		f.legacy = &legacyLaunch{block: [3]uint32{1, 1, 1}, params: make([]byte, maxLegacyParams)}
	}
	return f.legacy, nil
}

// FuncSetBlockShape is cuFuncSetBlockShape.
func (t *Thread) FuncSetBlockShape(handle uint64, block [3]int32) error {
	l, err := t.legacyState(handle)
	if err != nil {
		return err
	}
	for _, n := range block {
		if n <= 0 {
			return fail(ErrInvalidValue, "a block of %v threads", block)
		}
	}
	p, err := t.prepareHere(handle)
	if err != nil {
		return err
	}
	shape := Launch{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{uint32(block[0]), uint32(block[1]), uint32(block[2])}}
	if err := checkShape(t.runtime.model.Launch.MaxThreadsPerBlock, &shape, maxGrid(p), maxBlock(p)); err != nil {
		return err
	}
	l.block = shape.Block
	return nil
}

// FuncSetSharedSize is cuFuncSetSharedSize, in bytes.
func (t *Thread) FuncSetSharedSize(handle uint64, size uint32) error {
	l, err := t.legacyState(handle)
	if err == nil {
		l.shared = uint64(size)
	}
	return err
}

// ParamSetSize is cuParamSetSize, in bytes.
func (t *Thread) ParamSetSize(handle uint64, size uint32) error {
	l, err := t.legacyState(handle)
	if err != nil {
		return err
	}
	if size > maxLegacyParams {
		return fail(ErrInvalidValue, "%d bytes of parameters", size)
	}
	l.size = size
	return nil
}

// ParamSet is cuParamSetv: bytes at an offset of the parameters.
func (t *Thread) ParamSet(handle uint64, offset int, value []byte) error {
	l, err := t.legacyState(handle)
	if err != nil {
		return err
	}
	if offset < 0 || offset > maxLegacyParams-len(value) {
		return fail(ErrInvalidValue, "%d bytes of parameters at %d", len(value), offset)
	}
	copy(l.params[offset:], value)
	return nil
}

// ParamSetWord is cuParamSeti and cuParamSetf.
func (t *Thread) ParamSetWord(handle uint64, offset int, word uint32) error {
	return t.ParamSet(handle, offset, binary.LittleEndian.AppendUint32(nil, word))
}

// LaunchLegacy is cuLaunch, cuLaunchGrid and cuLaunchGridAsync.
func (t *Thread) LaunchLegacy(handle uint64, width, height int32, s StreamHandle) error {
	l, err := t.legacyState(handle)
	if err != nil {
		return err
	}
	if width <= 0 || height <= 0 {
		return fail(ErrInvalidValue, "a grid of %d x %d blocks", width, height)
	}
	return t.LaunchKernel(Launch{
		Function: handle, Grid: [3]uint32{uint32(width), uint32(height), 1}, Block: l.block, Shared: l.shared, Stream: s,
		Packed: append([]byte{}, l.params[:l.size]...),
	})
}
