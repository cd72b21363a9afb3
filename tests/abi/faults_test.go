package abi

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
)

// kernel is the PTX of k(buffer, argument), with the registers that bodies here use. %rd1 is the buffer, %rd2 the argument.
func kernel(declarations, body string) string {
	return ".version 7.0\n.target sm_70\n.address_size 64\n" + declarations + `
.visible .entry k(.param .u64 buffer, .param .u64 argument)
{
  .local .align 4 .b8 frame[64];
  .shared .align 4 .b8 block[64];
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<8>;
  .reg .f64 %fd<8>;
  ld.param.u64 %rd1, [buffer];
  ld.param.u64 %rd2, [argument];
  mov.u32 %r1, %tid.x;
` + body + "\n  ret;\n}\n"
}

// write makes a file of a fat binary with the given entries.
func write(t *testing.T, entries ...fatbin.Entry) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "image.fatbin")
	if err := os.WriteFile(file, fatbin.Encode(entries...), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func ptxEntry(text string) fatbin.Entry { return fatbin.New(fatbin.PTX, 70, "", []byte(text)) }

// codes is what fault.c prints: a fault shows at the synchronisation and stays.
func codes(launch, later int) string {
	return fmt.Sprintf("launch %d, synchronize %d, copy %d, last %d\n", launch, later, later, max(launch, later))
}

// modes are the ways to execute: results only, and timed.
var modes = map[string]string{"functional": "PTX_SIM_MODE_FUNC=1", "timed": "PTX_SIM_MODE_FUNC=0"}

// quiet is an environment without the closing line.
func quiet(d delivery) []string {
	return append(d.environment(), "LOCKSTEP_LOG=quiet", modes["functional"])
}

// reports checks that stderr is one report that holds all of says.
func (r result) reports(t *testing.T, says ...string) {
	t.Helper()
	if n := strings.Count(r.stderr, "lockstep: "); n != 1 || !strings.HasPrefix(r.stderr, "lockstep: ") {
		t.Errorf("%d reports", n)
	}
	for _, s := range says {
		if !strings.Contains(r.stderr, s) {
			t.Errorf("the report lacks %q", s)
		}
	}
	if t.Failed() {
		t.Logf("status %d, output %q\n%s", r.code, r.stdout, r.stderr)
	}
}

const recursion = `
.visible .func down(.param .b32 n)
{
  .local .align 4 .b8 frame[256];
  .reg .b32 %r<2>;
  ld.param.b32 %r1, [n];
  st.local.b32 [frame], %r1;
  { .param .b32 a; st.param.b32 [a], %r1; call.uni down, (a); }
  ret;
}`

const formats = `
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func free(.param .b64 p);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 c, .param .b64 s);
.global .align 1 .b8 string[8] = {37, 115, 10, 0};
.global .align 1 .b8 text[8] = {120, 62, 121, 0};`

// printing calls vprintf with the string at register format and the arguments in frame.
func printing(format string) string {
	return `  cvta.local.u64 %rd4, frame;
  st.local.u64 [frame], %rd2;
  { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], ` + format + `; st.param.b64 [a], %rd4;
    call.uni (r), vprintf, (f, a); ld.param.b32 %r2, [r]; }
  st.global.u32 [%rd1], %r2;`
}

func TestFaultsInKernelsAreCUDAErrorsWithOneReport(t *testing.T) { // C32
	for _, c := range []struct {
		name, declarations, body string
		argument                 string
		threads                  int
		code                     int
		says                     []string
	}{
		{"misaligned", "", "st.global.u32 [%rd1+2], %r1;", "null", 1, 716,
			[]string{"misaligned address: write of 4 bytes at global address 0x", "in kernel k", "block (0,0,0), thread (0,0,0)", "st.global.u32 [%rd1+2], %r1;"}},
		{"misaligned vector", "", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+8];", "null", 1, 716, []string{"read of 16 bytes"}},
		{"misaligned shared", "", "ld.shared.u32 %r2, [block+1];", "null", 1, 716, []string{"shared address"}},
		{"wild", "", "ld.global.u32 %r2, [%rd2];", "0x10000000000", 1, 700,
			[]string{"illegal memory access: read of 4 bytes", "nearest allocation: device allocation of 4096 bytes", "past its end"}},
		{"wild atomic", "", "atom.global.add.u32 %r2, [%rd2], 1;", "0x10000000000", 1, 700, []string{"atom.global.add.u32"}},
		{"below all", "", "ld.u32 %r2, [%rd2];", "-0x10000000", 1, 700, []string{"before its start"}},
		{"null", "", "ld.u32 %r2, [%rd2];", "null", 1, 700, []string{"at global address 0x0"}},
		{"null of one thread", "", "setp.eq.u32 %p1, %r1, 77;\n  @%p1 st.u32 [%rd2], %r1;", "null", 128, 700, []string{"thread (77,0,0)"}},
		{"freed", "", "ld.global.u32 %r2, [%rd2];", "freed", 1, 700, []string{"freed"}},
		{"variable of the host", "", "ld.global.u32 %r2, [%rd2];", "host", 1, 700, nil},
		{"registered and unmapped", "", "ld.global.u32 %r2, [%rd2];", "unmapped", 1, 700, []string{"is not mapped"}},
		{"past shared memory", "", "ld.shared.u32 %r2, [block+0x40000];", "null", 1, 700, []string{"bytes of shared memory"}},
		{"past local memory", "", "mov.u32 %r3, frame;\n  add.u32 %r3, %r3, 0x4000000;\n  ld.local.u32 %r2, [%r3];", "null", 1, 700, []string{"local address"}},
		{"endless recursion", recursion, "{ .param .b32 a; st.param.b32 [a], 1; call.uni down, (a); }", "null", 1, 700,
			[]string{"call stack overflow", "call depth", "in down"}},
		{"trap", "", "trap;", "null", 1, 719, []string{"trap instruction"}},
		{"assert", formats, `mov.u64 %rd3, text;
  cvta.global.u64 %rd3, %rd3;
  { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 c; .param .b64 s;
    st.param.b64 [m], %rd3; st.param.b64 [f], %rd3; st.param.b32 [l], 7; st.param.b64 [c], %rd3; st.param.b64 [s], 1;
    call.uni __assertfail, (m, f, l, c, s); }`, "null", 1, 710, []string{"x>y:7: x>y: block: [0,0,0], thread: [0,0,0] Assertion `x>y` failed."}},
		{"free of what malloc did not give", formats, "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }", "null", 1, 700, []string{"free of a pointer"}},
		{"printf of a wild format", formats, printing("%rd2"), "0x10000000000", 1, 700, []string{"illegal memory access"}},
		{"printf of a wild string", formats, "mov.u64 %rd3, string;\n  cvta.global.u64 %rd3, %rd3;\n" + printing("%rd3"), "0x10000000000", 1, 700, []string{"illegal memory access"}},
		{"printf without arguments", ".extern .func (.param .b32 r) vprintf(.param .b64 f);", `mov.u64 %rd3, 0x10000;
  { .param .b64 f; .param .b32 r; st.param.b64 [f], %rd3; call.uni (r), vprintf, (f); }`, "null", 1, 700, []string{"illegal memory access"}},
		{"call of no function", "", "{ proto: .callprototype _ (); call %rd2, (), proto; }", "buffer", 1, 718, []string{"invalid program counter"}},
		{"call of null", "", "{ proto: .callprototype _ (); call %rd2, (), proto; }", "null", 1, 718, []string{"invalid program counter"}},
		{"barrier of a number too high", "", "add.u32 %r2, %r1, 16;\n  bar.sync %r2;", "null", 1, 719, []string{"barrier number 16"}},
		{"barrier for a broken warp", "", "mov.u32 %r2, 33;\n  bar.sync 1, %r2;", "null", 64, 719, []string{"33 is not a multiple of 32"}},
		{"barrier that not all reach", "", "setp.lt.u32 %p1, %r1, 32;\n  @%p1 bar.sync 1, 96;", "null", 64, 702,
			[]string{"deadlock in kernel k", "block (0,0,0)", "warp 0, lanes ffffffff, waits at barrier 1", "bar.sync 1, 96"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := deliveries[2]
			image := write(t, ptxEntry(kernel(c.declarations, "  "+c.body)))
			for name, mode := range modes {
				blocks := "2"
				if name == "timed" { // the first in time is reported, not the first in order
					blocks = "1"
				}
				r := execute(t, append(quiet(d), mode), compile(t, d, "fault"), image, c.argument, blocks, fmt.Sprint(c.threads))
				if r.code != 0 || r.stdout != codes(0, c.code) {
					t.Errorf("%s: status %d, output %q, want %q", mode, r.code, r.stdout, codes(0, c.code))
				}
				if c.name == "assert" { // the device's own line, then ours
					line, rest, _ := strings.Cut(r.stderr, "\n")
					r.stderr = rest + line
				}
				r.reports(t, c.says...)
			}
		})
	}
}

// What a kernel hands to printf without a fault is no error.
func TestPrintfOfNoFormatIsNoFault(t *testing.T) {
	d := deliveries[2]
	image := write(t, ptxEntry(kernel(formats, printing("0"))))
	r := execute(t, quiet(d), compile(t, d, "fault"), image, "null", "1", "1")
	if r.stdout != codes(0, 0) || r.stderr != "" {
		t.Errorf("output %q\n%s", r.stdout, r.stderr)
	}
}

func TestKernelThatNeverEndsIsEndedByALimit(t *testing.T) { // C22
	image := write(t, ptxEntry(kernel("", `  setp.eq.u32 %p1, %r1, 5;
spin:
  ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.and.u32 %p2, %r2, 0, %p1;
  @%p2 bra spin;
  bar.sync 0;`)))
	d := deliveries[2]
	for _, limit := range []string{"LOCKSTEP_TIMEOUT=0.2", "LOCKSTEP_MAX_INSTRUCTIONS=300000"} {
		for _, mode := range modes {
			r := execute(t, append(quiet(d), limit, mode), compile(t, d, "fault"), image, "null", "2", "64")
			if r.code != 0 || r.stdout != codes(0, 702) {
				t.Errorf("%s: status %d, output %q", limit, r.code, r.stdout)
			}
			r.reports(t, "kernel k passed the limit of ", "0 of 2 blocks have ended", "block (0,0,0)\n", "block (1,0,0)\n",
				"warp 0, lanes 00000020, runs in k", "warp 0, lanes ffffffdf, waits at barrier 0 in k", "warp 1, lanes ffffffff, waits at barrier 0",
				"looks at 4 bytes at global address 0x", "which hold 0x0")
		}
	}
}

func TestUnusableLimitsAreNamed(t *testing.T) {
	d := deliveries[2]
	image := write(t, ptxEntry(kernel("", "")))
	for _, limit := range []string{"LOCKSTEP_TIMEOUT=soon", "LOCKSTEP_MAX_INSTRUCTIONS=-3"} {
		r := execute(t, append(quiet(d), limit), compile(t, d, "fault"), image, "null", "1", "1")
		if r.stdout != codes(0, 0) {
			t.Errorf("%s: output %q", limit, r.stdout)
		}
		r.reports(t, limit)
	}
}

func TestCodeThatCannotRunIsRefusedAtTheLaunch(t *testing.T) {
	text := kernel("", "")
	cut := func(n int) string { return text[:len(text)-n] }
	for _, c := range []struct {
		name  string
		entry fatbin.Entry
		code  int
		says  []string
	}{
		{"syntax error", ptxEntry(kernel("", "  add.u32 %r1, %r1 %r2;")), 218, []string{".ptx:17:", "add.u32 %r1, %r1 %r2;", "^"}},
		{"two errors", ptxEntry(kernel("", "  add.u33 %r1, %r1, %r2;\n  frob.u32 %r1, %r2;")), 218, []string{".ptx:17:", ".ptx:18:"}},
		{"unknown instruction", ptxEntry(kernel("", "  frobnicate.u32 %r1, %r2;")), 218, []string{"frobnicate"}},
		{"unknown symbol", ptxEntry(kernel("", "  ld.global.u32 %r1, [nowhere];")), 218, []string{"nowhere"}},
		{"unknown register", ptxEntry(kernel("", "  mov.u32 %r1, %r99;")), 218, []string{"%r99"}},
		{"wrong types", ptxEntry(kernel("", "  add.f32 %f1, %rd1, %f2;")), 218, []string{"%rd1"}},
		{"wrong number of operands", ptxEntry(kernel("", "  add.u32 %r1, %r2;")), 218, []string{"add.u32 %r1, %r2;"}},
		{"unresolved function", ptxEntry(kernel(".extern .func elsewhere;", "  call.uni elsewhere;")), 218, []string{"elsewhere"}},
		{"branch to nowhere", ptxEntry(kernel("", "  bra nowhere;")), 218, []string{"nowhere"}},
		{"too much local memory", ptxEntry(kernel("", "  .local .b8 large[600000];")), 218, []string{"524288 bytes of local memory"}},
		{"too much shared memory", ptxEntry(kernel("", "  .shared .b8 large[50000];")), 218, []string{"kernel k has more than 49152 bytes of static shared memory"}},
		{"too much global memory", ptxEntry(kernel(".global .b8 large[2000000000][100];", "")), 2, []string{"cannot place the variables of", "200000000000 bytes"}},
		{"special register of the wrong kind", ptxEntry(kernel("", "  mov.u32 %r1, %is_explicit_cluster;")), 218, []string{"is a predicate"}},
		{"cut off", ptxEntry(cut(20)), 218, nil},
		{"no version", ptxEntry(text[13:]), 218, []string{"version"}},
		{"no text", ptxEntry(""), 218, nil},
		{"no kernel k", ptxEntry(strings.Replace(text, "entry k(", "entry other(", 1)), 98, []string{"kernel k is not in the device code"}},
		{"machine code only", fatbin.New(fatbin.ELF, 90, "", []byte("\x7fELF")), 209, []string{"PTX must be embedded", "sm_90"}},
		{"PTX for a newer card", fatbin.New(fatbin.PTX, 100, "", []byte(text)), 209, []string{"compute_100"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := deliveries[2]
			r := execute(t, quiet(d), compile(t, d, "fault"), write(t, c.entry), "null", "1", "1")
			want := fmt.Sprintf("launch %d, synchronize 0, copy 0, last %[1]d\n", c.code)
			if r.code != 0 || r.stdout != want {
				t.Errorf("status %d, output %q, want %q", r.code, r.stdout, want)
			}
			r.reports(t, c.says...)
		})
	}
}
