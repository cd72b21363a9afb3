package exec

import (
	"encoding/binary"
	"math"
	"testing"
)

// pack lays arguments out as the compiler does: at their natural alignment.
func pack(args ...any) []byte {
	var b []byte
	align := func(n int) {
		for len(b)%n != 0 {
			b = append(b, 0)
		}
	}
	for _, a := range args {
		switch a := a.(type) {
		case rune:
			align(4)
			b = binary.LittleEndian.AppendUint32(b, uint32(a))
		case int:
			align(4)
			b = binary.LittleEndian.AppendUint32(b, uint32(a))
		case uint64:
			align(8)
			b = binary.LittleEndian.AppendUint64(b, a)
		case float64:
			align(8)
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(a))
		}
	}
	return b
}

func TestFormatsPrintAsInC(t *testing.T) {
	strings := map[uint64]string{16: "dev", 32: "a long string"}
	for _, c := range []struct {
		format string
		args   []any
		want   string
		n      int
	}{
		{"plain", nil, "plain", 0},
		{"100%%\n", nil, "100%\n", 0},
		{"%d %u", []any{-1, -1}, "-1 4294967295", 2},
		{"%lld %llx", []any{uint64(1<<64 - 5), uint64(0x1122334455667788)}, "-5 1122334455667788", 2},
		{"%d %lu %d", []any{1, uint64(8), 2}, "1 8 2", 3},
		{"%-4d|%05d|%+d|% d", []any{7, 42, 3, 9}, "7   |00042|+3| 9", 4},
		{"%5.3d|%.0d|%-6.2d|", []any{7, 0, 5}, "  007||05    |", 3},
		{"%#x %#o %X", []any{255, 8, 0xabc}, "0xff 010 ABC", 3},
		{"%c%c", []any{'o', 'k'}, "ok", 2},
		{"%s|%5s|%-5s|%.3s", []any{uint64(16), uint64(16), uint64(16), uint64(32)}, "dev|  dev|dev  |a l", 4},
		{"%s", []any{uint64(0)}, "(null)", 1},
		{"%p %p", []any{uint64(0), uint64(16)}, "(nil) 0x10", 2},
		{"%f %.2f %5.1f|%-8.2f|", []any{1.5, 3.14159, 2.0, 2.5}, "1.500000 3.14   2.0|2.50    |", 4},
		{"%e %.3e %E", []any{1e-10, 1e-10, 12345.678}, "1.000000e-10 1.000e-10 1.234568E+04", 3},
		{"%g %g %g %g", []any{100000.0, 1000000.0, 0.0001, 0.00001}, "100000 1e+06 0.0001 1e-05", 4},
		{"%f %F %g", []any{math.Inf(1), math.Inf(-1), math.NaN()}, "inf -INF nan", 3},
		{"%08.3f|%+.1f|%08f", []any{-3.14159, 2.0, math.Inf(1)}, "-003.142|+2.0|     inf", 3},
		{"%a %.1a", []any{1.5, 1.0}, "0x1.8p+0 0x1.0p+0", 2},
		{"%*d|%-*d|%.*f", []any{5, 42, 4, 7, 2, 1.0}, "   42|7   |1.00", 6},
		{"%hd %hhu", []any{3, 4}, "3 4", 2},
		{"end %", nil, "end %", 0},
		{"odd %y %d", []any{1}, "odd %y 1", 1},
	} {
		buf := pack(c.args...)
		out, n := formatC(c.format, func(off uint64, size int) uint64 {
			if int(off)+size > len(buf) {
				t.Errorf("%q reads past its arguments", c.format)
				return 0
			}
			return uint64LE(buf[off : int(off)+size])
		}, func(addr uint64) string { return strings[addr] })
		if string(out) != c.want || n != c.n {
			t.Errorf("%q prints %q with %d arguments, want %q with %d", c.format, out, n, c.want, c.n)
		}
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("%d %s %5.2f %%", uint64(7))
	f.Add("%*.*lld%#+-0 x", uint64(1<<63))
	f.Fuzz(func(t *testing.T, format string, arg uint64) {
		formatC(format, func(uint64, int) uint64 { return arg & 0xffff }, func(uint64) string { return "s" })
	})
}
