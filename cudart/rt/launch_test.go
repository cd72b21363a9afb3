package rt_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

func TestLaunchMistakesGiveTheCodesOfEachMajor(t *testing.T) { // C23
	one := [3]uint32{1, 1, 1}
	for _, c := range []struct {
		name        string
		kernel      string
		grid, block [3]uint32
		shared      uint64
		v12, v13    rt.Error
	}{
		{"fine", "empty", [3]uint32{70000, 1, 1}, one, 0, 0, 0},
		{"largest grid", "empty", [3]uint32{1<<31 - 1, 65535, 65535}, one, 0, 0, 0},
		{"no blocks in x", "empty", [3]uint32{0, 1, 1}, one, 0, 9, 1},
		{"no blocks in y", "empty", [3]uint32{1, 0, 1}, one, 0, 9, 1},
		{"too many blocks in x", "empty", [3]uint32{1 << 31, 1, 1}, one, 0, 9, 1},
		{"too many blocks in y", "empty", [3]uint32{1, 65536, 1}, one, 0, 9, 1},
		{"too many blocks in z", "empty", [3]uint32{1, 1, 65536}, one, 0, 9, 1},
		{"no threads", "empty", one, [3]uint32{0, 1, 1}, 0, 9, 1},
		{"1025 threads", "empty", one, [3]uint32{1025, 1, 1}, 0, 9, 1},
		{"65 threads in z", "empty", one, [3]uint32{1, 1, 65}, 0, 9, 1},
		{"1056 threads", "empty", one, [3]uint32{32, 33, 1}, 0, 9, 1},
		{"threads whose product overflows", "empty", one, [3]uint32{1024, 1024, 64}, 0, 9, 1},
		{"launch bounds", "bounded", one, [3]uint32{129, 1, 1}, 0, 1, 1},
		{"within launch bounds", "bounded", one, [3]uint32{128, 1, 1}, 0, 0, 0},
		{"48 KB of shared memory", "empty", one, one, 48 << 10, 0, 0},
		{"more than 48 KB", "empty", one, one, 48<<10 + 1, 1, 1},
		{"more than 48 KB together", "shared", one, one, 32<<10 + 1, 1, 1},
		{"48 KB together", "shared", one, one, 32 << 10, 0, 0},
		{"absurd shared memory", "empty", one, one, 1 << 62, 1, 1},
		{"too many registers", "fat", one, [3]uint32{512, 1, 1}, 0, 701, 701},
		{"as many registers as there are", "fat", one, [3]uint32{256, 1, 1}, 0, 0, 0},
	} {
		for major, code := range map[int]rt.Error{11: c.v12, 12: c.v12, 13: c.v13} {
			p := start(t, func(c *rt.Config) { c.Major = major })
			err := p.thread.LaunchKernel(rt.Launch{Function: p.stub(c.kernel), Grid: c.grid, Block: c.block, Shared: c.shared})
			p.want(fmt.Sprintf("%s, CUDA %d", c.name, major), err, code)
			p.want("the device afterwards", p.thread.DeviceSynchronize(), 0)
			p.close()
		}
	}
}

func TestUnregisteredFunctionsAreNamedAsEachMajorDoes(t *testing.T) {
	for major, code := range map[int]rt.Error{11: 98, 12: 98, 13: 400} {
		p := start(t, func(c *rt.Config) { c.Major = major })
		l := rt.Launch{Function: 0x1234, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}}
		p.want(fmt.Sprintf("unknown, CUDA %d", major), p.thread.LaunchKernel(l), code)
		l.Function = 0
		p.want(fmt.Sprintf("null, CUDA %d", major), p.thread.LaunchKernel(l), 98)
	}
}

func TestArgumentsReachTheKernel(t *testing.T) {
	p := start(t)
	word := p.malloc(8)
	p.must(p.thread.Memset(word, 0, 8, rt.Order{}))
	for i := range uint64(3) {
		p.must(p.launch(p.thread, "append", 0, word, i+1))
	}
	host, b := p.bytes(8)
	p.must(p.thread.Memcpy(host, word, 8, 2, rt.Order{}))
	if b[0] != 123 {
		t.Errorf("got %d, want 123", b[0])
	}
}

func TestSharedMemoryAbove48KBNeedsOptIn(t *testing.T) { // C31
	p := start(t)
	l := rt.Launch{Function: p.stub("shared"), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Shared: 100 << 10}
	p.want("before", p.thread.LaunchKernel(l), 1)
	p.want("above the device's limit", p.thread.FuncSetAttribute(l.Function, 8, 227<<10-16<<10+1), 1)
	p.must(p.thread.FuncSetAttribute(l.Function, 8, 100<<10))
	p.want("after", p.thread.LaunchKernel(l), 0)
	l.Shared++
	p.want("above what was asked for", p.thread.LaunchKernel(l), 1)
	a, err := p.thread.FuncGetAttributes(l.Function)
	p.must(err)
	if a.SharedSizeBytes != 16<<10 || a.MaxDynamicSharedSizeBytes != 100<<10 || a.NumRegs != 32 || a.MaxThreadsPerBlock != 1024 || a.BinaryVersion != 90 {
		t.Errorf("attributes %+v", a)
	}
}

func TestCooperativeGridsMustBeResident(t *testing.T) { // C28
	p := start(t)
	blocks, err := p.thread.OccupancyMaxActiveBlocks(p.stub("empty"), 64, 0, 0)
	p.must(err)
	l := rt.Launch{Function: p.stub("empty"), Grid: [3]uint32{uint32(blocks * 132), 1, 1}, Block: [3]uint32{64, 1, 1}, Cooperative: true}
	p.want("all resident", p.thread.LaunchKernel(l), 0)
	l.Grid[0]++
	p.want("one too many", p.thread.LaunchKernel(l), 720)
	l.Cooperative = false
	p.want("one too many, not cooperative", p.thread.LaunchKernel(l), 0)
}

func TestOccupancyIsTheLeastOfItsLimits(t *testing.T) {
	p := start(t)
	for _, c := range []struct {
		kernel  string
		threads int
		dynamic uint64
		want    int
	}{
		{"empty", 32, 0, 32},           // blocks of a multiprocessor
		{"empty", 1024, 0, 2},          // threads
		{"empty", 96, 0, 21},           // 64 warps, three a block
		{"fat", 256, 0, 1},             // registers
		{"fat", 512, 0, 0},             // too many registers for one block
		{"shared", 128, 0, 13},         // 233472 / (16384 + 1024)
		{"empty", 128, 227 << 10, 0},   // more than the kernel may have
		{"opted", 128, 227 << 10, 1},   // all of the shared memory
		{"opted", 128, 227<<10 + 1, 0}, // and more
		{"bounded", 256, 0, 8},         // not the launch bounds
	} {
		if c.kernel == "opted" {
			c.kernel = "empty"
			p.must(p.thread.FuncSetAttribute(p.stub("empty"), 8, 227<<10))
		}
		got, err := p.thread.OccupancyMaxActiveBlocks(p.stub(c.kernel), c.threads, c.dynamic, 0)
		if err != nil || got != c.want {
			t.Errorf("%s, %d threads, %d bytes: %d, %v, want %d", c.kernel, c.threads, c.dynamic, got, err, c.want)
		}
	}
}

// What an H200 answers to clusters of so many blocks in a grid.
func TestClustersThatCannotBeAreRefused(t *testing.T) {
	p := start(t)
	f := p.stub("empty")
	launch := func(grid uint32, size [3]int32) error {
		l := rt.Launch{Function: f, Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{1, 1, 1}}
		return p.thread.LaunchKernelEx(l, []rt.LaunchAttribute{{ID: 4, Words: [16]int32{size[0], size[1], size[2]}}})
	}
	for _, c := range []struct {
		grid uint32
		size [3]int32
		code rt.Error
	}{
		{4, [3]int32{1, 1, 1}, 0}, {4, [3]int32{2, 1, 1}, 0}, {3, [3]int32{2, 1, 1}, 912}, {4, [3]int32{0, 1, 1}, 912},
		{4, [3]int32{1, 0, 1}, 912}, {8, [3]int32{8, 1, 1}, 0}, {3, [3]int32{3, 1, 1}, 0}, {9, [3]int32{9, 1, 1}, 912},
		{16, [3]int32{16, 1, 1}, 912}, {64, [3]int32{1 << 16, 1, 1}, 912},
	} {
		p.want(fmt.Sprintf("clusters of %v", c.size), launch(c.grid, c.size), c.code)
	}
	p.must(p.thread.FuncSetAttribute(f, 14, 1))
	p.want("16 blocks", launch(16, [3]int32{16, 1, 1}), 0)
	p.must(p.thread.FuncSetAttribute(f, 11, 2))
	p.want("another size than required", launch(8, [3]int32{4, 1, 1}), 912)
	p.want("the required size", launch(8, [3]int32{2, 1, 1}), 0)
	p.want("a requirement without height", p.launch(p.thread, "empty", 0), 912)
	p.want("a negative requirement", p.thread.FuncSetAttribute(f, 12, -1), 1)
	p.want("a policy that does not exist", p.thread.FuncSetAttribute(f, 15, 3), 1)
	p.want("an attribute that is only read", p.thread.FuncSetAttribute(f, 10, 1), 1)
	l := rt.Launch{Function: f, Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{1, 1, 1}}
	p.must(p.thread.FuncSetAttribute(f, 11, 0))
	p.want("a hint", p.thread.LaunchKernelEx(l, []rt.LaunchAttribute{{ID: 6, Words: [16]int32{1}}}), 0)
	p.want("a policy", p.thread.LaunchKernelEx(l, []rt.LaunchAttribute{{ID: 5, Words: [16]int32{3}}}), 1)
	p.want("an unknown attribute", p.thread.LaunchKernelEx(l, []rt.LaunchAttribute{{ID: 77}}), 1)
}

// What cudaOccupancyMaxActiveClusters gives on an H200 for blocks of 32 threads,
// and for blocks of 1024.
func TestActiveClustersAreThoseOfTheCard(t *testing.T) {
	p := start(t)
	f := p.stub("empty")
	ask := func(threads, blocks uint32, shared uint64) (clusters, size int) {
		l := rt.Launch{Function: f, Grid: [3]uint32{4 * blocks, 1, 1}, Block: [3]uint32{threads, 1, 1}, Shared: shared}
		a := []rt.LaunchAttribute{{ID: 4, Words: [16]int32{int32(blocks), 1, 1}}}
		clusters, err := p.thread.OccupancyMaxActiveClusters(l, a)
		p.must(err)
		size, err = p.thread.OccupancyMaxPotentialClusterSize(l, a)
		p.must(err)
		return clusters, size
	}
	if _, size := ask(32, 2, 0); size != 8 {
		t.Errorf("a cluster can have %d blocks", size)
	}
	p.must(p.thread.FuncSetAttribute(f, 14, 1))
	for _, c := range []struct {
		blocks      uint32
		small, full int
	}{
		{1, 1056, 264}, {2, 528, 132}, {3, 327, 79}, {4, 248, 62}, {5, 193, 47}, {6, 163, 39}, {7, 139, 32}, {8, 124, 30},
		{9, 102, 23}, {10, 88, 21}, {12, 74, 16}, {14, 65, 14}, {16, 58, 14}, {18, 16, 4}, {32, 0, 0},
	} {
		small, size := ask(32, c.blocks, 0)
		full, _ := ask(1024, c.blocks, 0)
		if small != c.small || full != c.full || size != 16 {
			t.Errorf("clusters of %d: %d, of full blocks %d, up to %d blocks; the card has %d and %d, up to 16", c.blocks, small, full, size, c.small, c.full)
		}
	}
	for blocks, want := range map[uint32]int{1: 132, 2: 66, 4: 30, 8: 15, 16: 7} {
		if got, _ := ask(1024, blocks, 204800); got != want {
			t.Errorf("clusters of %d with 200 KiB: %d, the card has %d", blocks, got, want)
		}
	}
	if clusters, size := ask(1024, 2, 233472); clusters != 0 || size != 0 {
		t.Errorf("blocks that do not fit: %d clusters, up to %d blocks", clusters, size)
	}
}

func TestFaultSticksUntilReset(t *testing.T) {
	p := start(t)
	word := p.malloc(8)
	p.must(p.launch(p.thread, "fault", 0))
	p.want("synchronize", p.thread.DeviceSynchronize(), 716)
	if e := p.thread.GetLastError(); e != 0 {
		t.Errorf("Done was not called, last error is %d", e)
	}
	other := p.runtime.NewThread()
	for name, err := range map[string]error{
		"launch":  p.launch(p.thread, "empty", 0),
		"memcpy":  p.thread.Memcpy(word, word, 8, 4, rt.Order{}),
		"free":    p.thread.Free(word),
		"another": other.DeviceSynchronize(),
		"query":   p.thread.StreamQuery(0),
		"peer":    func() error { _, err := p.thread.Malloc(8); return err }(),
		"stream":  func() error { _, err := p.thread.StreamCreate(0, 0); return err }(),
		"event":   func() error { _, err := p.thread.EventCreate(0); return err }(),
	} {
		p.want(name, err, 716)
	}
	_, err := p.thread.GetDeviceCount()
	p.want("device count", err, 0)
	_, err = p.thread.GetDeviceProperties(0)
	p.want("properties", err, 0)
	p.want("reset", p.thread.DeviceReset(), 0)
	p.want("after the reset", p.launch(p.thread, "empty", 0), 0)
	p.want("after the reset", p.thread.DeviceSynchronize(), 0)
	p.want("memory from before", p.thread.Free(word), 1)
}

func TestPrintedTextAppearsWhenTheProgramSynchronises(t *testing.T) {
	p := start(t)
	s, err := p.thread.StreamCreate(0, 0)
	p.must(err)
	p.must(p.launch(p.thread, "print", s))
	for p.thread.EventQuery(0) == nil { // no event: nothing
	}
	if text := p.read(&p.out); text != "" {
		t.Errorf("printed %q before synchronising", text)
	}
	p.must(p.thread.StreamSynchronize(s))
	if text := p.read(&p.out); text != "hello\n" {
		t.Errorf("printed %q", text)
	}
}

func TestEveryHostThreadLaunchesOnItsOwnStream(t *testing.T) {
	p := start(t)
	word := p.malloc(8)
	p.must(p.thread.Memset(word, 0, 8, rt.Order{}))
	var threads sync.WaitGroup
	args := p.arguments([]uint64{word})
	for range 64 {
		threads.Go(func() {
			own := p.runtime.NewThread()
			defer own.Close()
			for range 20 {
				err := own.LaunchKernel(rt.Launch{Function: p.stub("increment"), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Stream: rt.PerThreadStream, Args: args})
				if err != nil {
					t.Error(err)
				}
			}
			if err := own.StreamSynchronize(rt.PerThreadStream); err != nil {
				t.Error(err)
			}
		})
	}
	threads.Wait()
	host, b := p.bytes(8)
	p.must(p.thread.Memcpy(host, word, 8, 2, rt.Order{}))
	if n := int(b[0]) | int(b[1])<<8; n != 64*20 {
		t.Errorf("counted %d", n)
	}
}

func TestClosingLineCountsWhatRan(t *testing.T) {
	p := start(t)
	p.runtime.Close()
	if p.err != "" {
		t.Errorf("without a kernel: %q", p.err)
	}
	p = start(t, func(c *rt.Config) { c.Functional = false })
	for range 3 {
		p.must(p.launch(p.thread, "empty", 0))
	}
	p.must(p.thread.DeviceSynchronize())
	p.runtime.Close()
	p.runtime.Close()
	if !strings.HasPrefix(p.err, "lockstep: NVIDIA H200, 3 kernels, 300 thread instructions in 0 cycles (0s simulated, IPC 300.00) in ") ||
		!strings.HasSuffix(p.err, "(timing model h200)\n") || strings.Count(p.err, "\n") != 1 {
		t.Errorf("closing line %q", p.err)
	}
	p = start(t, func(c *rt.Config) { c.Quiet = true })
	p.must(p.launch(p.thread, "empty", 0))
	p.must(p.thread.DeviceSynchronize())
	p.runtime.Close()
	if p.err != "" {
		t.Errorf("quiet: %q", p.err)
	}
}

func TestFunctionsTellWhatTheyWereCompiledFor(t *testing.T) {
	p := start(t)
	for _, sm := range []int{75, 90} {
		stub := p.image(fatbin.Encode(fatbin.New(fatbin.PTX, sm, "", []byte("text"))), 1)
		a, err := p.thread.FuncGetAttributes(stub)
		p.must(err)
		if a.PtxVersion != int32(sm) || a.BinaryVersion != 90 {
			t.Errorf("compute_%d: PTX %d, binary %d", sm, a.PtxVersion, a.BinaryVersion)
		}
		p.runtime.Unregister(2)
	}
}
