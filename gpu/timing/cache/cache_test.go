package cache_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
)

// build makes a cache from option lines.
func build(t testing.TB, text string) *cache.Cache {
	t.Helper()
	var c cache.Config
	if _, err := option.Read(&c, "test", text); err != nil {
		t.Fatal(err)
	}
	k, err := cache.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestMSHRMergesSectorMisses(t *testing.T) {
	k := build(t, "sets 4\nways 2\nmshrs 1\nmerges 3")
	for i, c := range []struct {
		addr    uint64
		sectors uint8
		outcome cache.Outcome
		fetch   uint8
	}{
		{0x000, 0b0001, cache.Miss, 0b0001},
		{0x000, 0b0001, cache.Merged, 0},
		{0x000, 0b0011, cache.Miss, 0b0010}, // only what is not under way
		{0x000, 0b0100, cache.StallMerge, 0},
		{0x080, 0b0001, cache.StallMSHR, 0},
	} {
		if r := k.Read(c.addr, c.sectors, uint32(i)); r.Outcome != c.outcome || r.Fetch != c.fetch {
			t.Errorf("read %d: got %+v, want %+v", i, r, c)
		}
	}
	woken, _ := k.Fill(0, 0b0001, nil)
	if !slices.Equal(woken, []uint32{0, 1}) {
		t.Errorf("the first sector woke %v", woken)
	}
	woken, _ = k.Fill(0, 0b0010, nil)
	if !slices.Equal(woken, []uint32{2}) || !k.Quiet() {
		t.Errorf("the second sector woke %v", woken)
	}
	if r := k.Read(0, 0b0011, 9); r.Outcome != cache.Hit {
		t.Errorf("got %+v after the fill", r)
	}
	if err := k.Stats.Check(true); err != nil {
		t.Error(err)
	}
	if s := k.Stats; s.Reads != 4 || s.ReadMisses != 2 || s.ReadMerged != 1 || s.SectorMisses != 1 || s.StallMSHR != 1 || s.StallMerge != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestADirtyVictimIsWrittenBackOnce(t *testing.T) {
	k := build(t, "sets 1\nways 2")
	k.Write(0x000, 0b0101, 0b0101)
	k.Write(0x080, 0b0001, 0b0001)
	k.Write(0x000, 0b0001, 0b0001)
	r := k.Write(0x100, 0b1000, 0b1000)
	if r.Evicted != (cache.Eviction{Addr: 0x80, Dirty: 0b0001}) {
		t.Errorf("the third line evicted %+v", r.Evicted)
	}
	if r := k.Read(0x180, 1, 0); r.Evicted != (cache.Eviction{Addr: 0, Dirty: 0b0101}) {
		t.Errorf("the fourth line evicted %+v", r.Evicted)
	}
	k.Fill(0x180, 1, nil)
	if r := k.Read(0x200, 1, 0); r.Evicted.Dirty != 0b1000 {
		t.Errorf("the fifth line evicted %+v", r.Evicted)
	}
	if k.Stats.WrittenBack != 4 || k.Stats.Evictions != 3 {
		t.Errorf("got %+v", k.Stats)
	}
}

func TestASectorWrittenInPartIsFetchedWhenRead(t *testing.T) {
	lazy := build(t, "write_allocate lazy")
	if r := lazy.Write(0, 0b11, 0b01); r.Fetch != 0 || r.Forward {
		t.Errorf("lazy write: %+v", r)
	}
	if r := lazy.Read(0, 0b11, 1); r.Outcome != cache.Miss || r.Fetch != 0b10 {
		t.Errorf("read after it: %+v", r)
	}
	eager := build(t, "write_allocate fetch")
	if r := eager.Write(0, 0b11, 0b01); r.Fetch != 0b10 {
		t.Errorf("fetching write: %+v", r)
	}
}

func TestWritePoliciesPassWritesOnOrKeepThem(t *testing.T) {
	for _, c := range []struct {
		policy         string
		forward, holds bool // of a write to a present sector
		dirty          int
	}{
		{"write back", false, true, 1},
		{"write through\nwrite_allocate none", true, true, 0},
		{"write evict\nwrite_allocate none", true, false, 0},
	} {
		k := build(t, c.policy)
		k.Install(0, 0b1)
		r := k.Write(0, 0b1, 0b1)
		dirty := 0
		holds := k.Holds(0, 0b1)
		k.Flush(func(cache.Eviction) { dirty++ })
		if r.Forward != c.forward || holds != c.holds || dirty != c.dirty {
			t.Errorf("%q: %+v, holds %v, dirty %d", c.policy, r, holds, dirty)
		}
		if r := k.Write(0x1000, 1, 1); r.Forward != c.forward {
			t.Errorf("%q: a missing write: %+v", c.policy, r)
		}
	}
}

func TestStreamingAllocationTakesALineAtTheFill(t *testing.T) {
	k := build(t, "sets 1\nways 1\nallocate fill")
	k.Install(0, 0b1111)
	if r := k.Read(0x80, 1, 1); r.Outcome != cache.Miss {
		t.Fatalf("got %+v", r)
	}
	if r := k.Read(0x100, 1, 1); r.Outcome != cache.Miss {
		t.Fatalf("a second miss in a set of one line: %+v", r)
	}
	if !k.Holds(0, 0b1111) {
		t.Error("the old line went at the miss")
	}
	k.Fill(0x80, 1, nil)
	if k.Holds(0, 1) || !k.Holds(0x80, 1) {
		t.Error("the fill did not replace it")
	}
	onMiss := build(t, "sets 1\nways 1\nallocate miss")
	onMiss.Read(0x80, 1, 1)
	if r := onMiss.Read(0x100, 1, 1); r.Outcome != cache.StallWay {
		t.Errorf("a line that awaits data was evicted: %+v", r)
	}
}

func TestAMissFetchesWholePieces(t *testing.T) {
	k := build(t, "fetch 64")
	if r := k.Read(0, 0b0100, 1); r.Fetch != 0b1100 {
		t.Errorf("got %04b", r.Fetch)
	}
	if r := k.Read(0, 0b1010, 2); r.Fetch != 0b0011 {
		t.Errorf("got %04b", r.Fetch)
	}
}

func TestReplacementPoliciesEvictTheirVictim(t *testing.T) {
	for policy, want := range map[string]uint64{"lru": 1, "fifo": 0, "plru": 1} {
		k := build(t, "sets 1\nways 4\nreplacement "+policy)
		for i := range uint64(4) {
			k.Install(i*128, 1)
		}
		k.Read(0, 1, 0)
		if r := k.Read(4*128, 1, 0); r.Evicted.Addr != want*128 && k.Holds(want*128, 1) {
			t.Errorf("%s did not evict line %d", policy, want)
		}
	}
	sequence := func(seed string) (evicted []bool) {
		k := build(t, "sets 1\nways 8\nreplacement random\nseed "+seed)
		for i := range uint64(64) {
			k.Install(i*128, 1)
		}
		for i := range uint64(64) {
			evicted = append(evicted, k.Holds(i*128, 1))
		}
		return evicted
	}
	if !slices.Equal(sequence("3"), sequence("3")) || slices.Equal(sequence("3"), sequence("77")) {
		t.Error("random replacement does not follow its seed")
	}
}

func TestCarveOutDecidesWhatFits(t *testing.T) {
	k := build(t, "sets 4\nways 64")
	for _, ways := range []int{64, 16, 200} {
		if err := k.Resize(ways); err != nil {
			t.Fatal(err)
		}
		n := uint64(4 * ways)
		for range 2 {
			for i := range n {
				k.Install(i*128, 0b1111)
			}
		}
		for i := range n {
			if !k.Holds(i*128, 0b1111) {
				t.Fatalf("%d ways: line %d of %d is gone", ways, i, n)
			}
		}
		if k.Install(n*128, 1); k.Holds(0, 1) {
			t.Errorf("%d ways: one line more than fits evicted nothing", ways)
		}
	}
}

// TestRandomAccessesKeepTheLaws compares with a plain set of sectors.
func TestRandomAccessesKeepTheLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{"sets 4\nways 3\nmshrs 5\nmerges 2", "sets 3\nways 2\nindex xor\nallocate fill\nwrite through\nwrite_allocate none", "sets 16\nways 2\nindex ipoly\nreplacement random\nfetch 64\nwrite_allocate fetch"} {
		k := build(t, text)
		type fetch struct {
			addr    uint64
			sectors uint8
		}
		var under []fetch
		waiting := map[uint32]bool{}
		for i := range uint32(20000) {
			addr, sectors := r.Uint64N(64)*128, uint8(1+r.Uint64N(15))
			var res cache.Result
			switch r.IntN(3) {
			case 0:
				res = k.Read(addr, sectors, i)
				if res.Outcome == cache.Miss || res.Outcome == cache.Merged {
					waiting[i] = true
				}
			case 1:
				res = k.Write(addr, sectors, sectors&uint8(r.Uint64()))
			default:
				if n := len(under); n > 0 {
					j := r.IntN(n)
					woken, _ := k.Fill(under[j].addr, under[j].sectors, nil)
					for _, w := range woken {
						if !waiting[w] {
							t.Fatalf("%d woke and did not wait", w)
						}
						delete(waiting, w)
					}
					under = slices.Delete(under, j, j+1)
				}
			}
			if res.Fetch != 0 {
				under = append(under, fetch{addr, res.Fetch})
			}
		}
		for _, f := range under {
			woken, _ := k.Fill(f.addr, f.sectors, nil)
			for _, w := range woken {
				delete(waiting, w)
			}
		}
		if len(waiting) > 0 || !k.Quiet() {
			t.Errorf("%q: %d wait for ever", text, len(waiting))
		}
		if err := k.Stats.Check(true); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestBadShapesAreRefused(t *testing.T) {
	good := cache.Config{Sets: 1, Ways: 1, Line: 128, Sector: 32, Fetch: 32, Index: "linear", Replacement: "lru", Allocate: "miss", Write: "back", WriteAllocate: "lazy", MSHRs: 1, Merges: 1}
	for _, spoil := range []func(*cache.Config){
		func(c *cache.Config) { c.Sets = 0 },
		func(c *cache.Config) { c.Line = 100 },
		func(c *cache.Config) { c.Line = 1024 },
		func(c *cache.Config) { c.Fetch = 16 },
		func(c *cache.Config) { c.Replacement = "mru" },
		func(c *cache.Config) { c.Index = "custom" },
		func(c *cache.Config) { c.Write = "around" },
	} {
		c := good
		spoil(&c)
		if _, err := cache.New(c); err == nil {
			t.Errorf("accepted %+v", c)
		}
	}
}

func BenchmarkReadHit(b *testing.B) {
	k := build(b, "sets 4\nways 400")
	for i := range uint64(1600) {
		k.Install(i*128, 15)
	}
	b.ReportAllocs()
	for i := range b.N {
		k.Read(uint64(i*7%1600)*128, 15, 0)
	}
}
