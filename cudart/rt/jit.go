package rt

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Options of the compiler (CUjit_option). Those that are not named steer
// optimisations, which there are none of, or say what holds here anyway.
const (
	jitInfoLog      = 3
	jitInfoLogSize  = 4
	jitErrorLog     = 5
	jitErrorLogSize = 6
	jitTarget       = 9
	jitVerbose      = 12
	jitSymbolNames  = 17
	jitSymbolCount  = 19
	jitLast         = 36
)

// JITOption is an option of the compiler. Slot is the address of its value, where
// the length of a log goes.
type JITOption struct {
	ID    int32
	Value uint64
	Slot  uint64
}

// log is a buffer of the program for messages.
type log struct{ addr, size, slot uint64 }

// jit is what a program wants of the compiler.
type jit struct {
	info, errors log
	verbose      bool
}

func newJIT(options []JITOption) (jit, error) {
	var j jit
	for _, o := range options {
		switch o.ID {
		case jitInfoLog:
			j.info.addr = o.Value
		case jitInfoLogSize:
			j.info.size, j.info.slot = o.Value&0xffffffff, o.Slot
		case jitErrorLog:
			j.errors.addr = o.Value
		case jitErrorLogSize:
			j.errors.size, j.errors.slot = o.Value&0xffffffff, o.Slot
		case jitVerbose:
			j.verbose = o.Value&0xffffffff != 0
		}
		if o.ID < 0 || o.ID > jitLast {
			return j, fail(ErrInvalidValue, "compiler option %d", o.ID)
		}
		if o.ID >= jitSymbolNames && o.ID <= jitSymbolCount {
			return j, unsupported("addresses for symbols of the host (compiler option %d)", o.ID)
		}
	}
	return j, nil
}

// write stores a text, cut to the buffer, and its length where the size stood.
func (l log) write(text string) {
	n := uint64(0)
	if l.addr != 0 && l.size > 0 {
		buffer := mem.Host(l.addr, l.size)
		n = uint64(copy(buffer[:l.size-1], text))
		buffer[n] = 0
	}
	if l.slot != 0 {
		binary.LittleEndian.PutUint64(mem.Host(l.slot, 8), n)
	}
}

// compile links units and tells the program's logs about it. Without a log for
// errors they go to the user.
func (r *Runtime) compile(units []Unit, j jit) (Program, error) {
	var p Program
	err := aside(func() error {
		err := r.checkTarget(units)
		if err == nil {
			p, err = r.config.Link(units)
		}
		if err != nil {
			return err
		}
		return p.Check()
	})
	if err != nil {
		j.info.write("")
		j.errors.write(err.Error())
		if j.errors.addr == 0 {
			r.report("compile "+units[0].Name, err)
		}
		return nil, err
	}
	j.info.write(j.describe(p))
	j.errors.write("")
	return p, nil
}

// describe is the text for the log of what went well.
func (j jit) describe(p Program) string {
	if !j.verbose {
		return ""
	}
	var b strings.Builder
	for _, name := range p.Kernels() {
		k, err := p.Kernel(name)
		if err != nil {
			continue
		}
		fmt.Fprintf(&b, "info    : kernel %s: %d bytes of parameters, %d bytes of shared memory, %d bytes of local memory\n",
			name, k.ParamBytes, k.StaticShared, k.LocalBytes)
	}
	return b.String()
}
