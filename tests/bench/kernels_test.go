package bench

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// timed is a kernel of testdata/kernels.cu with its launch.
type timed struct {
	name        string
	grid, block [3]uint32
	n           uint32
}

func line(blocks, threads uint32) (grid, block [3]uint32) {
	return [3]uint32{blocks, 1, 1}, [3]uint32{threads, 1, 1}
}

func kernels() []timed {
	list := []timed{
		{"gemm_naive", [3]uint32{8, 32, 1}, [3]uint32{32, 8, 1}, 256},
		{"gemm_tiled", [3]uint32{16, 16, 1}, [3]uint32{16, 16, 1}, 256},
		{"stencil", [3]uint32{16, 64, 1}, [3]uint32{32, 8, 1}, 512},
		{"mma", [3]uint32{16, 16, 1}, [3]uint32{32, 1, 1}, 256},
	}
	for _, k := range []struct {
		name               string
		blocks, threads, n uint32
	}{
		{"reduction", 64, 256, 1 << 19}, {"scan", 256, 256, 1 << 16}, {"histogram", 64, 256, 1 << 18},
		{"bfs", 256, 256, 1 << 16}, {"nbody", 16, 128, 2048}, {"blackscholes", 512, 256, 1 << 17},
		{"sort", 64, 256, 1 << 15}, {"fp64", 64, 256, 1 << 14}, {"halfs", 64, 256, 1 << 14},
		{"hashing", 64, 256, 1 << 14}, {"divergence", 64, 256, 1 << 14}, {"calls", 64, 256, 1 << 14}, {"tiny", 1, 32, 32},
	} {
		grid, block := line(k.blocks, k.threads)
		list = append(list, timed{k.name, grid, block, k.n})
	}
	return list
}

// bufferBytes is the size of each of the three buffers.
const bufferBytes = 4 << 20

// bed is a device with the module and its buffers.
type bed struct {
	device *gpu.Device
	module *link.Module
	addr   [3]uint64
	budget int // of one call of Advance
}

func newBed(b testing.TB, workers int, v simd.Level) *bed {
	b.Helper()
	return newBedOf(b, gpu.Config{Workers: workers, ISA: v})
}

// newBedOf is newBed for a device that c describes further.
func newBedOf(b testing.TB, c gpu.Config) *bed {
	b.Helper()
	check := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	c.Memory, c.SMs, c.ThreadsPerSM, c.Stack = mem.Config{DeviceBytes: 1 << 30, Bounds: mem.Page}, 132, 2048, 1024
	d, err := gpu.New(c)
	check(err)
	b.Cleanup(func() { d.Close() })
	text, err := os.ReadFile("testdata/kernels.ptx")
	check(err)
	unit, err := link.Parse("kernels.ptx", string(text))
	check(err)
	m, err := link.Link(exec.IsBuiltin, unit)
	check(err)
	for _, v := range m.Variables() {
		v.Addr, err = d.Memory().Alloc(v.Size, 256)
		check(err)
	}
	for _, v := range m.Variables() {
		image, err := m.Image(v)
		check(err)
		check(d.Memory().Write(v.Addr, image))
	}
	x := &bed{device: d, module: m, budget: 1 << 20}
	for i := range x.addr {
		x.addr[i], err = d.Memory().Alloc(bufferBytes, 256)
		check(err)
		check(d.Memory().Write(x.addr[i], contents(i)))
	}
	return x
}

// contents are floats between one half and two, so that no arithmetic of the
// kernels overflows; as words their low bits are random.
func contents(i int) []byte {
	image, seed := make([]byte, bufferBytes), uint32(12345+i)
	for at := 0; at < bufferBytes; at += 4 {
		seed = seed*1664525 + 1013904223
		binary.LittleEndian.PutUint32(image[at:], 0x3f000000|seed>>8)
	}
	return image
}

// run launches k once and waits for its end.
func (x *bed) run(b testing.TB, k *isa.Kernel, t timed) (warp, thread uint64) {
	params := make([]byte, k.ParamBytes)
	for i, a := range x.addr {
		binary.LittleEndian.PutUint64(params[8*i:], a)
	}
	binary.LittleEndian.PutUint32(params[24:], t.n)
	g, err := x.device.Start(gpu.Launch{Kernel: k, Grid: t.grid, Block: t.block, Params: params})
	if err != nil {
		b.Fatal(err)
	}
	for done := false; !done; {
		if done, err = g.Advance(x.budget); err != nil {
			b.Fatal(err)
		}
	}
	return g.Instructions(), g.ThreadInstructions()
}

// calibrate is the time of a fixed loop of dependent integer arithmetic, which
// tells how fast the machine is at the moment.
func calibrate() time.Duration {
	best := time.Hour
	for range 3 {
		start, x := time.Now(), uint32(1)
		for range 1 << 20 {
			x = x*1664525 + 1013904223
			x ^= x >> 13
		}
		if elapsed := time.Since(start); x != 0 && elapsed < best {
			best = elapsed
		}
	}
	return best
}

// cpuTime is the processor time that the process has used. Other processes
// disturb it less than they do the clock on the wall.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkKernels reports for each kernel the millions of thread instructions
// a second by the clock on the wall and by processor time, the latter's
// nanoseconds a warp instruction, and these in units of an iteration of the
// calibration loop. The first is of the best launch, the others are means.
// Each kernel is run at each level of machine code, and by handlers alone.
func BenchmarkKernels(b *testing.B) {
	levels := simd.Levels()
	slices.Reverse(levels)
	for _, v := range levels {
		b.Run(v.String(), func(b *testing.B) { benchmark(b, v) })
	}
}

func benchmark(b *testing.B, v simd.Level) {
	x := newBed(b, 0, v)
	for _, t := range kernels() {
		b.Run(t.name, func(b *testing.B) {
			k, err := x.module.Kernel(t.name)
			if err != nil {
				b.Fatal(err)
			}
			x.run(b, k, t)
			unit := calibrate().Seconds() / (1 << 20)
			best, warps, threads := time.Hour, uint64(0), uint64(0)
			used := cpuTime()
			for b.Loop() {
				start := time.Now()
				warps, threads = x.run(b, k, t)
				best = min(best, time.Since(start))
			}
			cpu := (cpuTime() - used).Seconds() / float64(b.N)
			core := cpu / float64(warps)
			b.ReportMetric(float64(threads)/best.Seconds()/1e6, "Mthread-inst/s")
			b.ReportMetric(float64(threads)/cpu/1e6, "Mthread-inst/cpu-s")
			b.ReportMetric(core*1e9, "cpu-ns/warp-inst")
			b.ReportMetric(core/unit, "loops/warp-inst")
		})
	}
}

var repeat = flag.Int("runs", 1, "how often TestEnginesAgree runs every kernel")

// Machine code of every level and handlers, on one core or two and in turns of any length, leave the same
// bytes after the same number of instructions.
func TestEnginesAgree(t *testing.T) {
	beds := []*bed{newBed(t, 1, simd.Go), newBed(t, 2, simd.Go)}
	for _, v := range simd.Levels()[1:] {
		beds = append(beds, newBed(t, 1, v), newBed(t, 2, v), newBed(t, 1, v))
		beds[len(beds)-1].budget = 37 // runs end anywhere
	}
	for range *repeat {
		for _, l := range kernels() {
			l.grid = [3]uint32{min(l.grid[0], 4), min(l.grid[1], 3), 1}
			agree(t, beds, l)
		}
	}
}

// agree runs l on all beds and compares their buffers and counts.
func agree(t *testing.T, beds []*bed, l timed) {
	var first [3][]byte
	var counts [2]uint64
	for i, x := range beds {
		k, err := x.module.Kernel(l.name)
		if err != nil {
			t.Fatal(err)
		}
		w, n := x.run(t, k, l)
		if i == 0 {
			counts = [2]uint64{w, n}
		} else if counts != [2]uint64{w, n} {
			t.Errorf("%s, engine %d: %d warp instructions and %d of threads, want %v", l.name, i, w, n, counts)
		}
		for j, a := range x.addr {
			got := make([]byte, bufferBytes)
			if err := x.device.Memory().Read(a, got); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first[j] = got
			} else if !bytes.Equal(got, first[j]) {
				t.Errorf("%s, engine %d: buffer %d differs", l.name, i, j)
			}
		}
	}
}

// A launch allocates the grid that the caller holds, in two parts, and its parameters.
func TestLaunchAllocatesNextToNothing(t *testing.T) {
	x := newBed(t, 1, simd.Best)
	for _, l := range kernels() {
		if l.name != "tiny" {
			continue
		}
		k, err := x.module.Kernel(l.name)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { x.run(t, k, l) }); n > 3 {
			t.Errorf("%v allocations", n)
		}
	}
}
