package apps

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// closing is the closing line of a run on the timing model.
var closing = regexp.MustCompile(`lockstep: NVIDIA H200, .* in [1-9][0-9]* cycles .*\(timing model h200\)\n$`)

func TestProgramsPrintTheSameInSimulatedTime(t *testing.T) {
	root := built(t)
	eachProgram(t, func(t *testing.T, r run, program string) {
		env := []string{"PTX_SIM_MODE_FUNC=0", "LD_PRELOAD=" + filepath.Join(root, "build", "lib", "libcudart.so.13")}
		check(t, r, "13.0", append([]string{program}, r.args...), env)
	})
}

// eachProgram makes a subtest of each row of the table, two at a time, on the program's file of CUDA 13.0;
// with -short of the quick programs alone.
func eachProgram(t *testing.T, test func(t *testing.T, r run, program string)) {
	t.Helper()
	slots := make(chan struct{}, 2)
	for _, r := range table(t) {
		if testing.Short() && !slices.Contains(quick, r.program) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			program, err := filepath.Abs(filepath.Join("prebuilt", "13.0", r.program))
			if err != nil {
				t.Fatal(err)
			}
			test(t, r, program)
		})
	}
}

// quick are programs of each kind that take the least time.
var quick = []string{"vector_add", "gemm_naive", "reduce", "votes", "barriers", "constants", "fault", "spinlock", "streams", "printf"}

func TestTheSameProgramTakesTheSameCyclesAndSaysSo(t *testing.T) {
	root := built(t)
	command := filepath.Join(root, "build", "bin", "lockstep")
	// One kernel after another, several streams, functions of the host.
	for _, name := range []string{"reduce", "streams", "callbacks"} {
		program, err := filepath.Abs(filepath.Join("prebuilt", "13.0", name))
		if err != nil {
			t.Fatal(err)
		}
		var first string
		// The third run finds the usual place of device memory taken.
		for i, env := range [][]string{nil, nil, {"LD_PRELOAD=" + squatter(t)}} {
			_, stderr, status := execute(t, []string{command, "run", "--timing", "--output", "json", "--", program}, env)
			if status != 0 || !closing.Match(stderr) {
				t.Fatalf("%s: exit status %d, stderr\n%s", name, status, stderr)
			}
			statistics := string(stderr[:strings.LastIndex(strings.TrimSpace(string(stderr)), "\n")])
			if i > 0 && statistics != first {
				t.Errorf("%s: run %d differs:\n%s\n%s", name, i, statistics, first)
			}
			first = statistics
		}
	}
}

// squatter builds a library that takes the first place that device memory has among addresses,
// as Go's heap does in one process of 128.
func squatter(t *testing.T) string {
	t.Helper()
	const source = `#include <sys/mman.h>
__attribute__((constructor)) static void squat(void)
{
	mmap((void *)0x200000000000, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}
`
	folder := t.TempDir()
	file, library := filepath.Join(folder, "squat.c"), filepath.Join(folder, "squat.so")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, file).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	return library
}

// digest is a line about a copy to the host.
var digest = regexp.MustCompile(`(?m)^.*bytes to the host, digest .*$`)

func TestBothModesLeaveTheSameMemory(t *testing.T) {
	root := built(t)
	command := filepath.Join(root, "build", "bin", "lockstep")
	copied := make(chan int, 100)
	t.Cleanup(func() {
		close(copied)
		all := 0
		for n := range copied {
			all += n
		}
		if all < 10 {
			t.Errorf("only %d copies were compared", all)
		}
	})
	eachProgram(t, func(t *testing.T, r run, program string) {
		var copies [2][]string
		for i, flags := range [][]string{{"run"}, {"run", "--timing"}} {
			words := slices.Concat([]string{command}, flags, []string{"--", program}, r.args)
			_, stderr, _ := execute(t, words, []string{"LOCKSTEP_LOG=copies"})
			copies[i] = digest.FindAllString(string(stderr), -1)
			slices.Sort(copies[i]) // threads copy in any order
		}
		copied <- len(copies[0])
		if !slices.Equal(copies[0], copies[1]) {
			t.Errorf("functional execution left\n%s\nsimulated time\n%s", strings.Join(copies[0], "\n"), strings.Join(copies[1], "\n"))
		}
	})
}

func TestKernelsBeforeTheChosenOneTakeNoTime(t *testing.T) {
	root := built(t)
	command := filepath.Join(root, "build", "bin", "lockstep")
	program, err := filepath.Abs(filepath.Join("prebuilt", "13.0", "reduce"))
	if err != nil {
		t.Fatal(err)
	}
	numbers := regexp.MustCompile(`(?m)^\{"grid":([0-9]+),`)
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "1 2 3 4 5 6"}, {[]string{"--from-kernel", "4"}, "4 5 6"}, {[]string{"--kernel-regex", "^void sum<(float|double)>|maximum"}, "3 4 6"},
		{[]string{"--set", "run.from_kernel=6"}, "6"}, {[]string{"--from-kernel", "3", "--kernel-regex", "sum<"}, "3 4"},
	} {
		words := slices.Concat([]string{command, "run", "--timing", "--output", "json"}, c.flags, []string{"--", program})
		stdout, stderr, status := execute(t, words, nil)
		var got []string
		for _, m := range numbers.FindAllSubmatch(stderr, -1) {
			got = append(got, string(m[1]))
		}
		if text := strings.Join(got, " "); text != c.want || status != 0 || !strings.HasSuffix(string(stdout), "PASS\n") {
			t.Errorf("%v: kernels %s took time, want %s; exit status %d", c.flags, text, c.want, status)
		}
	}
}

func TestARunUnderAConfigurationOfGPGPUSimWritesItsLog(t *testing.T) {
	root := built(t)
	program, err := filepath.Abs(filepath.Join("prebuilt", "11.8", "gemm_tiled"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	config := "-gpgpu_n_clusters 20 -gpgpu_n_cores_per_cluster 1\n-gpgpu_num_sched_per_core 4 -gpgpu_shader_core_pipeline 2048:32 -gpgpu_shader_registers 65536 -gpgpu_registers_per_block 65536\n" +
		"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32 -gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32\n-gpgpu_shmem_size 49152 -gpgpu_shmem_num_banks 32\n" +
		"-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS\n" +
		"-gpgpu_dram_timing_opt nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3\n-network_mode 2\n-gpgpusim_output 1\n"
	if err := os.WriteFile(filepath.Join(folder, "gpgpusim.config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"LD_PRELOAD=" + filepath.Join(root, "build", "lib", "libcudart.so.11.0"), "PTX_SIM_MODE_FUNC="}
	stdout, stderr, status := execute(t, []string{"env", "-C", folder, program}, env)
	if status != 0 || !strings.Contains(string(stderr), "lockstep: gpgpusim.config: ") {
		t.Fatalf("exit status %d, stderr\n%s", status, stderr)
	}
	for _, want := range []string{"[build lockstep]", "\nkernel_name = _Z4gemm", "\ngpu_tot_sim_cycle = ", "\nPASS\n", "\nGPGPU-Sim: *** exit detected ***\n"} {
		if !strings.Contains(string(stdout), want) {
			t.Errorf("%q is missing in the log\n%.3000s", want, stdout)
		}
	}
	for _, law := range []struct{ parts, sum string }{
		{`(?m)^\tL1D_cache_core\[\d+\]: Access = (\d+)`, `\tL1D_total_cache_accesses = (\d+)`},
		{`(?m)^L2_cache_bank\[\d+\]: Access = (\d+)`, `\nL2_total_cache_accesses = (\d+)`},
		{`(?m)^n_cmd=\d+ n_act=(\d+)`, `average row locality = \d+/(\d+)`},
	} {
		if parts, sum := total(law.parts, stdout), total(law.sum, stdout); parts != sum || sum == 0 {
			t.Errorf("%s: %d, %s: %d", law.parts, parts, law.sum, sum)
		}
	}
}

// total is the sum of the numbers that an expression finds in a log.
func total(expression string, log []byte) (sum int) {
	for _, m := range regexp.MustCompile(expression).FindAllSubmatch(log, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		sum += n
	}
	return sum
}
