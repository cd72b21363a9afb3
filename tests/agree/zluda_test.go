package agree

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// run is a kernel whose result its author has written down: what lies at its first
// address, nil for none, and what it leaves at the other.
type run struct {
	name          string
	threads       uint32
	input, output []byte
}

var (
	rustComment = regexp.MustCompile(`//[^\n]*`)
	rustTest    = regexp.MustCompile(`(?m)^test_ptx(_with_32|_warp)?!\(\s*(\w+)\s*(?:,\s*\[([^]]*)\]\s*)?(?:,\s*\[([^]]*)\]\s*)?,?\s*\);`)
	rustInteger = regexp.MustCompile(`^(.*)([iu](?:8|16|32|64))$`)
	rustFloat   = regexp.MustCompile(`^(-?[0-9.]+)(f32|f64)$`)
	rustCall    = regexp.MustCompile(`^(?:half::)?(f16|f32)::from_(bits|f32|f64)\((.*)\)$`)
)

// rustNames are the constants of the table, as bit patterns.
var rustNames = map[string]struct {
	elem string
	bits uint64
}{
	"f32::NAN":                    {"f32", 0x7fc00000},
	"f32::INFINITY":               {"f32", 0x7f800000},
	"f32::NEG_INFINITY":           {"f32", 0xff800000},
	"half::f16::NAN":              {"f16", 0x7e00},
	"half::f16::NAN.to_bits()":    {"u16", 0x7e00},
	"half::f16::NEG_INFINITY":     {"f16", 0xfc00},
	"i32::MIN":                    {"i32", 1 << 31},
	"i32::MAX":                    {"i32", 1<<31 - 1},
	"u32::MAX":                    {"u32", 1<<32 - 1},
	"u64::max_value()":            {"u64", 1<<64 - 1},
	"std::f32::consts::PI":        {"f32", uint64(math.Float32bits(math.Pi))},
	"std::f32::consts::PI / 2f32": {"f32", uint64(math.Float32bits(math.Pi / 2))},
}

// zludaRuns reads the table in spirv_run/mod.rs of ZLUDA's tests. Tests without arrays
// are only compiled there.
func zludaRuns(source string) ([]run, error) {
	var runs []run
	for _, m := range rustTest.FindAllStringSubmatch(rustComment.ReplaceAllString(source, ""), -1) {
		r := run{name: m[2], threads: 1}
		input, output := m[3], m[4]
		if m[1] == "_warp" {
			r.threads, input, output = 64, "", m[3]
		}
		if output == "" {
			continue
		}
		var err error
		if r.output, err = rustArray(output); err == nil && input != "" {
			r.input, err = rustArray(input)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// rustArray is the memory of an array. Elements have the type of the first one that
// names its own.
func rustArray(text string) ([]byte, error) {
	elements := strings.Split(strings.TrimSuffix(strings.TrimSpace(text), ","), ",")
	elem := "i32"
	if strings.Contains(text, ".") {
		elem = "f64"
	}
	for _, x := range elements {
		if e := rustType(strings.TrimSpace(x)); e != "" {
			elem = e
			break
		}
	}
	var b []byte
	for _, x := range elements {
		v, err := rustValue(strings.TrimSpace(x), elem)
		if err != nil {
			return nil, err
		}
		bits, _ := strconv.Atoi(elem[1:])
		b = append(b, binary.LittleEndian.AppendUint64(nil, v)[:bits/8]...)
	}
	return b, nil
}

// rustType is the type that an element names, if any.
func rustType(x string) string {
	if n, ok := rustNames[x]; ok {
		return n.elem
	}
	for _, form := range []*regexp.Regexp{rustInteger, rustFloat} {
		if m := form.FindStringSubmatch(x); m != nil {
			return m[2]
		}
	}
	if m := rustCall.FindStringSubmatch(x); m != nil {
		return m[1]
	}
	return ""
}

// rustValue is the bit pattern of an element of a type.
func rustValue(x, elem string) (uint64, error) {
	if n, ok := rustNames[x]; ok {
		return n.bits, nil
	}
	if m := rustCall.FindStringSubmatch(x); m != nil {
		x = m[3]
		if m[2] == "bits" {
			elem = "u32"
		}
	}
	for _, form := range []*regexp.Regexp{rustInteger, rustFloat} {
		if m := form.FindStringSubmatch(x); m != nil {
			x = m[1]
			break
		}
	}
	if elem[0] == 'f' {
		f, err := strconv.ParseFloat(x, 64)
		switch elem {
		case "f16":
			return uint64(alu.CvtF16F32(alu.RN, math.Float32bits(float32(f)))), err
		case "f32":
			return uint64(math.Float32bits(float32(f))), err
		}
		return math.Float64bits(f), err
	}
	x = strings.ReplaceAll(x, "_", "")
	if strings.HasPrefix(x, "-") {
		v, err := strconv.ParseInt(x, 0, 64)
		return uint64(v), err
	}
	return strconv.ParseUint(x, 0, 64)
}
