package exec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// conversion is one % specification of a printf format.
type conversion struct {
	flags     string
	width     int  // -1 when absent
	precision int  // -1 when absent
	long      bool // the argument has 64 bits
	verb      byte
}

// formatC renders a C format as the device's printf does. arg reads size bytes
// of the argument buffer at an offset, str the string at an address. Arguments
// lie at their natural alignment. It returns the number of arguments used.
func formatC(format string, arg func(off uint64, size int) uint64, str func(addr uint64) string) (out []byte, args int) {
	var off uint64
	next := func(size int) uint64 {
		off = (off + uint64(size) - 1) &^ (uint64(size) - 1)
		v := arg(off, size)
		off += uint64(size)
		args++
		return v
	}
	for i := 0; i < len(format); {
		if format[i] != '%' {
			n := strings.IndexByte(format[i:], '%')
			if n < 0 {
				n = len(format) - i
			}
			out = append(out, format[i:i+n]...)
			i += n
			continue
		}
		c, n := parseConversion(format[i:], func() int { return int(int32(next(4))) })
		if n == 0 { // not a conversion: printed as it stands
			out = append(out, '%')
			i++
			continue
		}
		i += n
		out = append(out, c.render(next, str)...)
	}
	return out, args
}

// parseConversion reads a conversion at the start of s and returns its length,
// 0 if there is none. star supplies the value of a "*".
func parseConversion(s string, star func() int) (c conversion, n int) {
	c = conversion{width: -1, precision: -1}
	n = 1
	for n < len(s) && strings.IndexByte("-+ #0", s[n]) >= 0 {
		n++
	}
	c.flags = s[1:n]
	number := func() int {
		if n < len(s) && s[n] == '*' {
			n++
			return star()
		}
		start := n
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if start == n {
			return -1
		}
		v, _ := strconv.Atoi(s[start:n])
		return v
	}
	c.width = number()
	if c.width < -1 {
		c.width, c.flags = -c.width, c.flags+"-"
	}
	if n < len(s) && s[n] == '.' {
		n++
		c.precision = max(number(), 0)
	}
	for n < len(s) && strings.IndexByte("hljztL", s[n]) >= 0 {
		c.long = c.long || strings.IndexByte("ljzt", s[n]) >= 0
		n++
	}
	if n >= len(s) || strings.IndexByte("diouxXcsfFeEgGaAp%", s[n]) < 0 {
		return c, 0
	}
	c.verb = s[n]
	return c, n + 1
}

// maxWidth bounds what one conversion may print.
const maxWidth = 1 << 16

func (c *conversion) render(next func(size int) uint64, str func(addr uint64) string) string {
	c.width, c.precision = min(c.width, maxWidth), min(c.precision, maxWidth)
	size := 4
	if c.long {
		size = 8
	}
	switch c.verb {
	case '%':
		return "%"
	case 'c':
		return c.pad(string([]byte{byte(next(4))}))
	case 's':
		return c.text(next(8), str)
	case 'p':
		return c.pointer(next(8))
	case 'd', 'i':
		v := int64(next(size))
		if !c.long {
			v = int64(int32(v))
		}
		return c.signed(v)
	case 'u', 'o', 'x', 'X':
		return c.unsigned(next(size))
	}
	return c.float(math.Float64frombits(next(8)))
}

func (c *conversion) text(addr uint64, str func(addr uint64) string) string {
	s := "(null)"
	if addr != 0 {
		s = str(addr)
	}
	if c.precision >= 0 && c.precision < len(s) {
		s = s[:c.precision]
	}
	return c.pad(s)
}

func (c *conversion) pointer(v uint64) string {
	if v == 0 {
		return c.pad("(nil)")
	}
	return c.pad("0x" + strconv.FormatUint(v, 16))
}

func (c *conversion) has(flag string) bool { return strings.Contains(c.flags, flag) }

// pad brings s to the width with blanks.
func (c *conversion) pad(s string) string {
	n := c.width - len(s)
	if n <= 0 {
		return s
	}
	if c.has("-") {
		return s + strings.Repeat(" ", n)
	}
	return strings.Repeat(" ", n) + s
}

// field joins sign or prefix and digits, with zeros between them when the
// flags ask for them.
func (c *conversion) field(prefix, digits string, zeros bool) string {
	if n := c.width - len(prefix) - len(digits); n > 0 && zeros && c.has("0") && !c.has("-") {
		digits = strings.Repeat("0", n) + digits
	}
	return c.pad(prefix + digits)
}

func (c *conversion) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case c.has("+"):
		return "+"
	case c.has(" "):
		return " "
	}
	return ""
}

func (c *conversion) signed(v int64) string {
	u := uint64(v)
	if v < 0 {
		u = -u
	}
	return c.field(c.sign(v < 0), c.digits(u, 10), c.precision < 0)
}

func (c *conversion) unsigned(v uint64) string {
	base, prefix := 10, ""
	switch c.verb {
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
		if c.has("#") && v != 0 {
			prefix = "0" + string(c.verb)
		}
	}
	digits := c.digits(v, base)
	if c.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	if c.verb == 'o' && c.has("#") && !strings.HasPrefix(digits, "0") {
		digits = "0" + digits
	}
	return c.field(prefix, digits, c.precision < 0)
}

// digits writes v with at least precision digits; no digit for 0 with
// precision 0, as C has it.
func (c *conversion) digits(v uint64, base int) string {
	if v == 0 && c.precision == 0 {
		return ""
	}
	s := strconv.FormatUint(v, base)
	if n := c.precision - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	return s
}

func (c *conversion) float(v float64) string {
	upper := c.verb >= 'A' && c.verb <= 'Z'
	sign := c.sign(math.Signbit(v))
	var s string
	special := math.IsInf(v, 0) || math.IsNaN(v)
	switch {
	case math.IsNaN(v):
		s = "nan"
	case special:
		s = "inf"
	default:
		s = c.finite(math.Abs(v))
	}
	if upper {
		s = strings.ToUpper(s)
	}
	if strings.HasPrefix(strings.ToLower(s), "0x") { // the prefix stands before padding zeros
		sign, s = sign+s[:2], s[2:]
	}
	return c.field(sign, s, !special)
}

// finite writes the digits of a non-negative number.
func (c *conversion) finite(v float64) string {
	precision := c.precision
	verb := c.verb | 0x20
	if verb == 'a' {
		return hexFloat(v, precision)
	}
	if precision < 0 {
		precision = 6
	}
	alternate := ""
	if c.has("#") {
		alternate = "#"
	}
	return fmt.Sprintf("%"+alternate+"."+strconv.Itoa(precision)+string(verb), v)
}

// hexFloat writes v as C's %a: Go pads the exponent to two digits, C does not.
func hexFloat(v float64, precision int) string {
	s := strconv.FormatFloat(v, 'x', precision, 64)
	mantissa, exponent, _ := strings.Cut(s, "p")
	sign, digits := exponent[:1], strings.TrimLeft(exponent[1:], "0")
	if digits == "" {
		digits = "0"
	}
	return mantissa + "p" + sign + digits
}
