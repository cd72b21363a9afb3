package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// result is a buffer that is printed after the run.
type result struct {
	parameter string
	addr      uint64
	bytes     uint64
	kind      isa.Type
}

// bindArguments lays out the parameters of a kernel from --arg values and makes
// the buffers that they ask for.
func bindArguments(p *solo.Program, k *isa.Kernel, args []string) (params []byte, results []result, err error) {
	if len(args) != len(k.Params) {
		return nil, nil, fmt.Errorf("kernel %s has %d parameters, %d were given", k.Name, len(k.Params), len(args))
	}
	params = make([]byte, k.ParamBytes)
	for i, arg := range args {
		kind, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, nil, fmt.Errorf("--arg %q is not KIND=VALUE", arg)
		}
		at := params[k.Params[i].Offset : k.Params[i].Offset+k.Params[i].Size]
		var bits uint64
		switch kind {
		case "in":
			bits, err = inputBuffer(p, value)
		case "out":
			var r result
			r, err = outputBuffer(p, k.Params[i].Name, value)
			bits, results = r.addr, append(results, r)
		default:
			bits, err = scalar(kind, value, len(at))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("parameter %s: %w", k.Params[i].Name, err)
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], bits)
		copy(at, b[:])
	}
	return params, results, nil
}

func inputBuffer(p *solo.Program, file string) (uint64, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	addr, err := p.Alloc(uint64(len(content)))
	if err == nil && len(content) > 0 {
		err = p.Write(addr, content)
	}
	return addr, err
}

func outputBuffer(p *solo.Program, parameter, value string) (result, error) {
	size, kind, _ := strings.Cut(value, ":")
	bytes, err := strconv.ParseUint(size, 0, 40)
	if err != nil {
		return result{}, fmt.Errorf("%q is not a number of bytes", size)
	}
	r := result{parameter: parameter, bytes: bytes, kind: isa.U32}
	if kind != "" {
		r.kind = isa.ParseType(kind)
	}
	if n := r.kind.Bytes(); n == 0 || n > 8 {
		return result{}, fmt.Errorf("%q is not a type of 1 to 8 bytes", kind)
	}
	r.addr, err = p.Alloc(bytes)
	return r, err
}

// scalar is the bits of a value of a type that fills a parameter of size bytes.
func scalar(kind, value string, size int) (uint64, error) {
	t := isa.ParseType(kind)
	if t == isa.NoType || t.Bytes() != size {
		return 0, fmt.Errorf("type %q does not fit its %d bytes", kind, size)
	}
	switch t {
	case isa.F32:
		v, err := strconv.ParseFloat(value, 32)
		return uint64(math.Float32bits(float32(v))), err
	case isa.F64:
		v, err := strconv.ParseFloat(value, 64)
		return math.Float64bits(v), err
	}
	if strings.HasPrefix(value, "-") {
		v, err := strconv.ParseInt(value, 0, t.Bits())
		return uint64(v), err
	}
	return strconv.ParseUint(value, 0, t.Bits())
}

// print writes the buffer, eight elements a line.
func (r result) print(p *solo.Program) error {
	b := make([]byte, r.bytes)
	if err := p.Read(r.addr, b); err != nil {
		return err
	}
	fmt.Printf("%s:\n", r.parameter)
	n := r.kind.Bytes()
	const perLine = 8
	for i := 0; i+n <= len(b); i += n {
		var word [8]byte
		copy(word[:], b[i:i+n])
		end := " "
		if i/n%perLine == perLine-1 || i+2*n > len(b) {
			end = "\n"
		}
		fmt.Print(element(binary.LittleEndian.Uint64(word[:]), r.kind), end)
	}
	return nil
}

// element writes a value as its type reads it.
func element(v uint64, t isa.Type) string {
	switch {
	case t == isa.F32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case t == isa.F64:
		return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
	case t.IsSigned():
		shift := 64 - t.Bits()
		return strconv.FormatInt(int64(v<<shift)>>shift, 10)
	case t.Kind() == isa.Unsigned:
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprintf("0x%0*x", t.Bits()/4, v)
}
