package ops

import "testing"

func TestLogicRows(t *testing.T) {
	const x, y = 0xff00ff00_f0f0f0f0, 0x0ff00ff0_cccccccc
	for _, width := range []struct {
		name string
		mask uint64
	}{{"b16", 0xffff}, {"b32", 0xffffffff}, {"b64", 0xffffffffffffffff}} {
		m := width.mask
		check(t, "and."+width.name, 0, try(x&m, y&m, x&y&m))
		check(t, "or."+width.name, 0, try(x&m, y&m, (x|y)&m))
		check(t, "xor."+width.name, 0, try(x&m, y&m, (x^y)&m))
		check(t, "not."+width.name, 0, try(x&m, ^uint64(x)&m))
		check(t, "cnot."+width.name, 0, try(x&m, 0), try(0, 1))
	}
	for a := range uint64(2) {
		check(t, "not.pred", 0, try(a, a^1))
		check(t, "mov.pred", 0, try(a, a))
		for b := range uint64(2) {
			check(t, "and.pred", 0, try(a, b, a&b))
			check(t, "or.pred", 0, try(a, b, a|b))
			check(t, "xor.pred", 0, try(a, b, a^b))
		}
	}
}

func TestLop3FollowsItsTable(t *testing.T) {
	const a, b, c = 0xf0f0_1234, 0xcccc_5678, 0xaaaa_9abc
	var d uint64
	for i := range 32 {
		index := a>>i&1<<2 | b>>i&1<<1 | c>>i&1
		d |= 0xe8 >> index & 1 << i
	}
	check(t, "lop3.b32", 0, try(a, b, c, 0xe8, d))
	check(t, "lop3.or.b32", 0, try(a, b, c, 0xe8, 0, d, 1), try(a, b, c, 0xe8, 1, d, 1), try(0, 0, 0, 0xe8, 0, 0, 0))
	check(t, "lop3.and.b32", 0, try(a, b, c, 0xe8, 0, d, 0), try(a, b, c, 0xe8, 1, d, 1), try(0, 0, 0, 0xe8, 1, 0, 0))
}

// C10: shifts clamp their counts; funnel shifts do as they say.
func TestShiftsBeyondTheWidth(t *testing.T) {
	check(t, "shf.l.wrap.b32", 0, try(0x80000001, 2, 40, 0x280), try(1, 2, 32, 2))
	check(t, "shf.l.clamp.b32", 0, try(0x80000001, 2, 40, 0x80000001), try(0x80000001, 2, 1, 5))
	check(t, "shf.r.wrap.b32", 0, try(0x80000001, 2, 40, 0x02800000))
	check(t, "shf.r.clamp.b32", 0, try(0x80000001, 2, 40, 2), try(0x80000001, 2, 0, 0x80000001))
	check(t, "shl.b16", 0, try(0x8001, 1, 2), try(1, 16, 0), try(1, 15, 0x8000))
	check(t, "shl.b32", 0, try(2, 40, 0), try(1, 31, 0x80000000), try(1, 0xffffffff, 0))
	check(t, "shl.b64", 0, try(1, 40, 1<<40), try(1, 64, 0))
	check(t, "shr.s32", 0, try(0x80000001, 40, 0xffffffff), try(0x80000000, 4, 0xf8000000))
	check(t, "shr.u32", 0, try(0x80000001, 40, 0), try(0x80000000, 4, 0x08000000))
	check(t, "shr.b32", 0, try(0x80000000, 4, 0x08000000))
	check(t, "shr.s16", 0, try(0x8000, 99, 0xffff), try(0x8000, 4, 0xf800))
	check(t, "shr.u16", 0, try(0x8000, 4, 0x0800))
	check(t, "shr.b16", 0, try(0x8000, 4, 0x0800))
	check(t, "shr.s64", 0, try(1<<63, 99, ^uint64(0)), try(1<<63, 4, 0xf8<<56))
	check(t, "shr.u64", 0, try(1<<63, 4, 1<<59))
	check(t, "shr.b64", 0, try(1<<63, 63, 1))
}
