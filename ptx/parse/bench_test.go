package parse

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

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
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestBigModulesLoadWithinASecond(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := 20 << 20 / len(kernels(1))
	text := kernels(n)
	best := time.Hour
	for range 3 {
		start := threadTime(t)
		if _, err := Lazy("big.ptx", text); err != nil {
			t.Fatal(err)
		}
		best = min(best, threadTime(t)-start)
	}
	t.Logf("%d MB in %v of processor time", len(text)>>20, best)
	if best > time.Second {
		t.Errorf("%d MB took %v of processor time", len(text)>>20, best)
	}
}

func TestParserReadsFiftyMegabytesASecond(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	text := kernels(4 << 20 / len(kernels(1)))
	best := time.Hour
	for range 3 {
		start := threadTime(t)
		if _, err := Parse("big.ptx", text); err != nil {
			t.Fatal(err)
		}
		best = min(best, threadTime(t)-start)
	}
	rate := float64(len(text)) / 1e6 / best.Seconds()
	t.Logf("%.0f MB/s of processor time", rate)
	if rate < 50 {
		t.Errorf("%.0f MB/s of processor time, want 50", rate)
	}
}
