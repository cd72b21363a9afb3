package parse

import (
	"flag"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// kernels makes a module of n kernels of the shape that nvcc emits.
func kernels(n int) string {
	var b strings.Builder
	b.WriteString(".version 8.4\n.target sm_90\n.address_size 64\n\n")
	for k := range n {
		name := fmt.Sprintf("_Z9transformIfLi%dEEvPKT_PS0_ii", k)
		fmt.Fprintf(&b, "\t// .globl\t%s\n.visible .entry %s(\n", name, name)
		for i := range 4 {
			fmt.Fprintf(&b, "\t.param .u%d %s_param_%d,\n", 64>>(i/2), name, i)
		}
		fmt.Fprintf(&b, "\t.param .align 8 .b8 %s_param_4[16]\n)\n{\n", name)
		b.WriteString("\t.reg .pred \t%p<20>;\n\t.reg .f32 \t%f<99>;\n\t.reg .b32 \t%r<99>;\n\t.reg .b64 \t%rd<99>;\n\n\n")
		fmt.Fprintf(&b, "\tld.param.u64 \t%%rd1, [%s_param_0];\n\tmov.u32 \t%%r1, %%tid.x;\n", name)
		for i := 1; i < 90; i++ {
			fmt.Fprintf(&b, "\tmul.wide.s32 \t%%rd%d, %%r%d, 4;\n\tadd.s64 \t%%rd%d, %%rd1, %%rd%d;\n", i, i, i+1, i)
			fmt.Fprintf(&b, "\tld.global.nc.f32 \t%%f%d, [%%rd%d+%d];\n\tfma.rn.f32 \t%%f%d, %%f%d, 0f3F800000, %%f%d;\n", i, i+1, 4*i, i+1, i, i)
			if i%8 == 0 {
				fmt.Fprintf(&b, "\tsetp.ge.s32 \t%%p%d, %%r%d, 7;\n\t@%%p%d bra \t$L__BB%d_%d;\n\n$L__BB%d_%d:\n", i/8, i, i/8, k, i, k, i)
				fmt.Fprintf(&b, "\tst.global.v4.f32 \t[%%rd%d], {%%f1, %%f2, %%f3, %%f%d};\n\tbar.sync \t0;\n", i, i)
			}
		}
		b.WriteString("\tret;\n\n}\n")
	}
	return b.String()
}

func BenchmarkScan(b *testing.B) {
	text := kernels(100)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for s := (scan.Scanner{Src: text}); s.Next().Kind != scan.EOF; {
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := kernels(100)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("b.ptx", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLazy(b *testing.B) {
	text := kernels(100)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Lazy("b.ptx", text); err != nil {
			b.Fatal(err)
		}
	}
}

// threadTime is the processor time of the calling thread, which other programs on the
// machine do not lengthen.
func threadTime(t *testing.T) time.Duration {
	t.Helper()
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}

// hashes is how often the bytes of a text could be hashed (FNV-1a, one multiplication a byte) in the time
// that f takes: a measure of f that depends little on the machine.
func hashes(t *testing.T, text string, f func() error) float64 {
	t.Helper()
	if testing.Short() || flag.Lookup("test.fuzz").Value.String() != "" {
		t.Skip("it measures time, and the coverage of fuzzing takes time")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b := []byte(text)
	best := func(f func() error) time.Duration {
		best := time.Hour
		for range 3 {
			start := threadTime(t)
			if err := f(); err != nil {
				t.Fatal(err)
			}
			best = min(best, threadTime(t)-start)
		}
		return best
	}
	unit := best(func() error { _, err := fnv.New64a().Write(b); return err })
	took := best(f)
	t.Logf("%d MB in %v of processor time, %.1f hashes", len(text)>>20, took, took.Seconds()/unit.Seconds())
	return took.Seconds() / unit.Seconds()
}

// It was 25 to 37 on a machine with twenty programs for two cores, at 55 to 70 MB/s.
func TestParsingTakesFiftyHashesAtMost(t *testing.T) {
	text := kernels(4 << 20 / len(kernels(1)))
	if n := hashes(t, text, func() error { _, err := Parse("big.ptx", text); return err }); n > 50 {
		t.Errorf("%.1f hashes of the text, want 50 at most", n)
	}
}

// It was 4 to 6, 20 MB in 40 to 65 ms.
func TestLoadingTakesTenHashesAtMost(t *testing.T) {
	text := kernels(20 << 20 / len(kernels(1)))
	if n := hashes(t, text, func() error { _, err := Lazy("big.ptx", text); return err }); n > 10 {
		t.Errorf("%.1f hashes of the text, want 10 at most", n)
	}
}
