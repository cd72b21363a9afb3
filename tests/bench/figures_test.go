package bench

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

var (
	figures = flag.Bool("figures", false, "measure every kernel, print the tables and compare with "+acceptedFile)
	accept  = flag.Bool("accept", false, "with -figures: write what was measured to "+acceptedFile)
	measure = flag.String("measure", "", "measure one kernel in this process; TestFigures starts such processes")
)

const (
	acceptedFile = "testdata/accepted.txt"
	// worse is how much a figure may exceed the accepted one.
	worse = 1.10
	// rounds is how often each kernel is measured, in processes of their own in
	// turns with the native program; the least counts. One that seems to be worse
	// than accepted is measured up to retries times more.
	rounds, retries = 3, 6
	// span is how long a process repeats a kernel.
	span = 200 * time.Millisecond
)

// figure is what was measured of a kernel: the least of all rounds.
type figure struct {
	name           string
	warps, threads uint64        // instructions of a launch
	one            time.Duration // a launch on one core, processor time
	unit           float64       // nanoseconds of an iteration of the calibration loop
	loops          float64       // iterations of it a warp instruction
	all            time.Duration // a launch on all cores, by the clock
	handlers, avx2 time.Duration // a launch on one core by handlers, and by AVX2; zero without it
	native         time.Duration // the same in C
	peak           int64         // bytes of memory of a process with one core
}

// sample is what one process measures.
type sample struct {
	ns, unit       float64 // of a launch, of an iteration of the loop
	warps, threads uint64
	peak           int64
}

// TestMeasure measures the kernel that -measure names, as KERNEL/WORKERS/LEVEL,
// and prints it.
func TestMeasure(t *testing.T) {
	if *measure == "" {
		t.Skip("for TestFigures")
	}
	name, rest, _ := strings.Cut(*measure, "/")
	workers, level, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(workers)
	if err != nil {
		t.Fatal(err)
	}
	v, err := simd.ParseLevel(level)
	if err != nil {
		t.Fatal(err)
	}
	x := newBed(t, n, v)
	for _, l := range kernels() {
		if l.name == name {
			x.sample(t, l, n == 1).print()
		}
	}
}

// sample runs l again and again and takes the least time, of batches of launches
// of some milliseconds. Between them the calibration loop runs, so that what slows
// the machine down slows both.
func (x *bed) sample(t *testing.T, l timed, cpu bool) sample {
	k, err := x.module.Kernel(l.name)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Duration { return time.Duration(time.Now().UnixNano()) }
	if cpu {
		clock = cpuTime
	}
	x.run(t, k, l)
	s, batch := sample{ns: 1e18, unit: 1e18}, 1
	for began := time.Now(); time.Since(began) < span; {
		s.unit = min(s.unit, float64(calibrate().Nanoseconds())/(1<<20))
		start := clock()
		for range batch {
			s.warps, s.threads = x.run(t, k, l)
		}
		elapsed := clock() - start
		s.ns = min(s.ns, float64(elapsed)/float64(batch))
		if elapsed < 4*time.Millisecond {
			batch *= 2
		}
	}
	return s
}

const mark = "measured "

func (s sample) print() { fmt.Println(mark, s.ns, s.unit, s.warps, s.threads) }

// child measures a kernel in a process of its own.
func child(t *testing.T, name string, workers int, v simd.Level) sample {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestMeasure$", "-measure", fmt.Sprintf("%s/%d/%v", name, workers, v))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	var s sample
	_, line, _ := bytes.Cut(out, []byte(mark))
	if _, err := fmt.Sscan(string(line), &s.ns, &s.unit, &s.warps, &s.threads); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	s.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	return s
}

// compile builds the C program of the same kernels; "" if there is no compiler.
func compile(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "native")
	out, err := exec.Command("gcc", "-O3", "-march=native", "-o", program, "testdata/native.c", "-lm").CombinedOutput()
	if err != nil {
		t.Logf("nothing to compare with: %v\n%s", err, out)
		return ""
	}
	return program
}

// native runs a kernel of the C program.
func native(t *testing.T, program string, l timed) time.Duration {
	t.Helper()
	out, err := exec.Command(program, l.name, strconv.Itoa(int(l.n)), "20").Output()
	if err != nil {
		t.Fatalf("native %s: %v", l.name, err)
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(ns)
}

// less is the smaller of two times, zero being none.
func less(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// round measures f once more.
func (f *figure) round(t *testing.T, program string, l timed) {
	if program != "" && l.name != "tiny" {
		f.native = less(f.native, native(t, program, l))
	}
	s := child(t, l.name, 1, simd.Best)
	f.warps, f.threads, f.peak = s.warps, s.threads, s.peak
	f.one = less(f.one, time.Duration(s.ns))
	if f.unit == 0 || s.unit < f.unit {
		f.unit = s.unit
	}
	f.loops = float64(f.one.Nanoseconds()) / float64(f.warps) / f.unit
}

func (f *figure) rate(d time.Duration) float64 { return float64(f.threads) / d.Seconds() / 1e6 }

// TestFigures measures all kernels, prints the tables that the README has, and
// fails if one takes more of the calibration loop's time than was accepted.
func TestFigures(t *testing.T) {
	if !*figures {
		t.Skip("make bench")
	}
	program := compile(t)
	was, comparable := accepted(t)
	var all []*figure
	for _, l := range kernels() {
		f := &figure{name: l.name}
		for range rounds {
			f.round(t, program, l)
		}
		f.all = time.Duration(child(t, l.name, 0, simd.Best).ns)
		f.handlers = time.Duration(child(t, l.name, 1, simd.Go).ns)
		if simd.AVX2.Supported() {
			f.avx2 = time.Duration(child(t, l.name, 1, simd.AVX2).ns)
		}
		limit, known := was[f.name]
		known = known && comparable && !*accept
		for i := 0; known && f.loops > worse*limit && i < retries; i++ {
			f.round(t, program, l)
		}
		if known && f.loops > worse*limit {
			t.Errorf("%s: a warp instruction takes %.2f iterations of the calibration loop, accepted are %.2f", f.name, f.loops, limit)
		}
		if most := slower(f.name); f.native > 0 && float64(f.one) > most*float64(f.native) {
			t.Errorf("%s: takes %v, more than %.0f times the %v of the same in C", f.name, f.one, most, f.native)
		}
		all = append(all, f)
	}
	table(all)
	if *accept {
		write(t, all)
	}
}

// slower is how many times as long as the same in C a kernel may take.
func slower(kernel string) float64 {
	if kernel == "gemm_naive" || kernel == "nbody" {
		return 10
	}
	return 30
}

func table(all []*figure) {
	fmt.Printf("\nOne core of %s; the calibration loop takes %.2f ns. Rates are millions a second.\n\n", processor(), all[0].unit)
	fmt.Println("| kernel | thread instructions by handlers | by AVX2 | by machine code | on all cores | warp instructions | ns each | loops each | peak MB | C, us | times as long |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, f := range all {
		avx2, c, times := "-", "-", "-"
		if f.avx2 > 0 {
			avx2 = fmt.Sprintf("%.0f", f.rate(f.avx2))
		}
		if f.native > 0 {
			c = fmt.Sprintf("%.0f", float64(f.native.Nanoseconds())/1e3)
			times = fmt.Sprintf("%.1f", float64(f.one)/float64(f.native))
		}
		fmt.Printf("| %s | %.0f | %s | %.0f | %.0f | %.1f | %.2f | %.2f | %d | %s | %s |\n", f.name, f.rate(f.handlers), avx2, f.rate(f.one), f.rate(f.all),
			float64(f.warps)/f.one.Seconds()/1e6, float64(f.one.Nanoseconds())/float64(f.warps), f.loops, f.peak>>20, c, times)
	}
	fmt.Println()
}

// processor names the machine's processor and its cores.
func processor() string {
	name := runtime.GOARCH
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s, %d cores", name, runtime.NumCPU())
}

const measuredOn = "# measured on "

// accepted reads the accepted figures; comparable says that they were measured on
// a processor like this one.
func accepted(t *testing.T) (all map[string]float64, comparable bool) {
	all = map[string]float64{}
	text, err := os.ReadFile(acceptedFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if on, ok := strings.CutPrefix(lines.Text(), measuredOn); ok {
			comparable = on == processor()
			if !comparable {
				fmt.Printf("%s is of %s; nothing is compared on %s\n", acceptedFile, on, processor())
			}
			continue
		}
		var name string
		var loops float64
		if n, _ := fmt.Sscan(lines.Text(), &name, &loops); n == 2 && name != "#" {
			all[name] = loops
		}
	}
	return all, comparable
}

// write makes what was measured the accepted figures.
func write(t *testing.T, all []*figure) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Iterations of the calibration loop that a warp instruction of each kernel takes on one core.\n"+
		"# make bench fails where it takes %.0f %% more; make bench ACCEPT=1 writes this file.\n%s%s\n", 100*(worse-1), measuredOn, processor())
	for _, f := range all {
		fmt.Fprintf(&b, "%s %.2f\n", f.name, f.loops)
	}
	if err := os.WriteFile(acceptedFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
