package tensor

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

// Bulk sums keep subnormals where red flushes them; maps of FLOAT32_FTZ flush too. The
// sums are an H200's (driver 580.159.04), of 4,096 pairs of which these are some.
func TestBulkSumsOfFloatsFlushAsTheirTypeSays(t *testing.T) {
	a := []uint32{0x00000001, 0x00800000, 0x007fffff, 0x80000001, 0x80800000, 0x80000000, 0x3f800000, 0}
	b := []uint32{0x00000000, 0x80000001, 0x00000001, 0x80000001, 0x00000001, 0x80000001, 0x00000001, 0}
	kept := []uint32{0x00000001, 0x007fffff, 0x00800000, 0x80000002, 0x807fffff, 0x80000001, 0x3f800000, 0}
	flushed := []uint32{0x00000000, 0x00800000, 0x00000000, 0x80000000, 0x80800000, 0x80000000, 0x3f800000, 0}
	const bulk = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%d], [%b], 32;"
	const tiled = "mov.b32 %r2, 0;\n@%p0 cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%m, {%r2}], [%b];"
	const red = "ld.global.f32 %r3, [%s+0];\nred.global.add.f32 [%d], %r3;"
	for _, way := range []struct {
		name, copy string
		typ        uint32
		want       []uint32
	}{{"bulk", "@%p0 " + bulk, f32, kept}, {"FLOAT32", tiled, f32, kept}, {"FLOAT32_FTZ", tiled, f32Ftz, flushed}, {"red", red, f32, flushed}} {
		t.Run(way.name, func(t *testing.T) {
			load := ""
			for i := range 8 {
				load += fmt.Sprintf("ld.global.b32 %%r1, [%%s+%d];\nst.shared.b32 [%%b+%d], %%r1;\n", 4*i, 4*i)
			}
			k := newBench(t, load+"mad.wide.u32 %s, %t, 4, %s;\n"+map[bool]string{true: "mad.wide.u32 %d, %t, 4, %d;\n"}[way.name == "red"]+way.copy+"\n@%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group 0;")
			words := make([]byte, 4*benchWords)
			put := func(at uint64, v []uint32) {
				for i := range v {
					binary.LittleEndian.PutUint32(words[4*i:], v[i])
				}
				if err := k.Write(at, words); err != nil {
					t.Fatal(err)
				}
			}
			put(k.source, b)
			put(k.target, a)
			r := tensor(way.typ, 8)
			r.Address, r.Box = k.target, []uint32{8}
			got := k.run(t, encoded(t, tensormap.EncodeTiled, r), 1)[:8]
			if !slices.Equal(got, way.want) {
				t.Errorf("%08x, want %08x", got, way.want)
			}
		})
	}
}
