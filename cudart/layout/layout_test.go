package layout

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDevicePropFieldsLieWhereEachMajorReadsThem(t *testing.T) {
	p := DeviceProp{MultiProcessorCount: 132, WarpSize: 32, ClockRate: 1980000, ClusterLaunch: 1, ReservedSharedMemPerBlock: 1024}
	SetString(p.Name[:], "NVIDIA H200")
	for _, c := range []struct {
		v                                         Version
		size, processors, clock, cluster, reserve int
	}{
		{V11, 728, 388, 348, -1, 720},
		{V12, 1032, 388, 348, 772, 720},
		{V13, 1008, 384, -1, 748, 696},
	} {
		b := make([]byte, 1100)
		for i := range b {
			b[i] = 0xee
		}
		p.Put(b, c.v)
		word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
		if p.Size(c.v) != c.size || b[c.size] != 0xee {
			t.Errorf("layout %d: size %d, byte behind %#x", c.v, p.Size(c.v), b[c.size])
		}
		if String(b[:256]) != "NVIDIA H200" || word(c.processors) != 132 || word(308) != 32 || word(c.reserve) != 1024 {
			t.Errorf("layout %d: fields are not where they belong", c.v)
		}
		if c.clock >= 0 && word(c.clock) != 1980000 || c.cluster >= 0 && word(c.cluster) != 1 {
			t.Errorf("layout %d: clock or cluster misplaced", c.v)
		}
	}
}

func TestTextureDescSurvivesPutAndGet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := TextureDesc{
			FilterMode:      rapid.Int32().Draw(t, "filter"),
			AddressMode:     [3]int32{rapid.Int32().Draw(t, "x"), 1, 2},
			BorderColor:     [4]float32{rapid.Float32Range(-1, 1).Draw(t, "border")},
			SeamlessCubemap: rapid.Int32().Draw(t, "seamless"),
		}
		v := Version(rapid.IntRange(0, 2).Draw(t, "layout"))
		var b [72]byte
		in.Put(b[:], v)
		out := TextureDesc{SeamlessCubemap: 77}
		out.Get(b[:], v)
		want := in
		if v == V11 {
			want.SeamlessCubemap = 0
		}
		if d := cmp.Diff(want, out); d != "" {
			t.Error(d)
		}
	})
}

func TestNamesTooLongAreCutWithTheirNUL(t *testing.T) {
	var b [4]byte
	SetString(b[:], "abcdef")
	if String(b[:]) != "abc" || b[3] != 0 {
		t.Errorf("got %q", b)
	}
}
