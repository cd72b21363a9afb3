package ops

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// sync gives an instruction the flow of its row, as decoding does.
func (b *bench) sync(text string, in isa.Inst) {
	b.t.Helper()
	words := splitDots(text)
	form, _, err := Lookup(words[0], words[1:])
	if err != nil {
		b.t.Fatal(err)
	}
	in.Flow = form.Op.Flow
	if in.P == isa.PT {
		in.P = isa.PSink
	}
	form.Op.Bind(form)(b.Warp, &in)
}

func TestShuffleMovesWithinSegments(t *testing.T) {
	source := map[string]func(l, b, width int) (int, bool){
		"up":   func(l, b, width int) (int, bool) { return l - b, l-b >= l/width*width },
		"down": func(l, b, width int) (int, bool) { return l + b, (l+b)/width == l/width },
		"bfly": func(l, b, width int) (int, bool) { return l ^ b, l^b < l/width*width+width },
		"idx":  func(l, b, width int) (int, bool) { return l/width*width + b%width, true },
	}
	for mode, from := range source {
		for _, sync := range []string{"", "sync."} {
			for _, width := range []int{1, 2, 4, 8, 16, 32} {
				for _, shift := range []int{0, 1, 3, 7, 16, 31} {
					for _, m := range masks {
						b := newBench(t)
						b.Mask = m
						clamp := 31
						if mode == "up" {
							clamp = 0
						}
						b.set(rVal, func(l int) uint32 { return uint32(l * 10) })
						b.set(rVal+1, func(int) uint32 { return uint32(shift) })
						b.set(rVal+2, func(int) uint32 { return uint32((32-width)<<8 | clamp) })
						b.set(rVal+3, func(int) uint32 { return uint32(m) })
						b.Preds[2] = 0x55555555
						b.sync("shfl."+sync+mode+".b32", isa.Inst{D: rVec, P: 2, A: rVal, B: rVal + 1, C: rVal + 2, M: rVal + 3})
						want := isa.Mask(0x55555555) &^ m
						b.want(fmt.Sprintf("shfl.%s by %d, width %d", mode, shift, width), rVec, func(l int) uint32 {
							if j, ok := from(l, shift, width); ok {
								want |= isa.Lane(l)
								if !m.Has(j) {
									return 0
								}
								return uint32(j * 10)
							}
							return uint32(l * 10)
						})
						if b.Preds[2] != want {
							t.Errorf("shfl.%s by %d, width %d, mask %08x: predicate %08x, want %08x", mode, shift, width, uint32(m), uint32(b.Preds[2]), uint32(want))
						}
					}
				}
			}
		}
	}
}

// TestShuffleAcrossTheEndOfASegment is case C14 of the failing cases.
func TestShuffleAcrossTheEndOfASegment(t *testing.T) {
	b := newBench(t)
	b.set(rVal, func(l int) uint32 { return uint32(l * 10) })
	b.set(rVal+1, func(int) uint32 { return 3 })
	b.set(rVal+2, func(int) uint32 { return 0x181f })
	b.set(rVal+3, func(int) uint32 { return 0xffffffff })
	b.sync("shfl.sync.down.b32", isa.Inst{D: rVal, P: 2, A: rVal, B: rVal + 1, C: rVal + 2, M: rVal + 3})
	b.want("shfl", rVal, func(l int) uint32 {
		if l%8 < 5 {
			return uint32(l+3) * 10
		}
		return uint32(l * 10)
	})
	if b.Preds[2] != 0x1f1f1f1f {
		t.Errorf("predicate %08x", uint32(b.Preds[2]))
	}
}

// tiles are member masks: for each lane the mask it names.
var tiles = map[string]func(l int) uint32{
	"all":      func(int) uint32 { return 0xffffffff },
	"halves":   func(l int) uint32 { return 0xffff << (l / 16 * 16) },
	"eights":   func(l int) uint32 { return 0xff << (l / 8 * 8) },
	"even-odd": func(l int) uint32 { return 0x55555555 << (l % 2) },
}

// eachParty calls f for every lane set and way to name members, with the lanes
// that take part together with lane l.
func eachParty(t *testing.T, f func(b *bench, name string, peers func(l int) isa.Mask)) {
	for name, members := range tiles {
		for _, m := range masks {
			b := newBench(t)
			b.Mask = m
			b.set(rVal+3, members)
			f(b, fmt.Sprintf("%s of %08x", name, uint32(m)), func(l int) isa.Mask { return m & isa.Mask(members(l)) })
		}
	}
}

func TestVotesCountTheirMembersOnly(t *testing.T) {
	for _, yes := range []isa.Mask{0, isa.Full, 0xffff, 0x55555555, 1, 0x80000000, 0xff00ff00} {
		for _, not := range []bool{false, true} {
			eachParty(t, func(b *bench, name string, peers func(l int) isa.Mask) {
				b.Preds[3] = yes
				truth := yes
				if not {
					truth = ^yes
				}
				for _, mode := range []string{"all", "any", "uni"} {
					b.Preds[2] = 0
					b.sync("vote.sync."+mode+".pred", isa.Inst{P: 2, S: 3, SNot: not, M: rVal + 3})
					for l := range b.Mask.All {
						n, k := peers(l).Count(), (peers(l) & truth).Count()
						want := map[string]bool{"all": k == n, "any": k > 0, "uni": k == n || k == 0}[mode]
						if b.Preds[2].Has(l) != want {
							t.Errorf("vote.%s %s: lane %d got %v", mode, name, l, !want)
						}
					}
				}
				b.sync("vote.sync.ballot.b32", isa.Inst{D: rVec, S: 3, SNot: not, M: rVal + 3})
				b.want("ballot "+name, rVec, func(l int) uint32 { return uint32(peers(l) & truth) })
			})
		}
	}
}

func TestVotesWithoutMembersUseTheExecutingLanes(t *testing.T) {
	b := newBench(t)
	b.Mask, b.Preds[3] = 0xf, 0x5
	b.sync("vote.ballot.b32", isa.Inst{D: rVec, S: 3, M: rVal})
	b.want("ballot", rVec, func(int) uint32 { return 5 })
	b.sync("activemask.b32", isa.Inst{D: rVec + 1})
	b.want("activemask", rVec+1, func(int) uint32 { return 15 })
}

func TestMatchFindsEqualValues(t *testing.T) {
	for bitsWide, keys := range map[string]func(l int) uint64{
		"b32": func(l int) uint64 { return uint64(l % 3) },
		"b64": func(l int) uint64 { return uint64(l%2)<<40 | uint64(l%4/2) },
	} {
		for _, same := range []bool{false, true} {
			eachParty(t, func(b *bench, name string, peers func(l int) isa.Mask) {
				key := func(l int) uint64 {
					if same {
						return 0x1234_5678_9abc_def0
					}
					return keys(l)
				}
				b.set64(rVal, key)
				equal := func(l int) (m uint32) {
					for k := range peers(l).All {
						if key(k) == key(l) {
							m |= 1 << k
						}
					}
					return m
				}
				b.sync("match.sync.any."+bitsWide, isa.Inst{D: rVec, A: rVal, M: rVal + 3})
				b.want("match.any "+name, rVec, equal)
				b.sync("match.sync.all."+bitsWide, isa.Inst{D: rVec + 1, P: 2, A: rVal, M: rVal + 3})
				b.want("match.all "+name, rVec+1, func(l int) uint32 {
					if equal(l) == uint32(peers(l)) {
						return equal(l)
					}
					return 0
				})
				for l := range b.Mask.All {
					if b.Preds[2].Has(l) != (equal(l) == uint32(peers(l))) {
						t.Errorf("match.all %s: predicate of lane %d", name, l)
					}
				}
			})
		}
	}
}

func TestReduxReducesItsMembers(t *testing.T) {
	value := func(l int) uint32 { return uint32(l*l*0x01234567) ^ 0x80000000*uint32(l&1) }
	for text, op := range map[string]func(a, b uint32) uint32{
		"add.u32": func(a, b uint32) uint32 { return a + b },
		"add.s32": func(a, b uint32) uint32 { return a + b },
		"min.u32": func(a, b uint32) uint32 { return min(a, b) },
		"max.u32": func(a, b uint32) uint32 { return max(a, b) },
		"min.s32": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
		"max.s32": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
		"and.b32": func(a, b uint32) uint32 { return a & b },
		"or.b32":  func(a, b uint32) uint32 { return a | b },
		"xor.b32": func(a, b uint32) uint32 { return a ^ b },

		"min.f32":     alu.MinF32,
		"max.NaN.f32": alu.MaxNaNF32,
		"max.abs.f32": func(a, b uint32) uint32 { return alu.MaxF32(a&^(1<<31), b&^(1<<31)) },
	} {
		eachParty(t, func(b *bench, name string, peers func(l int) isa.Mask) {
			b.set(rVal, value)
			b.sync("redux.sync."+text, isa.Inst{D: rVec, A: rVal, M: rVal + 3})
			b.want("redux."+text+" "+name, rVec, func(l int) uint32 {
				first := true
				var sum uint32
				for k := range peers(l).All {
					if first {
						sum, first = value(k), false
						if strings.HasSuffix(text, "f32") {
							sum = op(sum, sum)
						}
						continue
					}
					sum = op(sum, value(k))
				}
				return sum
			})
		})
	}
}

func TestElectChoosesOneLaneOfEachParty(t *testing.T) {
	eachParty(t, func(b *bench, name string, peers func(l int) isa.Mask) {
		b.sync("elect.sync", isa.Inst{D: rVec, P: 2, M: rVal + 3})
		b.want("elect "+name, rVec, func(l int) uint32 { return uint32(bits.TrailingZeros32(uint32(peers(l)))) })
		for l := range b.Mask.All {
			if b.Preds[2].Has(l) != (peers(l).First() == l) {
				t.Errorf("elect %s: predicate of lane %d", name, l)
			}
		}
	})
}

func TestBarrierSpellings(t *testing.T) {
	p := func(n int) []Shape { return make([]Shape, n) }
	for _, c := range []struct {
		text     string
		operands int
		flow     isa.Flow
		want     isa.Control
		args     string
	}{
		{"bar.sync", 1, isa.Barrier, isa.Control{}, "a:u32, b:u32?"},
		{"bar.sync", 2, isa.Barrier, isa.Control{Count: true}, "a:u32, b:u32?"},
		{"barrier.sync.aligned", 1, isa.Barrier, isa.Control{}, "a:u32, b:u32?"},
		{"barrier.cta.sync", 2, isa.Barrier, isa.Control{Count: true}, "a:u32, b:u32?"},
		{"bar.arrive", 2, isa.Barrier, isa.Control{Bar: isa.BarArrive, Count: true}, "a:u32, b:u32"},
		{"bar.red.popc.u32", 3, isa.Barrier, isa.Control{Bar: isa.BarRed}, "d, a:u32, s"},
		{"bar.red.popc.u32", 4, isa.Barrier, isa.Control{Bar: isa.BarRed, Count: true}, "d, a:u32, b:u32, s"},
		{"bar.red.and.pred", 3, isa.Barrier, isa.Control{Bar: isa.BarRed, Reduce: isa.BarAnd}, "p, a:u32, s"},
		{"barrier.cta.red.or.aligned.pred", 4, isa.Barrier, isa.Control{Bar: isa.BarRed, Reduce: isa.BarOr, Count: true}, "p, a:u32, b:u32, s"},
		{"bar.warp.sync", 1, isa.WarpSync, isa.Control{}, "m:u32"},
		{"barrier.cluster.arrive.relaxed.aligned", 0, isa.ClusterBar, isa.Control{Bar: isa.BarArrive}, ""},
		{"barrier.cluster.wait.acquire", 0, isa.ClusterBar, isa.Control{}, ""},
	} {
		words := splitDots(c.text)
		form, _, err := Lookup(words[0], words[1:], p(c.operands)...)
		if err != nil {
			t.Error(err)
			continue
		}
		if form.Op.Flow != c.flow || form.Op.Args != c.args {
			t.Errorf("%s with %d operands is row %q, flow %d", c.text, c.operands, form.Op.Args, form.Op.Flow)
		}
		if form.Op.Control == nil {
			continue
		}
		if got := form.Op.Control(form, c.operands); got.Bar != c.want.Bar || got.Reduce != c.want.Reduce || got.Count != c.want.Count {
			t.Errorf("%s with %d operands is %+v, want %+v", c.text, c.operands, *got, c.want)
		}
	}
	if _, _, err := Lookup("bar", []string{"arrive"}, p(1)...); err == nil {
		t.Error("bar.arrive without a count is taken")
	}
}
