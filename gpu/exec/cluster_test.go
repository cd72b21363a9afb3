package exec_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// clusterBody wraps the statements of a kernel k(out) in what all tests need:
// %r the rank, %n the CTAs of a cluster, %t the thread, %s the address of the
// words v in shared memory, %o that of one result a thread of the grid.
func clusterBody(statements string) string {
	return `.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<4>;
	.reg .b32 %r, %n, %t, %s, %m, %v, %w, %x, %c, %d;
	.reg .b64 %o, %g, %h;
	.shared .align 16 .b8 v[1024];
	mov.u32 %r, %cluster_ctarank;
	mov.u32 %n, %cluster_nctarank;
	mov.u32 %t, %tid.x;
	mov.u32 %s, v;
	mov.u32 %c, %ctaid.x;
	mov.u32 %d, %ntid.x;
	mad.lo.u32 %w, %c, %d, %t;
	ld.param.u64 %o, [out];
	mad.wide.u32 %o, %w, 4, %o;
` + statements + `
	ret;
}
`
}

// clusterBench runs the kernel of a text with 12 CTAs in clusters of a size.
type clusterBench struct {
	space  *mem.Space
	launch exec.Launch
	out    uint64
}

const clusterCTAs, clusterThreads = 12, 64

func newClusterBench(t *testing.T, size uint32, statements string) *clusterBench {
	t.Helper()
	space, err := mem.New(mem.Config{DeviceBytes: 1 << 28})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { space.Close() })
	k := kernelOf(t, "cluster.ptx", clusterBody(statements))
	out, err := space.Alloc(4*clusterCTAs*clusterThreads, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &clusterBench{space, exec.Launch{
		Kernel: k, Grid: [3]uint32{clusterCTAs, 1, 1}, Block: [3]uint32{clusterThreads, 1, 1}, Cluster: [3]uint32{size, 1, 1},
		Params: binary.LittleEndian.AppendUint64(nil, out),
	}, out}
}

func (b *clusterBench) results(t *testing.T) []uint32 {
	t.Helper()
	bytes := make([]byte, 4*clusterCTAs*clusterThreads)
	if err := b.space.Read(b.out, bytes); err != nil {
		t.Fatal(err)
	}
	words := make([]uint32, len(bytes)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return words
}

func (b *clusterBench) run(workers int, v simd.Level) error {
	g := exec.New(exec.Config{Memory: b.space, SMs: 4, Workers: workers, ISA: v}).NewGrid(b.launch)
	for done := false; !done; {
		var err error
		if done, err = g.Advance(1000); err != nil {
			return err
		}
	}
	return nil
}

// stepped runs the grid as a timing model does, one warp after another.
func (b *clusterBench) stepped(t *testing.T) error {
	t.Helper()
	s := exec.New(exec.Config{Memory: b.space, SMs: 4}).NewStepping(b.launch)
	size := int(b.launch.Cluster[0])
	for range clusterCTAs / size {
		var firsts []int32
		warps := 0
		for range size {
			first, n := s.Start(exec.NewCore(func(c uint64) uint64 { return c }))
			firsts, warps = append(firsts, first), n
		}
		for live := true; live; {
			live = false
			for _, first := range firsts {
				for w := range int32(warps) {
					if at := s.Next(first + w); at.Function != nil {
						if _, err := s.Step(first+w, 0); err != nil {
							return err
						}
						live = true
					}
				}
			}
		}
		for _, first := range firsts {
			s.End(first)
		}
	}
	return nil
}

// neighbour leaves in each thread what the next CTA of the cluster has stored,
// by the 32-bit address, the generic one, and that of the variable itself.
const neighbour = `
	mad.lo.u32 %v, %c, 1000, %t;
	mad.lo.u32 %m, %t, 4, %s;
	st.shared.u32 [%m], %v;
	barrier.cluster.arrive.release.aligned;
	barrier.cluster.wait.acquire.aligned;
	add.u32 %x, %r, 1;
	rem.u32 %x, %x, %n;
	mapa.shared::cluster.u32 %v, %m, %x;
	ld.shared::cluster.u32 %v, [%v];
	cvt.u64.u32 %g, %m;
	cvta.shared.u64 %g, %g;
	mapa.u64 %h, %g, %x;
	ld.u32 %w, [%h];
	xor.b32 %w, %w, %v;
	add.u32 %v, %v, %w;
	getctarank.u64 %w, %h;
	xor.b32 %w, %w, %x;
	add.u32 %v, %v, %w;
	ld.shared.u32 %w, [v+4];
	mad.lo.u32 %v, %w, 0, %v;
	st.global.u32 [%o], %v;
	barrier.cluster.arrive;
	barrier.cluster.wait;`

func TestCTAsOfAClusterReachOneAnothersSharedMemory(t *testing.T) {
	for _, size := range []uint32{1, 2, 3, 4, 12} {
		want := make([]uint32, clusterCTAs*clusterThreads)
		for i := range want {
			cta, thread := uint32(i)/clusterThreads, uint32(i)%clusterThreads
			want[i] = (cta/size*size+(cta%size+1)%size)*1000 + thread
		}
		b := newClusterBench(t, size, neighbour)
		for name, run := range map[string]func() error{
			"one worker":   func() error { return b.run(1, simd.Best) },
			"four workers": func() error { return b.run(4, simd.Best) },
			"handlers":     func() error { return b.run(1, simd.Go) },
			"stepped":      func() error { return b.stepped(t) },
		} {
			if err := b.space.Set(b.out, 0, 1, 4*uint64(len(want))); err != nil {
				t.Fatal(err)
			}
			if err := run(); err != nil {
				t.Fatalf("clusters of %d, %s: %v", size, name, err)
			}
			if got := b.results(t); !slices.Equal(got, want) {
				t.Errorf("clusters of %d, %s: %v", size, name, got[:100])
			}
		}
	}
}

func TestClusterBarrierDoesNotWaitForThreadsThatHaveExited(t *testing.T) {
	b := newClusterBench(t, 4, `
	setp.eq.u32 %p0, %r, 2;
	@%p0 exit;
	setp.gt.u32 %p0, %t, 40;
	@%p0 exit;
	barrier.cluster.arrive;
	barrier.cluster.wait;
	st.global.u32 [%o], 1;`)
	if err := b.run(2, simd.Best); err != nil {
		t.Fatal(err)
	}
	for i, got := range b.results(t) {
		want := uint32(1)
		if i/clusterThreads%4 == 2 || i%clusterThreads > 40 {
			want = 0
		}
		if got != want {
			t.Fatalf("thread %d has passed %d barriers, want %d", i, got, want)
		}
	}
}

func TestSpinningOnAnotherCTAOfTheClusterEnds(t *testing.T) {
	b := newClusterBench(t, 3, `
	setp.ne.u32 %p0, %t, 0;
	@%p0 exit;
	st.shared.u32 [v], %r;
	barrier.cluster.arrive;
	barrier.cluster.wait;
	setp.eq.u32 %p1, %r, 2;
	@%p1 bra last;
spin:
	ld.relaxed.cluster.shared::cta.u32 %w, [v];
	setp.ne.u32 %p2, %w, 77;
	@%p2 bra spin;
	st.global.u32 [%o], %w;
last:
	sub.u32 %x, %r, 1;
	setp.eq.u32 %p1, %r, 0;
	@%p1 bra end;
	mapa.shared::cluster.u32 %m, %s, %x;
	mov.u32 %w, 77;
	st.relaxed.cluster.shared::cluster.u32 [%m], %w;
end:
	barrier.cluster.arrive;
	barrier.cluster.wait;`)
	if err := b.run(2, simd.Best); err != nil {
		t.Fatal(err)
	}
	if got := b.results(t); got[0] != 77 || got[clusterThreads] != 77 || got[2*clusterThreads] != 0 {
		t.Errorf("results %d %d %d", got[0], got[clusterThreads], got[2*clusterThreads])
	}
}

func TestMistakesWithAClusterAreFaults(t *testing.T) {
	reach := func(address string) string {
		return `
	mapa.shared::cluster.u32 %m, %s, 0;
	` + address + `
	setp.eq.u32 %p0, %r, 1;
	@%p0 ld.shared::cluster.u32 %v, [%m];
	barrier.cluster.arrive;
	barrier.cluster.wait;`
	}
	for name, c := range map[string]struct {
		statements string
		kind       isa.TrapKind
	}{
		"misaligned":         {reach("add.u32 %m, %m, 2;"), isa.Misaligned},
		"beyond its end":     {reach("add.u32 %m, %m, 1024;"), isa.ClusterMemory},
		"beyond that of SMs": {reach("add.u32 %m, %m, 240000;"), isa.IllegalAddress},
		"no such rank":       {reach("mapa.shared::cluster.u32 %m, %s, 2;"), isa.ClusterMemory},
		"by the CTA's own": {`
	mapa.shared::cluster.u32 %m, %s, 0;
	ld.shared.u32 %v, [%m];`, isa.IllegalInstruction},
		"of a CTA that has ended": {ended + `
	ld.shared::cluster.u32 %v, [%m];`, isa.ClusterMemory},
		"half a barrier": {`
	setp.eq.u32 %p0, %r, 1;
	@%p0 bra over;
	barrier.cluster.arrive;
	barrier.cluster.wait;
over:
	bar.sync 0;
	@!%p0 bra end;
	mov.u32 %v, 0;
	bar.sync 1, 96;
end:`, isa.Deadlock},
	} {
		t.Run(name, func(t *testing.T) {
			err := newClusterBench(t, 2, c.statements).run(2, simd.Best)
			var f *exec.Fault
			if !errors.As(err, &f) || f.Kind != c.kind {
				t.Errorf("%v, want kind %d", err, c.kind)
			}
		})
	}
}

// ended lets the first CTA of each cluster exit, and the others wait for a while.
const ended = `
	barrier.cluster.arrive;
	barrier.cluster.wait;
	setp.eq.u32 %p0, %r, 0;
	@%p0 exit;
	mapa.shared::cluster.u32 %m, %s, 0;
	mov.u32 %x, 20000;
again:
	sub.u32 %x, %x, 1;
	setp.ne.u32 %p1, %x, 0;
	@%p1 bra again;`

func TestWhatIsWrittenToACTAThatHasEndedIsLost(t *testing.T) {
	b := newClusterBench(t, 2, ended+`
	st.shared::cluster.u32 [%m], %x;
	mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%m];
	st.global.u32 [%o], 1;`)
	if err := b.run(2, simd.Best); err != nil {
		t.Fatal(err)
	}
	if got := b.results(t)[clusterThreads]; got != 1 {
		t.Errorf("the second CTA left %d", got)
	}
}

func TestRegistersPlaceACTAInItsCluster(t *testing.T) {
	b := newClusterBench(t, 4, `
	mov.u32 %v, %clusterid.x;
	mov.u32 %w, %nclusterid.x;
	mad.lo.u32 %v, %v, 10, %w;
	mov.u32 %w, %cluster_ctaid.x;
	mad.lo.u32 %v, %v, 10, %w;
	mad.lo.u32 %v, %v, 10, %r;
	mad.lo.u32 %v, %v, 10, %n;
	mov.pred %p0, %is_explicit_cluster;
	selp.u32 %w, 1, 0, %p0;
	mad.lo.u32 %v, %v, 10, %w;
	st.global.u32 [%o], %v;`)
	if err := b.run(2, simd.Best); err != nil {
		t.Fatal(err)
	}
	for cta := range uint32(clusterCTAs) {
		want := fmt.Sprintf("%d%d%d%d%d%d", cta/4, 3, cta%4, cta%4, 4, 1)
		if got := fmt.Sprintf("%06d", b.results(t)[cta*clusterThreads]); got != want {
			t.Errorf("CTA %d has %s, want %s", cta, got, want)
		}
	}
}
