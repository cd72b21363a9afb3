// Package bench measures whole processes: what the library costs a program
// that makes no CUDA call, the time to the first call and of a launch, and how
// fast device code runs beside the same in C and beside what was accepted. make
// bench prints the figures that the README quotes.
package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	libraries = "../../build/lib"
	programs  = "../apps/prebuilt/13.0"
)

// process runs a program with the library preloaded, if with is set, and
// returns what it wrote to stderr.
func process(b *testing.B, with bool, program string, args ...string) []byte {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "PTX_SIM_MODE_FUNC=1")
	if with {
		lib, err := filepath.Abs(filepath.Join(libraries, "libcudart.so.13"))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := os.Stat(lib); err != nil {
			b.Skip("the library is not built; make build")
		}
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+lib)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s: %v\n%s", program, err, stderr.Bytes())
	}
	return stderr.Bytes()
}

// BenchmarkIdle compares a process without CUDA calls with and without the
// library; the pairs alternate, so that a busy machine disturbs both alike.
func BenchmarkIdle(b *testing.B) {
	var without, with time.Duration
	for b.Loop() {
		start := time.Now()
		process(b, false, "/bin/true")
		middle := time.Now()
		process(b, true, "/bin/true")
		without += middle.Sub(start)
		with += time.Since(middle)
	}
	b.ReportMetric(float64((with-without).Microseconds())/float64(b.N), "us-added/process")
}

// BenchmarkFirstCall measures, inside the process, the call that loads the core.
func BenchmarkFirstCall(b *testing.B) {
	lib, err := filepath.Abs(libraries)
	if err != nil {
		b.Fatal(err)
	}
	program := filepath.Join(b.TempDir(), "first_call")
	gcc := exec.Command("gcc", "-O2", "-o", program, "testdata/first_call.c", filepath.Join(lib, "libcudart.so.13"), "-Wl,-rpath,"+lib)
	if out, err := gcc.CombinedOutput(); err != nil {
		b.Skipf("the C program does not build: %v\n%s", err, out)
	}
	var sum int
	for b.Loop() {
		out, err := exec.Command(program).Output()
		if err != nil {
			b.Fatal(err)
		}
		us, err := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil {
			b.Fatal(err)
		}
		sum += us
	}
	b.ReportMetric(float64(sum)/float64(b.N), "us/first-call")
}

// BenchmarkSmallProgram runs a program with one small kernel from start to end.
func BenchmarkSmallProgram(b *testing.B) {
	for b.Loop() {
		process(b, true, filepath.Join(programs, "vector_add"))
	}
}

// closing finds the thread instructions a second in lockstep's closing line.
var closing = regexp.MustCompile(`, ([0-9.]+) ([kMG]?)/s`)

// BenchmarkGEMM reports the rate of a naive float matrix product of 256 by 256.
func BenchmarkGEMM(b *testing.B) {
	var rate float64
	for b.Loop() {
		m := closing.FindSubmatch(process(b, true, filepath.Join(programs, "gemm_naive"), "256"))
		if m == nil {
			b.Fatal("no closing line")
		}
		v, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			b.Fatal(err)
		}
		rate += v * map[string]float64{"": 1e-6, "k": 1e-3, "M": 1, "G": 1e3}[string(m[2])]
	}
	b.ReportMetric(rate/float64(b.N), "Mthread-inst/s")
}

// BenchmarkLaunch measures, inside the process, launches of a tiny kernel: one of many, one with a wait after it, and one
// with a copy of a word to the host.
func BenchmarkLaunch(b *testing.B) {
	lib, err := filepath.Abs(libraries)
	if err != nil {
		b.Fatal(err)
	}
	program := filepath.Join(b.TempDir(), "launch")
	gcc := exec.Command("gcc", "-O2", "-o", program, "testdata/launch.c", filepath.Join(lib, "libcuda.so.1"), "-Wl,-rpath,"+lib)
	if out, err := gcc.CombinedOutput(); err != nil {
		b.Skipf("the C program does not build: %v\n%s", err, out)
	}
	names := [3]string{"launch", "waited", "copied"}
	var least [len(names)]float64 // by the clock
	for b.Loop() {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "PTX_SIM_MODE_FUNC=1", "LOCKSTEP_LOG=quiet")
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		var cpu, wall [len(names)]float64
		if _, err := fmt.Sscan(string(out), &cpu[0], &wall[0], &cpu[1], &wall[1], &cpu[2], &wall[2]); err != nil {
			b.Fatal(err)
		}
		for i, us := range wall {
			if least[i] == 0 || us < least[i] {
				least[i] = us
			}
		}
	}
	for i, name := range names {
		b.ReportMetric(least[i], "us/"+name)
	}
}
