package link

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Image is the initial contents of a variable, with the addresses of what it
// points to. All variables must have their addresses.
func (m *Module) Image(v *Variable) ([]byte, error) {
	data := make([]byte, v.Size)
	init := v.decl.Init
	if init == nil {
		return data, nil
	}
	copy(data, init.Data)
	for i := range init.Relocs {
		r := &init.Relocs[i]
		addr, ok := v.unit.address(r.Name)
		if !ok {
			return nil, fmt.Errorf("%s points to %s, which is not defined", v.Name, r.Name)
		}
		value := (addr + uint64(r.Addend)) & r.Mask
		if r.Mask != 0 {
			value >>= bits.TrailingZeros64(r.Mask)
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], value)
		if end := r.Offset + int64(r.Width); r.Width > 8 || end > int64(len(data)) {
			return nil, fmt.Errorf("%s: an address at byte %d does not fit", v.Name, r.Offset)
		}
		copy(data[r.Offset:], b[:r.Width])
	}
	return data, nil
}

// address is the generic address of a variable or function of the unit.
func (u *Unit) address(name string) (uint64, bool) {
	if v := u.vars[name]; v != nil {
		return v.Addr, true
	}
	if f := u.funcs[name]; f != nil {
		return f.addr, true
	}
	return 0, false
}
